//! Levels and solutions into a file or to standard output.

use crate::exit::{Failure, complain};
use crate::input::{self, Source};
use crate::{replace, units};
use lurd::formats::{self, Collection, FEWEST_PUSHES, Format, Solutions};
use lurd::{Level, SavedGame, Solution};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where results go, and in which form: settled before any work is done.
#[derive(Clone, Debug)]
pub struct Target {
    path: PathBuf,
    form: Form,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Levels, with their solutions where the format has a place for them.
    Levels(Format),
    /// Solutions alone: a line of moves for each level.
    Moves,
}

/// A new solution of a level.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The moves.
    pub solution: Solution,
    /// Whether it is proved that none has fewer pushes.
    pub fewest_pushes: bool,
}

/// New solutions by level number.
pub type Answers = BTreeMap<usize, Answer>;

/// How much a file that is written matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It will be written again when more is found.
    Interim,
    /// This is the last time: it goes to the disk, and what a reader should know is said.
    Final,
}

impl Target {
    /// A target in the given form.
    pub fn new(path: &Path, form: Form) -> Self {
        Self { path: path.to_owned(), form }
    }

    /// The target of `-o FILE`, in the form its ending names.
    ///
    /// # Errors
    /// A sentence, when the ending names none, or the file is standard output, where the results are printed already.
    pub fn by_ending(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Err(Failure::usage(
                "standard output has the results already; name a file to write the levels to, such as solved.sok",
            ));
        }
        let form = form_by_ending(path).ok_or_else(|| {
            Failure::usage(format!("{}: its ending names no format; let the file end in {ENDINGS}", input::name(path)))
        })?;
        Ok(Self::new(path, form))
    }

    /// Finds out whether the chosen levels can be written here, before any work is done.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn check(&self, collection: &Collection, chosen: &[&Level], source: &Source) -> Result<(), Failure> {
        self.bytes(&self.levels(collection, chosen, source, &Answers::new()), source)?;
        replace::check(&self.path)
    }

    /// Whether this is the very file the levels came from.
    fn is(&self, source: &Source) -> bool {
        let same = |path: &PathBuf| {
            fs::canonicalize(path).is_ok_and(|path| fs::canonicalize(&self.path).is_ok_and(|own| own == path))
        };
        source.file.as_ref().is_some_and(same)
    }

    /// Refuses to write some of the levels of a file over it.
    ///
    /// # Errors
    /// A sentence, when the target is the source.
    pub fn refuse_part_of(&self, source: &Source) -> Result<(), Failure> {
        if self.is(source) {
            let name = source.name();
            return Err(Failure::usage(format!(
                "{name}: writing some levels over this file would lose the others; write to another file"
            )));
        }
        Ok(())
    }

    /// Writes levels that came from `source` with their new solutions.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_solved(
        &self,
        collection: &Collection,
        chosen: &[&Level],
        source: &Source,
        answers: &Answers,
        stage: Stage,
    ) -> Result<(), Failure> {
        if self.form == Form::Moves {
            let mut solutions = Solutions::default();
            for (&number, answer) in answers {
                solutions.insert(number, answer.solution.lurd.clone());
            }
            return self.put(&self.path, solutions.to_text(last_number(collection)).as_bytes(), stage);
        }
        self.write(&self.levels(collection, chosen, source, answers), source, stage)
    }

    /// The levels to write: over the source goes every level, so that none is lost, elsewhere those that were chosen.
    fn levels(&self, collection: &Collection, chosen: &[&Level], source: &Source, answers: &Answers) -> Collection {
        let written = if self.is(source) { collection.levels.iter().collect() } else { chosen.to_vec() };
        let states_figures = self.form == Form::Levels(Format::SokoBot);
        let levels = written.into_iter().map(|level| with_answer(level, answers.get(&level.number), states_figures));
        Collection { levels: levels.collect(), ..collection.clone() }
    }

    /// Writes the levels that came from `source`. Solutions that the format has no place for go into a file beside it,
    /// or a sentence says that they are lost.
    ///
    /// # Errors
    /// A sentence, where the format cannot hold them, the file not be written, or broken levels
    /// of the source would be lost by writing over it.
    pub fn write(&self, collection: &Collection, source: &Source, stage: Stage) -> Result<(), Failure> {
        let bytes = self.bytes(collection, source)?;
        self.put(&self.path, &bytes, stage)?;
        match self.form {
            Form::Levels(format) if !format.holds_games() => self.write_beside(format, collection, stage),
            _ => Ok(()),
        }
    }

    fn bytes(&self, collection: &Collection, source: &Source) -> Result<Vec<u8>, Failure> {
        let format = match self.form {
            Form::Levels(format) => format,
            Form::Moves => {
                let solutions = Solutions::saved_with(&collection.levels);
                return Ok(solutions.to_text(last_number(collection)).into_bytes());
            }
        };
        if !collection.defects.is_empty() && self.is(source) {
            return Err(Failure::usage(format!(
                "{}: writing over this file would lose its broken levels; write to another file",
                source.name()
            )));
        }
        formats::write(collection, format)
            .map_err(|error| Failure::usage(format!("{}: {error}", input::name(&self.path))))
    }

    /// Writes the solutions that the format has no place for into a file of moves beside it.
    fn write_beside(&self, format: Format, collection: &Collection, stage: Stage) -> Result<(), Failure> {
        // In the new file the levels count from 1.
        let numbered = Collection::new(collection.levels.clone());
        let solutions = Solutions::saved_with(&numbered.levels);
        let games: usize = numbered.levels.iter().map(|level| level.games.len()).sum();
        if games == 0 {
            return Ok(());
        }
        let printed = self.path == Path::new("-");
        let mut beside = self.path.clone().into_os_string();
        beside.push(".lurd");
        let beside = PathBuf::from(beside);
        if !printed && !solutions.is_empty() {
            self.put(&beside, solutions.to_text(numbered.levels.len()).as_bytes(), stage)?;
        }
        if stage == Stage::Interim {
            return Ok(());
        }
        let name = input::name(&self.path);
        let lost = if printed { games } else { games - solutions.len() };
        if lost < games {
            let number = units::plural(solutions.len(), "solution is", "solutions are");
            let beside = input::name(&beside);
            complain(&format!("{name}: the format {format} has no place for solutions; {number} in {beside}"));
        }
        if lost > 0 {
            let number = units::plural(lost, "solution or saved game was", "solutions and saved games were");
            complain(&format!(
                "{name}: the format {format} has no place for them, so {number} left out; write {KEEPING} to keep them"
            ));
        }
        Ok(())
    }

    fn put(&self, path: &Path, bytes: &[u8], stage: Stage) -> Result<(), Failure> {
        if path == Path::new("-") {
            let mut out = io::stdout().lock();
            out.write_all(bytes)?;
            out.flush()?;
            return Ok(());
        }
        match stage {
            Stage::Interim => replace::write_for_now(path, bytes),
            Stage::Final => replace::write(path, bytes),
        }
    }
}

