//! What a box would do to the free squares, for every square at once.
//!
//! One depth-first walk over the free squares (with one box lifted, or none) answers, for
//! each square `s`, what remains if a box is put down there: which of its four sides are still
//! joined, into how many parts the floor falls, and the key of each part. Taking `s` away cuts off
//! exactly the subtrees of those children that have no edge climbing above `s` (Hopcroft and Tarjan
//! 1973); a part's key is the exclusive or of its squares' keys, so the remainder's follows by
//! taking the cut-off parts out.

use crate::Square;
use crate::feature::board::FeatureBoard;

/// The group of a side that is blocked.
pub const BLOCKED: u8 = u8::MAX;
/// The group of what is not cut off.
const REST: u8 = 4;
/// Groups a square can have: one for each side cut off, and the rest.
pub const GROUPS: usize = 5;

/// What a box on a square leaves of the free squares around it.
#[derive(Clone, Copy, Debug)]
pub struct BoxSides {
    /// The group of each side, by direction; equal groups are joined. [`BLOCKED`] where no free square is.
    pub group: [u8; 4],
    /// How many parts the square's own component falls into.
    pub parts: u8,
    /// The key of each group's squares.
    pub zone: [u64; GROUPS],
}

/// What the walk notes of a square. One record for each square: the walk goes from neighbour to
/// neighbour, and all it asks of one lies together.
#[derive(Clone, Copy, Debug, Default)]
struct Note {
    /// The exclusive or of the keys of the subtree.
    subtree: u64,
    entered: u32,
    left: u32,
    low: u32,
    parent: Square,
    component: u16,
    tried: u8,
}

/// The depth-first walk and what follows from it.
#[derive(Clone, Debug)]
pub struct Articulation {
    notes: Vec<Note>,
    components: Vec<u64>,
    clock: u32,
    first: u32,
    sides: Vec<BoxSides>,
    known: Vec<u32>,
}

impl Articulation {
    pub fn new(board: &FeatureBoard) -> Self {
        let count = board.len() + 1;
        Self {
            notes: vec![Note::default(); count],
            components: Vec::new(),
            clock: 1,
            first: 1,
            sides: vec![BoxSides { group: [BLOCKED; 4], parts: 0, zone: [0; GROUPS] }; count],
            known: vec![0; count],
        }
    }

    /// Bytes it holds.
    pub fn bytes(&self) -> usize {
        self.notes.len() * (size_of::<Note>() + size_of::<BoxSides>() + size_of::<u32>())
    }

    /// Walks over the squares that `taken` leaves free.
    pub fn survey(&mut self, board: &FeatureBoard, taken: &[u8]) {
        if self.clock > u32::MAX / 2 {
            self.notes.fill(Note::default());
            self.known.fill(0);
            self.clock = 1;
        }
        self.first = self.clock;
        self.components.clear();
        for root in 0..board.len() {
            if taken[root] == 0 && self.notes[root].entered < self.first {
                self.walk(board, taken, root as Square);
            }
        }
    }

    fn walk(&mut self, board: &FeatureBoard, taken: &[u8], root: Square) {
        let number = self.components.len() as u16;
        let first = self.first;
        let mut clock = self.clock;
        let notes = &mut self.notes[..];
        let new = |square: Square, from: Square, clock: u32| Note {
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
            // The note of the square we stand on is kept aside and written when we leave it.
            let around = board.neighbours(square);
            let mut entered = None;
            while usize::from(here.tried) < 4 {
                let next = around[usize::from(here.tried)];
                here.tried += 1;
                let there = usize::from(next);
                if taken[there] != 0 || next == here.parent {
                    continue;
                }
                let seen = notes[there].entered;
                if seen >= first {
                    here.low = here.low.min(seen);
                } else if next != square {
                    entered = Some(next);
                    break;
                }
            }
            if let Some(next) = entered {
                notes[usize::from(square)] = here;
                here = new(next, square, clock);
                notes[usize::from(next)].entered = clock;
                clock += 1;
                square = next;
                continue;
            }
            here.left = clock - 1;
            notes[usize::from(square)] = here;
            if square == root {
                break;
            }
            let up = here.parent;
            let child = here;
            here = notes[usize::from(up)];
            here.low = here.low.min(child.low);
            here.subtree ^= child.subtree;
            square = up;
        }
        self.clock = clock;
        self.components.push(self.notes[usize::from(root)].subtree);
    }

    /// How many parts the free squares fall into.
    pub fn regions(&self) -> usize {
        self.components.len()
    }

    /// The part a free square lies in.
    #[inline]
    pub fn region(&self, square: Square) -> usize {
        usize::from(self.notes[usize::from(square)].component)
    }

    /// Whether a square was free in the last survey.
    #[inline]
    pub fn is_free(&self, square: Square) -> bool {
        self.notes[usize::from(square)].entered >= self.first
    }

    /// Whether two squares are free and joined.
    #[inline]
    pub fn joined(&self, a: Square, b: Square) -> bool {
        self.is_free(a) && self.is_free(b) && self.region(a) == self.region(b)
    }

