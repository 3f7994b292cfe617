//! `lurd levels`: what a file holds.

use crate::exit::Ending;
use crate::input::{self, Source};
use crate::output::json_line;
use crate::selection::Selection;
use crate::table::Table;
use crate::{idle, units};
use clap::Args;
use lurd::Level;
use lurd::formats::{BEST_MOVES, Collection, FEWEST_PUSHES};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// Titles longer than this are cut in tables.
pub(crate) const TITLE: usize = 60;

/// List the levels of a file, or those inside the program
///
/// The columns pushes and moves are the figures that the file states for a level, such as `Pushes: 12` below a board
/// or `minPushes` and `bestSolution` of SokoBOT.
#[derive(Args, Debug)]
pub struct LevelsArguments {
    #[command(flatten)]
    source: Source,

    /// Print the boards of these levels: 3, 2-5, 7-, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|A-|all")]
    show: Option<Selection>,

    /// Print one JSON object a line for each level, broken ones included; with --show the boards too
    #[arg(long)]
    json: bool,
}

/// One level as `--json` prints it.
#[derive(Serialize)]
struct Record<'a> {
    level: usize,
    title: &'a str,
    author: Option<&'a str>,
    width: usize,
    height: usize,
    boxes: usize,
    /// The figures that the file states.
    pushes: Option<u64>,
    moves: Option<u64>,
    /// Solutions and saved games that came with it, and how many of them solve it.
    games: usize,
    solutions: usize,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
}

/// A level that cannot be played.
#[derive(Serialize)]
struct Broken<'a> {
    level: usize,
    title: &'a str,
    line: usize,
    column: usize,
    defect: String,
}

/// Lists or shows levels.
pub fn run(arguments: &LevelsArguments) -> Ending {
    idle::tell(idle::of_source(&arguments.source).as_slice());
    let collection = arguments.source.read()?;
    let all = Selection::All;
    let selection = arguments.show.as_ref().unwrap_or(&all);
    let (levels, exit) = arguments.source.choose(&collection, selection)?;
    let mut out = BufWriter::new(io::stdout().lock());
    if arguments.json {
        json(&mut out, &collection, &levels, arguments.show.is_some())?;
    } else if arguments.show.is_none() {
        list(&mut out, &levels)?;
    } else {
        for (index, level) in levels.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            show(&mut out, level)?;
        }
    }
    out.flush()?;
    Ok(exit)
}

fn json(out: &mut dyn Write, collection: &Collection, levels: &[&Level], boards: bool) -> io::Result<()> {
    for level in levels {
        let record = Record {
            level: level.number,
            title: level.title.as_deref().unwrap_or_default(),
            author: level.author.as_deref(),
            width: level.map.width(),
            height: level.map.height(),
            boxes: boxes(level),
            pushes: level.figure(&FEWEST_PUSHES),
            moves: level.figure(&BEST_MOVES),
            games: level.games.len(),
            solutions: level.games.iter().filter(|game| game.solves).count(),
            notes: &level.notes,
            board: boards.then(|| level.map.to_string()),
        };
        json_line(out, &record)?;
    }
    for defect in collection.defects.iter().filter(|_| !boards) {
        let title = defect.title.as_deref().unwrap_or_default();
        let (line, column) = (defect.place.line, defect.place.column);
        json_line(out, &Broken { level: defect.number, title, line, column, defect: defect.kind.to_string() })?;
    }
    Ok(())
}

fn boxes(level: &Level) -> usize {
    level.map.cells().filter(|(_, _, cell)| cell.has_box()).count()
}

fn list(out: &mut dyn Write, levels: &[&Level]) -> io::Result<()> {
    let mut table = Table::new(">level|title|>size|>boxes|>pushes|>moves|>solutions");
    for level in levels {
        table.row(vec![
            level.number.to_string(),
            units::shortened(&input::title(level), TITLE),
            format!("{}x{}", level.map.width(), level.map.height()),
            boxes(level).to_string(),
            units::optional(level.figure(&FEWEST_PUSHES)),
            units::optional(level.figure(&BEST_MOVES)),
            units::optional(Some(level.games.len()).filter(|&games| games > 0)),
        ]);
    }
    table.print(out)
}

fn show(out: &mut dyn Write, level: &Level) -> io::Result<()> {
    writeln!(out, "Level {}  {}", level.number, input::title(level))?;
    if let Some(author) = &level.author {
        writeln!(out, "Author: {}", units::printable(author))?;
    }
    for note in &level.notes {
        writeln!(out, "{}", units::printable(note))?;
    }
    write!(out, "\n{}", level.map)
}
