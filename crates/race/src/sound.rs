//! The champion's rules against brute force: in every position that small levels can reach and that has
//! a solution, no sound rule says dead, and a PI-corral keeps a shortest way.

use crate::Scene;
use crate::forward::blocks;
use lurd_level::Direction;
use lurd_rules::bipartite::BipartiteMatching;
use lurd_rules::dense::learned_index::LearnedIndex;
use lurd_rules::dense::set::Set;
use lurd_rules::feature::board::{BOX, WALL};
use lurd_rules::feature::corral_search::CorralSearch;
use lurd_rules::feature::endgame::Endgames;
use lurd_rules::feature::freeze::{FrozenBoards, freezes};
use lurd_rules::feature::learned::LearnedSets;
use lurd_rules::feature::pi_corral::{PiCorral, PiCorrals};
use lurd_rules::feature::position::Position;
use lurd_rules::oracle::{Truth, levels, reachable, step};
use lurd_rules::{Board, Square, State};
use lurd_search::Budget;
use std::collections::HashSet;
use std::sync::Arc;

/// How often each rule found something.
#[derive(Debug, Default)]
struct Found {
    endings: usize,
    frozen: usize,
    matching: usize,
    pi_dead: usize,
    pi_only: usize,
    corral: usize,
    learned: usize,
    lessons: usize,
}

#[test]
fn no_rule_calls_a_solvable_position_dead() {
    let mut found = Found::default();
    for map in levels(77, 6_000) {
        let board = Arc::new(Board::new(&map).unwrap());
        let truth = Truth::new(&board);
        let scene = Scene::new(Arc::clone(&board), None);
        let dense = &scene.board;
        let mut corrals = CorralSearch::new();
        let mut learned = LearnedSets::new(dense);
        let mut pi_corrals = PiCorrals::new(dense);
        let mut endings = Endgames::default();
        let mut pictures = FrozenBoards::default();
        let mut matching = BipartiteMatching::default();
        let states = reachable(&board);
        for state in &states {
            let alive = truth.pushes.get(state).copied();
            let show = || board.picture(&state.boxes, state.player);
            let boxes: Vec<Square> =
                state.boxes.iter().filter(|&square| dense.bare()[usize::from(square)] == 0).collect();
            if dense.bare()[usize::from(state.player)] != 0 {
                // A dead end that was filled in: the player has no business there.
                continue;
            }
            let mut position = Position::with(dense, &boxes, state.player);
            if alive.is_some() {
                for &square in &boxes {
                    assert!(!dense.is_dead(square), "dead square\n{}", show());
                    position.taken[usize::from(square)] = 0;
                    assert!(!blocks(dense, &position.taken, square), "block\n{}", show());
                    position.taken[usize::from(square)] = BOX;
                    let stuck = freezes(dense, &mut position.taken, &boxes, square, &mut Vec::new());
                    assert!(!stuck, "freeze\n{}", show());
                }
            }
            if endings.settle(dense, &mut position.clone(), 0).is_err() {
                assert!(alive.is_none(), "endings\n{}", show());
                found.endings += 1;
            }
            let Ok(key) = pictures.freeze(dense, &mut position, &mut Vec::new()) else {
                assert!(alive.is_none(), "frozen\n{}", show());
                found.frozen += 1;
                continue;
            };
            let picture = pictures.of(dense, &position, key);
            if !picture.fits(dense, &position, &mut matching) {
                assert!(alive.is_none(), "matching\n{}", show());
                found.matching += 1;
                continue;
            }
            for &square in &boxes {
                let frozen = position.taken[usize::from(square)] & WALL != 0;
                assert!(alive.is_none() || frozen || !picture.closed[usize::from(square)], "closed\n{}", show());
            }
            let survey = dense.survey(&position.taken);
            match pi_corrals.find(dense, &position, &survey, &picture.closed) {
                PiCorral::None => {}
                PiCorral::Dead => {
                    assert!(alive.is_none(), "PI-corral\n{}", show());
                    found.pi_dead += 1;
                }
                PiCorral::Only(only) => {
                    found.pi_only += 1;
                    if let Some(pushes) = alive {
                        assert!(keeps_a_shortest_way(&board, &truth, state, &only, pushes), "{only:?}\n{}", show());
                    }
                }
            }
            if let Some(corral) = corrals.find_dead(dense, &position, &survey) {
                assert!(alive.is_none(), "corral\n{}", show());
                found.corral += 1;
                if corral.is_new {
                    learned.learn(dense, &scene.learned, &corral);
                }
            }
        }
        // What was learned last is asked of the first positions too.
        for state in states.iter().filter(|state| learned.is_dead(&state.boxes, state.player)) {
            let shown = board.picture(&state.boxes, state.player);
            assert!(!truth.pushes.contains_key(state), "learned\n{shown}");
            let at = |to| learned.is_dead_at(&state.boxes, to, state.player);
            assert!(state.boxes.iter().any(at), "not found by its boxes\n{shown}");
            found.learned += 1;
        }
        found.lessons += compare_lessons(&scene, &board, &learned, &states);
    }
    println!("{found:?}");
    assert!(found.frozen > 0 && found.matching > 0 && found.pi_dead > 0 && found.pi_only > 0 && found.corral > 0);
    assert!(found.learned > 0 && found.endings > 0 && found.lessons > 0);
}

/// The dense searches hear the same from the store: asked about a box with the player beside it, both say the same. How
/// often they say dead.
fn compare_lessons(scene: &Scene, board: &Board, learned: &LearnedSets, states: &[State]) -> usize {
    let Some(dense) = lurd_rules::dense::board::DenseBoard::new(board, &Budget::unlimited()).unwrap() else {
        return 0;
    };
    let mut lessons = LearnedIndex::<1>::new(&dense);
    lessons.refresh(&dense, &scene.learned);
    let mut dead = 0;
    for state in states {
        let live: Vec<u16> = state.boxes.iter().map(|square| dense.live_on(square)).collect();
        if live.contains(&lurd_rules::dense::board::NONE) {
            continue;
        }
        let mut set = Set::EMPTY;
        live.iter().for_each(|&square| set.insert(square.into()));
        for (to, &square) in state.boxes.iter().zip(&live) {
            for direction in Direction::ALL.into_iter().filter(|&side| board.neighbour(to, side) == state.player) {
                let heard = lessons.are_dead(4 * usize::from(square) + direction as usize, set);
                let shown = || board.picture(&state.boxes, state.player);
                assert_eq!(heard, learned.is_dead_at(&state.boxes, to, state.player), "{to}\n{}", shown());
                dead += usize::from(heard);
            }
        }
    }
    dead
}

/// Whether some push of these boxes, reached by walking, leaves one push less to do.
fn keeps_a_shortest_way(board: &Board, truth: &Truth, state: &State, only: &[Square], pushes: u32) -> bool {
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
