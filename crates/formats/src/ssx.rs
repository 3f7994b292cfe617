//! The XML of SokoSolve (`.ssx`): puzzles with one map or more, one `<Row>` per row, and solutions.
//!
//! The squares are `# . P * X $ O`: wall, floor, player, player on goal, box, box on goal, goal; `~` is outside. Each map
//! is a level. The case of solutions says nothing: SokoSolve writes them in lower case.

use crate::draft::Draft;
use crate::game::{self, Replay};
use crate::limits::{Budget, MAX_GAMES};
use crate::text::Text;
use crate::xml::{self, Elements, attribute, escaped, one_line};
use crate::{Collection, Findings, ReadError, WarningKind};
use lurd_level::{Cell, Place, SavedGame};
use quick_xml::events::BytesStart;

/// The element that encloses a file of SokoSolve.
const ROOT: &str = "<SokobanLibrary";

/// Whether a text that begins like XML is a library of SokoSolve.
pub(super) fn recognises(start: &str) -> bool {
    const HEAD: usize = 4096;
    let end = (0..=HEAD.min(start.len())).rev().find(|&end| start.is_char_boundary(end)).unwrap_or(0);
    start[..end].contains(ROOT)
}

fn cell(c: char) -> Option<Cell> {
    Some(match c {
        '#' => Cell::Wall,
        '.' | '~' | ' ' => Cell::Floor,
        'P' => Cell::Player,
        '*' => Cell::PlayerOnGoal,
        'X' => Cell::Box,
        '$' => Cell::BoxOnGoal,
        'O' => Cell::Goal,
        _ => return None,
    })
}

pub(super) fn read(text: &Text, budget: &mut Budget) -> Result<Findings, ReadError> {
    let mut file = File::default();
    xml::walk(text, budget, &mut file)?;
    Ok(file.findings)
}

/// The state of the reader.
#[derive(Default)]
struct File {
    findings: Findings,
    /// The elements that are open, the outermost first.
    path: Vec<Element>,
    puzzle: Puzzle,
    map: Option<OpenMap>,
    /// The text of the current element and its place.
    words: (String, Place),
}

/// The current puzzle.
#[derive(Default)]
struct Puzzle {
    title: Option<String>,
    author: Option<String>,
    notes: Vec<String>,
    /// How many of its maps were read.
    maps: usize,
}

/// The elements that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Details,
    Puzzle,
    Map,
    Row,
    Solution,
    Steps,
    Name,
    Description,
    Comments,
    Other,
}

impl Element {
    fn of(name: &[u8]) -> Self {
        match name {
            b"Details" => Self::Details,
            b"Puzzle" => Self::Puzzle,
            b"Map" => Self::Map,
            b"Row" => Self::Row,
            b"Solution" => Self::Solution,
            b"Steps" => Self::Steps,
            b"Name" => Self::Name,
            b"Description" => Self::Description,
            b"Comments" => Self::Comments,
            _ => Self::Other,
        }
    }
}

/// A map that is not closed yet.
struct OpenMap {
    draft: Draft,
    place: Place,
    solutions: Vec<OpenSolution>,
}

/// A solution as it is written.
struct OpenSolution {
    title: String,
    moves: String,
    notes: Vec<String>,
    place: Place,
}

impl Elements for File {
    fn open(&mut self, tag: &BytesStart<'_>, place: Place) {
        let element = Element::of(tag.local_name().as_ref());
        match element {
            Element::Puzzle => self.puzzle = Puzzle::default(),
            Element::Solution => {
                if let Some(map) = self.map.as_mut().filter(|map| map.solutions.len() < MAX_GAMES) {
                    let (title, moves) = ("Solution".into(), String::new());
                    map.solutions.push(OpenSolution { title, moves, notes: Vec::new(), place });
                }
            }
            Element::Map => self.map = Some(OpenMap { draft: Draft::default(), place, solutions: Vec::new() }),
            Element::Other if tag.local_name().as_ref() == b"Author" => match self.owner() {
                Owner::Library => self.findings.author = attribute(tag, b"Name"),
                Owner::Puzzle => self.puzzle.author = attribute(tag, b"Name"),
                Owner::Solution | Owner::Nobody => {}
            },
            _ => {}
        }
        self.path.push(element);
        self.words = (String::new(), place);
    }

    fn words(&mut self, words: &str) {
        if self.path.last().is_some_and(|&element| element != Element::Other) {
            self.words.0.push_str(words);
        }
    }

