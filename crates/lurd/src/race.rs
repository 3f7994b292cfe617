//! The race engine: runs the portfolio, writes the solution as LURD, has it judged by the referee.

use crate::complete::Complete;
use crate::report::{EngineNames, Outcome, Report, Solution, judged};
use crate::watch::Watch;
use crate::{Goal, Request};
use lurd_base::{Budget, Limits, Stop};
use lurd_classic::Plan;
use lurd_level::Level;
use lurd_race::observe::RaceObserver;
use lurd_race::strategy::Halt;
use lurd_race::{Finish, Totals};
use lurd_rules::Board;
use lurd_rules::push::written;
use lurd_search::Statistics;
use std::sync::Arc;

pub(crate) const NAMES: EngineNames = EngineNames {
    algorithm: "portfolio",
    formulation: "push",
    heuristic: "features+matching",
    deadlocks: &["dead-square", "freeze", "bipartite", "corral", "dead-set"],
};

/// Whether the config leaves all choices to the engine.
pub(crate) fn applies(config: &Request) -> bool {
    config.goal == Goal::Any && config.classic.are_open()
}

/// Races until a strategy finishes or a limit is reached.
pub(crate) fn run(
    level: &Level,
    board: Board,
    plans: [Plan; 2],
    config: &Request,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Report {
    if let Some(Ok(solution)) = config.known.clone().map(|known| judged(level, known)) {
        let notes = vec!["known before: nothing was searched".to_owned()];
        return Report { solution: Some(solution), ..NAMES.report(Outcome::Solved, Statistics::default(), notes) };
    }
    let board = Arc::new(board);
    let halt = Halt::new(budget.clone());
    let complete = Box::new(Complete::new(Arc::clone(&board), plans, budget.limits().memory));
    let observer = watcher.closely().then(|| RaceObserver::new(&board));
    let (ended, cost) =
        lurd_race::solve(&board, config.threads, config.share, &halt, complete, observer.as_ref(), &mut |cost| {
            // Searches that poll only this flag must stop for the other reasons too.
            if halt.is_requested() {
                halt.request();
            }
            let mut cost = *cost;
            if let Some(observer) = &observer {
                let (race, figures) = observer.race();
                watcher.raced(&race);
                // What strategies publish within their slices is newer.
                cost.figures = figures;
            }
            let statistics = statistics(&cost, budget);
            watcher.counted(&statistics);
            watcher.progress(&crate::report::progress_of(&statistics, None));
        });
    if let Some(observer) = &observer {
        watcher.raced(&observer.race().0);
    }
    let mut notes = Vec::new();
    let mut solution = None;
    let outcome = match ended {
        Finish::Solved(pushes, name) => match judged(level, written(&board, &pushes)) {
            Ok(answer) => {
                notes.push(format!("found by {name}"));
                // Where every push is needed, preparing the improver would take longer than the answer did.
                let is_shortest = cost.lower_bound.is_some_and(|fewest| answer.pushes <= fewest);
                solution = Some(match is_shortest {
                    true => answer,
                    false => shortened(level, answer, &cost, budget, &mut notes),
                });
                Outcome::Solved
            }
            Err(sentence) => {
                notes.push(sentence);
                Outcome::Exhausted
            }
        },
        Finish::Unsolvable(name) => {
            notes.push(format!("proved by {name}: every position was searched"));
            Outcome::Unsolvable
        }
        Finish::DeadStart => {
            notes.push("the start is dead: boxes off the goals are frozen, or boxes and goals do not match".to_owned());
            Outcome::Unsolvable
        }
        Finish::Spent => Outcome::Exhausted,
        Finish::Memory => Outcome::Stopped(Stop::Memory),
        Finish::Nodes => Outcome::Stopped(Stop::Nodes),
        Finish::Halted if budget.cancel().is_cancelled() => Outcome::Cancelled,
        Finish::Halted => Outcome::Stopped(Stop::Time),
    };
    notes.extend(forgotten(&cost));
    Report { solution, ..NAMES.report(outcome, statistics(&cost, budget), notes) }
}

/// What was dropped because memory was full.
fn forgotten(cost: &Totals) -> Option<String> {
    let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
    let (forgot, dropped) = (cost.figures.forgot, cost.dropped);
    let what = match (forgot, dropped) {
        (0, 0) => return None,
        (_, 0) => format!("searches forgot their least promising positions {}", times(forgot)),
        (0, _) => format!("{dropped} searches were given up"),
        _ => format!("searches forgot their least promising positions {}, and {dropped} were given up", times(forgot)),
    };
    Some(format!("memory was full: {what}"))
}

/// Shortens the solution with less work than finding it took, so that an easy level is still solved at once.
fn shortened(level: &Level, found: Solution, cost: &Totals, budget: &Budget, notes: &mut Vec<String>) -> Solution {
    const LEAST: u64 = 1_000;
    const MOST: u64 = 150_000;
    let generated = cost.figures.generated;
    let left = budget.limits().nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(generated));
    let limits = Limits {
        nodes: Some(generated.clamp(LEAST, MOST).min(left)),
        time: budget.limits().time.map(|time| time.saturating_sub(budget.elapsed())),
        memory: budget.limits().memory,
    };
    let short = Budget::new(limits, budget.cancel().clone());
    match lurd_improve::shorten(&level.map, &found.lurd, lurd_improve::Metric::Pushes, &short, &mut |_| ()) {
        Ok(better) if (better.pushes, better.moves) < (found.pushes, found.moves) => {
            notes.push(format!(
                "shortened from {} pushes, {} moves to {}, {}",
                found.pushes, found.moves, better.pushes, better.moves
            ));
            Solution { lurd: better.lurd, moves: better.moves, pushes: better.pushes }
        }
        _ => found,
    }
}

fn statistics(cost: &Totals, budget: &Budget) -> Statistics {
    Statistics {
        expanded: cost.figures.expanded,
        generated: cost.figures.generated,
        duplicates: cost.figures.duplicates,
        pruned: cost.figures.cuts.named(),
        peak_bytes: cost.peak_bytes,
        seconds: budget.elapsed().as_secs_f64(),
        ..Statistics::default()
    }
}
