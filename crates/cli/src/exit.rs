//! How a command ends: its exit code, or the sentence that says why it could not run.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// What the exit code tells a script. Of several the later one in this list wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: all solved, all right.
    Success,
    /// 1: some level was stopped by a limit, or some solution is wrong.
    Incomplete,
    /// 3: some level is proved unsolvable.
    Unsolvable,
    /// 2: wrong usage or unreadable input.
    Usage,
    /// 130: Ctrl-C, with what was found so far printed.
    Interrupted,
}

impl Exit {
    /// The number the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Incomplete => 1,
            Self::Usage => 2,
            Self::Unsolvable => 3,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The user must change something; the sentence says what.
    #[error("{0}")]
    Usage(String),
    /// Whoever read the output has closed it: `lurd … | head` is no error.
    #[error("the reader of the output has gone")]
    ReaderGone,
    /// The output could not be written, for instance to a full disk.
    #[error("the output could not be written: {0}")]
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::ReaderGone } else { Self::Output(error) }
    }
}

impl Failure {
    /// A sentence for the user.
    pub fn usage(sentence: impl Into<String>) -> Self {
        Self::Usage(sentence.into())
    }
}

/// How a command ended: its exit code, or the sentence to print where input, output or what was asked is wrong.
pub type Ending = Result<Exit, Failure>;

/// Turns an ending into the exit code, saying on standard error what went wrong.
pub fn leave(ending: Ending) -> ExitCode {
    match ending {
        Ok(exit) => exit.into(),
        Err(Failure::ReaderGone) => Exit::Success.into(),
        Err(failure) => {
            complain(&failure.to_string());
            Exit::Usage.into()
        }
    }
}

/// Prints a sentence on standard error after the program's name; a closed standard error is no
/// reason to panic.
pub fn complain(sentence: &str) {
    let called = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&called).file_stem().map_or_else(|| "lurd".into(), |name| name.to_string_lossy());
    let _ = writeln!(io::stderr(), "{name}: {sentence}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_contract() {
        let codes = [Exit::Success, Exit::Incomplete, Exit::Usage, Exit::Unsolvable, Exit::Interrupted].map(Exit::code);
        assert_eq!(codes, [0, 1, 2, 3, 130]);
    }

    #[test]
    fn the_graver_exit_wins() {
        assert_eq!(Exit::Incomplete.max(Exit::Unsolvable), Exit::Unsolvable);
        assert_eq!(Exit::Unsolvable.max(Exit::Usage), Exit::Usage);
        assert_eq!(Exit::Usage.max(Exit::Interrupted), Exit::Interrupted);
    }

    #[test]
    fn a_broken_pipe_is_told_from_a_full_disk() {
        assert!(matches!(Failure::from(io::Error::from(io::ErrorKind::BrokenPipe)), Failure::ReaderGone));
        assert!(matches!(Failure::from(io::Error::from(io::ErrorKind::StorageFull)), Failure::Output(_)));
    }
}
