//! Everything about a level that the search by layers only reads: ground, keys, rules, tables.

use super::excess::{Dead, Excess, Group};
use super::key::Key;
use super::packing::pack;
use super::rank::Rank;
use super::{Options, Strengthening};
use crate::champion::dense::corral::{Rules, Verdict};
use crate::champion::dense::ground::{Ground, NONE, Plane, Side};
use crate::champion::dense::matching::{Matcher, Matching};
use crate::champion::dense::patterns::Patterns;
use crate::champion::dense::retrograde::MOST;
use crate::champion::dense::set::Set;
use crate::champion::dense::tables::Tables;
use crate::square::Direction;
use std::sync::Arc;

/// States of a table of dead sets built between two looks at the clock.
const BUILD: u64 = 4096;

/// A level made ready.
pub(crate) struct Scene<K, const L: usize, const G: usize> {
    pub(crate) ground: Arc<Ground>,
    pub(crate) plane: Plane<G>,
    pub(crate) rank: Rank<K>,
    pub(crate) rules: Rules<G>,
    pub(crate) patterns: Patterns,
    pub(crate) options: Options,
    pub(crate) goals: Set<L>,
    tables: Tables,
    pairs: Option<Excess<2>>,
    triples: Option<Excess<3>>,
    fours: Option<Excess<4>>,
    /// Tables that were given up.
    refused: Vec<Strengthening>,
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
    pub(crate) fn new(ground: &Arc<Ground>, options: Options) -> Option<Self> {
        let rank = Rank::new(ground)?;
        let tables = Tables::new(ground, Side::Forward, if options.dead_sets { MOST } else { 1 })?;
        let mut goals = Set::EMPTY;
        ground.goals().iter().for_each(|&goal| goals.insert(goal.into()));
        Some(Self {
            ground: Arc::clone(ground),
            plane: ground.plane(),
            rank,
            rules: Rules::new(ground),
            patterns: tables.patterns(),
            options,
            goals,
            tables,
            pairs: None,
            triples: None,
            fours: None,
            refused: Vec::new(),
        })
    }

    /// The table that is worth most next, with its cost in microseconds of one thread.
    pub(crate) fn next_table(&self) -> Option<(Strengthening, u64)> {
        let ground = &*self.ground;
        let mut candidates = Vec::new();
        // A dead set takes a fraction of a microsecond, an edge of a graph some nanoseconds.
        if let Some((size, sets)) = self.tables.next() {
            let per_set = [1, 1, 1, 1, 1, 4, 8][size];
            candidates.push((Strengthening::DeadSets, sets as u64 * per_set));
        }
        let edges = |work: u64| work / 150;
        if self.options.pairs && self.pairs.is_none() {
            candidates.push((Strengthening::Pairs, edges(Excess::<2>::work(ground))));
        } else if self.options.triples && self.triples.is_none() {
            candidates.push((Strengthening::Triples, edges(Excess::<3>::work(ground))));
        } else if self.options.fours && self.fours.is_none() && ground.boxes() >= 4 {
            // Less often of use, and larger when it is looked up.
            candidates.push((Strengthening::Fours, edges(Excess::<4>::work(ground)) * 2));
        }
        candidates.retain(|(kind, _)| !self.refused.contains(kind));
        candidates.into_iter().min_by_key(|&(_, cost)| cost)
    }

    /// Whether a table of this kind is still to be made for this level.
    pub(crate) fn offers(&self, kind: Strengthening) -> bool {
        match kind {
            Strengthening::DeadSets => self.tables.next().is_some(),
            Strengthening::Pairs => self.options.pairs && self.pairs.is_none(),
            Strengthening::Triples => self.options.triples && self.triples.is_none(),
            Strengthening::Fours => self.options.fours && self.fours.is_none() && self.ground.boxes() >= 4,
        }
    }

    /// Bytes a table needs while it is made.
    pub(crate) fn table_bytes(&self, kind: Strengthening) -> usize {
        let (ground, threads) = (&*self.ground, self.options.threads);
        match kind {
            Strengthening::DeadSets => 16 << 20,
            Strengthening::Pairs => Excess::<2>::bytes_needed(ground, threads),
            Strengthening::Triples => Excess::<3>::bytes_needed(ground, threads),
            Strengthening::Fours => Excess::<4>::bytes_needed(ground, threads),
        }
    }

    /// Gives a table up.
    pub(crate) fn refuse(&mut self, kind: Strengthening) {
        self.refused.push(kind);
    }

