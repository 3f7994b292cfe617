//! The walk formulation: an action is a walk to a box and one push of it; its cost is the number of steps.
//!
//! It has the costs of the move formulation, but only states after a push, so there are far fewer. It is complete and
//! optimal: every solution is a sequence of walks and pushes, and in a shortest one all walks are shortest.

use crate::formulation::{Formulation, Push, packed, reasons};
use lurd_level::Direction;
use lurd_rules::deadlock::{DetectorName, Detectors};
use lurd_rules::distance::Distances;
use lurd_rules::state::Packing;
use lurd_rules::{Bits, Board, NO_SQUARE, Square, State, Walker};
use lurd_search::{Reason, StateSpace, Successors};

/// The walk formulation.
pub struct WalkSpace<'b> {
    board: &'b Board,
    detectors: Detectors<'b>,
    walker: Walker,
    boxes: Bits,
    packing: Packing,
    reasons: Vec<&'static str>,
}

impl<'b> WalkSpace<'b> {
    pub fn new(board: &'b Board, distances: &'b Distances, detectors: &[DetectorName]) -> Self {
        Self {
            board,
            detectors: Detectors::new(board, distances, detectors),
            walker: Walker::new(board),
            boxes: Bits::empty(board.len()),
            packing: Packing::new(board),
            reasons: reasons(),
        }
    }
}

impl StateSpace for WalkSpace<'_> {
    type State = State;
    type Action = Push;

    fn starts(&self) -> Vec<State> {
        vec![State::start(self.board)]
    }

    fn is_goal(&self, state: &State) -> bool {
        state.boxes.is_subset(self.board.goal_set())
    }

    fn successors(&mut self, state: &State, out: &mut Successors<Push>) {
        self.boxes.clone_from(&state.boxes);
        self.walker.measure(self.board, &state.boxes, state.player);
        for from in state.boxes.iter() {
            for direction in Direction::ALL {
                let player = self.board.neighbour(from, direction.opposite());
                let to = self.board.neighbour(from, direction);
                if player == NO_SQUARE || to == NO_SQUARE || !self.walker.reached(player) || state.boxes.contains(to) {
                    continue;
                }
                let push = Push { from, to, direction };
                self.boxes.shift(from, to);
                match self.detectors.verdict(&self.boxes, to, from) {
                    Some(name) => out.cut(push, name as Reason),
                    None => out.push(push, u32::from(self.walker.steps(player)) + 1),
                }
                self.boxes.shift(to, from);
            }
        }
    }

    fn apply(&mut self, state: &mut State, push: Push) {
        state.boxes.shift(push.from, push.to);
        state.player = push.from;
    }

    packed!();

    fn continues(&self, previous: Push, push: Push) -> bool {
        previous.to == push.from
    }
}

impl Formulation for WalkSpace<'_> {
    fn board(&self) -> &Board {
        self.board
    }

    fn shifted(&self, push: Push) -> Option<(Square, Square)> {
        Some((push.from, push.to))
    }

    fn write(&mut self, boxes: &mut Bits, player: &mut Square, push: Push, out: &mut String) {
        push.write(self.board, &mut self.walker, boxes, player, out);
    }
}
