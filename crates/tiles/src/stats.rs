//! The whole space of a small board, measured: every distance, and what every heuristic
//! is worth on every board and every move.

use crate::board::Board;
use crate::heuristic::{Estimator, HeuristicKind};
use crate::moves::MoveSet;
use lurd_search::{Cost, Guarantee};
use serde::Serialize;

/// The space of all boards from which a goal can be reached.
#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    /// The goal distances count from.
    pub goal: Board,
    pub moves: MoveSet,
    /// Boards from which the goal can be reached.
    pub reachable: u64,
    pub boards: u64,
    /// The largest distance.
    pub diameter: u32,
    /// The mean distance.
    pub mean: f64,
    /// How many boards are at each distance.
    pub histogram: Vec<u64>,
    /// The boards at the largest distance, at most ten of them.
    pub farthest: Vec<Board>,
    /// What each heuristic is worth.
    pub heuristics: Vec<HeuristicStatistics>,
}

/// A heuristic against the truth.
#[derive(Clone, Debug, Serialize)]
pub struct HeuristicStatistics {
    pub name: HeuristicKind,
    /// What it promises: `consistent`, `admissible` or `inadmissible`.
    pub promised: &'static str,
    /// Whether it is never above the truth, on any board.
    pub admissible: bool,
    /// Whether it never falls by more than one in a move.
    pub consistent: bool,
    /// Its mean over all boards.
    pub mean: f64,
    /// Its mean as a share of the mean distance.
    pub strength: f64,
    /// Boards on which it is the truth.
    pub exact: u64,
    /// Boards on which it is above the truth.
    pub overestimates: u64,
    /// The nearest board on which it is above the truth.
    pub counterexample: Option<Counterexample>,
    /// The first move along which it falls by more than one.
    pub inconsistent_edge: Option<InconsistentEdge>,
}

/// A board whose estimate is above the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counterexample {
    pub board: Board,
    /// The estimate.
    pub value: Cost,
    /// The moves it really takes.
    pub truth: Cost,
}

/// A move along which an estimate falls by more than the move costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct InconsistentEdge {
    /// The board before.
    pub board: Board,
    /// Its estimate.
    pub value: Cost,
    /// The board after.
    pub neighbour: Board,
    /// Its estimate.
    pub neighbour_value: Cost,
}

/// Why a space is not measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatisticsError {
    #[error("a {0}x{0} board has too many states to enumerate; statistics cover boards up to 3x3")]
    TooLarge(usize),
}

/// No distance yet.
const UNSEEN: u8 = u8::MAX;

/// Measures the whole space of boards up to 3x3.
pub fn statistics(goal: &Board, moves: MoveSet) -> Result<Statistics, StatisticsError> {
    if goal.side() > 3 {
        return Err(StatisticsError::TooLarge(goal.side()));
    }
    let (order, distance) = breadth_first(goal, moves);
    let diameter = order.last().map_or(0, |board| distance[rank(board)]);
    let mut histogram = vec![0u64; usize::from(diameter) + 1];
    for board in &order {
        histogram[usize::from(distance[rank(board)])] += 1;
    }
    let total: u64 = histogram.iter().zip(0..).map(|(count, distance)| count * distance).sum();
    let mean = total as f64 / order.len() as f64;
    let mut heuristics =
        HeuristicKind::WITHOUT_TABLES.map(|kind| Measured::new(kind, goal, moves, (&order, &distance), mean));
    check_edges(&mut heuristics, moves, &order);
    Ok(Statistics {
        goal: *goal,
        moves,
        reachable: order.len() as u64,
        boards: distance.len() as u64,
        diameter: u32::from(diameter),
        mean,
        histogram,
        farthest: order.iter().filter(|board| distance[rank(board)] == diameter).take(10).copied().collect(),
        heuristics: heuristics.into_iter().map(|measured| measured.found).collect(),
    })
}

/// All boards in order of distance from the goal, and the distance by rank. Moves can be
/// taken back, so distances from the goal are distances to it.
fn breadth_first(goal: &Board, moves: MoveSet) -> (Vec<Board>, Vec<u8>) {
    let boards = (1..=goal.len()).product();
    let mut distance = vec![UNSEEN; boards];
    distance[rank(goal)] = 0;
    let mut order = vec![*goal];
    let mut next = 0;
    while let Some(&board) = order.get(next) {
        next += 1;
        let here = distance[rank(&board)];
        for neighbour in moves.directions().iter().filter_map(|&direction| board.moved(direction)) {
            let there = &mut distance[rank(&neighbour)];
            if *there == UNSEEN {
                *there = here + 1;
                order.push(neighbour);
            }
        }
    }
    (order, distance)
}

/// The number of a board among all of its size, in lexicographic order.
fn rank(board: &Board) -> usize {
    let tiles = board.tiles();
    let mut unused = (1u32 << tiles.len()) - 1;
    let mut rank = 0;
    for (index, &tile) in tiles.iter().enumerate() {
        let smaller = unused & ((1 << tile) - 1);
        rank = rank * (tiles.len() - index) + smaller.count_ones() as usize;
        unused &= !(1 << tile);
    }
    rank
}

