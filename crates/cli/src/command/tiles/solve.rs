//! `lurd tiles solve`: uniform cost and A* one after the other on the same board, or whatever
//! algorithms are asked for.

use super::choice::{self, SpaceFlags};
use super::start::{self, Setting};
use super::{path, refusal, tables};
use crate::exit::{Ending, Exit, Failure};
use crate::flags::LimitFlags;
use crate::output::json_line;
use crate::progress::{Display, Line};
use crate::table::Table;
use crate::{idle, interrupt, units};
use clap::Args;
use lurd_base::{Budget, Cancel, Limits};
use lurd_search::{Cost, Observer, Statistics, TieBreak};
use lurd_tiles::{
    Board, Estimator, HeuristicKind, Method, MoveSet, Parameters, ParityReason, Problem, ProblemError, Report,
    TileSpace,
};
use serde::Serialize;
use std::io::{self, Write};

/// Nodes uniform cost may generate on boards larger than 3x3 where no limit is given: it cannot
/// finish most of them, and would only fill the memory before A* has its turn.
const UNINFORMED_NODES: u64 = 5_000_000;

/// Solve a board of sliding tiles
///
/// Without --algorithm, uniform cost and A* run one after the other on the same board, as in the
/// classic assignment. On boards larger than 3x3 uniform cost is then given 5,000,000 nodes unless a limit is set.
///
/// Boards that parity makes unsolvable are told so at once (exit code 3). Tables of the
/// heuristic pattern-database are kept in the platform's folder for caches, or in the one that
/// LURD_CACHE names; building them takes none of --time-limit, but they
/// are part of the memory.
#[derive(Args, Debug)]
pub(crate) struct TilesSolveArguments {
    /// The board row by row, such as "1 2 3 4 5 6 7 8 0" with 0 or _ for the blank; - is
    /// standard input, random or random:SEED a random board
    #[arg(value_name = "BOARD", required = true)]
    board: Vec<String>,

    #[command(flatten)]
    space: SpaceFlags,

    /// Print one JSON object a line for each algorithm
    #[arg(long)]
    json: bool,

    /// Print every board one by one with its cost so far g, estimate h and f = g + h
    #[arg(long, conflicts_with_all = ["json", "no_path"])]
    steps: bool,

    /// Print the figures only
    #[arg(long, conflicts_with = "json")]
    no_path: bool,

    /// The algorithm, or several with commas between [default: uniform-cost,a-star]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = choice::algorithms(), help_heading = "Search")]
    algorithm: Vec<String>,

    /// The estimate of the moves that remain [default: the strongest that promises shortest answers]
    #[arg(long, value_name = "NAME", value_parser = choice::heuristics(), help_heading = "Search")]
    heuristic: Option<HeuristicKind>,

    /// The weight of weighted-a-star: solutions cost at most W times the optimum [default: 1.5]
    #[arg(long, value_name = "W", value_parser = units::parse_weight, help_heading = "Search")]
    weight: Option<f64>,

    /// How deep depth-limited goes [default: 50]
    #[arg(long, value_name = "N", help_heading = "Search")]
    depth_limit: Option<u32>,

    #[command(flatten)]
    limits: LimitFlags,
}

