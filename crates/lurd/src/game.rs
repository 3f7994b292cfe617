//! A game in play: the board, the moves so far, and the way back.

use sokoban::{Cell, Map};

/// A direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `l`
    Left,
    /// `u`
    Up,
    /// `r`
    Right,
    /// `d`
    Down,
}

impl Direction {
    /// The direction a LURD letter means, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            'l' => Some(Self::Left),
            'u' => Some(Self::Up),
            'r' => Some(Self::Right),
            'd' => Some(Self::Down),
            _ => None,
        }
    }

    /// The square next to another in this direction. Past the upper and left edges the numbers
    /// wrap to ones no map has, which is as much outside as anything.
    fn from(self, (row, column): (usize, usize)) -> (usize, usize) {
        match self {
            Self::Left => (row, column.wrapping_sub(1)),
            Self::Up => (row.wrapping_sub(1), column),
            Self::Right => (row, column.wrapping_add(1)),
            Self::Down => (row.wrapping_add(1), column),
        }
    }

    fn back(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Up => Self::Down,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
        }
    }
}

/// A game in play.
#[derive(Clone, Debug)]
pub struct Game {
    start: Map,
    map: Map,
    player: (usize, usize),
    history: Vec<(Direction, bool)>,
    pushes: usize,
}

impl Game {
    /// A game at its beginning; `None` if the map has no player.
    pub fn new(map: Map) -> Option<Self> {
        let (row, column, _) = map.cells().find(|(_, _, cell)| cell.has_player())?;
        Some(Self { start: map.clone(), map, player: (row, column), history: Vec::new(), pushes: 0 })
    }

    /// Makes a step, pushing the box that stands there; says whether the rules allow it.
    pub fn step(&mut self, direction: Direction) -> bool {
        let to = direction.from(self.player);
        if !self.inside(to) || self.at(to) == Cell::Wall {
            return false;
        }
        let pushing = self.at(to).has_box();
        if pushing {
            let beyond = direction.from(to);
            if !self.inside(beyond) || self.at(beyond) == Cell::Wall || self.at(beyond).has_box() {
                return false;
            }
            self.put(to, Piece::None);
            self.put(beyond, Piece::Box);
            self.pushes += 1;
        }
        self.walk(to);
        self.history.push((direction, pushing));
        true
    }

    /// Takes the last step back; says whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some((direction, pushed)) = self.history.pop() else { return false };
        let stood = self.player;
        self.walk(direction.back().from(stood));
        if pushed {
            self.put(direction.from(stood), Piece::None);
            self.put(stood, Piece::Box);
            self.pushes -= 1;
        }
        true
    }

    /// Back to the beginning.
    pub fn restart(&mut self) {
        if let Some(game) = Self::new(self.start.clone()) {
            *self = game;
        }
    }

    /// Whether every box stands on a goal.
    pub fn is_solved(&self) -> bool {
        self.map.cells().all(|(_, _, cell)| cell != Cell::Box)
    }

    /// The board now.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Steps made, pushes included.
    pub fn moves(&self) -> usize {
        self.history.len()
    }

    /// Pushes made.
    pub fn pushes(&self) -> usize {
        self.pushes
    }

    fn inside(&self, (row, column): (usize, usize)) -> bool {
        row < self.map.height() && column < self.map.width()
    }

    fn at(&self, (row, column): (usize, usize)) -> Cell {
        self.map.get(row, column)
    }

    fn walk(&mut self, to: (usize, usize)) {
        self.put(self.player, Piece::None);
        self.put(to, Piece::Player);
        self.player = to;
    }

    fn put(&mut self, square: (usize, usize), piece: Piece) {
        let cell = match (piece, self.at(square).is_goal()) {
            (Piece::None, false) => Cell::Floor,
            (Piece::None, true) => Cell::Goal,
            (Piece::Box, false) => Cell::Box,
            (Piece::Box, true) => Cell::BoxOnGoal,
            (Piece::Player, false) => Cell::Player,
            (Piece::Player, true) => Cell::PlayerOnGoal,
        };
        self.map.set(square.0, square.1, cell);
    }
}

/// What stands on a square.
#[derive(Clone, Copy)]
enum Piece {
    None,
    Box,
    Player,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Game {
        Game::new(Map::from_xsb(text).unwrap()).unwrap()
    }

    fn play(game: &mut Game, moves: &str) -> Vec<bool> {
        moves.chars().map(|letter| game.step(Direction::from_letter(letter).unwrap())).collect()
    }

    #[test]
    fn boxes_are_pushed_not_pulled_and_not_in_pairs() {
        let mut game = game("########\n#@$ $. #\n########");
        assert_eq!(play(&mut game, "rrl"), [true, false, true]);
        assert_eq!(game.map().rows().nth(1).unwrap(), "#@ $$. #");
        assert_eq!((game.moves(), game.pushes()), (2, 1));
    }

    #[test]
    fn undo_leads_back_through_every_board() {
        let mut game = game("#######\n#+$ $.#\n#     #\n#######");
        let start = game.map().clone();
        let mut boards = Vec::new();
        for letter in "rdrurdlulldrruu".chars() {
            boards.push(game.map().clone());
            if !game.step(Direction::from_letter(letter).unwrap()) {
                boards.pop();
            }
        }
        assert!(game.pushes() > 0);
        while let Some(board) = boards.pop() {
            assert!(game.undo());
            assert_eq!(game.map(), &board);
        }
        assert!(!game.undo());
        assert_eq!((game.map(), game.pushes()), (&start, 0));
    }

    #[test]
    fn the_edge_of_an_open_map_is_the_end_of_the_world() {
        let mut game = game("@$.");
        assert_eq!(play(&mut game, "lurr"), [false, false, true, false]);
        assert!(game.is_solved());
        game.restart();
        assert!(!game.is_solved());
        assert_eq!(game.moves(), 0);
    }
}
