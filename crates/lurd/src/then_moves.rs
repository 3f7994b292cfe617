//! Among solutions with the fewest pushes, one with the fewest moves.
//!
//! First the fewest pushes are proved, as without this second goal. Then the search for the fewest moves exhausts everything
//! that so many pushes allow, in order of pushes: on a path with the fewest pushes every zone state is reached with the
//! fewest pushes to it, so each is expanded once, with all its player arrivals. The solution of the proof, shortened in
//! moves, is the upper bound.

use crate::Request;
use crate::prove_moves::{Ticker, reason, rest, statistics};
use crate::report::{Proof, ProofProgress, Report, Solution, judged};
use crate::watch::Watch;
use lurd_base::{Budget, Limits, Stop};
use lurd_level::Level;
use lurd_prove_moves::{Ended, Prover, Settings, prover};
use lurd_rules::Board;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::push::written;
use std::sync::Arc;

/// Positions generated to shorten the solution before the search.
const SHORTEN: u64 = 200_000;

const NOT_SEARCHED: &str = "the fewest moves among solutions with the fewest pushes were not searched for: ";

/// Searches for fewer moves among solutions with the fewest pushes, if these are proved, with what is left of the budget.
pub(crate) fn refine(
    level: &Level,
    board: &Board,
    config: &Request,
    budget: &Budget,
    watcher: &mut dyn Watch,
    mut report: Report,
) -> Report {
    let (Some(mut best), true) = (report.solution.clone(), report.proof == Proof::OptimalPushes) else {
        if report.solution.is_some() {
            report.notes.push(NOT_SEARCHED.to_owned() + "the fewest pushes are not proved");
        }
        return report;
    };
    if best.pushes == 0 {
        return report;
    }
    let mut prover = match ready(board, config, &best, budget) {
        Ok(prover) => prover,
        Err(obstacle) => {
            report.stopped_by = obstacle.limit();
            report.notes.push(NOT_SEARCHED.to_owned() + obstacle.reason());
            return report;
        }
    };
    shorten(level, &mut best, budget, &mut report);
    prover.improve_on(best.moves as u32, 0);
    let spent = report.statistics.clone();
    let mut ticker = Ticker::new(watcher, budget);
    let ended =
        prover.run(u64::MAX, &rest(budget, &spent), &mut |prover| ticker.tick(prover, &spent, report.lower_bound));
    report.statistics = statistics(&*prover, &spent, budget);
    let mut faulty = false;
    if let Some(pushes) = prover.answer() {
        match judged(level, written(board, &pushes)) {
            Ok(better) if better.pushes == best.pushes && better.moves < best.moves => best = better,
            Ok(_) => faulty = true,
            Err(sentence) => {
                report.notes.push(sentence);
                faulty = true;
            }
        }
    }
    if let Ended::Stopped(stop) = ended {
        report.stopped_by = Some(stop);
    }
    report.then_proof = ProofProgress::finished_if(ended == Ended::Done && !faulty);
    report.notes.push(match ended {
        Ended::Done if !faulty => {
            format!("{} moves: no solution with as few pushes has fewer, which is proved", best.moves)
        }
        _ => {
            format!("{} moves, not proved to be the fewest among the fewest pushes when {}", best.moves, reason(ended))
        }
    });
    report.solution = Some(best);
    report
}

/// Why the search cannot begin.
enum Obstacle {
    TooLarge,
    Cancelled,
    NoTime,
    NoMemory,
}

impl Obstacle {
    fn limit(&self) -> Option<Stop> {
        match self {
            Self::TooLarge | Self::Cancelled => None,
            Self::NoTime => Some(Stop::Time),
            Self::NoMemory => Some(Stop::Memory),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::TooLarge => "the level is too large",
            Self::Cancelled => "it was cancelled",
            Self::NoTime => "no time was left",
            Self::NoMemory => "no memory was left",
        }
    }
}

