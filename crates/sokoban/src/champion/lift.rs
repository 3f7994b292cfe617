//! What a box would do to the free squares, for every square at once.
//!
//! One depth-first walk over the free squares (with one box lifted, or none) answers, for
//! each square `s`, what remains if a box is put down there: which of its four sides are still
//! joined, into how many parts the floor falls, and the key of each part. Taking `s` away cuts off
//! exactly the subtrees of those children that have no edge climbing above `s` (Hopcroft and Tarjan
//! 1973); a part's key is the exclusive or of its squares' keys, so the remainder's follows by
//! taking the cut-off parts out.

use super::ground::Ground;
use crate::square::Square;

/// The group of a side that is blocked.
pub(super) const BLOCKED: u8 = u8::MAX;
/// The group of what is not cut off.
const REST: u8 = 4;
/// Groups a square can have: one for each side cut off, and the rest.
pub(super) const GROUPS: usize = 5;

/// What a box on a square leaves of the free squares around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// The group of each side, by direction; equal groups are joined. [`BLOCKED`] where no free square is.
    pub(super) group: [u8; 4],
    /// How many parts the square's own component falls into.
    pub(super) parts: u8,
    /// The key of each group's squares.
    pub(super) zone: [u64; GROUPS],
}

/// The depth-first walk and what follows from it.
#[derive(Clone, Debug)]
pub(super) struct Lift {
    entered: Vec<u32>,
    left: Vec<u32>,
    low: Vec<u32>,
    parent: Vec<Square>,
    tried: Vec<u8>,
    component: Vec<u16>,
    subtree: Vec<u64>,
    components: Vec<Component>,
    clock: u32,
    first: u32,
    sides: Vec<Sides>,
    known: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Component {
    key: u64,
    size: u32,
}

impl Lift {
    pub(super) fn new(ground: &Ground) -> Self {
        let count = ground.len() + 1;
        Self {
            entered: vec![0; count],
            left: vec![0; count],
            low: vec![0; count],
            parent: vec![0; count],
            tried: vec![0; count],
            component: vec![0; count],
            subtree: vec![0; count],
            components: Vec::new(),
            clock: 1,
            first: 1,
            sides: vec![Sides { group: [BLOCKED; 4], parts: 0, zone: [0; GROUPS] }; count],
            known: vec![0; count],
        }
    }

    /// Walks over the squares that `taken` leaves free.
    pub(super) fn survey(&mut self, ground: &Ground, taken: &[u8]) {
        if self.clock > u32::MAX / 2 {
            self.entered.fill(0);
            self.known.fill(0);
            self.clock = 1;
        }
        self.first = self.clock;
        self.components.clear();
        for root in 0..ground.len() as Square {
            if taken[usize::from(root)] == 0 && self.entered[usize::from(root)] < self.first {
                self.walk(ground, taken, root);
            }
        }
    }

    fn walk(&mut self, ground: &Ground, taken: &[u8], root: Square) {
        let number = self.components.len() as u16;
        let began = self.clock;
        self.enter(ground, root, root, number);
        let mut here = usize::from(root);
        loop {
            let tried = usize::from(self.tried[here]);
            if tried < 4 {
                self.tried[here] += 1;
                let next = ground.next(here as Square, tried);
                let there = usize::from(next);
                if taken[there] != 0 {
                    continue;
                }
                if self.entered[there] < self.first {
                    self.enter(ground, next, here as Square, number);
                    here = there;
                } else if next != self.parent[here] {
                    self.low[here] = self.low[here].min(self.entered[there]);
                }
                continue;
            }
            self.left[here] = self.clock - 1;
            if here == usize::from(root) {
                break;
            }
            let up = usize::from(self.parent[here]);
            self.low[up] = self.low[up].min(self.low[here]);
            self.subtree[up] ^= self.subtree[here];
            here = up;
        }
        self.components.push(Component { key: self.subtree[usize::from(root)], size: self.clock - began });
    }

    #[inline]
    fn enter(&mut self, ground: &Ground, square: Square, from: Square, component: u16) {
        let here = usize::from(square);
        self.entered[here] = self.clock;
        self.low[here] = self.clock;
        self.clock += 1;
        self.parent[here] = from;
        self.tried[here] = 0;
        self.component[here] = component;
        self.subtree[here] = ground.zone_key(square);
    }

