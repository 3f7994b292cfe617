//! The flags for programs that start lurd, read its results and may not outlive or outwait it.

use crate::progress::Display;
use clap::Args;
use lurd::Cancel;
use std::io;
use std::thread;

/// What a program that started this one wants.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "For programs that start lurd")]
pub struct CallerFlags {
    /// Print a JSON object a line on standard error, a few times a second, that tells how far each search is
    #[arg(long)]
    pub progress: bool,

    /// Stop as at Ctrl-C when standard input is closed, as it is when the program that holds it open ends; what is read from - ends at
    /// a byte 4 (EOT) instead
    #[arg(long)]
    pub attached: bool,
}

impl CallerFlags {
    /// Where progress is shown.
    pub fn display(&self) -> Display {
        if self.progress { Display::objects() } else { Display::new() }
    }

    /// Raises the flag when standard input is closed, if that was asked for. Everything that is read from it has to
    /// be read before.
    pub fn watch(&self, cancel: &Cancel) {
        if self.attached {
            let cancel = cancel.clone();
            thread::spawn(move || {
                // An input that cannot be read any more is as good as closed.
                let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
                cancel.cancel();
            });
        }
    }
}
