//! Which searches a comparison consists of.

use super::Preset;
use lurd::{
    AlgorithmName, Choices, DetectorName, EstimateName, FormulationName, Heuristic, PlayerTerm, Request, RuleSet,
};

/// One search of a comparison.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The comparison it belongs to; its first search is what the others are measured by.
    pub(super) group: &'static str,
    pub(super) request: Request,
}

impl Run {
    fn new(
        group: &'static str,
        algorithm: AlgorithmName,
        formulation: FormulationName,
        heuristic: Heuristic,
        rules: RuleSet,
    ) -> Self {
        let classic = Choices {
            algorithm: Some(algorithm),
            formulation: Some(formulation),
            estimate: Some(heuristic.estimate),
            player_term: heuristic.player,
            detectors: rules.0,
            ..Choices::default()
        };
        Self { group, request: Request { classic, ..Request::default() } }
    }

    /// The deadlock rules.
    pub(super) fn rules(&self) -> RuleSet {
        RuleSet(self.request.classic.detectors.clone())
    }

    /// The algorithm, the formulation, the heuristic and the deadlock rules by name.
    pub(super) fn choices(&self) -> [String; 4] {
        let [algorithm, formulation, heuristic] =
            ["algorithm", "formulation", "heuristic"].map(|name| self.request.words(name));
        [algorithm, formulation, heuristic, self.rules().to_string()]
    }

    /// The rules by name, or those that are left out where these are fewer: for tables.
    pub(super) fn rules_in_short(&self) -> String {
        match self.rules().0 {
            Some(some) if 2 * some.len() > DetectorName::ALL.len() => {
                let left: Vec<&str> =
                    DetectorName::ALL.iter().filter(|name| !some.contains(name)).map(|name| name.name()).collect();
                if left.is_empty() { "all".to_owned() } else { format!("all but {}", left.join(", ")) }
            }
            rules => RuleSet(rules).to_string(),
        }
    }

    /// The choices in a few words.
    pub(super) fn label(&self) -> String {
        let [algorithm, formulation, heuristic, rules] = self.choices();
        format!("{algorithm} {formulation} {heuristic}, deadlocks {rules}")
    }
}

fn boxes_only(estimate: EstimateName) -> Heuristic {
    Heuristic { estimate, player: None }
}

/// The searches of a ready-made comparison.
pub(super) fn preset(preset: Preset) -> Vec<Run> {
    let group = preset.name();
    match preset {
        Preset::Algorithms => {
            let run = |&algorithm: &AlgorithmName| {
                let estimate = if is_blind(algorithm) { EstimateName::Zero } else { EstimateName::Matching };
                Run::new(group, algorithm, FormulationName::Push, boxes_only(estimate), RuleSet::default())
            };
            with_equal_detectors(AlgorithmName::ALL.iter().map(run).collect())
        }
        Preset::Heuristics => heuristics(),
        Preset::Detectors => {
            // Without an estimate, whose "dead" would do part of the detectors' work.
            let alone = DetectorName::ALL.iter().map(|&detector| RuleSet::these(vec![detector]));
            std::iter::once(RuleSet::none())
                .chain(alone)
                .chain([RuleSet::default()])
                .map(|detectors| {
                    let zero = boxes_only(EstimateName::Zero);
                    Run::new(group, AlgorithmName::UniformCost, FormulationName::Push, zero, detectors)
                })
                .collect()
        }
        Preset::PlayerTerm => [PlayerTerm::Ids, PlayerTerm::Bfs]
            .into_iter()
            .map(|player| {
                let heuristic = Heuristic { estimate: EstimateName::NearestManhattan, player: Some(player) };
                Run::new(group, AlgorithmName::AStar, FormulationName::Move, heuristic, RuleSet::default())
            })
            .collect(),
    }
}

/// Gives each search the detectors that all of them can use, so that nothing but what is compared differs. `tunnel`, for one,
/// joins pushes into one action, and breadth-first search counts actions; from both ends there is no `corral`.
fn with_equal_detectors(mut runs: Vec<Run>) -> Vec<Run> {
    let sets: Vec<Vec<&str>> =
        runs.iter().filter_map(|run| lurd::explain(&run.request).ok()).map(|told| told.detectors).collect();
    let by_all = |name: &&DetectorName| sets.iter().all(|set| set.contains(&name.name()));
    let common: Vec<DetectorName> = DetectorName::ALL.iter().filter(by_all).copied().collect();
    if sets.iter().any(|set| set.len() > common.len()) {
        for run in &mut runs {
            run.request.classic.detectors = Some(common.clone());
        }
    }
    runs
}

