//! Tests that the forms of a rule agree: by squares on the plain board, by squares on the feature board, and by bit sets.
//!
//! The feature board has fixed boxes and dead ends as walls, so only levels without them are compared.

use crate::deadlock::corral::{Advice, Corrals};
use crate::deadlock::{DetectorName, Detectors, frozen_boxes};
use crate::dense::board::{DenseBoard, NONE};
use crate::dense::corral::{CorralRules, CorralVerdict};
use crate::dense::dead_sets::DeadSets;
use crate::dense::set::Set;
use crate::distance::Distances;
use crate::feature::board::{BOX, FeatureBoard};
use crate::feature::freeze;
use crate::feature::pi_corral::{PiCorral, PiCorrals};
use crate::feature::position::Position;
use crate::oracle::{all_states, levels, reachable};
use crate::{Bits, Board, Square, State, Walker};
use lurd_base::Budget;
use std::sync::Arc;

/// A level in every form.
struct Forms {
    board: Arc<Board>,
    distances: Distances,
    features: FeatureBoard,
    dense: DenseBoard,
}

impl Forms {
    /// The forms of those of some small levels that have no additional walls.
    fn of_levels(seed: u64, count: usize) -> impl Iterator<Item = Self> {
        levels(seed, count).filter_map(|map| {
            let board = Arc::new(Board::new(&map).ok()?);
            let distances = Distances::to_goals(&board, &Budget::unlimited()).ok()?;
            let dense = DenseBoard::new(&board, &Budget::unlimited()).ok()??;
            let features = FeatureBoard::new(Arc::clone(&board));
            let is_plain = board.squares().all(|square| features.bare()[usize::from(square)] == 0);
            is_plain.then_some(Self { board, distances, features, dense })
        })
    }

    fn cells(&self, squares: &Bits) -> Set<2> {
        squares.iter().map(|square| self.dense.cell_on(square)).collect()
    }

    fn position(&self, state: &State) -> Position {
        Position::with(&self.features, &state.boxes.iter().collect::<Vec<_>>(), state.player)
    }
}

/// The frozen boxes of each form are among those of the next, in every position, and equal if the dead squares are. The
/// detector reports a position if and only if a frozen box is off the goals.
#[test]
fn every_form_of_freeze_implies_the_next() {
    let (mut equal, mut frozen_positions) = (0, 0);
    for forms in Forms::of_levels(51, 4_000) {
        let Forms { board, distances, features, dense } = &forms;
        let rules = CorralRules::<2>::new(dense);
        let mut detectors = Detectors::new(board, distances, &[DetectorName::Freeze]);
        let same_dead_squares = board.squares().all(|square| {
            distances.is_dead(square) == features.is_dead(square)
                && features.is_dead(square) == (dense.live_on(square) == NONE)
        });
        all_states(board, |state| {
            let shown = || board.picture(&state.boxes, state.player);
            let classic = frozen_boxes(board, distances, &state.boxes);
            let mut position = forms.position(state);
            let mut listed = Vec::new();
            freeze::stuck(features, &mut position.taken, &position.boxes, &mut listed);
            let listed = Bits::of(board.len(), listed);
            let by_cells = rules.frozen(forms.cells(&state.boxes));
            assert!(classic.is_subset(&listed), "{}", shown());
            assert!(forms.cells(&listed).without(by_cells).is_empty(), "{}", shown());
            if same_dead_squares {
                assert_eq!(forms.cells(&classic), by_cells, "{}", shown());
                equal += usize::from(!classic.is_empty());
            }
            let is_dead = detectors.verdict_on_all(&state.boxes, state.player).is_some();
            assert_eq!(is_dead, !classic.is_subset(board.goal_set()), "{}", shown());
            frozen_positions += usize::from(is_dead);
        });
    }
    assert!(equal > 1_000 && frozen_positions > 1_000, "{equal} equal, {frozen_positions} frozen");
}

/// A dead 2x2 block or corner is also dead by the deadlock tables and by freeze.
#[test]
fn a_block_is_found_by_the_tables_and_by_freeze() {
    let mut found = 0;
    for forms in Forms::of_levels(52, 4_000) {
        let Forms { board, distances, features, .. } = &forms;
        let mut detectors =
            [DetectorName::Pattern, DetectorName::Freeze].map(|name| (name, Detectors::new(board, distances, &[name])));
        all_states(board, |state| {
            let mut position = forms.position(state);
            for to in state.boxes.iter() {
                position.taken[usize::from(to)] = 0;
                if freeze::blocks(features, &position.taken, to) {
                    found += 1;
                    for (name, detector) in &mut detectors {
                        let verdict = detector.verdict(&state.boxes, to, state.player);
                        assert_eq!(verdict, Some(*name), "{to}\n{}", board.picture(&state.boxes, state.player));
                    }
                }
                position.taken[usize::from(to)] = BOX;
            }
        });
    }
    assert!(found > 1_000, "only {found} blocks");
}

/// Where the classic rule restricts the pushes, so do the other two forms, in every reachable position without a frozen
/// box off the goals.
#[test]
fn a_classic_pi_corral_is_found_by_every_form() {
    let mut found = 0;
    for forms in Forms::of_levels(53, 30_000) {
        let Forms { board, distances, features, dense } = &forms;
        let rules = CorralRules::<2>::new(dense);
        let none = DeadSets::none(dense.live_words(), dense.live_count());
        let closed: Vec<bool> = (0..=features.len() as Square).map(|square| features.is_dead(square)).collect();
        let (mut walker, mut corrals) = (Walker::new(board), Corrals::new(board));
        let mut pi_corrals = PiCorrals::new(features);
        let plane = dense.plane::<2>();
        for state in reachable(board) {
            if state.boxes.iter().any(|square| dense.live_on(square) == NONE) {
                continue;
            }
            walker.fill(board, &state.boxes, state.player);
            let Advice::Only(_) = corrals.advise(board, distances, &state.boxes, &walker) else { continue };
            let mut position = forms.position(&state);
            if freeze::peel_pushes(features, &mut position, &mut Vec::new()).is_err() {
                continue;
            }
            found += 1;
            let survey = features.survey(&position.taken);
            let feature = pi_corrals.find(features, &position, &survey, &closed);
            let boxes = forms.cells(&state.boxes);
            let zone = plane.zone(plane.floor.without(boxes), dense.cell_on(state.player));
            let by_cells = rules.judge::<1>(dense, &none, boxes, zone);
            let shown = || board.picture(&state.boxes, state.player);
            assert_ne!(feature, PiCorral::None, "{}", shown());
            assert_ne!(by_cells, CorralVerdict::Open, "{}", shown());
        }
    }
    assert!(found > 1_000, "only {found} corrals");
}