/// The search of everything that so many pushes allow.
fn ready(board: &Board, config: &Request, best: &Solution, budget: &Budget) -> Result<Box<dyn Prover>, Obstacle> {
    let over = || if budget.cancel().is_cancelled() { Obstacle::Cancelled } else { Obstacle::NoTime };
    let dense = Arc::new(DenseBoard::new(board, budget).map_err(|_| over())?.ok_or(Obstacle::TooLarge)?);
    if budget.out_of_memory(8 * dense.bytes()) {
        return Err(Obstacle::NoMemory);
    }
    let settings =
        Settings { most_pushes: Some(best.pushes as u32), threads: config.threads.max(1), ..Settings::default() };
    prover(board, &dense, settings, budget).ok_or(Obstacle::TooLarge)
}

/// Shortens a solution in moves while its pushes stay the fewest, and adds the cost to the report.
fn shorten(level: &Level, best: &mut Solution, budget: &Budget, report: &mut Report) {
    let limits = Limits {
        time: budget.limits().time.map(|time| time.saturating_sub(budget.elapsed()) / 8),
        memory: budget.limits().memory.map(|memory| memory / 4),
        nodes: Some(rest(budget, &report.statistics).limits().nodes.unwrap_or(u64::MAX).min(SHORTEN)),
    };
    let short = Budget::new(limits, budget.cancel().clone());
    if let Ok(better) = lurd_improve::shorten(&level.map, &best.lurd, lurd_improve::Metric::Pushes, &short, &mut |_| ())
    {
        report.statistics.expanded += better.expanded;
        report.statistics.generated += better.generated;
        report.statistics.peak_bytes = report.statistics.peak_bytes.max(better.peak_bytes);
        *best = Solution { lurd: better.lurd, moves: better.moves, pushes: better.pushes };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, solve_with as solve};
    use lurd_base::Cancel;
    use lurd_level::Map;
    use lurd_rules::oracle::{fewest_by_pushes, levels};

    /// The fewest pushes, and among these the fewest moves, agree with brute force, and a note says that they are proved.
    #[test]
    fn pushes_then_moves_agree_with_brute_force() {
        let config = Request { goal: Goal::Pushes, then: Some(Goal::Moves), ..Request::default() };
        let mut checked = 0;
        for map in levels(76, 1_500) {
            let board = Board::new(&map).unwrap();
            let Some((pushes, moves)) = fewest_by_pushes(&board).filter(|&(pushes, _)| pushes > 0) else { continue };
            let report = solve(&Level::new(map.clone()), &config, &Cancel::new(), &mut |_| ()).unwrap();
            let solution = report.solution.expect("it can be solved");
            assert_eq!((solution.pushes as u32, solution.moves as u32), (pushes, moves), "{map}");
            assert_eq!(report.proof, Proof::OptimalPushes, "{map}");
            assert!(report.notes.iter().any(|note| note.contains("which is proved")), "{:?}\n{map}", report.notes);
            checked += 1;
        }
        assert!(checked > 100, "{checked}");
    }

    /// A solved level needs no search and gets no note.
    #[test]
    fn a_solved_level_stays_as_it_is() {
        let config = Request { goal: Goal::Pushes, then: Some(Goal::Moves), ..Request::default() };
        let level = Level::new(Map::from_xsb("#####\n#@* #\n#####").unwrap());
        let report = solve(&level, &config, &Cancel::new(), &mut |_| ()).unwrap();
        let solution = report.solution.expect("it is solved");
        assert_eq!((solution.pushes, solution.moves), (0, 0));
        assert!(!report.notes.iter().any(|note| note.contains("fewest moves")), "{:?}", report.notes);
    }

    /// Where a limit ends the search, a note says so, and nothing is claimed about the moves.
    #[test]
    fn an_unproved_second_goal_says_so() {
        let rows = "############\n#          #\n# $ $ $ $  #\n#          #\n# $ $ $ $  #\n#     @    #\n#.......   #\n#.         #\n############";
        let limits = Limits { nodes: Some(1_500_000), ..Limits::default() };
        let config = Request { goal: Goal::Pushes, then: Some(Goal::Moves), limits, ..Request::default() };
        let level = Level::new(Map::from_xsb(rows).unwrap());
        let report = solve(&level, &config, &Cancel::new(), &mut |_| ()).unwrap();
        assert!(report.solution.is_some());
        assert!(!report.notes.iter().any(|note| note.contains("which is proved")), "{:?}", report.notes);
        assert!(report.notes.iter().any(|note| note.contains("not proved") || note.contains("not searched for")));
    }
}
