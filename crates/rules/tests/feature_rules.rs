//! The rules of the feature board against brute force: in every reachable position of small levels that has a solution,
//! no rule says dead, and a PI-corral keeps a shortest solution.

use lurd_base::Budget;
use lurd_level::Direction;
use lurd_rules::bipartite::BipartiteMatching;
use lurd_rules::dense::board::{DenseBoard, NONE};
use lurd_rules::dense::learned_index::LearnedIndex;
use lurd_rules::dense::set::Set;
use lurd_rules::feature::board::{FeatureBoard, WALL};
use lurd_rules::feature::corral_search::CorralSearch;
use lurd_rules::feature::endgame::Endgames;
use lurd_rules::feature::freeze::{FrozenBoards, freezes};
use lurd_rules::feature::learned::{LearnedSets, LearnedStore};
use lurd_rules::feature::pi_corral::{PiCorral, PiCorrals};
use lurd_rules::feature::position::Position;
use lurd_rules::oracle::{Truth, levels, reachable, step};
use lurd_rules::{Board, Square, State};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

#[test]
fn no_rule_calls_a_solvable_position_dead() {
    let mut applied = BTreeSet::new();
    let (mut restricted, mut indexed) = (0, 0);
    for map in levels(77, 6_000) {
        let board = Arc::new(Board::new(&map).unwrap());
        let truth = Truth::new(&board);
        let features = &FeatureBoard::new(Arc::clone(&board));
        let store = LearnedStore::default();
        let mut corrals = CorralSearch::default();
        let mut learned = LearnedSets::new(features);
        let mut pi_corrals = PiCorrals::new(features);
        let mut endgames = Endgames::default();
        let mut frozen_boards = FrozenBoards::default();
        let mut matching = BipartiteMatching::default();
        let states = reachable(&board);
        for state in &states {
            let alive = truth.pushes.get(state).copied();
            let show = || board.picture(&state.boxes, state.player);
            let mut says_dead = |rule: &'static str| {
                assert!(alive.is_none(), "{rule}\n{}", show());
                applied.insert(rule);
            };
            let boxes: Vec<Square> =
                state.boxes.iter().filter(|&square| features.bare()[usize::from(square)] == 0).collect();
            if features.bare()[usize::from(state.player)] != 0 {
                // A dead end that the feature board fills in.
                continue;
            }
            let mut position = Position::with(features, &boxes, state.player);
            if alive.is_some() {
                for &square in &boxes {
                    assert!(!features.is_dead(square), "dead square\n{}", show());
                    let stuck = freezes(features, &mut position.taken, &boxes, square, &mut Vec::new());
                    assert!(!stuck, "freeze\n{}", show());
                }
            }
            if endgames.settle(features, &mut position.clone(), 0).is_err() {
                says_dead("endgame");
            }
            let Ok(key) = frozen_boards.freeze(features, &mut position, &mut Vec::new()) else {
                says_dead("frozen");
                continue;
            };
            let walls = frozen_boards.of(features, &position, key);
            if !walls.fits(features, &position, &mut matching) {
                says_dead("matching");
                continue;
            }
            for &square in &boxes {
                let frozen = position.taken[usize::from(square)] & WALL != 0;
                assert!(alive.is_none() || frozen || !walls.closed[usize::from(square)], "closed\n{}", show());
            }
            let survey = features.survey(&position.taken);
            match pi_corrals.find(features, &position, &survey, &walls.closed) {
                PiCorral::None => {}
                PiCorral::Dead => says_dead("dead PI-corral"),
                PiCorral::Only(only) => {
                    let keeps = |pushes| keeps_a_shortest_solution(&board, &truth, state, &only, pushes);
                    assert!(alive.is_none_or(keeps), "{only:?}\n{}", show());
                    restricted += 1;
                }
            }
            if let Some(corral) = corrals.find_dead(features, &position, &survey) {
                says_dead("corral");
                if corral.is_new {
                    learned.learn(features, &store, &corral);
                }
            }
        }
        // What was learned last is tested on the first positions too.
        for state in states.iter().filter(|state| learned.is_dead(&state.boxes, state.player)) {
            let shown = board.picture(&state.boxes, state.player);
            assert!(!truth.pushes.contains_key(state), "learned\n{shown}");
            let at = |to| learned.is_dead_at(&state.boxes, to, state.player);
            assert!(state.boxes.iter().any(at), "not found by its boxes\n{shown}");
            applied.insert("learned");
        }
        indexed += compare_index(&store, &board, &learned, &states);
    }
    assert!(restricted > 0 && indexed > 0, "{restricted} {indexed}");
    assert_eq!(applied, ["corral", "dead PI-corral", "endgame", "frozen", "learned", "matching"].into());
}

/// The index of the dense board agrees with the learned sets for a box with the player beside it. Returns how often
/// both say dead.
fn compare_index(store: &LearnedStore, board: &Board, learned: &LearnedSets, states: &[State]) -> usize {
    let Ok(Some(dense)) = DenseBoard::new(board, &Budget::unlimited()) else { return 0 };
    let mut index = LearnedIndex::<1>::new(&dense);
    index.refresh(&dense, store);
    let mut dead = 0;
    for state in states {
        let live: Vec<u16> = state.boxes.iter().map(|square| dense.live_on(square)).collect();
        if live.contains(&NONE) {
            continue;
        }
        let mut set = Set::EMPTY;
        live.iter().for_each(|&square| set.insert(square.into()));
        for (to, &square) in state.boxes.iter().zip(&live) {
            for direction in Direction::ALL.into_iter().filter(|&side| board.neighbour(to, side) == state.player) {
                let is_dead = index.are_dead(4 * usize::from(square) + direction as usize, set);
                let shown = || board.picture(&state.boxes, state.player);
                assert_eq!(is_dead, learned.is_dead_at(&state.boxes, to, state.player), "{to}\n{}", shown());
                dead += usize::from(is_dead);
            }
        }
    }
    dead
}

/// Whether some push of these boxes is the first of a shortest solution.
fn keeps_a_shortest_solution(board: &Board, truth: &Truth, state: &State, only: &[Square], pushes: u32) -> bool {
    let mut seen = HashSet::from([state.player]);
    let mut work = vec![state.player];
    while let Some(player) = work.pop() {
        let here = State { boxes: state.boxes.clone(), player };
        for direction in Direction::ALL {
            let Some(next) = step(board, &here, direction) else { continue };
            if next.boxes == here.boxes {
                if seen.insert(next.player) {
                    work.push(next.player);
                }
            } else if only.contains(&next.player) && truth.pushes.get(&next) == Some(&(pushes - 1)) {
                return true;
            }
        }
    }
    false
}
