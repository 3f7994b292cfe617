//! Observing a search more closely than by its progress: expanded states, counts, or the strategies of a race.

use crate::certificate::Certificate;
use crate::report::{Progress, Solution};
use lurd_prove_pushes::Forecast;
use lurd_race::observe::Race;
use lurd_rules::State;
use lurd_search::Statistics;

/// Observes a search. What is not overridden costs nothing.
///
/// ```
/// use lurd::{Level, Progress, Solver, Watch};
///
/// struct Memory(usize);
/// impl Watch for Memory {
///     fn progress(&mut self, progress: &Progress) {
///         self.0 = self.0.max(progress.bytes);
///     }
/// }
///
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let mut memory = Memory(0);
/// assert!(Solver::new().watch(&level, &mut memory)?.solution.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Watch {
    /// Called a few times a second.
    fn progress(&mut self, progress: &Progress);

    /// The full counts, just before [`progress`](Self::progress), where the engine keeps them.
    fn counted(&mut self, statistics: &Statistics) {
        let _ = statistics;
    }

    /// Whether [`expanded`](Self::expanded) and [`raced`](Self::raced) are wanted. Asked once, before the search.
    fn closely(&self) -> bool {
        false
    }

    /// A state was taken from the open list.
    fn expanded(&mut self, state: &State, g: u32, h: u32) {
        let _ = (state, g, h);
    }

    /// The state of the race, just before [`progress`](Self::progress), where several strategies race; then
    /// [`expanded`](Self::expanded) is not called.
    fn raced(&mut self, race: &Race) {
        let _ = race;
    }

    /// The expected cost of the current limit of a proof, just before [`progress`](Self::progress).
    fn forecast(&mut self, forecast: &Forecast) {
        let _ = forecast;
    }

    /// A solution, better than those before it, that another program may use for its proof: see [`Request::share`](crate::Request).
    fn found(&mut self, solution: &Solution) {
        let _ = solution;
    }

    /// The moves of a solution that another program has found since this was last asked. It is replayed before it counts.
    fn told(&mut self) -> Option<String> {
        None
    }

    /// The certificate of a proof, at the end and if one was requested.
    fn certified(&mut self, certificate: Certificate) {
        let _ = certificate;
    }
}

/// Progress alone.
pub(crate) struct Ticks<'p>(pub(crate) &'p mut dyn FnMut(&Progress));

