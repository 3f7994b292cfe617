//! The solved game against a brute force that shares no code with the crate: boards are
//! nine characters, lines are found by reading strings.

use lurd_cse::{Advice, Cse, Position, Start, analyse, search_tree};
use lurd_search::game::{Game, Side, Solver, Strategy, positions};
use std::collections::HashMap;

fn has_line(board: &[u8; 9]) -> bool {
    ["012", "345", "678", "036", "147", "258", "048", "246"].iter().any(|line| {
        let text: String = line.bytes().map(|index| board[usize::from(index - b'0')] as char).collect();
        text == "CSE" || text == "ESC"
    })
}

/// Value for the side to move: +n wins in such a way that sooner is larger, 0 draw.
/// The mover's view needs no side in the key.
fn solve(board: [u8; 9], memo: &mut HashMap<[u8; 9], i32>) -> i32 {
    if has_line(&board) {
        return -100;
    }
    if !board.contains(&b'.') {
        return 0;
    }
    if let Some(&value) = memo.get(&board) {
        return value;
    }
    let mut best = i32::MIN;
    for cell in 0..9 {
        if board[cell] == b'.' {
            for letter in *b"CSE" {
                let mut next = board;
                next[cell] = letter;
                let value = -solve(next, memo);
                best = best.max(value - value.signum());
            }
        }
    }
    memo.insert(board, best);
    best
}

fn start_board(start: Start) -> [u8; 9] {
    match start {
        Start::Left => *b"...S.....",
        Start::Right => *b".....S...",
    }
}

#[test]
fn both_starts_and_both_first_movers_agree_with_brute_force() {
    let analysis = analyse(false);
    assert_eq!(analysis.cases.len(), 4);
    for case in &analysis.cases {
        let mut memo = HashMap::new();
        let value = solve(start_board(case.start), &mut memo);
        assert_eq!(case.value, value.signum() * case.first.sign());
        assert_eq!(case.plies, (value != 0).then(|| 100 - value.unsigned_abs()));
        assert_eq!(case.first_moves.len(), 24);
        for rated in &case.first_moves {
            let mut board = start_board(case.start);
            board[rated.mv.cell.index()] = rated.mv.letter.as_char() as u8;
            let value = -solve(board, &mut memo);
            assert_eq!(rated.value, value.signum() * case.first.sign(), "{}", rated.mv);
        }
        let ended = |board: &[u8; 9]| has_line(board) || !board.contains(&b'.');
        // Every position the brute force met, ended ones included.
        let mut met: std::collections::HashSet<[u8; 9]> = memo.keys().copied().collect();
        for board in memo.keys() {
            for cell in (0..9).filter(|&cell| board[cell] == b'.') {
                for letter in *b"CSE" {
                    let mut next = *board;
                    next[cell] = letter;
                    if ended(&next) {
                        met.insert(next);
                    }
                }
            }
        }
        assert_eq!(case.positions, met.len() as u64);
        let nodes: Vec<u64> = case.methods.iter().map(|method| method.nodes).collect();
        println!(
            "{} {:?}: value {} in {:?}, {} positions, {} games, nodes {nodes:?}",
            case.start, case.first, case.value, case.plies, case.positions, case.games
        );
        assert!(nodes.iter().skip(1).all(|&other| other < nodes[0]), "every saving saves: {nodes:?}");
        assert!(nodes[5] < nodes[3] && nodes[5] < nodes[2], "together they save most: {nodes:?}");
    }
}

#[test]
fn every_position_within_three_moves_agrees_with_brute_force_under_every_switch() {
    let mut memo = HashMap::new();
    for first in [Side::Max, Side::Min] {
        // One solver for both starts and all positions: its memo must not mix sides up.
        let mut solvers = [Strategy::MEMO, Strategy::ALPHA_BETA_MEMO, Strategy::BEST].map(|s| Solver::new(&Cse, s));
        for start in Start::ALL {
            let mut layer = vec![(Position::new(start, first), start_board(start))];
            for depth in 0..3 {
                let mut next = Vec::new();
                for (position, board) in &layer {
                    let value = solve(*board, &mut memo);
                    for solver in &mut solvers {
                        let score = solver.score(position);
                        assert_eq!(score.value(), value.signum() * Cse.side_to_move(position).sign());
                        assert_eq!(score.plies(), (value != 0).then(|| 100 - value.unsigned_abs()));
                    }
                    let step = if depth == 2 { 7 } else { 1 };
                    for mv in position.moves().into_iter().step_by(step) {
                        let mut child = *board;
                        child[mv.cell.index()] = mv.letter.as_char() as u8;
                        next.push((position.play(mv).unwrap(), child));
                    }
                }
                layer = next;
            }
        }
    }
}

#[test]
fn plain_minimax_walks_exactly_the_nodes_counted() {
    // From four letters on, where the full walk takes no time even unoptimised.
    let mut position = Position::new(Start::Left, Side::Max);
    for text in ["1 1 S", "3 3 S"] {
        position = position.play(lurd_cse::parse_move(text).unwrap()).unwrap();
    }
    let mut solver = Solver::new(&Cse, Strategy::MINIMAX);
    solver.score(&position);
    let counted = lurd_cse::method_costs(&position);
    assert_eq!(counted[0].nodes, solver.effort().nodes);
    assert!(counted.iter().all(|cost| cost.nodes <= counted[0].nodes));
}

#[test]
fn plain_minimax_walked_in_full_visits_what_was_counted() {
    let position = Position::new(Start::Left, Side::Max);
    let mut solver = Solver::new(&Cse, Strategy::MINIMAX);
    let score = solver.score(&position);
    assert_eq!(solver.effort().nodes, lurd_cse::method_costs(&position)[0].nodes);
    assert_eq!(score, Solver::new(&Cse, Strategy::BEST).score(&position));
}

#[test]
fn advice_is_the_same_under_every_switch_and_serializes() {
    let mut position = Position::new(Start::Right, Side::Min);
    position = position.play(lurd_cse::parse_move("1 1 S").unwrap()).unwrap();
    let memo = Advice::of(&position, Strategy::MEMO);
    let best = Advice::of(&position, Strategy::BEST);
    assert_eq!((memo.best, &memo.moves), (best.best, &best.moves));
    assert_eq!(memo.principal_variation, best.principal_variation);
    let json = serde_json::to_value(&best).unwrap();
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(21));
    assert_eq!(json["best"]["move"]["row"].as_u64(), best.best.map(|b| b.mv.cell.row() as u64 + 1));

    let line = best.principal_variation.iter().try_fold(position, |position, &mv| position.play(mv)).unwrap();
    assert!(line.ending().is_some());
    assert_eq!(Cse.end_value(&line), Some(best.value));
}

#[test]
fn both_starts_mirror_each_other() {
    let counts = Start::ALL.map(|start| positions(&Cse, &Position::new(start, Side::Max)));
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn the_tree_of_a_search_shows_cut_offs() {
    let position = Position::new(Start::Left, Side::Max);
    let view = search_tree(&position, Strategy::BEST, 2);
    let json = serde_json::to_string(&view).unwrap();
    assert!(json.contains("left-out") && json.contains("\"alpha\":\""));
    assert_eq!(view.root.children.len(), 24);
    assert_eq!(view.root.board, position.board());
}
