//! Levels from a file, from standard input, or from inside the program.
//!
//! Whatever the bytes are, what comes back is levels or a sentence; how much is read is
//! bounded, so that an endless device is a sentence too.

use crate::exit::{Exit, Failure, complain};
use crate::flags::choice;
use crate::selection::Selection;
use crate::{embedded, units};
use clap::Args;
use lurd::Level;
use lurd::formats::{self, Collection, Format, Solutions, Warning, WarningKind};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

/// The largest file that is read.
const LARGEST: usize = formats::MAX_BYTES;

/// What ends a text on a standard input that stays open: the character EOT of ASCII, which is in no level.
pub const END_MARK: u8 = 4;

/// How many sentences about one file are printed before the rest is only counted.
const SENTENCES: usize = 20;

/// Where levels come from.
#[derive(Args, Clone, Debug, Default)]
pub struct Source {
    /// The levels, in any supported format; - is standard input [default: those inside the program]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// The format of FILE [default: found by its content]
    #[arg(long, value_name = "FORMAT", value_parser = choice::<Format>())]
    pub format: Option<Format>,

    /// Whether standard input ends at [`END_MARK`] instead of where it is closed.
    #[arg(skip)]
    pub ends_at_mark: bool,
}

impl Source {
    /// A file in whatever format it is.
    pub fn file(path: &Path) -> Self {
        Self { file: Some(path.to_owned()), ..Self::default() }
    }

    /// Whether the levels come from standard input.
    pub fn is_standard_input(&self) -> bool {
        self.file.as_deref() == Some(Path::new("-"))
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        self.file.as_deref().map_or_else(|| "the levels inside the program".into(), name)
    }

    /// Reads the levels.
    ///
    /// # Errors
    /// A sentence with the file and, where one is to blame, the line and column.
    pub fn read(&self) -> Result<Collection, Failure> {
        self.read_by(formats::read)
    }

    /// As [`read`](Self::read), with walls around levels that are not enclosed.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_and_wall_in(&self) -> Result<Collection, Failure> {
        self.read_by(formats::read_and_wall_in)
    }

    fn read_by(
        &self,
        reader: impl Fn(&[u8], Option<Format>) -> Result<Collection, formats::ReadError>,
    ) -> Result<Collection, Failure> {
        let parsed = match &self.file {
            None => reader(embedded::TEXT.as_bytes(), None),
            Some(path) => reader(&bytes_to_end(path, self.ends_at_mark)?, self.format),
        };
        parsed.map_err(|error| Failure::usage(self.sentence(&error)))
    }

    /// The levels a selection names, in its order. What a reader should know about them goes to
    /// standard error. The exit code is [`Exit::Usage`] if some of
    /// them are broken in the file: why is said on standard error, and the others are returned.
    ///
    /// # Errors
    /// A sentence, when it names one that is not there, or none that is sound.
    pub fn choose<'a>(
        &self,
        collection: &'a Collection,
        selection: &Selection,
    ) -> Result<(Vec<&'a Level>, Exit), Failure> {
        let last = collection.levels.iter().map(|level| level.number);
        let last = last.chain(collection.defects.iter().map(|defect| defect.number)).max().unwrap_or(0);
        let numbers = selection.of(last).map_err(|reason| Failure::usage(self.sentence(&reason)))?;
        let sound = |&number: &usize| {
            collection.levels.binary_search_by_key(&number, |level| level.number).ok().map(|at| &collection.levels[at])
        };
        let levels: Vec<&Level> = numbers.iter().filter_map(sound).collect();
        let chosen: HashSet<usize> = numbers.iter().copied().collect();
        let concerns = |warning: &&Warning| level_of(&warning.kind).is_none_or(|number| chosen.contains(&number));
        self.tell(collection.warnings.iter().filter(concerns), "warnings");
        if levels.len() == numbers.len() {
            return Ok((levels, Exit::Success));
        }
        let broken = collection.defects.iter().filter(|defect| chosen.contains(&defect.number));
        self.tell(broken, "broken levels");
        if levels.is_empty() {
            return Err(Failure::usage(self.sentence(&"none of the levels asked for can be played")));
        }
        Ok((levels, Exit::Usage))
    }

    fn sentence(&self, reason: &dyn std::fmt::Display) -> String {
        format!("{}: {reason}", self.name())
    }

    fn tell<T: std::fmt::Display>(&self, sentences: impl Iterator<Item = T>, what: &str) {
        let mut sentences = sentences;
        for sentence in sentences.by_ref().take(SENTENCES) {
            complain(&self.sentence(&sentence));
        }
        let more = sentences.count();
        if more > 0 {
            complain(&self.sentence(&format!("{more} more {what} are not shown")));
        }
    }
}

/// The level a warning is about; `None` where it is about the file.
fn level_of(warning: &WarningKind) -> Option<usize> {
    match warning {
        WarningKind::Decoration { number, .. }
        | WarningKind::IllegalGame { number, .. }
        | WarningKind::UnreadableGame { number, .. }
        | WarningKind::WalledIn(number) => Some(*number),
        _ => None,
    }
}

/// What messages call a file.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { units::printable(&path.to_string_lossy()) }
}

/// A level's title, safe for a terminal; empty if it has none.
pub fn title(level: &Level) -> String {
    units::printable(level.title.as_deref().unwrap_or_default())
}

/// Reads a whole file, or standard input for `-`.
///
/// # Errors
/// A sentence that names the file.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    bytes_to_end(path, false)
}

/// As [`bytes`]; standard input may end at [`END_MARK`], and stays open behind it.
fn bytes_to_end(path: &Path, ends_at_mark: bool) -> Result<Vec<u8>, Failure> {
    let fail = |reason: String| Failure::usage(format!("{}: {reason}", name(path)));
    let read = match (path == Path::new("-"), ends_at_mark) {
        (true, true) => read_to_mark(io::stdin().lock()),
        (true, false) => read_all(io::stdin().lock()),
        (false, _) => read_file(path),
    };
    let bytes = read.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => fail("there is no such file".into()),
        io::ErrorKind::PermissionDenied => fail("you may not read this file".into()),
        io::ErrorKind::IsADirectory => fail("this is a folder; name one of the level files in it".into()),
        _ => fail(format!("the file could not be read: {error}")),
    })?;
    if bytes.len() > LARGEST {
        return Err(fail(format!("there is more than {} in it; split it into several files", units::size(LARGEST))));
    }
    Ok(bytes)
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    read_all(File::open(path)?)
}

fn read_all(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_to_mark(source: impl BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST as u64 + 1).read_until(END_MARK, &mut bytes)?;
    bytes.pop_if(|last| *last == END_MARK);
    Ok(bytes)
}

/// The solutions of a file for these levels, or those that the levels came with.
pub fn solutions(path: Option<&Path>, levels: &[Level], ends_at_mark: bool) -> Result<Solutions, Failure> {
    let Some(path) = path else { return Ok(Solutions::saved_with(levels)) };
    Solutions::read(&bytes_to_end(path, ends_at_mark)?, levels)
        .map_err(|error| Failure::usage(format!("{}: {error}", name(path))))
}
