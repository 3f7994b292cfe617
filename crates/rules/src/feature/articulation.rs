//! Articulation points: the effect of a box on the connectivity of the free squares, for every square at once.
//!
//! One depth-first search over the free squares (with one box removed, or none) determines, for each square `s`, the
//! components that remain if a box is placed there: which of the four sides stay connected, the number of components,
//! and the key of each. Removing `s` separates exactly the subtrees of those children that have no edge to a proper
//! ancestor of `s` (Hopcroft and Tarjan 1973). The key of a component is the exclusive or of the keys of its squares
//! (Zobrist 1970), so the key of the rest follows from the keys of the separated subtrees.

use crate::Square;
use crate::feature::board::FeatureBoard;

/// The group of a side that is blocked.
pub const BLOCKED: u8 = u8::MAX;
/// The group of the squares that are not separated.
const REST: u8 = 4;
/// The number of groups of a square: one for each side that may be separated, and the rest.
pub const GROUPS: usize = 5;

/// The components of the free squares around a box.
#[derive(Clone, Copy, Debug)]
pub struct BoxSides {
    /// The group of each side, by direction; sides of equal groups are connected. [`BLOCKED`] for a side that is not
    /// free.
    pub group: [u8; 4],
    /// The number of components into which the component of the box's square is split.
    pub parts: u8,
    /// The key of the squares of each group.
    pub zone: [u64; GROUPS],
}

/// The record of a square in the depth-first search. All data of a square are adjacent in memory, because the search
/// moves from neighbour to neighbour.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The key of the subtree.
    subtree: u64,
    /// The discovery time, and the last discovery time in the subtree.
    entered: u32,
    left: u32,
    /// The least discovery time adjacent to the subtree.
    low: u32,
    parent: Square,
    component: u16,
    tried: u8,
}

/// The depth-first search and its results.
#[derive(Clone, Debug)]
pub struct Articulation {
    nodes: Vec<Node>,
    components: Vec<u64>,
    clock: u32,
    /// The clock when the last survey began: earlier times are of earlier surveys, so that nothing is cleared.
    first: u32,
    sides: Vec<BoxSides>,
    /// The survey, by its `first`, for which `sides` was computed.
    known: Vec<u32>,
}

