//! Local subproblems: a small part of the board, searched by itself.
//!
//! Only the boxes inside the part are kept; all others are removed, and a box that is pushed out of the part is removed
//! too. Both are relaxations, so what is impossible here is impossible on the board. Outside there are no boxes, so each
//! connected component of the outside is one place for the player. A position is a word of boxes and the place of the
//! player, and a walk is a flood fill over words: many times cheaper than on the whole board.

use crate::Square;
use crate::bits::ones;
use crate::feature::board::FeatureBoard;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The maximum number of places: squares inside and components of the outside.
const MAX_PLACES: usize = 128;
/// Not a place: a wall.
const NOWHERE: u8 = u8::MAX;

pub type LocalPlaces = u128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalState {
    pub boxes: LocalPlaces,
    pub player: u8,
}

/// A part of the board and its surroundings.
#[derive(Clone, Debug)]
pub struct Subproblem {
    /// The squares inside; they are the first places.
    squares: Vec<Square>,
    place: Vec<u8>,
    neighbours: Vec<[u8; 4]>,
    /// The set of neighbours of each place.
    links: Vec<LocalPlaces>,
    goals: LocalPlaces,
    dead: LocalPlaces,
    /// For every square inside, the directions of its live neighbours.
    live_sides: Vec<u8>,
    all: LocalPlaces,
}

/// The result of a local search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The goal cannot be reached: the search is exhausted.
    Dead,
    /// The goal can be reached in the subproblem.
    Open,
    /// The node limit was reached.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalGoal {
    /// Every box on a goal or removed. If this cannot be reached, every position with these boxes is dead.
    Solved,
    /// The same, or all regions connected, after at least one push.
    Opened,
}

impl Subproblem {
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.squares.len() * size_of::<Square>()
            + self.place.len()
            + self.neighbours.len() * 4
            + self.links.len() * size_of::<LocalPlaces>()
            + self.live_sides.len()
    }

    /// The subproblem of these squares; none if there are too many places.
    pub fn new(board: &FeatureBoard, inside: impl Iterator<Item = Square>) -> Option<Self> {
        let count = board.len();
        let mut place = vec![NOWHERE; count + 1];
        let mut squares = Vec::new();
        for square in inside {
            if squares.len() == MAX_PLACES {
                return None;
            }
            place[usize::from(square)] = squares.len() as u8;
            squares.push(square);
        }
        // The components of the outside.
        let mut places = squares.len();
        let mut work = Vec::new();
        for first in 0..count {
            if board.bare()[first] != 0 || place[first] != NOWHERE {
                continue;
            }
            if places == MAX_PLACES {
                return None;
            }
            place[first] = places as u8;
            work.clear();
            work.push(first as Square);
            board.flood(&mut work, |_, square| {
                let is_new = board.bare()[usize::from(square)] == 0 && place[usize::from(square)] == NOWHERE;
                if is_new {
                    place[usize::from(square)] = places as u8;
                }
                is_new
            });
            places += 1;
        }
        let neighbours: Vec<[u8; 4]> =
            squares.iter().map(|&square| board.neighbours(square).map(|next| place[usize::from(next)])).collect();
        let mut links = vec![0; places];
        for (here, sides) in neighbours.iter().enumerate() {
            for &there in sides.iter().filter(|&&there| there != NOWHERE) {
                links[here] |= 1 << there;
                links[usize::from(there)] |= 1 << here;
            }
        }
        let live = |square: Square| {
            (0..4).filter(|&side| !board.is_dead(board.next(square, side))).fold(0, |sides, side| sides | 1u8 << side)
        };
        Some(Self {
            goals: among(&squares, |square| board.is_goal(square)),
            dead: among(&squares, |square| board.is_dead(square)),
            live_sides: squares.iter().map(|&square| live(square)).collect(),
            all: first_places(places),
            squares,
            place,
            neighbours,
            links,
        })
    }

    pub fn goals(&self) -> LocalPlaces {
        self.goals
    }

    pub fn place(&self, square: Square) -> u8 {
        self.place[usize::from(square)]
    }

    /// The squares inside that satisfy a predicate.
    pub fn filter(&self, holds: impl Fn(Square) -> bool) -> LocalPlaces {
        among(&self.squares, holds)
    }

    /// A key for boxes, some of them fixed.
    pub fn key(&self, boxes: LocalPlaces, fixed: LocalPlaces) -> u64 {
        let mixed = |places: LocalPlaces| {
            let (low, high) = (places as u64, (places >> 64) as u64);
            low.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ high.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(17)
        };
        mixed(boxes) ^ mixed(fixed).rotate_left(23)
    }

    /// The places the player can reach.
    pub fn reach(&self, boxes: LocalPlaces, player: u8) -> LocalPlaces {
        let mut reach: LocalPlaces = 1 << player;
        let mut fresh = reach;
        while fresh != 0 {
            let here = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            let more = self.links[here] & !boxes & !reach;
            reach |= more;
            fresh |= more;
        }
        reach
    }

    /// The squares of the board of some places.
    pub fn squares_of(&self, places: LocalPlaces) -> impl Iterator<Item = Square> + '_ {
        (0..self.place.len() as Square - 1).filter(move |&square| {
            let place = self.place[usize::from(square)];
            place != NOWHERE && places >> place & 1 != 0
        })
    }

    /// The pushes of some boxes that a player with this reach can make: from, to, direction.
    fn pushes(&self, boxes: LocalPlaces, reach: LocalPlaces) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        ones(boxes).flat_map(move |from| {
            let sides = &self.neighbours[from];
            let can_push = move |&direction: &usize| {
                let (to, pusher) = (sides[direction], sides[direction ^ 1]);
                to != NOWHERE && pusher != NOWHERE && reach >> pusher & 1 != 0
            };
            (0..4).filter(can_push).map(move |direction| (from, usize::from(sides[direction]), direction))
        })
    }

    /// Whether the push of a box to `to` has frozen a box off the goals.
    fn freezes(&self, boxes: LocalPlaces, fixed: LocalPlaces, to: usize) -> bool {
        let blocked = |here: usize, side: usize, standing: LocalPlaces| {
            let there = self.neighbours[here][side];
            there == NOWHERE || standing >> there & 1 != 0
        };
        let axis_blocked = |here: usize, axis: usize, standing: LocalPlaces| {
            blocked(here, axis, standing)
                || blocked(here, axis + 1, standing)
                || self.live_sides[here] >> axis & 0b11 == 0
        };
        if !axis_blocked(to, 0, boxes) || !axis_blocked(to, 2, boxes) {
            return false;
        }
        let mut standing = boxes;
        loop {
            let before = standing;
            for here in ones(standing & !fixed) {
                if !axis_blocked(here, 0, standing) || !axis_blocked(here, 2, standing) {
                    standing &= !(1 << here);
                }
            }
            if standing == before {
                return standing & !fixed & !self.goals != 0;
            }
        }
    }
}

