//! What the player must walk, bounded by a height given to every square of the floor.
//!
//! Give each square a height such that neighbours differ by at most 1, whatever the heights are. Follow the player
//! through a solution: each step changes his height, and the changes add up to the height where he ends less that
//! where he stands now. A step without a push takes away at most 1, so
//!
//! > walking steps >= (what all pushes together gain in height) + height(player) - height(end),
//!
//! and with the pushes themselves
//!
//! > moves >= sum over pushes of (1 + the height that push gains) + height(player) - highest end.
//!
//! Each push belongs to one box, and `1 + gain` lies between 0 and 2. So the sum splits by boxes: the least a
//! box pays on the way to a goal is a shortest path of a lone box (its square and the player's side of it, as for
//! pushes), real play projected on one box is such a path, and the cheapest pairing of boxes with goals by these
//! costs bounds the sum. With all heights 0 this is the push bound. With heights rising towards the
//! goals each push towards them counts twice: once for itself, once for the way back to fetch the next box.
//!
//! The bound is consistent. A step without a push changes only the player's height, by at most 1. A push that gains
//! `d` lowers the pairing by at most `1 + d` and raises the player's height by `d`.
//!
//! Any heights are sound; good ones are searched for. For fixed heights the bound is the least over all pairings and
//! paths of a linear function of the heights, so it is concave in them, and where the cheapest paths leave and enter
//! squares says which way to change them: subgradient ascent, each step followed by the repair that makes neighbours
//! differ by at most 1 again. Its dual is a transport of the player from where pushes end to where pushes begin. Heights
//! are whole multiples of a quarter.

use crate::champion::dense::ground::{Ground, INFINITE, LONGEST, NONE, Side, Way};
use crate::champion::dense::matching::{Matcher, Matching};
use crate::square::Direction;
use search::Budget;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Units of a move: heights and costs are kept in these.
pub(crate) const SCALE: i32 = 4;

/// Heights, and what boxes pay by them.
#[derive(Clone, Debug)]
pub(crate) struct Potential {
    /// The height of each cell.
    height: Vec<i32>,
    /// The height of the highest cell on which the player can end.
    end: i32,
    /// Rows of what a box pays to get to each goal.
    pub(crate) way: Way,
}

impl Potential {
    /// All squares equally high: the push bound.
    pub(crate) fn flat(ground: &Ground) -> Self {
        Self::new(ground, &Slopes::new(ground), vec![0; ground.cells()], None)
    }

    /// Heights that make the bound of a position high, by so many rounds of ascent, beginning with these.
    pub(crate) fn fitted(
        ground: &Ground,
        boxes: &[usize],
        player: usize,
        rounds: usize,
        first: &Self,
        budget: &Budget,
    ) -> Self {
        let slopes = Slopes::new(ground);
        let mut best = first.clone();
        let mut heights: Vec<f64> = first.height.iter().map(|&height| f64::from(height) / f64::from(SCALE)).collect();
        let mut matcher = Matcher::new(&first.way, ground.boxes());
        let mut matching = Matching::empty(ground.boxes());
        let mut trail = Trail::new(ground);
        let mut best_value = i32::MIN;
        let mut reach = REACH;
        let mut idle = 0;
        for _ in 0..rounds {
            if budget.out_of_time() || budget.cancel().is_cancelled() {
                return best;
            }
            let whole = slopes.whole(&heights);
            let candidate = Self::new(ground, &slopes, whole, Some(&mut trail));
            let rows = boxes.iter().map(|&square| ground.row_at(square, player));
            if !matcher.solve(&candidate.way, &mut matching, rows) {
                return best;
            }
            let value = candidate.bound_in_units(matching.total, player);
            if value > best_value {
                (best_value, idle) = (value, 0);
                best = candidate.clone();
            } else {
                idle += 1;
                if idle == PATIENCE {
                    (idle, reach) = (0, reach * 0.6);
                }
            }
            // How often the player enters a cell by a push, less how often he leaves it so.
            let mut gain = vec![0i32; ground.cells()];
            for (goal, &row) in matching.rows.iter().enumerate() {
                trail.follow(&slopes, goal, row.into(), &mut gain);
            }
            gain[player] += 1;
            gain[candidate.end_cell(&slopes)] -= 1;
            let square: f64 = gain.iter().map(|&gain| f64::from(gain * gain)).sum();
            if square == 0.0 {
                return best;
            }
            let target = f64::from(best_value) / f64::from(SCALE) * (1.0 + reach) + 1.0;
            let step = (target - f64::from(value) / f64::from(SCALE)) / square;
            heights.iter_mut().zip(&gain).for_each(|(height, &gain)| *height += step * f64::from(gain));
            slopes.level(&mut heights);
        }
        best
    }

