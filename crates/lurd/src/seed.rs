//! Seeds: the search sees another of the eight images of the level, and what it says is carried back.
//!
//! Every search breaks ties by the order of squares and directions, and chance is drawn in that order too. An image of the
//! level is as hard as the level and has the same optima, so that a search that is lucky with one is seen to be lucky.

use crate::report::{Solution, judged};
use crate::{Certificate, Forecast, Level, Progress, Report, Request, SolveError, Statistics, Watch};
use lurd_level::Symmetry;
use lurd_race::observe::Race;
use lurd_rules::{Bits, Board, Square, State};

/// Searches the image of a level and carries the report back. `search` is not told of the seed.
pub(crate) fn search_image(
    level: &Level,
    request: &Request,
    watcher: &mut dyn Watch,
    search: impl FnOnce(&Level, &Request, &mut dyn Watch) -> Result<Report, SolveError>,
) -> Result<Report, SolveError> {
    let symmetry = Symmetry::ALL[request.seed as usize % Symmetry::ALL.len()];
    if request.leaves_proof() {
        return Err(SolveError::SeedOfDurable);
    }
    let image = Level { map: symmetry.apply(&level.map), ..level.clone() };
    let known = request.known.as_ref().map(|lurd| symmetry.apply_to_lurd(lurd));
    let squares = squares(&Board::new(&image.map)?, &Board::new(&level.map)?, symmetry.inverse());
    let mut back = Back { watcher, symmetry, squares };
    let mut report = search(&image, &Request { seed: 0, known, ..request.clone() }, &mut back)?;
    if let Some(solution) = report.solution.take() {
        match judged(level, symmetry.inverse().apply_to_lurd(&solution.lurd)) {
            Ok(solution) => report.solution = Some(solution),
            Err(refusal) => return Ok(report.without_claims_if(Some(refusal))),
        }
    }
    Ok(report)
}

/// The square of the level for every square of its image.
fn squares(image: &Board, level: &Board, back: Symmetry) -> Vec<Square> {
    let size = (image.map().height(), image.map().width());
    let of = |square| {
        let (row, column) = back.apply_to_place(image.place(square), size);
        level.square_at(row, column).unwrap_or(square)
    };
    image.squares().map(of).collect()
}

/// Carries back what a watcher sees.
struct Back<'w> {
    watcher: &'w mut dyn Watch,
    symmetry: Symmetry,
    squares: Vec<Square>,
}

impl Back<'_> {
    fn square(&self, square: Square) -> Square {
        self.squares[usize::from(square)]
    }
}

impl Watch for Back<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.watcher.progress(progress);
    }

    fn counted(&mut self, statistics: &Statistics) {
        self.watcher.counted(statistics);
    }

    fn closely(&self) -> bool {
        self.watcher.closely()
    }

    fn expanded(&mut self, state: &State, g: u32, h: u32) {
        let boxes = Bits::of(self.squares.len(), state.boxes.iter().map(|square| self.square(square)));
        self.watcher.expanded(&State { boxes, player: self.square(state.player) }, g, h);
    }

    fn raced(&mut self, race: &Race) {
        let mut race = race.clone();
        let mut visits = vec![0; race.visits.len()];
        for (&square, &count) in self.squares.iter().zip(&race.visits) {
            visits[usize::from(square)] = count;
        }
        race.visits = visits;
        for nearest in race.racers.iter_mut().filter_map(|racer| racer.nearest.as_mut()) {
            nearest.boxes.iter_mut().for_each(|square| *square = self.squares[usize::from(*square)]);
            nearest.player = self.squares[usize::from(nearest.player)];
        }
        self.watcher.raced(&race);
    }

    fn forecast(&mut self, forecast: &Forecast) {
        self.watcher.forecast(forecast);
    }

    fn found(&mut self, solution: &Solution) {
        let lurd = self.symmetry.inverse().apply_to_lurd(&solution.lurd);
        self.watcher.found(&Solution { lurd, ..solution.clone() });
    }

    fn told(&mut self) -> Option<String> {
        self.watcher.told().map(|lurd| self.symmetry.apply_to_lurd(&lurd))
    }

    fn certified(&mut self, certificate: Certificate) {
        self.watcher.certified(certificate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choices, Goal, Outcome, Proof, solve_with};
    use lurd_base::Cancel;

    /// What a watcher is shown are positions of the level, whatever image is searched.
    struct Positions<'b>(&'b Board, usize);

    impl Watch for Positions<'_> {
        fn progress(&mut self, _: &Progress) {}

        fn closely(&self) -> bool {
            true
        }

        fn expanded(&mut self, state: &State, _: u32, _: u32) {
            if self.1 == 0 {
                assert_eq!(state.boxes, State::start(self.0).boxes, "the first one is the start");
            }
            assert!(!state.boxes.contains(state.player) && state.boxes.iter().count() == self.0.start_boxes().len());
            self.1 += 1;
        }
    }

    /// Equal optima, claims and bounds for every seed; other ties, so that counts differ.
    #[test]
    fn every_image_has_the_same_optimum_and_other_ties() {
        let level = Level::parse("########\n#  .   #\n# $@$  #\n#  # . #\n#    $.#\n########").unwrap();
        let board = Board::new(&level.map).unwrap();
        let mut differs = false;
        let a_star = Choices { algorithm: Some(crate::AlgorithmName::AStar), ..Choices::default() };
        for (goal, proof) in [(Goal::Pushes, Proof::OptimalPushes), (Goal::Moves, Proof::OptimalMoves)] {
            for classic in [Choices::default(), a_star.clone()] {
                let mut counts = std::collections::BTreeSet::new();
                let mut optima = std::collections::BTreeSet::new();
                for seed in 0..8 {
                    let request = Request { goal, seed, classic: classic.clone(), ..Request::default() };
                    let mut positions = Positions(&board, 0);
                    let report = crate::watch(&level, &request, &Cancel::new(), &mut positions).unwrap();
                    assert_eq!((report.outcome, report.proof), (Outcome::Solved, proof), "{seed}");
                    let solution = report.solution.unwrap();
                    assert!(crate::check(&level, &solution.lurd).unwrap().solved);
                    optima.insert(if goal == Goal::Pushes { solution.pushes } else { solution.moves });
                    counts.insert(report.statistics.generated);
                }
                assert_eq!(optima.len(), 1, "{goal}: {optima:?}");
                differs |= counts.len() > 1;
            }
        }
        assert!(differs, "a search that looks for one solution among several breaks ties");
    }

    #[test]
    fn what_is_known_is_carried_over_and_certificates_are_refused() {
        let level = Level::parse("#######\n#@ $ .#\n#######").unwrap();
        let known = Request { seed: 5, known: Some("rRR".into()), ..Request::default() };
        let report = solve_with(&level, &known, &Cancel::new(), &mut |_| ()).unwrap();
        assert_eq!(report.solution.map(|solution| solution.lurd).as_deref(), Some("rRR"));
        let durable = Request { goal: Goal::Pushes, seed: 1, certify: true, ..Request::default() };
        assert_eq!(solve_with(&level, &durable, &Cancel::new(), &mut |_| ()).err(), Some(SolveError::SeedOfDurable));
    }
}
