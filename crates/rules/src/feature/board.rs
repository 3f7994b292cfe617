//! What is known of a level before any search: walls, goals, starts, distances, keys.
//!
//! Squares keep the board's numbers. One number more stands for every wall, so that looking
//! at a neighbour never needs a branch. Distance rows are measured when first asked for, so a
//! trivial level pays for nothing it does not use.

use crate::feature::articulation::Articulation;
use crate::feature::lone_box::LoneBox;
use crate::{Board, NO_SQUARE, Square};
use lurd_level::Direction;
use std::sync::{Arc, OnceLock};

/// No way there.
pub const FAR: u16 = u16::MAX;

/// What stands on a square that is not free.
pub const BOX: u8 = 1;
/// A wall. A box that can never move again is both.
pub const WALL: u8 = 2;

/// What is known of a level before any search.
#[derive(Debug)]
pub struct FeatureBoard {
    board: Arc<Board>,
    next: Vec<[Square; 4]>,
    /// [`WALL`] or 0 for every square and the one that stands for all walls.
    bare: Vec<u8>,
    goals: Vec<Square>,
    starts: Vec<Square>,
    is_goal: Vec<bool>,
    is_start: Vec<bool>,
    player: Square,
    box_keys: Vec<u64>,
    zone_keys: Vec<u64>,
    lone: OnceLock<LoneBox>,
    /// Pushes from each square to its nearest goal; [`FAR`] if none can be reached.
    to_goal: Vec<u16>,
    dead: Vec<bool>,
    push_rows: Vec<OnceLock<Box<[u16]>>>,
    walk_rows: Vec<OnceLock<Box<[u16]>>>,
}

