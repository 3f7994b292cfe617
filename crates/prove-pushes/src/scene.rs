//! Everything about a level that the search by layers only reads: board, keys, rules, tables.

use crate::Options;
use crate::group_interaction::Dead;
use crate::key::Key;
use crate::knowledge::{Knowledge, Table};
use crate::rank::Rank;
use lurd_level::Direction;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::corral::{CorralRules, CorralVerdict};
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;
use lurd_rules::groups::packing::{Group, pack};
use std::sync::Arc;

/// By how much more must have been spent before a table is made for the backward side.
const DEARER_BACKWARDS: u64 = 3;

/// A level made ready.
pub(crate) struct Scene<K, const L: usize, const G: usize> {
    pub(crate) board: Arc<DenseBoard>,
    pub(crate) plane: Plane<G>,
    pub(crate) rank: Rank<K>,
    pub(crate) rules: CorralRules<G>,
    pub(crate) options: Options,
    pub(crate) goals: Set<L>,
    /// By side.
    knowledge: [Knowledge; 2],
}

/// Which pushes of a position need be made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice<const G: usize> {
    /// Pushes of these boxes onto these cells.
    Pushes { boxes: Set<G>, into: Set<G> },
    /// The one push of the box on this live square in this direction.
    Single(usize, Direction),
    /// None: the position is dead.
    Dead,
}

impl<K: Key, const L: usize, const G: usize> Scene<K, L, G> {
    /// Makes a level ready; `None` if its keys are wider than `K` or no tables are made for boards so large.
    pub(crate) fn new(board: &Arc<DenseBoard>, options: Options) -> Option<Self> {
        let rank = Rank::new(board)?;
        let knowledge = |side| Knowledge::new(board, side, &options);
        let mut goals = Set::EMPTY;
        board.goals().iter().for_each(|&goal| goals.insert(goal.into()));
        Some(Self {
            board: Arc::clone(board),
            plane: board.plane(),
            rank,
            rules: CorralRules::new(board),
            options,
            goals,
            knowledge: [knowledge(Side::Forward)?, knowledge(Side::Backward)?],
        })
    }

    /// What a side knows.
    #[inline]
    pub(crate) fn knowledge(&self, side: Side) -> &Knowledge {
        &self.knowledge[side as usize]
    }

    /// The table that is worth most next, with its cost in microseconds of one thread.
    pub(crate) fn next_table(&self) -> Option<(Table, u64)> {
        let sides = if self.options.two_sided { &[Side::Forward, Side::Backward][..] } else { &[Side::Forward] };
        let next = |&side: &Side| {
            let (kind, cost) = self.knowledge(side).next_table(&self.board, &self.options)?;
            // Backwards groups tell less: the boxes come from all over the board.
            let price = if side == Side::Backward { DEARER_BACKWARDS } else { 1 };
            Some((Table { side, kind }, cost * price))
        };
        sides.iter().filter_map(next).min_by_key(|&(_, cost)| cost)
    }

    /// Whether a table is still to be made for this level.
    pub(crate) fn offers(&self, table: Table) -> bool {
        self.knowledge(table.side).offers(&self.board, &self.options, table.kind)
    }

    /// Bytes a table needs while it is made.
    pub(crate) fn table_bytes(&self, table: Table) -> usize {
        self.knowledge(table.side).bytes_needed(&self.board, table.kind, self.options.threads)
    }

    /// Gives a table up.
    pub(crate) fn refuse(&mut self, table: Table) {
        self.knowledge[table.side as usize].refuse(table.kind);
    }

    /// Makes a table, unless told to stop; then it is given up. Says whether it was made.
    pub(crate) fn strengthen(&mut self, table: Table, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let knowledge = &mut self.knowledge[table.side as usize];
        knowledge.strengthen::<L, G>(&self.board, table.kind, threads, stop)
    }

    /// All groups of a position that cost each other something on a side's way.
    pub(crate) fn groups(
        &self,
        side: Side,
        boxes: Set<L>,
        zone: Set<G>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        self.knowledge(side).groups(&self.board, &self.plane, boxes, zone, groups)
    }

    /// The cells of boxes.
    #[inline]
    pub(crate) fn cells(&self, boxes: Set<L>) -> Set<G> {
        let mut cells = Set::EMPTY;
        boxes.iter().for_each(|square| cells.insert(self.board.cell(square)));
        cells
    }

    /// The start: its boxes and the player's zone.
    pub(crate) fn start(&self) -> (Set<L>, Set<G>) {
        let mut boxes = Set::EMPTY;
        self.board.starts().iter().for_each(|&square| boxes.insert(square.into()));
        let free = self.plane.floor.without(self.cells(boxes));
        (boxes, self.plane.zone(free, self.board.start_player()))
    }

