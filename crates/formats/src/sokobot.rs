//! The JSON of SokoBOT: one level per file, a matrix of letters under `content`.
//!
//! The letters are `W E S B G`. SokoBOT has no letter for a box or the player on a goal; `BG` and `SG` (or `GB` and
//! `GS`) are an extension of lurd.

use crate::draft::Draft;
use crate::limits::{Budget, MAX_SIDE};
use crate::text::Text;
use crate::{Collection, DefectKind, Findings, Format, ReadError, WriteError};
use lurd_level::{Cell, Place};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;

/// The notes that state the moves of the best solution: as this format calls them, and as other files do.
pub const BEST_MOVES: [&str; 2] = ["bestSolution", "Moves"];

/// The notes that state the fewest pushes.
pub const FEWEST_PUSHES: [&str; 2] = ["minPushes", "Pushes"];

/// Whether a text begins like a JSON object.
pub(super) fn recognises(start: &str) -> bool {
    start.starts_with('{')
}

#[derive(serde::Deserialize)]
struct File {
    content: List<List<Name>>,
    #[serde(rename = "bestSolution")]
    best_solution: Option<serde_json::Number>,
    #[serde(rename = "minPushes")]
    min_pushes: Option<serde_json::Number>,
}

/// A list of at most [`MAX_SIDE`] items; more are an error.
struct List<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = List<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a matrix of letters")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T>, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    if list.len() == MAX_SIDE {
                        return Err(A::Error::custom(format!("more than {MAX_SIDE} rows or columns")));
                    }
                    list.push(item);
                }
                Ok(List(list))
            }
        }
        deserializer.deserialize_seq(Items(std::marker::PhantomData))
    }
}

/// The cell of a name, or the unknown name.
struct Name(Result<Cell, String>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Word;
        impl Visitor<'_> for Word {
            type Value = Name;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a letter in quotes")
            }
            fn visit_str<E: Error>(self, word: &str) -> Result<Name, E> {
                Ok(Name(match word {
                    "W" => Ok(Cell::Wall),
                    "E" => Ok(Cell::Floor),
                    "S" => Ok(Cell::Player),
                    "B" => Ok(Cell::Box),
                    "G" => Ok(Cell::Goal),
                    "BG" | "GB" => Ok(Cell::BoxOnGoal),
                    "SG" | "GS" => Ok(Cell::PlayerOnGoal),
                    other => Err(other.chars().take(20).collect()),
                }))
            }
        }
        deserializer.deserialize_str(Word)
    }
}

pub(super) fn read(text: &Text, budget: &mut Budget) -> Result<Findings, ReadError> {
    let file: File = serde_json::from_str(text.as_str()).map_err(|error| ReadError::Json {
        place: Place { line: error.line().max(1), column: error.column().max(1) },
        // Without the place, which is given above.
        what: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
    })?;
    let mut places = cell_places(text).into_iter();
    let mut draft = Draft::default();
    for List(names) in file.content.0 {
        let mut row = Vec::with_capacity(names.len());
        let mut line = 1;
        for Name(name) in names {
            let place = places.next().unwrap_or(Place { line: 1, column: 1 });
            let cell = name.unwrap_or_else(|word| {
                draft.fault(place, DefectKind::CellName(word));
                Cell::Floor
            });
            line = place.line;
            row.push((cell, place));
        }
        draft.row(line, row);
    }
    let mut findings = Findings::default();
    let mut found = findings.found(draft.finish(budget)?);
    found.level.notes.extend(file.best_solution.map(|number| format!("{}: {number}", BEST_MOVES[0])));
    found.level.notes.extend(file.min_pushes.map(|number| format!("{}: {number}", FEWEST_PUSHES[0])));
    findings.found.push(found);
    Ok(findings)
}

/// The places of the strings of `content`, in order, in a text that is known to be valid JSON.
fn cell_places(text: &Text) -> Vec<Place> {
    let (source, mut cursor) = (text.as_str(), text.cursor());
    let mut places = Vec::new();
    let (mut depth, mut key, mut inside) = (0_usize, "", false);
    let mut bytes = source.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                let mut end = at + 1;
                while let Some((index, byte)) = bytes.next() {
                    end = index;
                    match byte {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
                if inside {
                    places.push(cursor.place(at));
                } else if depth == 1 {
                    key = &source[at + 1..end];
                }
            }
            b'[' | b'{' => {
                depth += 1;
                inside |= depth == 2 && key == "content";
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                inside &= depth >= 2;
            }
            _ => {}
        }
    }
    places
}

/// Writes the one level of a collection as a full rectangle.
pub(super) fn write(collection: &Collection) -> Result<String, WriteError> {
    let [level] = collection.levels.as_slice() else {
        return Err(WriteError::OneLevel { format: Format::SokoBot, levels: collection.levels.len() });
    };
    let map = level.map.rectangular();
    let name = |cell| match cell {
        Cell::Wall => "\"W\"",
        Cell::Floor => "\"E\"",
        Cell::Player => "\"S\"",
        Cell::Box => "\"B\"",
        Cell::Goal => "\"G\"",
        Cell::BoxOnGoal => "\"BG\"",
        Cell::PlayerOnGoal => "\"SG\"",
    };
    let row = |row| (0..map.width()).map(|column| name(map.get(row, column))).collect::<Vec<_>>().join(", ");
    let rows: Vec<String> = (0..map.height()).map(|index| format!("    [{}]", row(index))).collect();
    let known = level.games.iter().filter(|game| game.solves).map(|game| game.moves.len() as u64);
    let best = level.figure(&BEST_MOVES).into_iter().chain(known).min();
    let figure =
        |key: &str, value: Option<u64>| value.map_or(String::new(), |value| format!(",\n  \"{key}\": {value}"));
    // The fewest pushes are a claim: solutions alone do not prove it.
    let figures = figure(BEST_MOVES[0], best) + &figure(FEWEST_PUSHES[0], level.figure(&FEWEST_PUSHES));
    Ok(format!("{{\n  \"content\": [\n{}\n  ]{figures}\n}}\n", rows.join(",\n")))
}
