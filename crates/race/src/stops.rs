//! Inefficient stopping squares: mostly, a neighbouring stop of the same box is at least as good.
//!
//! These rules are not sound. They only reduce the branching of the feature-space searches; targets of a plan, goals
//! (for pushes) and starts (for pulls) are exempt, and no search that proves anything uses them.

use crate::macros::Macro;
use lurd_rules::Square;
use lurd_rules::feature::board::{FeatureBoard, ring};

/// The squares of tunnels, which boxes pass without stopping.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    push_tunnel: Vec<bool>,
    pull_tunnel: Vec<bool>,
}

impl Stops {
    pub(super) fn new(board: &FeatureBoard) -> Self {
        Self {
            push_tunnel: tunnels(board, |square| board.is_goal(square)),
            pull_tunnel: tunnels(board, |square| board.is_start(square)),
        }
    }

    pub(super) fn wasted_push(&self, board: &FeatureBoard, taken: &[u8], end: &Macro) -> bool {
        if board.is_goal(end.to) {
            return false;
        }
        if self.push_tunnel[usize::from(end.to)] {
            return true;
        }
        let wall = board.len() as Square;
        let around = ring(board, end.to);
        // The mouth of a gap: an open side with walls at both its corners.
        for (direction, place) in [(2, 0), (1, 2), (3, 4), (0, 6)] {
            let [before, gap, after] = [7, 0, 1].map(|offset| around[(place + offset) % 8]);
            let is_taken = taken[usize::from(gap)] != 0 && gap != end.from;
            if gap == wall || board.is_dead(gap) || before != wall || after != wall || is_taken {
                continue;
            }
            let laterals = if direction >= 2 { [0, 1] } else { [2, 3] };
            for (one, other) in [(laterals[0], laterals[1]), (laterals[1], laterals[0])] {
                let beside = board.next(end.to, one);
                if board.next(end.to, other) == wall {
                    continue;
                }
                let cut_off = end.open >> other & 1 == 0;
                let opposite = end.open >> (direction ^ 1) & 1 != 0;
                let blocked_by_box = beside != wall && beside != end.from && taken[usize::from(beside)] != 0;
                if (beside == wall && (cut_off || opposite)) || (blocked_by_box && cut_off) {
                    return true;
                }
            }
        }
        false
    }

    pub(super) fn wasted_pull(&self, board: &FeatureBoard, end: &Macro) -> bool {
        if board.is_start(end.to) {
            return false;
        }
        if self.pull_tunnel[usize::from(end.to)] {
            return true;
        }
        // A pocket of two squares with a gap at its side.
        let wall = board.len() as Square;
        let around = ring(board, end.to);
        (0..4).any(|ahead| {
            let near = board.next(end.to, ahead);
            let laterals: [usize; 2] = if ahead >= 2 { [6, 2] } else { [0, 4] };
            near != wall
                && board.next(near, ahead) == wall
                && board.next(end.to, ahead ^ 1) == wall
                && laterals.into_iter().any(|place| {
                    around[place] != wall && around[(place + 7) % 8] == wall && around[(place + 1) % 8] == wall
                })
        })
    }
}

/// Straight runs of at least two squares with walls on both sides. A box stops on none of their squares, except the
/// first of a run that holds no target.
fn tunnels(board: &FeatureBoard, is_target: impl Fn(Square) -> bool) -> Vec<bool> {
    let count = board.len();
    let wall = count as Square;
    let mut is_tunnel = vec![false; count];
    for (along, walls) in [(1, [2, 3]), (3, [0, 1])] {
        let narrow = |square: Square| {
            board.bare()[usize::from(square)] == 0
                && walls.iter().all(|&direction| board.next(square, direction) == wall)
        };
        for first in 0..wall {
            if !narrow(first) || narrow(board.next(first, along ^ 1)) {
                continue;
            }
            let next = |&last: &Square| Some(board.next(last, along)).filter(|&next| narrow(next));
            let run: Vec<Square> = std::iter::successors(Some(first), next).collect();
            if run.len() < 2 {
                continue;
            }
            let keep = usize::from(!run.iter().any(|&square| is_target(square)));
            for &square in &run[keep..] {
                is_tunnel[usize::from(square)] = true;
            }
        }
    }
    is_tunnel
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::board;

    /// The columns of tunnel squares in a row of the board.
    fn in_row(board: &FeatureBoard, is_tunnel: &[bool], row: usize) -> Vec<usize> {
        let places =
            (0..board.len()).filter(|&square| is_tunnel[square]).map(|square| board.board().place(square as Square));
        places.filter(|&(other, _)| other == row).map(|(_, column)| column).collect()
    }

    #[test]
    fn a_box_does_not_stop_in_a_tunnel_but_may_at_its_mouth() {
        let board = FeatureBoard::new(board("############\n#   ####   #\n# @$     . #\n#   ####   #\n############"));
        let stops = Stops::new(&board);
        // The tunnel is of columns 4 to 7.
        assert_eq!(in_row(&board, &stops.push_tunnel, 2), [5, 6, 7]);
        assert_eq!(in_row(&board, &stops.push_tunnel, 1), [0; 0]);
    }

    #[test]
    fn a_tunnel_with_a_goal_in_it_has_no_mouth() {
        let board = FeatureBoard::new(board("############\n#   ####   #\n# @$  .    #\n#   ####   #\n############"));
        let stops = Stops::new(&board);
        assert_eq!(in_row(&board, &stops.push_tunnel, 2), [4, 5, 6, 7]);
        assert_eq!(in_row(&board, &stops.pull_tunnel, 2), [5, 6, 7]);
    }
}
