//! The tables of one side about small groups of boxes: which are dead, and their interaction beyond the matching.
//!
//! Forwards a group must reach goals, backwards it must have come from the start. The tables are of the same kind for
//! both sides and are built one by one as the search goes on.

use crate::approach::ApproachDatabase;
use crate::chokepoint::Chokepoint;
use crate::goal_room::GoalRoomDatabase;
use crate::group_interaction::{GroupInteraction, Listed};
use crate::{Options, approach, goal_room, group_interaction};
use lurd_rules::dense::board::{DenseBoard, Side};
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::dense::dead_sets::DeadSets;
use lurd_rules::dense::set::Set;
use lurd_rules::groups::packing::{Group, pack};
use lurd_rules::groups::subsets::MOST;
use std::sync::Arc;

/// States of a dead-set table built between two polls of the stop condition.
const BUILD: u64 = 4096;

/// The most sets of boxes outside a chokepoint.
const MOST_SETS: u64 = 6_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// The next size of dead sets.
    DeadSets,
    Pairs,
    Triples,
    Fours,
    /// The goal-room database, and the approach databases of two and three boxes.
    GoalRoom,
    /// The approach database of four, five or six boxes.
    Approach(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) side: Side,
    pub(crate) kind: TableKind,
}

impl Table {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let kinds = [
            TableKind::DeadSets,
            TableKind::Pairs,
            TableKind::Triples,
            TableKind::Fours,
            TableKind::GoalRoom,
            TableKind::Approach(4),
            TableKind::Approach(5),
            TableKind::Approach(6),
        ];
        [Side::Forward, Side::Backward].into_iter().flat_map(move |side| kinds.map(|kind| Self { side, kind }))
    }

    /// The name in records. Names are stored in certificates and never change.
    pub(crate) fn name(self) -> &'static str {
        match (self.side, self.kind) {
            (Side::Forward, TableKind::DeadSets) => "dead-sets",
            (Side::Forward, TableKind::Pairs) => "pairs",
            (Side::Forward, TableKind::Triples) => "triples",
            (Side::Forward, TableKind::Fours) => "fours",
            // Chokepoints are a matter of the forward side.
            (_, TableKind::GoalRoom) => "filling",
            (_, TableKind::Approach(4)) => "fours-to-door",
            (_, TableKind::Approach(5)) => "fives-to-door",
            (_, TableKind::Approach(_)) => "sixes-to-door",
            (Side::Backward, TableKind::DeadSets) => "dead-sets-from-start",
            (Side::Backward, TableKind::Pairs) => "pairs-from-start",
            (Side::Backward, TableKind::Triples) => "triples-from-start",
            (Side::Backward, TableKind::Fours) => "fours-from-start",
        }
    }
}

pub(crate) struct SideTables<const L: usize, const G: usize> {
    board: Arc<DenseBoard>,
    side: Side,
    options: Options,
    pub(crate) dead_sets: DeadSets,
    dead_set_tables: DeadSetTables,
    pairs: Option<GroupInteraction<2, L, G>>,
    triples: Option<GroupInteraction<3, L, G>>,
    fours: Option<GroupInteraction<4, L, G>>,
    /// The chokepoint, forwards, if there is one.
    chokepoint: Option<Chokepoint>,
    pub(crate) goal_room: Option<GoalRoomDatabase<L, G>>,
    /// By sizes from two.
    approaches: Vec<ApproachDatabase<L, G>>,
    /// Tables that are not built for lack of time or memory.
    rejected: Vec<TableKind>,
}

impl<const L: usize, const G: usize> SideTables<L, G> {
    /// No tables yet; `None` if the board is too large for any.
    pub(crate) fn new(board: &Arc<DenseBoard>, side: Side, options: &Options) -> Option<Self> {
        let dead_set_tables = DeadSetTables::new(board, side, if options.dead_sets { MOST } else { 1 })?;
        let has_chokepoint = options.chokepoints && side == Side::Forward;
        Some(Self {
            board: Arc::clone(board),
            side,
            options: *options,
            dead_sets: dead_set_tables.patterns(),
            dead_set_tables,
            pairs: None,
            triples: None,
            fours: None,
            chokepoint: has_chokepoint.then(|| goal_room::chokepoint(board)).flatten(),
            goal_room: None,
            approaches: Vec::new(),
            rejected: Vec::new(),
        })
    }

