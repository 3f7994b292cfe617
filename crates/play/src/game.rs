//! A game of Sokoban in progress: every move made, and every move taken back.
//!
//! Nothing here knows a terminal. Undo and redo have no limit, and a restart is an
//! undo of everything, so that it too can be taken back.

use crate::path::{self, NoPush};
use lurd::{Bits, Board, Deadlock, Direction, NO_SQUARE, Square, State};
use std::sync::Arc;

/// A move that was made.
#[derive(Clone, Debug)]
struct Move {
    direction: Direction,
    push: bool,
    /// Names the move for [`Game::blame`], whatever is undone and redone meanwhile.
    serial: u64,
    /// Set once it is known that this push lost the level.
    deadlock: Option<Arc<Deadlock>>,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stepped {
    /// Where the pushed box came to stand, if one was pushed.
    pub(crate) pushed: Option<Square>,
    /// The name of the move, for [`Game::blame`].
    pub(crate) serial: u64,
}

/// A game of Sokoban in progress.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    board: Arc<Board>,
    state: State,
    done: Vec<Move>,
    undone: Vec<Move>,
    pushes: usize,
    next_serial: u64,
    lost_at_start: Option<Arc<Deadlock>>,
}

impl Game {
    /// The serial that stands for the start of the level in [`blame`](Self::blame).
    pub(crate) const START: u64 = 0;

    pub(crate) fn new(board: Arc<Board>) -> Self {
        let state = State::start(&board);
        Self { board, state, done: Vec::new(), undone: Vec::new(), pushes: 0, next_serial: 1, lost_at_start: None }
    }

    pub(crate) fn board(&self) -> &Arc<Board> {
        &self.board
    }

    pub(crate) fn boxes(&self) -> &Bits {
        &self.state.boxes
    }

    pub(crate) fn player(&self) -> Square {
        self.state.player
    }

    /// Moves made, pushes included.
    pub(crate) fn moves(&self) -> usize {
        self.done.len()
    }

    pub(crate) fn pushes(&self) -> usize {
        self.pushes
    }

    /// Boxes that stand on goals.
    pub(crate) fn boxes_home(&self) -> usize {
        self.board.goals().iter().filter(|&&goal| self.state.boxes.contains(goal)).count()
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.state.boxes.is_subset(self.board.goal_set())
    }

    /// The moves so far, in LURD.
    pub(crate) fn lurd(&self) -> String {
        self.done.iter().map(|m| m.direction.letter(m.push)).collect()
    }

    /// Takes one step, pushing a box if one stands in the way; `None` if a wall or a second
    /// box does. Taking the very step that could be redone keeps what follows it redoable.
    pub(crate) fn step(&mut self, direction: Direction) -> Option<Stepped> {
        let pushed = self.advance(direction)?;
        let again = self.undone.pop().filter(|next| next.direction == direction);
        let entry = match again {
            Some(same) => same,
            None => {
                self.undone.clear();
                let serial = self.next_serial;
                self.next_serial += 1;
                Move { direction, push: pushed.is_some(), serial, deadlock: None }
            }
        };
        let serial = entry.serial;
        self.done.push(entry);
        Some(Stepped { pushed, serial })
    }

    /// Plays LURD letters (case does not matter) up to the first that is not possible and
    /// returns how many were.
    pub(crate) fn play(&mut self, lurd: &str) -> usize {
        let directions = lurd.chars().map_while(Direction::from_letter);
        directions.map_while(|direction| self.step(direction)).count()
    }

    pub(crate) fn undo(&mut self) -> bool {
        let Some(last) = self.done.pop() else { return false };
        let player = self.state.player;
        if last.push {
            let boxed = self.board.neighbour(player, last.direction);
            self.state.boxes.shift(boxed, player);
            self.pushes -= 1;
        }
        self.state.player = self.board.neighbour(player, last.direction.opposite());
        self.undone.push(last);
        true
    }

    /// Makes a move again that was taken back.
    pub(crate) fn redo(&mut self) -> bool {
        let Some(next) = self.undone.pop() else { return false };
        // It was possible from here before, so it is now.
        let made = self.advance(next.direction).is_some();
        self.done.push(next);
        made
    }

    /// Takes back everything since before the last push.
    pub(crate) fn undo_push(&mut self) -> bool {
        self.until_push(Self::undo)
    }

    /// Redoes up to and including the next push.
    pub(crate) fn redo_push(&mut self) -> bool {
        self.until_push(Self::redo)
    }

    fn until_push(&mut self, once: fn(&mut Self) -> bool) -> bool {
        let pushes = self.pushes;
        while once(self) {
            if self.pushes != pushes {
                return true;
            }
        }
        false
    }

    /// Undoes or redoes until so many moves have been made, or as near as there are.
    pub(crate) fn seek(&mut self, moves: usize) {
        while self.done.len() > moves && self.undo() {}
        while self.done.len() < moves && self.redo() {}
    }

    /// The steps of a shortest walk to a square, if the boxes leave one.
    pub(crate) fn walk_to(&self, target: Square) -> Option<Vec<Direction>> {
        path::walk(&self.board, &self.state.boxes, self.state.player, target)
    }

    /// The steps that bring one box to a square with the fewest pushes, the other boxes left alone.
    pub(crate) fn push_to(&self, from: Square, target: Square) -> Result<Vec<Direction>, NoPush> {
        path::push(&self.board, &self.state, from, target)
    }

