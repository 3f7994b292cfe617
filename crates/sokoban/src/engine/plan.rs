//! What a config comes to: every open choice made, every contradiction refused.

use super::config::{
    AlgorithmName, Config, ConfigError, DetectorName, EstimateName, FormulationName, Goal, PlayerTerm, TieBreakName,
};
use super::optimal_moves;

/// After how many expansions A* turns greedy when any solution will do.
const PATIENCE: u64 = 50_000;

/// All choices made.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) algorithm: AlgorithmName,
    pub(super) formulation: FormulationName,
    pub(super) estimate: EstimateName,
    pub(super) player_term: Option<PlayerTerm>,
    /// The detectors at work.
    pub(super) detectors: Vec<DetectorName>,
    pub(super) tie_break: TieBreakName,
    pub(super) reverse: bool,
    pub(super) fallback_after: Option<u64>,
    pub(super) notes: Vec<String>,
}

fn refuse<T>(sentence: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError(sentence.into()))
}

impl Plan {
    pub(super) fn new(config: &Config) -> Result<Self, ConfigError> {
        let mut notes = Vec::new();
        let algorithm = config.algorithm.unwrap_or(AlgorithmName::AStar);
        let two_sided = algorithm == AlgorithmName::Bidirectional;
        optimal_moves::check_then(config)?;
        let formulation = choose_formulation(config, two_sided)?;
        if config.reverse && two_sided {
            return refuse("bidirectional search runs both ways already; leave out --reverse");
        }
        let player_term = config.player_term;
        if let Some(term) = player_term {
            if formulation == FormulationName::Push {
                return refuse(format!(
                    "`{term}` counts the player's steps, and formulation `push` counts only pushes; add --formulation move or walk"
                ));
            }
            if term == PlayerTerm::ClassicIds {
                notes.push("the player term `player-classic` is inadmissible: the answer is not called optimal".into());
            }
        }
        let informed = informed(algorithm);
        let estimate = config.estimate.unwrap_or(if informed { EstimateName::Matching } else { EstimateName::Zero });
        if !informed && (config.estimate.is_some_and(|name| name != EstimateName::Zero) || player_term.is_some()) {
            notes.push(format!("`{algorithm}` does not look at an estimate"));
        }
        if informed && estimate == EstimateName::GreedyMatching {
            notes.push("the estimate `greedy-matching` is inadmissible: the answer is not called optimal".into());
        }
        let detectors = choose_detectors(config, formulation, algorithm, &mut notes)?;
        let fallback_after = match (config.fallback_after, algorithm) {
            (Some(_), other) if other != AlgorithmName::AStar => {
                return refuse("--fallback-after belongs to algorithm `a-star`");
            }
            (Some(after), _) => Some(after),
            (None, AlgorithmName::AStar) if config.algorithm.is_none() && config.goal == Goal::Any => Some(PATIENCE),
            (None, _) => None,
        };
        if algorithm == AlgorithmName::WeightedAStar && !(config.weight >= 1.0 && config.weight <= 1000.0) {
            return refuse("--weight must lie between 1 and 1000");
        }
        if config.goal != Goal::Any && !optimal(algorithm, formulation) {
            notes.push(format!(
                "`{algorithm}` does not look for the fewest {}: nothing is proved about its answer",
                config.goal
            ));
        }
        // Proving an optimum goes fastest newest first; inertia helps a search that is in a hurry.
        let hurried = TieBreakName::Inertia;
        let tie_break = config.tie_break.unwrap_or(if config.goal == Goal::Any { hurried } else { TieBreakName::Lifo });
        Ok(Self {
            algorithm,
            formulation,
            estimate,
            player_term,
            detectors,
            tie_break,
            reverse: config.reverse,
            fallback_after,
            notes,
        })
    }

    /// The estimate's full name, player term included.
    pub(super) fn heuristic_name(&self) -> String {
        match self.player_term {
            Some(term) => format!("{}+{term}", self.estimate),
            None => self.estimate.to_string(),
        }
    }

