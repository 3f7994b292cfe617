//! What an engine says when it ends, and while it runs.

use lurd_base::Stop;
pub use lurd_classic::Outcome;
use lurd_level::Level;
use lurd_rules::Goal;
use lurd_search::Statistics;

/// What is known about the quality of an answer.
///
/// ```
/// use lurd::Proof;
/// assert_eq!(Proof::OptimalMoves.to_string(), "optimal-moves");
/// assert_eq!(Proof::AtMost(1.5).to_string(), "at-most-1.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proof {
    /// No solution has fewer pushes.
    OptimalPushes,
    /// No solution has fewer moves.
    OptimalMoves,
    /// No solution is shorter by more than this factor (in pushes or moves, as the goal says).
    AtMost(f64),
    /// Nothing.
    None,
}

impl Proof {
    /// What a solution of this length is worth while nothing below the bound exists: the factor is rounded up, so
    /// that what it says stays true.
    pub(crate) fn between(lower: u32, length: usize) -> Self {
        const DIGITS: f64 = 1000.0;
        Self::AtMost((length as f64 / f64::from(lower) * DIGITS).ceil() / DIGITS)
    }
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OptimalPushes => f.write_str("optimal-pushes"),
            Self::OptimalMoves => f.write_str("optimal-moves"),
            Self::AtMost(factor) => write!(f, "at-most-{factor}"),
            Self::None => f.write_str("none"),
        }
    }
}

/// How far the proof of what was asked for came.
///
/// ```
/// use lurd::{Goal, Level, ProofProgress};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// assert_eq!(lurd::solve(&level)?.goal_proof, ProofProgress::NotAsked);
/// assert_eq!(lurd::prove(&level, Goal::Pushes)?.goal_proof, ProofProgress::Finished);
/// assert_eq!(ProofProgress::Unfinished.name(), Some("unfinished"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProofProgress {
    /// Nothing was to be proved.
    #[default]
    NotAsked,
    /// It was to be proved, and is not.
    Unfinished,
    /// It is proved: the answer is optimal, or there is none.
    Finished,
}

impl ProofProgress {
    /// The word for it; none if nothing was to be proved.
    ///
    /// ```
    /// assert_eq!(lurd::ProofProgress::Finished.name(), Some("finished"));
    /// ```
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::NotAsked => None,
            Self::Unfinished => Some("unfinished"),
            Self::Finished => Some("finished"),
        }
    }

    pub(crate) fn finished_if(finished: bool) -> Self {
        if finished { Self::Finished } else { Self::Unfinished }
    }
}

/// An answer, replayed by the referee.
///
/// ```
/// let level = lurd::Level::parse("#######\n#@ $ .#\n#######")?;
/// let solution = lurd::solve(&level)?.solution.ok_or("it can be solved")?;
/// assert_eq!((solution.lurd.as_str(), solution.moves, solution.pushes), ("rRR", 3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The moves in LURD, pushes in capitals.
    pub lurd: String,
    /// All letters.
    pub moves: usize,
    /// Capital letters.
    pub pushes: usize,
}

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

/// The work on one level, under way.
///
/// ```
/// use lurd::{Level, Solver};
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let mut solver = Solver::new().on_progress(|now| eprintln!("{:.1} s, {} positions", now.seconds, now.expanded));
/// assert!(solver.solve(&level)?.solution.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Seconds since the start.
    pub seconds: f64,
    /// States expanded.
    pub expanded: u64,
    /// States generated.
    pub generated: u64,
    /// Bytes held.
    pub bytes: usize,
    /// No solution is below this.
    pub lower_bound: Option<u32>,
}

impl Progress {
    /// What the counts of a search and its lower bound say.
    ///
    /// ```
    /// use lurd::{Progress, Statistics};
    /// let statistics = Statistics { expanded: 7, ..Statistics::default() };
    /// assert_eq!(Progress::of(&statistics, Some(42)).expanded, 7);
    /// ```
    pub fn of(statistics: &Statistics, lower_bound: Option<u32>) -> Self {
        Self {
            seconds: statistics.seconds,
            expanded: statistics.expanded,
            generated: statistics.generated,
            bytes: statistics.peak_bytes,
            lower_bound,
        }
    }
}

/// Has the referee replay an answer on the level's own text.
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
