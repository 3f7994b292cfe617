//! `lurd library best`: the best solutions of levels, what is proved about them, who found them.

use crate::exit::{Ending, Exit, Failure};
use crate::input::Source;
use crate::output::json_line;
use crate::selection::Selection;
use crate::shelf::LibraryFile;
use crate::units;
use clap::Args;
use lurd::Proof;
use lurd::improve::Metric;
use lurd_library::{Bound, Knowledge, KnownSolution, LevelKey, Library, Origin, date};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// Show the best solutions of levels: by pushes, by moves, and those between
#[derive(Args, Debug)]
pub(crate) struct BestArguments {
    #[command(flatten)]
    file: LibraryFile,

    /// A collection, a file of levels, or the key of a level
    #[arg(value_name = "LEVELS")]
    levels: String,

    /// Which levels: 3, 2-5, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|all", default_value = "all")]
    level: Selection,

    /// Print one JSON object a line for each level
    #[arg(long)]
    json: bool,
}

/// A level with what is known of it.
struct Known {
    label: String,
    number: Option<usize>,
    knowledge: Option<Knowledge>,
}

/// Shows.
pub(super) fn run(arguments: &BestArguments) -> Ending {
    let library = arguments.file.open_existing()?;
    let levels = asked(&library, arguments)?;
    let mut out = io::stdout().lock();
    for level in &levels {
        if arguments.json {
            json_line(&mut out, &object(level))?;
        } else {
            people(&mut out, level)?;
        }
    }
    let unsolved = |level: &Known| level.knowledge.as_ref().is_none_or(|known| known.front.is_empty());
    Ok(if levels.iter().any(unsolved) { Exit::Incomplete } else { Exit::Success })
}

/// The levels that are asked for: by key, by file, by collection.
fn asked(library: &Library, arguments: &BestArguments) -> Result<Vec<Known>, Failure> {
    let name = arguments.levels.as_str();
    if let Ok(key) = name.parse::<LevelKey>() {
        let (_, knowledge) = library
            .knowledge_by_key(key)?
            .ok_or_else(|| Failure::usage(format!("there is no level {key} in the library")))?;
        return Ok(vec![Known { label: name.to_owned(), number: None, knowledge: Some(knowledge) }]);
    }
    if name == "-" || Path::new(name).is_file() {
        let source = Source::file(Path::new(name));
        let collection = source.read()?;
        let (levels, _) = source.choose(&collection, &arguments.level)?;
        let known = |level: &&lurd::Level| {
            let label = crate::input::title(level);
            Ok(Known { label, number: Some(level.number), knowledge: library.knowledge(&level.map)? })
        };
        return levels.iter().map(known).collect();
    }
    let entries = library.entries(name)?;
    let last = entries.iter().map(|entry| entry.number).max().unwrap_or(0);
    let numbers = arguments.level.of(last).map_err(Failure::Usage)?;
    let known = |entry: &lurd_library::EntryRow| {
        let label = units::printable(entry.title.as_deref().unwrap_or_default());
        Ok(Known { label, number: Some(entry.number), knowledge: library.knowledge(&entry.map)? })
    };
    entries.iter().filter(|entry| numbers.contains(&entry.number)).map(known).collect()
}

fn people(out: &mut dyn Write, level: &Known) -> io::Result<()> {
    let number = units::optional(level.number);
    writeln!(out, "{}", format!("{number} {}", level.label).trim())?;
    let Some(known) = &level.knowledge else { return writeln!(out, "  not in the library") };
    if let Some(origin) = &known.unsolvable {
        writeln!(out, "  proved unsolvable, {}", by(origin))?;
    } else if known.front.is_empty() {
        writeln!(out, "  no solution yet")?;
    }
    for solution in &known.front {
        let proofs: Vec<String> =
            [Metric::Pushes, Metric::Moves].iter().filter_map(|&metric| proof(known, solution, metric)).collect();
        let proofs = if proofs.is_empty() { String::new() } else { format!(", {}", proofs.join(", ")) };
        writeln!(out, "  {}{proofs}, {}", units::lengths(solution.pushes, solution.moves), by(&solution.origin))?;
        writeln!(out, "    {}", solution.lurd)?;
    }
    for (bound, what) in [(&known.pushes_bound, "pushes"), (&known.moves_bound, "moves")] {
        if let Some(Bound { value, origin }) = bound {
            writeln!(out, "  no solution has fewer than {value} {what}, {}", by(origin))?;
        }
    }
    Ok(())
}

/// What is proved about a solution of the front, if it is the best in that count.
fn proof(known: &Knowledge, solution: &KnownSolution, metric: Metric) -> Option<String> {
    let is_best = known.best(metric) == Some(solution);
    let proof = known.proof(metric);
    (is_best && proof != Proof::None).then(|| match (proof, metric) {
        (Proof::AtMost(factor), Metric::Pushes) => format!("at-most-{factor} in pushes"),
        (Proof::AtMost(factor), Metric::Moves) => format!("at-most-{factor} in moves"),
        _ => proof.to_string(),
    })
}

fn by(origin: &Origin) -> String {
    let text = format!("{} ({}), {}", origin.finder, origin.method, date(origin.found));
    units::printable(&text)
}

fn object(level: &Known) -> Value {
    let origin = |origin: &Origin| json!({"finder": origin.finder, "method": origin.method, "found": origin.found});
    let Some(known) = &level.knowledge else {
        return json!({"level": level.number, "title": level.label, "key": null, "solutions": []});
    };
    let solutions = known.front.iter().map(|solution| {
        json!({"solution": solution.lurd, "pushes": solution.pushes, "moves": solution.moves,
            "best_pushes": known.best(Metric::Pushes) == Some(solution),
            "best_moves": known.best(Metric::Moves) == Some(solution), "origin": origin(&solution.origin)})
    });
    let bound = |bound: &Option<Bound>| {
        bound.as_ref().map(|bound| json!({"value": bound.value, "origin": origin(&bound.origin)}))
    };
    json!({
        "level": level.number,
        "title": level.label,
        "key": known.key.to_string(),
        "solutions": solutions.collect::<Vec<_>>(),
        "proof_pushes": known.proof(Metric::Pushes).to_string(),
        "proof_moves": known.proof(Metric::Moves).to_string(),
        "pushes_bound": bound(&known.pushes_bound),
        "moves_bound": bound(&known.moves_bound),
        "unsolvable": known.unsolvable.as_ref().map(origin),
    })
}
