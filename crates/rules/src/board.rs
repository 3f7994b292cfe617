//! A level compiled for search: the squares of the player's region, numbered, with their neighbours. It holds what is
//! constant during a search.

use crate::flood::flood;
use crate::{Bits, NO_SQUARE, Square};
use lurd_level::{Cell, Direction, Map, Region};

/// Why a map cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    #[error("the level has no player")]
    NoPlayer,
    #[error("the level has more than one player")]
    SeveralPlayers,
    #[error("the player can reach {boxes} boxes and {goals} goals; there must be as many boxes as goals")]
    CountsDiffer { boxes: usize, goals: usize },
    #[error("a box off its goal stands where the player can never get")]
    StrandedBox,
    #[error("the level has more than {} playable squares", Board::MOST_SQUARES)]
    TooLarge,
}

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
    /// The maximum number of playable squares: numbers must fit in 16 bits.
    pub const MOST_SQUARES: usize = lurd_level::validity::MAX_SQUARES;

    /// Compiles a map. Squares outside the rectangle are walls; boxes on goals outside the player's region are
    /// decoration and omitted.
    ///
    /// # Errors
    /// When the map is not a playable level.
    pub fn new(map: &Map) -> Result<Self, BoardError> {
        match map.cells().filter(|(_, _, cell)| cell.has_player()).count() {
            0 => return Err(BoardError::NoPlayer),
            1 => {}
            _ => return Err(BoardError::SeveralPlayers),
        }
        let region = Region::of_player(map);
        let (width, height) = (map.width(), map.height());
        let mut numbers = vec![NO_SQUARE; width * height];
        let mut places = Vec::new();
        let mut goals = Vec::new();
        let mut start_boxes = Vec::new();
        let mut start_player = 0;
        for (row, column, cell) in map.cells() {
            let index = row * width + column;
            if !region.contains(row, column) {
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

    /// The number of playable squares.
    #[allow(clippy::len_without_is_empty, reason = "a compiled board has the player's square")]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// All squares in order.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        0..self.places.len() as Square
    }

    /// The neighbour of a square, or [`NO_SQUARE`] if it is a wall.
    #[inline]
    pub fn neighbour(&self, square: Square, direction: Direction) -> Square {
        self.neighbours[usize::from(square)][direction as usize]
    }

    /// The four neighbours of a square in the order of [`Direction::ALL`], [`NO_SQUARE`] for walls.
    #[inline]
    pub fn neighbours(&self, square: Square) -> &[Square; 4] {
        &self.neighbours[usize::from(square)]
    }

    /// The squares from one on in a direction, up to the wall.
    pub fn run(&self, start: Square, direction: Direction) -> impl Iterator<Item = Square> + '_ {
        std::iter::successors(Some(start), move |&last| {
            Some(self.neighbour(last, direction)).filter(|&next| next != NO_SQUARE)
        })
    }

    /// Breadth-first search from the squares in `queue`. `enter(from, to)` decides whether the neighbour `to` of `from`
    /// is new, and marks it. At the end `queue` holds all squares reached, in order of distance.
    #[inline]
    pub fn flood(&self, queue: &mut Vec<Square>, enter: impl FnMut(Square, Square) -> bool) {
        flood(queue, |square| self.neighbours(square), enter);
    }

    /// The connected components of the squares that satisfy a predicate.
    pub fn components(&self, belongs: impl Fn(Square) -> bool) -> Vec<Vec<Square>> {
        let mut seen = vec![false; self.len()];
        let mut is_new = |square| belongs(square) && !std::mem::replace(&mut seen[usize::from(square)], true);
        let mut all = Vec::new();
        for start in self.squares() {
            if is_new(start) {
                let mut component = vec![start];
                self.flood(&mut component, |_, square| is_new(square));
                all.push(component);
            }
        }
        all
    }

    /// Whether the neighbour of a square in a direction is a wall.
    #[inline]
    pub fn wall(&self, square: Square, direction: Direction) -> bool {
        self.neighbour(square, direction) == NO_SQUARE
    }

    /// The goals, ascending.
    pub fn goals(&self) -> &[Square] {
        &self.goals
    }

    #[inline]
    pub fn is_goal(&self, square: Square) -> bool {
        self.goal_set.contains(square)
    }

    pub fn goal_set(&self) -> &Bits {
        &self.goal_set
    }

    /// The squares of the boxes in the start position, ascending.
    pub fn start_boxes(&self) -> &[Square] {
        &self.start_boxes
    }

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

    /// The map the board was compiled from.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The map of a position.
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

/// The place one step away, if it is inside the rectangle.
fn step(map: &Map, row: usize, column: usize, direction: Direction) -> Option<(usize, usize)> {
    let (down, right) = direction.delta();
    let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
    (row < map.height() && column < map.width()).then_some((row, column))
}