/// Solves the board.
pub(super) fn run(arguments: &TilesSolveArguments) -> Ending {
    let moves = arguments.space.moves();
    let setting = start::read(&arguments.board, &arguments.space)?;
    let problem = match Problem::new(setting.start, setting.goal, moves) {
        Ok(problem) => problem,
        Err(ProblemError::Unsolvable(reason)) => return unsolvable(arguments.json, &setting, reason),
        Err(error) => return Err(refusal(&error)),
    };
    let methods = methods(arguments)?;
    let kind = arguments.heuristic.unwrap_or_else(|| HeuristicKind::recommended(problem.side(), moves));
    kind.check(problem.side(), moves)
        .map_err(|error| refusal(&format!("{error}; leave --heuristic out to get the strongest that fits")))?;

    let informed = methods.iter().any(|method| method.asks_estimate());
    idle::tell(&without_effect(arguments, informed));
    let cancel = interrupt::watch();
    let Some((mut estimator, table_bytes)) = estimator(&problem, kind, informed, &cancel)? else {
        return Ok(Exit::Interrupted);
    };
    let mut out = io::stdout();
    if !arguments.json {
        heading(&mut out, &problem, setting.seed)?;
    }
    let display = Display::new();
    let mut limits = arguments.limits.limits(1);
    limits.memory = limits.memory.map(|memory| memory.saturating_sub(table_bytes));
    let mut reports = Vec::new();
    for &method in &methods {
        let budget = Budget::new(limits_of(method, arguments, limits, &problem), cancel.clone());
        let mut watcher = Watcher(display.line(method.to_string()));
        let mut report =
            lurd_tiles::solve(&problem, method, TieBreak::default(), &mut estimator, &budget, &mut watcher);
        drop(watcher);
        if report.heuristic.is_some() {
            report.peak_bytes += table_bytes;
        }
        if arguments.json {
            json_line(&mut out, &report)?;
        }
        reports.push(report);
        if cancel.is_cancelled() {
            break;
        }
    }
    if !arguments.json {
        print(&mut out, arguments, &reports, &estimator)?;
    }
    let interrupted = if cancel.is_cancelled() { Exit::Interrupted } else { Exit::Success };
    Ok(reports.iter().map(exit).max().unwrap_or(Exit::Success).max(interrupted))
}

fn methods(arguments: &TilesSolveArguments) -> Result<Vec<Method>, Failure> {
    if arguments.algorithm.is_empty() {
        return Ok(vec![Method::UNIFORM_COST, Method::A_STAR]);
    }
    let default = Parameters::default();
    let parameters = Parameters {
        weight: arguments.weight.unwrap_or(default.weight),
        depth_limit: arguments.depth_limit.unwrap_or(default.depth_limit),
    };
    arguments.algorithm.iter().map(|name| Method::named(name, &parameters).map_err(Failure::Usage)).collect()
}

/// The options that none of the algorithms asked for looks at.
fn without_effect(arguments: &TilesSolveArguments, informed: bool) -> Vec<String> {
    let runs = |name: &str| arguments.algorithm.iter().any(|algorithm| algorithm == name);
    let mut idle = idle::of_parameters(
        &|name| match name {
            "weight" => arguments.weight.is_some(),
            "depth_limit" => arguments.depth_limit.is_some(),
            _ => false,
        },
        runs,
    );
    if arguments.heuristic.is_some() && !informed {
        idle.push("--heuristic has no effect: none of the algorithms looks at an estimate".into());
    }
    idle
}

/// The estimate and the bytes of its tables; `None` if Ctrl-C ended their build. Where no
/// algorithm asks for an estimate, no tables are built.
fn estimator(
    problem: &Problem,
    kind: HeuristicKind,
    informed: bool,
    cancel: &Cancel,
) -> Result<Option<(Estimator, usize)>, Failure> {
    let (made, bytes) = match kind {
        _ if !informed => (Estimator::new(problem, HeuristicKind::Zero), 0),
        HeuristicKind::PatternDatabase => {
            let Some(tables) = tables::load(problem.goal(), cancel)? else { return Ok(None) };
            let bytes = tables.database.bytes();
            (Estimator::with_patterns(problem, tables.database), bytes)
        }
        kind => (Estimator::new(problem, kind), 0),
    };
    made.map(|estimator| Some((estimator, bytes))).map_err(|error| refusal(&error))
}

fn limits_of(method: Method, arguments: &TilesSolveArguments, limits: Limits, problem: &Problem) -> Limits {
    let flags = &arguments.limits;
    let free = !["time_limit", "memory_limit", "node_limit"].iter().any(|name| flags.has(name));
    let by_itself = arguments.algorithm.is_empty() && method == Method::UNIFORM_COST;
    if free && by_itself && problem.side() > 3 {
        return Limits { nodes: Some(UNINFORMED_NODES), ..limits };
    }
    limits
}

fn exit(report: &Report) -> Exit {
    match report.outcome {
        "solved" => Exit::Success,
        "unsolvable" => Exit::Unsolvable,
        "cancelled" => Exit::Interrupted,
        _ => Exit::Incomplete,
    }
}

