//! `lurd library list`: the collections, or the levels of one.

use crate::exit::{Ending, Exit};
use crate::output::json_line;
use crate::shelf::LibraryFile;
use crate::table::Table;
use crate::units;
use clap::Args;
use lurd_library::{Hit, LevelKey, Query, date};
use serde_json::json;
use std::collections::HashMap;
use std::io;

/// List the collections, or the levels of one
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// A collection, to list its levels
    #[arg(value_name = "COLLECTION")]
    collection: Option<String>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Lists.
pub(super) fn run(arguments: &ListArguments) -> Ending {
    match &arguments.collection {
        None => collections(arguments),
        Some(name) => levels(arguments, name),
    }
}

fn collections(arguments: &ListArguments) -> Ending {
    let library = arguments.file.open_existing()?;
    let mut out = io::stdout().lock();
    let mut table = Table::new("collection|>levels|>solved|added|from|title");
    for row in library.collections()? {
        if arguments.json {
            let object = json!({"name": row.name, "title": row.title, "author": row.author, "source": row.source,
                "added": row.added, "levels": row.entries, "solved": row.solved});
            json_line(&mut out, &object)?;
            continue;
        }
        table.row(vec![
            units::printable(&row.name),
            row.entries.to_string(),
            row.solved.to_string(),
            date(row.added),
            units::printable(&row.source),
            units::printable(&row.title.unwrap_or_default()),
        ]);
    }
    if !arguments.json {
        table.print(&mut out)?;
    }
    Ok(Exit::Success)
}

fn levels(arguments: &ListArguments, name: &str) -> Ending {
    let library = arguments.file.open_existing()?;
    let entries = library.entries(name)?;
    let hits = library.find(&Query { collection: Some(name.to_owned()), ..Query::default() })?.hits;
    let hits: HashMap<LevelKey, Hit> = hits.into_iter().map(|hit| (hit.key, hit)).collect();
    let mut out = io::stdout().lock();
    let mut table = Table::new(">level|title|>boxes|size|>pushes|>moves|key");
    for entry in entries {
        let best = hits.get(&entry.key);
        let (boxes, pushes, moves) =
            best.map_or((None, None, None), |hit| (Some(hit.boxes), hit.best_pushes, hit.best_moves));
        if arguments.json {
            let object = json!({"level": entry.number, "title": entry.title, "key": entry.key.to_string(), "boxes": boxes,
                "width": entry.map.width(), "height": entry.map.height(), "best_pushes": pushes, "best_moves": moves});
            json_line(&mut out, &object)?;
            continue;
        }
        table.row(vec![
            entry.number.to_string(),
            units::printable(&entry.title.unwrap_or_default()),
            units::optional(boxes),
            format!("{}x{}", entry.map.width(), entry.map.height()),
            units::optional(pushes),
            units::optional(moves),
            entry.key.to_string(),
        ]);
    }
    if !arguments.json {
        table.print(&mut out)?;
    }
    Ok(Exit::Success)
}
