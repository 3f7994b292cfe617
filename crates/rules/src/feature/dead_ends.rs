//! Dead ends, for engines that prove: corral search, and what it has taught.
//!
//! The searches by features ask the same of a position about to be expanded, but they may trust a verdict that is known by
//! its key alone. A proof may not: here a position is dead only by a search made for it now, or by a learned set, which is kept
//! with all its boxes. A verdict remembered by key says no more than where searching again is worth it.

use crate::feature::articulation::Articulation;
use crate::feature::board::FeatureBoard;
use crate::feature::corral_search::CorralSearch;
use crate::feature::freeze;
use crate::feature::learned::{LearnedSets, LearnedStore};
use crate::feature::position::Position;
use crate::{Bits, Board, Square};
use std::sync::Arc;

/// What all threads share: the level and what was learned about it.
#[derive(Debug)]
pub struct DeadEndStore {
    board: FeatureBoard,
    learned: LearnedStore,
}

impl DeadEndStore {
    pub fn new(board: &Arc<Board>) -> Self {
        Self { board: FeatureBoard::new(Arc::clone(board)), learned: LearnedStore::default() }
    }

    /// Dead sets that hold for every engine.
    pub fn learned(&self) -> &LearnedStore {
        &self.learned
    }
}

/// Looks for dead ends: the working memory of one thread.
#[derive(Debug)]
pub struct DeadEnds {
    position: Position,
    survey: Articulation,
    corrals: CorralSearch,
    learned: LearnedSets,
    set: Bits,
    squares: Vec<Square>,
    /// Positions asked about.
    asked: u64,
}

impl DeadEnds {
    pub fn new(known: &DeadEndStore) -> Self {
        let features = &known.board;
        Self {
            position: Position::new(features),
            survey: Articulation::new(features),
            corrals: CorralSearch::new(),
            learned: LearnedSets::new(features),
            set: Bits::empty(features.len()),
            squares: Vec::new(),
            asked: 0,
        }
    }

    /// Whether a position is proved to have no solution.
    pub fn is_dead(&mut self, known: &DeadEndStore, boxes: impl Iterator<Item = Square>, player: Square) -> bool {
        let features = &known.board;
        // In a blind alley, where no box ever comes, the player stands at the start at most.
        if features.bare()[usize::from(player)] != 0 {
            return false;
        }
        self.asked += 1;
        // Boxes that never move at all are walls on this features.
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
        if corral.is_new && self.learned.has_time(self.asked) {
            self.learned.learn(features, &known.learned, &corral);
        }
        true
    }

    /// Bytes it holds.
    pub fn bytes(&self) -> usize {
        self.corrals.bytes() + self.survey.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Truth, levels, reachable};

    /// Whatever can be reached and is called a dead end has no solution, the first time it is asked about and the second,
    /// when all is learned.
    #[test]
    fn dead_ends_have_no_solution() {
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
        println!("{dead} dead ends, {learned} sets learned");
        assert!(dead > 1_000 && learned > 20);
    }
}
