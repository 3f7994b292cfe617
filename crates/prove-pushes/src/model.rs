//! The model of a level: board, keys, rules and tables, which the layer search only reads.

use crate::Options;
use crate::key::Key;
use crate::rank::Rank;
use crate::tables::{SideTables, Table};
use lurd_level::Direction;
use lurd_rules::dense::board::{DenseBoard, NONE, Plane, Side};
use lurd_rules::dense::corral::{CorralRules, CorralVerdict};
use lurd_rules::dense::matching::{Matcher, Matching};
use lurd_rules::dense::set::Set;
use lurd_rules::groups::packing::pack;
use std::sync::Arc;

/// How many times more expensive a table counts for the backward side.
const BACKWARD_COST: u64 = 3;

/// A level prepared for the search.
pub(crate) struct Model<K, const L: usize, const G: usize> {
    pub(crate) board: Arc<DenseBoard>,
    pub(crate) plane: Plane<G>,
    pub(crate) rank: Rank<K>,
    pub(crate) rules: CorralRules<G>,
    pub(crate) options: Options,
    pub(crate) goals: Set<L>,
    /// By side.
    tables: [SideTables<L, G>; 2],
}

/// Which pushes of a position suffice.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice<const G: usize> {
    /// Pushes of these boxes onto these cells.
    Pushes { boxes: Set<G>, into: Set<G> },
    /// The one push of the box on this live square in this direction.
    Single(usize, Direction),
    /// None: the position is dead.
    Dead,
}

impl<K: Key, const L: usize, const G: usize> Model<K, L, G> {
    /// Prepares a level; `None` if its keys do not fit `K` or the board is too large for tables.
    pub(crate) fn new(board: &Arc<DenseBoard>, options: Options) -> Option<Self> {
        let rank = Rank::new(board)?;
        let tables = |side| SideTables::new(board, side, &options);
        Some(Self {
            board: Arc::clone(board),
            plane: board.plane(),
            rank,
            rules: CorralRules::new(board),
            options,
            goals: board.goals().iter().map(|&goal| goal.into()).collect(),
            tables: [tables(Side::Forward)?, tables(Side::Backward)?],
        })
    }

    #[inline]
    pub(crate) fn tables(&self, side: Side) -> &SideTables<L, G> {
        &self.tables[side as usize]
    }

    /// The most useful table to build next, with its cost in microseconds of one thread.
    pub(crate) fn next_table(&self) -> Option<(Table, u64)> {
        let sides = if self.options.bidirectional { &[Side::Forward, Side::Backward][..] } else { &[Side::Forward] };
        let next = |&side: &Side| {
            let (kind, cost) = self.tables(side).next_table()?;
            // Backwards groups are less useful: the boxes come from all over the board.
            let price = if side == Side::Backward { BACKWARD_COST } else { 1 };
            Some((Table { side, kind }, cost * price))
        };
        sides.iter().filter_map(next).min_by_key(|&(_, cost)| cost)
    }

    /// Bytes a table needs while it is built.
    pub(crate) fn table_bytes(&self, table: Table) -> usize {
        self.tables(table.side).bytes_needed(table.kind)
    }

    pub(crate) fn reject(&mut self, table: Table) {
        self.tables[table.side as usize].reject(table.kind);
    }

    /// Builds a table. A table whose construction is stopped is rejected. Returns whether it was built.
    pub(crate) fn build(&mut self, table: Table, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        self.tables[table.side as usize].build(table.kind, threads, stop)
    }

    #[inline]
    pub(crate) fn cells(&self, boxes: Set<L>) -> Set<G> {
        boxes.iter().map(|square| self.board.cell(square)).collect()
    }

    /// The start: its boxes and the player's zone.
    pub(crate) fn start(&self) -> (Set<L>, Set<G>) {
        let boxes = self.board.starts().iter().map(|&square| square.into()).collect();
        let free = self.plane.floor.without(self.cells(boxes));
        (boxes, self.plane.zone(free, self.board.start_player()))
    }

    /// The root positions of a side: the start, or the solved board with the player in any zone.
    pub(crate) fn roots(&self, side: Side) -> Vec<K> {
        if side == Side::Forward {
            let (boxes, zone) = self.start();
            return vec![self.rank.key(boxes, zone.lowest())];
        }
        let free = self.plane.floor.without(self.cells(self.goals));
        let zones = self.plane.zones(free, free);
        let mut roots: Vec<K> = zones.map(|zone| self.rank.key(self.goals, zone.lowest())).collect();
        roots.sort_unstable();
        roots
    }

    /// The least bound of the backward roots.
    pub(crate) fn backward_root(&self) -> u32 {
        let bound = |&key: &K| {
            let (boxes, player) = self.rank.position::<L>(key);
            let zone = self.plane.zone(self.plane.floor.without(self.cells(boxes)), player);
            self.bound(Side::Backward, boxes, zone)
        };
        self.roots(Side::Backward).iter().filter_map(bound).min().unwrap_or(0)
    }

    /// A lower bound on the pushes between a position and a side's target: forwards the solved board, backwards the
    /// start. `None` if the position is dead.
    pub(crate) fn bound(&self, side: Side, boxes: Set<L>, zone: Set<G>) -> Option<u32> {
        let way = self.board.way(side);
        let mut matching = Matching::empty(self.board.boxes());
        let rows = boxes.iter().map(|square| self.board.row_at(square, zone.lowest()));
        if !Matcher::new(way, self.board.boxes()).solve(way, &mut matching, rows) {
            return None;
        }
        let mut groups = Vec::new();
        self.tables(side).groups(boxes, zone, &mut groups).ok()?;
        let bound = matching.total as u32 + pack(&mut groups, u32::MAX);
        Some(bound.max(self.goal_room_bound(side, boxes, zone)?))
    }

    /// A lower bound from the goal room and the approach to it; `None` if the position is dead.
    fn goal_room_bound(&self, side: Side, boxes: Set<L>, zone: Set<G>) -> Option<u32> {
        let tables = self.tables(side);
        let Some(goal_room) = &tables.goal_room else { return Some(0) };
        let room = goal_room.of_position(boxes, zone.lowest())?;
        let mut groups = Vec::new();
        tables.approach_groups(boxes, zone, &mut groups).ok()?;
        Some(room.inside + room.alone + pack(&mut groups, u32::MAX))
    }

    /// Which pushes of a position suffice, by gates and PI-corrals (Brian Damgaard, YASS). Both rules depend on the
    /// position alone and keep a shortest solution of it, so they are sound whatever path led here.
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
        match self.rules.judge::<L>(&self.board, &self.tables(Side::Forward).dead_sets, cells, zone) {
            CorralVerdict::Open => all,
            CorralVerdict::Only { boxes, into } => Choice::Pushes { boxes, into },
            CorralVerdict::Dead => Choice::Dead,
        }
    }

    /// A box off the goals that confines the player and that he can push in one direction only. It must be pushed at some
    /// time; before that nothing beyond it changes, and every push on his side can be made after it.
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

    pub(crate) fn bytes(&self) -> usize {
        // The key code holds two tables of half words.
        self.board.bytes() + self.tables.iter().map(SideTables::bytes).sum::<usize>() + (256 << 10)
    }
}
