//! `lurd library export`: a collection as a file, its levels with their best solutions.

use crate::exit::{Ending, Exit, Failure};
use crate::flags::choice;
use crate::input;
use crate::output::{ENDINGS, Form, Stage, Target, form_by_ending};
use crate::shelf::LibraryFile;
use clap::Args;
use lurd::formats::Format;
use std::path::{Path, PathBuf};

/// Write a collection to a file, its levels with their best solutions
#[derive(Args, Debug)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// The name of the collection
    #[arg(value_name = "COLLECTION")]
    collection: String,

    /// Where to; - is standard output
    #[arg(value_name = "FILE", default_value = "-")]
    target: PathBuf,

    /// The format [default: that of FILE's ending, or sok]
    #[arg(long, value_name = "FORMAT", value_parser = choice::<Format>())]
    format: Option<Format>,
}

/// Exports.
pub(super) fn run(arguments: &ExportArguments) -> Ending {
    let path = &arguments.target;
    let form = match (arguments.format, form_by_ending(path)) {
        (Some(format), _) => Form::Levels(format),
        (None, Some(form)) => form,
        (None, None) if path == Path::new("-") => Form::Levels(Format::Sok),
        (None, None) => {
            let name = input::name(path);
            return Err(Failure::usage(format!(
                "{name}: its ending names no format; let it end in {ENDINGS}, or add --format"
            )));
        }
    };
    let collection = arguments.file.open_existing()?.export(&arguments.collection)?;
    Target::new(path, form).write(&collection, &input::Source::default(), Stage::Final)?;
    Ok(Exit::Success)
}
