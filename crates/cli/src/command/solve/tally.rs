//! The summary of a run and the exit code that follows from it.

use crate::exit::Exit;
use crate::units;
use lurd::{Outcome, ProofProgress, Report};
use std::fmt;

/// How many levels ended how.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    solved: usize,
    unsolvable: usize,
    stopped: usize,
    cancelled: usize,
    /// Answers without the proof that was asked for.
    unproved: usize,
    pushes: usize,
    moves: usize,
    seconds: f64,
    expanded: u64,
    /// Levels or choices the engine could not take.
    pub(super) refused: usize,
    /// Levels not begun because of Ctrl-C.
    pub(super) untried: usize,
    /// Whether Ctrl-C was pressed.
    pub(super) interrupted: bool,
}

impl Tally {
    pub(super) fn add(&mut self, report: &Report) {
        match report.outcome {
            Outcome::Solved => self.solved += 1,
            Outcome::Unsolvable => self.unsolvable += 1,
            Outcome::Exhausted | Outcome::Stopped(_) => self.stopped += 1,
            Outcome::Cancelled => self.cancelled += 1,
        }
        if let Some(solution) = &report.solution {
            let unfinished = [report.goal_proof, report.then_proof].contains(&ProofProgress::Unfinished);
            self.unproved += usize::from(unfinished);
            self.pushes += solution.pushes;
            self.moves += solution.moves;
        }
        self.seconds += report.statistics.seconds;
        self.expanded += report.statistics.expanded;
    }

    pub(super) fn seen(&self) -> usize {
        self.solved + self.unsolvable + self.stopped + self.cancelled + self.refused
    }

    /// The exit code; with `require_proof` an answer that is not proved counts like none.
    pub(super) fn exit(&self, require_proof: bool) -> Exit {
        let unproved = if require_proof { self.unproved } else { 0 };
        [
            (self.interrupted, Exit::Interrupted),
            (self.refused > 0, Exit::Usage),
            (self.unsolvable > 0, Exit::Unsolvable),
            (self.stopped + self.untried + unproved > 0, Exit::Incomplete),
        ]
        .into_iter()
        .find_map(|(holds, exit)| holds.then_some(exit))
        .unwrap_or(Exit::Success)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} solved", self.solved, units::plural(self.seen() + self.untried, "level", "levels"))?;
        let others = [
            (self.unproved, "not proved"),
            (self.unsolvable, "proved unsolvable"),
            (self.stopped, "stopped"),
            (self.cancelled, "cancelled"),
            (self.refused, "not searched"),
            (self.untried, "not begun"),
        ];
        for (number, what) in others.into_iter().filter(|&(number, _)| number > 0) {
            write!(f, ", {number} {what}")?;
        }
        write!(
            f,
            "; {}, {} nodes expanded, {} of search",
            units::lengths(self.pushes, self.moves),
            units::count(self.expanded),
            units::seconds(self.seconds)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::made_up;
    use lurd_base::Stop;

    fn tally(outcomes: &[Outcome]) -> Tally {
        let mut tally = Tally::default();
        outcomes.iter().for_each(|&outcome| tally.add(&made_up(outcome)));
        tally
    }

    #[test]
    fn the_exit_code_tells_the_worst() {
        let stopped = Outcome::Stopped(Stop::Time);
        assert_eq!(tally(&[Outcome::Solved]).exit(false), Exit::Success);
        assert_eq!(tally(&[Outcome::Solved, stopped]).exit(false), Exit::Incomplete);
        assert_eq!(tally(&[Outcome::Solved, Outcome::Exhausted]).exit(false), Exit::Incomplete);
        assert_eq!(tally(&[Outcome::Unsolvable, stopped]).exit(false), Exit::Unsolvable);
        let interrupted = Tally { interrupted: true, ..tally(&[Outcome::Unsolvable]) };
        assert_eq!(interrupted.exit(false), Exit::Interrupted);
        let refused = Tally { refused: 1, ..tally(&[Outcome::Unsolvable]) };
        assert_eq!(refused.exit(false), Exit::Usage);
    }

    #[test]
    fn an_unproved_answer_counts_where_proof_is_required() {
        let mut report = made_up(Outcome::Solved);
        let exit = |report: &Report, require| {
            let mut tally = Tally::default();
            tally.add(report);
            tally.exit(require)
        };
        assert_eq!(exit(&report, true), Exit::Success);
        report.then_proof = ProofProgress::Unfinished;
        assert_eq!((exit(&report, false), exit(&report, true)), (Exit::Success, Exit::Incomplete));
        (report.goal_proof, report.then_proof) = (ProofProgress::Unfinished, ProofProgress::NotAsked);
        assert_eq!(exit(&report, true), Exit::Incomplete);
    }

    #[test]
    fn the_summary_counts_everything() {
        let mut tally = tally(&[Outcome::Solved, Outcome::Unsolvable, Outcome::Cancelled]);
        tally.untried = 2;
        assert_eq!(
            tally.to_string(),
            "1 of 5 levels solved, 1 proved unsolvable, 1 cancelled, 2 not begun; \
             1 push, 2 moves, 15 nodes expanded, 0.750 s of search"
        );
    }
}
