//! The position a search looks at, with everything that can be carried over from the one it
//! looked at before: marks, hash, pairing, nearness to the route.
//!
//! Consecutive positions of a search have most boxes in common, so going from one to the next
//! costs a few squares instead of the whole board.

use crate::matching::RouteMatching;
use crate::nearness::Nearness;
use crate::route::Push;
use lurd_level::Direction;
use lurd_rules::distance::Distances;
use lurd_rules::{Bits, Board, NO_SQUARE, Square};
use lurd_search::random::SplitMix64;

/// Marks of squares that cannot be walked on; every smaller mark is the number of a fill.
const WALL: u32 = u32::MAX;
const BOX: u32 = u32::MAX - 1;

/// A push the player can make, and the steps he walks before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    pub(super) push: Push,
    pub(super) to: Square,
    pub(super) steps: u32,
}

/// One random number for each box square and each player's square.
#[derive(Debug)]
pub(super) struct Keys {
    boxes: Vec<u64>,
    players: Vec<u64>,
}

impl Keys {
    pub(super) fn new(board: &Board) -> Self {
        let mut random = SplitMix64::new(0);
        let mut numbers = || (0..board.len()).map(|_| random.next_u64()).collect();
        Self { boxes: numbers(), players: numbers() }
    }

    #[inline]
    pub(super) fn player(&self, square: Square) -> u64 {
        self.players[usize::from(square)]
    }

    #[inline]
    pub(super) fn shifted(&self, from: Square, to: Square) -> u64 {
        self.boxes[usize::from(from)] ^ self.boxes[usize::from(to)]
    }
}

/// The position looked at.
#[derive(Debug)]
pub(super) struct Window<'a> {
    board: &'a Board,
    keys: &'a Keys,
    distances: &'a Distances,
    pub(super) boxes: Bits,
    pub(super) hash: u64,
    pub(super) nearness: Nearness,
    matching: RouteMatching,
    /// The box of each slot, and the slot of the box on each square.
    squares: Vec<Square>,
    slots: Vec<u16>,
    /// Neighbours of each square; walls are one more square at the end.
    neighbours: Vec<[Square; 4]>,
    marks: Vec<u32>,
    fill: u32,
    steps: Vec<u16>,
    queue: Vec<Square>,
    pub(super) chances: Vec<Chance>,
    vacated: Vec<u16>,
}

impl<'a> Window<'a> {
    /// Starts at a position. `distances` lead to the targets, as many as there are boxes.
    pub(super) fn new(
        board: &'a Board,
        keys: &'a Keys,
        distances: &'a Distances,
        nearness: Nearness,
        boxes: &Bits,
        player: Square,
    ) -> Self {
        let wall = board.len() as Square;
        let numbered = |square: Square| if square == NO_SQUARE { wall } else { square };
        let neighbours =
            board.squares().map(|square| Direction::ALL.map(|way| numbered(board.neighbour(square, way)))).collect();
        let mut marks = vec![0; board.len() + 1];
        marks[board.len()] = WALL;
        let count = boxes.len();
        let mut ground = Self {
            board,
            keys,
            distances,
            boxes: Bits::empty(board.len()),
            hash: 0,
            nearness,
            matching: RouteMatching::new(count),
            squares: vec![0; count],
            slots: vec![0; board.len()],
            neighbours,
            marks,
            fill: 0,
            steps: vec![0; board.len()],
            queue: Vec::with_capacity(board.len()),
            chances: Vec::new(),
            vacated: (0..count as u16).collect(),
        };
        for square in boxes.iter() {
            ground.put(square);
        }
        for slot in 0..count {
            ground.matching.set_row(distances, slot, distances.offset(ground.squares[slot], player));
        }
        ground
    }

    fn put(&mut self, square: Square) {
        let Some(slot) = self.vacated.pop() else { return };
        self.squares[usize::from(slot)] = square;
        self.slots[usize::from(square)] = slot;
        self.marks[usize::from(square)] = BOX;
        self.hash ^= self.keys.boxes[usize::from(square)];
        self.boxes.insert(square);
        self.nearness.add(square);
    }

    fn take(&mut self, square: Square) {
        self.vacated.push(self.slots[usize::from(square)]);
        self.marks[usize::from(square)] = 0;
        self.hash ^= self.keys.boxes[usize::from(square)];
        self.boxes.remove(square);
        self.nearness.remove(square);
    }

    /// Goes to another position of as many boxes.
    pub(super) fn look_at(&mut self, boxes: &[u64]) {
        for removing in [true, false] {
            for (index, &word) in boxes.iter().enumerate() {
                let own = self.boxes.words()[index];
                let mut rest = if removing { own & !word } else { word & !own };
                while rest != 0 {
                    let square = (index * 64 + rest.trailing_zeros() as usize) as Square;
                    rest &= rest - 1;
                    if removing { self.take(square) } else { self.put(square) }
                }
            }
        }
    }

    /// The least pushes from here to the targets, were every box alone; `None` if there is no way.
    pub(super) fn estimate(&mut self, player: Square) -> Option<u32> {
        for slot in 0..self.squares.len() {
            let row = self.distances.offset(self.squares[slot], player);
            if row != self.matching.row(slot) {
                self.matching.set_row(self.distances, slot, row);
            }
        }
        self.matching.settle(self.distances)
    }

    /// A bound on [`estimate`](Self::estimate) after a push; the present position must be estimated.
    #[inline]
    pub(super) fn estimate_after(&self, chance: &Chance) -> Option<u32> {
        let slot = usize::from(self.slots[usize::from(chance.push.from)]);
        self.matching.bound_with(self.distances, slot, self.distances.offset(chance.to, chance.push.from))
    }

    /// Fills the player's zone, measures it, and collects the pushes he can make. Returns the zone's
    /// lowest square.
    pub(super) fn fill(&mut self, player: Square) -> Square {
        self.fill += 1;
        if self.fill == BOX {
            self.marks.iter_mut().filter(|mark| **mark < BOX).for_each(|mark| *mark = 0);
            self.fill = 1;
        }
        let fill = self.fill;
        self.queue.clear();
        self.chances.clear();
        self.queue.push(player);
        self.marks[usize::from(player)] = fill;
        self.steps[usize::from(player)] = 0;
        let mut lowest = player;
        let mut next = 0;
        while let Some(&square) = self.queue.get(next) {
            next += 1;
            lowest = lowest.min(square);
            let steps = self.steps[usize::from(square)];
            for direction in Direction::ALL {
                let neighbour = self.neighbours[usize::from(square)][direction as usize];
                let mark = self.marks[usize::from(neighbour)];
                if mark < fill {
                    self.marks[usize::from(neighbour)] = fill;
                    self.steps[usize::from(neighbour)] = steps + 1;
                    self.queue.push(neighbour);
                } else if mark == BOX {
                    let to = self.neighbours[usize::from(neighbour)][direction as usize];
                    if self.marks[usize::from(to)] < BOX && !self.distances.is_dead(to) {
                        let push = Push { from: neighbour, direction };
                        self.chances.push(Chance { push, to, steps: steps.into() });
                    }
                }
            }
        }
        lowest
    }

    /// The steps to a square the last fill reached.
    #[inline]
    pub(super) fn steps_to(&self, square: Square) -> Option<u32> {
        (self.marks[usize::from(square)] == self.fill).then(|| self.steps[usize::from(square)].into())
    }

    /// The board.
    pub(super) fn board(&self) -> &'a Board {
        self.board
    }
}
