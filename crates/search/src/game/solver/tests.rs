//! All strategies return the same score, move and line, on thousands of random games.

use super::*;
use crate::game::{Fate, Node, Value, record_tree, tree_size};
use lurd_base::random::SplitMix64;
use std::collections::HashMap;

/// A random game: nodes with moves to later nodes only. A node can be reached by lines of
/// different length and with either side to move, which is what a memo must get right.
struct RandomGame {
    moves: Vec<Vec<usize>>,
    values: Vec<Value>,
    /// At these nodes the value of the end depends on who is to move there.
    mover_loses: Vec<bool>,
    /// After reaching these nodes the same side moves again.
    again: Vec<bool>,
    promise: Vec<i32>,
}

impl RandomGame {
    fn new(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let nodes = 6 + random.below(14);
        let spread = 1 + random.below(3);
        let turns = random.below(2) == 0;
        let mut game = Self { moves: vec![], values: vec![], mover_loses: vec![], again: vec![], promise: vec![] };
        for node in 0..nodes {
            let later = nodes - node - 1;
            let count = if random.below(6) == 0 && node > 0 { 0 } else { later.min(1 + random.below(4)) };
            let mut moves: Vec<usize> = (0..count).map(|_| node + 1 + random.below(later)).collect();
            moves.dedup();
            game.moves.push(moves);
            game.values.push(random.below(2 * spread + 1) as Value - spread as Value);
            game.mover_loses.push(random.below(2) == 0);
            game.again.push(!turns && random.below(4) == 0);
            game.promise.push(random.below(3) as i32);
        }
        game
    }
}

impl Game for RandomGame {
    type Position = (usize, Side);
    type Move = usize;
    type Key = usize;

    fn side_to_move(&self, position: &(usize, Side)) -> Side {
        position.1
    }

    fn end_value(&self, &(node, side): &(usize, Side)) -> Option<Value> {
        let sign = if self.mover_loses[node] { -side.sign() } else { 1 };
        self.moves[node].is_empty().then(|| sign * self.values[node])
    }

    fn moves(&self, position: &(usize, Side), out: &mut Vec<usize>) {
        out.extend_from_slice(&self.moves[position.0]);
    }

    fn play(&self, position: &(usize, Side), to: usize) -> (usize, Side) {
        (to, if self.again[to] { position.1 } else { position.1.other() })
    }

    fn key(&self, position: &(usize, Side)) -> usize {
        position.0
    }

    fn promise(&self, _: &(usize, Side), to: usize) -> i32 {
        self.promise[to]
    }
}

/// Best play by the bare definition: value and plies, compared field by field; shares
/// nothing with the solver.
fn brute_force(game: &RandomGame, position: (usize, Side)) -> (Value, u32, Vec<usize>) {
    if let Some(value) = game.end_value(&position) {
        return (value, 0, vec![]);
    }
    let mut best: Option<(Value, u32, Vec<usize>)> = None;
    for &mv in &game.moves[position.0] {
        let (value, plies, mut line) = brute_force(game, game.play(&position, mv));
        line.insert(0, mv);
        let new = (value, plies + 1, line);
        let gain = |value: Value| if position.1 == Side::Max { value } else { -value };
        let better = best.as_ref().is_none_or(|old| {
            let (new_gain, old_gain) = (gain(new.0), gain(old.0));
            new_gain > old_gain
                || new_gain == old_gain && (new_gain > 0 && new.1 < old.1 || new_gain < 0 && new.1 > old.1)
        });
        if better {
            best = Some(new);
        }
    }
    best.expect("a position that is not over has moves")
}

#[test]
fn all_strategies_return_the_brute_force_score_move_and_line() {
    for seed in 0..3_000 {
        let game = RandomGame::new(seed);
        for first in [Side::Max, Side::Min] {
            let (value, plies, line) = brute_force(&game, (0, first));
            for strategy in Strategy::ALL {
                let mut solver = Solver::new(&game, strategy);
                let score = solver.score(&(0, first));
                let context = format!("seed {seed}, {first:?} first, {strategy}");
                assert_eq!(score.value(), value, "{context}");
                assert_eq!(score.plies(), (value != 0).then_some(plies), "{context}");
                assert_eq!(solver.best_line(&(0, first)), line, "{context}");
                assert_eq!(solver.best_move(&(0, first)).map(|best| best.mv), line.first().copied(), "{context}");
            }
        }
    }
}

