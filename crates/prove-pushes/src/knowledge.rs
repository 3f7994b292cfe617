//! What one side knows about small groups of boxes: which are dead, and what they cost each other beyond the matching.
//!
//! Forwards a group is asked how it gets to goals, backwards how it came from the start. The tables are the same, seen
//! from the other end, and are made one by one as the search goes on.

use crate::Options;
use crate::approach::ApproachDatabase;
use crate::chokepoint::Chokepoint;
use crate::goal_room::GoalRoomDatabase;
use crate::group_interaction::{Dead, GroupInteraction};
use lurd_rules::dense::board::{DenseBoard, Plane, Side};
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::dense::dead_sets::DeadSets;
use lurd_rules::dense::set::Set;
use lurd_rules::groups::packing::{Group, pack};
use lurd_rules::groups::subsets::MOST;
use std::sync::Arc;

/// States of a table of dead sets built between two looks at the clock.
const BUILD: u64 = 4096;

/// The most sets of boxes outside a door.
const MOST_SETS: u64 = 6_000_000;

/// What a table tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The next size of dead sets.
    DeadSets,
    /// GroupInteraction of pairs.
    Pairs,
    /// GroupInteraction of triples.
    Triples,
    /// GroupInteraction of four boxes.
    Fours,
    /// Fillings of the room behind a door, and excess of pairs and triples on their way to it.
    GoalRoomDatabase,
    /// GroupInteraction of four boxes on their way to a door.
    FoursToDoor,
    /// GroupInteraction of five boxes on their way to a door.
    FivesToDoor,
    /// GroupInteraction of six boxes on their way to a door.
    SixesToDoor,
}

/// A table that makes one side stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) side: Side,
    pub(crate) kind: Kind,
}

impl Table {
    /// Every table there may be.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let kinds = [
            Kind::DeadSets,
            Kind::Pairs,
            Kind::Triples,
            Kind::Fours,
            Kind::GoalRoomDatabase,
            Kind::FoursToDoor,
            Kind::FivesToDoor,
            Kind::SixesToDoor,
        ];
        [Side::Forward, Side::Backward].into_iter().flat_map(move |side| kinds.map(|kind| Self { side, kind }))
    }

    /// What records call it.
    pub(crate) fn name(self) -> &'static str {
        match (self.side, self.kind) {
            (Side::Forward, Kind::DeadSets) => "dead-sets",
            (Side::Forward, Kind::Pairs) => "pairs",
            (Side::Forward, Kind::Triples) => "triples",
            (Side::Forward, Kind::Fours) => "fours",
            // The door is asked about forwards only.
            (_, Kind::GoalRoomDatabase) => "filling",
            (_, Kind::FoursToDoor) => "fours-to-door",
            (_, Kind::FivesToDoor) => "fives-to-door",
            (_, Kind::SixesToDoor) => "sixes-to-door",
            (Side::Backward, Kind::DeadSets) => "dead-sets-from-start",
            (Side::Backward, Kind::Pairs) => "pairs-from-start",
            (Side::Backward, Kind::Triples) => "triples-from-start",
            (Side::Backward, Kind::Fours) => "fours-from-start",
        }
    }
}

/// The tables of one side.
pub(crate) struct Knowledge {
    side: Side,
    pub(crate) patterns: DeadSets,
    tables: DeadSetTables,
    pairs: Option<GroupInteraction<2>>,
    triples: Option<GroupInteraction<3>>,
    fours: Option<GroupInteraction<4>>,
    /// The door, forwards, if there is one.
    door: Option<Chokepoint>,
    pub(crate) filling: Option<GoalRoomDatabase>,
    /// GroupInteraction on the way to the door, by sizes from two.
    entrances: Vec<ApproachDatabase>,
    /// DeadSetTables that were given up.
    refused: Vec<Kind>,
}

impl Knowledge {
    /// Nothing yet; `None` if no tables are made for boards so large.
    pub(crate) fn new(board: &Arc<DenseBoard>, side: Side, options: &Options) -> Option<Self> {
        let tables = DeadSetTables::new(board, side, if options.dead_sets { MOST } else { 1 })?;
        let patterns = tables.patterns();
        let door = if options.doors && side == Side::Forward { GoalRoomDatabase::chokepoint(board) } else { None };
        Some(Self {
            side,
            patterns,
            tables,
            pairs: None,
            triples: None,
            fours: None,
            door,
            filling: None,
            entrances: Vec::new(),
            refused: Vec::new(),
        })
    }

    /// Whether a table of this kind is still to be made for this level.
    pub(crate) fn offers(&self, board: &DenseBoard, options: &Options, kind: Kind) -> bool {
        match kind {
            Kind::DeadSets => self.tables.next().is_some(),
            Kind::Pairs => options.pairs && self.pairs.is_none(),
            Kind::Triples => options.triples && self.triples.is_none(),
            Kind::Fours => options.fours && self.fours.is_none() && board.boxes() >= 4,
            Kind::GoalRoomDatabase | Kind::FoursToDoor | Kind::FivesToDoor | Kind::SixesToDoor => {
                self.next_of_door(board).is_some_and(|(next, _)| next == kind)
            }
        }
    }