/// A node: the boxes, and the places the player can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    boxes: LocalPlaces,
    reach: LocalPlaces,
}

/// Best-first search of subproblems; holds the working memory.
#[derive(Debug, Default)]
pub struct LocalSearch {
    nodes: Vec<Node>,
    /// The hash table of nodes: index in `nodes`, and the search it belongs to.
    table: Vec<(u32, u32)>,
    /// The number of the current search.
    number: u32,
    /// The open list: fewest boxes first, then the largest zone of the player, then the oldest.
    open: BinaryHeap<(Reverse<u32>, u32, Reverse<u32>)>,
    /// Nodes expanded in all searches.
    pub expanded: u64,
}

impl LocalSearch {
    /// Searches for a goal; `fixed` boxes never move. At most `budget` nodes are expanded.
    pub fn run(
        &mut self,
        area: &Subproblem,
        start: LocalState,
        fixed: LocalPlaces,
        goal: LocalGoal,
        budget: u32,
    ) -> Ending {
        if goal == LocalGoal::Solved && start.boxes & !area.goals == 0 {
            return Ending::Open;
        }
        let size = (budget as usize * 32).next_power_of_two().max(1024);
        if self.table.len() < size {
            self.table = vec![(0, 0); size];
            self.number = 0;
        }
        self.number += 1;
        self.nodes.clear();
        self.open.clear();
        let reach = area.reach(start.boxes, start.player);
        // The start is not in the table: a return to it is a node of its own, because it has made a push.
        self.open.push((Reverse(start.boxes.count_ones()), reach.count_ones(), Reverse(0)));
        self.nodes.push(Node { boxes: start.boxes, reach });
        let mut spent = 0;
        while let Some((_, _, Reverse(node))) = self.open.pop() {
            if spent == budget || self.nodes.len() + 256 > self.table.len() / 2 {
                return Ending::Unknown;
            }
            spent += 1;
            self.expanded += 1;
            if self.expand(area, self.nodes[node as usize], fixed, goal) {
                return Ending::Open;
            }
        }
        Ending::Dead
    }

    /// Generates the successors of a node; true if one of them is a goal.
    fn expand(&mut self, area: &Subproblem, here: Node, fixed: LocalPlaces, goal: LocalGoal) -> bool {
        let inside = area.squares.len();
        let pushes = || area.pushes(here.boxes & !fixed, here.reach);
        // If a box can leave, only that push is needed: without the box nothing is harder.
        let leaves = |&(from, to, direction): &(usize, usize, usize)| {
            to >= inside && area.live_sides[from] >> direction & 1 != 0
        };
        if let Some((from, ..)) = pushes().find(leaves) {
            return self.generate(area, here.boxes & !(1 << from), from as u8, goal);
        }
        pushes().any(|(from, to, _)| {
            let boxes = here.boxes & !(1 << from) | 1 << to;
            // Outside only dead squares are left as targets.
            to < inside
                && (here.boxes | area.dead) >> to & 1 == 0
                && !area.freezes(boxes, fixed, to)
                && self.generate(area, boxes, from as u8, goal)
        })
    }