/// A heuristic's value for every board, by rank, and what they say.
struct Measured {
    values: Vec<Cost>,
    found: HeuristicStatistics,
}

impl Measured {
    /// Asks every board; the nearest come first in `order`.
    fn new(kind: HeuristicKind, goal: &Board, moves: MoveSet, (order, distance): (&[Board], &[u8]), mean: f64) -> Self {
        let estimate = Estimator::for_goal(goal, moves, kind);
        let mut values = vec![0; distance.len()];
        let mut total = 0;
        let mut found = HeuristicStatistics {
            name: kind,
            promised: match kind.guarantee(moves) {
                Guarantee::Consistent => "consistent",
                Guarantee::Admissible => "admissible",
                Guarantee::Inadmissible => "inadmissible",
            },
            admissible: true,
            consistent: true,
            mean: 0.0,
            strength: 0.0,
            exact: 0,
            overestimates: 0,
            counterexample: None,
            inconsistent_edge: None,
        };
        for board in order {
            let rank = rank(board);
            let value = estimate.value(board);
            let truth = Cost::from(distance[rank]);
            values[rank] = value;
            total += u64::from(value);
            found.exact += u64::from(value == truth);
            if value > truth {
                (found.admissible, found.consistent) = (false, false);
                found.overestimates += 1;
                found.counterexample.get_or_insert(Counterexample { board: *board, value, truth });
            }
        }
        found.mean = total as f64 / order.len() as f64;
        found.strength = found.mean / mean;
        Self { values, found }
    }
}

/// Looks along every move for an estimate that falls by more than one. Moves can be taken
/// back, so looking out of every board covers both directions of each.
fn check_edges(heuristics: &mut [Measured], moves: MoveSet, order: &[Board]) {
    for board in order {
        let here = rank(board);
        for neighbour in moves.directions().iter().filter_map(|&direction| board.moved(direction)) {
            let there = rank(&neighbour);
            for measured in heuristics.iter_mut() {
                let (value, neighbour_value) = (measured.values[here], measured.values[there]);
                if value > neighbour_value + 1 {
                    let edge = InconsistentEdge { board: *board, value, neighbour, neighbour_value };
                    measured.found.consistent = false;
                    measured.found.inconsistent_edge.get_or_insert(edge);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ranks_number_all_boards() {
        let (order, distance) = breadth_first(&Board::standard_goal(2), MoveSet::Diagonal);
        assert_eq!((order.len(), distance.len()), (24, 24));
        assert_eq!(order.iter().map(rank).collect::<HashSet<_>>(), (0..24).collect());
    }

    #[test]
    fn the_classic_space_is_half_of_all_boards_and_31_deep() {
        for goal in ["1 2 3 4 5 6 7 8 0", "0 1 2 3 4 5 6 7 8"] {
            let found = statistics(&goal.parse().unwrap(), MoveSet::Classic).unwrap();
            assert_eq!((found.reachable, found.boards, found.diameter), (181_440, 362_880, 31));
            assert_eq!(found.histogram.iter().sum::<u64>(), 181_440);
            assert_eq!(found.farthest.len(), 2);
            assert!((found.mean - 21.97).abs() < 0.01, "{}", found.mean);
        }
    }

    #[test]
    fn under_diagonal_moves_every_board_is_reachable_and_manhattan_fails() {
        let found = statistics(&Board::standard_goal(3), MoveSet::Diagonal).unwrap();
        assert_eq!((found.reachable, found.boards), (362_880, 362_880));
        let manhattan = found.heuristics.iter().find(|it| it.name == HeuristicKind::Manhattan).unwrap();
        assert!(!manhattan.admissible && !manhattan.consistent);
        assert_eq!(manhattan.counterexample.map(|it| (it.value, it.truth)), Some((2, 1)));
    }

    #[test]
    fn every_promise_holds_on_every_board_and_every_move() {
        // Goals with the blank in a corner, on an edge and in the centre.
        for goal in ["1 2 3 4 5 6 7 8 0", "1 0 2 3 4 5 6 7 8", "1 2 3 8 0 4 7 6 5"] {
            for moves in MoveSet::ALL {
                let found = statistics(&goal.parse().unwrap(), moves).unwrap();
                for heuristic in found.heuristics {
                    let kept = match heuristic.name.guarantee(moves) {
                        Guarantee::Consistent => heuristic.admissible && heuristic.consistent,
                        Guarantee::Admissible => heuristic.admissible && !heuristic.consistent,
                        Guarantee::Inadmissible => !heuristic.admissible,
                    };
                    assert!(kept, "{goal} {moves}: {heuristic:?}");
                    assert_eq!(heuristic.counterexample.is_some(), !heuristic.admissible);
                }
            }
        }
    }

    #[test]
    fn larger_boards_are_refused() {
        assert!(statistics(&Board::standard_goal(4), MoveSet::Classic).is_err());
    }
}