    /// Whether a table of this kind can be built for this level and is not built yet.
    pub(crate) fn is_available(&self, kind: TableKind) -> bool {
        let options = &self.options;
        match kind {
            TableKind::DeadSets => self.dead_set_tables.next().is_some(),
            TableKind::Pairs => options.pairs && self.pairs.is_none(),
            TableKind::Triples => options.triples && self.triples.is_none(),
            TableKind::Fours => options.fours && self.fours.is_none() && self.board.boxes() >= 4,
            TableKind::GoalRoom | TableKind::Approach(_) => {
                self.next_goal_room_table().is_some_and(|(next, _)| next == kind)
            }
        }
    }

    /// The next table about the chokepoint, with its cost in microseconds.
    fn next_goal_room_table(&self) -> Option<(TableKind, u64)> {
        let chokepoint = self.chokepoint.as_ref()?;
        // The approach databases are built in the order of their sizes.
        let (kind, size) = match (&self.goal_room, self.approaches.len()) {
            (None, _) => (TableKind::GoalRoom, 3),
            (_, built @ 2..=4) => (TableKind::Approach(built + 2), built + 2),
            _ => return None,
        };
        let sets = approach::sets(chokepoint, size);
        let goal_room = if kind == TableKind::GoalRoom { goal_room::work(&self.board, chokepoint) } else { 0 };
        let fits = sets <= MOST_SETS && self.board.boxes() >= size.min(4);
        (fits || kind == TableKind::GoalRoom).then_some((kind, goal_room + sets * size as u64 / 2))
    }

    /// The most useful table to build next, with its cost in microseconds of one thread.
    pub(crate) fn next_table(&self) -> Option<(TableKind, u64)> {
        let mut candidates = Vec::new();
        // A dead set takes a fraction of a microsecond, an edge of a graph some nanoseconds.
        if let Some((size, sets)) = self.dead_set_tables.next() {
            let per_set = [1, 1, 1, 1, 1, 4, 8][size];
            candidates.push((TableKind::DeadSets, sets as u64 * per_set));
        }
        let edges = |size: usize| group_interaction::work(&self.board, size) / 150;
        if self.is_available(TableKind::Pairs) {
            candidates.push((TableKind::Pairs, edges(2)));
        } else if self.is_available(TableKind::Triples) {
            candidates.push((TableKind::Triples, edges(3)));
        } else if self.is_available(TableKind::Fours) {
            // Less often useful, and slower to look up.
            candidates.push((TableKind::Fours, edges(4) * 2));
        }
        candidates.extend(self.next_goal_room_table());
        candidates.retain(|(kind, _)| !self.rejected.contains(kind));
        candidates.into_iter().min_by_key(|&(_, cost)| cost)
    }

    pub(crate) fn reject(&mut self, kind: TableKind) {
        self.rejected.push(kind);
    }

    /// Builds a table. A table whose construction is stopped is rejected. Returns whether it was built.
    pub(crate) fn build(&mut self, kind: TableKind, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let (board, side) = (&self.board, self.side);
        let finished = match kind {
            TableKind::DeadSets => {
                let before = self.dead_set_tables.finished();
                while self.dead_set_tables.finished() == before && !stop() {
                    self.dead_set_tables.build(BUILD);
                }
                self.dead_sets = self.dead_set_tables.patterns();
                self.dead_set_tables.finished() > before
            }
            TableKind::Pairs => {
                self.pairs = GroupInteraction::new(board, side, threads, stop, &|_, _| 0);
                self.pairs.is_some()
            }
            TableKind::Triples => {
                let smaller = |squares: &[u16], zone: Set<G>| {
                    let pair = |a: usize, b: usize| {
                        self.pairs.as_ref().map_or(0, |pairs| pairs.value(&[squares[a], squares[b]], zone))
                    };
                    pair(0, 1).max(pair(0, 2)).max(pair(1, 2))
                };
                self.triples = GroupInteraction::new(board, side, threads, stop, &smaller);
                self.triples.is_some()
            }
            TableKind::Fours => {
                let smaller = |squares: &[u16], zone: Set<G>| {
                    packed::<L>(squares, |boxes, groups| self.groups(boxes, zone, groups))
                };
                self.fours = GroupInteraction::new(board, side, threads, stop, &smaller);
                self.fours.is_some()
            }
            TableKind::GoalRoom => {
                let chokepoint = self.chokepoint.as_ref();
                self.goal_room = chokepoint.and_then(|point| GoalRoomDatabase::new(board, point, stop));
                // Without the first approach databases it does not count as built.
                if !(2..4).all(|size| self.goal_room.is_some() && self.build_approach(size, stop)) {
                    self.goal_room = None;
                    self.approaches.clear();
                }
                self.goal_room.is_some()
            }
            TableKind::Approach(size) => self.build_approach(size, stop),
        };
        if !finished {
            self.reject(kind);
        }
        finished
    }

