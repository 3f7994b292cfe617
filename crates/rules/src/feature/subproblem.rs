//! A pen: a small part of the board, searched by itself.
//!
//! Only boxes inside the pen are looked at; all others are taken off the board, and a box that is pushed out of the
//! pen is taken off too. Both can only make things easier, so what cannot be done here cannot be done
//! on the board. Outside there are then no boxes at all, and each connected part of it shrinks to one place
//! for the player. A position is a word of boxes and the place of the player, and walking is a flood
//! over words: many times cheaper than the same on the whole board.

use crate::Square;
use crate::feature::board::FeatureBoard;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// LocalPlaces a pen can have, parts of the outside included.
const MOST_PLACES: usize = 128;
/// No place: a wall.
const NOWHERE: u8 = u8::MAX;

/// A set of places.
pub type LocalPlaces = u128;

/// A position in a pen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalState {
    /// The boxes.
    pub boxes: LocalPlaces,
    /// Where the player is.
    pub player: u8,
}

/// A part of the board and its surroundings.
#[derive(Clone, Debug)]
pub struct Subproblem {
    /// The squares inside, the first places.
    squares: Vec<Square>,
    /// The place of every square of the board.
    place: Vec<u8>,
    near: Vec<[u8; 4]>,
    links: Vec<LocalPlaces>,
    goals: LocalPlaces,
    /// Squares inside where no box of a solution stands.
    dead: LocalPlaces,
    /// For every square inside, the directions in which a live square lies.
    live_sides: Vec<u8>,
    all: LocalPlaces,
}

/// How a small search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything was searched: it cannot be done.
    Dead,
    /// It can be done, as far as the pen tells.
    Open,
    /// The budget was too small.
    Unknown,
}

/// What a small search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalGoal {
    /// Every box on a goal, or off the board. What cannot reach this is dead on every board with these boxes.
    Home,
    /// The same, or all regions joined, with at least one push made.
    Opened,
}

