//! The static data of a level: walls, goals, start squares, distances, Zobrist keys (Zobrist 1970).
//!
//! Squares have the numbers of the [`Board`]. One more number represents every wall, so that a neighbour is read without
//! a branch. Boxes that can never move and dead ends of plain floor are walls too. Rows of distances are computed on
//! first use, so that an easy level does not pay for them.

use crate::bits::marks;
use crate::feature::articulation::Articulation;
use crate::feature::freeze::eliminate;
use crate::feature::lone_box::LoneBox;
use crate::flood::flood;
use crate::{Board, NO_SQUARE, Square};
use lurd_base::random::SplitMix64;
use lurd_level::Direction;
use std::sync::{Arc, OnceLock};

pub use crate::distance::FAR;

/// A box on a square.
pub const BOX: u8 = 1;
/// A wall. A frozen box is both.
pub const WALL: u8 = 2;

#[derive(Debug)]
pub struct FeatureBoard {
    board: Arc<Board>,
    next: Vec<[Square; 4]>,
    /// [`WALL`] or 0 for every square, and [`WALL`] for the last entry, which represents every wall.
    bare: Vec<u8>,
    goals: Vec<Square>,
    starts: Vec<Square>,
    is_goal: Vec<bool>,
    is_start: Vec<bool>,
    player: Square,
    box_keys: Vec<u64>,
    zone_keys: Vec<u64>,
    lone: OnceLock<LoneBox>,
    /// Pushes from each square to its nearest goal; [`FAR`] if there is none.
    to_goal: Vec<u16>,
    dead: Vec<bool>,
    push_rows: Vec<OnceLock<Box<[u16]>>>,
    walk_rows: Vec<OnceLock<Box<[u16]>>>,
}

impl FeatureBoard {
    pub fn new(board: Arc<Board>) -> Self {
        let count = board.len();
        let wall = count as Square;
        let mut solid = marks(count, &fixed_boxes(&board));
        fill_dead_ends(&board, &mut solid);
        let at = |square: Square| {
            if square == NO_SQUARE || solid[usize::from(square)] { wall } else { square }
        };
        let mut next: Vec<[Square; 4]> = (0..wall)
            .map(|square| {
                if solid[usize::from(square)] {
                    [wall; 4]
                } else {
                    Direction::ALL.map(|direction| at(board.neighbour(square, direction)))
                }
            })
            .collect();
        next.push([wall; 4]);
        let mut bare: Vec<u8> = solid.iter().map(|&is_solid| if is_solid { WALL } else { 0 }).collect();
        bare.push(WALL);
        let open = |squares: &[Square]| -> Vec<Square> {
            squares.iter().copied().filter(|&square| !solid[usize::from(square)]).collect()
        };
        let (goals, starts) = (open(board.goals()), open(board.start_boxes()));
        let mut random = SplitMix64::new(0x6C75_7264);
        let mut keys = || (0..=count).map(|_| random.next_u64()).collect::<Vec<_>>();
        let (box_keys, zone_keys) = (keys(), keys());
        let mut features = Self {
            is_goal: marks(count + 1, &goals),
            is_start: marks(count + 1, &starts),
            player: board.start_player(),
            next,
            bare,
            goals,
            starts,
            box_keys,
            zone_keys,
            lone: OnceLock::new(),
            to_goal: Vec::new(),
            dead: vec![true; count + 1],
            push_rows: (0..count).map(|_| OnceLock::new()).collect(),
            walk_rows: (0..count).map(|_| OnceLock::new()).collect(),
            board,
        };
        features.to_goal = features.lone().distances_to(&features, &features.goals);
        // A box of a solution is never on a square from which no goal, or to which no start square, leads.
        let from_start = features.lone().distances_from(&features, &features.starts);
        let is_dead = |(&to_goal, &from_start): (&u16, &u16)| to_goal == FAR || from_start == FAR;
        features.dead = features.to_goal.iter().zip(&from_start).map(is_dead).collect();
        features
    }

    /// The number of squares; it is also the number that represents every wall.
    #[allow(clippy::len_without_is_empty, reason = "a compiled board has the player's square")]
    pub fn len(&self) -> usize {
        self.next.len() - 1
    }

    /// The board it was compiled from.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The neighbour in a direction given by its number; the number of the wall if it is a wall.
    #[inline]
    pub fn next(&self, square: Square, direction: usize) -> Square {
        self.next[usize::from(square)][direction]
    }

    #[inline]
    pub fn neighbours(&self, square: Square) -> &[Square; 4] {
        &self.next[usize::from(square)]
    }

    /// Breadth-first search, as [`Board::flood`]; the number of the wall is a neighbour like any other.
    #[inline]
    pub fn flood(&self, queue: &mut Vec<Square>, enter: impl FnMut(Square, Square) -> bool) {
        flood(queue, |square| self.neighbours(square), enter);
    }

    /// The walls, in the form of [`Position::taken`](crate::feature::position::Position::taken).
    pub fn bare(&self) -> &[u8] {
        &self.bare
    }

    pub fn goals(&self) -> &[Square] {
        &self.goals
    }

    pub fn starts(&self) -> &[Square] {
        &self.starts
    }

    #[inline]
    pub fn is_goal(&self, square: Square) -> bool {
        self.is_goal[usize::from(square)]
    }

