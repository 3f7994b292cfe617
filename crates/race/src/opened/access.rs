//! How far the player is from each cell, in boxes that have arrived on their targets.
//!
//! Boxes that have not arrived will move away, so they are crossed free. A cell is on level `k` if every way to it crosses
//! `k` arrived boxes or more, itself included. A pull that changes no arrival changes no level; one that takes a box off its
//! target only lowers levels, so they are grown from those before.

use lurd_rules::dense::board::Plane;
use lurd_rules::dense::set::Set;

/// The levels told apart; more boxes count as so many.
pub(super) const LEVELS: usize = 5;

/// For each level the cells on it or below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access<const G: usize>([Set<G>; LEVELS]);

impl<const G: usize> Access<G> {
    /// The levels with the player on one of these cells.
    pub(super) fn new(plane: &Plane<G>, arrived: Set<G>, from: Set<G>) -> Self {
        Self([Set::EMPTY; LEVELS]).grown(plane, arrived, from)
    }

    /// The levels after some arrived boxes have left their targets: those in `arrived` are left, and `from` are cells
    /// that are on the lowest level now.
    pub(super) fn grown(mut self, plane: &Plane<G>, arrived: Set<G>, from: Set<G>) -> Self {
        let open = plane.floor.without(arrived);
        let mut begin = from;
        for level in &mut self.0 {
            *level = plane.fill(open, level.or(begin));
            begin = level.or(plane.beside(*level).and(arrived));
        }
        self
    }

    /// The arrived boxes that must be crossed to get to a cell, at most [`LEVELS`].
    #[inline]
    pub(super) fn level(&self, cell: usize) -> u32 {
        self.0.iter().map(|level| u32::from(!level.contains(cell))).sum()
    }
}
