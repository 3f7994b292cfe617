//! `lurd library find`: levels by title, collection, boxes, size and whether they are solved.

use crate::exit::{Ending, Exit};
use crate::output::json_line;
use crate::shelf::LibraryFile;
use crate::table::Table;
use crate::units;
use clap::Args;
use lurd::contract::read_range;
use lurd_library::{Query, Sorting, Standing};
use serde_json::json;
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// Find levels by title, author or collection, boxes and size
#[derive(Args, Debug)]
pub(crate) struct FindArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// A part of a title, an author or the name of a collection
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// Only levels of this collection
    #[arg(long, value_name = "NAME")]
    collection: Option<String>,

    /// Only levels with a solution
    #[arg(long, conflicts_with = "unsolved")]
    solved: bool,

    /// Only levels without a solution
    #[arg(long)]
    unsolved: bool,

    /// Boxes, such as 3 or 4-10
    #[arg(long, value_name = "A-B", value_parser = range)]
    boxes: Option<RangeInclusive<usize>>,

    /// Squares the player can get at, such as 20-60
    #[arg(long, value_name = "A-B", value_parser = range)]
    squares: Option<RangeInclusive<usize>>,

    /// The order of the levels
    #[arg(long, value_name = "ORDER", default_value = "added")]
    sort: Order,

    /// The most levels that are printed; 0 for all
    #[arg(long, value_name = "N", default_value_t = 50)]
    most: usize,

    /// Draw the boards
    #[arg(long)]
    boards: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Order {
    /// As they were added
    Added,
    /// Few boxes first
    Boxes,
    /// Few pushes of the best solution first
    Pushes,
}

fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    read_range(text, 0..=usize::MAX)
}

/// Finds.
pub(super) fn run(arguments: &FindArguments) -> Ending {
    let library = arguments.file.open_existing()?;
    let page = library.find(&Query {
        text: arguments.text.clone(),
        collection: arguments.collection.clone(),
        standing: arguments.solved.then_some(Standing::Solved).or(arguments.unsolved.then_some(Standing::Unsolved)),
        boxes: arguments.boxes.clone(),
        squares: arguments.squares.clone(),
        grades: None,
        sorting: match arguments.sort {
            Order::Added => Sorting::Added,
            Order::Boxes => Sorting::Boxes,
            Order::Pushes => Sorting::Pushes,
        },
        skip: 0,
        most: arguments.most,
    })?;
    let mut out = io::stdout().lock();
    let mut table = Table::new("key|>boxes|>squares|>pushes|>moves|level");
    for hit in &page.hits {
        let place = [hit.collection.clone(), hit.number.map(|number| number.to_string()), hit.title.clone()];
        let place = units::printable(&place.into_iter().flatten().collect::<Vec<_>>().join(" "));
        if arguments.json {
            let board = hit.map.to_string();
            let object = json!({"key": hit.key.to_string(), "collection": hit.collection, "level": hit.number,
                "title": hit.title, "boxes": hit.boxes, "squares": hit.squares, "best_pushes": hit.best_pushes,
                "best_moves": hit.best_moves, "board": board});
            json_line(&mut out, &object)?;
        } else if arguments.boards {
            writeln!(out, "; {place} {}\n{}", hit.key, hit.map)?;
        } else {
            table.row(vec![
                hit.key.to_string(),
                hit.boxes.to_string(),
                hit.squares.to_string(),
                units::optional(hit.best_pushes),
                units::optional(hit.best_moves),
                place,
            ]);
        }
    }
    if arguments.json {
        return Ok(Exit::Success);
    }
    if !arguments.boards {
        table.print(&mut out)?;
    }
    let found = units::plural(page.total, "level", "levels");
    if page.total > page.hits.len() {
        writeln!(out, "\n{found} found, {} shown (--most)", page.hits.len())?;
    } else {
        writeln!(out, "\n{found} found")?;
    }
    Ok(Exit::Success)
}
