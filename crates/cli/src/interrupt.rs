//! Ctrl-C: the first press asks the search to stop and lets the command print what it
//! found; the second leaves at once.

use crate::exit::Exit;
use lurd_search::Cancel;

/// Watches for Ctrl-C from now on. The flag is raised at the first press.
///
/// Where the signal cannot be watched Ctrl-C ends the program as it always does.
pub fn watch() -> Cancel {
    let cancel = Cancel::new();
    let flag = cancel.clone();
    let watched = ctrlc::set_handler(move || {
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

/// Lets Ctrl-C end the program at once with its exit code: for commands that hold nothing a user
/// would miss, or wait for a line that never comes.
pub fn leave_at_once() {
    // Where the signal cannot be watched Ctrl-C ends the program all the same, by the system's hand.
    let _ = ctrlc::set_handler(|| std::process::exit(Exit::Interrupted.code().into()));
}