/// The number of the last level of a file, broken ones included.
fn last_number(collection: &Collection) -> usize {
    let sound = collection.levels.iter().map(|level| level.number);
    sound.chain(collection.defects.iter().map(|defect| defect.number)).max().unwrap_or(0)
}

/// A level with its new solution before the games it came with. A file that states figures states a proved one.
fn with_answer(level: &Level, answer: Option<&Answer>, states_figures: bool) -> Level {
    let mut level = level.clone();
    let Some(Answer { solution, fewest_pushes }) = answer else { return level };
    let game = SavedGame {
        title: "Solution".into(),
        moves: solution.lurd.clone(),
        notes: vec![units::lengths(solution.pushes, solution.moves)],
        mark: None,
        solves: true,
    };
    level.games.retain(|old| old.moves != game.moves);
    level.games.insert(0, game);
    if states_figures && *fewest_pushes {
        level.notes.insert(0, format!("{}: {}", FEWEST_PUSHES[0], solution.pushes));
    }
    level
}

/// One JSON object on a line of its own.
pub fn json_line(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(object)?)?;
    out.flush()
}

/// The endings that name a form.
pub const ENDINGS: &str = ".sok, .xsb, .txt, .rle, .slc, .xml, .ssx, .json or .lurd";

/// The formats that have a place for solutions and saved games.
const KEEPING: &str = "xsb, rle, sok, digits, mf8 or ssx";

/// The form a file's ending names.
pub fn form_by_ending(path: &Path) -> Option<Form> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "xsb" | "txt" => Some(Form::Levels(Format::Xsb)),
        "sok" => Some(Form::Levels(Format::Sok)),
        "slc" | "xml" => Some(Form::Levels(Format::Slc)),
        "ssx" => Some(Form::Levels(Format::Ssx)),
        "rle" => Some(Form::Levels(Format::Rle)),
        "json" => Some(Form::Levels(Format::SokoBot)),
        "lurd" => Some(Form::Moves),
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
            assert!(form_by_ending(&path).is_some(), "{format}");
        }
        assert_eq!(form_by_ending(Path::new("a.b/c.SOK")), Some(Form::Levels(Format::Sok)));
        assert_eq!(form_by_ending(Path::new("c.lurd")), Some(Form::Moves));
        assert_eq!(form_by_ending(Path::new("a.sok/c")), None);
        assert_eq!(form_by_ending(Path::new("-")), None);
    }

    #[test]
    fn the_sentences_name_the_endings_and_formats_there_are() {
        for ending in ENDINGS.split([',', ' ']).filter(|word| word.starts_with('.')) {
            assert!(form_by_ending(Path::new(&format!("a{ending}"))).is_some(), "{ending}");
        }
        let keeping: Vec<&str> =
            Format::ALL.iter().filter(|format| format.holds_games()).map(|format| format.name()).collect();
        let named: Vec<&str> = KEEPING.split([',', ' ']).filter(|word| !word.is_empty() && *word != "or").collect();
        assert_eq!(named, keeping);
    }
}
