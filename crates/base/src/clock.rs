//! The clock of all searches, and whether there are threads: the one place that knows how a browser differs.
//!
//! On `wasm32-unknown-unknown` the standard library has neither: its clock panics, and so does a thread that sleeps or waits.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web_time::Instant;

use std::time::Duration;

/// Whether threads can be started at all. Where not, everything runs on the thread that calls.
pub const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Lets other threads work for a while; where there are none, nothing can change meanwhile and it returns at once.
pub fn pause(time: Duration) {
    if HAS_THREADS {
        std::thread::sleep(time);
    }
}
