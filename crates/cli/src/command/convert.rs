//! `lurd convert`: levels from one format into another.

use crate::exit::{Ending, Failure};
use crate::flags::choice;
use crate::input::{self, Source};
use crate::output::{Target, format_by_ending};
use crate::selection::Selection;
use clap::Args;
use lurd::formats::Format;
use std::path::{Path, PathBuf};

/// Convert levels from one format into another
#[derive(Args, Debug)]
pub struct ConvertArguments {
    /// The levels to read, in any supported format; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// Where to write them; - is standard output. A file is replaced only when the new one is complete
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// The format to write [default: by the ending of OUT; xsb on standard output]
    #[arg(long, value_name = "FORMAT", value_parser = choice::<Format>())]
    to: Option<Format>,

    /// The format to read [default: found by the content]
    #[arg(long, value_name = "FORMAT", value_parser = choice::<Format>())]
    from: Option<Format>,

    /// Complete every level to a walled rectangle; one that is not enclosed gets a ring of walls
    #[arg(long)]
    rectangular: bool,
}

/// Converts.
pub fn run(arguments: &ConvertArguments) -> Ending {
    let format = arguments.to.or_else(|| format_by_default(&arguments.output)).ok_or_else(|| {
        let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
        let name = input::name(&arguments.output);
        Failure::usage(format!("{name}: its ending names no format; say --to with one of {}", names.join(", ")))
    })?;
    let source = Source { format: arguments.from, ..Source::file(&arguments.input) };
    let mut collection = if arguments.rectangular { source.read_and_wall_in()? } else { source.read()? };
    // Says what is wrong with those that cannot be carried over.
    let (_, exit) = source.choose(&collection, &Selection::All)?;
    if arguments.rectangular {
        for level in &mut collection.levels {
            level.map = level.map.rectangular();
        }
    }
    Target::new(&arguments.output, format).write(&collection, &source)?;
    Ok(exit)
}

fn format_by_default(output: &Path) -> Option<Format> {
    if output == Path::new("-") { Some(Format::Xsb) } else { format_by_ending(output) }
}