    /// Notes that a push (or the start) lost the level. A move that has since been replaced by
    /// another is forgotten, and the blame with it.
    pub(crate) fn blame(&mut self, serial: u64, deadlock: Deadlock) {
        let deadlock = Arc::new(deadlock);
        if serial == Self::START {
            self.lost_at_start = Some(deadlock);
            return;
        }
        let blamed = self.done.iter_mut().chain(&mut self.undone).find(|m| m.serial == serial);
        if let Some(blamed) = blamed {
            blamed.deadlock = Some(deadlock);
        }
    }

    /// Why the level is lost, if it is known to be: the first push that lost it, and how many
    /// moves had been made with it.
    pub(crate) fn deadlock(&self) -> Option<(usize, &Deadlock)> {
        let at_start = self.lost_at_start.as_deref().map(|deadlock| (0, deadlock));
        let later = || self.done.iter().enumerate().find_map(|(i, m)| Some((i + 1, m.deadlock.as_deref()?)));
        at_start.or_else(later)
    }

    /// Moves the player and the box before him, without writing it down.
    fn advance(&mut self, direction: Direction) -> Option<Option<Square>> {
        let ahead = self.board.neighbour(self.state.player, direction);
        if ahead == NO_SQUARE {
            return None;
        }
        let mut pushed = None;
        if self.state.boxes.contains(ahead) {
            let beyond = self.board.neighbour(ahead, direction);
            if beyond == NO_SQUARE || self.state.boxes.contains(beyond) {
                return None;
            }
            self.state.boxes.shift(ahead, beyond);
            self.pushes += 1;
            pushed = Some(beyond);
        }
        self.state.player = ahead;
        Some(pushed)
    }
}

/// A game on a drawn level; for tests.
#[cfg(test)]
pub(crate) fn drawn(level: &str) -> Game {
    Game::new(Arc::new(Board::new(&lurd::Map::from_xsb(level).unwrap()).unwrap()))
}

#[cfg(test)]
mod tests {
    use super::drawn as game;
    use super::*;
    use lurd::DetectorName;

    const ROOM: &str = "#######\n#  .  #\n# $ $ #\n#  @ .#\n#######";

    #[test]
    fn counts_moves_and_pushes_and_refuses_what_the_rules_refuse() {
        let mut game = game("#####\n#@$.#\n#####");
        assert!(game.step(Direction::Left).is_none() && game.step(Direction::Up).is_none());
        let stepped = game.step(Direction::Right).unwrap();
        assert!(stepped.pushed.is_some());
        assert_eq!((game.moves(), game.pushes(), game.lurd().as_str()), (1, 1, "R"));
        assert!(game.is_solved());
        assert!(game.step(Direction::Right).is_none(), "the box stands at the wall");
    }

    #[test]
    fn two_boxes_cannot_be_pushed() {
        let mut game = game("######\n#@$$.#\n#   .#\n######");
        assert!(game.step(Direction::Right).is_none());
        assert_eq!(game.moves(), 0);
    }

    #[test]
    fn everything_can_be_undone_and_redone() {
        let mut game = game(ROOM);
        let start = (game.boxes().clone(), game.player());
        assert_eq!(game.play("uulldRdrUrr"), 10, "the last push meets a wall");
        let end = (game.boxes().clone(), game.player(), game.lurd(), game.pushes());
        let moves = game.moves();
        while game.undo() {}
        assert_eq!((game.boxes().clone(), game.player()), start);
        assert_eq!((game.pushes(), game.undone.len()), (0, moves));
        while game.redo() {}
        assert_eq!((game.boxes().clone(), game.player(), game.lurd(), game.pushes()), end);
        game.seek(3);
        assert_eq!(game.moves(), 3);
        game.seek(1_000);
        assert_eq!(game.moves(), moves);
    }

    #[test]
    fn the_same_step_keeps_the_future_and_another_replaces_it() {
        let mut game = game(ROOM);
        game.play("lur");
        game.seek(0);
        game.step(Direction::Left);
        assert_eq!(game.undone.len(), 2);
        game.step(Direction::Left);
        assert_eq!(game.undone.len(), 0);
        assert_eq!(game.lurd(), "ll");
    }

    #[test]
    fn push_wise_undo_goes_from_push_to_push() {
        let mut game = game("########\n#@ $  .#\n########");
        game.play("rRR");
        assert!(game.undo_push());
        assert_eq!(game.lurd(), "rR");
        assert!(game.undo_push());
        assert_eq!(game.lurd(), "r");
        assert!(!game.undo_push());
        assert_eq!(game.moves(), 0);
        assert!(game.redo_push());
        assert_eq!(game.lurd(), "rR");
    }

    #[test]
    fn a_deadlock_is_known_until_the_push_is_undone() {
        let mut game = game("######\n#@$ .#\n#    #\n######");
        let lost = Deadlock { rule: DetectorName::Corner, boxes: vec![1] };
        let serial = game.step(Direction::Right).unwrap().serial;
        game.step(Direction::Left);
        game.blame(serial, lost.clone());
        assert_eq!(game.deadlock(), Some((1, &lost)));
        game.undo();
        game.undo();
        assert_eq!(game.deadlock(), None);
        game.redo();
        assert_eq!(game.deadlock(), Some((1, &lost)));
        game.seek(0);
        game.step(Direction::Down);
        game.blame(serial, lost);
        assert_eq!(game.deadlock(), None, "the push was replaced");
    }
}