impl Articulation {
    pub fn new(board: &FeatureBoard) -> Self {
        let count = board.len() + 1;
        Self {
            nodes: vec![Node::default(); count],
            components: Vec::new(),
            clock: 1,
            first: 1,
            sides: vec![BoxSides { group: [BLOCKED; 4], parts: 0, zone: [0; GROUPS] }; count],
            known: vec![0; count],
        }
    }

    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<BoxSides>() + size_of::<u32>())
    }

    /// Searches the squares that `taken` leaves free.
    pub fn survey(&mut self, board: &FeatureBoard, taken: &[u8]) {
        if self.clock > u32::MAX / 2 {
            self.nodes.fill(Node::default());
            self.known.fill(0);
            self.clock = 1;
        }
        self.first = self.clock;
        self.components.clear();
        for root in 0..board.len() {
            if taken[root] == 0 && self.nodes[root].entered < self.first {
                self.walk(board, taken, root as Square);
            }
        }
    }

    fn walk(&mut self, board: &FeatureBoard, taken: &[u8], root: Square) {
        let number = self.components.len() as u16;
        let first = self.first;
        let mut clock = self.clock;
        let nodes = &mut self.nodes[..];
        let new = |square: Square, from: Square, clock: u32| Node {
            subtree: board.zone_key(square),
            entered: clock,
            left: clock,
            low: clock,
            parent: from,
            component: number,
            tried: 0,
        };
        let mut square = root;
        let mut here = new(root, root, clock);
        clock += 1;
        loop {
            // The record of the current square is kept in a local variable and stored when the search leaves it.
            let around = board.neighbours(square);
            let mut entered = None;
            while usize::from(here.tried) < 4 {
                let next = around[usize::from(here.tried)];
                here.tried += 1;
                let there = usize::from(next);
                if taken[there] != 0 || next == here.parent {
                    continue;
                }
                let seen = nodes[there].entered;
                if seen >= first {
                    here.low = here.low.min(seen);
                } else if next != square {
                    entered = Some(next);
                    break;
                }
            }
            if let Some(next) = entered {
                nodes[usize::from(square)] = here;
                here = new(next, square, clock);
                nodes[usize::from(next)].entered = clock;
                clock += 1;
                square = next;
                continue;
            }
            here.left = clock - 1;
            nodes[usize::from(square)] = here;
            if square == root {
                break;
            }
            let up = here.parent;
            let child = here;
            here = nodes[usize::from(up)];
            here.low = here.low.min(child.low);
            here.subtree ^= child.subtree;
            square = up;
        }
        self.clock = clock;
        self.components.push(self.nodes[usize::from(root)].subtree);
    }

    /// The number of components of the free squares.
    pub fn regions(&self) -> usize {
        self.components.len()
    }

    #[inline]
    pub fn region(&self, square: Square) -> usize {
        usize::from(self.nodes[usize::from(square)].component)
    }

    /// The first of some squares in each component that they touch.
    pub fn one_in_each(&self, squares: impl Iterator<Item = Square>) -> Vec<Square> {
        let mut begun = vec![false; self.regions()];
        let mut is_new = |square| !std::mem::replace(&mut begun[self.region(square)], true);
        squares.filter(|&square| self.is_free(square) && is_new(square)).collect()
    }

    /// Whether a square was free in the last survey.
    #[inline]
    pub fn is_free(&self, square: Square) -> bool {
        self.nodes[usize::from(square)].entered >= self.first
    }

    /// Whether two squares are free and connected.
    #[inline]
    pub fn joined(&self, a: Square, b: Square) -> bool {
        self.is_free(a) && self.is_free(b) && self.region(a) == self.region(b)
    }

    /// The key of the component of a free square.
    pub fn zone_of(&self, square: Square) -> u64 {
        self.components[self.region(square)]
    }

    /// Whether a free square lies on a cycle of free squares.
    pub fn on_loop(&self, board: &FeatureBoard, square: Square) -> bool {
        let node = &self.nodes[usize::from(square)];
        // An edge of the tree is on a cycle if the subtree below it has an edge to the upper end or to an ancestor of it.
        let reaches = |child: &Node, parent: &Node| child.low <= parent.entered && child.entered > parent.entered;
        let up = node.parent != square && reaches(node, &self.nodes[usize::from(node.parent)]);
        up || (0..4).any(|direction| {
            let child = board.next(square, direction);
            self.is_child(child, square) && reaches(&self.nodes[usize::from(child)], node)
        })
    }

    /// The number of components with a box on the free square `s`.
    #[inline]
    pub fn regions_with(&mut self, board: &FeatureBoard, s: Square) -> usize {
        self.components.len() - 1 + usize::from(self.sides(board, s).parts)
    }

    /// The components around a box on the free square `s`.
    #[inline]
    pub fn sides(&mut self, board: &FeatureBoard, s: Square) -> &BoxSides {
        let here = usize::from(s);
        if self.known[here] < self.first || self.known[here] >= self.clock {
            self.sides[here] = self.find_sides(board, s);
            self.known[here] = self.first;
        }
        &self.sides[here]
    }

    fn find_sides(&self, board: &FeatureBoard, s: Square) -> BoxSides {
        let is_root = self.nodes[usize::from(s)].parent == s;
        let mut sides = BoxSides { group: [BLOCKED; 4], parts: u8::from(!is_root), zone: [0; GROUPS] };
        let mut rest = self.components[self.region(s)] ^ board.zone_key(s);
        let cut = self.cuts(board, s);
        for direction in 0..4 {
            let side = board.next(s, direction);
            if cut[direction] {
                sides.parts += 1;
                sides.zone[direction] = self.nodes[usize::from(side)].subtree;
                rest ^= sides.zone[direction];
            }
            if self.is_free(side) {
                sides.group[direction] = self.group_among(board, s, side, &cut);
            }
        }
        sides.zone[usize::from(REST)] = rest;
        sides
    }

    /// For each direction, whether a box on `s` separates the subtree there.
    #[inline]
    fn cuts(&self, board: &FeatureBoard, s: Square) -> [bool; 4] {
        let here = &self.nodes[usize::from(s)];
        board.neighbours(s).map(|child| {
            self.is_child(child, s) && (here.parent == s || self.nodes[usize::from(child)].low >= here.entered)
        })
    }

    #[inline]
    fn is_child(&self, child: Square, of: Square) -> bool {
        child != of && self.is_free(child) && self.nodes[usize::from(child)].parent == of
    }

    #[inline]
    fn group_among(&self, board: &FeatureBoard, s: Square, player: Square, cut: &[bool; 4]) -> u8 {
        let time = self.nodes[usize::from(player)].entered;
        for (direction, &is_cut) in cut.iter().enumerate() {
            if is_cut {
                let child = usize::from(board.next(s, direction));
                if self.nodes[child].entered <= time && time <= self.nodes[child].left {
                    return direction as u8;
                }
            }
        }
        REST
    }

    /// The group of a player on `player` with a box on `s`; [`BLOCKED`] if he is in another component and touches no side.
    pub fn group_of(&self, board: &FeatureBoard, s: Square, player: Square) -> u8 {
        if player == s || !self.joined(s, player) {
            return BLOCKED;
        }
        self.group_among(board, s, player, &self.cuts(board, s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::oracle::ROOMS;
    use lurd_level::Map;
    use std::sync::Arc;

    #[test]
    fn a_square_is_on_a_cycle_if_two_of_its_sides_stay_connected_without_it() {
        let mut both = [0, 0];
        for room in ROOMS {
            let board = FeatureBoard::new(Arc::new(Board::new(&Map::from_xsb(room).unwrap()).unwrap()));
            let mut taken = board.bare().to_vec();
            for with_boxes in [false, true] {
                for &square in board.starts().iter().filter(|_| with_boxes) {
                    taken[usize::from(square)] = 1;
                }
                let mut articulation = board.survey(&taken);
                for square in (0..board.len() as Square).filter(|&square| taken[usize::from(square)] == 0) {
                    let groups = articulation.sides(&board, square).group;
                    let joined = (0..4).any(|a| (0..a).any(|b| groups[a] == groups[b] && groups[a] != BLOCKED));
                    assert_eq!(articulation.on_loop(&board, square), joined, "{room}\n{square}");
                    both[usize::from(joined)] += 1;
                }
            }
        }
        assert!(both.iter().all(|&count| count > 10), "{both:?}");
    }
}
