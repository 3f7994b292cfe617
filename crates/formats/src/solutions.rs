//! Where solutions come from: lines of moves, JSON lines, level files, the course tool's file.

use crate::{ReadError, read, text};
use lurd_level::lurd::{LurdError, decode};
use lurd_level::{Level, SavedGame};
use std::collections::{BTreeMap, HashMap};

/// Why a file gives no solutions for a set of levels. Lines count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields of every variant are named in its sentence")]
pub enum SolutionsError {
    /// A line that should hold a JSON object.
    #[error("line {line}: this is no JSON object: {error}")]
    Json { line: usize, error: serde_json::Error },
    /// A JSON object without the number of its level.
    #[error("line {line}: the object has no number in its field `level`")]
    NoLevel { line: usize },
    /// A level that does not exist.
    #[error("{}there is no level {number}: the last one is {last}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    UnknownLevel { line: Option<usize>, number: usize, last: usize },
    /// A solved level whose board is none of the levels.
    #[error("its level {0} has a solution, but no level asked for has such a board")]
    UnknownBoard(usize),
    /// A file that is no text, or a level file that cannot be read.
    #[error(transparent)]
    Levels(#[from] ReadError),
}

/// Solutions by level number. One that cannot even be read as moves is kept with the reason:
/// it is a wrong answer to its level, and the others are still judged.
#[derive(Debug, Default)]
pub struct Solutions(BTreeMap<usize, Vec<Result<String, LurdError>>>);

impl Solutions {
    /// The games that came with the levels.
    pub fn saved_with(levels: &[Level]) -> Self {
        let mut solutions = Self::default();
        for level in levels {
            for game in answers(level) {
                solutions.add(level.number, Ok(game.moves.clone()));
            }
        }
        solutions
    }

    /// Reads a file of solutions for these levels; its kind is recognised by its content.
    ///
    /// # Errors
    /// When the file breaks the syntax of its kind or names a level that does not exist.
    ///
    /// ```
    /// use lurd_formats::Solutions;
    /// let levels = lurd_formats::read(b"#####\n#@$.#\n#####", None)?.levels;
    /// let solutions = Solutions::read(b"R", &levels)?;
    /// assert_eq!(solutions.of(1), [Ok("R".to_owned())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(bytes: &[u8], levels: &[Level]) -> Result<Self, SolutionsError> {
        let text = text::decode(bytes)?;
        let text = text.as_str();
        let last = levels.last().map_or(0, |level| level.number);
        if text.trim_start().starts_with('{') {
            return Self::from_json(text, last);
        }
        if text.trim_start().starts_with("SOLUTION:") {
            return Ok(Self::from_course_tool(text));
        }
        // A board has walls; lines of moves have none.
        if text.contains('#') {
            return Self::from_levels(&read(bytes, None)?.levels, levels);
        }
        Self::from_lines(text, last)
    }

    /// The file of moves that [`read`](Self::read) reads: a line for each level, if each of the levels 1 to `last` has one
    /// solution with a move; else each line begins with the number of its level, as in `3: rrUU`.
    ///
    /// ```
    /// # use lurd_formats::Solutions;
    /// let levels = lurd_formats::read(b"#####\n#@$.#\n#####\n\n######\n#@$ .#\n######\n", None)?.levels;
    /// assert_eq!(Solutions::read(b"R\nRR", &levels)?.to_text(2), "R\nRR\n");
    /// assert_eq!(Solutions::read(b"2: RR", &levels)?.to_text(2), "2: RR\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self, last: usize) -> String {
        let one_each = (1..=last).all(|number| matches!(self.of(number), [Ok(moves)] if !moves.is_empty()));
        let mut text = String::new();
        for (number, answers) in &self.0 {
            for moves in answers.iter().flatten() {
                text.push_str(&if one_each { format!("{moves}\n") } else { format!("{number}: {moves}\n") });
            }
        }
        text
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The solutions of a level.
    pub fn of(&self, number: usize) -> &[Result<String, LurdError>] {
        self.0.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Adds a solution of a level.
    pub fn insert(&mut self, number: usize, moves: String) {
        self.add(number, Ok(moves));
    }

    fn add(&mut self, number: usize, moves: Result<String, LurdError>) {
        self.0.entry(number).or_default().push(moves);
    }

    /// `solve --json`: each object names its level. Levels it did not solve have no solution.
    fn from_json(text: &str, levels: usize) -> Result<Self, SolutionsError> {
        let mut solutions = Self::default();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let object: serde_json::Value =
                serde_json::from_str(text).map_err(|error| SolutionsError::Json { line, error })?;
            let number = object["level"]
                .as_u64()
                .and_then(|number| usize::try_from(number).ok())
                .ok_or(SolutionsError::NoLevel { line })?;
            if number == 0 || number > levels {
                return Err(SolutionsError::UnknownLevel { line: Some(line), number, last: levels });
            }
            if let Some(moves) = object["solution"].as_str() {
                solutions.add(number, decoded(moves));
            }
        }
        Ok(solutions)
    }

