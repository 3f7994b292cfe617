//! `lurd convert`: levels from one format into another.

use crate::exit::{Ending, Failure};
use crate::flags::choice;
use crate::input::{self, Source};
use crate::output::{ENDINGS, Form, Stage, Target, form_by_ending};
use crate::selection::Selection;
use clap::Args;
use lurd::Level;
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

    /// Which levels: 3, 2-5, 7-, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|A-|all", default_value = "all")]
    level: Selection,

    /// Complete every level to a walled rectangle; one that is not enclosed gets a ring of walls
    #[arg(long)]
    rectangular: bool,
}

/// Converts.
pub fn run(arguments: &ConvertArguments) -> Ending {
    let form = arguments.to.map(Form::Levels).or_else(|| form_by_default(&arguments.output)).ok_or_else(|| {
        let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
        let name = input::name(&arguments.output);
        Failure::usage(format!(
            "{name}: its ending names no format; let it end in {ENDINGS}, or say --to with one of {}",
            names.join(", ")
        ))
    })?;
    let source = Source { format: arguments.from, ..Source::file(&arguments.input) };
    let mut collection = if arguments.rectangular { source.read_and_wall_in()? } else { source.read()? };
    // Says what is wrong with those that cannot be carried over.
    let (chosen, exit) = source.choose(&collection, &arguments.level)?;
    let chosen: Vec<Level> = chosen.into_iter().cloned().collect();
    let target = Target::new(&arguments.output, form);
    if arguments.level != Selection::All {
        target.refuse_part_of(&source)?;
        collection.levels = chosen;
    }
    if arguments.rectangular {
        for level in &mut collection.levels {
            level.map = level.map.rectangular();
        }
    }
    target.write(&collection, &source, Stage::Final)?;
    Ok(exit)
}

fn form_by_default(output: &Path) -> Option<Form> {
    if output == Path::new("-") { Some(Form::Levels(Format::Xsb)) } else { form_by_ending(output) }
}
