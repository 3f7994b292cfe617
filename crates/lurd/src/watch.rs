//! Watching a search more closely than its progress: every state it opens, every count, or who races and how.

use crate::certificate::Certificate;
use crate::report::Progress;
use lurd_prove_pushes::Forecast;
use lurd_race::observe::Race;
use lurd_rules::State;
use lurd_search::Statistics;

/// Told what a search does. What is not overridden costs nothing.
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

    /// A state was taken from the frontier.
    fn expanded(&mut self, state: &State, g: u32, h: u32) {
        let _ = (state, g, h);
    }

    /// How the race stands, just before [`progress`](Self::progress), where several searches race; then no single
    /// state is told.
    fn raced(&mut self, race: &Race) {
        let _ = race;
    }

    /// What the limit under way of a proof is expected to cost, just before [`progress`](Self::progress).
    fn forecast(&mut self, forecast: &Forecast) {
        let _ = forecast;
    }

    /// The certificate of a proof, when the work is over and one was asked for.
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
    use crate::{Config, RacerState, Report, solve_with as solve, watch};
    use lurd_level::{Level, Map};
    use lurd_rules::Board;
    use lurd_search::{Cancel, Limits};

    /// Keeps the last race it was told.
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

    /// A crowded room that keeps every strategy busy for a while.
    fn crowded() -> Level {
        level(
            "############\n#    #   . #\n#  *       #\n#     @    #\n#  *   # $ #\n#  .# $ **.#\n# $.  $.$  #\n# $*   # # #\n\
             #    #*  .##\n############",
        )
    }

    fn some_nodes() -> Config {
        Config { limits: Limits { nodes: Some(400_000), ..Limits::default() }, ..Config::default() }
    }

    fn watched(level: &Level, config: &Config) -> (Report, Race) {
        let mut spectator = Spectator::default();
        let report = watch(level, config, &Cancel::new(), &mut spectator).unwrap();
        (report, spectator.0)
    }

    /// On one thread a race goes the same whether somebody watches or not.
    #[test]
    fn watching_changes_nothing() {
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
    fn a_race_is_seen() {
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

    #[test]
    fn one_strategy_has_the_answer() {
        let easy = level("#######\n#  .  #\n# $@$ #\n#  .  #\n#######");
        let (report, race) = watched(&easy, &Config::default());
        let answered: Vec<_> = race.racers.iter().filter(|racer| racer.state == RacerState::Answered).collect();
        assert_eq!(answered.len(), 1);
        assert!(report.notes.contains(&format!("found by {}", answered[0].name)));
    }

    /// Where the level is too large for all others, the complete search is seen.
    #[test]
    fn a_large_level_is_seen() {
        let width = 800;
        let row = |inside: &str| format!("#{inside:<width$}#\n");
        let wall = "#".repeat(width + 2) + "\n";
        let rows = [row(""), row("  $ $ $  "), row(""), row("  $ $@$ $"), row("  ......."), row("")].concat();
        let (_, race) = watched(&level(&(wall.clone() + &rows + &wall)), &some_nodes());
        let complete = race.racers.iter().find(|racer| racer.name == "complete search").unwrap();
        assert!(complete.expanded > 0 && complete.nearest.as_ref().is_some_and(|nearest| nearest.boxes.len() == 7));
        assert!(race.visits.iter().any(|&visits| visits > 0));
    }
}
