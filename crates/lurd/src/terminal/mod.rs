//! The terminal as a playing field: by the arrow keys, or with a solution that plays itself.

mod play;
mod screen;
mod watch;

pub use play::play;
pub use screen::restore;
pub use watch::watch;
