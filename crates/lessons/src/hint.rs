//! Hints by degree: a player who only wants to know where to look is told no more.

use lurd::{Board, Direction, Square, State};

/// How much a hint gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// The part of the board.
    Where,
    /// The box.
    Box,
    /// The push.
    Push,
}

impl Degree {
    /// The next degree; the last stays.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Where => Self::Box,
            Self::Box | Self::Push => Self::Push,
        }
    }
}

/// The next push of a solution, told by degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The box to push.
    pub boxed: Square,
    /// The direction of the push.
    pub direction: Direction,
}

impl Hint {
    /// The first push of moves from a position. `None` where they push nothing, or break the rules before they do.
    pub fn of_moves(board: &Board, start: &State, moves: &str) -> Option<Self> {
        let mut state = start.clone();
        for letter in moves.chars() {
            if let Some(push) = state.step(board, Direction::from_letter(letter)?)? {
                return Some(Self { boxed: push.from, direction: push.direction });
            }
        }
        None
    }

    /// The squares of the part of the board that [`words`](Self::words) names at the first degree.
    pub fn region(&self, board: &Board) -> Vec<Square> {
        let wanted = part(board, self.boxed);
        board.squares().filter(|&square| part(board, square) == wanted).collect()
    }

    /// The hint in words. What the degree does not give away is not in them.
    pub fn words(&self, board: &Board, degree: Degree) -> String {
        match degree {
            Degree::Where => format!("Look at the {} of the board.", part(board, self.boxed)),
            Degree::Box => "The marked box is the one to push.".to_owned(),
            Degree::Push => format!("Push the marked box {}.", way(self.direction)),
        }
    }
}

fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::Left => "left",
        Direction::Right => "right",
        Direction::Up => "up",
        Direction::Down => "down",
    }
}

/// The ninth of the floor's rectangle a square is in.
fn part(board: &Board, square: Square) -> &'static str {
    const PARTS: [[&str; 3]; 3] = [
        ["upper left", "upper middle", "upper right"],
        ["left side", "middle", "right side"],
        ["lower left", "lower middle", "lower right"],
    ];
    let places = || board.squares().map(|square| board.place(square));
    let third = |at: usize, of: fn((usize, usize)) -> usize| {
        let low = places().map(of).min().unwrap_or(0);
        let high = places().map(of).max().unwrap_or(0);
        (at - low) * 3 / (high - low + 1)
    };
    let (row, column) = board.place(square);
    PARTS[third(row, |place| place.0)][third(column, |place| place.1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::Level;

    #[test]
    fn each_degree_gives_away_a_little_more() {
        let board = Board::new(&Level::parse("########\n#@$   .#\n#      #\n#      #\n########").unwrap().map).unwrap();
        let hint = Hint { boxed: board.start_boxes()[0], direction: Direction::Right };
        let words: Vec<String> =
            [Degree::Where, Degree::Box, Degree::Push].iter().map(|&degree| hint.words(&board, degree)).collect();
        assert_eq!(words[0], "Look at the upper left of the board.");
        assert!(!words[1].contains("right") && words[2].contains("right"), "{words:?}");
        assert_eq!(Degree::Where.next().next().next(), Degree::Push);
        let region = hint.region(&board);
        assert_eq!(region.len(), 2, "a third of six columns, and of three rows: {region:?}");
        assert!(region.contains(&hint.boxed));
    }

    #[test]
    fn the_next_push_is_found_behind_a_walk() {
        let board = Board::new(&Level::parse("########\n#@     #\n# $  . #\n#      #\n########").unwrap().map).unwrap();
        let hint = |moves| Hint::of_moves(&board, &State::start(&board), moves);
        assert_eq!(hint("dRR"), Some(Hint { boxed: board.start_boxes()[0], direction: Direction::Right }));
        assert_eq!((hint("rr"), hint("uuu"), hint("x")), (None, None, None));
    }
}
