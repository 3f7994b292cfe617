//! Helpers of the tests.

use lurd_level::Map;
use lurd_rules::push::written;
use lurd_rules::{Board, Push};
use std::sync::Arc;

pub(crate) fn board(text: &str) -> Arc<Board> {
    Arc::new(Board::new(&Map::from_xsb(text).unwrap()).unwrap())
}

/// Lets the referee judge the pushes of a solution.
pub(crate) fn replay(board: &Board, pushes: &[Push]) {
    let lurd = written(board, pushes);
    let verdict = lurd_referee::judge(&board.map().to_string(), &lurd);
    assert!(verdict.is_ok_and(|verdict| verdict.solved), "{lurd}\n{}", board.map());
}
