//! The deadlock rules of the searches that push on the feature board. All are sound.
//!
//! Cheap rules are tested for every push that is generated, expensive ones only for a position that is about to be
//! expanded.

use crate::context::Context;
use lurd_rules::bipartite::BipartiteMatching;
use lurd_rules::cuts::Rule;
use lurd_rules::dense::dead_set_tables::DeadSetQuery;
use lurd_rules::feature::articulation::Articulation;
use lurd_rules::feature::corral_search::CorralSearch;
pub(super) use lurd_rules::feature::freeze::blocks;
use lurd_rules::feature::freeze::{self, FrozenBoard, FrozenBoards};
use lurd_rules::feature::learned::LearnedSets;
use lurd_rules::feature::pi_corral::{PiCorral, PiCorrals};
use lurd_rules::feature::position::Position;
use lurd_rules::{Bits, Figures, Square};
use std::sync::Arc;

pub(super) struct PushRules<'g> {
    context: &'g Context,
    dead_sets: Option<DeadSetQuery>,
    learned: LearnedSets,
    frozen_boards: FrozenBoards,
    matching: BipartiteMatching,
    pi_corrals: PiCorrals,
    corrals: CorralSearch,
    scratch: Vec<Square>,
}

impl<'g> PushRules<'g> {
    pub(super) fn new(context: &'g Context) -> Self {
        let board = &context.board;
        Self {
            context,
            dead_sets: context.dead_sets.as_ref().map(DeadSetQuery::new),
            learned: LearnedSets::new(board),
            frozen_boards: FrozenBoards::default(),
            matching: BipartiteMatching::default(),
            pi_corrals: PiCorrals::new(board),
            corrals: CorralSearch::default(),
            scratch: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.frozen_boards.bytes() + self.corrals.bytes()
    }

    /// What a search with these figures has cost, in positions generated: an expansion costs about as much as ten
    /// positions, a step of a corral search as much as two.
    pub(super) fn effort(&self, figures: &Figures) -> u64 {
        let proofs = self.corrals.expanded() + self.learned.expanded();
        figures.generated + 10 * figures.expanded + 2 * proofs
    }

    /// Takes over tables that were finished and dead sets that were learned since the last call.
    pub(super) fn refresh(&mut self) {
        if let Some(dead_sets) = &mut self.dead_sets {
            dead_sets.refresh(0);
        }
        self.learned.refresh(&self.context.learned);
    }

    /// The rule by which a position is dead after a push to `to`. `boxes` are those of the position, with the pushed
    /// box on its new square.
    #[inline]
    pub(super) fn dead_after_push(
        &mut self,
        position: &mut Position,
        boxes: &Bits,
        to: Square,
        player: Square,
    ) -> Option<Rule> {
        let board = &self.context.board;
        let dead_set = |dead_sets: &DeadSetQuery| dead_sets.is_dead(board.board(), boxes, to, player);
        if freeze::freezes(board, &mut position.taken, &position.boxes, to, &mut self.scratch) {
            Some(Rule::Freeze)
        } else if self.dead_sets.as_ref().is_some_and(dead_set) {
            Some(Rule::DeadSet)
        } else if self.learned.is_dead_at(boxes, to, player) {
            Some(Rule::Learned)
        } else {
            None
        }
    }

    /// Marks the frozen boxes of a position as walls; they tell which squares are closed to boxes. `Err` if the
    /// position is dead: by a learned set, a frozen box off its goal, or boxes that cannot all have goals.
    pub(super) fn freeze(&mut self, position: &mut Position, boxes: &Bits) -> Result<Arc<FrozenBoard>, Rule> {
        let board = &self.context.board;
        if self.learned.is_dead(boxes, position.player) {
            return Err(Rule::Learned);
        }
        let frozen = self.frozen_boards.freeze(board, position, &mut self.scratch).map_err(|_| Rule::Freeze)?;
        let frozen = self.frozen_boards.of(board, position, frozen);
        if frozen.fits(board, position, &mut self.matching) { Ok(frozen) } else { Err(Rule::Bipartite) }
    }

    /// The PI-corral of a position after [`freeze`](Self::freeze); `Err` if some corral can never be opened. A new
    /// dead corral is minimised and stored for all searches, as long as that takes a small part of the effort.
    pub(super) fn corral(
        &mut self,
        position: &Position,
        survey: &Articulation,
        frozen: &FrozenBoard,
        figures: &Figures,
    ) -> Result<PiCorral, Rule> {
        let board = &self.context.board;
        let corral = self.pi_corrals.find(board, position, survey, &frozen.closed);
        if corral == PiCorral::Dead {
            return Err(Rule::Corral);
        }
        let Some(dead) = self.corrals.find_dead(board, position, survey) else { return Ok(corral) };
        if dead.is_new && self.learned.has_time(self.effort(figures)) {
            self.learned.learn(board, &self.context.learned, &dead);
        }
        Err(Rule::Corral)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_rules::Board;
    use lurd_rules::feature::board::{BOX, FeatureBoard};
    use lurd_rules::oracle::{Truth, levels, reachable};

    /// A box of a reachable position that has a solution never stands in a block. The other rules are tested in
    /// `lurd-rules`.
    #[test]
    fn no_box_of_a_solvable_position_stands_in_a_block() {
        for map in levels(77, 2_000) {
            let board = Arc::new(Board::new(&map).unwrap());
            let features = FeatureBoard::new(Arc::clone(&board));
            let truth = Truth::new(&board);
            for state in reachable(&board).iter().filter(|state| truth.pushes.contains_key(state)) {
                let boxes: Vec<Square> =
                    state.boxes.iter().filter(|&square| features.bare()[usize::from(square)] == 0).collect();
                let mut taken = Position::with(&features, &boxes, state.player).taken;
                for square in boxes {
                    taken[usize::from(square)] = 0;
                    let shown = || board.picture(&state.boxes, state.player);
                    assert!(!blocks(&features, &taken, square), "{square}\n{}", shown());
                    taken[usize::from(square)] = BOX;
                }
            }
        }
    }
}
