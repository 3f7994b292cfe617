//! The push formulation: an action is a push with cost 1; positions that differ only by a walk are one state.

use crate::formulation::{Formulation, packed, push_once, reasons};
use lurd_level::Direction;
use lurd_rules::deadlock::corral::{Advice, Corrals};
use lurd_rules::deadlock::{DetectorName, Detectors, tunnel};
use lurd_rules::distance::Distances;
use lurd_rules::state::Packing;
use lurd_rules::{Bits, Board, NO_SQUARE, Square, State, Walker};
use lurd_search::{Reason, StateSpace, Successors};

/// A box pushed from one square to another in a straight line (by more than one square in a tunnel).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    pub from: Square,
    pub to: Square,
    pub direction: Direction,
}

impl Push {
    /// Appends the walk to the box and the push as LURD, and makes both.
    pub fn write(self, board: &Board, walker: &mut Walker, boxes: &mut Bits, player: &mut Square, out: &mut String) {
        let behind = board.neighbour(self.from, self.direction.opposite());
        let walked = walker.walk(board, boxes, *player, behind, out);
        debug_assert!(walked, "the search only makes pushes the player can reach");
        let mut at = self.from;
        while at != self.to {
            *player = at;
            at = push_once(board, boxes, at, self.direction);
            out.push(self.direction.letter(true));
        }
    }
}

/// The push formulation.
pub struct PushSpace<'b> {
    board: &'b Board,
    distances: &'b Distances,
    detectors: Detectors<'b>,
    corrals: Option<Corrals>,
    tunnels: bool,
    walker: Walker,
    boxes: Bits,
    packing: Packing,
    reasons: Vec<&'static str>,
}

impl<'b> PushSpace<'b> {
    pub fn new(board: &'b Board, distances: &'b Distances, detectors: &[DetectorName]) -> Self {
        Self {
            board,
            distances,
            detectors: Detectors::new(board, distances, detectors),
            corrals: detectors.contains(&DetectorName::Corral).then(|| Corrals::new(board)),
            tunnels: detectors.contains(&DetectorName::Tunnel),
            walker: Walker::new(board),
            boxes: Bits::empty(board.len()),
            packing: Packing::new(board),
            reasons: reasons(),
        }
    }

    /// Adds a push, or records why it is pruned.
    fn consider(&mut self, from: Square, direction: Direction, out: &mut Successors<Push>) {
        let mut push = Push { from, to: self.board.neighbour(from, direction), direction };
        let mut cost = 1;
        if self.tunnels {
            let Some(length) = tunnel::length(self.board, &self.boxes, from, direction) else {
                out.cut(push, DetectorName::Tunnel as Reason);
                return;
            };
            for _ in 1..length {
                push.to = self.board.neighbour(push.to, direction);
            }
            cost = length.into();
        }
        self.boxes.shift(from, push.to);
        let player = self.board.neighbour(push.to, direction.opposite());
        match self.detectors.verdict(&self.boxes, push.to, player) {
            Some(name) => out.cut(push, name as Reason),
            None => out.push(push, cost),
        }
        self.boxes.shift(push.to, from);
    }
}

impl StateSpace for PushSpace<'_> {
    type State = State;
    type Action = Push;

    fn starts(&self) -> Vec<State> {
        let mut state = State::start(self.board);
        state.player = self.walker.clone().fill(self.board, &state.boxes, state.player);
        vec![state]
    }

    fn is_goal(&self, state: &State) -> bool {
        state.boxes.is_subset(self.board.goal_set())
    }

    fn successors(&mut self, state: &State, out: &mut Successors<Push>) {
        self.boxes.clone_from(&state.boxes);
        self.walker.fill(self.board, &state.boxes, state.player);
        if let Some(mut corrals) = self.corrals.take() {
            let advice = corrals.advise(self.board, self.distances, &state.boxes, &self.walker);
            if let Advice::Only(pushes) = advice {
                for &(from, direction) in pushes {
                    self.consider(from, direction, out);
                }
                self.record_pruned(state, pushes, out);
                self.corrals = Some(corrals);
                return;
            }
            self.corrals = Some(corrals);
        }
        for from in state.boxes.iter() {
            for direction in Direction::ALL {
                if self.possible(state, from, direction) {
                    self.consider(from, direction, out);
                }
            }
        }
    }

    fn apply(&mut self, state: &mut State, push: Push) {
        state.boxes.shift(push.from, push.to);
        let player = self.board.neighbour(push.to, push.direction.opposite());
        state.player = self.walker.fill(self.board, &state.boxes, player);
    }

    packed!();

    fn continues(&self, previous: Push, push: Push) -> bool {
        previous.to == push.from
    }
}

impl PushSpace<'_> {
    /// Whether the player, whose zone is filled, can make a push.
    fn possible(&self, state: &State, from: Square, direction: Direction) -> bool {
        let player = self.board.neighbour(from, direction.opposite());
        let to = self.board.neighbour(from, direction);
        player != NO_SQUARE && to != NO_SQUARE && self.walker.reached(player) && !state.boxes.contains(to)
    }

    /// Records the pushes that a PI-corral prunes.
    fn record_pruned(&mut self, state: &State, pushes: &[(Square, Direction)], out: &mut Successors<Push>) {
        for from in state.boxes.iter() {
            for direction in Direction::ALL {
                if self.possible(state, from, direction) && !pushes.contains(&(from, direction)) {
                    let to = self.board.neighbour(from, direction);
                    out.cut(Push { from, to, direction }, DetectorName::Corral as Reason);
                }
            }
        }
    }

    /// The detector that finds the start dead, if any.
    pub fn dead_at_start(&mut self) -> Option<DetectorName> {
        let state = &self.starts()[0];
        self.detectors.verdict_on_all(&state.boxes, state.player)
    }
}

impl Formulation for PushSpace<'_> {
    fn board(&self) -> &Board {
        self.board
    }

    fn shifted(&self, push: Push) -> Option<(Square, Square)> {
        Some((push.from, push.to))
    }

    fn stands(&self, push: Push) -> Option<Square> {
        Some(self.board.neighbour(push.to, push.direction.opposite()))
    }

    fn write(&mut self, boxes: &mut Bits, player: &mut Square, push: Push, out: &mut String) {
        push.write(self.board, &mut self.walker, boxes, player, out);
    }
}