    /// Adds a node to the open list unless it is known; true if it is a goal.
    fn generate(&mut self, area: &Subproblem, boxes: LocalPlaces, player: u8, goal: LocalGoal) -> bool {
        if boxes & !area.goals == 0 {
            return true;
        }
        let reach = area.reach(boxes, player);
        if goal == LocalGoal::Opened && reach == area.all & !boxes {
            return true;
        }
        let position = Node { boxes, reach };
        let mask = self.table.len() - 1;
        let folded = (boxes as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ ((boxes >> 64) as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ u64::from(reach.trailing_zeros()).wrapping_mul(0x1656_67B1_9E37_79F9);
        let mut slot = (folded ^ folded >> 32) as usize & mask;
        while self.table[slot].1 == self.number {
            if self.nodes[self.table[slot].0 as usize] == position {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        let node = self.nodes.len() as u32;
        self.table[slot] = (node, self.number);
        self.nodes.push(position);
        self.open.push((Reverse(boxes.count_ones()), reach.count_ones(), Reverse(node)));
        false
    }
}

/// The places of those of some squares that satisfy a predicate.
fn among(squares: &[Square], holds: impl Fn(Square) -> bool) -> LocalPlaces {
    squares.iter().enumerate().filter(|&(_, &square)| holds(square)).fold(0, |set, (here, _)| set | 1 << here)
}

/// The set of the first `count` places.
fn first_places(count: usize) -> LocalPlaces {
    if count == MAX_PLACES { LocalPlaces::MAX } else { (1 << count) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::feature::freeze;
    use crate::feature::position::Position;
    use crate::oracle::{all_states, levels};
    use lurd_level::Map;
    use std::sync::Arc;

    /// The subproblem of a whole level.
    fn whole(level: &str) -> (Subproblem, LocalState) {
        let board = FeatureBoard::new(Arc::new(Board::new(&Map::from_xsb(level).unwrap()).unwrap()));
        let floor = (0..board.len() as Square).filter(|&square| board.bare()[usize::from(square)] == 0);
        let area = Subproblem::new(&board, floor).unwrap();
        let boxes = area.filter(|square| board.is_start(square));
        let player = area.place(board.player());
        (area, LocalState { boxes, player })
    }

    #[test]
    fn a_box_in_a_corridor_reaches_the_goal_alone_but_not_behind_another() {
        let mut search = LocalSearch::default();
        for (level, ending) in [
            ("#######\n#@ $ .#\n#######", Ending::Open),
            // Two in a row: neither can be pushed.
            ("########\n#@$$ ..#\n########", Ending::Dead),
        ] {
            let (area, start) = whole(level);
            assert_eq!(search.run(&area, start, 0, LocalGoal::Solved, 1_000), ending, "{level}");
        }
        assert!(search.expanded > 0);
    }

    /// A push freezes a box off the goals here only if one is frozen by [`freeze::stuck`], and always if the pushed box
    /// itself is among the frozen boxes.
    #[test]
    fn freeze_is_that_of_the_feature_board() {
        let mut found = 0;
        for map in levels(54, 3_000) {
            let board = FeatureBoard::new(Arc::new(Board::new(&map).unwrap()));
            let floor = || (0..board.len() as Square).filter(|&square| board.bare()[usize::from(square)] == 0);
            let area = Subproblem::new(&board, floor()).unwrap();
            all_states(board.board(), |state| {
                let boxes: Vec<Square> = floor().filter(|&square| state.boxes.contains(square)).collect();
                let mut taken = Position::with(&board, &boxes, state.player).taken;
                let mut frozen = Vec::new();
                freeze::stuck(&board, &mut taken, &boxes, &mut frozen);
                let is_dead = frozen.iter().any(|&square| !board.is_goal(square));
                let places = area.filter(|square| state.boxes.contains(square));
                for &to in &boxes {
                    let freezes = area.freezes(places, 0, area.place(to).into());
                    assert!(!freezes || is_dead, "{map}");
                    assert!(freezes || !is_dead || !frozen.contains(&to), "{map}");
                    found += usize::from(freezes);
                }
            });
        }
        assert!(found > 1_000, "only {found} frozen");
    }

    #[test]
    fn a_small_node_limit_leaves_the_result_unknown() {
        let (area, start) = whole("##########\n#@       #\n# $  $   #\n#     .. #\n##########");
        let mut search = LocalSearch::default();
        assert_eq!(search.run(&area, start, 0, LocalGoal::Solved, 1), Ending::Unknown);
        assert_eq!(search.run(&area, start, 0, LocalGoal::Solved, 10_000), Ending::Open);
    }
}