    /// A position on the way: so many boxes, those that pay least, on the goals they are paired with. The player stands
    /// where a push could have left him beside the last of them. `None` if there is no pairing.
    pub(crate) fn halfway(
        &self,
        ground: &Ground,
        boxes: &[usize],
        player: usize,
        done: usize,
    ) -> Option<(Vec<usize>, usize)> {
        let mut matching = Matching::empty(ground.boxes());
        let rows = boxes.iter().map(|&square| ground.row_at(square, player));
        if !Matcher::new(&self.way, ground.boxes()).solve(&self.way, &mut matching, rows) {
            return None;
        }
        let mut pairs: Vec<(i16, usize, u16)> =
            matching.rows.iter().enumerate().map(|(goal, &row)| (self.way.row(row)[goal], goal, row)).collect();
        pairs.sort_unstable();
        let mut moved: Vec<usize> = Vec::new();
        for (index, &(_, goal, row)) in pairs.iter().enumerate() {
            moved.push(if index < done { ground.goals()[goal].into() } else { ground.row_live(row) });
        }
        let mut sorted = moved.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let last = *moved.get(done.checked_sub(1)?)?;
        let beside = (4 * last..4 * last + 4).filter(|&arrival| ground.is_good(arrival)).map(|a| ground.beside(a));
        let free = |cell: &u16| moved.iter().all(|&square| ground.cell(square) != usize::from(*cell));
        let player = beside.filter(|&cell| cell != NONE).find(free)?;
        (sorted.len() == moved.len()).then_some((moved, player.into()))
    }

    fn new(ground: &Ground, slopes: &Slopes, height: Vec<i32>, trail: Option<&mut Trail>) -> Self {
        let way = ground.way(Side::Forward);
        let end = slopes.ends.iter().map(|&cell| height[cell]).max().unwrap_or(0);
        let rows = slopes.rows(ground, way, &height, trail);
        Self { height, end, way: way.with_rows(rows) }
    }

    fn end_cell(&self, slopes: &Slopes) -> usize {
        slopes.ends.iter().copied().find(|&cell| self.height[cell] == self.end).unwrap_or(0)
    }

    fn bound_in_units(&self, pairing: i32, player: usize) -> i32 {
        pairing + self.height[player] - self.end
    }

    /// What a step from one cell to another gains in height, in units.
    pub(crate) fn gain(&self, from: usize, to: usize) -> i32 {
        self.height[to] - self.height[from]
    }

    /// The least number of moves from a position whose pairing costs so much, the player on a cell.
    #[inline]
    pub(crate) fn bound(&self, pairing: i32, player: usize) -> i32 {
        (self.bound_in_units(pairing, player) + SCALE - 1).div_euclid(SCALE).max(0)
    }
}

/// How far above the best value so far the ascent aims, as a share of it; less after rounds without progress.
const REACH: f64 = 0.1;
const PATIENCE: usize = 6;

/// The pushes of a lone box as edges between rows, and the floor the heights lie on.
struct Slopes {
    edges: Vec<Edge>,
    /// The edges into a row are `into[first[row]..first[row + 1]]`.
    into: Vec<u32>,
    first: Vec<u32>,
    /// Cells on which the player can stand after the last push of a solution.
    ends: Vec<usize>,
    neighbours: Vec<(usize, usize)>,
}

#[derive(Clone, Copy)]
struct Edge {
    from: u16,
    to: u16,
    /// The cells the player comes from and goes to.
    leaves: u16,
    enters: u16,
}

impl Slopes {
    fn new(ground: &Ground) -> Self {
        let way = ground.way(Side::Forward);
        let mut edges = Vec::new();
        let mut ends = Vec::new();
        for (number, step) in way.steps.iter().enumerate().filter(|(_, step)| step.to != NONE) {
            let from = ground.row_at(number / 4, step.reach.into());
            edges.push(Edge { from, to: step.row, leaves: step.reach, enters: step.lands });
            if ground.goals().contains(&step.to) {
                ends.push(usize::from(step.lands));
            }
        }
        ends.sort_unstable();
        ends.dedup();
        let mut first = vec![0u32; way.row_count() + 1];
        edges.iter().for_each(|edge| first[usize::from(edge.to) + 1] += 1);
        for row in 0..way.row_count() {
            first[row + 1] += first[row];
        }
        let mut filled = first.clone();
        let mut into = vec![0u32; edges.len()];
        for (number, edge) in edges.iter().enumerate() {
            let place = &mut filled[usize::from(edge.to)];
            into[*place as usize] = number as u32;
            *place += 1;
        }
        let plane = ground.plane::<16>();
        let mut neighbours = Vec::new();
        for direction in [Direction::Left, Direction::Up] {
            for cell in plane.floor.iter() {
                let next = plane.shifted(crate::champion::dense::set::Set::single(cell), direction).and(plane.floor);
                if !next.is_empty() {
                    neighbours.push((cell, next.lowest()));
                }
            }
        }
        Self { edges, into, first, ends, neighbours }
    }

