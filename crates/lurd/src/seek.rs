//! Seeking short solutions beside a proof that another program does: the portfolio, then the improver.
//!
//! Programs that share no memory divide a proof like this: the first share proves, the second seeks and tells every better
//! solution through [`Watch::found`]; who proves takes it from [`Watch::told`]. There is nothing to do for a third.

use crate::report::{Outcome, Progress, Report, Solution};
use crate::watch::Watch;
use crate::{Goal, Request, SolveError};
use lurd_base::{Budget, Limits};
use lurd_improve::Metric;
use lurd_level::Level;

/// Positions of the first round of the improver; every round has twice as many.
const FIRST_ROUND: u64 = 100_000;

/// Passes on the progress of the race, and no strategies: the proof is what is watched.
struct Quiet<'a>(&'a mut dyn Watch);

impl Watch for Quiet<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }
}

/// Seeks until the limits end it or the improver has nothing left to try. A short solution is no proof, and none is claimed.
pub(crate) fn run(
    level: &Level,
    config: &Request,
    budget: &Budget,
    watcher: &mut dyn Watch,
) -> Result<Report, SolveError> {
    let any = Request { limits: config.limits, threads: config.threads, ..Request::default() };
    let mut report = crate::watch(level, &any, budget.cancel(), &mut Quiet(watcher))?;
    if report.outcome != Outcome::Solved {
        return Ok(report);
    }
    let metric = if config.goal == Goal::Moves { Metric::Moves } else { Metric::Pushes };
    let mut positions = FIRST_ROUND;
    let mut shortest = usize::MAX;
    while let Some(known) = &report.solution {
        let length = if metric == Metric::Moves { known.moves } else { known.pushes };
        if length < shortest {
            shortest = length;
            watcher.found(known);
        }
        let time = budget.limits().time.map(|time| time.saturating_sub(budget.elapsed()));
        let left = budget.limits().nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(report.statistics.generated));
        let limits = Limits { time, memory: budget.limits().memory, nodes: Some(positions.min(left)) };
        let round = Budget::new(limits, budget.cancel().clone());
        let Ok(better) = lurd_improve::shorten(&level.map, &known.lurd, metric, &round, &mut |_| ()) else { break };
        report.statistics.expanded += better.expanded;
        report.statistics.generated += better.generated;
        report.statistics.seconds = budget.elapsed().as_secs_f64();
        report.solution = Some(Solution { lurd: better.lurd, moves: better.moves, pushes: better.pushes });
        if better.exhausted || positions >= left || budget.out_of_time() || budget.cancel().is_cancelled() {
            break;
        }
        positions = positions.saturating_mul(2);
    }
    if let Some(best) = &report.solution {
        watcher.found(best);
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use crate::{Cancel, Goal, Level, Outcome, Progress, Proof, Request, Share, Solution, Watch, watch};
    use lurd_base::Limits;

    /// Keeps what is found and tells it to the next search.
    #[derive(Default)]
    struct Messenger {
        found: Vec<String>,
        told: Vec<String>,
    }

    impl Watch for Messenger {
        fn progress(&mut self, _: &Progress) {}

        fn found(&mut self, solution: &Solution) {
            self.found.push(solution.lurd.clone());
        }

        fn told(&mut self) -> Option<String> {
            self.told.pop()
        }
    }

    /// The first share proves with what the second has found; a false message changes nothing.
    #[test]
    fn a_proof_takes_what_another_share_has_found() {
        let rows = "############\n#          #\n# $ $ $ $  #\n#          #\n# $ $ $ $  #\n#     @    #\n#.......   #\n#.         #\n############";
        let level = Level::parse(rows).unwrap();
        for goal in [Goal::Pushes, Goal::Moves] {
            let limits = Limits { nodes: Some(200_000), ..Limits::default() };
            let config = |index| Request { goal, limits, share: Share::new(index, 2).unwrap(), ..Request::default() };
            let mut seeker = Messenger::default();
            let sought = watch(&level, &config(1), &Cancel::new(), &mut seeker).unwrap();
            assert_eq!((sought.outcome, sought.proof), (Outcome::Solved, Proof::None), "{goal}");
            let best = seeker.found.last().expect("a solution is found").clone();
            assert!(seeker.found.iter().all(|lurd| crate::check(&level, lurd).is_ok()), "{goal}");
            let mut prover = Messenger { told: vec![best, "rrr".into()], ..Messenger::default() };
            let proved = watch(&level, &config(0), &Cancel::new(), &mut prover).unwrap();
            assert!(proved.solution.is_some(), "{goal}: {proved:?}");
            assert!(proved.notes.iter().any(|note| note.contains("beside the proof")), "{goal}: {:?}", proved.notes);
            assert!(prover.told.is_empty(), "{goal}: messages are read");
        }
    }
}
