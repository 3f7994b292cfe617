//! What an engine says when it ends, and while it runs.

use lurd_base::Stop;
pub use lurd_classic::Outcome;
use lurd_contract::{Ending, Record};
pub(crate) use lurd_contract::{Progress, Proof, ProofProgress, Solution};
use lurd_level::Level;
use lurd_rules::Goal;
use lurd_search::Statistics;

/// The work on one level, ended.
///
/// ```
/// use lurd::{Goal, Level, Outcome};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let report = lurd::prove(&level, Goal::Pushes)?;
/// assert_eq!((report.outcome, report.lower_bound), (Outcome::Solved, Some(2)));
/// assert_eq!(report.proof.to_string(), "optimal-pushes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// The answer, if there is one.
    pub solution: Option<Solution>,
    /// What is known about its quality.
    pub proof: Proof,
    /// Whether the goal is proved: fewest pushes or fewest moves.
    pub goal_proof: ProofProgress,
    /// Whether the second goal is proved.
    pub then_proof: ProofProgress,
    /// The limit that ended the search, or a proof that has an answer already.
    pub stopped_by: Option<Stop>,
    /// No solution is below this (pushes or moves, whichever the search counted), if anything is known.
    pub lower_bound: Option<u32>,
    /// The algorithm that ran, e.g. `a-star`.
    pub algorithm: String,
    /// `push`, `move` or `walk`.
    pub formulation: String,
    /// The heuristic, player term included, e.g. `nearest-manhattan+player-ids`.
    pub heuristic: String,
    /// The detectors that were at work.
    pub deadlocks: Vec<&'static str>,
    /// What the search cost.
    pub statistics: Statistics,
    /// What a reader should know: which choices are unsound or inadmissible, what happened on the way.
    pub notes: Vec<String>,
}

impl Report {
    /// The report as it crosses a border: the one object that command line, page, Python and batch runs pass on.
    ///
    /// ```
    /// use lurd::Level;
    /// let level = Level::parse("#######\n#@ $ .#\n#######")?;
    /// let record = lurd::solve(&level)?.record(&level);
    /// assert_eq!((record.outcome.name(), record.solution.as_deref()), ("solved", Some("rRR")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&self, level: &Level) -> Record {
        let statistics = &self.statistics;
        Record {
            level: Some(level.number),
            title: level.title.clone().unwrap_or_default(),
            outcome: ending(self.outcome),
            stopped_by: self.stopped_by.map(|stop| stop.name().to_owned()),
            solution: self.solution.as_ref().map(|solution| solution.lurd.clone()),
            moves: self.solution.as_ref().map(|solution| solution.moves),
            pushes: self.solution.as_ref().map(|solution| solution.pushes),
            proof: self.proof,
            lower_bound: self.lower_bound,
            algorithm: self.algorithm.clone(),
            formulation: self.formulation.clone(),
            heuristic: self.heuristic.clone(),
            deadlocks: self.deadlocks.iter().map(|&rule| rule.to_owned()).collect(),
            goal_proof: self.goal_proof,
            then_proof: self.then_proof,
            notes: self.notes.clone(),
            ..counted(statistics)
        }
    }

    /// How it ended, for people: `solved`, `time limit`, `nothing found`.
    ///
    /// ```
    /// let level = lurd::Level::parse("#######\n#@ $ .#\n#######")?;
    /// assert_eq!(lurd::solve(&level)?.in_words(), "solved");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_words(&self) -> String {
        ending(self.outcome).in_words(self.stopped_by.map(lurd_base::Stop::name))
    }

    /// Takes back what an engine claims whose answer the referee refused, with the sentence that says why. This cannot
    /// happen unless the engine is wrong: then nothing it says is worth passing on. A solution from elsewhere stays.
    pub(crate) fn without_claims_if(mut self, refusal: Option<String>) -> Self {
        if let Some(sentence) = refusal {
            self.notes.push(sentence);
            self.outcome = if self.solution.is_some() { Outcome::Solved } else { Outcome::Exhausted };
            (self.proof, self.lower_bound) = (Proof::None, None);
            self.then_proof = ProofProgress::NotAsked;
        }
        self
    }

    /// Adds what follows from the rest, whichever engine wrote it: how far the proofs came, which limit ended the search,
    /// and a reason where it ended without an answer and without a limit. A solution without a move is the shortest.
    pub(crate) fn settled(mut self, goal: Goal, then: Option<Goal>) -> Self {
        if self.solution.as_ref().is_some_and(|solution| solution.moves == 0) {
            self.outcome = Outcome::Solved;
            self.proof = if goal == Goal::Moves { Proof::OptimalMoves } else { Proof::OptimalPushes };
            (self.lower_bound, self.stopped_by, self.then_proof) = (Some(0), None, ProofProgress::Finished);
        }
        if let Outcome::Stopped(stop) = self.outcome {
            self.stopped_by = Some(stop);
        }
        let unsolvable = self.outcome == Outcome::Unsolvable;
        self.goal_proof = match goal {
            Goal::Any if unsolvable => ProofProgress::Finished,
            Goal::Any => ProofProgress::NotAsked,
            Goal::Pushes => ProofProgress::finished_if(unsolvable || self.proof == Proof::OptimalPushes),
            Goal::Moves => ProofProgress::finished_if(unsolvable || self.proof == Proof::OptimalMoves),
        };
        self.then_proof = match then {
            None => ProofProgress::NotAsked,
            Some(_) => ProofProgress::finished_if(unsolvable || self.then_proof == ProofProgress::Finished),
        };
        if self.outcome == Outcome::Exhausted && self.notes.is_empty() {
            self.notes
                .push("the search ended without an answer: it does not try everything, so nothing is proved".into());
        }
        self
    }
}

