//! Tolls: steps of the player that a box pays for while it stands on a square.
//!
//! By heights every step of the player costs `1 + its gain`, never less than nothing, and the costs of all steps with
//! the heights at both ends make up the moves of a solution. A potential alone counts only the steps that
//! are pushes, each for the box pushed. A box that has to be turned in a narrow place often sends the player a long way
//! round. So some steps, directed, get an *owner*: a live square. While a box stands there, it pays for every such step,
//! whoever makes it and whatever for. Where some box may be pushed by that step the owner gets half of it, and the box
//! pushed pays the other half. At any time at most one box stands on the owner, so no step is paid for more than once, and
//! what the boxes pay together stays a bound.
//!
//! What a box pays on a square between its arrival and its next push is at least the cheapest walk from one side
//! of it to the other round it, by its own steps. Any owners are sound, unless a step begins or ends on its owner, which no
//! walk round the box does. Good ones are found while heights are fitted: the walks
//! that the cheapest ways of the sample need ask for the steps on them, and those by which none of its boxes is pushed
//! are given away, each to the square that asks most. Neither giving away only steps that are never pushes, nor all, is
//! always better, so some potentials are fitted in the one way and some in the other.

use super::potential::SCALE;
use super::slopes::Slopes;
use crate::champion::dense::ground::{Ground, NONE, Side};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// No walk.
pub(crate) const FAR: i32 = i32::MAX;

/// Which steps may get owners while heights are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claims {
    /// None.
    Nothing,
    /// Those by which no box is ever pushed: nothing is lost by giving them away.
    Walks,
    /// Those, and steps by which no box of the sample is pushed on its cheapest way.
    Any,
}

/// Who owns which steps, and what walks round boxes cost.
#[derive(Clone, Debug)]
pub(crate) struct Tolls {
    /// The live square that owns a step, by `4 * cell + direction`; [`NONE`] for nobody.
    owner: Vec<u16>,
    /// Whether a box can be pushed by a step: then its owner gets half of it.
    halved: Vec<bool>,
    /// For each live square, whether it owns a step.
    owning: Vec<bool>,
    /// The toll from one side of a live square to another, by `16 * square + 4 * from + to`.
    tolls: Vec<i32>,
    /// The owned steps on the way, for owners.
    routes: BTreeMap<usize, Vec<u32>>,
}

impl Tolls {
    /// Nobody owns anything.
    pub(crate) fn none(ground: &Ground, slopes: &Slopes) -> Self {
        let live = ground.live_count();
        let mut tolls = vec![FAR; 16 * live];
        for (place, toll) in tolls.iter_mut().enumerate() {
            let (from, to) = (slopes.side[place / 4], slopes.side[place / 16 * 4 + place % 4]);
            if from != NONE && from == to {
                *toll = 0;
            }
        }
        let halved = (0..4 * ground.cells()).map(|step| can_push(ground, slopes, step)).collect();
        Self {
            owner: vec![NONE; 4 * ground.cells()],
            halved,
            owning: vec![false; live],
            tolls,
            routes: BTreeMap::new(),
        }
    }

    /// What a step costs the box on its owner, of all it costs: everything, or half where a box may be pushed by it.
    #[inline]
    fn toll(&self, step: usize, all: i32) -> i32 {
        if self.halved[step] { all / 2 } else { all }
    }

    /// What is left of the cost of a step for the box that is pushed by it.
    #[inline]
    pub(crate) fn left(&self, step: usize, all: i32) -> i32 {
        if self.owner[step] == NONE { all } else { all - self.toll(step, all) }
    }

    /// How much of a step that is a push counts for the box pushed, and how much of a step on a route for the box on its
    /// owner, in halves.
    pub(crate) fn halves(&self, step: usize) -> (i32, i32) {
        match (self.owner[step] == NONE, self.halved[step]) {
            (true, _) => (2, 0),
            (false, true) => (1, 1),
            (false, false) => (0, 2),
        }
    }

    /// What a box pays from an arrival until the player stands on a side of it; [`FAR`] if he cannot get there.
    #[inline]
    pub(crate) fn between(&self, arrival: usize, side: usize) -> i32 {
        self.tolls[4 * arrival + side]
    }

    /// The owned steps that a box pays for between an arrival and a side of it.
    pub(crate) fn route(&self, arrival: usize, side: usize) -> &[u32] {
        self.routes.get(&(4 * arrival + side)).map_or(&[], Vec::as_slice)
    }

