//! Any solution, soon: two searches take turns.
//!
//! Some levels give way to pushing, others to pulling, and nobody knows beforehand. So A*
//! over pushes (greedy after a while) and greedy search over pulls take turns, each turn
//! from scratch with four times the nodes of the one before: at most a third of the work
//! is done twice, and the run is the same on every machine.

use super::classic;
use super::config::{AlgorithmName, Config, Goal};
use super::plan::Plan;
use super::report::{Outcome, Progress, Report};
use crate::Level;
use crate::board::Board;
use search::{Budget, Limits, Statistics, Stop};

/// Nodes a search may generate in its first turn: most levels need no second.
const FIRST_TURN: u64 = 250_000;

/// Whether the config leaves everything to the engine.
pub(super) fn applies(config: &Config) -> bool {
    config.goal == Goal::Any
        && config.algorithm.is_none()
        && config.formulation.is_none()
        && config.estimate.is_none()
        && config.player_term.is_none()
        && config.detectors.is_none()
        && config.fallback_after.is_none()
        && !config.reverse
}

/// Takes turns until one search ends by itself or a limit does.
pub(super) fn run(
    level: &Level,
    board: &Board,
    plan: &Plan,
    pulls: &Plan,
    config: &Config,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    let mut spent = Statistics::default();
    let mut turns = vec![plan, pulls];
    let mut turn = FIRST_TURN;
    loop {
        let mut index = 0;
        while index < turns.len() {
            let left = budget.limits().nodes.map(|limit| limit.saturating_sub(spent.generated));
            let nodes = left.map_or(turn, |left| left.min(turn));
            let limits = Limits { nodes: Some(nodes), ..*budget.limits() };
            let mut report = classic::run(level, board, config, turns[index], &budget.with_limits(limits), progress);
            add(&mut spent, &report.statistics);
            match report.outcome {
                Outcome::Stopped(Stop::Nodes) if left.is_none_or(|left| left > turn) => index += 1,
                // The other search may need less memory.
                Outcome::Stopped(Stop::Memory) if turns.len() > 1 => {
                    turns.remove(index);
                }
                _ => {
                    if turns[index].reverse && report.outcome == Outcome::Solved {
                        report.notes.push("found backwards, by pulling boxes from their goals".into());
                    }
                    report.statistics = spent;
                    return report;
                }
            }
        }
        turn = turn.saturating_mul(4);
    }
}

/// The plan of the search that pulls.
pub(super) fn pulling(config: &Config) -> Config {
    Config { reverse: true, algorithm: Some(AlgorithmName::Greedy), ..config.clone() }
}

fn add(total: &mut Statistics, part: &Statistics) {
    total.expanded += part.expanded;
    total.generated += part.generated;
    total.duplicates += part.duplicates;
    total.reopened += part.reopened;
    for (&reason, &count) in &part.pruned {
        *total.pruned.entry(reason).or_default() += count;
    }
    total.peak_frontier = total.peak_frontier.max(part.peak_frontier);
    total.peak_bytes = total.peak_bytes.max(part.peak_bytes);
    total.heuristic_bytes = total.heuristic_bytes.max(part.heuristic_bytes);
    total.seconds = part.seconds;
}