    /// What a box of each row pays to get to each goal.
    fn rows(&self, ground: &Ground, way: &Way, height: &[i32], mut trail: Option<&mut Trail>) -> Vec<i16> {
        let (count, stride) = (way.row_count(), way.stride());
        let mut rows = vec![INFINITE; count * stride];
        let mut paid = vec![i32::MAX; count];
        let mut open = BinaryHeap::new();
        for (goal, &square) in ground.goals().iter().enumerate() {
            paid.fill(i32::MAX);
            for row in (0..count).filter(|&row| ground.row_live(row as u16) == usize::from(square)) {
                paid[row] = 0;
                open.push((Reverse(0), row as u16));
            }
            while let Some((Reverse(so_far), row)) = open.pop() {
                let row = usize::from(row);
                if so_far > paid[row] {
                    continue;
                }
                for &number in &self.into[self.first[row] as usize..self.first[row + 1] as usize] {
                    let edge = self.edges[number as usize];
                    let cost = SCALE + height[usize::from(edge.enters)] - height[usize::from(edge.leaves)];
                    debug_assert!((0..=2 * SCALE).contains(&cost), "neighbours differ by at most 1");
                    let from = usize::from(edge.from);
                    if so_far + cost < paid[from] {
                        paid[from] = so_far + cost;
                        open.push((Reverse(so_far + cost), edge.from));
                        if let Some(trail) = trail.as_deref_mut() {
                            trail.next[goal * count + from] = number;
                        }
                    }
                }
            }
            for (row, &paid) in paid.iter().enumerate().filter(|&(_, &paid)| paid != i32::MAX) {
                rows[row * stride + goal] = paid.min(LONGEST.into()) as i16;
            }
        }
        rows
    }

    /// Makes neighbours differ by at most 1: the mean of lowering what is too high and raising what is too low.
    fn level(&self, heights: &mut [f64]) {
        let mut low = heights.to_vec();
        let mut high = heights.to_vec();
        let mut changed = true;
        while changed {
            changed = false;
            for &(a, b) in self.neighbours.iter().chain(self.neighbours.iter().rev()) {
                for (a, b) in [(a, b), (b, a)] {
                    if low[a] > low[b] + 1.0 {
                        low[a] = low[b] + 1.0;
                        changed = true;
                    }
                    if high[a] < high[b] - 1.0 {
                        high[a] = high[b] - 1.0;
                        changed = true;
                    }
                }
            }
        }
        for (height, (low, high)) in heights.iter_mut().zip(low.iter().zip(&high)) {
            *height = (low + high) / 2.0;
        }
    }

    /// The heights in whole units. Whatever rounding did, neighbours differ by at most 1: the bound rests on it.
    fn whole(&self, heights: &[f64]) -> Vec<i32> {
        let mut whole: Vec<i32> = heights.iter().map(|&height| (height * f64::from(SCALE)).floor() as i32).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &(a, b) in &self.neighbours {
                for (a, b) in [(a, b), (b, a)] {
                    if whole[a] > whole[b] + SCALE {
                        whole[a] = whole[b] + SCALE;
                        changed = true;
                    }
                }
            }
        }
        whole
    }
}

/// The first push of the cheapest way, by goal and row.
struct Trail {
    next: Vec<u32>,
    count: usize,
}

impl Trail {
    fn new(ground: &Ground) -> Self {
        let count = ground.way(Side::Forward).row_count();
        Self { next: vec![u32::MAX; count * ground.boxes()], count }
    }

    /// Counts the cells that the player enters and leaves by the pushes of a box on its way to a goal.
    fn follow(&self, slopes: &Slopes, goal: usize, mut row: usize, gain: &mut [i32]) {
        // No way is longer than there are rows; only a row of the goal itself has no next push.
        for _ in 0..self.count {
            let Some(edge) = slopes.edges.get(self.next[goal * self.count + row] as usize) else { return };
            gain[usize::from(edge.enters)] += 1;
            gain[usize::from(edge.leaves)] -= 1;
            row = edge.to.into();
        }
    }
}