    /// The positions a side starts from: the start, or the solved board with the player wherever he may be.
    pub(crate) fn roots(&self, side: Side) -> Vec<K> {
        if side == Side::Forward {
            let (boxes, zone) = self.start();
            return vec![self.rank.key(boxes, zone.lowest())];
        }
        let mut free = self.plane.floor.without(self.cells(self.goals));
        let mut roots = Vec::new();
        while !free.is_empty() {
            let zone = self.plane.zone(free, free.lowest());
            roots.push(self.rank.key(self.goals, zone.lowest()));
            free = free.without(zone);
        }
        roots.sort_unstable();
        roots
    }

    /// The least bound of the positions the backward side starts from.
    pub(crate) fn backward_root(&self) -> u32 {
        let bound = |&key: &K| {
            let (boxes, player) = self.rank.position::<L>(key);
            let zone = self.plane.zone(self.plane.floor.without(self.cells(boxes)), player);
            self.bound(Side::Backward, boxes, zone)
        };
        self.roots(Side::Backward).iter().filter_map(bound).min().unwrap_or(0)
    }

    /// A lower bound of the pushes between a position and what a side looks for: forwards the solved board, backwards
    /// the start. `None` if there is no way.
    pub(crate) fn bound(&self, side: Side, boxes: Set<L>, zone: Set<G>) -> Option<u32> {
        let way = self.board.way(side);
        let mut matching = Matching::empty(self.board.boxes());
        let rows = boxes.iter().map(|square| self.board.row_at(square, zone.lowest()));
        if !Matcher::new(way, self.board.boxes()).solve(way, &mut matching, rows) {
            return None;
        }
        let mut groups = Vec::new();
        self.groups(side, boxes, zone, &mut groups).ok()?;
        let bound = matching.total as u32 + pack(&mut groups, u32::MAX);
        Some(bound.max(self.bound_by_door(side, boxes, zone)?))
    }

    /// A lower bound by what happens in the room behind a door and on the way to it; `None` if the position is dead.
    fn bound_by_door(&self, side: Side, boxes: Set<L>, zone: Set<G>) -> Option<u32> {
        let knowledge = self.knowledge(side);
        let Some(filling) = &knowledge.filling else { return Some(0) };
        let filled = filling.of_position(&self.board, &self.plane, boxes, zone.lowest())?;
        let mut groups = Vec::new();
        knowledge.groups_to_door(&self.board, &self.plane, boxes, zone, &mut groups).ok()?;
        Some(filled.inside + filled.alone + pack(&mut groups, u32::MAX))
    }

    /// Which pushes of a position need be made. Both rules look at the position alone and keep a shortest
    /// solution, so whatever led here, the search loses nothing.
    pub(crate) fn choice(&self, boxes: Set<L>, cells: Set<G>, zone: Set<G>) -> Choice<G> {
        if self.options.gates
            && let Some(choice) = self.gate(boxes, cells, zone)
        {
            return choice;
        }
        let all = Choice::Pushes { boxes: cells, into: self.plane.floor };
        if !self.options.corrals {
            return all;
        }
        match self.rules.judge::<L>(&self.board, &self.knowledge(Side::Forward).patterns, cells, zone) {
            CorralVerdict::Open => all,
            CorralVerdict::Only { boxes, into } => Choice::Pushes { boxes, into },
            CorralVerdict::Dead => Choice::Dead,
        }
    }

    /// A box that shuts the player in, off the goals, and that he touches from one side only: it must be pushed on,
    /// nothing beyond it changes before, and what is pushed on his side can be pushed after.
    fn gate(&self, boxes: Set<L>, cells: Set<G>, zone: Set<G>) -> Option<Choice<G>> {
        let board = &*self.board;
        let player = zone.lowest();
        for square in boxes.iter() {
            for direction in Direction::ALL {
                let arrival = 4 * square + direction as usize;
                if !self.rules.is_gate(arrival) {
                    continue;
                }
                let behind = usize::from(board.beside(arrival));
                if board.row_at(square, behind) != board.row_at(square, player) {
                    continue;
                }
                let push = direction.opposite();
                let step = &board.way(Side::Forward).steps[4 * square + push as usize];
                if step.to == NONE || cells.contains(step.clear.into()) {
                    return Some(Choice::Dead);
                }
                if zone.contains(behind) {
                    return Some(Choice::Single(square, push));
                }
            }
        }
        None
    }

    /// Bytes of all tables.
    pub(crate) fn bytes(&self) -> usize {
        // The code of the keys holds two tables of half words.
        self.board.bytes() + self.knowledge.iter().map(Knowledge::bytes).sum::<usize>() + (256 << 10)
    }
}
