//! The push graph of a lone box among given walls: distances, and the goals that can be reached.
//!
//! A vertex is a square and the group of its sides the player is in; an edge is a push. Walks within a group are not
//! edges. It differs from [`crate::distance::Distances`] in that walls are given by an array, frozen boxes among them, so
//! that the floor may have several components, and that it is built often and queried little: it has no table.

use crate::Square;
use crate::feature::articulation::{Articulation, BLOCKED, BoxSides, GROUPS};
use crate::feature::board::{FAR, FeatureBoard};

#[derive(Clone, Debug)]
pub struct LoneBox {
    articulation: Articulation,
    sides: Vec<BoxSides>,
    free: Vec<bool>,
}

impl LoneBox {
    pub fn bytes(&self) -> usize {
        self.articulation.bytes() + self.sides.len() * (size_of::<BoxSides>() + 1)
    }

    /// The graph among the walls in `taken`.
    pub fn new(board: &FeatureBoard, taken: &[u8]) -> Self {
        let mut articulation = board.survey(taken);
        let none = BoxSides { group: [BLOCKED; 4], parts: 0, zone: [0; GROUPS] };
        let sides = (0..=board.len())
            .map(|square| if taken[square] == 0 { *articulation.sides(board, square as Square) } else { none })
            .collect();
        let free = taken.iter().map(|&what| what == 0).collect();
        Self { articulation, sides, free }
    }

    /// The vertex of a box on `square` with the player on `player`; none if he is in another component of the floor.
    pub fn vertex(&self, board: &FeatureBoard, square: Square, player: Square) -> Option<usize> {
        let group = self.articulation.group_of(board, square, player);
        (group != BLOCKED).then(|| usize::from(square) * GROUPS + usize::from(group))
    }

    /// The successors of a vertex by pushes, or with `PULLS` its predecessors.
    #[inline]
    fn neighbours<const PULLS: bool>(&self, board: &FeatureBoard, vertex: usize, mut visit: impl FnMut(usize)) {
        let (square, group) = (vertex / GROUPS, (vertex % GROUPS) as u8);
        for direction in 0..4 {
            if self.sides[square].group[direction ^ 1] == group {
                let way = if PULLS { direction ^ 1 } else { direction };
                let there = usize::from(board.next(square as Square, way));
                // The player's side; blocked also where the square is not free.
                let behind = self.sides[there].group[direction ^ 1];
                if behind != BLOCKED {
                    visit(there * GROUPS + usize::from(behind));
                }
            }
        }
    }

    fn vertices(&self, square: Square) -> impl Iterator<Item = usize> + use<> {
        let mut groups = self.sides[usize::from(square)].group;
        groups.sort_unstable();
        let mut last = BLOCKED;
        let base = usize::from(square) * GROUPS;
        groups
            .into_iter()
            .filter(move |&group| group != BLOCKED && std::mem::replace(&mut last, group) != group)
            .map(move |group| base + usize::from(group))
    }

    /// Pushes from the nearest of some squares, any side, to every square.
    pub fn distances_from(&self, board: &FeatureBoard, squares: &[Square]) -> Vec<u16> {
        self.breadth_first::<false>(board, squares)
    }

    /// Pushes from every square, best side, to the nearest of some squares.
    pub fn distances_to(&self, board: &FeatureBoard, squares: &[Square]) -> Vec<u16> {
        self.breadth_first::<true>(board, squares)
    }

    fn breadth_first<const PULLS: bool>(&self, board: &FeatureBoard, squares: &[Square]) -> Vec<u16> {
        let mut distance = vec![FAR; self.sides.len() * GROUPS];
        let mut queue = Vec::with_capacity(self.sides.len());
        let mut nearest = vec![FAR; self.sides.len()];
        for &square in squares.iter().filter(|&&square| self.free[usize::from(square)]) {
            nearest[usize::from(square)] = 0;
            for vertex in self.vertices(square) {
                distance[vertex] = 0;
                queue.push(vertex);
            }
        }
        let mut at = 0;
        while let Some(&vertex) = queue.get(at) {
            at += 1;
            let pushes = distance[vertex].saturating_add(1).min(FAR - 1);
            self.neighbours::<PULLS>(board, vertex, |to| {
                if distance[to] == FAR {
                    distance[to] = pushes;
                    queue.push(to);
                    let square = to / GROUPS;
                    nearest[square] = nearest[square].min(pushes);
                }
            });
        }
        nearest
    }

