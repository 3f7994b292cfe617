//! The champion engine behind the one door: races on the level, writes the answer out, has it judged.

use super::classic;
use super::complete::Complete;
use super::config::{Config, Goal};
use super::plan::Plan;
use super::report::{Outcome, Progress, Proof, Report, Solution};
use super::watch::Watch;
use crate::Level;
use crate::bits::Bits;
use crate::board::Board;
use crate::champion::strategy::{Halt, Push};
use crate::champion::view::Window;
use crate::champion::{self, Finish, Standing};
use crate::improve;
use crate::square::NO_SQUARE;
use crate::walker::Walker;
use search::{Budget, Limits, Statistics, Stop};
use std::sync::Arc;

/// What the engine is called in reports.
pub(super) const ALGORITHM: &str = "champion";
/// What guides it.
pub(super) const HEURISTIC: &str = "features+matching";
/// The rules at work in it.
pub(super) const DEADLOCKS: [&str; 5] = ["dead-square", "freeze", "bipartite", "corral", "dead-set"];

/// Whether the config leaves everything to the engine.
pub(super) fn applies(config: &Config) -> bool {
    config.goal == Goal::Any && leaves_everything_open(config)
}

/// Whether the config names nothing but its goal and limits.
pub(super) fn leaves_everything_open(config: &Config) -> bool {
    config.algorithm.is_none()
        && config.formulation.is_none()
        && config.estimate.is_none()
        && config.player_term.is_none()
        && config.detectors.is_none()
        && config.fallback_after.is_none()
        && !config.reverse
}

/// Races until somebody finishes or a limit ends it.
pub(super) fn run(
    level: &Level,
    board: Board,
    plans: [Plan; 2],
    config: &Config,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Report {
    let board = Arc::new(board);
    let halt = Halt::new(budget.clone());
    let complete = Box::new(Complete::new(level, Arc::clone(&board), plans, config, budget.limits().memory));
    let window = watcher.closely().then(|| Window::new(&board));
    let (ended, cost) = champion::solve(&board, config.threads, &halt, complete, window.as_ref(), &mut |cost| {
        // Searches that watch only this flag must hear of the other.
        if halt.called() {
            halt.call();
        }
        let mut cost = *cost;
        if let Some(window) = &window {
            let (race, figures) = window.look();
            watcher.raced(&race);
            // What is seen in the middle of turns is newer.
            cost.figures = figures;
        }
        watcher.counted(&statistics(&cost, budget));
        watcher.progress(&Progress {
            seconds: budget.elapsed().as_secs_f64(),
            expanded: cost.figures.expanded,
            generated: cost.figures.generated,
            bytes: cost.peak_bytes,
            lower_bound: None,
        });
    });
    if let Some(window) = &window {
        watcher.raced(&window.look().0);
    }
    let mut notes = Vec::new();
    let mut solution = None;
    let outcome = match ended {
        Finish::Solved(pushes, name) => match classic::judged(level, written(&board, &pushes)) {
            Ok(answer) => {
                notes.push(format!("found by {name}"));
                solution = Some(shortened(level, answer, &cost, budget, &mut notes));
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
        Finish::Spent => Outcome::Exhausted,
        Finish::Memory => Outcome::Stopped(Stop::Memory),
        Finish::Nodes => Outcome::Stopped(Stop::Nodes),
        Finish::Halted if budget.cancel().is_cancelled() => Outcome::Cancelled,
        Finish::Halted => Outcome::Stopped(Stop::Time),
    };
    notes.extend(forgotten(&cost));
    Report {
        outcome,
        solution,
        proof: Proof::None,
        lower_bound: None,
        algorithm: ALGORITHM.into(),
        formulation: "push".into(),
        heuristic: HEURISTIC.into(),
        deadlocks: DEADLOCKS.to_vec(),
        statistics: statistics(&cost, budget),
        notes,
    }
}

/// What had to be given up for want of memory.
fn forgotten(cost: &Standing) -> Option<String> {
    let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
    let (forgot, let_go) = (cost.figures.forgot, cost.let_go);
    let what = match (forgot, let_go) {
        (0, 0) => return None,
        (_, 0) => format!("searches forgot their least promising positions {}", times(forgot)),
        (0, _) => format!("{let_go} searches were given up"),
        _ => format!("searches forgot their least promising positions {}, and {let_go} were given up", times(forgot)),
    };
    Some(format!("memory was full: {what}"))
}

/// A little of the work goes into making the answer shorter: less than finding it took, so that an easy level
/// still answers at once.
fn shortened(level: &Level, found: Solution, cost: &Standing, budget: &Budget, notes: &mut Vec<String>) -> Solution {
    const LEAST: u64 = 1_000;
    const MOST: u64 = 150_000;
    let limits = Limits {
        nodes: Some(cost.figures.generated.clamp(LEAST, MOST)),
        time: budget.limits().time.map(|time| time.saturating_sub(budget.elapsed())),
        memory: budget.limits().memory,
    };
    let short = Budget::new(limits, budget.cancel().clone());
    match improve::shorten(&level.map, &found.lurd, improve::Goal::Pushes, &short, &mut |_| ()) {
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

fn statistics(cost: &Standing, budget: &Budget) -> Statistics {
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

/// The pushes as LURD, joined by shortest walks. Stops short where a push cannot be made: the referee will say so.
pub(super) fn written(board: &Board, pushes: &[Push]) -> String {
    let mut walker = Walker::new(board);
    let mut boxes = Bits::of(board.len(), board.start_boxes().iter().copied());
    let mut player = board.start_player();
    let mut lurd = String::new();
    for push in pushes {
        let behind = board.neighbour(push.from, push.direction.opposite());
        let to = board.neighbour(push.from, push.direction);
        if behind == NO_SQUARE || to == NO_SQUARE || !walker.walk(board, &boxes, player, behind, &mut lurd) {
            return lurd;
        }
        lurd.push(push.direction.letter(true));
        boxes.shift(push.from, to);
        player = push.from;
    }
    lurd
}