impl Subproblem {
    /// Bytes it holds, about.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.squares.len() * size_of::<Square>()
            + self.place.len()
            + self.near.len() * 4
            + self.links.len() * size_of::<LocalPlaces>()
            + self.live_sides.len()
    }

    /// The pen of these squares; none if there are too many places.
    pub fn new(board: &FeatureBoard, inside: impl Iterator<Item = Square>) -> Option<Self> {
        let count = board.len();
        let mut place = vec![NOWHERE; count + 1];
        let mut squares = Vec::new();
        for square in inside {
            if squares.len() == MOST_PLACES {
                return None;
            }
            place[usize::from(square)] = squares.len() as u8;
            squares.push(square);
        }
        // The outside, part by part.
        let mut places = squares.len();
        let mut work = Vec::new();
        for first in 0..count {
            if board.bare()[first] != 0 || place[first] != NOWHERE {
                continue;
            }
            if places == MOST_PLACES {
                return None;
            }
            place[first] = places as u8;
            work.push(first as Square);
            while let Some(square) = work.pop() {
                for &next in board.neighbours(square) {
                    if board.bare()[usize::from(next)] == 0 && place[usize::from(next)] == NOWHERE {
                        place[usize::from(next)] = places as u8;
                        work.push(next);
                    }
                }
            }
            places += 1;
        }
        let near: Vec<[u8; 4]> =
            squares.iter().map(|&square| board.neighbours(square).map(|next| place[usize::from(next)])).collect();
        let mut links = vec![0; places];
        for (here, sides) in near.iter().enumerate() {
            for &there in sides.iter().filter(|&&there| there != NOWHERE) {
                links[here] |= 1 << there;
                links[usize::from(there)] |= 1 << here;
            }
        }
        let among = |holds: &dyn Fn(Square) -> bool| {
            squares.iter().enumerate().filter(|&(_, &square)| holds(square)).fold(0, |set, (here, _)| set | 1 << here)
        };
        let live = |square: Square| {
            (0..4).filter(|&side| !board.is_dead(board.next(square, side))).fold(0, |sides, side| sides | 1u8 << side)
        };
        Some(Self {
            goals: among(&|square| board.is_goal(square)),
            dead: among(&|square| board.is_dead(square)),
            live_sides: squares.iter().map(|&square| live(square)).collect(),
            all: if places == MOST_PLACES { LocalPlaces::MAX } else { (1 << places) - 1 },
            squares,
            place,
            near,
            links,
        })
    }

    /// The goals inside.
    pub fn goals(&self) -> LocalPlaces {
        self.goals
    }

    /// The place of a square.
    pub fn place(&self, square: Square) -> u8 {
        self.place[usize::from(square)]
    }

    /// The squares inside that a test holds for.
    pub fn filter(&self, holds: impl Fn(Square) -> bool) -> LocalPlaces {
        let chosen = self.squares.iter().enumerate().filter(|&(_, &square)| holds(square));
        chosen.fold(0, |set, (here, _)| set | 1 << here)
    }

    /// A key for boxes, some of them fixed.
    pub fn key(&self, boxes: LocalPlaces, fixed: LocalPlaces) -> u64 {
        let mixed = |places: LocalPlaces| {
            let (low, high) = (places as u64, (places >> 64) as u64);
            low.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ high.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(17)
        };
        mixed(boxes) ^ mixed(fixed).rotate_left(23)
    }

    /// Where the player can walk.
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

    /// The squares of the board behind some places.
    pub fn spread(&self, reach: LocalPlaces) -> impl Iterator<Item = Square> + '_ {
        (0..self.place.len() as Square - 1).filter(move |&square| {
            let place = self.place[usize::from(square)];
            place != NOWHERE && reach >> place & 1 != 0
        })
    }

    /// Whether a box just pushed to `to`, or others with it, can never be pushed again off a goal.
    fn freezes(&self, boxes: LocalPlaces, fixed: LocalPlaces, to: usize) -> bool {
        let blocked = |here: usize, side: usize, standing: LocalPlaces| {
            let there = self.near[here][side];
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
            let mut rest = standing & !fixed;
            while rest != 0 {
                let here = rest.trailing_zeros() as usize;
                rest &= rest - 1;
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

/// A position met: the boxes, and where the player can walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    boxes: LocalPlaces,
    reach: LocalPlaces,
}

/// Searches pens; its lists are used again and again.
#[derive(Debug, Default)]
pub struct LocalSearch {
    nodes: Vec<Node>,
    /// LocalPlaces in the table of positions met, by hash; each holds a number in `nodes` and the search it belongs to.
    table: Vec<(u32, u32)>,
    number: u32,
    /// Positions to look at, those with fewest boxes and most room for the player last.
    open: BinaryHeap<(Reverse<u32>, u32, Reverse<u32>)>,
    /// Positions expanded in all searches.
    pub expanded: u64,
}

impl LocalSearch {
    /// Looks for what is wanted from a position; `fixed` boxes never move. At most `budget` positions are expanded.
    pub fn run(
        &mut self,
        pen: &Subproblem,
        start: LocalState,
        fixed: LocalPlaces,
        wanted: LocalGoal,
        budget: u32,
    ) -> Ending {
        if wanted == LocalGoal::Home && start.boxes & !pen.goals == 0 {
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
        let reach = pen.reach(start.boxes, start.player);
        // The first position is not filed: coming back to it is a way of its own.
        self.open.push((Reverse(start.boxes.count_ones()), reach.count_ones(), Reverse(0)));
        self.nodes.push(Node { boxes: start.boxes, reach });
        let mut spent = 0;
        while let Some((_, _, Reverse(node))) = self.open.pop() {
            if spent == budget || self.nodes.len() + 256 > self.table.len() / 2 {
                return Ending::Unknown;
            }
            spent += 1;
            self.expanded += 1;
            if self.expand(pen, self.nodes[node as usize], fixed, wanted) {
                return Ending::Open;
            }
        }
        Ending::Dead
    }

    /// Makes all pushes of a position; true if one of them leads to what is wanted.
    fn expand(&mut self, pen: &Subproblem, here: Node, fixed: LocalPlaces, wanted: LocalGoal) -> bool {
        let reach = here.reach;
        let inside: LocalPlaces =
            if pen.squares.len() == MOST_PLACES { LocalPlaces::MAX } else { (1 << pen.squares.len()) - 1 };
        let movable = here.boxes & !fixed;
        // A box that can leave is the only one that need be looked at: without it nothing gets harder.
        let mut rest = movable;
        while rest != 0 {
            let from = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            for direction in 0..4 {
                let (to, pusher) = (pen.near[from][direction], pen.near[from][direction ^ 1]);
                if to != NOWHERE
                    && pusher != NOWHERE
                    && inside >> to & 1 == 0
                    && reach >> pusher & 1 != 0
                    && pen.live_sides[from] >> direction & 1 != 0
                {
                    return self.file(pen, here.boxes & !(1 << from), from as u8, wanted);
                }
            }
        }
        let mut rest = movable;
        while rest != 0 {
            let from = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            for direction in 0..4 {
                let (to, pusher) = (pen.near[from][direction], pen.near[from][direction ^ 1]);
                // Out of the pen only squares are left where no box may stand.
                if to == NOWHERE
                    || pusher == NOWHERE
                    || inside >> to & 1 == 0
                    || reach >> pusher & 1 == 0
                    || (here.boxes | pen.dead) >> to & 1 != 0
                {
                    continue;
                }
                let boxes = here.boxes & !(1 << from) | 1 << to;
                if !pen.freezes(boxes, fixed, usize::from(to)) && self.file(pen, boxes, from as u8, wanted) {
                    return true;
                }
            }
        }
        false
    }

    /// Files a position, the player on the place of a push just made; true if it is wanted.
    fn file(&mut self, pen: &Subproblem, boxes: LocalPlaces, player: u8, wanted: LocalGoal) -> bool {
        if boxes & !pen.goals == 0 {
            return true;
        }
        let reach = pen.reach(boxes, player);
        if wanted == LocalGoal::Opened && reach == pen.all & !boxes {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use lurd_level::Map;
    use std::sync::Arc;

    /// The pen of a whole level.
    fn whole(level: &str) -> (Subproblem, LocalState) {
        let board = FeatureBoard::new(Arc::new(Board::new(&Map::from_xsb(level).unwrap()).unwrap()));
        let floor = (0..board.len() as Square).filter(|&square| board.bare()[usize::from(square)] == 0);
        let pen = Subproblem::new(&board, floor).unwrap();
        let boxes = pen.filter(|square| board.is_start(square));
        let player = pen.place(board.player());
        (pen, LocalState { boxes, player })
    }

    #[test]
    fn a_box_in_a_corridor_comes_home_alone_but_not_behind_another() {
        let mut search = LocalSearch::default();
        for (level, ending) in [
            ("#######\n#@ $ .#\n#######", Ending::Open),
            // Two in a row: neither can be pushed.
            ("########\n#@$$ ..#\n########", Ending::Dead),
        ] {
            let (pen, start) = whole(level);
            assert_eq!(search.run(&pen, start, 0, LocalGoal::Home, 1_000), ending, "{level}");
        }
        assert!(search.expanded > 0);
    }

    #[test]
    fn a_budget_too_small_says_nothing() {
        let (pen, start) = whole("##########\n#@       #\n# $  $   #\n#     .. #\n##########");
        let mut search = LocalSearch::default();
        assert_eq!(search.run(&pen, start, 0, LocalGoal::Home, 1), Ending::Unknown);
        assert_eq!(search.run(&pen, start, 0, LocalGoal::Home, 10_000), Ending::Open);
    }
}