/// Whether an algorithm looks at no estimate.
fn is_blind(algorithm: AlgorithmName) -> bool {
    matches!(
        algorithm,
        AlgorithmName::BreadthFirst
            | AlgorithmName::UniformCost
            | AlgorithmName::DepthFirst
            | AlgorithmName::DepthLimited
            | AlgorithmName::IterativeDeepening
    )
}

/// Each estimate counting pushes; then one of them counting moves, without and with the player's
/// share. Pushes and moves are two comparisons: their node counts say nothing about each other.
fn heuristics() -> Vec<Run> {
    let run = |group, formulation, heuristic| {
        Run::new(group, AlgorithmName::AStar, formulation, heuristic, RuleSet::default())
    };
    let pushes =
        EstimateName::ALL.iter().map(|&estimate| run("heuristics", FormulationName::Push, boxes_only(estimate)));
    let shares = std::iter::once(None).chain(PlayerTerm::ALL.iter().copied().map(Some));
    let moves = shares.map(|player| {
        run("heuristics-moves", FormulationName::Move, Heuristic { estimate: EstimateName::NearestManhattan, player })
    });
    pushes.chain(moves).collect()
}

/// Every combination of what the user listed; a list left out has one entry.
pub(super) fn listed(
    formulation: FormulationName,
    algorithms: &[AlgorithmName],
    heuristics: &[Heuristic],
    deadlocks: &[RuleSet],
) -> Vec<Run> {
    let algorithms = if algorithms.is_empty() { &[AlgorithmName::AStar] } else { algorithms };
    let heuristics = if heuristics.is_empty() { &[boxes_only(EstimateName::Matching)] } else { heuristics };
    let deadlocks = if deadlocks.is_empty() { &[RuleSet(None)] } else { deadlocks };
    let mut runs = Vec::new();
    for &algorithm in algorithms {
        for &heuristic in heuristics {
            for detectors in deadlocks {
                runs.push(Run::new("listed", algorithm, formulation, heuristic, detectors.clone()));
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detectors_are_compared_off_alone_and_together() {
        let runs = preset(Preset::Detectors);
        assert_eq!(runs.len(), DetectorName::ALL.len() + 2);
        assert_eq!(runs[0].request.classic.detectors, Some(Vec::new()));
        assert_eq!(runs[1].request.classic.detectors, Some(vec![DetectorName::ALL[0]]));
        assert_eq!(runs.last().unwrap().request.classic.detectors, None);
        assert!(runs.iter().all(|run| run.request.classic.estimate == Some(EstimateName::Zero)));
    }

    /// Where anything but detectors is compared, the searches of a group have the same ones.
    #[test]
    fn detectors_are_equal_where_something_else_is_compared() {
        for one in [Preset::Algorithms, Preset::Heuristics, Preset::PlayerTerm] {
            let runs = preset(one);
            for run in &runs {
                let first = runs.iter().find(|first| first.group == run.group).unwrap();
                let detectors = |run: &Run| lurd::explain(&run.request).unwrap().detectors;
                assert_eq!(detectors(run), detectors(first), "{}", run.label());
            }
        }
        let runs = preset(Preset::Algorithms);
        assert_eq!(runs[0].rules_in_short(), "all but corral, tunnel");
    }

    #[test]
    fn the_players_share_differs_in_nothing_else() {
        let runs = preset(Preset::PlayerTerm);
        assert_eq!(
            runs.iter().map(|run| run.request.classic.player_term).collect::<Vec<_>>(),
            [Some(PlayerTerm::Ids), Some(PlayerTerm::Bfs)]
        );
        assert!(runs.iter().all(|run| run.request.classic.formulation == Some(FormulationName::Move)));
    }

    #[test]
    fn lists_are_combined() {
        let algorithms = [AlgorithmName::AStar, AlgorithmName::Greedy];
        let deadlocks = [RuleSet::default(), RuleSet::none()];
        assert_eq!(listed(FormulationName::Push, &algorithms, &[], &deadlocks).len(), 4);
        assert_eq!(listed(FormulationName::Push, &[], &[], &[]).len(), 1);
    }
}
