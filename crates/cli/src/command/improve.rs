//! `lurd improve`: solutions in, shorter solutions out.

use crate::command::solve::threads;
use crate::exit::{Ending, Exit, Failure, complain};
use crate::flags::{CallerFlags, LimitFlags};
use crate::input::{self, Source};
use crate::output::{Answer, Answers, Target};
use crate::saver::{Saver, SolvedFile};
use crate::selection::Selection;
use crate::shelf::LibraryFlags;
use crate::{interrupt, pool, units};
use clap::{Args, ValueEnum};
use lurd::improve::{self, Best, Improved};
use lurd::notation::LurdError;
use lurd::{Level, Solution};
use lurd_base::Budget;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What is spent on a level when no limit is given.
const PATIENCE: Duration = Duration::from_secs(30);

/// Make solutions shorter
///
/// Searches in the vicinity of each solution until the time is up (30 seconds a level, unless
/// --time-limit or --node-limit says otherwise). What comes out is never longer than what went in,
/// and is replayed by an independent referee. Ctrl-C keeps the best found so far. With --node-limit and one
/// thread a run can be repeated exactly.
#[derive(Args, Debug)]
pub struct ImproveArguments {
    /// The levels, in any supported format; - is standard input
    #[arg(value_name = "LEVELS")]
    levels: PathBuf,

    /// The solutions: a line of moves per level, lines of moves under headings such as `Level 3`, the output
    /// of `solve --json`, a level file with solutions as Sokoban YASC, JSoko and Festival write it, or
    /// the solution.txt of `sokoban -s` [default: the solutions LEVELS itself holds]
    #[arg(value_name = "SOLUTIONS")]
    solutions: Option<PathBuf>,

    /// What is to become fewer; the other breaks ties
    #[arg(long, value_name = "GOAL", default_value = "pushes")]
    goal: Metric,

    /// Which levels: 3, 2-5, 7-, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|A-|all", default_value = "all")]
    level: Selection,

    /// How many threads: levels are worked on side by side, and where fewer levels than threads
    /// are left, threads share a level [default: as many as the machine has processors]
    #[arg(long, value_name = "N", value_parser = units::parse_threads)]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object a line for each level
    #[arg(long)]
    json: bool,

    /// Write the levels with their solutions to FILE as they are found, in the format its ending names; the ending
    /// .lurd writes lines of moves instead
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitFlags,

    #[command(flatten)]
    caller: CallerFlags,

    #[command(flatten)]
    library: LibraryFlags,
}

/// What is to become fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Metric {
    /// Pushes first, then moves
    Pushes,
    /// Moves first, then pushes
    Moves,
}

impl From<Metric> for improve::Metric {
    fn from(goal: Metric) -> Self {
        match goal {
            Metric::Pushes => Self::Pushes,
            Metric::Moves => Self::Moves,
        }
    }
}

/// One level's result as `--json` prints it.
#[derive(Serialize)]
struct Record<'a> {
    level: usize,
    title: &'a str,
    goal: Metric,
    solution: &'a str,
    moves: usize,
    pushes: usize,
    moves_before: usize,
    pushes_before: usize,
    /// Everything was searched: nothing better exists.
    exhausted: bool,
    /// Searches were cut short because memory was full.
    memory_full: bool,
    expanded: u64,
    generated: u64,
    seconds: f64,
    peak_bytes: usize,
}

/// A level and the best of the solutions given for it.
struct Task<'a> {
    level: &'a Level,
    given: Solution,
}