    /// Makes a table, unless told to stop; then it is given up. Says whether it was made.
    pub(crate) fn strengthen(&mut self, kind: Strengthening, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let (ground, plane) = (&*self.ground, self.plane);
        let finished = match kind {
            Strengthening::DeadSets => {
                let before = self.tables.finished();
                while self.tables.finished() == before && !stop() {
                    self.tables.build(BUILD);
                }
                self.patterns = self.tables.patterns();
                self.tables.finished() > before
            }
            Strengthening::Pairs => {
                self.pairs = Excess::new::<G>(ground, threads, stop, &|_, _| 0);
                self.pairs.is_some()
            }
            Strengthening::Triples => {
                let inside = |squares: &[u16], zone: Set<G>| {
                    let pair = |a: usize, b: usize| match &self.pairs {
                        Some(pairs) => pairs.value(ground, &plane, &[squares[a], squares[b]], zone),
                        None => 0,
                    };
                    pair(0, 1).max(pair(0, 2)).max(pair(1, 2))
                };
                let triples = Excess::new::<G>(ground, threads, stop, &inside);
                self.triples = triples;
                self.triples.is_some()
            }
            Strengthening::Fours => {
                let inside = |squares: &[u16], zone: Set<G>| {
                    let mut groups: Vec<Group<L>> = Vec::new();
                    let mut boxes = Set::<L>::EMPTY;
                    squares.iter().for_each(|&square| boxes.insert(square.into()));
                    let listed = self.smaller_groups(boxes, zone, &mut groups);
                    listed.map_or(u8::MAX, |()| pack(&mut groups, u32::MAX).min(254) as u8)
                };
                let fours = Excess::new::<G>(ground, threads, stop, &inside);
                self.fours = fours;
                self.fours.is_some()
            }
        };
        if !finished {
            self.refuse(kind);
        }
        finished
    }

    /// The groups of two and three boxes in a position.
    fn smaller_groups(&self, boxes: Set<L>, zone: Set<G>, groups: &mut Vec<Group<L>>) -> Result<(), Dead> {
        if let Some(pairs) = &self.pairs {
            pairs.of_position(&self.ground, &self.plane, boxes, zone, groups)?;
        }
        if let Some(triples) = &self.triples {
            triples.of_position(&self.ground, &self.plane, boxes, zone, groups)?;
        }
        Ok(())
    }

    /// All groups of a position that cost each other something.
    pub(crate) fn groups(&self, boxes: Set<L>, zone: Set<G>, groups: &mut Vec<Group<L>>) -> Result<(), Dead> {
        groups.clear();
        self.smaller_groups(boxes, zone, groups)?;
        if let Some(fours) = &self.fours {
            fours.of_position(&self.ground, &self.plane, boxes, zone, groups)?;
        }
        Ok(())
    }

    /// The groups that a box which arrived so forms with the others: all others are as they were, because the
    /// player has not crossed them.
    pub(crate) fn groups_of(&self, arrival: usize, others: Set<L>, groups: &mut Vec<Group<L>>) -> Result<(), Dead> {
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

    /// The cells of boxes.
    #[inline]
    pub(crate) fn cells(&self, boxes: Set<L>) -> Set<G> {
        let mut cells = Set::EMPTY;
        boxes.iter().for_each(|square| cells.insert(self.ground.cell(square)));
        cells
    }

    /// The start: its boxes and the player's zone.
    pub(crate) fn start(&self) -> (Set<L>, Set<G>) {
        let mut boxes = Set::EMPTY;
        self.ground.starts().iter().for_each(|&square| boxes.insert(square.into()));
        let free = self.plane.floor.without(self.cells(boxes));
        (boxes, self.plane.zone(free, self.ground.start_player()))
    }

    /// A lower bound of the pushes that a position still needs; `None` if it is dead.
    pub(crate) fn bound(&self, boxes: Set<L>, zone: Set<G>) -> Option<u32> {
        let way = self.ground.way(Side::Forward);
        let mut matching = Matching::empty(self.ground.boxes());
        let rows = boxes.iter().map(|square| self.ground.row_at(square, zone.lowest()));
        if !Matcher::new(way, self.ground.boxes()).solve(way, &mut matching, rows) {
            return None;
        }
        let mut groups = Vec::new();
        self.groups(boxes, zone, &mut groups).ok()?;
        Some(matching.total as u32 + pack(&mut groups, u32::MAX))
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
        match self.rules.judge::<L>(&self.ground, &self.patterns, cells, zone) {
            Verdict::Open => all,
            Verdict::Only { boxes, into } => Choice::Pushes { boxes, into },
            Verdict::Dead => Choice::Dead,
        }
    }

    /// A box that shuts the player in, off the goals, and that he touches from one side only: it must be pushed on,
    /// nothing beyond it changes before, and what is pushed on his side can be pushed after.
    fn gate(&self, boxes: Set<L>, cells: Set<G>, zone: Set<G>) -> Option<Choice<G>> {
        let ground = &*self.ground;
        let player = zone.lowest();
        for square in boxes.iter() {
            for direction in Direction::ALL {
                let arrival = 4 * square + direction as usize;
                if !self.rules.is_gate(arrival) {
                    continue;
                }
                let behind = usize::from(ground.beside(arrival));
                if ground.row_at(square, behind) != ground.row_at(square, player) {
                    continue;
                }
                let push = direction.opposite();
                let step = &ground.way(Side::Forward).steps[4 * square + push as usize];
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

    /// What the bound is made of, in words.
    pub(crate) fn bound_name(&self) -> &'static str {
        match (&self.pairs, &self.triples, &self.fours) {
            (None, None, None) => "matching",
            (Some(_), None, None) => "matching and pairs",
            (_, Some(_), None) => "matching, pairs and triples",
            (_, _, Some(_)) => "matching and groups of up to four",
        }
    }

    /// Bytes of all tables.
    pub(crate) fn bytes(&self) -> usize {
        let excess = self.pairs.as_ref().map_or(0, Excess::bytes)
            + self.triples.as_ref().map_or(0, Excess::bytes)
            + self.fours.as_ref().map_or(0, Excess::bytes);
        // The code of the keys holds two tables of half words.
        self.ground.bytes() + self.tables.bytes() + excess + (256 << 10)
    }
}