    /// How many parts the free squares fall into.
    pub(super) fn regions(&self) -> usize {
        self.components.len()
    }

    /// The part a free square lies in.
    #[inline]
    pub(super) fn region(&self, square: Square) -> usize {
        usize::from(self.component[usize::from(square)])
    }

    /// Whether a square was free in the last survey.
    #[inline]
    pub(super) fn is_free(&self, square: Square) -> bool {
        self.entered[usize::from(square)] >= self.first
    }

    /// Whether two squares are free and joined.
    #[inline]
    pub(super) fn joined(&self, a: Square, b: Square) -> bool {
        self.is_free(a) && self.is_free(b) && self.region(a) == self.region(b)
    }

    /// The key of the part a free square lies in.
    pub(super) fn zone_of(&self, square: Square) -> u64 {
        self.components[self.region(square)].key
    }

    /// How many squares the part of a free square has.
    pub(super) fn size_of(&self, square: Square) -> usize {
        self.components[self.region(square)].size as usize
    }

    /// How many parts there are with a box on the free square `s`.
    #[inline]
    pub(super) fn regions_with(&mut self, ground: &Ground, s: Square) -> usize {
        self.components.len() - 1 + usize::from(self.sides(ground, s).parts)
    }

    /// What a box on the free square `s` leaves.
    #[inline]
    pub(super) fn sides(&mut self, ground: &Ground, s: Square) -> &Sides {
        let here = usize::from(s);
        if self.known[here] < self.first || self.known[here] >= self.clock {
            self.sides[here] = self.find_sides(ground, s);
            self.known[here] = self.first;
        }
        &self.sides[here]
    }

    fn find_sides(&self, ground: &Ground, s: Square) -> Sides {
        let here = usize::from(s);
        let is_root = self.parent[here] == s;
        let mut sides = Sides { group: [BLOCKED; 4], parts: u8::from(!is_root), zone: [0; GROUPS] };
        let mut rest = self.components[self.region(s)].key ^ ground.zone_key(s);
        let mut cut = [false; 4];
        for (direction, is_cut) in cut.iter_mut().enumerate() {
            let child = ground.next(s, direction);
            if self.is_child(child, s) && (is_root || self.low[usize::from(child)] >= self.entered[here]) {
                *is_cut = true;
                sides.parts += 1;
                sides.zone[direction] = self.subtree[usize::from(child)];
                rest ^= self.subtree[usize::from(child)];
            }
        }
        sides.zone[usize::from(REST)] = rest;
        for direction in 0..4 {
            let side = ground.next(s, direction);
            if self.is_free(side) {
                sides.group[direction] = self.group_among(ground, s, side, &cut);
            }
        }
        sides
    }

    #[inline]
    fn is_child(&self, child: Square, of: Square) -> bool {
        child != of && self.is_free(child) && self.parent[usize::from(child)] == of
    }

    #[inline]
    fn group_among(&self, ground: &Ground, s: Square, player: Square, cut: &[bool; 4]) -> u8 {
        let moment = self.entered[usize::from(player)];
        for (direction, &is_cut) in cut.iter().enumerate() {
            if is_cut {
                let child = usize::from(ground.next(s, direction));
                if self.entered[child] <= moment && moment <= self.left[child] {
                    return direction as u8;
                }
            }
        }
        REST
    }

    /// The group of a box on `s` that a player on `player` belongs to; [`BLOCKED`] if he is in
    /// another part of the floor and touches no side.
    pub(super) fn group_of(&self, ground: &Ground, s: Square, player: Square) -> u8 {
        if player == s || !self.joined(s, player) {
            return BLOCKED;
        }
        let here = usize::from(s);
        let is_root = self.parent[here] == s;
        let cut = std::array::from_fn(|direction| {
            let child = ground.next(s, direction);
            self.is_child(child, s) && (is_root || self.low[usize::from(child)] >= self.entered[here])
        });
        self.group_among(ground, s, player, &cut)
    }
}
