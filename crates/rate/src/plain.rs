//! What textbook searches need for a level: the effort of a program without ideas.

use lurd::{
    AlgorithmName, Cancel, Choices, DetectorName, EstimateName, FormulationName, Goal, Level, Limits, Outcome, Request,
};
use serde::Serialize;
use utoipa::ToSchema;

/// What a search needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SearchCost)]
pub struct Cost {
    /// Positions expanded.
    pub expanded: u64,
    /// Whether it came to an end within its limit.
    pub finished: bool,
}

/// Breadth-first search over pushes that recognises no lost position.
pub fn breadth_first(level: &Level, nodes: u64, cancel: &Cancel) -> Option<Cost> {
    let choices = Choices { algorithm: Some(AlgorithmName::BreadthFirst), detectors: Some(Vec::new()), ..pushes() };
    cost(level, choices, nodes, cancel)
}

/// A* as a student writes it first: each box to the nearest goal by Manhattan distance, and boxes in corners are lost.
pub fn student_a_star(level: &Level, nodes: u64, cancel: &Cancel) -> Option<Cost> {
    let choices = Choices {
        algorithm: Some(AlgorithmName::AStar),
        estimate: Some(EstimateName::NearestManhattan),
        detectors: Some(vec![DetectorName::Corner]),
        ..pushes()
    };
    cost(level, choices, nodes, cancel)
}

fn pushes() -> Choices {
    Choices { formulation: Some(FormulationName::Push), ..Choices::default() }
}

fn cost(level: &Level, classic: Choices, nodes: u64, cancel: &Cancel) -> Option<Cost> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let config = Request { goal: Goal::Pushes, classic, limits, ..Request::default() };
    let report = lurd::solve_with(level, &config, cancel, &mut |_| ()).ok()?;
    let finished = matches!(report.outcome, Outcome::Solved | Outcome::Unsolvable);
    Some(Cost { expanded: report.statistics.expanded, finished })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_opens_less_and_limits_hold() {
        let level = Level::parse("########\n#      #\n#@$  . #\n# $  . #\n#      #\n########").unwrap();
        let breadth = breadth_first(&level, 1 << 20, &Cancel::new()).unwrap();
        let a_star = student_a_star(&level, 1 << 20, &Cancel::new()).unwrap();
        assert!(breadth.finished && a_star.finished && a_star.expanded < breadth.expanded, "{breadth:?} {a_star:?}");
        let cut = breadth_first(&level, 20, &Cancel::new()).unwrap();
        assert!(!cut.finished && cut.expanded <= 20);
    }
}
