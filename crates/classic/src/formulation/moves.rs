//! The move formulation: an action is a step of the player, which may push a box; its cost is 1.

use crate::formulation::{Formulation, packed, push_once, reasons};
use lurd_level::Direction;
use lurd_rules::deadlock::{DetectorName, Detectors};
use lurd_rules::distance::Distances;
use lurd_rules::state::Packing;
use lurd_rules::{Bits, Board, NO_SQUARE, Square, State};
use lurd_search::{Reason, StateSpace, Successors};

/// A step of the player from a square, pushing a box or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: Square,
    pub direction: Direction,
    pub push: bool,
}

impl Move {
    /// Makes the step on boxes and player.
    pub fn make(self, board: &Board, boxes: &mut Bits, player: &mut Square) {
        let to = board.neighbour(self.from, self.direction);
        if self.push {
            push_once(board, boxes, to, self.direction);
        }
        *player = to;
    }
}

/// The move formulation.
pub struct MoveSpace<'b> {
    board: &'b Board,
    detectors: Detectors<'b>,
    boxes: Bits,
    packing: Packing,
    reasons: Vec<&'static str>,
}

impl<'b> MoveSpace<'b> {
    pub fn new(board: &'b Board, distances: &'b Distances, detectors: &[DetectorName]) -> Self {
        Self {
            board,
            detectors: Detectors::new(board, distances, detectors),
            boxes: Bits::empty(board.len()),
            packing: Packing::new(board),
            reasons: reasons(),
        }
    }
}

impl StateSpace for MoveSpace<'_> {
    type State = State;
    type Action = Move;

    fn starts(&self) -> Vec<State> {
        vec![State::start(self.board)]
    }

    fn is_goal(&self, state: &State) -> bool {
        state.boxes.is_subset(self.board.goal_set())
    }

    fn successors(&mut self, state: &State, out: &mut Successors<Move>) {
        self.boxes.clone_from(&state.boxes);
        for direction in Direction::ALL {
            let to = self.board.neighbour(state.player, direction);
            if to == NO_SQUARE {
                continue;
            }
            let push = state.boxes.contains(to);
            let step = Move { from: state.player, direction, push };
            if !push {
                out.push(step, 1);
                continue;
            }
            let beyond = self.board.neighbour(to, direction);
            if beyond == NO_SQUARE || state.boxes.contains(beyond) {
                continue;
            }
            self.boxes.shift(to, beyond);
            match self.detectors.verdict(&self.boxes, beyond, to) {
                Some(name) => out.cut(step, name as Reason),
                None => out.push(step, 1),
            }
            self.boxes.shift(beyond, to);
        }
    }

    fn apply(&mut self, state: &mut State, step: Move) {
        step.make(self.board, &mut state.boxes, &mut state.player);
    }

    packed!();

    fn continues(&self, previous: Move, step: Move) -> bool {
        previous.push && step.push && previous.direction == step.direction
    }
}

impl Formulation for MoveSpace<'_> {
    fn board(&self) -> &Board {
        self.board
    }

    fn shifted(&self, step: Move) -> Option<(Square, Square)> {
        let at = self.board.neighbour(step.from, step.direction);
        step.push.then(|| (at, self.board.neighbour(at, step.direction)))
    }

    fn write(&mut self, boxes: &mut Bits, player: &mut Square, step: Move, out: &mut String) {
        step.make(self.board, boxes, player);
        out.push(step.direction.letter(step.push));
    }
}
