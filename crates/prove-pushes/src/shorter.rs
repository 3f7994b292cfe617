//! Searches for shorter solutions with the tables of a proof, in turns beside it: in the neighbourhood of the best one,
//! and by beam search.

use crate::{Control, PartialOutcome, Prover, Turn};
use lurd_rules::{Board, Push};

/// Each search has this share of the work of the proof; beam search has more when only one length is open.
const SHARE: u64 = 4;
const LAST_LENGTH_SHARE: u64 = 2;
/// The first beam width, and how many seeds are tried before it is doubled.
const FIRST_WIDTH: usize = 250;
const SEEDS: u64 = 4;

/// The best solution, shared with whoever else looks for one.
pub trait BestSolution {
    fn pushes(&self) -> Option<Vec<Push>>;

    /// Takes a shorter one, found by a search of this name. False if it is refused.
    fn offer(&self, pushes: &[Push], search: &str) -> bool;
}

/// The next beam search.
#[derive(Clone, Copy, Debug)]
struct Beam {
    width: usize,
    seed: u64,
    /// Expansions it may use.
    credit: u64,
}

/// Where both searches stand between two turns.
#[derive(Clone, Copy, Debug)]
pub struct ShorterSearch {
    /// Boxes that may stand elsewhere in the next neighbourhood; `None` once one contained all positions.
    deviation: Option<u32>,
    beam: Beam,
}

impl Default for ShorterSearch {
    fn default() -> Self {
        Self { deviation: Some(1), beam: Beam { width: FIRST_WIDTH, seed: 0, credit: 0 } }
    }
}

impl ShorterSearch {
    /// A turn of both searches, beside one of the proof of so many expansions.
    pub fn turn(
        &mut self,
        prover: &mut dyn Prover,
        board: &Board,
        best: &dyn BestSolution,
        expansions: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) {
        self.search_neighbourhood(
            prover,
            board,
            best,
            Turn { expansions: expansions / SHARE, control, tick: &mut *tick },
        );
        // When only one length is open, a solution of that length is as likely to end the work as a proof.
        let is_last = control.upper().is_some_and(|upper| upper <= prover.lower() + 2);
        let share = if is_last { LAST_LENGTH_SHARE } else { SHARE };
        self.search_beam(prover, best, Turn { expansions: expansions / share, control, tick });
    }

    /// Searches with wider and wider beams until the expansions are used up.
    fn search_beam(&mut self, prover: &mut dyn Prover, best: &dyn BestSolution, turn: Turn<'_>) {
        let (beam, control) = (&mut self.beam, turn.control);
        beam.credit += turn.expansions;
        while let Some(upper) = control.upper().filter(|_| !control.bounds_met()) {
            // A search is started only if it is likely to complete.
            if beam.credit < beam.width as u64 * u64::from(upper) {
                return;
            }
            // A solution slightly shorter is easier to find, but under the least possible limit the bound prunes more.
            let limit = if beam.seed & 2 == 0 { upper.saturating_sub(2) } else { prover.lower() };
            let before = control.expanded();
            let part = Turn { expansions: 2 * beam.credit, control, tick: &mut *turn.tick };
            let outcome = prover.search_beam(limit, beam.width, beam.seed, part);
            beam.credit = beam.credit.saturating_sub(control.expanded() - before);
            match outcome {
                PartialOutcome::Found(pushes) if best.offer(&pushes, "by beam search") => {}
                PartialOutcome::Found(_) | PartialOutcome::Halted => return,
                PartialOutcome::Nothing { .. } | PartialOutcome::ExpansionLimit => {
                    beam.seed += 1;
                    if beam.seed.is_multiple_of(SEEDS) {
                        beam.width *= 2;
                    }
                }
            }
        }
    }

    /// Searches larger and larger neighbourhoods of the best solution until the expansions are used up.
    fn search_neighbourhood(
        &mut self,
        prover: &mut dyn Prover,
        board: &Board,
        best: &dyn BestSolution,
        turn: Turn<'_>,
    ) {
        let (end, control) = (turn.expansion_limit(), turn.control);
        while let Some(boxes) = self.deviation {
            let Some(given) = best.pushes() else { return };
            let left = end.saturating_sub(control.expanded());
            if left == 0 || control.bounds_met() {
                return;
            }
            let part = Turn { expansions: left, control, tick: &mut *turn.tick };
            match prover.search_neighbourhood(board, &given, boxes, part) {
                PartialOutcome::Found(pushes) if best.offer(&pushes, "in its neighbourhood") => {
                    self.deviation = Some(1);
                }
                PartialOutcome::Nothing { complete } => self.deviation = (!complete).then_some(boxes + 1),
                PartialOutcome::Found(_) | PartialOutcome::ExpansionLimit | PartialOutcome::Halted => return,
            }
        }
    }
}