impl FeatureBoard {
    pub fn new(board: Arc<Board>) -> Self {
        let count = board.len();
        let wall = count as Square;
        let mut solid = vec![false; count];
        let fixed = fixed_boxes(&board);
        for &square in &fixed {
            solid[usize::from(square)] = true;
        }
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
        let marks = |squares: &[Square]| {
            let mut marks = vec![false; count + 1];
            for &square in squares {
                marks[usize::from(square)] = true;
            }
            marks
        };
        let mut seed = 0x6C75_7264;
        let mut keys = || (0..=count).map(|_| random(&mut seed)).collect::<Vec<_>>();
        let (box_keys, zone_keys) = (keys(), keys());
        let mut features = Self {
            is_goal: marks(&goals),
            is_start: marks(&starts),
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
        // A box never stands where it cannot reach a goal, nor where no box can get to.
        let came = features.lone().distances_from(&features, &features.starts);
        let lost = |(&goes, &came): (&u16, &u16)| goes == FAR || came == FAR;
        features.dead = features.to_goal.iter().zip(&came).map(lost).collect();
        features
    }

    /// How many squares there are; the number after the last stands for every wall.
    #[allow(clippy::len_without_is_empty, reason = "a board without squares has no player and is never compiled")]
    pub fn len(&self) -> usize {
        self.next.len() - 1
    }

    /// The board it was made from.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The neighbour in a direction given by its number; the wall's number where a wall is.
    #[inline]
    pub fn next(&self, square: Square, direction: usize) -> Square {
        self.next[usize::from(square)][direction]
    }

    /// All four neighbours.
    #[inline]
    pub fn neighbours(&self, square: Square) -> &[Square; 4] {
        &self.next[usize::from(square)]
    }

    /// Walls alone, the form in which positions are built.
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

    /// The key of a position from the exclusive or of its boxes' keys and of its zone's.
    #[inline]
    pub fn key(boxes: u64, zone: u64) -> u64 {
        // The two halves must not cancel, and zero means "no position".
        let mixed = (zone ^ zone >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (boxes ^ mixed ^ mixed >> 29) | 1
    }

    /// The graph of a lone box.
    pub fn lone(&self) -> &LoneBox {
        self.lone.get_or_init(|| LoneBox::new(self, &self.bare))
    }

    /// Pushes a lone box needs to its nearest goal from the best side.
    #[inline]
    pub fn to_goal(&self, square: Square) -> u16 {
        self.to_goal[usize::from(square)]
    }

    /// Whether no box of a solution ever stands here.
    #[inline]
    pub fn is_dead(&self, square: Square) -> bool {
        self.dead[usize::from(square)]
    }

    /// Pushes a lone box needs from a square to every other, from the best side.
    pub fn pushes_from(&self, square: Square) -> &[u16] {
        self.push_rows[usize::from(square)]
            .get_or_init(|| self.lone().distances_from(self, &[square]).into_boxed_slice())
    }

    /// Steps between a square and every other, walls only.
    pub fn walks_from(&self, square: Square) -> &[u16] {
        self.walk_rows[usize::from(square)].get_or_init(|| {
            let mut row = vec![FAR; self.len() + 1].into_boxed_slice();
            let mut queue = vec![square];
            row[usize::from(square)] = 0;
            let mut at = 0;
            while let Some(&here) = queue.get(at) {
                at += 1;
                let steps = row[usize::from(here)].saturating_add(1).min(FAR - 1);
                for &there in self.neighbours(here) {
                    if self.bare[usize::from(there)] == 0 && row[usize::from(there)] == FAR {
                        row[usize::from(there)] = steps;
                        queue.push(there);
                    }
                }
            }
            row
        })
    }

    /// A survey of the bare floor.
    pub fn survey(&self, taken: &[u8]) -> Articulation {
        let mut lift = Articulation::new(self);
        lift.survey(self, taken);
        lift
    }

    /// Bytes the tables hold.
    pub fn bytes(&self) -> usize {
        let rows = self.push_rows.iter().chain(&self.walk_rows).filter(|row| row.get().is_some()).count();
        self.len() * 64 + rows * self.len() * size_of::<u16>()
    }
}

/// Boxes that stand on goals and can never move, whatever the player does: they are walls.
fn fixed_boxes(board: &Board) -> Vec<Square> {
    let free = |taken: &[bool], square: Square| square != NO_SQUARE && !taken[usize::from(square)];
    let on = |squares: &[Square]| {
        let mut taken = vec![false; board.len()];
        for &square in squares {
            taken[usize::from(square)] = true;
        }
        taken
    };
    // What cannot be pulled out of the solved picture has stood there from the start.
    let mut solved = on(board.goals());
    peel(board.goals(), &mut solved, |taken, square| {
        Direction::ALL.into_iter().any(|direction| {
            let near = board.neighbour(square, direction);
            near != NO_SQUARE && free(taken, near) && free(taken, board.neighbour(near, direction))
        })
    });
    // What has no push in the first picture, others taken away as they come free, never moves.
    let mut start = on(board.start_boxes());
    peel(board.start_boxes(), &mut start, |taken, square| {
        [Direction::Left, Direction::Up].into_iter().any(|direction| {
            free(taken, board.neighbour(square, direction))
                && free(taken, board.neighbour(square, direction.opposite()))
        })
    });
    let begins = on(board.start_boxes());
    board
        .goals()
        .iter()
        .copied()
        .filter(|&goal| begins[usize::from(goal)] && (solved[usize::from(goal)] || start[usize::from(goal)]))
        .collect()
}

/// Takes away every box that `moves` allows, until none is left that it does.
fn peel(boxes: &[Square], taken: &mut [bool], moves: impl Fn(&[bool], Square) -> bool) {
    loop {
        let mut changed = false;
        for &square in boxes {
            if taken[usize::from(square)] && moves(taken, square) {
                taken[usize::from(square)] = false;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// A dead end of plain floor serves nobody: no box goes in, and the player has no reason to.
fn fill_dead_ends(board: &Board, solid: &mut [bool]) {
    let is_box = |square| board.start_boxes().binary_search(&square).is_ok();
    let mut work: Vec<Square> = board.squares().collect();
    while let Some(square) = work.pop() {
        if solid[usize::from(square)] || board.is_goal(square) || is_box(square) || square == board.start_player() {
            continue;
        }
        let mut open = Direction::ALL
            .map(|direction| board.neighbour(square, direction))
            .into_iter()
            .filter(|&next| next != NO_SQUARE && !solid[usize::from(next)]);
        let (way, more) = (open.next(), open.next());
        if more.is_none() {
            solid[usize::from(square)] = true;
            work.extend(way);
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *seed;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The eight squares around one, clockwise, beginning above; the wall's number for walls.
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