    /// `SOLUTION:`, the moves, `STATS:` and figures: the answer to level 1.
    fn from_course_tool(text: &str) -> Self {
        let moves: String = text
            .lines()
            .skip_while(|line| line.trim() != "SOLUTION:")
            .skip(1)
            .take_while(|line| line.trim() != "STATS:")
            .collect();
        let mut solutions = Self::default();
        solutions.add(1, decoded(&moves));
        solutions
    }

    /// Levels with solutions: each belongs to the level with the same board, outer walls and
    /// decoration aside.
    fn from_levels(solved: &[Level], levels: &[Level]) -> Result<Self, SolutionsError> {
        let mut numbers = HashMap::<_, Vec<usize>>::new();
        for level in levels {
            numbers.entry(level.map.normalized()).or_default().push(level.number);
        }
        let mut solutions = Self::default();
        for level in solved.iter().filter(|level| answers(level).next().is_some()) {
            let own = level.number;
            let same = numbers.get(&level.map.normalized()).ok_or(SolutionsError::UnknownBoard(own))?;
            // A board that stands twice in the levels takes the solutions at its own place first.
            let number = if same.contains(&own) { own } else { same[0] };
            for game in answers(level) {
                solutions.add(number, Ok(game.moves.clone()));
            }
        }
        Ok(solutions)
    }

    /// A line of moves for each level; for a single level the lines are one long solution. Where lines such as
    /// `Level 3` or `3: rrUU` name the levels, the moves belong to those.
    fn from_lines(text: &str, levels: usize) -> Result<Self, SolutionsError> {
        let mut solutions = Self::default();
        if text.lines().any(|line| heading(line).is_some()) {
            let mut numbered: Vec<(usize, String)> = Vec::new();
            for line in text.lines() {
                match (heading(line), numbered.last_mut()) {
                    (Some((number, moves)), _) => numbered.push((number, format!("{moves}\n"))),
                    (None, Some((_, moves))) => moves.push_str(&format!("{line}\n")),
                    // What stands above the first heading belongs to no level.
                    (None, None) => {}
                }
            }
            for (number, moves) in numbered {
                if number == 0 || number > levels {
                    return Err(SolutionsError::UnknownLevel { line: None, number, last: levels });
                }
                solutions.add(number, decoded(&moves));
            }
        } else if levels == 1 {
            solutions.add(1, decoded(text));
        } else {
            for (number, line) in (1..).zip(text.lines().filter(|line| !line.trim().is_empty())) {
                solutions.add(number, decoded(line));
            }
        }
        Ok(solutions)
    }
}

/// The level a line names, and the moves that stand on the line too: `Level 3`, `Solution 3`, `; 3`, `3:`, `3: rrUU`. A
/// bare count such as `3r` is moves.
fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let words = ["level", "puzzle", "solution", "screen", "maze", ";"];
    let named = words.iter().find_map(|word| {
        line.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word)).map(|start| &line[start.len()..])
    });
    let rest = named.unwrap_or(line).trim_start_matches([' ', '.', '#', ':']);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let after = rest[digits..].trim_start();
    match after.strip_prefix([':', '.', ')', ',']) {
        Some(moves) => Some((number, moves.trim())),
        None if named.is_some() && after.is_empty() => Some((number, "")),
        None => None,
    }
}

/// The games of a level that solve it or claim to; a game saved half-way is no answer.
fn answers(level: &Level) -> impl Iterator<Item = &SavedGame> {
    let claims = |game: &SavedGame| game.title.to_ascii_lowercase().starts_with("solution");
    level.games.iter().filter(move |game| game.solves || claims(game))
}