    /// The detectors the space must ask itself: a matching estimate does the work of `bipartite`
    /// on the way, and counts it under that name.
    pub(super) fn asked_detectors(&self) -> Vec<DetectorName> {
        let covered = informed(self.algorithm) && self.estimate == EstimateName::Matching;
        let asked = |name: &DetectorName| !(covered && *name == DetectorName::Bipartite);
        self.detectors.iter().copied().filter(asked).collect()
    }
}

/// Whether an algorithm looks at an estimate.
pub(super) fn informed(algorithm: AlgorithmName) -> bool {
    use AlgorithmName::{BreadthFirst, DepthFirst, DepthLimited, IterativeDeepening, UniformCost};
    !matches!(algorithm, BreadthFirst | UniformCost | DepthFirst | DepthLimited | IterativeDeepening)
}

/// Whether an algorithm looks for a cheapest answer under a formulation.
pub(super) fn optimal(algorithm: AlgorithmName, formulation: FormulationName) -> bool {
    match algorithm {
        // Level by level is cheapest first only where every action costs the same.
        AlgorithmName::BreadthFirst => formulation != FormulationName::Walk,
        AlgorithmName::DepthFirst | AlgorithmName::DepthLimited | AlgorithmName::Greedy => false,
        _ => true,
    }
}

fn choose_formulation(config: &Config, two_sided: bool) -> Result<FormulationName, ConfigError> {
    let backwards = config.reverse || two_sided;
    let formulation = config.formulation.unwrap_or(match (config.goal, config.player_term) {
        (Goal::Pushes, _) | (Goal::Any, None) => FormulationName::Push,
        _ if backwards => FormulationName::Move,
        _ => FormulationName::Walk,
    });
    match (config.goal, formulation) {
        (Goal::Moves, FormulationName::Push) => refuse(
            "formulation `push` cannot find the fewest moves, because it does not count walking; use --formulation walk or move",
        ),
        (Goal::Pushes, FormulationName::Move | FormulationName::Walk) => refuse(format!(
            "formulation `{formulation}` cannot find the fewest pushes, because it counts every step; use --formulation push"
        )),
        (_, FormulationName::Walk) if backwards => refuse(
            "formulation `walk` has no backward form; use --formulation move or push for reverse and bidirectional search",
        ),
        _ => Ok(formulation),
    }
}

fn choose_detectors(
    config: &Config,
    formulation: FormulationName,
    algorithm: AlgorithmName,
    notes: &mut Vec<String>,
) -> Result<Vec<DetectorName>, ConfigError> {
    let pushes_only = |name: DetectorName| matches!(name, DetectorName::Corral | DetectorName::Tunnel);
    // A tunnel makes one action of several pushes, and breadth-first search counts actions.
    let rests = |name: DetectorName| match algorithm {
        AlgorithmName::Bidirectional => pushes_only(name),
        AlgorithmName::BreadthFirst => name == DetectorName::Tunnel,
        _ => false,
    };
    let fits = |name: DetectorName| {
        if config.reverse {
            return name == DetectorName::DeadSquare;
        }
        !rests(name) && (!pushes_only(name) || formulation == FormulationName::Push)
    };
    let Some(named) = &config.detectors else {
        return Ok(DetectorName::ALL.iter().copied().filter(|&name| fits(name)).collect());
    };
    let mut chosen = Vec::new();
    for &name in DetectorName::ALL.iter().filter(|name| named.contains(name)) {
        if fits(name) {
            chosen.push(name);
        } else if config.reverse {
            notes.push(format!("`{name}` is about pushes ahead and rests while boxes are pulled"));
        } else if rests(name) {
            notes.push(format!("`{name}` rests in `{algorithm}` search"));
        } else {
            return refuse(format!(
                "`{name}` keeps the fewest pushes but not the fewest moves; leave it out or use --formulation push"
            ));
        }
    }
    Ok(chosen)
}
