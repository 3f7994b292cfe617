//! A level compiled for searching: only the squares the player could ever reach,
//! numbered, with their neighbours. What never changes during a search lives here.

use crate::{Bits, NO_SQUARE, Square};
use lurd_level::{Cell, Direction, Map};

/// Why a map cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Nobody to push.
    #[error("the level has no player")]
    NoPlayer,
    /// More than one player.
    #[error("the level has more than one player")]
    SeveralPlayers,
    /// The counts within the player's reach differ.
    #[error("the player can reach {boxes} boxes and {goals} goals; there must be as many boxes as goals")]
    CountsDiffer {
        /// Boxes the player can reach.
        boxes: usize,
        /// Goals the player can reach.
        goals: usize,
    },
    /// A box that no one can ever push is not on a goal.
    #[error("a box off its goal stands where the player can never get")]
    StrandedBox,
    /// More squares than numbers.
    #[error("the level has more than {} playable squares", Board::MOST_SQUARES)]
    TooLarge,
}

/// A level compiled for searching.
#[derive(Clone, Debug)]
pub struct Board {
    map: Map,
    places: Vec<(u16, u16)>,
    numbers: Vec<Square>,
    neighbours: Vec<[Square; 4]>,
    goals: Vec<Square>,
    goal_set: Bits,
    start_boxes: Vec<Square>,
    start_player: Square,
}

impl Board {
    /// The most playable squares a board can have: numbers must fit in 16 bits.
    pub const MOST_SQUARES: usize = 65_000;

    /// Compiles a map. Squares outside the rectangle count as walls; boxes on goals that
    /// the player can never reach are decoration and left out.
    ///
    /// # Errors
    /// When the map is no playable level.
    pub fn new(map: &Map) -> Result<Self, BoardError> {
        let mut players = map.cells().filter(|(_, _, cell)| cell.has_player());
        let (row, column, _) = players.next().ok_or(BoardError::NoPlayer)?;
        if players.next().is_some() {
            return Err(BoardError::SeveralPlayers);
        }
        let reached = reachable(map, row, column);
        let (width, height) = (map.width(), map.height());
        let mut numbers = vec![NO_SQUARE; width * height];
        let mut places = Vec::new();
        let mut goals = Vec::new();
        let mut start_boxes = Vec::new();
        let mut start_player = 0;
        for (row, column, cell) in map.cells() {
            let index = row * width + column;
            if !reached[index] {
                if cell == Cell::Box {
                    return Err(BoardError::StrandedBox);
                }
                continue;
            }
            if places.len() == Self::MOST_SQUARES {
                return Err(BoardError::TooLarge);
            }
            let square = places.len() as Square;
            numbers[index] = square;
            places.push((row as u16, column as u16));
            if cell.is_goal() {
                goals.push(square);
            }
            if cell.has_box() {
                start_boxes.push(square);
            }
            if cell.has_player() {
                start_player = square;
            }
        }
        if start_boxes.len() != goals.len() {
            return Err(BoardError::CountsDiffer { boxes: start_boxes.len(), goals: goals.len() });
        }
        let neighbours = places
            .iter()
            .map(|&(row, column)| {
                Direction::ALL.map(|direction| {
                    step(map, row.into(), column.into(), direction).map_or(NO_SQUARE, |(r, c)| numbers[r * width + c])
                })
            })
            .collect();
        let goal_set = Bits::of(places.len(), goals.iter().copied());
        Ok(Self { map: map.clone(), places, numbers, neighbours, goals, goal_set, start_boxes, start_player })
    }

    /// How many playable squares there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no square at all; never true for a compiled board.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All squares in order.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        0..self.places.len() as Square
    }

    /// The neighbour of a square, or [`NO_SQUARE`] where a wall is.
    #[inline]
    pub fn neighbour(&self, square: Square, direction: Direction) -> Square {
        self.neighbours[usize::from(square)][direction as usize]
    }

    /// Whether a wall stands next to a square in that direction.
    #[inline]
    pub fn wall(&self, square: Square, direction: Direction) -> bool {
        self.neighbour(square, direction) == NO_SQUARE
    }

    /// The goals, ascending.
    pub fn goals(&self) -> &[Square] {
        &self.goals
    }

    /// Whether a square is a goal.
    #[inline]
    pub fn is_goal(&self, square: Square) -> bool {
        self.goal_set.contains(square)
    }

    /// The goals as a set.
    pub fn goal_set(&self) -> &Bits {
        &self.goal_set
    }

    /// Where the boxes stand at the start, ascending.
    pub fn start_boxes(&self) -> &[Square] {
        &self.start_boxes
    }

    /// Where the player stands at the start.
    pub fn start_player(&self) -> Square {
        self.start_player
    }

    /// Row and column of a square.
    pub fn place(&self, square: Square) -> (usize, usize) {
        let (row, column) = self.places[usize::from(square)];
        (row.into(), column.into())
    }

    /// The square at a row and column, if it is playable.
    pub fn square_at(&self, row: usize, column: usize) -> Option<Square> {
        if row >= self.map.height() || column >= self.map.width() {
            return None;
        }
        Some(self.numbers[row * self.map.width() + column]).filter(|&square| square != NO_SQUARE)
    }

    /// The map it was compiled from.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The map with the boxes and the player moved to where they are now.
    pub fn picture(&self, boxes: &Bits, player: Square) -> Map {
        let mut map = self.map.clone();
        for square in self.squares() {
            let (row, column) = self.place(square);
            let cell = match (boxes.contains(square), square == player, self.is_goal(square)) {
                (true, _, false) => Cell::Box,
                (true, _, true) => Cell::BoxOnGoal,
                (_, true, false) => Cell::Player,
                (_, true, true) => Cell::PlayerOnGoal,
                (_, _, false) => Cell::Floor,
                (_, _, true) => Cell::Goal,
            };
            map.set(row, column, cell);
        }
        map
    }
}

/// The place one step further, if it lies inside the rectangle.
fn step(map: &Map, row: usize, column: usize, direction: Direction) -> Option<(usize, usize)> {
    let (down, right) = direction.delta();
    let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
    (row < map.height() && column < map.width()).then_some((row, column))
}

/// Where the player could ever get if there were no boxes.
fn reachable(map: &Map, row: usize, column: usize) -> Vec<bool> {
    let mut reached = vec![false; map.width() * map.height()];
    let mut stack = vec![(row, column)];
    reached[row * map.width() + column] = true;
    while let Some((row, column)) = stack.pop() {
        for direction in Direction::ALL {
            let Some((r, c)) = step(map, row, column, direction) else { continue };
            let seen = &mut reached[r * map.width() + c];
            if !*seen && map.get(r, c) != Cell::Wall {
                *seen = true;
                stack.push((r, c));
            }
        }
    }
    reached
}