fn decoded(moves: &str) -> Result<String, LurdError> {
    decode(moves).map(|moves| moves.letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;
    use lurd_level::Map;

    #[test]
    fn json_lines_name_their_level() {
        let text = "{\"level\":2,\"solution\":\"rR\"}\n\n{\"level\":1,\"solution\":null}\n";
        let solutions = Solutions::from_json(text, 2).unwrap();
        assert!(solutions.of(1).is_empty());
        assert_eq!(solutions.of(2), [Ok("rR".to_owned())]);
        assert!(Solutions::from_json("{\"level\":3,\"solution\":\"r\"}", 2).is_err());
        assert!(Solutions::from_json("{\"solution\":\"r\"}", 2).is_err());
        assert!(Solutions::from_json("{oops", 2).is_err());
    }

    #[test]
    fn lines_belong_to_levels_in_order() {
        let solutions = Solutions::from_lines("rR\n\n2u\nx\n", 3).unwrap();
        assert_eq!(solutions.of(1), [Ok("rR".to_owned())]);
        assert_eq!(solutions.of(2), [Ok("uu".to_owned())]);
        assert!(solutions.of(3)[0].is_err());
        assert_eq!(Solutions::from_lines("rR\nuU\n", 1).unwrap().of(1), [Ok("rRuU".to_owned())]);
    }

    /// As levels are: with a byte order mark, in UTF-16 with or without one, with line ends of any kind.
    #[test]
    fn moves_are_read_in_every_encoding_of_level_files() {
        let level = |number| Level { number, ..Level::new(Map::from_xsb("#####\n#@$.#\n#####").unwrap()) };
        let levels = [level(1), level(2)];
        let wide = |text: &str, order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        for text in [
            "rR\nuU\n",
            "Level 1\nrR\nLevel 2\nuU\n",
            "{\"level\":1,\"solution\":\"rR\"}\n{\"level\":2,\"solution\":\"uU\"}\n",
        ] {
            for text in [text.to_owned(), text.replace('\n', "\r\n"), text.replace('\n', "\r")] {
                let marked = format!("\u{feff}{text}");
                let files = [
                    text.clone().into_bytes(),
                    marked.clone().into_bytes(),
                    wide(&marked, u16::to_le_bytes),
                    wide(&marked, u16::to_be_bytes),
                    wide(&text, u16::to_le_bytes),
                    wide(&text, u16::to_be_bytes),
                ];
                for (number, file) in files.iter().enumerate() {
                    let solutions = Solutions::read(file, &levels).unwrap();
                    let moves = |level| solutions.of(level).to_vec();
                    let expected = (vec![Ok("rR".to_owned())], vec![Ok("uU".to_owned())]);
                    assert_eq!((moves(1), moves(2)), expected, "encoding {number} of {text:?}");
                }
            }
        }
        assert!(matches!(Solutions::read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &levels), Err(SolutionsError::Levels(_))));
    }

    #[test]
    fn headings_name_the_level_of_the_moves_below() {
        let under = "; 2\n rRd\nLu\n\nLevel 1:\n3r2U\n";
        let beside = "2: rRdLu\n1: 3r2U";
        for text in [under, beside] {
            let solutions = Solutions::from_lines(text, 2).unwrap();
            assert_eq!(solutions.of(1), [Ok("rrrUU".to_owned())], "{text}");
            assert_eq!(solutions.of(2), [Ok("rRdLu".to_owned())], "{text}");
        }
        assert!(Solutions::from_lines("Level 3\nrR", 2).is_err());
        for moves in ["3r2U", "12(ul)", "u d l r", "", "rrr."] {
            assert_eq!(heading(moves), None, "{moves}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let cases: [(&[(usize, &str)], usize); 5] = [
            (&[(1, "rR"), (2, "uU")], 2),
            (&[(2, "uU")], 3),
            (&[(1, "rR"), (1, "rlrR"), (2, "uU")], 2),
            (&[(1, "rR")], 1),
            (&[(1, ""), (3, "dD")], 3),
        ];
        for (answers, last) in cases {
            let mut solutions = Solutions::default();
            answers.iter().for_each(|&(number, moves)| solutions.insert(number, moves.into()));
            let text = solutions.to_text(last);
            let again = Solutions::from_lines(&text, last).unwrap();
            assert_eq!(format!("{again:?}"), format!("{solutions:?}"), "{text}");
        }
    }

    #[test]
    fn the_course_tools_file_is_read() {
        let solutions = Solutions::from_course_tool("SOLUTION:\nrRd\nSTATS:\nExpanded nodes: 3\n");
        assert_eq!(solutions.of(1), [Ok("rRd".to_owned())]);
    }

    #[test]
    fn solved_levels_find_their_board() {
        let level = |text| Level::new(Map::from_xsb(text).unwrap());
        let levels = Collection::new(vec![level("#####\n#@$.#\n#####"), level("######\n#@$ .#\n######")]).levels;
        let game = SavedGame { moves: "RR".into(), solves: true, ..SavedGame::default() };
        let solved = Level { games: vec![game], ..levels[1].clone() };
        let solutions = Solutions::from_levels(std::slice::from_ref(&solved), &levels).unwrap();
        assert_eq!(solutions.of(2), [Ok("RR".to_owned())]);
        assert!(Solutions::from_levels(&[solved], &levels[..1]).is_err());
    }
}