/// What `--json` prints for a board that no move sequence solves.
#[derive(Serialize)]
struct Unsolvable {
    outcome: &'static str,
    reason: String,
    moves: MoveSet,
    start: Board,
    goal: Board,
}

/// Tells that parity rules every solution out; nothing is searched.
fn unsolvable(json: bool, setting: &Setting, reason: ParityReason) -> Ending {
    let mut out = io::stdout();
    if json {
        let record = Unsolvable {
            outcome: "unsolvable",
            reason: reason.to_string(),
            moves: MoveSet::Classic,
            start: setting.start,
            goal: setting.goal,
        };
        json_line(&mut out, &record)?;
    } else {
        writeln!(out, "unsolvable: {reason}.")?;
        writeln!(out, "Swap any two tiles of the start, or allow diagonal moves with --diagonal.")?;
    }
    Ok(Exit::Unsolvable)
}

fn heading(out: &mut dyn Write, problem: &Problem, seed: Option<u64>) -> io::Result<()> {
    let side = problem.side();
    let seed = seed.map_or_else(String::new, |seed| format!(", random:{seed}"));
    writeln!(out, "{side}x{side}, {} moves{seed}\n", problem.moves())?;
    let pictures = [("start", problem.start()), ("goal", problem.goal())]
        .map(|(name, board)| path::picture(&[name.to_owned()], board));
    path::side_by_side(out, &pictures, path::width())?;
    writeln!(out)?;
    out.flush()
}

fn print(
    out: &mut dyn Write,
    arguments: &TilesSolveArguments,
    reports: &[Report],
    estimator: &Estimator,
) -> io::Result<()> {
    figures(reports).print(out)?;
    if let Some((kind, promise)) = reports.iter().find_map(|report| report.heuristic.zip(report.promise)) {
        writeln!(out, "\n{kind} is {promise}.")?;
    }
    for report in reports {
        for note in &report.notes {
            writeln!(out, "note on {}: {note}", report.algorithm)?;
        }
    }
    if arguments.no_path {
        return out.flush();
    }
    for (index, report) in reports.iter().enumerate().filter(|(_, report)| report.is_solved()) {
        let moves = units::plural(report.steps.len(), "move", "moves");
        if let Some(same) = reports[..index].iter().find(|other| other.is_solved() && other.steps == report.steps) {
            writeln!(out, "\n{}: the same {moves} as {}", report.algorithm, same.algorithm)?;
            continue;
        }
        writeln!(out, "\n{}: {moves}", report.algorithm)?;
        if arguments.steps {
            path::steps(out, report, estimator)?;
        } else {
            writeln!(out)?;
            path::overview(out, report, path::width())?;
        }
    }
    out.flush()
}

fn figures(reports: &[Report]) -> Table {
    let mut table = Table::new("algorithm|heuristic|outcome|>cost|>depth|proof|>expanded|>generated|>memory|>time");
    for report in reports {
        let number = |number: Option<usize>| number.map_or("-".to_owned(), |number| number.to_string());
        let proof = match (&report.proof, report.lower_bound) {
            (Some(proof), _) if proof == "none" => "not proved".to_owned(),
            (Some(proof), _) => proof.clone(),
            (None, Some(bound)) => format!("none is below {bound}"),
            (None, None) => String::new(),
        };
        table.row(vec![
            report.algorithm.to_owned(),
            report.heuristic.map_or_else(|| "-".to_owned(), |kind| kind.to_string()),
            outcome(report),
            number(report.cost.map(|cost| cost as usize)),
            number(report.depth),
            proof,
            units::count(report.expanded),
            units::count(report.generated),
            units::size(report.peak_bytes),
            units::seconds(report.seconds),
        ]);
    }
    table
}

fn outcome(report: &Report) -> String {
    match report.stopped_by {
        Some("nodes") => "node limit".to_owned(),
        Some(limit) => format!("{limit} limit"),
        None => report.outcome.to_owned(),
    }
}

/// Shows how far a search is.
struct Watcher<'a>(Line<'a>);

impl Observer<TileSpace> for Watcher<'_> {
    fn tick(&mut self, statistics: &Statistics, lower: Option<Cost>) {
        self.0.show(&lurd::progress_of(statistics, lower));
    }
}