    /// The key of the part a free square lies in.
    pub fn zone_of(&self, square: Square) -> u64 {
        self.components[self.region(square)]
    }

    /// Whether some loop of free squares passes over a free square.
    pub fn on_loop(&self, board: &FeatureBoard, square: Square) -> bool {
        let note = &self.notes[usize::from(square)];
        // An edge of the walk lies on a loop if the subtree below it climbs to its upper end or above.
        let climbs = |child: &Note, parent: &Note| child.low <= parent.entered && child.entered > parent.entered;
        let up = note.parent != square && climbs(note, &self.notes[usize::from(note.parent)]);
        up || (0..4).any(|direction| {
            let child = board.next(square, direction);
            self.is_child(child, square) && climbs(&self.notes[usize::from(child)], note)
        })
    }

    /// How many parts there are with a box on the free square `s`.
    #[inline]
    pub fn regions_with(&mut self, board: &FeatureBoard, s: Square) -> usize {
        self.components.len() - 1 + usize::from(self.sides(board, s).parts)
    }

    /// What a box on the free square `s` leaves.
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
        let here = usize::from(s);
        let is_root = self.notes[here].parent == s;
        let mut sides = BoxSides { group: [BLOCKED; 4], parts: u8::from(!is_root), zone: [0; GROUPS] };
        let mut rest = self.components[self.region(s)] ^ board.zone_key(s);
        let mut cut = [false; 4];
        for (direction, is_cut) in cut.iter_mut().enumerate() {
            let child = board.next(s, direction);
            if self.is_child(child, s) && (is_root || self.notes[usize::from(child)].low >= self.notes[here].entered) {
                *is_cut = true;
                sides.parts += 1;
                sides.zone[direction] = self.notes[usize::from(child)].subtree;
                rest ^= self.notes[usize::from(child)].subtree;
            }
        }
        sides.zone[usize::from(REST)] = rest;
        for direction in 0..4 {
            let side = board.next(s, direction);
            if self.is_free(side) {
                sides.group[direction] = self.group_among(board, s, side, &cut);
            }
        }
        sides
    }

    #[inline]
    fn is_child(&self, child: Square, of: Square) -> bool {
        child != of && self.is_free(child) && self.notes[usize::from(child)].parent == of
    }

    #[inline]
    fn group_among(&self, board: &FeatureBoard, s: Square, player: Square, cut: &[bool; 4]) -> u8 {
        let moment = self.notes[usize::from(player)].entered;
        for (direction, &is_cut) in cut.iter().enumerate() {
            if is_cut {
                let child = usize::from(board.next(s, direction));
                if self.notes[child].entered <= moment && moment <= self.notes[child].left {
                    return direction as u8;
                }
            }
        }
        REST
    }

    /// The group of a box on `s` that a player on `player` belongs to; [`BLOCKED`] if he is in
    /// another part of the floor and touches no side.
    pub fn group_of(&self, board: &FeatureBoard, s: Square, player: Square) -> u8 {
        if player == s || !self.joined(s, player) {
            return BLOCKED;
        }
        let here = usize::from(s);
        let is_root = self.notes[here].parent == s;
        let cut = std::array::from_fn(|direction| {
            let child = board.next(s, direction);
            self.is_child(child, s) && (is_root || self.notes[usize::from(child)].low >= self.notes[here].entered)
        });
        self.group_among(board, s, player, &cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use lurd_level::Map;
    use std::sync::Arc;

    #[test]
    fn a_square_is_on_a_loop_if_two_of_its_sides_stay_joined_without_it() {
        let rooms = [
            "########\n#  #   #\n# $ $  #\n#@ #$# #\n#   .. #\n# #  . #\n########",
            "#########\n#@  #   #\n# $ $ $ #\n# #   # #\n##$ ### #\n# ..# $.#\n#  .  . #\n#########",
            "###########\n#@ $ .   ##\n### #$#   #\n#  $..  # #\n## ##  ## #\n#     #   #\n###########",
        ];
        let mut both = [0, 0];
        for room in rooms {
            let board = FeatureBoard::new(Arc::new(Board::new(&Map::from_xsb(room).unwrap()).unwrap()));
            let mut taken = board.bare().to_vec();
            for with_boxes in [false, true] {
                for &square in board.starts().iter().filter(|_| with_boxes) {
                    taken[usize::from(square)] = 1;
                }
                let mut lift = Articulation::new(&board);
                lift.survey(&board, &taken);
                for square in (0..board.len() as Square).filter(|&square| taken[usize::from(square)] == 0) {
                    let groups = lift.sides(&board, square).group;
                    let joined = (0..4).any(|a| (0..a).any(|b| groups[a] == groups[b] && groups[a] != BLOCKED));
                    assert_eq!(lift.on_loop(&board, square), joined, "{room}\n{square}");
                    both[usize::from(joined)] += 1;
                }
            }
        }
        assert!(both.iter().all(|&count| count > 10), "{both:?}");
    }
}