impl Watch for Ticks<'_> {
    fn progress(&mut self, progress: &Progress) {
        (self.0)(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RacerState, Report, Request, Share, solve_with as solve, watch};
    use lurd_base::{Cancel, Limits};
    use lurd_level::{Level, Map};
    use lurd_rules::Board;

    /// Keeps the last race.
    #[derive(Default)]
    struct Spectator(Race);

    impl Watch for Spectator {
        fn progress(&mut self, _: &Progress) {}

        fn closely(&self) -> bool {
            true
        }

        fn raced(&mut self, race: &Race) {
            self.0 = race.clone();
        }
    }

    fn level(rows: &str) -> Level {
        Level::new(Map::from_xsb(rows).unwrap())
    }

    /// A crowded room that takes every strategy a while.
    /// Rows of a level that no strategy solves in some hundred thousand positions.
    const CROWDED: [&str; 12] = [
        "############",
        "#  $ .  #  #",
        "#$ $$.$  # #",
        "#  .  $ *  #",
        "# * ## #+  #",
        "#.    $ #  #",
        "# *   $$.. #",
        "#        $.#",
        "##    .    #",
        "#    ## $  #",
        "#  .   .   #",
        "############",
    ];

    fn crowded() -> Level {
        level(&CROWDED.join("\n"))
    }

    fn some_nodes() -> Request {
        Request { limits: Limits { nodes: Some(400_000), ..Limits::default() }, ..Request::default() }
    }

    fn watched(level: &Level, config: &Request) -> (Report, Race) {
        let mut spectator = Spectator::default();
        let report = watch(level, config, &Cancel::new(), &mut spectator).unwrap();
        (report, spectator.0)
    }

    /// On one thread an observed race is the same as an unobserved one.
    #[test]
    fn observing_changes_nothing() {
        let plain = solve(&crowded(), &some_nodes(), &Cancel::new(), &mut |_| {}).unwrap();
        let (report, _) = watched(&crowded(), &some_nodes());
        let counts = |report: &Report| {
            let statistics = &report.statistics;
            (statistics.expanded, statistics.generated, statistics.duplicates, statistics.pruned.clone())
        };
        assert_eq!(counts(&plain), counts(&report));
        assert_eq!(plain.solution, report.solution);
        assert!(!report.statistics.pruned.is_empty());
    }

    #[test]
    fn a_race_is_observed() {
        let (report, race) = watched(&crowded(), &some_nodes());
        let board = Board::new(&crowded().map).unwrap();
        let sum = |count: fn(&crate::Racer) -> u64| race.racers.iter().map(count).sum::<u64>();
        assert_eq!(sum(|racer| racer.expanded), report.statistics.expanded);
        assert_eq!(sum(|racer| racer.generated), report.statistics.generated);
        assert!(race.racers.iter().any(|racer| racer.state == RacerState::Waiting));
        assert_eq!(race.visits.len(), board.len());
        assert!(race.visits.iter().sum::<u64>() <= report.statistics.expanded);
        assert!(race.visits.iter().filter(|&&visits| visits > 0).count() > board.len() / 2);
        for racer in &race.racers {
            let Some(nearest) = &racer.nearest else { continue };
            assert_eq!(nearest.boxes.len(), board.goals().len(), "{}", racer.name);
            assert!(!nearest.boxes.contains(&nearest.player), "{}", racer.name);
        }
        assert!(race.racers.iter().filter_map(|racer| racer.nearest.as_ref()).any(|nearest| !nearest.backwards));
        assert!(race.racers.iter().filter_map(|racer| racer.nearest.as_ref()).any(|nearest| nearest.backwards));
    }

    /// Programs that share no memory can divide a race: every strategy runs in one of them, and each finds answers.
    #[test]
    fn shares_of_a_race_make_the_whole() {
        let names = |share| {
            let (_, race) = watched(&crowded(), &Request { share, ..some_nodes() });
            race.racers.iter().map(|racer| racer.name).collect::<Vec<_>>()
        };
        let mut whole = names(Share::default());
        let mut parts: Vec<&str> = (0..3).flat_map(|index| names(Share::new(index, 3).unwrap())).collect();
        whole.sort_unstable();
        parts.sort_unstable();
        assert_eq!(whole, parts);
        let easy = level("#######\n#  .  #\n# $@$ #\n#  .  #\n#######");
        for index in 0..3 {
            let config = Request { share: Share::new(index, 3).unwrap(), ..Request::default() };
            let (report, race) = watched(&easy, &config);
            assert!(report.solution.is_some() && race.racers.len() < whole.len(), "share {index}");
        }
    }

    #[test]
    fn one_strategy_has_the_answer() {
        let easy = level("#######\n#  .  #\n# $@$ #\n#  .  #\n#######");
        let (report, race) = watched(&easy, &Request::default());
        let answered: Vec<_> = race.racers.iter().filter(|racer| racer.state == RacerState::Answered).collect();
        assert_eq!(answered.len(), 1);
        assert!(report.notes.contains(&format!("found by {}", answered[0].name)));
    }

    /// Where the level is too large for all others, the complete search is observed.
    #[test]
    fn a_race_on_a_large_level_is_observed() {
        // The crowded one with a corridor of 800 squares: too large for the tables of the dense searches.
        let mut rows = CROWDED.map(|row| format!("{row}{}", "#".repeat(800)));
        rows[1] = format!("{}{}#", &CROWDED[1][..11], " ".repeat(800));
        let (_, race) = watched(&level(&rows.join("\n")), &some_nodes());
        assert!(race.racers.iter().any(|racer| racer.name == "complete search"), "{race:?}");
        let seen = |racer: &crate::Racer| racer.nearest.as_ref().is_some_and(|nearest| nearest.boxes.len() == 14);
        assert!(race.racers.iter().any(|racer| racer.expanded > 0 && seen(racer)), "{race:?}");
        assert!(race.visits.iter().any(|&visits| visits > 0));
    }
}