/// Improves the solutions of the chosen levels.
pub fn run(arguments: &ImproveArguments) -> Ending {
    let target = arguments.output.as_deref().map(Target::by_ending).transpose()?;
    let attached = arguments.caller.attached;
    let source = Source { ends_at_mark: attached, ..Source::file(&arguments.levels) };
    let collection = source.read()?;
    let (levels, mut exit) = source.choose(&collection, &arguments.level)?;
    let solutions = input::solutions(arguments.solutions.as_deref(), &collection.levels, attached)?;
    let mut tasks = Vec::new();
    for &level in &levels {
        let (best, faults) = best_of(level, solutions.of(level.number), arguments.goal);
        for fault in faults {
            complain(&format!("level {}: this solution is wrong: {fault}", level.number));
            exit = exit.max(Exit::Usage);
        }
        tasks.extend(best.map(|given| Task { level, given }));
    }
    if tasks.is_empty() {
        let given = arguments.solutions.as_deref().unwrap_or(&arguments.levels);
        return Err(Failure::usage(format!(
            "{}: there is no right solution in it to any of the levels asked for",
            input::name(given)
        )));
    }
    if tasks.len() < levels.len() {
        exit = exit.max(Exit::Incomplete);
    }
    let saver = target.map(|target| {
        target.check(&collection, &levels, &source)?;
        let chosen = levels.iter().map(|level| level.number).collect();
        let file = SolvedFile { target, source: source.clone(), collection: collection.clone(), chosen };
        let known = tasks.iter().map(|task| (task.level.number, answer(task.given.clone())));
        Saver::start(file, known.collect::<Answers>())
    });
    let saver = saver.transpose()?;

    let threads = threads(arguments.threads);
    let side_by_side = threads.min(tasks.len());
    let mut limits = arguments.limits.limits(side_by_side);
    if limits.time.is_none() && limits.nodes.is_none() {
        limits.time = Some(PATIENCE);
    }
    let cancel = interrupt::watch();
    arguments.caller.watch(&cancel);
    let display = arguments.caller.display();
    let begun = AtomicUsize::new(0);
    let work = |task: &Task| {
        // The last levels have the threads for themselves that have no other level to begin.
        let left = tasks.len().saturating_sub(begun.fetch_add(1, Ordering::Relaxed)).max(1);
        let threads = NonZeroUsize::new(threads / left).unwrap_or(NonZeroUsize::MIN);
        let budget = Budget::new(limits, cancel.clone());
        let mut line = display.level(task.level.number);
        let map = task.level.map.to_string();
        let mut told = |best: &Best<'_>| {
            if let (Some(saver), Ok(verdict)) = (&saver, right(&map, &best.lurd())) {
                saver.found(task.level.number, answer(solution(verdict)));
            }
            line.better(budget.elapsed().as_secs_f64(), best);
        };
        let goal = arguments.goal.into();
        let improved = improve::shorten_on(threads, &task.level.map, &task.given.lurd, goal, &budget, &mut told);
        Some((improved, budget.elapsed().as_secs_f64()))
    };
    let mut totals = Totals { left: levels.len() - tasks.len(), ..Totals::default() };
    let mut keeper = arguments.library.keeper();
    let ran = pool::in_order(
        &tasks,
        side_by_side,
        work,
        || cancel.cancel(),
        |task, (improved, seconds)| {
            let improved = improved.map_err(|error| Failure::usage(format!("level {}: {error}", task.level.number)))?;
            totals.add(&improved);
            display.aside(|| print(arguments, task.level, &improved, seconds))?;
            let Improved { lurd, moves, pushes, .. } = improved;
            if let Some(keeper) = &mut keeper {
                keeper.keep_solution(&task.level.map, &lurd, "improve");
            }
            if let Some(saver) = &saver {
                saver.found(task.level.number, answer(Solution { lurd, moves, pushes }));
            }
            Ok::<(), Failure>(())
        },
    );
    // What was found is kept whatever became of the printing.
    if let Some(keeper) = keeper {
        keeper.finish();
    }
    if let Some(saver) = saver {
        saver.finish()?;
    }
    ran?;
    if !arguments.json {
        let mut out = io::stdout().lock();
        writeln!(out, "\n{totals}")?;
        out.flush()?;
    }
    Ok(if cancel.is_cancelled() { exit.max(Exit::Interrupted) } else { exit })
}