    #[inline]
    pub fn is_start(&self, square: Square) -> bool {
        self.is_start[usize::from(square)]
    }

    pub fn player(&self) -> Square {
        self.player
    }

    #[inline]
    pub fn box_key(&self, square: Square) -> u64 {
        self.box_keys[usize::from(square)]
    }

    #[inline]
    pub fn zone_key(&self, square: Square) -> u64 {
        self.zone_keys[usize::from(square)]
    }

    /// The key of a position from the keys of its boxes and of the player's zone, each an exclusive or over squares.
    #[inline]
    pub fn key(boxes: u64, zone: u64) -> u64 {
        // The two keys must not cancel each other, and zero means "no position".
        let mixed = (zone ^ zone >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (boxes ^ mixed ^ mixed >> 29) | 1
    }

    pub fn lone(&self) -> &LoneBox {
        self.lone.get_or_init(|| LoneBox::new(self, &self.bare))
    }

    /// The pushes of a lone box to its nearest goal from the best side.
    #[inline]
    pub fn to_goal(&self, square: Square) -> u16 {
        self.to_goal[usize::from(square)]
    }

    /// Whether no box of a solution is ever on this square.
    #[inline]
    pub fn is_dead(&self, square: Square) -> bool {
        self.dead[usize::from(square)]
    }

    /// The pushes of a lone box from a square to every other from the best side.
    pub fn pushes_from(&self, square: Square) -> &[u16] {
        self.push_rows[usize::from(square)]
            .get_or_init(|| self.lone().distances_from(self, &[square]).into_boxed_slice())
    }

    /// The steps of the player from a square to every other, without boxes.
    pub fn walks_from(&self, square: Square) -> &[u16] {
        self.walk_rows[usize::from(square)].get_or_init(|| {
            let mut row = vec![FAR; self.len() + 1].into_boxed_slice();
            row[usize::from(square)] = 0;
            self.flood(&mut vec![square], |from, to| {
                let is_new = self.bare[usize::from(to)] == 0 && row[usize::from(to)] == FAR;
                if is_new {
                    row[usize::from(to)] = (row[usize::from(from)] + 1).min(FAR - 1);
                }
                is_new
            });
            row
        })
    }

    /// The articulation points of the squares that `taken` leaves free.
    pub fn survey(&self, taken: &[u8]) -> Articulation {
        let mut articulation = Articulation::new(self);
        articulation.survey(self, taken);
        articulation
    }

    pub fn bytes(&self) -> usize {
        let rows = self.push_rows.iter().chain(&self.walk_rows).filter(|row| row.get().is_some()).count();
        self.len() * 64 + rows * self.len() * size_of::<u16>()
    }
}

/// Boxes on goals that no solution moves: they are walls.
fn fixed_boxes(board: &Board) -> Vec<Square> {
    let free = |taken: &[bool], square: Square| square != NO_SQUARE && !taken[usize::from(square)];
    // A box that cannot be pulled off its goal in the solved position, others removed as they can, has never moved.
    let mut solved = marks(board.len(), board.goals());
    eliminate(&mut board.goals().to_vec(), &mut solved, |taken, square| {
        Direction::ALL.into_iter().any(|direction| {
            let near = board.neighbour(square, direction);
            near != NO_SQUARE && free(taken, near) && free(taken, board.neighbour(near, direction))
        })
    });
    // A box that cannot be pushed in the start position, others removed as they can, never moves.
    let starts = marks(board.len(), board.start_boxes());
    let mut start = starts.clone();
    eliminate(&mut board.start_boxes().to_vec(), &mut start, |taken, square| {
        [Direction::Left, Direction::Up].into_iter().any(|direction| {
            free(taken, board.neighbour(square, direction))
                && free(taken, board.neighbour(square, direction.opposite()))
        })
    });
    board
        .goals()
        .iter()
        .copied()
        .filter(|&goal| starts[usize::from(goal)] && (solved[usize::from(goal)] || start[usize::from(goal)]))
        .collect()
}

/// Fills dead ends of plain floor: a box in one is dead, and the player has no reason to enter.
fn fill_dead_ends(board: &Board, solid: &mut [bool]) {
    let is_box = |square| board.start_boxes().binary_search(&square).is_ok();
    let mut work: Vec<Square> = board.squares().collect();
    while let Some(square) = work.pop() {
        if solid[usize::from(square)] || board.is_goal(square) || is_box(square) || square == board.start_player() {
            continue;
        }
        let is_open = |&&next: &&Square| next != NO_SQUARE && !solid[usize::from(next)];
        let open: Vec<Square> = board.neighbours(square).iter().filter(is_open).copied().collect();
        if open.len() < 2 {
            solid[usize::from(square)] = true;
            work.extend(open);
        }
    }
}

/// The eight squares around one, clockwise from the one above.
pub fn ring(features: &FeatureBoard, square: Square) -> [Square; 8] {
    let [left, right, up, down] = *features.neighbours(square);
    let wall = features.len() as Square;
    let corner = |a: Square, then: usize, b: Square, other: usize| {
        if a != wall { features.next(a, then) } else { features.next(b, other) }
    };
    [
        up,
        corner(up, 1, right, 2),
        right,
        corner(right, 3, down, 1),
        down,
        corner(down, 0, left, 3),
        left,
        corner(left, 2, up, 0),
    ]
}
