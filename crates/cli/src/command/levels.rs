//! `lurd levels`: what a file holds.

use crate::embedded::figure;
use crate::exit::Ending;
use crate::input::{self, Source};
use crate::selection::Selection;
use crate::table::Table;
use crate::units;
use clap::Args;
use lurd::Level;
use std::io::{self, BufWriter, Write};

/// List the levels of a file, or those inside the program
#[derive(Args, Debug)]
pub struct LevelsArguments {
    #[command(flatten)]
    source: Source,

    /// Print the boards of these levels: 3, 2-5, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|all")]
    show: Option<Selection>,
}

/// Lists or shows levels.
pub fn run(arguments: &LevelsArguments) -> Ending {
    let collection = arguments.source.read()?;
    let all = Selection::All;
    let (levels, exit) = arguments.source.choose(&collection, arguments.show.as_ref().unwrap_or(&all))?;
    let mut out = BufWriter::new(io::stdout().lock());
    if arguments.show.is_none() {
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

fn list(out: &mut dyn Write, levels: &[&Level]) -> io::Result<()> {
    let mut table = Table::new(">level|title|>size|>boxes|>pushes|>moves|>solutions");
    for level in levels {
        table.row(vec![
            level.number.to_string(),
            input::title(level),
            format!("{}x{}", level.map.width(), level.map.height()),
            level.map.cells().filter(|(_, _, cell)| cell.has_box()).count().to_string(),
            units::optional(figure(level, "pushes")),
            units::optional(figure(level, "moves")),
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
