//! The complete plan of a search: defaults filled in, contradictions rejected.

use crate::names::{AlgorithmName, EstimateName, FormulationName, PlayerTerm, TieBreakName};
use crate::{ChoiceError, Choices};
use lurd_rules::Goal;
use lurd_rules::deadlock::DetectorName;

/// The number of expansions after which A* switches to greedy search if any solution is sought.
const FALLBACK_AFTER: u64 = 50_000;

/// The components of a search.
#[derive(Clone, Debug)]
pub struct Plan {
    pub algorithm: AlgorithmName,
    pub formulation: FormulationName,
    pub estimate: EstimateName,
    pub player_term: Option<PlayerTerm>,
    pub detectors: Vec<DetectorName>,
    pub tie_break: TieBreakName,
    pub reverse: bool,
    pub fallback_after: Option<u64>,
    pub weight: f64,
    pub depth_limit: u32,
    pub notes: Vec<String>,
}

impl Plan {
    pub fn new(choices: &Choices, goal: Goal) -> Result<Self, ChoiceError> {
        let mut notes = Vec::new();
        let algorithm = choices.algorithm.unwrap_or(AlgorithmName::AStar);
        let two_sided = algorithm == AlgorithmName::Bidirectional;
        let formulation = choose_formulation(choices, goal, two_sided)?;
        if choices.reverse && two_sided {
            return Err(ChoiceError::ReversedBidirectional);
        }
        let player_term = choices.player_term;
        if let Some(term) = player_term {
            if formulation == FormulationName::Push {
                return Err(ChoiceError::PlayerTermCountsSteps(term));
            }
            if term == PlayerTerm::ClassicIds {
                notes.push("the player term `player-classic` is inadmissible: the answer is not called optimal".into());
            }
        }
        let informed = informed(algorithm);
        let estimate = choices.estimate.unwrap_or(if informed { EstimateName::Matching } else { EstimateName::Zero });
        if !informed && (choices.estimate.is_some_and(|name| name != EstimateName::Zero) || player_term.is_some()) {
            notes.push(format!("`{algorithm}` does not look at an estimate"));
        }
        if informed && estimate == EstimateName::GreedyMatching {
            notes.push("the estimate `greedy-matching` is inadmissible: the answer is not called optimal".into());
        }
        let detectors = choose_detectors(choices, formulation, algorithm, &mut notes)?;
        let fallback_after = match (choices.fallback_after, algorithm) {
            (Some(_), other) if other != AlgorithmName::AStar => {
                return Err(ChoiceError::FallbackWithoutAStar);
            }
            (Some(after), _) => Some(after),
            (None, AlgorithmName::AStar) if choices.algorithm.is_none() && goal == Goal::Any => Some(FALLBACK_AFTER),
            (None, _) => None,
        };
        if algorithm == AlgorithmName::WeightedAStar && !(choices.weight >= 1.0 && choices.weight <= 1000.0) {
            return Err(ChoiceError::Weight(choices.weight));
        }
        if goal != Goal::Any && !looks_for_optimum(algorithm, formulation) {
            notes
                .push(format!("`{algorithm}` does not look for the fewest {goal}: nothing is proved about its answer"));
        }
        // LIFO proves optima fastest; inertia finds some solution fastest.
        let default = if goal == Goal::Any { TieBreakName::Inertia } else { TieBreakName::Lifo };
        let tie_break = choices.tie_break.unwrap_or(default);
        Ok(Self {
            algorithm,
            formulation,
            estimate,
            player_term,
            detectors,
            tie_break,
            reverse: choices.reverse,
            fallback_after,
            weight: choices.weight,
            depth_limit: choices.depth_limit,
            notes,
        })
    }

    /// The estimate's full name, player term included.
    pub fn heuristic_name(&self) -> String {
        match self.player_term {
            Some(term) => format!("{}+{term}", self.estimate),
            None => self.estimate.to_string(),
        }
    }

    /// The detectors that the state space evaluates: a matching heuristic finds what `bipartite` finds, and counts it
    /// under that name.
    pub fn evaluated_detectors(&self) -> Vec<DetectorName> {
        let covered = informed(self.algorithm) && self.estimate == EstimateName::Matching;
        let is_evaluated = |name: &DetectorName| !(covered && *name == DetectorName::Bipartite);
        self.detectors.iter().copied().filter(is_evaluated).collect()
    }
}

/// Whether an algorithm uses a heuristic.
pub fn informed(algorithm: AlgorithmName) -> bool {
    use AlgorithmName::{BreadthFirst, DepthFirst, DepthLimited, IterativeDeepening, UniformCost};
    !matches!(algorithm, BreadthFirst | UniformCost | DepthFirst | DepthLimited | IterativeDeepening)
}

/// Whether an algorithm searches for an optimal solution of a formulation.
pub fn looks_for_optimum(algorithm: AlgorithmName, formulation: FormulationName) -> bool {
    match algorithm {
        // Breadth-first search is optimal only for unit costs.
        AlgorithmName::BreadthFirst => formulation != FormulationName::Walk,
        AlgorithmName::DepthFirst | AlgorithmName::DepthLimited | AlgorithmName::Greedy => false,
        _ => true,
    }
}

fn choose_formulation(choices: &Choices, goal: Goal, two_sided: bool) -> Result<FormulationName, ChoiceError> {
    let backwards = choices.reverse || two_sided;
    let formulation = choices.formulation.unwrap_or(match (goal, choices.player_term) {
        (Goal::Pushes, _) | (Goal::Any, None) => FormulationName::Push,
        _ if backwards => FormulationName::Move,
        _ => FormulationName::Walk,
    });
    match (goal, formulation) {
        (Goal::Moves, FormulationName::Push) => Err(ChoiceError::MovesByPushes),
        (Goal::Pushes, FormulationName::Move | FormulationName::Walk) => Err(ChoiceError::PushesByMoves(formulation)),
        (_, FormulationName::Walk) if backwards => Err(ChoiceError::WalkBackwards),
        _ => Ok(formulation),
    }
}

fn choose_detectors(
    choices: &Choices,
    formulation: FormulationName,
    algorithm: AlgorithmName,
    notes: &mut Vec<String>,
) -> Result<Vec<DetectorName>, ChoiceError> {
    let pushes_only = |name: DetectorName| matches!(name, DetectorName::Corral | DetectorName::Tunnel);
    // A tunnel macro is one action of several pushes, and breadth-first search counts actions.
    let is_off = |name: DetectorName| match algorithm {
        AlgorithmName::Bidirectional => pushes_only(name),
        AlgorithmName::BreadthFirst => name == DetectorName::Tunnel,
        _ => false,
    };
    let fits = |name: DetectorName| {
        if choices.reverse {
            return name == DetectorName::DeadSquare;
        }
        !is_off(name) && (!pushes_only(name) || formulation == FormulationName::Push)
    };
    let Some(named) = &choices.detectors else {
        return Ok(DetectorName::ALL.iter().copied().filter(|&name| fits(name)).collect());
    };
    let mut chosen = Vec::new();
    for &name in DetectorName::ALL.iter().filter(|name| named.contains(name)) {
        if fits(name) {
            chosen.push(name);
        } else if choices.reverse {
            notes.push(format!("`{name}` is about pushes ahead and rests while boxes are pulled"));
        } else if is_off(name) {
            notes.push(format!("`{name}` rests in `{algorithm}` search"));
        } else {
            return Err(ChoiceError::DetectorLosesMoves(name));
        }
    }
    Ok(chosen)
}
