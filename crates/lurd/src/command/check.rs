//! `lurd check`: solutions replayed by the referee.

use crate::exit::{Ending, Exit};
use crate::input::{self, Source};
use crate::selection::Selection;
use crate::solutions::Solutions;
use crate::table::{Align, Table};
use crate::units;
use clap::Args;
use sokoban::Level;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Replay solutions by the bare rules
///
/// Ends with 0 only if every level has a solution and every solution is right.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The levels, in any supported format; - is standard input
    #[arg(value_name = "LEVELS")]
    levels: PathBuf,

    /// The solutions: a line of moves per level, the output of `solve --json`, a level file with
    /// solutions, or the solution.txt of `sokoban -s` [default: the solutions LEVELS itself holds]
    #[arg(value_name = "SOLUTIONS")]
    solutions: Option<PathBuf>,

    /// Which levels: 3, 2-5, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|all", default_value = "all")]
    level: Selection,
}

/// Checks.
///
/// # Errors
/// The sentence to print where a file cannot be read or the output not be written.
pub fn run(arguments: &Arguments) -> Ending {
    let source = Source::file(&arguments.levels);
    let collection = source.read()?;
    let (levels, exit) = source.choose(&collection, &arguments.level)?;
    let solutions = match &arguments.solutions {
        Some(path) => Solutions::load(path, &collection.levels)?,
        None => Solutions::saved_with(&collection.levels),
    };
    let mut table = Table::new(&[
        ("level", Align::Right),
        ("title", Align::Left),
        ("pushes", Align::Right),
        ("moves", Align::Right),
        ("verdict", Align::Left),
    ]);
    let (mut right, mut judged) = (0, 0);
    for level in levels {
        let answers = solutions.of(level.number);
        let judgements: Vec<Judgement> = if answers.is_empty() {
            vec![Judgement::wrong("no solution given")]
        } else {
            answers.iter().map(|answer| judge(level, answer)).collect()
        };
        judged += judgements.len();
        for judgement in judgements {
            right += usize::from(judgement.right);
            let figure = |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
            table.row(vec![
                level.number.to_string(),
                input::title(level),
                figure(judgement.pushes),
                figure(judgement.moves),
                judgement.sentence,
            ]);
        }
    }
    let mut out = BufWriter::new(io::stdout().lock());
    table.print(&mut out)?;
    writeln!(out, "\n{right} of {judged} right")?;
    out.flush()?;
    Ok(if right == judged { exit } else { exit.max(Exit::Incomplete) })
}

/// What the referee says of one solution.
struct Judgement {
    right: bool,
    pushes: Option<usize>,
    moves: Option<usize>,
    sentence: String,
}

impl Judgement {
    fn wrong(sentence: impl Into<String>) -> Self {
        Self { right: false, pushes: None, moves: None, sentence: sentence.into() }
    }
}

fn judge(level: &Level, answer: &Result<String, String>) -> Judgement {
    let moves = match answer {
        Ok(moves) => moves,
        Err(reason) => return Judgement::wrong(format!("wrong: {}", units::printable(reason))),
    };
    match referee::judge(&level.map.to_string(), moves) {
        Err(fault) => Judgement::wrong(format!("wrong: {fault}")),
        Ok(verdict) => {
            let left = verdict.boxes_off_goal.max(verdict.goals_without_box);
            let sentence = match verdict.case_mismatch {
                _ if !verdict.solved => {
                    format!("wrong: not solved, {} not on goals", units::plural(left, "box", "boxes"))
                }
                Some(number) => format!("right, though move {number} has the wrong letter case"),
                None => "right".to_owned(),
            };
            Judgement { right: verdict.solved, pushes: Some(verdict.pushes), moves: Some(verdict.moves), sentence }
        }
    }
}
