//! The engines on bit boards are compiled for six sizes of board: each solves a level of its size.

use lurd::{Board, Goal, Level, Proof, Solver};
use lurd_base::Budget;
use lurd_rules::dense::board::DenseBoard;

/// A room with goals in two opposite corners and a box two pushes from each; below it a dead end of `tail` squares.
fn room(width: usize, height: usize, tail: usize) -> String {
    let mut rows = vec![" ".repeat(width); height];
    rows[0].replace_range(..1, ".");
    rows[1].replace_range(1..4, "$ @");
    rows[height - 2].replace_range(width - 2..width - 1, "$");
    rows[height - 1].replace_range(width - 1.., ".");
    let wall = "#".repeat(width);
    rows.extend(vec![format!("# {}", &wall[2..]); tail]);
    let rows: String = rows.iter().map(|row| format!("#{row}#\n")).collect();
    format!("#{wall}#\n{rows}#{wall}#\n")
}

#[test]
fn every_size_of_board_is_solved_and_proved() {
    // The room, words of a set of live squares, words of a set of cells.
    let sizes = [
        ((5, 5, 0), (1, 1)),
        ((18, 3, 0), (1, 2)),
        ((10, 8, 0), (2, 2)),
        ((16, 8, 0), (2, 3)),
        ((18, 10, 0), (4, 4)),
        ((10, 8, 60), (4, 12)),
    ];
    let proofs = [(Goal::Any, Proof::None), (Goal::Pushes, Proof::OptimalPushes), (Goal::Moves, Proof::OptimalMoves)];
    for ((width, height, tail), words) in sizes {
        let level = Level::parse(&room(width, height, tail)).unwrap();
        let dense = DenseBoard::new(&Board::new(&level.map).unwrap(), &Budget::unlimited()).unwrap().unwrap();
        assert_eq!((dense.live_words(), dense.cell_words()), words, "{width} x {height}");
        for (goal, proof) in proofs {
            let report = Solver::new().goal(goal).threads(1).solve(&level).unwrap();
            let solution = report.solution.expect("both boxes can go home");
            assert_eq!((solution.pushes, report.proof), (4, proof), "{width} x {height}, {goal:?}");
        }
    }
}