#[test]
fn one_memo_serves_games_begun_by_either_side() {
    // The trap: a memo keyed by the board alone is wrong as soon as both sides may begin.
    let mut fooled = 0;
    for seed in 0..500 {
        let game = RandomGame::new(seed);
        for strategy in Strategy::ALL {
            let mut shared = Solver::new(&game, strategy);
            for first in [Side::Max, Side::Min, Side::Max] {
                let alone = Solver::new(&game, strategy).score(&(0, first));
                assert_eq!(shared.score(&(0, first)), alone, "seed {seed}, {strategy}");
            }
        }
        let mut by_board = HashMap::new();
        let truth = [Side::Max, Side::Min].map(|first| brute_force(&game, (0, first)).0);
        let naive = [Side::Max, Side::Min].map(|first| memo_by_board(&game, (0, first), &mut by_board));
        fooled += usize::from(truth != naive);
    }
    assert!(fooled > 50, "the games must be able to fool a memo keyed by the board alone: {fooled}");
}

/// The mistake itself, to show that the games above would find it.
fn memo_by_board(game: &RandomGame, position: (usize, Side), memo: &mut HashMap<usize, Value>) -> Value {
    if let Some(&value) = memo.get(&position.0) {
        return value;
    }
    let value = game.end_value(&position).unwrap_or_else(|| {
        let moves = game.moves[position.0].clone();
        let values: Vec<_> = moves.iter().map(|&mv| memo_by_board(game, game.play(&position, mv), memo)).collect();
        let best = if position.1 == Side::Max { values.iter().max() } else { values.iter().min() };
        *best.expect("moves")
    });
    memo.insert(position.0, value);
    value
}

#[test]
fn savings_save_and_plain_minimax_visits_the_whole_tree() {
    let mut saved = [0u64; 3];
    for seed in 0..500 {
        let game = RandomGame::new(seed);
        let root = (0, Side::Max);
        let nodes = |strategy| {
            let mut solver = Solver::new(&game, strategy);
            solver.score(&root);
            solver.effort()
        };
        let plain = nodes(Strategy::MINIMAX);
        let size = tree_size(&game, &root);
        assert_eq!((plain.nodes, plain.ends), (size.nodes, size.ends), "seed {seed}");
        assert_eq!(size.by_depth.iter().sum::<u64>(), size.nodes, "seed {seed}");
        assert_eq!(size.by_depth[0], 1);
        let others = [Strategy::ALPHA_BETA, Strategy::MEMO, Strategy::ALPHA_BETA_MEMO];
        for (saved, strategy) in saved.iter_mut().zip(others) {
            let effort = nodes(strategy);
            assert!(effort.nodes <= plain.nodes, "seed {seed}, {strategy}");
            *saved += plain.nodes - effort.nodes;
        }
    }
    assert!(saved.iter().all(|&saved| saved > 0), "{saved:?}");
}

#[test]
fn a_recorded_tree_adds_up_and_shows_what_was_left_out() {
    fn check(game: &RandomGame, position: (usize, Side), node: &Node<usize>, left_out: &mut usize) {
        if node.fate == Fate::LeftOut {
            *left_out += 1;
            assert!(node.score.is_none() && node.children.is_empty());
            return;
        }
        assert!(node.score.is_some());
        let cut = node.children.iter().any(|child| child.fate == Fate::LeftOut);
        assert!(!cut || node.fate == Fate::CutOff);
        for child in &node.children {
            check(game, game.play(&position, child.mv.expect("only the root has no move")), child, left_out);
        }
    }
    let mut left_out = 0;
    for seed in 0..300 {
        let game = RandomGame::new(seed);
        for strategy in Strategy::ALL {
            let mut solver = Solver::new(&game, strategy);
            let score = solver.score(&(0, Side::Max));
            for depth in 0..5 {
                let tree = record_tree(&game, &(0, Side::Max), strategy, depth);
                assert_eq!(tree.root.score, Some(score));
                assert_eq!(
                    tree.root.visited() + tree.root.unrecorded,
                    solver.effort().nodes,
                    "seed {seed}, {strategy}"
                );
                assert_eq!(tree.effort, solver.effort());
                check(&game, (0, Side::Max), &tree.root, &mut left_out);
            }
        }
    }
    assert!(left_out > 100);
}
