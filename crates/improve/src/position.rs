//! The current position of a search, with all data that are updated incrementally: marks, hash, matching, deviation from
//! the route.
//!
//! Consecutive positions of a search have most boxes in common, so an update changes a few squares instead of the whole
//! board.

use crate::deviation::Deviation;
use crate::matching::RouteMatching;
use lurd_base::random::SplitMix64;
use lurd_level::Direction;
use lurd_rules::distance::Distances;
use lurd_rules::{Bits, Board, NO_SQUARE, Push, Square};

/// Marks of squares that cannot be walked on; every smaller mark is the number of a fill.
const WALL: u32 = u32::MAX;
const BOX: u32 = u32::MAX - 1;

/// A legal push, and the length of the walk before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Successor {
    pub(super) push: Push,
    pub(super) to: Square,
    pub(super) steps: u32,
}

/// Zobrist keys (Zobrist 1970) of the squares of boxes and of the player.
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

    /// The key of a set of boxes.
    pub(super) fn boxes(&self, boxes: &Bits) -> u64 {
        boxes.iter().fold(0, |hash, square| hash ^ self.boxes[usize::from(square)])
    }

    #[inline]
    pub(super) fn shifted(&self, from: Square, to: Square) -> u64 {
        self.boxes[usize::from(from)] ^ self.boxes[usize::from(to)]
    }
}

#[derive(Debug)]
pub(super) struct Position<'a> {
    pub(super) board: &'a Board,
    keys: &'a Keys,
    distances: &'a Distances,
    pub(super) boxes: Bits,
    pub(super) hash: u64,
    pub(super) deviation: Deviation,
    matching: RouteMatching,
    /// The square of the box of each slot of the matching, and the slot of the box on each square.
    squares: Vec<Square>,
    slots: Vec<u16>,
    /// The neighbours of each square; the last square represents every wall.
    neighbours: Vec<[Square; 4]>,
    marks: Vec<u32>,
    fill: u32,
    steps: Vec<u16>,
    queue: Vec<Square>,
    pub(super) successors: Vec<Successor>,
    /// Slots without a box.
    vacated: Vec<u16>,
}

impl<'a> Position<'a> {
    /// The first position. `distances` are those to the targets, as many as boxes.
    pub(super) fn new(
        board: &'a Board,
        keys: &'a Keys,
        distances: &'a Distances,
        deviation: Deviation,
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
        let mut position = Self {
            board,
            keys,
            distances,
            boxes: Bits::empty(board.len()),
            hash: 0,
            deviation,
            matching: RouteMatching::new(count),
            squares: vec![0; count],
            slots: vec![0; board.len()],
            neighbours,
            marks,
            fill: 0,
            steps: vec![0; board.len()],
            queue: Vec::with_capacity(board.len()),
            successors: Vec::new(),
            vacated: (0..count as u16).collect(),
        };
        for square in boxes.iter() {
            position.add(square);
        }
        for slot in 0..count {
            position.matching.set_row(distances, slot, distances.offset(position.squares[slot], player));
        }
        position
    }

    fn add(&mut self, square: Square) {
        let Some(slot) = self.vacated.pop() else { return };
        self.squares[usize::from(slot)] = square;
        self.slots[usize::from(square)] = slot;
        self.marks[usize::from(square)] = BOX;
        self.hash ^= self.keys.boxes[usize::from(square)];
        self.boxes.insert(square);
        self.deviation.add(square);
    }

    fn remove(&mut self, square: Square) {
        self.vacated.push(self.slots[usize::from(square)]);
        self.marks[usize::from(square)] = 0;
        self.hash ^= self.keys.boxes[usize::from(square)];
        self.boxes.remove(square);
        self.deviation.remove(square);
    }

    /// Changes to another position with the same number of boxes.
    pub(super) fn set(&mut self, boxes: &[u64]) {
        for removing in [true, false] {
            for (index, &word) in boxes.iter().enumerate() {
                let own = self.boxes.words()[index];
                let mut rest = if removing { own & !word } else { word & !own };
                while rest != 0 {
                    let square = (index * 64 + rest.trailing_zeros() as usize) as Square;
                    rest &= rest - 1;
                    if removing { self.remove(square) } else { self.add(square) }
                }
            }
        }
    }

    /// The lower bound on the pushes to the targets by the minimum matching; `None` if there is no matching.
    pub(super) fn estimate(&mut self, player: Square) -> Option<u32> {
        for slot in 0..self.squares.len() {
            let row = self.distances.offset(self.squares[slot], player);
            if row != self.matching.row(slot) {
                self.matching.set_row(self.distances, slot, row);
            }
        }
        self.matching.settle(self.distances)
    }

    /// A lower bound on [`estimate`](Self::estimate) after a push; the current position must be estimated first.
    #[inline]
    pub(super) fn estimate_after(&self, successor: &Successor) -> Option<u32> {
        let slot = usize::from(self.slots[usize::from(successor.push.from)]);
        self.matching.bound_with(self.distances, slot, self.distances.offset(successor.to, successor.push.from))
    }

    /// Fills the player's zone with walking distances and collects the legal pushes. Returns the lowest square of the
    /// zone.
    pub(super) fn fill(&mut self, player: Square) -> Square {
        self.fill += 1;
        if self.fill == BOX {
            self.marks.iter_mut().filter(|mark| **mark < BOX).for_each(|mark| *mark = 0);
            self.fill = 1;
        }
        let fill = self.fill;
        self.queue.clear();
        self.successors.clear();
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
                        self.successors.push(Successor { push, to, steps: steps.into() });
                    }
                }
            }
        }
        lowest
    }

    /// The steps to a square that the last fill reached.
    #[inline]
    pub(super) fn steps_to(&self, square: Square) -> Option<u32> {
        (self.marks[usize::from(square)] == self.fill).then(|| self.steps[usize::from(square)].into())
    }
}
