//! Reports for tests of printing.

use lurd::{Level, Outcome, Proof, Report, Solution};
use lurd_search::Statistics;
use std::collections::BTreeMap;

/// A report nobody measured, for tests of printing.
pub(crate) fn made_up(outcome: Outcome) -> Report {
    let solved = outcome == Outcome::Solved;
    let mut report = lurd::solve(&Level::parse("#####\n#@$.#\n#####").unwrap()).unwrap();
    report.outcome = outcome;
    report.solution = solved.then(|| Solution { lurd: "rR".into(), moves: 2, pushes: 1 });
    report.proof = if solved { Proof::AtMost(1.5) } else { Proof::None };
    report.lower_bound = solved.then_some(1);
    report.algorithm = "weighted-a-star".into();
    report.formulation = "push".into();
    report.heuristic = "matching".into();
    report.deadlocks = vec!["corner", "freeze"];
    report.statistics = Statistics {
        expanded: 5,
        generated: 8,
        duplicates: 2,
        pruned: BTreeMap::from([("corner", 3)]),
        seconds: 0.25,
        peak_bytes: 4096,
        ..Statistics::default()
    };
    report.stopped_by = match outcome {
        Outcome::Stopped(stop) => Some(stop),
        _ => None,
    };
    report.notes.clear();
    report
}
