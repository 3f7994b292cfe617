//! Ctrl-C and its kin: the first signal asks the search to stop and lets the command print what it
//! found; the second leaves at once.
//!
//! On Unix SIGTERM and SIGHUP, by which systems and closed terminals end a program, count like Ctrl-C. A hang-up that
//! the program is to ignore, as under `nohup`, stays ignored. Elsewhere it is Ctrl-C and what the console sends when it
//! is closed.

use crate::exit::Exit;
use lurd_base::Cancel;
use std::io;

/// Watches for signals from now on. The flag is raised at the first.
///
/// Where signals cannot be watched they end the program as they always do.
pub fn watch() -> Cancel {
    let cancel = Cancel::new();
    let flag = cancel.clone();
    let watched = on_signal(move || {
        if flag.is_cancelled() {
            std::process::exit(Exit::Interrupted.code().into());
        }
        flag.cancel();
    });
    if let Err(error) = watched {
        crate::exit::complain(&format!("Ctrl-C will end the program without results: {error}"));
    }
    cancel
}

/// Lets a signal end the program at once with its exit code: for commands that hold nothing a user
/// would miss, or wait for a line that never comes.
pub fn leave_at_once() {
    // Where signals cannot be watched they end the program all the same, by the system's hand.
    let _ = on_signal(|| std::process::exit(Exit::Interrupted.code().into()));
}

#[cfg(unix)]
fn on_signal(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let watched = if ignores_hang_up() { &[SIGINT, SIGTERM][..] } else { &[SIGINT, SIGTERM, SIGHUP] };
    let mut signals = signal_hook::iterator::Signals::new(watched)?;
    let listen = move || signals.forever().for_each(|_| act());
    std::thread::Builder::new().name("signals".into()).spawn(listen).map(drop)
}

#[cfg(not(unix))]
fn on_signal(act: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(act).map_err(io::Error::other)
}

/// Whether whoever started the program has told it to ignore a hang-up. Known on Linux only.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignored(&status, signal_hook::consts::SIGHUP))
}

/// Whether the mask of ignored signals in `/proc/self/status` has a signal.
#[cfg(unix)]
fn ignored(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_status() {
        let status = "Name:\tlurd\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert_eq!([1, 2, 13].map(|signal| ignored(status, signal)), [true, false, true]);
        assert!(!ignored("Name:\tlurd\n", 1));
    }
}
