//! The dead sets learned by feature-space searches, indexed for the dense searches.
//!
//! A learned set is a proof about its boxes alone ([`crate::feature::learned`]), so it holds here too: a position with
//! these boxes and the player in the zone of the set has no solution. Like the sets of the tables it is indexed by
//! arrival: by the box pushed last and the side of it the player is on, once for every such pair in the zone.

use crate::dense::board::{DenseBoard, NONE};
use crate::dense::set::Set;
use crate::feature::learned::LearnedStore;

/// The index of one search.
#[derive(Clone, Debug)]
pub struct LearnedIndex<const L: usize> {
    /// The number of sets read from the store.
    known: usize,
    /// By arrival, the other boxes of each set.
    others: Vec<Vec<Set<L>>>,
}

impl<const L: usize> LearnedIndex<L> {
    pub fn new(board: &DenseBoard) -> Self {
        Self { known: 0, others: vec![Vec::new(); 4 * board.live_count()] }
    }

    /// Adds the new sets of the store.
    pub fn refresh(&mut self, board: &DenseBoard, store: &LearnedStore) {
        let Self { known, others } = self;
        store.read(known, |boxes, zone| {
            let live: Vec<u16> = boxes.iter().map(|square| board.live_on(square)).collect();
            // A box off the live squares does not occur here.
            if live.contains(&NONE) {
                return;
            }
            for &moved in &live {
                let rest = live.iter().filter(|&&other| other != moved).map(|&other| other.into()).collect();
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

    pub fn bytes(&self) -> usize {
        let sets: usize = self.others.iter().map(Vec::capacity).sum();
        sets * size_of::<Set<L>>() + self.others.len() * size_of::<Vec<Set<L>>>()
    }

    /// Whether the box of this arrival is in a learned set with some of `boxes`.
    #[inline]
    pub fn are_dead(&self, arrival: usize, boxes: Set<L>) -> bool {
        self.others[arrival].iter().any(|others| others.without(boxes).is_empty())
    }
}