/// The word for how a search ended.
///
/// ```
/// use lurd::{Outcome, Stop, ending};
/// assert_eq!(ending(Outcome::Stopped(Stop::Time)).name(), "stopped");
/// ```
pub fn ending(outcome: Outcome) -> Ending {
    match outcome {
        Outcome::Solved => Ending::Solved,
        Outcome::Unsolvable => Ending::Unsolvable,
        Outcome::Exhausted | Outcome::Stopped(_) => Ending::Stopped,
        Outcome::Cancelled => Ending::Cancelled,
    }
}

/// A record of nothing but what a search cost.
///
/// ```
/// use lurd::Statistics;
/// assert_eq!(lurd::counted(&Statistics { expanded: 7, ..Statistics::default() }).expanded, 7);
/// ```
pub fn counted(statistics: &Statistics) -> Record {
    Record {
        expanded: statistics.expanded,
        generated: statistics.generated,
        duplicates: statistics.duplicates,
        reopened: statistics.reopened,
        pruned: statistics.pruned.iter().map(|(&rule, &count)| (rule.to_owned(), count)).collect(),
        seconds: statistics.seconds,
        peak_frontier: statistics.peak_frontier,
        peak_bytes: statistics.peak_bytes,
        heuristic_bytes: statistics.heuristic_bytes,
        ..Record::default()
    }
}

/// The names under which an engine appears in reports.
pub(crate) struct EngineNames {
    pub(crate) algorithm: &'static str,
    pub(crate) formulation: &'static str,
    pub(crate) heuristic: &'static str,
    pub(crate) deadlocks: &'static [&'static str],
}

impl EngineNames {
    /// A report that claims nothing yet.
    pub(crate) fn report(&self, outcome: Outcome, statistics: Statistics, notes: Vec<String>) -> Report {
        Report {
            outcome,
            solution: None,
            proof: Proof::None,
            goal_proof: ProofProgress::NotAsked,
            then_proof: ProofProgress::NotAsked,
            stopped_by: None,
            lower_bound: None,
            algorithm: self.algorithm.into(),
            formulation: self.formulation.into(),
            heuristic: self.heuristic.into(),
            deadlocks: self.deadlocks.to_vec(),
            statistics,
            notes,
        }
    }
}

/// How far a search is, by its counts and its lower bound.
///
/// ```
/// use lurd::{Statistics, progress_of};
/// assert_eq!(progress_of(&Statistics { expanded: 7, ..Statistics::default() }, Some(42)).expanded, 7);
/// ```
pub fn progress_of(statistics: &Statistics, lower_bound: Option<u32>) -> Progress {
    Progress {
        seconds: statistics.seconds,
        expanded: statistics.expanded,
        generated: statistics.generated,
        bytes: statistics.peak_bytes,
        lower_bound,
    }
}

/// Has the referee replay an answer on the level as a drawing, which it reads by itself.
pub(crate) fn judged(level: &Level, lurd: String) -> Result<Solution, String> {
    match lurd_referee::judge(&level.map.to_string(), &lurd) {
        Ok(verdict) if verdict.solved => Ok(Solution { lurd, moves: verdict.moves, pushes: verdict.pushes }),
        Ok(_) => {
            Err("the referee refused the answer: boxes were left off their goals; please report this level".into())
        }
        Err(fault) => Err(format!("the referee refused the answer: {fault}; please report this level")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neither a bound nor a proof of an engine is passed on whose answer was refused; a solution from elsewhere is.
    #[test]
    fn a_refused_answer_costs_every_claim() {
        let level = Level::parse("#####\n#@$.#\n#####").unwrap();
        let refusal = || judged(&level, "L".into()).err();
        let report = crate::prove(&level, lurd_rules::Goal::Pushes).unwrap();
        assert_eq!(report.clone().without_claims_if(None).lower_bound, Some(1));
        let known = report.clone().without_claims_if(refusal());
        assert_eq!((known.outcome, known.proof, known.lower_bound), (Outcome::Solved, Proof::None, None));
        assert!(known.notes.iter().any(|note| note.contains("the referee refused the answer")), "{:?}", known.notes);
        let nothing = Report { solution: None, ..report }.without_claims_if(refusal());
        assert_eq!((nothing.outcome, nothing.proof, nothing.lower_bound), (Outcome::Exhausted, Proof::None, None));
    }
}