/// The best right solution of a level, and what is wrong with the others.
fn best_of(level: &Level, answers: &[Result<String, LurdError>], goal: Metric) -> (Option<Solution>, Vec<String>) {
    let text = level.map.to_string();
    let mut faults = Vec::new();
    let mut best: Option<((usize, usize), Solution)> = None;
    for answer in answers {
        let moves = answer.as_deref().map_err(|reason| units::printable(&reason.to_string()));
        match moves.and_then(|moves| right(&text, moves)) {
            Err(fault) => faults.push(fault),
            Ok(verdict) => {
                let cost = match goal {
                    Metric::Pushes => (verdict.pushes, verdict.moves),
                    Metric::Moves => (verdict.moves, verdict.pushes),
                };
                if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                    best = Some((cost, solution(verdict)));
                }
            }
        }
    }
    (best.map(|(_, solution)| solution), faults)
}

fn solution(verdict: lurd_referee::Verdict) -> Solution {
    Solution { lurd: verdict.lurd, moves: verdict.moves, pushes: verdict.pushes }
}

/// The improver proves no solution to have the fewest pushes of all.
fn answer(solution: Solution) -> Answer {
    Answer { solution, fewest_pushes: false }
}

fn right(level: &str, moves: &str) -> Result<lurd_referee::Verdict, String> {
    let verdict = lurd_referee::judge(level, moves).map_err(|fault| fault.to_string())?;
    if verdict.solved {
        return Ok(verdict);
    }
    let left = verdict.boxes_off_goal.max(verdict.goals_without_box);
    Err(format!("it leaves {} off the goals", units::plural(left, "box", "boxes")))
}

fn print(arguments: &ImproveArguments, level: &Level, improved: &Improved, seconds: f64) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if arguments.json {
        let record = Record {
            level: level.number,
            title: level.title.as_deref().unwrap_or_default(),
            goal: arguments.goal,
            solution: &improved.lurd,
            moves: improved.moves,
            pushes: improved.pushes,
            moves_before: improved.moves_before,
            pushes_before: improved.pushes_before,
            exhausted: improved.exhausted,
            memory_full: improved.memory_full,
            expanded: improved.expanded,
            generated: improved.generated,
            seconds,
            peak_bytes: improved.peak_bytes,
        };
        writeln!(out, "{}", serde_json::to_string(&record)?)?;
    } else {
        let title = input::title(level);
        let title = if title.is_empty() { title } else { format!("  {title}") };
        let ending = match (improved.exhausted, improved.memory_full) {
            (true, _) => "  nothing better exists",
            (false, true) => "  memory was full: wider searches were left out (--memory-limit)",
            (false, false) => "",
        };
        writeln!(
            out,
            "{}{title}  {} -> {}  {}{ending}",
            level.number,
            units::lengths(improved.pushes_before, improved.moves_before),
            units::lengths(improved.pushes, improved.moves),
            units::seconds(seconds)
        )?;
        writeln!(out, "{:indent$}{}", "", improved.lurd, indent = level.number.to_string().len() + 2)?;
    }
    out.flush()
}

/// Figures of all the levels together.
#[derive(Clone, Debug, Default)]
struct Totals {
    levels: usize,
    shortened: usize,
    pushes_before: usize,
    moves_before: usize,
    pushes: usize,
    moves: usize,
    /// Levels without a solution to improve.
    left: usize,
}

impl Totals {
    fn add(&mut self, improved: &Improved) {
        self.levels += 1;
        let changed = (improved.pushes, improved.moves) != (improved.pushes_before, improved.moves_before);
        self.shortened += usize::from(changed);
        self.pushes_before += improved.pushes_before;
        self.moves_before += improved.moves_before;
        self.pushes += improved.pushes;
        self.moves += improved.moves;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} better; {} -> {} pushes, {} -> {} moves",
            self.shortened,
            units::plural(self.levels, "solution", "solutions"),
            self.pushes_before,
            self.pushes,
            self.moves_before,
            self.moves
        )?;
        if self.left > 0 {
            write!(f, "; {} without a solution", units::plural(self.left, "level", "levels"))?;
        }
        Ok(())
    }
}
