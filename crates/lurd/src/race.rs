//! The race engine: runs the portfolio, writes the solution as LURD, has it judged by the referee.

use crate::complete::Complete;
use crate::incumbent::Incumbent;
use crate::report::{EngineNames, Outcome, Report, judged, progress_of};
use crate::watch::Watch;
use crate::{Goal, Request, Solution, SolveError, Task};
use lurd_base::{Budget, Limits, Stop};
use lurd_improve::Metric;
use lurd_race::observe::RaceObserver;
use lurd_race::strategy::Halt;
use lurd_race::{Finish, Totals};
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
pub(crate) fn run(task: Task<'_>, watcher: &mut dyn Watch) -> Result<Report, SolveError> {
    let Task { level, board, config, budget } = task;
    let known = config.known.clone().map(|known| judged(level, known));
    if let Some(Ok(solution)) = known {
        let notes = vec!["known before: nothing was searched".to_owned()];
        return Ok(Report { solution: Some(solution), ..NAMES.report(Outcome::Solved, Statistics::default(), notes) });
    }
    let plans = Complete::plans(&config.classic)?;
    let halt = Halt::new(budget.clone());
    let complete = Box::new(Complete::new(Arc::clone(board), plans, budget.limits().memory));
    let observer = watcher.closely().then(|| RaceObserver::new(board));
    let (ended, cost) =
        lurd_race::solve(board, config.threads, config.share, &halt, complete, observer.as_ref(), &mut |cost| {
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
            watcher.progress(&progress_of(&statistics, None));
        });
    if let Some(observer) = &observer {
        watcher.raced(&observer.race().0);
    }
    let mut notes = Vec::new();
    let mut solution = None;
    let outcome = match ended {
        Finish::Solved(pushes, name) => match judged(level, written(board, &pushes)) {
            Ok(answer) => {
                notes.push(format!("found by {name}"));
                // Where every push is needed, preparing the improver would take longer than the answer did.
                let is_shortest = cost.lower_bound.is_some_and(|fewest| answer.pushes <= fewest);
                solution = Some(match is_shortest {
                    true => answer,
                    false => shortened(task, answer, &cost, &mut notes),
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
        Finish::Halted => budget.halt().unwrap_or(lurd_base::Halt::Cancelled).into(),
    };
    notes.extend(forgotten(&cost));
    Ok(Report { solution, ..NAMES.report(outcome, statistics(&cost, budget), notes) })
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
fn shortened(task: Task<'_>, found: Solution, cost: &Totals, notes: &mut Vec<String>) -> Solution {
    const LEAST: u64 = 1_000;
    const MOST: u64 = 150_000;
    let incumbent = Incumbent::new(task, Metric::Pushes, &|_, _| ());
    incumbent.take(found.clone(), |_| String::new());
    let limits = Limits { nodes: Some(cost.figures.generated.clamp(LEAST, MOST)), ..task.budget.left() };
    incumbent.improve(limits, 1, 0, None);
    let better = incumbent.solution().unwrap_or_else(|| found.clone());
    if better != found {
        notes.push(format!(
            "shortened from {} pushes, {} moves to {}, {}",
            found.pushes, found.moves, better.pushes, better.moves
        ));
    }
    better
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
