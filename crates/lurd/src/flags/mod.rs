//! The flags that describe a search, declared once for every command that runs one.

mod choice;
mod composite;

pub use choice::{Named, choice};
pub use composite::{Detectors, Heuristic};

use crate::{memory, units};
use clap::Args;
use search::Limits;
use sokoban::engine::{AlgorithmName, Config, FormulationName, Goal, TieBreakName};
use std::time::Duration;

/// What to search for and how.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchFlags {
    /// What the solution should be good for
    #[arg(long, value_name = "GOAL", default_value = "any", value_parser = choice::<Goal>())]
    pub goal: Goal,

    /// The search algorithm [default: chosen by the goal]
    #[arg(long, value_name = "NAME", value_parser = choice::<AlgorithmName>())]
    pub algorithm: Option<AlgorithmName>,

    /// What counts as one action [default: chosen by the goal]
    #[arg(long, value_name = "NAME", value_parser = choice::<FormulationName>())]
    pub formulation: Option<FormulationName>,

    /// The estimate of what remains, with the player's share in it if wanted [default: chosen by the goal]
    #[arg(long, value_name = "NAME[+PLAYER]", value_parser = Heuristic::parser(), long_help = Heuristic::long_help())]
    pub heuristic: Option<Heuristic>,

    /// The rules that recognise dead positions: all, none, or names with commas between
    #[arg(long, value_name = "all|none|NAME,...", value_parser = Detectors::parse, long_help = Detectors::long_help())]
    pub deadlocks: Option<Detectors>,

    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print the comment as the help of every flag in the group")]
    pub tuning: TuningFlags,
}

/// Finer choices.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct TuningFlags {
    /// Which of two equally promising states is taken first
    #[arg(long, value_name = "NAME", value_parser = choice::<TieBreakName>())]
    pub tie_break: Option<TieBreakName>,

    /// Search backwards from the solved boards, by pulls
    #[arg(long)]
    pub reverse: bool,

    /// Let A* turn into greedy search after N expansions; what it finds then is not proved optimal
    #[arg(long, value_name = "N")]
    pub fallback_after: Option<u64>,

    /// The weight of weighted-a-star: solutions cost at most W times the optimum
    #[arg(long, value_name = "W", default_value_t = 1.5, value_parser = parse_weight)]
    pub weight: f64,

    /// How deep depth-limited goes
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub depth_limit: u32,
}

/// When to give up.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitFlags {
    /// Seconds for one level, decimals allowed
    #[arg(long, value_name = "SECONDS", value_parser = units::parse_seconds)]
    pub time_limit: Option<Duration>,

    /// Memory for all searches that run side by side, such as 4GiB or 512MB [default: 80 % of what is available]
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size)]
    pub memory_limit: Option<usize>,

    /// Nodes generated for one level
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,
}

impl LimitFlags {
    /// The limits of one of `side_by_side` searches that share the memory evenly.
    pub fn limits(&self, side_by_side: usize) -> Limits {
        let memory = self.memory_limit.unwrap_or_else(memory::default_limit) / side_by_side.max(1);
        Limits { time: self.time_limit, memory: Some(memory), nodes: self.node_limit }
    }
}

impl SearchFlags {
    /// The engine's configuration.
    pub fn config(&self, limits: Limits) -> Config {
        let mut config = Config {
            goal: self.goal,
            algorithm: self.algorithm,
            formulation: self.formulation,
            limits,
            ..Config::default()
        };
        if let Some(heuristic) = self.heuristic {
            heuristic.apply(&mut config);
        }
        if let Some(detectors) = &self.deadlocks {
            detectors.apply(&mut config);
        }
        self.tuning.apply(&mut config);
        config
    }
}

impl TuningFlags {
    /// Puts the choices into a configuration.
    pub fn apply(&self, config: &mut Config) {
        config.tie_break = self.tie_break;
        config.reverse = self.reverse;
        config.fallback_after = self.fallback_after;
        config.weight = self.weight;
        config.depth_limit = self.depth_limit;
    }
}

pub(crate) fn parse_weight(text: &str) -> Result<f64, String> {
    let weight = text.parse().map_err(|_| format!("`{text}` is no number; write for instance 1.5"))?;
    if f64::is_finite(weight) && weight >= 1.0 {
        Ok(weight)
    } else {
        Err(format!("a weight of {text} promises nothing; it must be 1 or more"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use sokoban::engine::{DetectorName, EstimateName, PlayerTerm};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        search: SearchFlags,
        #[command(flatten)]
        limits: LimitFlags,
    }

    fn config(line: &str) -> Result<Config, clap::Error> {
        let line = Line::try_parse_from(line.split_whitespace())?;
        Ok(line.search.config(line.limits.limits(2)))
    }

    #[test]
    fn nothing_said_leaves_everything_to_the_goal() {
        let config = config("x").unwrap();
        assert_eq!(config.goal, Goal::Any);
        assert!(config.algorithm.is_none() && config.estimate.is_none() && config.detectors.is_none());
        assert!(config.limits.memory.is_some() && config.limits.time.is_none());
    }

    #[test]
    fn every_flag_arrives_in_the_configuration() {
        let config = config(
            "x --goal moves --algorithm weighted-a-star --formulation move --heuristic nearest-push+player-bfs \
             --deadlocks corner,freeze --tie-break fifo --reverse --fallback-after 10 --weight 2.5 --depth-limit 7 \
             --time-limit 1.5 --memory-limit 2MB --node-limit 9",
        )
        .unwrap();
        assert_eq!(config.goal, Goal::Moves);
        assert_eq!(config.algorithm, Some(AlgorithmName::WeightedAStar));
        assert_eq!(config.formulation, Some(FormulationName::Move));
        assert_eq!(config.estimate, Some(EstimateName::NearestPush));
        assert_eq!(config.player_term, Some(PlayerTerm::Bfs));
        assert_eq!(config.detectors, Some(vec![DetectorName::Corner, DetectorName::Freeze]));
        assert_eq!(config.tie_break, Some(TieBreakName::Fifo));
        assert!(config.reverse);
        assert_eq!((config.fallback_after, config.weight, config.depth_limit), (Some(10), 2.5, 7));
        assert_eq!(config.limits.time, Some(Duration::from_millis(1500)));
        assert_eq!((config.limits.memory, config.limits.nodes), (Some(1_000_000), Some(9)));
    }

    #[test]
    fn nonsense_is_refused() {
        for line in [
            "x --goal best",
            "x --weight 0.5",
            "x --weight NaN",
            "x --heuristic best",
            "x --deadlocks corner,x",
            "x --time-limit -1",
        ] {
            assert!(config(line).is_err(), "{line}");
        }
    }
}