    fn close(&mut self, _: &[u8], budget: &mut Budget) -> Result<(), ReadError> {
        let Some(element) = self.path.pop() else { return Ok(()) };
        let (words, place) = std::mem::take(&mut self.words);
        match element {
            Element::Row => {
                if let Some(map) = &mut self.map {
                    map.draft.text_row(place, &words, cell);
                }
            }
            Element::Steps => {
                if let Some(solution) = self.solution() {
                    (solution.moves, solution.place) = (words, place);
                }
            }
            Element::Name => match (self.owner(), one_line(&words)) {
                (Owner::Library, title) => self.findings.title = title,
                (Owner::Puzzle, title) => self.puzzle.title = title,
                (Owner::Solution, Some(title)) => {
                    if let Some(solution) = self.solution() {
                        solution.title = title;
                    }
                }
                _ => {}
            },
            Element::Description | Element::Comments => {
                let lines = words.lines().map(str::trim).filter(|line| !line.is_empty());
                let lines = lines.take_while(|_| budget.note()).map(str::to_owned).collect::<Vec<_>>();
                match self.owner() {
                    Owner::Library => self.findings.notes.extend(lines),
                    Owner::Puzzle => self.puzzle.notes.extend(lines),
                    Owner::Solution => {
                        if let Some(solution) = self.solution() {
                            solution.notes.extend(lines);
                        }
                    }
                    Owner::Nobody => {}
                }
            }
            Element::Map => {
                if let Some(map) = self.map.take() {
                    self.end_map(map, budget)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// What a name or a description is about.
enum Owner {
    Library,
    Puzzle,
    Solution,
    Nobody,
}

impl File {
    /// What the current element is about.
    fn owner(&self) -> Owner {
        let owner = self.path.iter().rev().find_map(|element| match element {
            Element::Details => Some(Owner::Library),
            Element::Puzzle => Some(Owner::Puzzle),
            Element::Solution => Some(Owner::Solution),
            _ => None,
        });
        owner.unwrap_or(Owner::Nobody)
    }

    /// The solution that is open.
    fn solution(&mut self) -> Option<&mut OpenSolution> {
        let is_open = self.path.contains(&Element::Solution);
        self.map.as_mut().filter(|_| is_open)?.solutions.last_mut()
    }

    fn end_map(&mut self, map: OpenMap, budget: &mut Budget) -> Result<(), ReadError> {
        let empty = map.draft.is_empty();
        let mut found = self.findings.found(map.draft.finish(budget)?);
        if empty {
            found.level.place = map.place;
            found.defect = found.defect.map(|(_, kind)| (map.place, kind));
        }
        let puzzle = &mut self.puzzle;
        puzzle.maps += 1;
        found.level.title = puzzle.title.as_ref().map(|title| match puzzle.maps {
            1 => title.clone(),
            number => format!("{title} ({number})"),
        });
        (found.level.author, found.level.notes) = (puzzle.author.clone(), puzzle.notes.clone());
        let number = self.findings.found.len() + 1;
        for OpenSolution { title, moves, notes, place } in map.solutions {
            if found.defect.is_some() {
                break;
            }
            match game::replay(&found.level.map, &moves, budget) {
                Replay::Legal(game) => {
                    found.level.games.push(SavedGame { title, notes, ..game });
                }
                Replay::Illegal(fault) => {
                    self.findings.warn(place, WarningKind::IllegalGame { number, fault });
                    found.level.notes.push(moves);
                }
                Replay::Unreadable(kind) => {
                    self.findings.warn(place, WarningKind::UnreadableGame { number, kind });
                    found.level.notes.push(moves);
                }
                Replay::OverBudget => {
                    self.findings.warn(place, WarningKind::GamesDropped);
                    break;
                }
            }
        }
        self.findings.found.push(found);
        Ok(())
    }
}

/// Writes the XML, in UTF-8.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{ROOT} LibraryID=\"lurd\" MaxID=\"");
    out.push_str(&format!("{}\">\n  <Details>\n", 2 * collection.levels.len()));
    out.push_str(&format!("    <Name>{}</Name>\n", escaped(collection.title.as_deref().unwrap_or("Levels"))));
    out.push_str(&format!("    <Description>{}</Description>\n", lines(&collection.notes)));
    if let Some(author) = &collection.author {
        out.push_str(&format!("    <Author Name=\"{}\" />\n", escaped(author)));
    }
    out.push_str("  </Details>\n  <Puzzles>\n");
    for (index, level) in collection.levels.iter().enumerate() {
        let number = index + 1;
        let name = level.title.clone().unwrap_or_else(|| level.number.to_string());
        out.push_str(&format!("    <Puzzle PuzzleID=\"P{number}\" Order=\"{number}\">\n"));
        out.push_str(&format!("      <PuzzleDescription>\n        <Name>{}</Name>\n", escaped(&name)));
        out.push_str(&format!("        <Description>{}</Description>\n", lines(&level.notes)));
        if let Some(author) = &level.author {
            out.push_str(&format!("        <Author Name=\"{}\" />\n", escaped(author)));
        }
        out.push_str("      </PuzzleDescription>\n");
        out.push_str(&format!("      <Maps>\n        <Map MapID=\"M{number}\">\n"));
        for row in 0..level.map.height() {
            let squares: String = (0..level.map.width()).map(|column| letter(level.map.get(row, column))).collect();
            out.push_str(&format!("          <Row>{squares}</Row>\n"));
        }
        out.push_str("          <Solutions>\n");
        for game in &level.games {
            let (title, notes) = (escaped(&game.title), lines(&game.notes));
            let about = format!("<Name>{title}</Name><Description>{notes}</Description>");
            out.push_str(&format!("            <Solution>\n              <Steps>{}</Steps>\n", game.moves));
            out.push_str(&format!("              <SolutionDescription>{about}</SolutionDescription>\n"));
            out.push_str("            </Solution>\n");
        }
        out.push_str("          </Solutions>\n        </Map>\n      </Maps>\n    </Puzzle>\n");
    }
    out.push_str("  </Puzzles>\n</SokobanLibrary>\n");
    out
}

/// Notes, one a line.
fn lines(notes: &[String]) -> String {
    notes.iter().map(|note| escaped(note)).collect::<Vec<_>>().join("\n")
}

fn letter(cell: Cell) -> char {
    match cell {
        Cell::Wall => '#',
        Cell::Floor => '.',
        Cell::Player => 'P',
        Cell::PlayerOnGoal => '*',
        Cell::Box => 'X',
        Cell::BoxOnGoal => '$',
        Cell::Goal => 'O',
    }
}
