//! Two searches on the same level, and a picture of what each of them opened.

use lurd::{
    AlgorithmName, Board, Cancel, Choices, DetectorName, EstimateName, FormulationName, Goal, Level, Limits, Progress,
    Request, State, Watch,
};

/// Two searches on the same level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contest {
    /// Breadth-first search and A* with the matching estimate.
    BreadthFirstOrAStar,
    /// A* with the nearest goal by Manhattan distance and A* with the matching.
    ManhattanOrMatching,
    /// A* without and with deadlock rules.
    WithoutOrWithDeadlocks,
}

/// Positions a search of a lesson may generate.
const NODES: u64 = 2_000_000;

/// What a search opened on its way to a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchPicture {
    /// The search in words.
    pub name: &'static str,
    /// Positions it opened.
    pub expanded: u64,
    /// Pushes of the solution it found.
    pub pushes: usize,
    /// For each square of the board, in how many of these positions a box stands on it.
    pub visits: Vec<u64>,
    /// How many of these positions are so many pushes away from the start, from 0.
    pub layers: Vec<u64>,
}

impl Contest {
    /// The two searches in words.
    pub fn names(self) -> &'static [&'static str; 2] {
        match self {
            Self::BreadthFirstOrAStar => &["breadth-first search", "A* with the matching"],
            Self::ManhattanOrMatching => &["A* with the nearest goal by Manhattan distance", "A* with the matching"],
            Self::WithoutOrWithDeadlocks => &["A* that recognises no lost position", "A* with all deadlock rules"],
        }
    }

    /// Runs both searches. `None` when they are cancelled or come to no end.
    pub fn run(self, level: &Level, cancel: &Cancel) -> Option<[SearchPicture; 2]> {
        let [first, second] = self.searches();
        let [a, b] = *self.names();
        Some([picture(level, a, first, cancel)?, picture(level, b, second, cancel)?])
    }

    fn searches(self) -> [Choices; 2] {
        let choices = |algorithm, estimate, detectors| Choices {
            algorithm: Some(algorithm),
            formulation: Some(FormulationName::Push),
            estimate,
            detectors,
            ..Choices::default()
        };
        let (matching, manhattan) = (Some(EstimateName::Matching), Some(EstimateName::NearestManhattan));
        let corner = || Some(vec![DetectorName::Corner]);
        let a_star = AlgorithmName::AStar;
        match self {
            Self::BreadthFirstOrAStar => {
                [choices(AlgorithmName::BreadthFirst, None, corner()), choices(a_star, matching, corner())]
            }
            Self::ManhattanOrMatching => [choices(a_star, manhattan, corner()), choices(a_star, matching, corner())],
            Self::WithoutOrWithDeadlocks => {
                [choices(a_star, manhattan, Some(Vec::new())), choices(a_star, manhattan, None)]
            }
        }
    }
}

/// Counts what is opened.
struct Painter {
    visits: Vec<u64>,
    layers: Vec<u64>,
}

impl Watch for Painter {
    fn progress(&mut self, _: &Progress) {}

    fn closely(&self) -> bool {
        true
    }

    fn expanded(&mut self, state: &State, g: u32, _: u32) {
        for square in state.boxes.iter() {
            self.visits[usize::from(square)] += 1;
        }
        let layer = g as usize;
        if self.layers.len() <= layer {
            self.layers.resize(layer + 1, 0);
        }
        self.layers[layer] += 1;
    }
}

fn picture(level: &Level, name: &'static str, classic: Choices, cancel: &Cancel) -> Option<SearchPicture> {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let config = Request { goal: Goal::Pushes, classic, limits, ..Request::default() };
    let mut painter = Painter { visits: vec![0; Board::new(&level.map).ok()?.len()], layers: Vec::new() };
    let report = lurd::watch(level, &config, cancel, &mut painter).ok()?;
    let Painter { visits, layers } = painter;
    Some(SearchPicture { name, expanded: report.statistics.expanded, pushes: report.solution?.pushes, visits, layers })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture is of the search that is counted: every position it opened is in it, with all its boxes.
    #[test]
    fn a_picture_shows_every_position_that_was_opened() {
        let level = Level::parse("#########\n#       #\n#@$   . #\n#  $  . #\n#       #\n#########").unwrap();
        let [breadth, a_star] = Contest::BreadthFirstOrAStar.run(&level, &Cancel::new()).unwrap();
        for picture in [&breadth, &a_star] {
            assert_eq!(picture.layers.iter().sum::<u64>(), picture.expanded, "{}", picture.name);
            assert_eq!(picture.visits.iter().sum::<u64>(), 2 * picture.expanded, "{}", picture.name);
            assert_eq!(picture.layers[0], 1);
        }
        assert_eq!(breadth.pushes, a_star.pushes);
        assert!(a_star.expanded < breadth.expanded);
    }

    #[test]
    fn a_contest_can_be_stopped() {
        let cancel = Cancel::new();
        cancel.cancel();
        let level = Level::parse("#####\n#@$.#\n#####").unwrap();
        assert_eq!(Contest::ManhattanOrMatching.run(&level, &cancel), None);
    }
}
