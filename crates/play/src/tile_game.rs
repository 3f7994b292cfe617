//! A game of sliding tiles in progress, and the solver that helps.

use crate::background::Background;
use lurd_base::{Budget, Cancel, Limits};
use lurd_search::{Algorithm, Silent, TieBreak};
use lurd_tiles::{Board, Direction, Estimator, HeuristicKind, Method, MoveSet, Problem, ProblemError, Report};
use std::time::Duration;

/// A game of sliding tiles in progress.
#[derive(Clone, Debug)]
pub(crate) struct TileGame {
    problem: Problem,
    board: Board,
    done: Vec<Direction>,
    undone: Vec<Direction>,
}

impl TileGame {
    /// A game from a start to a goal.
    pub(crate) fn new(start: Board, goal: Board, moves: MoveSet) -> Result<Self, ProblemError> {
        let problem = Problem::new(start, goal, moves)?;
        Ok(Self { problem, board: start, done: Vec::new(), undone: Vec::new() })
    }

    pub(crate) fn problem(&self) -> &Problem {
        &self.problem
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn moves(&self) -> usize {
        self.done.len()
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.board == *self.problem.goal()
    }

    /// Moves the blank, if the board and the rules allow it.
    pub(crate) fn step(&mut self, direction: Direction) -> bool {
        let allowed = self.problem.moves().directions().contains(&direction);
        let Some(next) = self.board.moved(direction).filter(|_| allowed) else { return false };
        self.board = next;
        self.done.push(direction);
        self.undone.clear();
        true
    }

    /// Moves the tile of a cell into the blank, if it is next to it.
    pub(crate) fn slide(&mut self, cell: usize) -> bool {
        let directions = self.problem.moves().directions();
        let way = directions.iter().copied().find(|&direction| self.board.neighbour(direction) == Some(cell));
        way.is_some_and(|way| self.step(way))
    }

    pub(crate) fn undo(&mut self) -> bool {
        let Some(last) = self.done.pop() else { return false };
        self.board = self.board.moved(last.reverse()).unwrap_or(self.board);
        self.undone.push(last);
        true
    }

    /// Makes a move again that was taken back.
    pub(crate) fn redo(&mut self) -> bool {
        let Some(next) = self.undone.pop() else { return false };
        self.board = self.board.moved(next).unwrap_or(self.board);
        self.done.push(next);
        true
    }

    /// Takes back everything.
    pub(crate) fn restart(&mut self) {
        while self.undo() {}
    }

    /// Moves that are certainly still needed.
    pub(crate) fn at_least(&self) -> u32 {
        Estimator::new(&self.problem, estimate(self.problem.moves()))
            .map_or(0, |estimator| estimator.value(&self.board))
    }
}

fn estimate(moves: MoveSet) -> HeuristicKind {
    match moves {
        MoveSet::Classic => HeuristicKind::LinearConflict,
        MoveSet::Diagonal => HeuristicKind::ChebyshevParity,
    }
}

/// A way to the goal that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// Where the blank goes.
    pub(crate) moves: Vec<Direction>,
    /// Whether no way is shorter.
    pub(crate) shortest: bool,
}

impl Way {
    /// How good it is, in words.
    pub(crate) fn quality(&self) -> &'static str {
        if self.shortest { "the shortest way" } else { "a good way, not proved shortest" }
    }
}

/// Sets a solver to work on a board.
///
/// Boards of 3x3 get a shortest way. On larger ones that can take minutes, so they get a good
/// one: weighted A* for 4x4, greedy search for 5x5.
pub(crate) fn start_solver(board: Board, goal: Board, moves: MoveSet) -> Background<Way> {
    Background::start(move |cancel| solve(board, goal, moves, cancel))
}

fn solve(board: Board, goal: Board, moves: MoveSet, cancel: Cancel) -> Result<Way, String> {
    let problem = Problem::new(board, goal, moves).map_err(|error| error.to_string())?;
    let method = match board.side() {
        ..=3 => Method::A_STAR,
        4 => Method::Forward(Algorithm::WeightedAStar(2.0)),
        _ => Method::Forward(Algorithm::Greedy),
    };
    let mut estimator = Estimator::new(&problem, estimate(moves)).map_err(|error| error.to_string())?;
    let limits = Limits { time: Some(Duration::from_secs(60)), memory: Some(1 << 30), nodes: None };
    let budget = Budget::new(limits, cancel);
    let report: Report = lurd_tiles::solve(&problem, method, TieBreak::default(), &mut estimator, &budget, &mut Silent);
    if !report.is_solved() {
        return Err(format!("nothing was found ({})", report.stopped_by.unwrap_or(report.outcome)));
    }
    let shortest = report.proof.as_deref() == Some("optimal");
    Ok(Way { moves: report.steps.iter().map(|step| step.direction).collect(), shortest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_slide_and_everything_can_be_undone() {
        let start: Board = "1 2 3 4 5 6 0 7 8".parse().unwrap();
        let mut game = TileGame::new(start, Board::standard_goal(3), MoveSet::Classic).unwrap();
        assert!(!game.step(Direction::UpRight), "no diagonal moves here");
        assert!(!game.slide(0), "not next to the blank");
        assert_eq!(game.at_least(), 2);
        assert!(game.slide(7) && game.slide(8));
        assert!(game.is_solved());
        assert_eq!((game.moves(), game.at_least()), (2, 0));
        game.restart();
        assert_eq!(*game.board(), start);
        assert!(game.redo() && game.redo() && !game.redo());
        assert!(game.is_solved());
    }

    #[test]
    fn every_size_gets_a_way_to_its_goal() {
        for side in 2..=5 {
            for moves in MoveSet::ALL {
                let goal = Board::standard_goal(side);
                let start = lurd_tiles::random_board(&goal, moves, 11);
                let way = start_solver(start, goal, moves).wait().unwrap();
                let mut game = TileGame::new(start, goal, moves).unwrap();
                assert!(way.moves.iter().all(|&direction| game.step(direction)));
                assert!(game.is_solved(), "{side} {moves}");
                assert_eq!(way.shortest, side <= 3);
            }
        }
    }
}
