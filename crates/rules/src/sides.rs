//! On which side of a box the player is.
//!
//! With one box on an otherwise empty board the player's squares fall into at most
//! four connected parts; as long as that box does not move, the player stays in one of
//! them, whatever else is pushed. Which part a square lies in follows from a depth-first
//! tree of the floor: removing square `s` cuts off exactly the subtrees of those children
//! that have no edge climbing above `s` (Hopcroft and Tarjan 1973). So a side is found
//! from a few intervals, with memory linear in the board.

use crate::{Board, NO_SQUARE, Square};
use lurd_level::Direction;
use std::ops::Range;

/// The most parts the removal of a square can cut off; what remains is one part more.
const MOST_CUT_OFF: usize = 4;

/// Which part of the floor a square lies in when another square is taken away.
#[derive(Clone, Debug)]
pub struct Sides {
    /// When the depth-first walk first met each square.
    entered: Vec<u16>,
    /// For each square, the intervals of `entered` that its removal cuts off.
    cut_off: Vec<[(u16, u16); MOST_CUT_OFF]>,
    /// Where the sides of each square begin when all (square, side) pairs are numbered.
    first: Vec<u32>,
}

/// An interval that holds nothing.
const NOTHING: (u16, u16) = (1, 0);

impl Sides {
    pub fn new(board: &Board) -> Self {
        let count = board.len();
        let mut entered = vec![u16::MAX; count];
        let mut low = vec![0u16; count];
        let mut cut_off = vec![[NOTHING; MOST_CUT_OFF]; count];
        let mut cut_offs = vec![0usize; count];
        let mut clock = 0u16;
        // (square, the square it was entered from, next direction to try)
        let mut stack: Vec<(Square, Square, usize)> = Vec::new();
        let root = board.start_player();
        entered[usize::from(root)] = clock;
        clock += 1;
        stack.push((root, NO_SQUARE, 0));
        while let Some(&mut (square, from, ref mut next)) = stack.last_mut() {
            let here = usize::from(square);
            if let Some(&direction) = Direction::ALL.get(*next) {
                *next += 1;
                let neighbour = board.neighbour(square, direction);
                if neighbour == NO_SQUARE || neighbour == from {
                    continue;
                }
                let there = usize::from(neighbour);
                if entered[there] == u16::MAX {
                    entered[there] = clock;
                    low[there] = clock;
                    clock += 1;
                    stack.push((neighbour, square, 0));
                } else {
                    low[here] = low[here].min(entered[there]);
                }
                continue;
            }
            stack.pop();
            if from != NO_SQUARE {
                let parent = usize::from(from);
                low[parent] = low[parent].min(low[here]);
                if low[here] >= entered[parent] {
                    cut_off[parent][cut_offs[parent]] = (entered[here], clock - 1);
                    cut_offs[parent] += 1;
                }
            }
        }
        let mut first = Vec::with_capacity(count + 1);
        let mut pairs = 0;
        for parts in cut_offs {
            first.push(pairs);
            pairs += parts as u32 + 1;
        }
        first.push(pairs);
        Self { entered, cut_off, first }
    }

    /// How many (square, side) pairs there are: hardly more than squares, since most have one side.
    pub fn pairs(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// The numbers of a square's pairs.
    pub fn pairs_of(&self, square: Square) -> Range<usize> {
        self.first[usize::from(square)] as usize..self.first[usize::from(square) + 1] as usize
    }

    /// The number of the pair of a square and the side the player is on.
    #[inline]
    pub fn pair(&self, square: Square, player: Square) -> usize {
        self.first[usize::from(square)] as usize + self.side(square, player)
    }

    /// The side of a box on `square` that `player` is on: 0 or the number of a part cut off.
    #[inline]
    fn side(&self, square: Square, player: Square) -> usize {
        let moment = self.entered[usize::from(player)];
        for (index, &(first, last)) in self.cut_off[usize::from(square)].iter().enumerate() {
            if first <= moment && moment <= last {
                return index + 1;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_level::Map;

    /// Two squares are on the same side exactly when a walk that avoids the box joins them.
    #[test]
    fn sides_are_the_connected_parts_of_the_floor_without_the_square() {
        let rooms = [
            "#########\n#@  #   #\n#   #   #\n# #   # #\n### ### #\n#   # $.#\n#########",
            "#######\n#  #  #\n# @   #\n#  #  #\n## # ##\n#  $ .#\n#######",
            "###########\n#@ $ . # ##\n### # #   #\n#   #   # #\n###########",
        ];
        for room in rooms {
            let board = Board::new(&Map::from_xsb(room).unwrap()).unwrap();
            let sides = Sides::new(&board);
            for removed in board.squares() {
                for a in board.squares().filter(|&a| a != removed) {
                    let joined = walk(&board, removed, a);
                    for b in board.squares().filter(|&b| b != removed) {
                        let same = sides.pair(removed, a) == sides.pair(removed, b);
                        assert!(sides.pairs_of(removed).contains(&sides.pair(removed, a)));
                        assert_eq!(same, joined[usize::from(b)], "{room}\nwithout {removed}: {a} and {b}");
                    }
                }
            }
        }
    }

    fn walk(board: &Board, removed: Square, from: Square) -> Vec<bool> {
        let mut seen = vec![false; board.len()];
        let mut stack = vec![from];
        seen[usize::from(from)] = true;
        while let Some(square) = stack.pop() {
            for direction in Direction::ALL {
                let next = board.neighbour(square, direction);
                if next != NO_SQUARE && next != removed && !seen[usize::from(next)] {
                    seen[usize::from(next)] = true;
                    stack.push(next);
                }
            }
        }
        seen
    }
}
