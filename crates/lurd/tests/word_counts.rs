//! The engines on bit boards are compiled for six sizes of board in release, three otherwise: each agrees with brute force
//! on levels of its size.

use lurd::{Board, Goal, Level, Outcome, Proof, Solver};
use lurd_base::Budget;
use lurd_base::random::SplitMix64;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::oracle::{fewest_by_moves, fewest_by_pushes};

/// A room with goals in two opposite corners, a box near each and a few pillars; below it a dead end of `tail` squares.
fn room((width, height, tail): (usize, usize, usize), dice: &mut SplitMix64) -> String {
    let mut rows = vec![" ".repeat(width); height];
    let mut put = |row: usize, column: usize, what: &str| rows[row].replace_range(column..=column, what);
    put(0, 0, ".");
    put(height - 1, width - 1, ".");
    if height > 4 {
        put(2 + dice.below(height - 4), 4 + dice.below(width - 4), "#");
    }
    put(1, 1 + dice.below(2), "$");
    put(1, 3, "@");
    put(height - 2, width - 2 - dice.below(2), "$");
    let wall = "#".repeat(width);
    rows.extend(vec![format!("# {}", &wall[2..]); tail]);
    let rows: String = rows.iter().map(|row| format!("#{row}#\n")).collect();
    format!("#{wall}#\n{rows}#{wall}#\n")
}

#[test]
fn every_size_of_board_agrees_with_brute_force() {
    // The room, words of a set of live squares, words of a set of cells.
    let sizes = [
        ((5, 5, 0), (1, 1)),
        ((18, 3, 0), (1, 2)),
        ((10, 8, 0), (2, 2)),
        ((16, 8, 0), (2, 3)),
        ((18, 10, 0), (4, 4)),
        ((10, 8, 60), (4, 12)),
    ];
    let mut dice = SplitMix64::new(2);
    let mut solved = 0;
    for (size, words) in sizes {
        for _ in 0..3 {
            let text = room(size, &mut dice);
            let level = Level::parse(&text).unwrap();
            let board = Board::new(&level.map).unwrap();
            let dense = DenseBoard::new(&board, &Budget::unlimited()).unwrap().unwrap();
            assert_eq!((dense.live_words(), dense.cell_words()), words, "{text}");
            let (pushes, moves) = (fewest_by_pushes(&board), fewest_by_moves(&board));
            for goal in [Goal::Any, Goal::Pushes, Goal::Moves] {
                let report = Solver::new().goal(goal).threads(1).solve(&level).unwrap();
                let Some(solution) = report.solution else {
                    assert_eq!((report.outcome, pushes), (Outcome::Unsolvable, None), "{text}");
                    continue;
                };
                let (cost, least, proof) = match goal {
                    Goal::Any => (None, None, Proof::None),
                    Goal::Pushes => (Some(solution.pushes as u32), pushes, Proof::OptimalPushes),
                    Goal::Moves => (Some(solution.moves as u32), moves, Proof::OptimalMoves),
                };
                assert!(pushes.is_some(), "{text}");
                assert_eq!((cost, report.proof), (least.map(|best| best.0), proof), "{text}");
                solved += 1;
            }
        }
    }
    assert!(solved > 40, "{solved}");
}
