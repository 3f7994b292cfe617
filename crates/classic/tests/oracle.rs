//! Every heuristic against brute force, on thousands of small random levels.

use lurd_base::Budget;
use lurd_classic::formulation::{Formulation, MoveSpace, PushSpace};
use lurd_classic::heuristic::Estimator;
use lurd_classic::{EstimateName, PlayerTerm};
use lurd_level::Direction;
use lurd_rules::Board;
use lurd_rules::distance::Distances;
use lurd_rules::oracle::{Truth, all_states, levels, step};
use lurd_search::Heuristic;

fn distances(board: &Board) -> Distances {
    Distances::to_goals(board, &Budget::unlimited()).expect("no limit was set")
}

/// Heuristics that claim to be admissible never exceed the true cost, those that claim to be consistent never decrease by
/// more than the cost of a move, and the inadmissible ones do exceed the true cost.
#[test]
fn heuristics_have_the_properties_they_claim() {
    let budget = Budget::unlimited();
    let mut greedy_over = 0;
    let mut classic_over = 0;
    for map in levels(2, 4_000) {
        let board = Board::new(&map).unwrap();
        let distances = distances(&board);
        let truth = Truth::new(&board);
        let space = MoveSpace::new(&board, &distances, &[]);
        for &name in EstimateName::ALL {
            for term in [None, Some(PlayerTerm::Ids), Some(PlayerTerm::Bfs), Some(PlayerTerm::ClassicIds)] {
                let mut estimator = Estimator::new(&board, &distances, board.goals(), name, term, &budget);
                let guarantee = Heuristic::<MoveSpace<'_>>::guarantee(&estimator);
                all_states(&board, |state| {
                    let h = estimator.estimate(&space, state);
                    let (Some(&moves), Some(&pushes)) = (truth.moves.get(state), truth.pushes.get(state)) else {
                        return;
                    };
                    let h = h.expect("a solvable position has an estimate");
                    let true_cost = if term.is_some() { moves } else { pushes };
                    if guarantee == lurd_search::Guarantee::Inadmissible {
                        greedy_over += usize::from(name == EstimateName::GreedyMatching && h > true_cost);
                        classic_over += usize::from(term == Some(PlayerTerm::ClassicIds) && h > true_cost);
                        return;
                    }
                    assert!(
                        h <= true_cost,
                        "{name} {term:?} says {h}, truth {true_cost}:\n{}",
                        board.picture(&state.boxes, state.player)
                    );
                    for direction in Direction::ALL {
                        let Some(next) = step(&board, state, direction) else { continue };
                        if let Some(after) = estimator.estimate(&space, &next) {
                            assert!(
                                h <= after + 1,
                                "{name} {term:?} falls from {h} to {after}:\n{}",
                                board.picture(&state.boxes, state.player)
                            );
                        }
                    }
                });
            }
        }
    }
    assert!(greedy_over > 0 && classic_over > 0, "the inadmissible estimates are inadmissible");
}

#[test]
fn both_player_terms_are_the_same_number() {
    let budget = Budget::unlimited();
    for map in levels(3, 500) {
        let board = Board::new(&map).unwrap();
        let distances = distances(&board);
        let space = PushSpace::new(&board, &distances, &[]);
        let estimator =
            |term| Estimator::new(&board, &distances, board.goals(), EstimateName::Zero, Some(term), &budget);
        let (mut ids, mut bfs) = (estimator(PlayerTerm::Ids), estimator(PlayerTerm::Bfs));
        all_states(&board, |state| {
            assert_eq!(
                ids.estimate(&space, state),
                bfs.estimate(&space, state),
                "{}",
                space.board().picture(&state.boxes, state.player)
            );
        });
    }
}
