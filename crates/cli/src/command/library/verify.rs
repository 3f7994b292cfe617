//! `lurd library verify`: everything is replayed by the referee.

use crate::exit::{Ending, Exit, complain};
use crate::interrupt;
use crate::progress::Display;
use crate::shelf::LibraryFile;
use crate::units;
use clap::Args;
use std::io::{self, Write};
use std::time::Instant;

/// Replay every solution by the referee, in every orientation, and check the file
#[derive(Args, Debug)]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    file: LibraryFile,
}

/// Verifies.
pub(super) fn run(arguments: &VerifyArguments) -> Ending {
    let library = arguments.file.open_existing()?;
    let cancel = interrupt::watch();
    let display = Display::new();
    let mut line = display.line("verify".into());
    let begun = Instant::now();
    let found = library.verify(&mut |levels| {
        line.tell(begun.elapsed().as_secs_f64(), &format!("{} levels", units::count(levels as u64)));
        !cancel.is_cancelled()
    })?;
    drop(line);
    for damage in &found.damages {
        complain(&format!("{}: {damage}", library.path().display()));
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} levels, {} solutions and {} carried over to entries: {}",
        units::count(found.levels as u64),
        units::count(found.solutions as u64),
        units::count(found.carried_over as u64),
        if found.damages.is_empty() {
            "all right".to_owned()
        } else {
            units::plural(found.damages.len(), "thing is wrong", "things are wrong")
        }
    )?;
    let exit = if found.damages.is_empty() { Exit::Success } else { Exit::Incomplete };
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { exit })
}