    /// Builds the approach database of a size.
    fn build_approach(&mut self, size: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let smaller = |squares: &[u16], zone: Set<G>| {
            packed::<L>(squares, |boxes, groups| self.approach_groups(boxes, zone, groups))
        };
        let chokepoint = self.chokepoint.as_ref();
        let table = chokepoint.and_then(|point| ApproachDatabase::new(&self.board, point, size, stop, &smaller));
        let built = table.is_some();
        self.approaches.extend(table);
        built
    }

    /// All groups of a position with an interaction on the way to the chokepoint.
    pub(crate) fn approach_groups(&self, boxes: Set<L>, zone: Set<G>, groups: &mut Vec<Group<L>>) -> Listed {
        groups.clear();
        self.approaches.iter().try_for_each(|approach| approach.of_position(boxes, zone, groups))
    }

    /// Those of them that contain the box of an arrival.
    #[inline]
    pub(crate) fn approach_groups_of(&self, arrival: usize, others: Set<L>, groups: &mut Vec<Group<L>>) -> Listed {
        self.approaches.iter().try_for_each(|approach| approach.of_arrival(arrival, others, groups))
    }

    /// All groups of a position with an interaction on the way to the target of the side.
    pub(crate) fn groups(&self, boxes: Set<L>, zone: Set<G>, groups: &mut Vec<Group<L>>) -> Listed {
        groups.clear();
        self.pairs.iter().try_for_each(|pairs| pairs.of_position(boxes, zone, groups))?;
        self.triples.iter().try_for_each(|triples| triples.of_position(boxes, zone, groups))?;
        self.fours.iter().try_for_each(|fours| fours.of_position(boxes, zone, groups))
    }

    /// Those of them that contain the box of an arrival. All other groups are as in the parent, because the player has
    /// not crossed them.
    #[inline]
    pub(crate) fn groups_of(&self, arrival: usize, others: Set<L>, groups: &mut Vec<Group<L>>) -> Listed {
        self.pairs.iter().try_for_each(|pairs| pairs.of_arrival(arrival, others, groups))?;
        self.triples.iter().try_for_each(|triples| triples.of_arrival(arrival, others, groups))?;
        self.fours.iter().try_for_each(|fours| fours.of_arrival(arrival, others, groups))
    }

    /// What the bound consists of, in words.
    pub(crate) fn bound_name(&self) -> &'static str {
        if self.goal_room.is_some() {
            return "matching, box groups and the goal-room database";
        }
        match (&self.pairs, &self.triples, &self.fours) {
            (None, None, None) => "matching",
            (Some(_), None, None) => "matching and pairs",
            (_, Some(_), None) => "matching, pairs and triples",
            (_, _, Some(_)) => "matching and groups of up to four boxes",
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let databases = self.pairs.as_ref().map_or(0, GroupInteraction::bytes)
            + self.triples.as_ref().map_or(0, GroupInteraction::bytes)
            + self.fours.as_ref().map_or(0, GroupInteraction::bytes)
            + self.goal_room.as_ref().map_or(0, GoalRoomDatabase::bytes)
            + self.approaches.iter().map(ApproachDatabase::bytes).sum::<usize>();
        self.dead_set_tables.bytes() + databases
    }

    /// Bytes a table needs while it is built.
    pub(crate) fn bytes_needed(&self, kind: TableKind) -> usize {
        let chokepoint = self.chokepoint.as_ref();
        let approach = |size: usize| chokepoint.map_or(0, |point| approach::bytes_needed(point, size));
        let groups = |size: usize| group_interaction::bytes_needed(&self.board, size, self.options.threads);
        match kind {
            TableKind::DeadSets => 16 << 20,
            TableKind::Pairs => groups(2),
            TableKind::Triples => groups(3),
            TableKind::Fours => groups(4),
            TableKind::GoalRoom => {
                let goal_room = chokepoint.map_or(0, |point| goal_room::bytes_needed(&self.board, point));
                goal_room + approach(2) + approach(3)
            }
            TableKind::Approach(size) => approach(size),
        }
    }
}

/// The interaction of a set that the listed groups inside it account for already.
fn packed<const L: usize>(squares: &[u16], list: impl FnOnce(Set<L>, &mut Vec<Group<L>>) -> Listed) -> u8 {
    let mut groups = Vec::new();
    list(squares.iter().map(|&square| square.into()).collect(), &mut groups)
        .map_or(u8::MAX, |()| pack(&mut groups, u32::MAX).min(254) as u8)
}
