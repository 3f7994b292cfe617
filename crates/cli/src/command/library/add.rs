//! `lurd library add` and `remove`: files of levels in, collections out.

use crate::exit::{Ending, Exit, Failure, complain};
use crate::input::{self, Source};
use crate::output::{Form, form_by_ending};
use crate::selection::Selection;
use crate::shelf::LibraryFile;
use crate::units;
use clap::Args;
use lurd::formats::Collection;
use lurd_library::Library;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Add files of levels to the library, each as a collection
///
/// A level that is there already, mirrored or turned too, is stored once. Solutions in the files are taken in after the
/// referee has replayed them.
#[derive(Args, Debug)]
pub(crate) struct AddArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// Files of levels in any supported format, or folders of such files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// What the collection is called [default: the name of its file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Replace the collection of this name; without it a taken name gets a number behind it
    #[arg(long)]
    replace: bool,
}

/// Remove a collection; its levels and their solutions stay
#[derive(Args, Debug)]
pub(crate) struct RemoveArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// The name of the collection
    #[arg(value_name = "NAME")]
    name: String,
}

/// Adds files. Those that cannot be read are told, and the others are added.
pub(super) fn run(arguments: &AddArguments) -> Ending {
    let files = level_files(&arguments.files)?;
    if arguments.name.is_some() && files.len() > 1 {
        return Err(Failure::usage("--name is for one file; without it each file's own name is taken"));
    }
    let mut library = arguments.file.open()?;
    let mut exit = Exit::Success;
    let mut out = io::stdout().lock();
    for file in &files {
        let (collection, whole) = match read(file) {
            Ok(read) => read,
            Err(failure) if files.len() > 1 => {
                complain(&failure.to_string());
                exit = Exit::Usage;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        exit = exit.max(whole);
        let name = arguments.name.clone().unwrap_or_else(|| collection_name(file));
        let added = library.add(&name, &source_name(file), &collection, arguments.replace)?;
        let levels = units::plural(added.entries, "level", "levels");
        write!(out, "{}: {levels}, {} new", units::printable(&added.name), added.new_levels)?;
        if added.new_best > 0 {
            write!(out, ", {} better than before", units::plural(added.new_best, "solution", "solutions"))?;
        }
        writeln!(out, "{}", if added.replaced { "; it replaces the collection of this name" } else { "" })?;
        out.flush()?;
    }
    Ok(exit)
}

/// Removes a collection.
pub(super) fn remove(arguments: &RemoveArguments) -> Ending {
    let mut library = arguments.file.open_existing()?;
    library.remove(&arguments.name)?;
    Ok(Exit::Success)
}

/// The sound levels of a file, and [`Exit::Usage`] if others in it are broken: that is said on standard error.
fn read(file: &Path) -> Result<(Collection, Exit), Failure> {
    let source = Source::file(file);
    let collection = source.read()?;
    let (_, exit) = source.choose(&collection, &Selection::All)?;
    Ok((collection, exit))
}

/// The collections of files, added where no collection has exactly their levels.
pub(in crate::command) fn collections_of(library: &mut Library, files: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for file in level_files(files)? {
        // What is no file may be the name of a collection.
        if !file.exists()
            && let Some(name) = file.to_str()
        {
            names.push(library.collection_named(name).map_err(|error| {
                Failure::usage(format!("{}: there is no such file, and {error}", input::name(&file)))
            })?);
            continue;
        }
        let (collection, _) = read(&file)?;
        let known = library.same_collection(&collection.levels)?;
        names.push(match known {
            Some(name) => name,
            None => library.add(&collection_name(&file), &source_name(&file), &collection, false)?.name,
        });
    }
    Ok(names)
}

/// Files as they are, folders as the files in them that an ending names as levels.
fn level_files(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unread =
            |error: io::Error| Failure::usage(format!("{}: the folder cannot be read: {error}", input::name(path)));
        let mut inside: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(path).map_err(unread)? {
            let file = entry.map_err(unread)?.path();
            if file.is_file() && matches!(form_by_ending(&file), Some(Form::Levels(_))) {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(Failure::usage(format!("{}: there is no file of levels in this folder", input::name(path))));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// A file's name without its ending.
fn collection_name(file: &Path) -> String {
    if file == Path::new("-") {
        return "standard input".to_owned();
    }
    file.file_stem().map_or_else(|| "levels".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// What the library says a collection came from: the name of the file, because its place may be private.
fn source_name(file: &Path) -> String {
    file.file_name().map_or_else(|| input::name(file), |name| name.to_string_lossy().into_owned())
}
