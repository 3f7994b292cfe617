//! Dead sets of boxes learned while searching, in one store for all searches on a level.
//!
//! A proof that some boxes cannot all come home, with every other box taken off the board, holds on every board
//! where those boxes stand and the player is in the same zone: delete the other boxes from a solution, and what remains
//! is one for these. So what one search proves, all may use. A set is made small first: boxes that the proof can do
//! without are left out, and the fewer remain, the more positions it fits.

use crate::feature::board::FeatureBoard;
use crate::feature::corral_search::DeadCorral;
use crate::feature::subproblem::{Ending, LocalGoal, LocalSearch, LocalState};
use crate::{Bits, Square};
use lurd_search::sync::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Positions expanded in proofs that a search may spend on learning before it has done anything.
const HEAD_START: u64 = 1_000;
/// One part in so many of a search's effort may go into learning.
const SHARE: u64 = 8;
/// Positions expanded for one proof.
const BUDGET: u32 = 400;
/// Sets kept at most.
const MOST_SETS: usize = 2048;
/// Boxes in a set at most.
const MOST_BOXES: u32 = 16;

/// Boxes that cannot all come home while the player is in a zone.
#[derive(Debug)]
struct DeadSet {
    boxes: Bits,
    zone: Bits,
}

/// The sets that all searches on a level have learned.
#[derive(Debug, Default)]
pub struct LearnedStore {
    sets: Mutex<Vec<DeadSet>>,
    count: AtomicUsize,
}

impl LearnedStore {
    fn add(&self, set: DeadSet) {
        let mut sets = lock(&self.sets);
        if sets.len() < MOST_SETS {
            sets.push(set);
            self.count.store(sets.len(), Ordering::Release);
        }
    }

    /// Shows the boxes and the zone of every set from the `known`th on, and counts them as known.
    pub fn read(&self, known: &mut usize, mut show: impl FnMut(&Bits, &Bits)) {
        if self.count.load(Ordering::Acquire) == *known {
            return;
        }
        let sets = lock(&self.sets);
        sets[*known..].iter().for_each(|set| show(&set.boxes, &set.zone));
        *known = sets.len();
    }
}

/// What one search remembers of the store, ready to be asked.
#[derive(Debug)]
pub struct LearnedSets {
    /// How many sets it remembers.
    known: usize,
    /// Words of a set of squares.
    words: usize,
    /// For each set its boxes, then its zone: asked for every position generated, so all lie together.
    sets: Vec<u64>,
    by_square: Vec<Vec<u32>>,
    by_first: Vec<Vec<u32>>,
    search: LocalSearch,
}

impl LearnedSets {
    pub fn new(board: &FeatureBoard) -> Self {
        Self {
            known: 0,
            words: Bits::empty(board.len()).words().len(),
            sets: Vec::new(),
            by_square: vec![Vec::new(); board.len()],
            by_first: vec![Vec::new(); board.len()],
            search: LocalSearch::default(),
        }
    }

    /// Positions expanded in proofs.
    pub fn expanded(&self) -> u64 {
        self.search.expanded
    }

    /// Takes over what others have learned.
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

    /// Whether the box just pushed to `to` stands in a dead set.
    #[inline]
    pub fn is_dead_at(&self, boxes: &Bits, to: Square, player: Square) -> bool {
        self.by_square[usize::from(to)].iter().any(|&number| self.fits(number, boxes, player))
    }

    /// Whether any dead set stands.
    pub fn is_dead(&self, boxes: &Bits, player: Square) -> bool {
        self.known > 0
            && boxes
                .iter()
                .any(|first| self.by_first[usize::from(first)].iter().any(|&number| self.fits(number, boxes, player)))
    }

    #[inline]
    fn fits(&self, number: u32, boxes: &Bits, player: Square) -> bool {
        let (set, zone) = self.sets[number as usize * 2 * self.words..][..2 * self.words].split_at(self.words);
        zone[usize::from(player) / 64] >> (player % 64) & 1 != 0
            && set.iter().zip(boxes.words()).all(|(set, boxes)| set & !boxes == 0)
    }

    /// Whether a search that has made this effort may spend some on learning.
    pub fn has_time(&self, effort: u64) -> bool {
        self.expanded() <= HEAD_START + effort / SHARE
    }

    /// Learns from a corral that can never be opened.
    pub fn learn(&mut self, board: &FeatureBoard, store: &LearnedStore, corral: &DeadCorral) {
        let pen = &corral.pen;
        let LocalState { mut boxes, player } = corral.at;
        if boxes.count_ones() > MOST_BOXES {
            return;
        }
        let search = &mut self.search;
        let mut is_dead =
            |boxes| search.run(pen, LocalState { boxes, player }, 0, LocalGoal::Home, BUDGET) == Ending::Dead;
        if !is_dead(boxes) {
            return;
        }
        let mut rest = boxes;
        while rest != 0 {
            let one = rest & rest.wrapping_neg();
            rest &= rest - 1;
            if is_dead(boxes & !one) {
                boxes &= !one;
            }
        }
        let set = DeadSet {
            boxes: Bits::of(board.len(), pen.spread(boxes)),
            zone: Bits::of(board.len(), pen.spread(pen.reach(boxes, player))),
        };
        store.add(set);
        self.refresh(store);
    }
}
