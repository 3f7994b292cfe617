//! Dead sets that the searches by features have learned, filed for a search by pushes.
//!
//! A learned set is a proof about its boxes alone ([`crate::feature::learned`]), so it holds here too: where the boxes
//! stand and the player is in the set's zone, there is no solution. Like the tables' own sets it is filed by the box that
//! was just pushed and the side the player stands on, once for every box of the set that he can stand beside.

use crate::dense::board::{DenseBoard, NONE};
use crate::dense::set::Set;
use crate::feature::learned::LearnedStore;

/// What one search remembers of the store.
#[derive(Clone, Debug)]
pub struct LearnedIndex<const L: usize> {
    /// How many sets it has looked at.
    known: usize,
    /// By arrival, the boxes that must not stand elsewhere.
    others: Vec<Vec<Set<L>>>,
}

impl<const L: usize> LearnedIndex<L> {
    pub fn new(board: &DenseBoard) -> Self {
        Self { known: 0, others: vec![Vec::new(); 4 * board.live_count()] }
    }

    /// Takes over what was learned since.
    pub fn refresh(&mut self, board: &DenseBoard, store: &LearnedStore) {
        let Self { known, others } = self;
        store.read(known, |boxes, zone| {
            let live: Vec<u16> = boxes.iter().map(|square| board.live_on(square)).collect();
            // A box where none can stand in a solution is never met here.
            if live.contains(&NONE) {
                return;
            }
            for &moved in &live {
                let mut rest = Set::EMPTY;
                live.iter().filter(|&&other| other != moved).for_each(|&other| rest.insert(other.into()));
                let first = 4 * usize::from(moved);
                for (side, others) in others[first..first + 4].iter_mut().enumerate() {
                    let beside = board.beside(first + side);
                    if beside != NONE && zone.contains(board.square(beside.into())) {
                        others.push(rest);
                    }
                }
            }
        });
    }

    /// Bytes it holds.
    pub fn bytes(&self) -> usize {
        let sets: usize = self.others.iter().map(Vec::capacity).sum();
        sets * size_of::<Set<L>>() + self.others.len() * size_of::<Vec<Set<L>>>()
    }

    /// Whether the box that just arrived so stands in a learned set with some of `boxes`.
    #[inline]
    pub fn are_dead(&self, arrival: usize, boxes: Set<L>) -> bool {
        self.others[arrival].iter().any(|others| others.without(boxes).is_empty())
    }
}
