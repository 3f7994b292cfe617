//! One search over the states of a group, which are generated as they are met.
//!
//! The caller decides on seeds, order and cost: depth first where only reachability counts and memory is short, level by
//! level for breadth-first distances. Memory is the table of values and the open list.

use crate::dense::board::{DenseBoard, NONE, Side};
use crate::dense::set::Set;
use crate::groups::board::{GroupBoard, Slots, to_targets};
use crate::groups::subsets::{MOST, Ranks, moved};

/// What a search knows of the slots of every set.
pub trait SlotTable {
    fn is_known(&self, rank: usize, slot: usize) -> bool;

    /// Enters the slots of a zone that are met at a cost.
    fn enter(&mut self, rank: usize, slots: Slots, cost: u16);
}

/// The cost of every slot, by `slots of a set * rank + slot`.
#[derive(Debug)]
pub struct SlotCosts {
    width: usize,
    costs: Vec<u16>,
}

/// A slot that no search has met.
pub const UNKNOWN: u16 = u16::MAX;

impl SlotCosts {
    pub fn new(ranks: &Ranks, size: usize) -> Self {
        Self { width: 4 * size, costs: vec![UNKNOWN; ranks.count(size) * 4 * size] }
    }

    #[inline]
    pub fn get(&self, rank: usize, slot: usize) -> u16 {
        self.costs[rank * self.width + slot]
    }
}

impl SlotTable for SlotCosts {
    #[inline]
    fn is_known(&self, rank: usize, slot: usize) -> bool {
        self.get(rank, slot) != UNKNOWN
    }

    #[inline]
    fn enter(&mut self, rank: usize, slots: Slots, cost: u16) {
        let costs = &mut self.costs[rank * self.width..][..self.width];
        slots.for_each(|slot| costs[slot] = cost);
    }
}

/// A set of places in ascending order, the player's zone, and the slots in it.
#[derive(Clone, Copy, Debug)]
pub struct GroupState<const G: usize> {
    pub places: [u16; MOST],
    pub slots: Slots,
    pub zone: Set<G>,
}

/// A search over all sets of one size.
#[derive(Clone, Debug)]
pub struct Sweep<const G: usize, T> {
    pub size: usize,
    pub table: T,
    /// States whose steps have not been taken.
    pub open: Vec<GroupState<G>>,
}

impl<const G: usize, T: SlotTable> Sweep<G, T> {
    pub fn new(size: usize, table: T) -> Self {
        Self { size, table, open: Vec::new() }
    }

    /// Enters the states from which a search for a side begins with boxes on some of its target squares, given by numbers.
    pub fn seed(
        &mut self,
        board: &DenseBoard,
        side: Side,
        group: &GroupBoard<G>,
        ranks: &Ranks,
        mut numbers: [u16; MOST],
    ) {
        let places = &mut numbers[..self.size];
        to_targets(board, side, places);
        let rank = ranks.rank(places);
        for zone in group.target_zones(board, side, places) {
            self.enter(group, rank, numbers, zone, 0);
        }
    }

    /// Enters a set with the player in a zone, unless it is known.
    fn enter(&mut self, board: &GroupBoard<G>, rank: usize, places: [u16; MOST], zone: Set<G>, cost: u16) {
        let slots = board.slots(&places[..self.size], zone);
        if slots.first().is_some_and(|slot| !self.table.is_known(rank, slot)) {
            self.table.enter(rank, slots, cost);
            self.open.push(GroupState { places, slots, zone });
        }
    }

    /// Enters a set with the player on the cell of a slot, unless it is known.
    #[inline]
    pub fn enter_slot(&mut self, board: &GroupBoard<G>, ranks: &Ranks, places: [u16; MOST], slot: usize, cost: u16) {
        let boxes = &places[..self.size];
        let rank = ranks.rank(boxes);
        if !self.table.is_known(rank, slot) {
            let zone = board.plane.zone(board.free(boxes.iter().copied()), board.cell(boxes, slot).into());
            self.enter(board, rank, places, zone, cost);
        }
    }

    /// Enters all states one step away.
    #[inline]
    pub fn expand(&mut self, board: &GroupBoard<G>, ranks: &Ranks, state: &GroupState<G>, cost: u16) {
        let boxes = board.cells(state.places[..self.size].iter().copied());
        for slot in state.slots {
            let step = board.step(state.places[slot / 4], slot % 4);
            if step.to != NONE && !boxes.contains(step.clear.into()) {
                let (next, place) = moved(&state.places, self.size, slot / 4, step.to);
                self.enter_slot(board, ranks, next, 4 * place + usize::from(step.arrival % 4), cost);
            }
        }
    }
}