    /// The next table about the door, with its cost in microseconds.
    fn next_of_door(&self, board: &DenseBoard) -> Option<(Kind, u64)> {
        let door = self.door.as_ref()?;
        // Of two, three, ... boxes tables are made one after the other.
        let (kind, size) = match (&self.filling, self.entrances.len()) {
            (None, _) => (Kind::GoalRoomDatabase, 3),
            (_, 2) => (Kind::FoursToDoor, 4),
            (_, 3) => (Kind::FivesToDoor, 5),
            (_, 4) => (Kind::SixesToDoor, 6),
            _ => return None,
        };
        let sets = ApproachDatabase::sets(door, size);
        let filling = if kind == Kind::GoalRoomDatabase { GoalRoomDatabase::work(board, door) } else { 0 };
        let fits = sets <= MOST_SETS && board.boxes() >= size.min(4);
        (fits || kind == Kind::GoalRoomDatabase).then_some((kind, filling + sets * size as u64 / 2))
    }

    /// The table that is worth most next, with its cost in microseconds of one thread.
    pub(crate) fn next_table(&self, board: &DenseBoard, options: &Options) -> Option<(Kind, u64)> {
        let mut candidates = Vec::new();
        // A dead set takes a fraction of a microsecond, an edge of a graph some nanoseconds.
        if let Some((size, sets)) = self.tables.next() {
            let per_set = [1, 1, 1, 1, 1, 4, 8][size];
            candidates.push((Kind::DeadSets, sets as u64 * per_set));
        }
        let edges = |work: u64| work / 150;
        if options.pairs && self.pairs.is_none() {
            candidates.push((Kind::Pairs, edges(GroupInteraction::<2>::work(board))));
        } else if options.triples && self.triples.is_none() {
            candidates.push((Kind::Triples, edges(GroupInteraction::<3>::work(board))));
        } else if options.fours && self.fours.is_none() && board.boxes() >= 4 {
            // Less often of use, and larger when it is looked up.
            candidates.push((Kind::Fours, edges(GroupInteraction::<4>::work(board)) * 2));
        }
        candidates.extend(self.next_of_door(board));
        candidates.retain(|(kind, _)| !self.refused.contains(kind));
        candidates.into_iter().min_by_key(|&(_, cost)| cost)
    }

    /// Gives a table up.
    pub(crate) fn refuse(&mut self, kind: Kind) {
        self.refused.push(kind);
    }

    /// Makes a table, unless told to stop; then it is given up. Says whether it was made.
    pub(crate) fn strengthen<const L: usize, const G: usize>(
        &mut self,
        board: &DenseBoard,
        kind: Kind,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        let plane: Plane<G> = board.plane();
        let finished = match kind {
            Kind::DeadSets => {
                let before = self.tables.finished();
                while self.tables.finished() == before && !stop() {
                    self.tables.build(BUILD);
                }
                self.patterns = self.tables.patterns();
                self.tables.finished() > before
            }
            Kind::Pairs => {
                self.pairs = GroupInteraction::new::<G>(board, self.side, threads, stop, &|_, _| 0);
                self.pairs.is_some()
            }
            Kind::Triples => {
                let inside = |squares: &[u16], zone: Set<G>| {
                    let pair = |a: usize, b: usize| match &self.pairs {
                        Some(pairs) => pairs.value(board, &plane, &[squares[a], squares[b]], zone),
                        None => 0,
                    };
                    pair(0, 1).max(pair(0, 2)).max(pair(1, 2))
                };
                let triples = GroupInteraction::new::<G>(board, self.side, threads, stop, &inside);
                self.triples = triples;
                self.triples.is_some()
            }
            Kind::Fours => {
                let inside = |squares: &[u16], zone: Set<G>| {
                    let mut groups: Vec<Group<L>> = Vec::new();
                    let mut boxes = Set::<L>::EMPTY;
                    squares.iter().for_each(|&square| boxes.insert(square.into()));
                    let listed = self.smaller_groups(board, &plane, boxes, zone, &mut groups);
                    listed.map_or(u8::MAX, |()| pack(&mut groups, u32::MAX).min(254) as u8)
                };
                let fours = GroupInteraction::new::<G>(board, self.side, threads, stop, &inside);
                self.fours = fours;
                self.fours.is_some()
            }
            Kind::GoalRoomDatabase => {
                self.filling = self.door.as_ref().and_then(|door| GoalRoomDatabase::new::<G>(board, door, stop));
                // Without the first groups the table counts as not made.
                if !(2..4).all(|size| self.filling.is_some() && self.enter::<L, G>(board, size, stop)) {
                    self.filling = None;
                    self.entrances.clear();
                }
                self.filling.is_some()
            }
            Kind::FoursToDoor => self.enter::<L, G>(board, 4, stop),
            Kind::FivesToDoor => self.enter::<L, G>(board, 5, stop),
            Kind::SixesToDoor => self.enter::<L, G>(board, 6, stop),
        };
        if !finished {
            self.refuse(kind);
        }
        finished
    }

