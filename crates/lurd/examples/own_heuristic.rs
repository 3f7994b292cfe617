//! A heuristic of your own, compared with those of lurd: `cargo run --release -p lurd --example own_heuristic`.
//!
//! The heuristic counts boxes that are not on goals. Every such box needs at least one push, so it is admissible, and
//! one push moves one box, so it is consistent: A* with it proves its answers optimal, only later than with a better one.

use lurd::distance::Distances;
use lurd::formulation::{Formulation, PushSpace};
use lurd::search::{self, Algorithm, Estimate, Guarantee, Heuristic, Silent, TieBreak, Verdict};
use lurd::{Board, Budget, DetectorName, EstimateName, Level, State, heuristic::Estimator};

/// Boxes off their goals.
struct Misplaced;

impl<S: Formulation> Heuristic<S> for Misplaced {
    fn estimate(&mut self, space: &S, state: &State) -> Estimate {
        Some(state.boxes.iter().filter(|&square| !space.board().is_goal(square)).count() as u32)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
}

/// Runs A* over pushes with a heuristic and prints what it took.
fn run<'b>(name: &str, board: &'b Board, distances: &'b Distances, mut heuristic: impl Heuristic<PushSpace<'b>>) {
    let mut space = PushSpace::new(board, distances, &[DetectorName::DeadSquare]);
    let algorithm = Algorithm::AStar { fallback_after: None };
    let budget = Budget::unlimited();
    let outcome = search::search(algorithm, TieBreak::Lifo, &mut space, &mut heuristic, &budget, &mut Silent);
    if let Verdict::Solved { cost, proof, .. } = outcome.verdict {
        println!("{name:<18} {cost:>3} pushes ({proof:?}), {:>7} expanded", outcome.statistics.expanded);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = Level::parse("########\n#   #  #\n# $  $ #\n# .#.  #\n#  $ . #\n#   @  #\n########")?;
    let board = Board::new(&level.map)?;
    let budget = Budget::unlimited();
    let distances = Distances::to_goals(&board, &budget)?;
    run("zero", &board, &distances, search::Zero);
    run("misplaced", &board, &distances, Misplaced);
    for &name in EstimateName::ALL {
        let estimator = Estimator::new(&board, &distances, board.goals(), name, None, &budget);
        run(name.name(), &board, &distances, estimator);
    }
    Ok(())
}