    /// For each vertex the set of goals that can be reached from it; `goals` are their squares by number.
    pub fn reachable(&self, board: &FeatureBoard, goals: &[Square]) -> Reachable {
        let words = goals.len().div_ceil(64).max(1);
        let mut sets = vec![0u64; self.sides.len() * GROUPS * words];
        let mut work: Vec<usize> = Vec::new();
        let mut waiting = vec![false; self.sides.len() * GROUPS];
        for (number, &goal) in goals.iter().enumerate() {
            for vertex in self.vertices(goal) {
                sets[vertex * words + number / 64] |= 1 << (number % 64);
                if !std::mem::replace(&mut waiting[vertex], true) {
                    work.push(vertex);
                }
            }
        }
        let mut at = 0;
        while let Some(&vertex) = work.get(at) {
            at += 1;
            waiting[vertex] = false;
            self.neighbours::<true>(board, vertex, |from| {
                let mut grew = false;
                for word in 0..words {
                    let more = sets[vertex * words + word] & !sets[from * words + word];
                    if more != 0 {
                        sets[from * words + word] |= more;
                        grew = true;
                    }
                }
                if grew && !std::mem::replace(&mut waiting[from], true) {
                    work.push(from);
                }
            });
        }
        Reachable { words, sets }
    }
}

/// The goals a lone box can reach from each vertex, as bit sets of `words` words.
#[derive(Clone, Debug)]
pub struct Reachable {
    pub words: usize,
    sets: Vec<u64>,
}

impl Reachable {
    pub fn bytes(&self) -> usize {
        self.sets.len() * size_of::<u64>()
    }

    /// The goals of a vertex.
    #[inline]
    pub fn of(&self, vertex: usize) -> &[u64] {
        &self.sets[vertex * self.words..(vertex + 1) * self.words]
    }

    /// The goals of a square from any side.
    pub fn of_square(&self, square: Square, out: &mut Vec<u64>) {
        out.clear();
        out.resize(self.words, 0);
        for group in 0..GROUPS {
            for (all, one) in out.iter_mut().zip(self.of(usize::from(square) * GROUPS + group)) {
                *all |= one;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::distance::Distances;
    use crate::oracle::levels;
    use lurd_base::Budget;
    use std::sync::Arc;

    /// Without fixed boxes and filled dead ends the values are those of [`Distances`]: the goals reached from every
    /// square with the player on every other, and the distances between all squares. More walls only increase them.
    #[test]
    fn values_are_those_of_the_distance_table() {
        let mut compared = 0;
        for map in levels(41, 4_000) {
            let board = Arc::new(Board::new(&map).unwrap());
            let squares: Vec<Square> = board.squares().collect();
            if squares.len() == 1 {
                continue;
            }
            let to_goals = Distances::to_goals(&board, &Budget::unlimited()).unwrap();
            let to_squares = Distances::to_squares(&board, &squares, &Budget::unlimited()).unwrap();
            let features = FeatureBoard::new(Arc::clone(&board));
            let lone = features.lone();
            let is_plain = squares.iter().all(|&square| features.bare()[usize::from(square)] == 0);
            compared += usize::from(is_plain);
            for &square in &squares {
                let from = lone.distances_from(&features, &[square]);
                for &to in &squares {
                    let players = squares.iter().filter(|&&player| player != square);
                    let least = players.map(|&player| to_squares.row(square, player)[usize::from(to)]).min();
                    let (least, lone) = (least.unwrap_or(FAR), from[usize::from(to)]);
                    assert!(lone >= least && (!is_plain || lone == least), "{map}from {square} to {to}");
                }
            }
            if !is_plain {
                continue;
            }
            let reachable = lone.reachable(&features, board.goals());
            for &square in &squares {
                for &player in squares.iter().filter(|&&player| player != square) {
                    let vertex = lone.vertex(&features, square, player).unwrap();

                    for (goal, &distance) in to_goals.row(square, player).iter().enumerate() {
                        let is_reachable = reachable.of(vertex)[0] >> goal & 1 != 0;
                        assert_eq!(is_reachable, distance != FAR, "{map}{square} with the player on {player}");
                    }
                }
            }
        }
        assert!(compared > 500, "only {compared} levels without additional walls");
    }
}