    /// Makes the table of groups of a size on their way to the door.
    fn enter<const L: usize, const G: usize>(
        &mut self,
        board: &DenseBoard,
        size: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        let plane: Plane<G> = board.plane();
        let inside = |squares: &[u16], zone: Set<G>| {
            let mut groups: Vec<Group<L>> = Vec::new();
            let mut boxes = Set::<L>::EMPTY;
            squares.iter().for_each(|&square| boxes.insert(square.into()));
            let listed = self.groups_to_door(board, &plane, boxes, zone, &mut groups);
            listed.map_or(u8::MAX, |()| pack(&mut groups, u32::MAX).min(254) as u8)
        };
        let table = self.door.as_ref().and_then(|door| ApproachDatabase::new::<G>(board, door, size, stop, &inside));
        let made = table.is_some();
        self.entrances.extend(table);
        made
    }

    /// All groups of a position that cost each other something on their way to the door.
    pub(crate) fn groups_to_door<const L: usize, const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        boxes: Set<L>,
        zone: Set<G>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        groups.clear();
        self.entrances.iter().try_for_each(|entrance| entrance.of_position(board, plane, boxes, zone, groups))
    }

    /// Those of them that a box which arrived so forms with the others.
    #[inline]
    pub(crate) fn groups_to_door_of<const L: usize>(
        &self,
        arrival: usize,
        others: Set<L>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        self.entrances.iter().try_for_each(|entrance| entrance.of_arrival(arrival, others, groups))
    }

    /// The groups of two and three boxes in a position.
    fn smaller_groups<const L: usize, const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        boxes: Set<L>,
        zone: Set<G>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        if let Some(pairs) = &self.pairs {
            pairs.of_position(board, plane, boxes, zone, groups)?;
        }
        if let Some(triples) = &self.triples {
            triples.of_position(board, plane, boxes, zone, groups)?;
        }
        Ok(())
    }

    /// All groups of a position that cost each other something.
    pub(crate) fn groups<const L: usize, const G: usize>(
        &self,
        board: &DenseBoard,
        plane: &Plane<G>,
        boxes: Set<L>,
        zone: Set<G>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        groups.clear();
        self.smaller_groups(board, plane, boxes, zone, groups)?;
        if let Some(fours) = &self.fours {
            fours.of_position(board, plane, boxes, zone, groups)?;
        }
        Ok(())
    }

    /// The groups that a box which arrived so forms with the others: all others are as they were, because the
    /// player has not crossed them.
    #[inline]
    pub(crate) fn groups_of<const L: usize>(
        &self,
        arrival: usize,
        others: Set<L>,
        groups: &mut Vec<Group<L>>,
    ) -> Result<(), Dead> {
        if let Some(pairs) = &self.pairs {
            pairs.of_arrival(arrival, others, groups)?;
        }
        if let Some(triples) = &self.triples {
            triples.of_arrival(arrival, others, groups)?;
        }
        if let Some(fours) = &self.fours {
            fours.of_arrival(arrival, others, groups)?;
        }
        Ok(())
    }

    /// What the bound is made of, in words.
    pub(crate) fn bound_name(&self) -> &'static str {
        if self.filling.is_some() {
            return "matching, groups, and the room behind the door";
        }
        match (&self.pairs, &self.triples, &self.fours) {
            (None, None, None) => "matching",
            (Some(_), None, None) => "matching and pairs",
            (_, Some(_), None) => "matching, pairs and triples",
            (_, _, Some(_)) => "matching and groups of up to four",
        }
    }

    /// Bytes of all tables.
    pub(crate) fn bytes(&self) -> usize {
        let excess = self.pairs.as_ref().map_or(0, GroupInteraction::bytes)
            + self.triples.as_ref().map_or(0, GroupInteraction::bytes)
            + self.fours.as_ref().map_or(0, GroupInteraction::bytes)
            + self.filling.as_ref().map_or(0, GoalRoomDatabase::bytes)
            + self.entrances.iter().map(ApproachDatabase::bytes).sum::<usize>();
        self.tables.bytes() + excess
    }

    /// Bytes a table needs while it is made.
    pub(crate) fn bytes_needed(&self, board: &DenseBoard, kind: Kind, threads: usize) -> usize {
        let to_door = |size: usize| self.door.as_ref().map_or(0, |door| ApproachDatabase::bytes_needed(door, size));
        match kind {
            Kind::DeadSets => 16 << 20,
            Kind::Pairs => GroupInteraction::<2>::bytes_needed(board, threads),
            Kind::Triples => GroupInteraction::<3>::bytes_needed(board, threads),
            Kind::Fours => GroupInteraction::<4>::bytes_needed(board, threads),
            Kind::GoalRoomDatabase => {
                let filling = self.door.as_ref().map_or(0, |door| GoalRoomDatabase::bytes_needed(board, door));
                filling + to_door(2) + to_door(3)
            }
            Kind::FoursToDoor => to_door(4),
            Kind::FivesToDoor => to_door(5),
            Kind::SixesToDoor => to_door(6),
        }
    }
}
