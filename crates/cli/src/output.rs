//! Levels into a file or to standard output.

use crate::exit::Failure;
use crate::input::{self, Source};
use crate::{replace, units};
use lurd::formats::{self, Collection, Format};
use lurd::{Level, SavedGame, Solution};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where levels go, and in which format: settled before any work is done.
#[derive(Clone, Debug)]
pub struct Target {
    path: PathBuf,
    format: Format,
}

impl Target {
    /// A target in the given format.
    pub fn new(path: &Path, format: Format) -> Self {
        Self { path: path.to_owned(), format }
    }

    /// Whether this is the very file the levels came from.
    pub fn is(&self, source: &Source) -> bool {
        let same = |path: &PathBuf| {
            fs::canonicalize(path).is_ok_and(|path| fs::canonicalize(&self.path).is_ok_and(|own| own == path))
        };
        source.file.as_ref().is_some_and(same)
    }

    /// Writes levels that came from `source` with their new solutions: over the source goes every level, so that none
    /// is lost, elsewhere those that were chosen.
    pub fn write_solved<'a>(
        &self,
        collection: &Collection,
        chosen: &[&Level],
        source: &Source,
        solution: impl Fn(&Level) -> Option<&'a Solution>,
    ) -> Result<(), Failure> {
        let written = if self.is(source) { collection.levels.iter().collect() } else { chosen.to_vec() };
        let levels = written.into_iter().map(|level| with_solution(level, solution(level))).collect();
        self.write(&Collection { levels, ..collection.clone() }, source)
    }

    /// Writes the levels that came from `source`.
    ///
    /// # Errors
    /// A sentence, where the format cannot hold them, the file not be written, or broken levels
    /// of the source would be lost by writing over it.
    pub fn write(&self, collection: &Collection, source: &Source) -> Result<(), Failure> {
        if !collection.defects.is_empty() && self.is(source) {
            return Err(Failure::usage(format!(
                "{}: writing over this file would lose its broken levels; write to another file",
                source.name()
            )));
        }
        let bytes = formats::write(collection, self.format)
            .map_err(|error| Failure::usage(format!("{}: {error}", input::name(&self.path))))?;
        if self.path == Path::new("-") {
            let mut out = io::stdout().lock();
            out.write_all(&bytes)?;
            out.flush()?;
            return Ok(());
        }
        replace::write(&self.path, &bytes)
    }
}

/// A level with its new solution before the games it came with.
fn with_solution(level: &Level, solution: Option<&Solution>) -> Level {
    let mut level = level.clone();
    if let Some(solution) = solution {
        let game = SavedGame {
            title: "Solution".into(),
            moves: solution.lurd.clone(),
            notes: vec![units::lengths(solution.pushes, solution.moves)],
            mark: None,
            solves: true,
        };
        level.games.retain(|old| old.moves != game.moves);
        level.games.insert(0, game);
    }
    level
}

/// One JSON object on a line of its own.
pub fn json_line(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(object)?)?;
    out.flush()
}

/// The format a file's ending names.
pub fn format_by_ending(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "xsb" | "txt" => Some(Format::Xsb),
        "sok" => Some(Format::Sok),
        "slc" | "xml" => Some(Format::Slc),
        "rle" => Some(Format::Rle),
        "json" => Some(Format::SokoBot),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What a function prints.
    pub(crate) fn printed(print: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        print(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_formats_own_ending_names_a_format() {
        for format in Format::ALL {
            let path = PathBuf::from("a").with_extension(format.extension());
            assert!(format_by_ending(&path).is_some(), "{format}");
        }
        assert_eq!(format_by_ending(Path::new("a.b/c.SOK")), Some(Format::Sok));
        assert_eq!(format_by_ending(Path::new("a.sok/c")), None);
        assert_eq!(format_by_ending(Path::new("-")), None);
    }
}
