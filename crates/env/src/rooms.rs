//! Rooms like those of gym-sokoban: floor cut out by a random walk, and boxes pulled away from their goals, so that every
//! room has a solution.

use lurd_base::random::SplitMix64;
use lurd_level::{Cell, Map};
use std::collections::HashSet;

/// Positions met while boxes are pulled, at most.
const MOST_POSITIONS: usize = 1_000;
/// Positions of a layer that are pulled on, at most.
const MOST_IN_A_LAYER: usize = 40;
/// Floors tried for one room, each larger than the one before.
const ATTEMPTS: usize = 64;
/// The walk turns in 35 of 100 steps.
const TURNS_IN_HUNDRED: usize = 35;

/// Why there is no such room.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoomError {
    /// Sides too short or too long.
    #[error("a room of {height} rows and {width} columns cannot be made; sides are from 5 to 100 squares")]
    Size {
        /// Rows asked for.
        height: usize,
        /// Columns asked for.
        width: usize,
    },
    /// More boxes than such a room has space for, or none.
    #[error("a room of {height} rows and {width} columns cannot have {boxes} boxes; ask for 1 to {most}")]
    Boxes {
        /// Rows asked for.
        height: usize,
        /// Columns asked for.
        width: usize,
        /// Boxes asked for.
        boxes: usize,
        /// The most that can be asked for.
        most: usize,
    },
}

/// A maker of rooms; equal seeds make equal rooms.
#[derive(Clone, Debug)]
pub struct Rooms {
    height: usize,
    width: usize,
    boxes: usize,
    walk: usize,
    random: SplitMix64,
}

/// A position while boxes are pulled: the boxes in ascending order, and the player.
type Position = (Vec<u16>, u16);

impl Rooms {
    /// Rooms of so many rows, columns (walls included) and boxes. The floor is cut by a walk of 1.7 steps for each row and
    /// column, as gym-sokoban has it.
    ///
    /// # Errors
    /// When the room is too small, too large, or has too many boxes for its size.
    pub fn new(height: usize, width: usize, boxes: usize, seed: u64) -> Result<Self, RoomError> {
        if !(5..=100).contains(&height) || !(5..=100).contains(&width) {
            return Err(RoomError::Size { height, width });
        }
        // A box needs a goal, a square to be pulled to and one for the player behind it.
        let most = (height - 2) * (width - 2) / 4;
        if boxes == 0 || boxes > most {
            return Err(RoomError::Boxes { height, width, boxes, most });
        }
        Ok(Self { height, width, boxes, walk: (height + width) * 17 / 10, random: SplitMix64::new(seed) })
    }

    /// The next room.
    pub fn room(&mut self) -> Map {
        for attempt in 1.. {
            let floor = self.floor(self.walk * attempt.min(ATTEMPTS));
            if let Some(map) = self.populated(&floor) {
                return map;
            }
        }
        unreachable!("a walk that is long enough cuts out the whole room, where boxes can be pulled")
    }

    /// Floor cut out by a walk, as marks by row and column.
    fn floor(&mut self, steps: usize) -> Vec<bool> {
        let (height, width) = (self.height, self.width);
        let mut floor = vec![false; height * width];
        let mut at = (1 + self.random.below(height - 2), 1 + self.random.below(width - 2));
        let mut way = self.random.below(4);
        for _ in 0..steps {
            if self.random.below(100) < TURNS_IN_HUNDRED {
                way = self.random.below(4);
            }
            at = match way {
                0 => (at.0.max(2) - 1, at.1),
                1 => ((at.0 + 1).min(height - 2), at.1),
                2 => (at.0, at.1.max(2) - 1),
                _ => (at.0, (at.1 + 1).min(width - 2)),
            };
            floor[at.0 * width + at.1] = true;
            // Sometimes the walk is as wide as two or four squares, so that boxes can be passed.
            if self.random.below(2) == 0 {
                let (down, right) = (self.random.below(2), self.random.below(2));
                for (row, column) in [(at.0 + down, at.1), (at.0, at.1 + right), (at.0 + down, at.1 + right)] {
                    floor[row.min(height - 2) * width + column.min(width - 2)] = true;
                }
            }
        }
        floor
    }

    /// A room on this floor, if boxes can be pulled in it. The walk and what it widens are one piece.
    fn populated(&mut self, floor: &[bool]) -> Option<Map> {
        let mut free: Vec<u16> = (0..floor.len()).filter(|&at| floor[at]).map(|at| at as u16).collect();
        if free.len() < 2 * self.boxes + 2 {
            return None;
        }
        let mut goals: Vec<u16> = (0..self.boxes).map(|_| free.swap_remove(self.random.below(free.len()))).collect();
        goals.sort_unstable();
        let player = free[self.random.below(free.len())];
        let (boxes, player) = self.pulled(floor, &goals, player)?;
        let mut rows = vec![vec![Cell::Wall; self.width]; self.height];
        for (at, _) in floor.iter().enumerate().filter(|(_, floor)| **floor) {
            let at = at as u16;
            rows[usize::from(at) / self.width][usize::from(at) % self.width] =
                match (goals.binary_search(&at).is_ok(), boxes.binary_search(&at).is_ok(), at == player) {
                    (true, true, _) => Cell::BoxOnGoal,
                    (false, true, _) => Cell::Box,
                    (true, _, true) => Cell::PlayerOnGoal,
                    (false, _, true) => Cell::Player,
                    (true, ..) => Cell::Goal,
                    (false, ..) => Cell::Floor,
                };
        }
        Some(Map::from_rows(&rows))
    }

