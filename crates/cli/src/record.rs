//! A report as the outside world sees it: the JSON object of the contract, and the words
//! that tables use for the same things.

use lurd::{Level, Outcome, Report};
use lurd_base::Stop;
use serde::Serialize;
use std::collections::BTreeMap;

/// One level's result as `--json` prints it. The names and their order are a contract.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The level's number in its file, from 1.
    pub level: usize,
    /// Its title, empty if it has none.
    pub title: String,
    /// `solved`, `unsolvable`, `stopped` or `cancelled`.
    pub outcome: &'static str,
    /// The limit that ended the search, or a proof that has an answer already. A search that ended without an answer
    /// and without a proof, because rules that can lose solutions were at work, is `stopped` by no limit: its notes say
    /// why.
    pub stopped_by: Option<&'static str>,
    /// The answer in LURD.
    pub solution: Option<String>,
    /// All its letters.
    pub moves: Option<usize>,
    /// Its capital letters.
    pub pushes: Option<usize>,
    /// What is known about its quality.
    pub proof: String,
    /// No solution is below this.
    pub lower_bound: Option<u32>,
    /// The algorithm that ran.
    pub algorithm: String,
    /// The formulation it ran on.
    pub formulation: String,
    /// The heuristic, player term included.
    pub heuristic: String,
    /// The detectors at work.
    pub deadlocks: Vec<&'static str>,
    /// States expanded.
    pub expanded: u64,
    /// Successors made.
    pub generated: u64,
    /// Successors known already.
    pub duplicates: u64,
    /// Successors cut, by detector.
    pub pruned: BTreeMap<&'static str, u64>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Most bytes the search held.
    pub peak_bytes: usize,
    /// `finished` or `unfinished`, where the goal asks for a proof.
    pub goal_proof: Option<&'static str>,
    /// The same for the second goal.
    pub then_proof: Option<&'static str>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Record {
    /// The record of a report.
    pub fn new(level: &Level, report: &Report) -> Self {
        let statistics = &report.statistics;
        Self {
            level: level.number,
            title: level.title.clone().unwrap_or_default(),
            outcome: outcome(report.outcome),
            stopped_by: report.stopped_by.map(Stop::name),
            solution: report.solution.as_ref().map(|solution| solution.lurd.clone()),
            moves: report.solution.as_ref().map(|solution| solution.moves),
            pushes: report.solution.as_ref().map(|solution| solution.pushes),
            proof: report.proof.to_string(),
            lower_bound: report.lower_bound,
            algorithm: report.algorithm.clone(),
            formulation: report.formulation.clone(),
            heuristic: report.heuristic.clone(),
            deadlocks: report.deadlocks.clone(),
            expanded: statistics.expanded,
            generated: statistics.generated,
            duplicates: statistics.duplicates,
            pruned: statistics.pruned.clone(),
            seconds: statistics.seconds,
            peak_bytes: statistics.peak_bytes,
            goal_proof: report.goal_proof.name(),
            then_proof: report.then_proof.name(),
            notes: report.notes.clone(),
        }
    }
}

/// The contract's word for how a search ended.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Solved => "solved",
        Outcome::Unsolvable => "unsolvable",
        Outcome::Exhausted | Outcome::Stopped(_) => "stopped",
        Outcome::Cancelled => "cancelled",
    }
}

/// The contract's word for the limit that ended a search.
pub fn stopped_by(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Stopped(stop) => Some(stop.name()),
        _ => None,
    }
}

/// How a search ended, for people.
pub fn in_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Solved => "solved",
        Outcome::Unsolvable => "unsolvable",
        Outcome::Exhausted => "nothing found",
        Outcome::Stopped(Stop::Time) => "time limit",
        Outcome::Stopped(Stop::Memory) => "memory limit",
        Outcome::Stopped(Stop::Nodes) => "node limit",
        Outcome::Stopped(Stop::Depth) => "depth limit",
        Outcome::Stopped(Stop::Disk) => "disk limit",
        Outcome::Cancelled => "cancelled",
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use lurd::{Map, Proof, Solution};
    use lurd_search::Statistics;

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

    #[test]
    fn the_object_has_the_fields_of_the_contract_in_its_order() {
        let map = Map::from_xsb("#####\n#@$.#\n#####").unwrap();
        let level = Level { number: 3, title: Some("Ti\"tle".into()), ..Level::new(map) };
        let record = Record::new(&level, &made_up(Outcome::Solved));
        assert_eq!(
            serde_json::to_string(&record).unwrap(),
            r#"{"level":3,"title":"Ti\"tle","outcome":"solved","stopped_by":null,"solution":"rR","moves":2,"pushes":1,"#
                .to_owned()
                + r#""proof":"at-most-1.5","lower_bound":1,"algorithm":"weighted-a-star","formulation":"push","#
                + r#""heuristic":"matching","deadlocks":["corner","freeze"],"expanded":5,"generated":8,"duplicates":2,"#
                + r#""pruned":{"corner":3},"seconds":0.25,"peak_bytes":4096,"goal_proof":null,"then_proof":null,"notes":[]}"#
        );
    }

    #[test]
    fn every_ending_has_its_words() {
        let words = |ending| (outcome(ending), stopped_by(ending));
        assert_eq!(words(Outcome::Unsolvable), ("unsolvable", None));
        assert_eq!(words(Outcome::Stopped(Stop::Memory)), ("stopped", Some("memory")));
        assert_eq!(words(Outcome::Stopped(Stop::Depth)), ("stopped", Some("depth")));
        assert_eq!(words(Outcome::Exhausted), ("stopped", None));
        assert_eq!(words(Outcome::Cancelled), ("cancelled", None));
    }
}
