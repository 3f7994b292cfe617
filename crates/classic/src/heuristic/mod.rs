//! Heuristics, one module each; [`Estimator`] is the one chosen by name, with or without a term for the player.

mod assignment;
mod greedy;
mod manhattan;
mod player;

use crate::formulation::Formulation;
use crate::names::{EstimateName, PlayerTerm};
use assignment::Assignment;
use greedy::GreedyMatching;
use lurd_base::Budget;
use lurd_rules::distance::{Distances, FAR};
use lurd_rules::{Bits, Board, Square, State};
use lurd_search::{Estimate, Guarantee, Heuristic};
use manhattan::ManhattanTable;
use player::PlayerEstimate;

/// The estimate of the pushes.
enum Boxes {
    Zero,
    /// The Manhattan distance from each square to the nearest target.
    NearestManhattan(Vec<u16>),
    NearestPush,
    GreedyMatching(GreedyMatching),
    ManhattanMatching(Box<(Assignment, ManhattanTable)>),
    Matching(Box<Assignment>),
}

/// A heuristic by name. The targets are the goals, or, for a backward search, the start squares of the boxes.
pub struct Estimator<'b> {
    distances: &'b Distances,
    targets: Bits,
    boxes: Boxes,
    player: Option<PlayerEstimate>,
}

impl<'b> Estimator<'b> {
    /// `distances` are those to `targets` in the direction of the search.
    pub fn new(
        board: &Board,
        distances: &'b Distances,
        targets: &[Square],
        name: EstimateName,
        term: Option<PlayerTerm>,
        budget: &Budget,
    ) -> Self {
        let boxes = match name {
            EstimateName::Zero => Boxes::Zero,
            EstimateName::NearestManhattan => Boxes::NearestManhattan(manhattan::nearest(board, targets)),
            EstimateName::NearestPush => Boxes::NearestPush,
            EstimateName::GreedyMatching => Boxes::GreedyMatching(GreedyMatching::new(board)),
            EstimateName::ManhattanMatching => Boxes::ManhattanMatching(Box::new((
                Assignment::new(board, budget),
                ManhattanTable::new(board, targets),
            ))),
            EstimateName::Matching => Boxes::Matching(Box::new(Assignment::new(board, budget))),
        };
        Self {
            distances,
            targets: Bits::of(board.len(), targets.iter().copied()),
            boxes,
            player: term.map(|term| PlayerEstimate::new(board, term, budget)),
        }
    }

    /// Bytes of the tables that an estimate needs beside the distances.
    pub fn bytes(board: &Board, name: EstimateName) -> usize {
        match name {
            EstimateName::ManhattanMatching => ManhattanTable::bytes(board, board.goals().len()),
            _ => 0,
        }
    }

    fn for_boxes(&mut self, state: &State) -> Estimate {
        match &mut self.boxes {
            Boxes::Zero => Some(0),
            Boxes::NearestManhattan(nearest) => {
                Some(state.boxes.iter().map(|square| u32::from(nearest[usize::from(square)])).sum())
            }
            Boxes::NearestPush => state.boxes.iter().try_fold(0, |sum, square| {
                let nearest = self.distances.nearest(square, state.player);
                (nearest != FAR).then(|| sum + u32::from(nearest))
            }),
            Boxes::GreedyMatching(greedy) => greedy.estimate(self.distances, state),
            Boxes::ManhattanMatching(matching) => matching.0.solve(&matching.1, state),
            Boxes::Matching(assignment) => assignment.solve(self.distances, state),
        }
    }

    fn with_player(&mut self, board: &Board, state: &State, boxes: Estimate) -> Estimate {
        let boxes = boxes?;
        match &mut self.player {
            Some(player) if !state.boxes.is_subset(&self.targets) => {
                Some(boxes + player.estimate(board, state, &self.targets))
            }
            _ => Some(boxes),
        }
    }
}

impl<S: Formulation> Heuristic<S> for Estimator<'_> {
    fn estimate(&mut self, space: &S, state: &State) -> Estimate {
        let boxes = self.for_boxes(state);
        self.with_player(space.board(), state, boxes)
    }

    fn family(&mut self, _: &S, parent: &State) {
        if let Boxes::Matching(_) | Boxes::ManhattanMatching(_) = &self.boxes {
            self.for_boxes(parent);
        }
    }

    fn estimate_child(&mut self, space: &S, action: S::Action, child: &State) -> Estimate {
        let boxes = match (&mut self.boxes, space.shifted(action)) {
            (Boxes::Matching(assignment), Some((from, to))) => {
                assignment.repaired(self.distances, from, to, child.player)
            }
            (Boxes::Matching(assignment), None) => assignment.value(),
            (Boxes::ManhattanMatching(matching), Some((from, to))) => {
                matching.0.repaired(&matching.1, from, to, child.player)
            }
            (Boxes::ManhattanMatching(matching), None) => matching.0.value(),
            _ => self.for_boxes(child),
        };
        self.with_player(space.board(), child, boxes)
    }

    fn guarantee(&self) -> Guarantee {
        if matches!(self.boxes, Boxes::GreedyMatching(_)) {
            return Guarantee::Inadmissible;
        }
        self.player.as_ref().map_or(Guarantee::Consistent, PlayerEstimate::guarantee)
    }

    // A box without a reachable goal, or no perfect matching: what `bipartite` finds.
    fn dead_reason(&self) -> &'static str {
        "bipartite"
    }

    fn peak_bytes(&self) -> usize {
        self.player.as_ref().map_or(0, PlayerEstimate::peak_bytes)
    }
}
