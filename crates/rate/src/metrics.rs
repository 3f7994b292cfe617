//! Figures of a solution as the Sokoban community counts them, and pushes that lead away from the goal.

use crate::Replay;
use lurd::distance::FAR;
use lurd::{Board, Distances};

/// Box lines: runs of pushes of one box in one direction. A walk in between does not end a line; a push of another box or
/// in another direction does.
pub fn box_lines(replay: &Replay) -> usize {
    runs(&replay.pushes, |one, next| one.mover == next.mover && one.direction == next.direction)
}

/// Box changes: how often the player turns to another box. The first box counts, so that a level with one box has one.
pub fn box_changes(replay: &Replay) -> usize {
    runs(&replay.pushes, |one, next| one.mover == next.mover)
}

/// Pushing sessions: runs of pushes, of any boxes, without a step between them.
pub fn pushing_sessions(replay: &Replay) -> usize {
    runs(&replay.pushes, |_, next| !next.after_walk)
}

/// Player lines: runs of moves, steps and pushes alike, in one direction.
pub fn player_lines(replay: &Replay) -> usize {
    runs(&replay.moves, |one, next| one == next)
}

/// Boxes that are pushed at all.
pub fn boxes_pushed(replay: &Replay) -> usize {
    let mut movers: Vec<usize> = replay.pushes.iter().map(|push| push.mover).collect();
    movers.sort_unstable();
    movers.dedup();
    movers.len()
}

/// Counterintuitive pushes: those after which the box is farther from the goal where the solution leaves it, in pushes of a
/// lone box. Such a box makes room for another, or for the player.
pub fn counterintuitive_pushes(board: &Board, distances: &Distances, replay: &Replay) -> usize {
    let away = |push: &&crate::ReplayedPush| {
        let Ok(goal) = board.goals().binary_search(&replay.ends[push.mover]) else { return false };
        let before = distances.row(push.from, board.neighbour(push.from, push.direction.opposite()))[goal];
        let after = distances.row(push.to, push.from)[goal];
        before != FAR && after > before
    };
    replay.pushes.iter().filter(away).count()
}

/// The share of the floor, from 0 to 1, where a box is lost for good.
pub fn dead_share(board: &Board, distances: &Distances) -> f64 {
    let dead = board.squares().filter(|&square| distances.is_dead(square)).count();
    dead as f64 / board.len() as f64
}

/// The number of maximal runs in which neighbours belong together.
fn runs<T>(items: &[T], together: impl Fn(&T, &T) -> bool) -> usize {
    usize::from(!items.is_empty()) + items.windows(2).filter(|pair| !together(&pair[0], &pair[1])).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::{Deadlocks, Level};

    fn counted(level: &str, lurd: &str) -> [usize; 5] {
        let board = Board::new(&Level::parse(level).unwrap().map).unwrap();
        let replay = Replay::new(&board, lurd).unwrap();
        let away = counterintuitive_pushes(&board, &Deadlocks::distances(&board), &replay);
        [box_lines(&replay), box_changes(&replay), pushing_sessions(&replay), player_lines(&replay), away]
    }

    #[test]
    fn one_box_in_one_line_counts_one_of_everything() {
        assert_eq!(counted("######\n#@$ .#\n######", "RR"), [1, 1, 1, 1, 0]);
    }

    /// A step back and forth interrupts a session and the player's line, but not the box line.
    #[test]
    fn a_walk_ends_a_session_but_no_line() {
        assert_eq!(counted("######\n#@$ .#\n######", "RlrR"), [1, 1, 2, 3, 0]);
    }

    #[test]
    fn another_box_ends_line_and_session() {
        assert_eq!(counted("########\n#@$  . #\n#   $. #\n########", "RRRlldrR"), [2, 2, 2, 4, 0]);
    }

    /// The box on its goal makes room and comes back.
    #[test]
    fn a_push_off_a_goal_and_back_leads_away() {
        let [lines, _, _, _, away] = counted("########\n#      #\n# @*   #\n#      #\n########", "RurrdL");
        assert_eq!((lines, away), (2, 1));
    }

    #[test]
    fn corners_are_dead() {
        let board = Board::new(&Level::parse("#####\n#   #\n#@$.#\n#   #\n#####").unwrap().map).unwrap();
        let share = dead_share(&board, &Deadlocks::distances(&board));
        assert!((share - 7.0 / 9.0).abs() < 1e-9, "{share}");
    }
}
