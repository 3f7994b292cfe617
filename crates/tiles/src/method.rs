//! The algorithms by name.

use lurd_search::Algorithm;
use std::fmt;

/// An algorithm of the search core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// From the start.
    Forward(Algorithm),
    /// From both ends until they meet in the middle.
    Bidirectional,
}

/// What some algorithms need to be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The weight of weighted A*.
    pub weight: f64,
    /// The limit of depth-limited search.
    pub depth_limit: u32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { weight: 1.5, depth_limit: 50 }
    }
}

impl Method {
    pub const A_STAR: Self = Self::Forward(Algorithm::AStar { fallback_after: None });
    pub const UNIFORM_COST: Self = Self::Forward(Algorithm::UniformCost);
    pub const IDA_STAR: Self = Self::Forward(Algorithm::IdaStar);

    /// Every algorithm, in the order help lists them.
    pub fn all(parameters: &Parameters) -> [Self; 11] {
        [
            Self::Forward(Algorithm::BreadthFirst),
            Self::UNIFORM_COST,
            Self::Forward(Algorithm::DepthFirst),
            Self::Forward(Algorithm::DepthLimited(parameters.depth_limit)),
            Self::Forward(Algorithm::IterativeDeepening),
            Self::Forward(Algorithm::Greedy),
            Self::A_STAR,
            Self::Forward(Algorithm::WeightedAStar(parameters.weight)),
            Self::IDA_STAR,
            Self::Forward(Algorithm::MemoryBoundedAStar),
            Self::Bidirectional,
        ]
    }

    pub fn named(name: &str, parameters: &Parameters) -> Result<Self, String> {
        let all = Self::all(parameters);
        all.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let names = all.map(Self::name).join(", ");
            format!("there is no algorithm `{name}`; choose one of {names}")
        })
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward(algorithm) => match algorithm {
                Algorithm::BreadthFirst => "breadth-first",
                Algorithm::UniformCost => "uniform-cost",
                Algorithm::DepthFirst => "depth-first",
                Algorithm::DepthLimited(_) => "depth-limited",
                Algorithm::IterativeDeepening => "iterative-deepening",
                Algorithm::Greedy => "greedy",
                Algorithm::AStar { .. } => "a-star",
                Algorithm::WeightedAStar(_) => "weighted-a-star",
                Algorithm::IdaStar => "ida-star",
                Algorithm::MemoryBoundedAStar => "memory-bounded-a-star",
            },
            Self::Bidirectional => "bidirectional",
        }
    }

    /// Whether it asks an estimate at all.
    pub fn asks_estimate(self) -> bool {
        match self {
            Self::Forward(algorithm) => algorithm.asks_estimate(),
            Self::Bidirectional => true,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_algorithm() {
        let parameters = Parameters { weight: 2.0, depth_limit: 7 };
        for method in Method::all(&parameters) {
            assert_eq!(Method::named(method.name(), &parameters), Ok(method));
        }
        assert!(Method::named("astar", &parameters).unwrap_err().contains("a-star"));
    }
}
