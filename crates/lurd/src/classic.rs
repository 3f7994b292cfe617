//! The classic engine: its answer goes to the referee.

use crate::report::{Proof, ProofProgress, Report, judged};
use crate::watch::Watch;
use lurd_base::Budget;
use lurd_classic::{Ended, FormulationName, Plan, Supplied, Watcher};
use lurd_level::Level;
use lurd_rules::{Board, State};
use lurd_search::Statistics;

/// Passes on what the search tells.
struct Relay<'w>(&'w mut dyn Watch);

impl Watcher for Relay<'_> {
    fn tick(&mut self, statistics: &Statistics, lower: Option<u32>) {
        self.0.counted(statistics);
        self.0.progress(&crate::report::progress_of(statistics, lower));
    }

    fn closely(&self) -> bool {
        self.0.closely()
    }

    fn expanded(&mut self, state: &State, g: u32, h: u32) {
        self.0.expanded(state, g, h);
    }
}

/// Runs a plan on a board and reports.
pub(crate) fn run(level: &Level, board: &Board, plan: &Plan, budget: &Budget, watcher: &mut dyn Watch) -> Report {
    let ended = lurd_classic::run(board, plan, budget, &mut Relay(watcher));
    report(level, plan, ended)
}

/// As [`run`], with parts that the caller supplies.
pub(crate) fn run_supplied(
    level: &Level,
    board: &Board,
    plan: &Plan,
    supplied: Supplied<'_>,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Report {
    let heuristic = supplied.heuristic.as_ref().map(|own| own.name.clone());
    let ended = lurd_classic::run_supplied(board, plan, supplied, budget, &mut Relay(watcher));
    let report = report(level, plan, ended);
    Report { heuristic: heuristic.unwrap_or_else(|| report.heuristic.clone()), ..report }
}

fn report(level: &Level, plan: &Plan, ended: Ended) -> Report {
    let counts_pushes = plan.formulation == FormulationName::Push;
    let proof = match ended.proof {
        lurd_search::Optimality::Optimal if counts_pushes => Proof::OptimalPushes,
        lurd_search::Optimality::Optimal => Proof::OptimalMoves,
        lurd_search::Optimality::AtMost(factor) => Proof::AtMost(factor),
        lurd_search::Optimality::None => Proof::None,
    };
    let answer = ended.lurd.map(|lurd| judged(level, lurd));
    let (solution, refusal) = answer.map_or((None, None), |answer| (answer.clone().ok(), answer.err()));
    let report = Report {
        outcome: ended.outcome,
        solution,
        proof,
        goal_proof: ProofProgress::NotAsked,
        then_proof: ProofProgress::NotAsked,
        stopped_by: None,
        lower_bound: ended.lower_bound,
        algorithm: plan.algorithm.to_string(),
        formulation: plan.formulation.to_string(),
        heuristic: plan.heuristic_name(),
        deadlocks: plan.detectors.iter().map(|name| name.name()).collect(),
        statistics: ended.statistics,
        notes: ended.notes,
    };
    report.without_claims_if(refusal)
}