    /// The position with the fewest boxes on goals, and among these one that is pulled farthest, out of those that a
    /// breadth-first search over pulls meets. Of a layer that is too large, a random part goes on.
    fn pulled(&mut self, floor: &[bool], goals: &[u16], player: u16) -> Option<Position> {
        let home = |boxes: &[u16]| boxes.iter().filter(|square| goals.binary_search(square).is_ok()).count();
        let mut seen: HashSet<Position> = HashSet::new();
        let mut layer: Vec<Position> = vec![(goals.to_vec(), player)];
        let mut best: Option<(usize, Position)> = None;
        while !layer.is_empty() && seen.len() < MOST_POSITIONS {
            let mut next = Vec::new();
            for (boxes, player) in layer {
                for square in self.zone(floor, &boxes, player) {
                    for (after, player) in self.pulls(floor, &boxes, square) {
                        let lowest = self.zone(floor, &after, player).into_iter().min().unwrap_or(player);
                        if seen.insert((after.clone(), lowest)) {
                            let left = home(&after);
                            if best.as_ref().is_none_or(|(least, _)| left <= *least) {
                                best = Some((left, (after.clone(), player)));
                            }
                            next.push((after, player));
                        }
                    }
                }
            }
            // A sample keeps the search deep on large floors.
            while next.len() > MOST_IN_A_LAYER {
                let dropped = self.random.below(next.len());
                next.swap_remove(dropped);
            }
            layer = next;
        }
        best.map(|(_, position)| position)
    }

    /// What one pull makes of a position with the player just here.
    fn pulls(&self, floor: &[bool], boxes: &[u16], player: u16) -> Vec<Position> {
        let width = self.width as i32;
        let mut all = Vec::new();
        for step in [-1, 1, -width, width] {
            let (to, from) = (i32::from(player) + step, i32::from(player) - step);
            let (to, from) = (to as u16, from as u16);
            if let Ok(index) = boxes.binary_search(&from)
                && floor[usize::from(to)]
                && boxes.binary_search(&to).is_err()
            {
                let mut after = boxes.to_vec();
                after[index] = player;
                after.sort_unstable();
                all.push((after, to));
            }
        }
        all
    }

    /// The squares the player can walk to, itself included.
    fn zone(&self, floor: &[bool], boxes: &[u16], player: u16) -> Vec<u16> {
        let mut zone = vec![player];
        let mut seen = vec![false; floor.len()];
        boxes.iter().for_each(|&square| seen[usize::from(square)] = true);
        seen[usize::from(player)] = true;
        let mut next = 0;
        while let Some(&at) = zone.get(next) {
            next += 1;
            let width = self.width as u16;
            for to in [at - 1, at + 1, at - width, at + width] {
                if floor[usize::from(to)] && !seen[usize::from(to)] {
                    seen[usize::from(to)] = true;
                    zone.push(to);
                }
            }
        }
        zone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_level::validity;

    #[test]
    fn rooms_are_playable_and_equal_seeds_make_equal_rooms() {
        for (height, width, boxes) in [(7, 7, 2), (10, 10, 4), (13, 11, 5), (5, 5, 1), (5, 5, 2), (20, 5, 3)] {
            let mut rooms = Rooms::new(height, width, boxes, 7).unwrap();
            let mut again = Rooms::new(height, width, boxes, 7).unwrap();
            for _ in 0..20 {
                let map = rooms.room();
                assert_eq!(map, again.room());
                let census = validity::check(&map).unwrap_or_else(|flaw| panic!("{flaw}\n{map}"));
                assert_eq!((census.reachable_boxes, map.height(), map.width()), (boxes, height, width));
                assert!(map.cells().any(|(.., cell)| cell == Cell::Box), "{map}");
            }
        }
    }

    #[test]
    fn impossible_rooms_are_refused() {
        assert!(matches!(Rooms::new(4, 9, 1, 0), Err(RoomError::Size { .. })));
        assert!(matches!(Rooms::new(9, 101, 1, 0), Err(RoomError::Size { .. })));
        assert!(matches!(Rooms::new(5, 5, 3, 0), Err(RoomError::Boxes { most: 2, .. })));
        assert!(matches!(Rooms::new(5, 5, 0, 0), Err(RoomError::Boxes { .. })));
    }
}
