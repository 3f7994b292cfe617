//! Dead positions for engines that prove: freeze, corral search and learned dead sets.
//!
//! The feature-space searches use the same rules, but accept a verdict that is cached by its key alone. A proof must not:
//! here a position is dead only by a search made for it, or by a learned set, which is stored with all its boxes. A
//! cached verdict only indicates where a search is worthwhile.

use crate::feature::articulation::Articulation;
use crate::feature::board::FeatureBoard;
use crate::feature::corral_search::CorralSearch;
use crate::feature::freeze;
use crate::feature::learned::{LearnedSets, LearnedStore};
use crate::feature::position::Position;
use crate::{Bits, Board, Square};
use std::sync::Arc;

/// The data shared by all threads: the level and its learned dead sets.
#[derive(Debug)]
pub struct DeadEndStore {
    board: FeatureBoard,
    learned: LearnedStore,
}

impl DeadEndStore {
    pub fn new(board: &Arc<Board>) -> Self {
        Self { board: FeatureBoard::new(Arc::clone(board)), learned: LearnedStore::default() }
    }

    pub fn learned(&self) -> &LearnedStore {
        &self.learned
    }
}

/// Recognises dead positions; the working memory of one thread.
#[derive(Debug)]
pub struct DeadEnds {
    position: Position,
    survey: Articulation,
    corrals: CorralSearch,
    learned: LearnedSets,
    set: Bits,
    squares: Vec<Square>,
    queries: u64,
}

impl DeadEnds {
    pub fn new(known: &DeadEndStore) -> Self {
        let features = &known.board;
        Self {
            position: Position::new(features),
            survey: Articulation::new(features),
            corrals: CorralSearch::default(),
            learned: LearnedSets::new(features),
            set: Bits::empty(features.len()),
            squares: Vec::new(),
            queries: 0,
        }
    }

    /// Whether a position is proved to be dead.
    pub fn is_dead(&mut self, known: &DeadEndStore, boxes: impl Iterator<Item = Square>, player: Square) -> bool {
        let features = &known.board;
        // A player in a dead end of plain floor, which the feature board fills; only possible in the start position.
        if features.bare()[usize::from(player)] != 0 {
            return false;
        }
        self.queries += 1;
        // Boxes that never move are walls on the feature board.
        let movable = boxes.filter(|&square| features.bare()[usize::from(square)] == 0);
        self.position.set(features, movable, player);
        self.position.pack_into(&mut self.set);
        self.learned.refresh(&known.learned);
        if self.learned.is_dead(&self.set, player) {
            return true;
        }
        if freeze::peel_pushes(features, &mut self.position, &mut self.squares).is_err() {
            return true;
        }
        self.survey.survey(features, &self.position.taken);
        let Some(corral) = self.corrals.find_dead(features, &self.position, &self.survey) else { return false };
        if !corral.is_new && !self.corrals.confirm(&corral) {
            return false;
        }
        if corral.is_new && self.learned.has_time(self.queries) {
            self.learned.learn(features, &known.learned, &corral);
        }
        true
    }

    pub fn bytes(&self) -> usize {
        self.corrals.bytes() + self.survey.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Truth, levels, reachable};

    /// Every reachable position that is reported has no solution: in a first pass, and in a second with all sets learned.
    #[test]
    fn reported_positions_have_no_solution() {
        let (mut dead, mut learned) = (0usize, 0usize);
        for map in levels(77, 3_000) {
            let board = Arc::new(Board::new(&map).unwrap());
            let truth = Truth::new(&board);
            let known = DeadEndStore::new(&board);
            let mut dead_ends = DeadEnds::new(&known);
            let all = reachable(&board);
            for _ in 0..2 {
                for state in &all {
                    let is_dead = dead_ends.is_dead(&known, state.boxes.iter(), state.player);
                    let shown = || board.picture(&state.boxes, state.player);
                    assert!(!is_dead || !truth.moves.contains_key(state), "solvable:\n{}", shown());
                    dead += usize::from(is_dead);
                }
            }
            let mut sets = 0;
            known.learned.read(&mut sets, |_, _| learned += 1);
        }
        println!("{dead} dead positions, {learned} sets learned");
        assert!(dead > 1_000 && learned > 20);
    }
}
