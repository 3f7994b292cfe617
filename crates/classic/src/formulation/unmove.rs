//! The move formulation backwards: the player steps back and may pull the box in front of him. An action is named by the
//! step it reverses.

use crate::formulation::{Formulation, Move, packed, reasons};
use lurd_level::Direction;
use lurd_rules::deadlock::DetectorName;
use lurd_rules::distance::{Distances, FAR};
use lurd_rules::state::Packing;
use lurd_rules::{Bits, Board, NO_SQUARE, Square, State};
use lurd_search::{Reason, StateSpace, Successors};

/// The move formulation, backwards.
pub struct UnmoveSpace<'b> {
    board: &'b Board,
    dead: Option<&'b Distances>,
    goal: State,
    packing: Packing,
    reasons: Vec<&'static str>,
}

impl<'b> UnmoveSpace<'b> {
    /// `from_starts` are distances from the start squares.
    pub fn new(board: &'b Board, from_starts: &'b Distances, detectors: &[DetectorName]) -> Self {
        Self {
            board,
            dead: detectors.contains(&DetectorName::DeadSquare).then_some(from_starts),
            goal: State::start(board),
            packing: Packing::new(board),
            reasons: reasons(),
        }
    }
}

impl StateSpace for UnmoveSpace<'_> {
    type State = State;
    type Action = Move;

    fn starts(&self) -> Vec<State> {
        let boxes = self.board.goal_set();
        let free = self.board.squares().filter(|&square| !boxes.contains(square));
        free.map(|player| State { boxes: boxes.clone(), player }).collect()
    }

    fn is_goal(&self, state: &State) -> bool {
        *state == self.goal
    }

    fn successors(&mut self, state: &State, out: &mut Successors<Move>) {
        for direction in Direction::ALL {
            // The step went from `from` to where the player is now.
            let from = self.board.neighbour(state.player, direction.opposite());
            if from == NO_SQUARE || state.boxes.contains(from) {
                continue;
            }
            out.push(Move { from, direction, push: false }, 1);
            let pulled = self.board.neighbour(state.player, direction);
            if pulled == NO_SQUARE || !state.boxes.contains(pulled) {
                continue;
            }
            let step = Move { from, direction, push: true };
            match self.dead {
                Some(distances) if distances.nearest(state.player, from) == FAR => {
                    out.cut(step, DetectorName::DeadSquare as Reason);
                }
                _ => out.push(step, 1),
            }
        }
    }

    fn apply(&mut self, state: &mut State, step: Move) {
        if step.push {
            let pulled = self.board.neighbour(state.player, step.direction);
            state.boxes.shift(pulled, state.player);
        }
        state.player = step.from;
    }

    packed!();

    fn continues(&self, previous: Move, step: Move) -> bool {
        previous.push && step.push && previous.direction == step.direction
    }
}

impl Formulation for UnmoveSpace<'_> {
    fn board(&self) -> &Board {
        self.board
    }

    fn shifted(&self, step: Move) -> Option<(Square, Square)> {
        let at = self.board.neighbour(step.from, step.direction);
        step.push.then(|| (self.board.neighbour(at, step.direction), at))
    }

    fn write(&mut self, boxes: &mut Bits, player: &mut Square, step: Move, out: &mut String) {
        step.make(self.board, boxes, player);
        out.push(step.direction.letter(step.push));
    }
}
