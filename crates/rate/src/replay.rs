//! A solution push by push: which box, from where, in which direction.

use lurd::{Bits, Board, Direction, NO_SQUARE, Square, State};

/// One push of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayedPush {
    /// The box, by its place among the start squares.
    pub mover: usize,
    /// Where it stood.
    pub from: Square,
    /// Where it stands after the push.
    pub to: Square,
    /// The direction of the push.
    pub direction: Direction,
    /// Whether the player took a step since the push before; true for the first push.
    pub after_walk: bool,
}

/// Why moves cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {0} of the solution cannot be made")]
pub struct ReplayError(pub usize);

/// The pushes of a solution, and its moves.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The pushes in order.
    pub pushes: Vec<ReplayedPush>,
    /// The directions of all moves, pushes included.
    pub moves: Vec<Direction>,
    /// Where each box stands at the end, in the order of the start squares.
    pub ends: Vec<Square>,
}

impl Replay {
    /// Replays moves in LURD from the start of a board. Letter case does not matter.
    ///
    /// # Errors
    /// The first move that walks or pushes into something.
    pub fn new(board: &Board, lurd: &str) -> Result<Self, ReplayError> {
        let mut ends = board.start_boxes().to_vec();
        let mut player = board.start_player();
        let (mut pushes, mut moves) = (Vec::new(), Vec::new());
        let mut after_walk = true;
        for (index, letter) in lurd.chars().enumerate() {
            let broken = ReplayError(index + 1);
            let direction = Direction::from_letter(letter).ok_or(broken)?;
            let next = board.neighbour(player, direction);
            if next == NO_SQUARE {
                return Err(broken);
            }
            match ends.iter().position(|&square| square == next) {
                None => after_walk = true,
                Some(mover) => {
                    let to = board.neighbour(next, direction);
                    if to == NO_SQUARE || ends.contains(&to) {
                        return Err(broken);
                    }
                    ends[mover] = to;
                    pushes.push(ReplayedPush { mover, from: next, to, direction, after_walk });
                    after_walk = false;
                }
            }
            player = next;
            moves.push(direction);
        }
        Ok(Self { pushes, moves, ends })
    }

    /// The position before each push: the boxes, and the player on the square he pushes from.
    pub fn positions<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = (State, &'a ReplayedPush)> + 'a {
        let mut boxes = Bits::of(board.len(), board.start_boxes().iter().copied());
        self.pushes.iter().map(move |push| {
            let player = board.neighbour(push.from, push.direction.opposite());
            let state = State { boxes: boxes.clone(), player };
            boxes.shift(push.from, push.to);
            (state, push)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::Level;

    #[test]
    fn pushes_know_their_box_and_the_walks_between_them() {
        let board = Board::new(&Level::parse("########\n#@$  . #\n#   $. #\n########").unwrap().map).unwrap();
        let blocked = Replay::new(&board, "RRRd").err();
        assert_eq!(blocked, Some(ReplayError(4)), "the second box stands before the wall");
        let replay = Replay::new(&board, "RRRlldrR").unwrap();
        let movers: Vec<_> = replay.pushes.iter().map(|push| (push.mover, push.after_walk)).collect();
        assert_eq!(movers, [(0, true), (0, false), (0, false), (1, true)]);
        let players: Vec<_> = replay.positions(&board).map(|(state, _)| state.player).collect();
        assert_eq!(players[0], board.start_player());
        assert_eq!(players.len(), 4);
        assert!(replay.ends.iter().all(|&square| board.is_goal(square)));
    }

    #[test]
    fn moves_into_walls_and_unknown_letters_are_named() {
        let board = Board::new(&Level::parse("#####\n#@$.#\n#####").unwrap().map).unwrap();
        assert_eq!(Replay::new(&board, "u").err(), Some(ReplayError(1)));
        assert_eq!(Replay::new(&board, "RR").err(), Some(ReplayError(2)));
        assert_eq!(Replay::new(&board, "x").err(), Some(ReplayError(1)));
    }
}
