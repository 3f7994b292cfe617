//! Dead sets of boxes learned during search (cf. pattern search: Junghanns and Schaeffer 2001), in one store for all
//! searches on a level.
//!
//! A proof that some boxes cannot all reach goals, with every other box removed, holds in every position with these
//! boxes and the player in the same zone: deleting the other boxes from a solution leaves a solution for these. So every
//! search may use what one search has proved. A set is minimised first: boxes that the proof does not need are removed,
//! because a smaller set applies to more positions.

use crate::bits::ones;
use crate::feature::board::FeatureBoard;
use crate::feature::corral_search::DeadCorral;
use crate::feature::subproblem::{Ending, LocalGoal, LocalSearch, LocalState};
use crate::{Bits, Square};
use lurd_base::sync::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Positions that a search may expand in proofs at the beginning.
const HEAD_START: u64 = 1_000;
/// The share of a search's effort that may be spent on learning is one in this number.
const SHARE: u64 = 8;
/// Positions expanded in one proof.
const BUDGET: u32 = 400;
/// The capacity of the store.
const MAX_SETS: usize = 2048;
/// The maximum number of boxes of a set before minimisation.
const MAX_BOXES: u32 = 16;

/// Boxes that cannot all reach goals while the player is in a zone.
#[derive(Debug)]
struct DeadSet {
    boxes: Bits,
    zone: Bits,
}

/// The sets learned by all searches on a level.
#[derive(Debug, Default)]
pub struct LearnedStore {
    sets: Mutex<Vec<DeadSet>>,
    count: AtomicUsize,
}

impl LearnedStore {
    fn add(&self, set: DeadSet) {
        let mut sets = lock(&self.sets);
        if sets.len() < MAX_SETS {
            sets.push(set);
            self.count.store(sets.len(), Ordering::Release);
        }
    }

    /// Calls `visit` with the boxes and the zone of every set from number `known` on, and updates `known`.
    pub fn read(&self, known: &mut usize, mut visit: impl FnMut(&Bits, &Bits)) {
        if self.count.load(Ordering::Acquire) == *known {
            return;
        }
        let sets = lock(&self.sets);
        sets[*known..].iter().for_each(|set| visit(&set.boxes, &set.zone));
        *known = sets.len();
    }
}

/// The copy of the store in one search, indexed for queries.
#[derive(Debug, Default)]
pub struct LearnedSets {
    /// The number of sets copied.
    known: usize,
    /// The number of words of a set of squares.
    words: usize,
    /// The boxes and the zone of each set, contiguous because every generated position is tested.
    sets: Vec<u64>,
    by_square: Vec<Vec<u32>>,
    by_first: Vec<Vec<u32>>,
    search: LocalSearch,
}

impl LearnedSets {
    pub fn new(board: &FeatureBoard) -> Self {
        let none = vec![Vec::new(); board.len()];
        let words = Bits::empty(board.len()).words().len();
        Self { words, by_square: none.clone(), by_first: none, ..Self::default() }
    }

    /// Positions expanded in proofs.
    pub fn expanded(&self) -> u64 {
        self.search.expanded
    }

    /// Copies the new sets of the store.
    pub fn refresh(&mut self, store: &LearnedStore) {
        let Self { known, sets, by_square, by_first, .. } = self;
        let mut number = *known as u32;
        store.read(known, |boxes, zone| {
            let mut squares = boxes.iter().peekable();
            if let Some(&first) = squares.peek() {
                by_first[usize::from(first)].push(number);
            }
            squares.for_each(|square| by_square[usize::from(square)].push(number));
            sets.extend_from_slice(boxes.words());
            sets.extend_from_slice(zone.words());
            number += 1;
        });
    }

    /// Whether the box just pushed to `to` is in a dead set.
    #[inline]
    pub fn is_dead_at(&self, boxes: &Bits, to: Square, player: Square) -> bool {
        self.by_square[usize::from(to)].iter().any(|&number| self.fits(number, boxes, player))
    }

    /// Whether the position contains a dead set.
    pub fn is_dead(&self, boxes: &Bits, player: Square) -> bool {
        let begins = |first| self.by_first[usize::from(first)].iter().any(|&number| self.fits(number, boxes, player));
        self.known > 0 && boxes.iter().any(begins)
    }

    #[inline]
    fn fits(&self, number: u32, boxes: &Bits, player: Square) -> bool {
        let (set, zone) = self.sets[number as usize * 2 * self.words..][..2 * self.words].split_at(self.words);
        zone[usize::from(player) / 64] >> (player % 64) & 1 != 0
            && set.iter().zip(boxes.words()).all(|(set, boxes)| set & !boxes == 0)
    }

    /// Whether a search with this effort so far may learn.
    pub fn has_time(&self, effort: u64) -> bool {
        self.expanded() <= HEAD_START + effort / SHARE
    }

    /// Learns from a corral that can never be opened.
    pub fn learn(&mut self, board: &FeatureBoard, store: &LearnedStore, corral: &DeadCorral) {
        let area = &corral.area;
        let LocalState { mut boxes, player } = corral.state;
        if boxes.count_ones() > MAX_BOXES {
            return;
        }
        let search = &mut self.search;
        let mut is_dead =
            |boxes| search.run(area, LocalState { boxes, player }, 0, LocalGoal::Solved, BUDGET) == Ending::Dead;
        if !is_dead(boxes) {
            return;
        }
        for place in ones(boxes) {
            if is_dead(boxes & !(1 << place)) {
                boxes &= !(1 << place);
            }
        }
        let set = DeadSet {
            boxes: Bits::of(board.len(), area.squares_of(boxes)),
            zone: Bits::of(board.len(), area.squares_of(area.reach(boxes, player))),
        };
        store.add(set);
        self.refresh(store);
    }
}
