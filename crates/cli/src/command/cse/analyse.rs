//! `lurd cse analyse`: the whole game solved, by every method.

use super::print;
use crate::exit::{Ending, Exit};
use crate::output::json_line;
use crate::{interrupt, units};
use clap::Args;
use lurd_cse::{CaseAnalysis, Position, analyse};
use lurd_search::game::Strategy;
use serde::Serialize;
use std::io::{self, Write};

/// Solve the game from both starts and for both first movers
///
/// Every figure is computed at run time. The values are those of best play: 1 if MAX wins, -1 if
/// MIN does, 0 for a draw.
#[derive(Args, Debug)]
pub(crate) struct CseAnalyseArguments {
    /// Print one JSON object with a list of the four cases
    #[arg(long)]
    json: bool,

    /// Really walk the full tree by plain minimax, which takes a while; without, its nodes are
    /// added up from subtrees, which gives the same number
    #[arg(long)]
    walk: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Record<'a> {
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Case<'a> {
    #[serde(flatten)]
    analysis: &'a CaseAnalysis,
    nodes: Nodes,
}

/// Nodes visited by the three methods everybody asks about.
#[derive(Serialize)]
struct Nodes {
    minimax: u64,
    alphabeta: u64,
    memo: u64,
}

impl Nodes {
    fn of(case: &CaseAnalysis) -> Self {
        let nodes = |strategy: Strategy| {
            case.methods.iter().find(|cost| cost.method == strategy.name()).map_or(0, |cost| cost.nodes)
        };
        Self { minimax: nodes(Strategy::MINIMAX), alphabeta: nodes(Strategy::ALPHA_BETA), memo: nodes(Strategy::MEMO) }
    }
}

/// Solves the game.
pub(super) fn run(arguments: &CseAnalyseArguments) -> Ending {
    interrupt::leave_at_once();
    let analysis = analyse(arguments.walk);
    let mut out = io::stdout().lock();
    if arguments.json {
        let cases = analysis.cases.iter().map(|case| Case { analysis: case, nodes: Nodes::of(case) }).collect();
        json_line(&mut out, &Record { cases })?;
    } else {
        for (index, case) in analysis.cases.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            people(&mut out, case)?;
        }
        if !arguments.walk {
            writeln!(out, "\nThe nodes of plain minimax are added up from subtrees; --walk visits them one by one.")?;
        }
    }
    out.flush()?;
    Ok(Exit::Success)
}

fn people(out: &mut dyn Write, case: &CaseAnalysis) -> io::Result<()> {
    let result = print::meaning(case.value, case.plies);
    writeln!(out, "S {}, {} first: value {}, {result}", case.start, print::name(case.first), case.value)?;
    let games = units::count(case.games);
    writeln!(out, "  {} different positions, {games} lines of play", units::count(case.positions))?;
    writeln!(out, "  best play: {}\n", print::line_of_play(&case.principal_variation, case.first))?;
    print::costs(&case.methods).print(out)?;
    writeln!(out, "\n  first moves of {}", print::name(case.first))?;
    print::values(out, Position::new(case.start, case.first).board(), &case.first_moves)
}
