//! The push formulation backwards: boxes start on the goals and are pulled to their start squares. An action is named by
//! the push it reverses.

use crate::formulation::{Formulation, Push, packed, reasons};
use lurd_level::Direction;
use lurd_rules::deadlock::DetectorName;
use lurd_rules::distance::{Distances, FAR};
use lurd_rules::state::Packing;
use lurd_rules::{Bits, Board, NO_SQUARE, Square, State, Walker};
use lurd_search::{Reason, StateSpace, Successors};

/// The push formulation, backwards.
pub struct PullSpace<'b> {
    board: &'b Board,
    /// Distances from the start squares, if squares that no box can come to are pruned.
    dead: Option<&'b Distances>,
    goal: State,
    walker: Walker,
    packing: Packing,
    reasons: Vec<&'static str>,
}

impl<'b> PullSpace<'b> {
    /// `from_starts` are distances from the start squares.
    pub fn new(board: &'b Board, from_starts: &'b Distances, detectors: &[DetectorName]) -> Self {
        let mut walker = Walker::new(board);
        let mut goal = State::start(board);
        goal.player = walker.fill(board, &goal.boxes, goal.player);
        Self {
            board,
            dead: detectors.contains(&DetectorName::DeadSquare).then_some(from_starts),
            goal,
            walker,
            packing: Packing::new(board),
            reasons: reasons(),
        }
    }
}

impl StateSpace for PullSpace<'_> {
    type State = State;
    type Action = Push;

    fn starts(&self) -> Vec<State> {
        // One state for every zone of the solved position, named by its lowest square: the first that is met.
        let boxes = self.board.goal_set();
        let zones = self.board.components(|square| !boxes.contains(square));
        zones.iter().map(|zone| State { boxes: boxes.clone(), player: zone[0] }).collect()
    }

    fn is_goal(&self, state: &State) -> bool {
        *state == self.goal
    }

    fn successors(&mut self, state: &State, out: &mut Successors<Push>) {
        self.walker.fill(self.board, &state.boxes, state.player);
        for to in state.boxes.iter() {
            for direction in Direction::ALL {
                let from = self.board.neighbour(to, direction.opposite());
                if from == NO_SQUARE || !self.walker.reached(from) {
                    continue;
                }
                let player = self.board.neighbour(from, direction.opposite());
                if player == NO_SQUARE || state.boxes.contains(player) {
                    continue;
                }
                let push = Push { from, to, direction };
                match self.dead {
                    Some(distances) if distances.nearest(from, player) == FAR => {
                        out.cut(push, DetectorName::DeadSquare as Reason);
                    }
                    _ => out.push(push, 1),
                }
            }
        }
    }

    fn apply(&mut self, state: &mut State, push: Push) {
        state.boxes.shift(push.to, push.from);
        let player = self.board.neighbour(push.from, push.direction.opposite());
        state.player = self.walker.fill(self.board, &state.boxes, player);
    }

    packed!();

    fn continues(&self, previous: Push, push: Push) -> bool {
        previous.from == push.to
    }
}

impl Formulation for PullSpace<'_> {
    fn board(&self) -> &Board {
        self.board
    }

    fn shifted(&self, push: Push) -> Option<(Square, Square)> {
        Some((push.to, push.from))
    }

    fn stands(&self, push: Push) -> Option<Square> {
        Some(self.board.neighbour(push.from, push.direction.opposite()))
    }

    fn write(&mut self, boxes: &mut Bits, player: &mut Square, push: Push, out: &mut String) {
        push.write(self.board, &mut self.walker, boxes, player, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::Budget;
    use lurd_level::Map;
    use lurd_rules::oracle::levels;

    fn starts(map: &Map) -> Vec<State> {
        let board = Board::new(map).unwrap();
        let from_starts = Distances::from_starts(&board, &Budget::unlimited()).unwrap();
        PullSpace::new(&board, &from_starts, &[]).starts()
    }

    /// The search begins in every zone of the solved position, once, with the player on its lowest square.
    #[test]
    fn every_zone_is_a_start() {
        let mut several = 0;
        for map in levels(23, 2_000) {
            let board = Board::new(&map).unwrap();
            let mut walker = Walker::new(&board);
            let free = board.squares().filter(|&square| !board.is_goal(square));
            let lowest: Vec<Square> =
                free.filter(|&square| walker.fill(&board, board.goal_set(), square) == square).collect();
            let players: Vec<Square> = starts(&map).iter().map(|state| state.player).collect();
            assert_eq!(players, lowest, "{map}");
            several += usize::from(players.len() > 1);
        }
        assert!(several > 100, "{several}");
    }
}