    /// Works out what walks cost by these heights.
    pub(crate) fn price(&mut self, ground: &Ground, slopes: &Slopes, height: &[i32]) {
        self.routes.clear();
        for square in (0..ground.live_count()).filter(|&square| self.owning[square]) {
            for arrival in 4 * square..4 * square + 4 {
                let Some(walk) = self.walk(ground, slopes, height, arrival) else { continue };
                for side in 0..4 {
                    if self.tolls[4 * arrival + side] == FAR {
                        continue;
                    }
                    let to = usize::from(ground.beside(4 * square + side));
                    self.tolls[4 * arrival + side] = walk.paid[to].0;
                    let owned =
                        walk.steps(to).into_iter().filter(|&step| usize::from(self.owner[step as usize]) == square);
                    self.routes.insert(4 * arrival + side, owned.collect());
                }
            }
        }
    }

    /// The cheapest walks round a box from one side of it, among equally cheap ones the shortest.
    fn walk(&self, ground: &Ground, slopes: &Slopes, height: &[i32], arrival: usize) -> Option<Walk> {
        let (square, start) = (arrival / 4, ground.beside(arrival));
        if start == NONE {
            return None;
        }
        let mut walk = Walk { paid: vec![(i32::MAX, 0); ground.cells()], last: vec![u32::MAX; ground.cells()] };
        let mut open = BinaryHeap::from([(Reverse((0, 0)), start)]);
        walk.paid[usize::from(start)] = (0, 0);
        while let Some((Reverse(paid), cell)) = open.pop() {
            if paid > walk.paid[usize::from(cell)] {
                continue;
            }
            for step in 4 * usize::from(cell)..4 * usize::from(cell) + 4 {
                let to = slopes.next[step];
                if to == NONE || usize::from(to) == ground.cell(square) {
                    continue;
                }
                let own = usize::from(self.owner[step]) == square;
                let all = SCALE + height[usize::from(to)] - height[usize::from(cell)];
                let toll = if own { self.toll(step, all) } else { 0 };
                let further = (paid.0 + toll, paid.1 + 1);
                if further < walk.paid[usize::from(to)] {
                    walk.paid[usize::from(to)] = further;
                    walk.last[usize::from(to)] = step as u32;
                    open.push((Reverse(further), to));
                }
            }
        }
        Some(walk)
    }

    /// Gives steps that nobody owns to squares that ask for them, for the walks of these turns: an arrival and the side it
    /// is to be pushed from, with how often each is needed. Steps `pushed` are not given away.
    pub(crate) fn claim(
        &mut self,
        claims: Claims,
        ground: &Ground,
        slopes: &Slopes,
        height: &[i32],
        turns: &BTreeMap<(usize, usize), u32>,
        pushed: &[bool],
    ) {
        let mut asked: BTreeMap<usize, BTreeMap<usize, u32>> = BTreeMap::new();
        for (&(arrival, side), &times) in turns {
            let Some(walk) = self.walk(ground, slopes, height, arrival) else { continue };
            let to = usize::from(ground.beside(4 * (arrival / 4) + side));
            for step in walk.steps(to) {
                let step = step as usize;
                let free = self.owner[step] == NONE && !pushed[step];
                if free && (claims == Claims::Any || !self.halved[step]) {
                    *asked.entry(step).or_default().entry(arrival / 4).or_default() += times;
                }
            }
        }
        for (step, asking) in asked {
            // Most votes; among equals the lowest square.
            let most = asking.into_iter().max_by_key(|&(square, votes)| (votes, Reverse(square)));
            if let Some((square, _)) = most {
                self.owner[step] = square as u16;
                self.owning[square] = true;
            }
        }
    }
}

/// Whether a box can be pushed by this step in any solution.
fn can_push(ground: &Ground, slopes: &Slopes, step: usize) -> bool {
    if slopes.next[step] == NONE {
        return false;
    }
    let square = ground.live_at(slopes.next[step].into());
    square != NONE && ground.way(Side::Forward).steps[4 * usize::from(square) + step % 4].to != NONE
}

/// Walks from one cell: toll and length, and the step that leads to each cell.
struct Walk {
    paid: Vec<(i32, u32)>,
    last: Vec<u32>,
}

impl Walk {
    /// The steps to a cell, the last first.
    fn steps(&self, to: usize) -> Vec<u32> {
        let (mut steps, mut step) = (Vec::new(), self.last[to]);
        while step != u32::MAX {
            steps.push(step);
            step = self.last[step as usize / 4];
        }
        steps
    }
}
