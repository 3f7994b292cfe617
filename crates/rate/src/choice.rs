//! What the player could do instead of the solution's next push, and which of it loses.

use crate::Replay;
use lurd::{Board, Deadlocks, Direction, Distances, NO_SQUARE, Square, State, Walker};

/// What stands beside the pushes of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Choice {
    /// Pushes that are possible and not recognised as lost, on average over the positions before a push. At least 1.
    pub mean: f64,
    /// Positions before a push from which some push loses the level, as far as the deadlock rules see it.
    pub traps: usize,
    /// Losing pushes the rules see, in all these positions together.
    pub losing_pushes: usize,
}

/// Looks at every position of a solution in which it pushes.
pub fn choice(board: &Board, distances: &Distances, replay: &Replay) -> Choice {
    let mut rules = Deadlocks::new(board, distances);
    let mut walker = Walker::new(board);
    let mut choice = Choice::default();
    let mut open = 0usize;
    for (mut state, _) in replay.positions(board) {
        walker.fill(board, &state.boxes, state.player);
        let mut losing = 0;
        for (from, to) in possible_pushes(board, &state, &walker) {
            state.boxes.shift(from, to);
            let lost = rules.after_push(&state.boxes, to, from).is_some();
            state.boxes.shift(to, from);
            losing += usize::from(lost);
            open += usize::from(!lost);
        }
        choice.losing_pushes += losing;
        choice.traps += usize::from(losing > 0);
    }
    choice.mean = open as f64 / replay.pushes.len().max(1) as f64;
    choice
}

/// Every push the rules allow in a position whose zone was filled, as (from, to).
fn possible_pushes(board: &Board, state: &State, walker: &Walker) -> Vec<(Square, Square)> {
    let mut pushes = Vec::new();
    for from in state.boxes.iter() {
        for direction in Direction::ALL {
            let (stand, to) = (board.neighbour(from, direction.opposite()), board.neighbour(from, direction));
            if stand != NO_SQUARE && to != NO_SQUARE && walker.reached(stand) && !state.boxes.contains(to) {
                pushes.push((from, to));
            }
        }
    }
    pushes
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::Level;

    #[test]
    fn a_corridor_leaves_no_choice_and_a_room_has_traps() {
        let seen = |level: &str, lurd: &str| {
            let board = Board::new(&Level::parse(level).unwrap().map).unwrap();
            choice(&board, &Deadlocks::distances(&board), &Replay::new(&board, lurd).unwrap())
        };
        assert_eq!(seen("######\n#@$ .#\n######", "RR"), Choice { mean: 1.0, traps: 0, losing_pushes: 0 });
        let room = seen("######\n#    #\n#@$ .#\n#    #\n######", "RR");
        assert_eq!((room.traps, room.losing_pushes), (2, 5), "up and down at both pushes, left at the first: {room:?}");
    }
}
