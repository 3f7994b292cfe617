//! The player's side of a box: the component of the floor without the box's square that contains the player.
//!
//! Without one square the floor has at most four components. As long as the box on that square does not move, the
//! player stays in one of them, whatever else is pushed. The component of a square follows from a depth-first tree of the
//! floor: removing square `s` separates exactly the subtrees of those children that have no edge to a proper ancestor of
//! `s` (articulation points: Hopcroft and Tarjan 1973). A side is found from at most four intervals of discovery times,
//! with memory linear in the size of the board.

use crate::{Board, NO_SQUARE, Square};
use lurd_level::Direction;
use std::ops::Range;

/// The maximum number of subtrees that the removal of a square separates; the rest of the floor is one component more.
const MAX_SEPARATED: usize = 4;

/// The components of the floor without each square.
#[derive(Clone, Debug)]
pub struct Sides {
    /// The discovery time of each square in the depth-first search.
    discovered: Vec<u16>,
    /// For each square, the intervals of `discovered` that its removal separates.
    separated: Vec<[(u16, u16); MAX_SEPARATED]>,
    /// The number of the first (square, side) pair of each square.
    first: Vec<u32>,
}

const EMPTY: (u16, u16) = (1, 0);

impl Sides {
    pub fn new(board: &Board) -> Self {
        let count = board.len();
        let mut discovered = vec![u16::MAX; count];
        let mut low = vec![0u16; count];
        let mut separated = vec![[EMPTY; MAX_SEPARATED]; count];
        let mut subtrees = vec![0usize; count];
        let mut clock = 0u16;
        // (square, its parent, next direction to try)
        let mut stack: Vec<(Square, Square, usize)> = Vec::new();
        let root = board.start_player();
        discovered[usize::from(root)] = clock;
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
                if discovered[there] == u16::MAX {
                    discovered[there] = clock;
                    low[there] = clock;
                    clock += 1;
                    stack.push((neighbour, square, 0));
                } else {
                    low[here] = low[here].min(discovered[there]);
                }
                continue;
            }
            stack.pop();
            if from != NO_SQUARE {
                let parent = usize::from(from);
                low[parent] = low[parent].min(low[here]);
                if low[here] >= discovered[parent] {
                    separated[parent][subtrees[parent]] = (discovered[here], clock - 1);
                    subtrees[parent] += 1;
                }
            }
        }
        let mut first = Vec::with_capacity(count + 1);
        let mut pairs = 0;
        for parts in subtrees {
            first.push(pairs);
            pairs += parts as u32 + 1;
        }
        first.push(pairs);
        Self { discovered, separated, first }
    }

    /// The number of (square, side) pairs: little more than the number of squares, because most squares have one side.
    pub fn pairs(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// The numbers of the pairs of a square.
    pub fn pairs_of(&self, square: Square) -> Range<usize> {
        self.first[usize::from(square)] as usize..self.first[usize::from(square) + 1] as usize
    }

    /// The number of the pair of a box's square and the player's side of it.
    #[inline]
    pub fn pair(&self, square: Square, player: Square) -> usize {
        self.first[usize::from(square)] as usize + self.side(square, player)
    }

    /// The player's side of a box on `square`: the number, from 1, of a separated subtree, or 0 for the rest.
    #[inline]
    fn side(&self, square: Square, player: Square) -> usize {
        let time = self.discovered[usize::from(player)];
        let separated = &self.separated[usize::from(square)];
        separated.iter().position(|&(first, last)| first <= time && time <= last).map_or(0, |index| index + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bits, Walker};
    use lurd_level::Map;

    /// Two squares are on the same side if and only if a walk that avoids the box connects them.
    #[test]
    fn sides_are_the_components_of_the_floor_without_the_square() {
        let rooms = [
            "#########\n#@  #   #\n#   #   #\n# #   # #\n### ### #\n#   # $.#\n#########",
            "#######\n#  #  #\n# @   #\n#  #  #\n## # ##\n#  $ .#\n#######",
            "###########\n#@ $ . # ##\n### # #   #\n#   #   # #\n###########",
        ];
        for room in rooms {
            let board = Board::new(&Map::from_xsb(room).unwrap()).unwrap();
            let (sides, mut walker) = (Sides::new(&board), Walker::new(&board));
            for removed in board.squares() {
                for a in board.squares().filter(|&a| a != removed) {
                    walker.fill(&board, &Bits::of(board.len(), [removed]), a);
                    for b in board.squares().filter(|&b| b != removed) {
                        let same = sides.pair(removed, a) == sides.pair(removed, b);
                        assert!(sides.pairs_of(removed).contains(&sides.pair(removed, a)));
                        assert_eq!(same, walker.reached(b), "{room}\nwithout {removed}: {a} and {b}");
                    }
                }
            }
        }
    }
}
