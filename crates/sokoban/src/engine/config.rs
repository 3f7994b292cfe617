//! The choices a user has, by name.
//!
//! Every enum here lists itself (`ALL`), prints its command-line name, parses it
//! back, and says in one sentence what it is and what it promises: help texts,
//! the page and the manual are made from these.

use search::Limits;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Declares an enum of named choices.
macro_rules! choices {
    ($(#[$meta:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal : $about:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type { $($(#[$doc])* #[doc = $about] $variant,)* }

        impl $type {
            /// Every choice, in the order help lists them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it is and what it promises.
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|choice| choice.name() == text).ok_or_else(|| {
                    let names: Vec<_> = Self::ALL.iter().map(|choice| choice.name()).collect();
                    format!("there is no `{text}`; choose one of {}", names.join(", "))
                })
            }
        }
    };
}

choices! {
    /// What an answer should be good for.
    Goal {
        Any = "any": "any solution, as soon as possible",
        Pushes = "pushes": "a solution with the fewest pushes, proved",
        Moves = "moves": "a solution with the fewest moves, proved",
    }
}

choices! {
    /// The search algorithm.
    AlgorithmName {
        BreadthFirst = "breadth-first": "level by level; optimal where every action costs 1",
        UniformCost = "uniform-cost": "cheapest first (Dijkstra); optimal",
        DepthFirst = "depth-first": "straight down, each state once; not optimal",
        DepthLimited = "depth-limited": "depth-first down to --depth-limit; not optimal",
        IterativeDeepening = "iterative-deepening": "depth-first under a rising cost limit, with a table that knows depths; optimal",
        Greedy = "greedy": "nearest to the goal first, by the estimate alone; not optimal",
        AStar = "a-star": "least cost so far plus estimate first; optimal with an admissible estimate",
        WeightedAStar = "weighted-a-star": "A* with the estimate times --weight; at most that factor from optimal",
        IdaStar = "ida-star": "iterative deepening on cost plus estimate, with a table that knows depths; optimal with an admissible estimate",
        MemoryBoundedAStar = "memory-bounded-a-star": "A* up to the memory limit, then depth-first from its frontier inside that limit; optimal with an admissible estimate",
        Bidirectional = "bidirectional": "from both ends until they meet in the middle; optimal with an admissible estimate",
    }
}

choices! {
    /// What counts as one action and what it costs.
    FormulationName {
        Push = "push": "one action is a push, cost 1; positions equal up to the player's zone count as one",
        Move = "move": "one action is a step of the player, cost 1; pushes are steps too",
        Walk = "walk": "one action is a walk to a box and one push, cost its steps; counts moves like `move` with far fewer states",
    }
}

choices! {
    /// The estimate of what remains for the boxes.
    EstimateName {
        Zero = "zero": "always 0; consistent",
        NearestManhattan = "nearest-manhattan": "sum over boxes of the Manhattan distance to the nearest goal; consistent",
        NearestPush = "nearest-push": "sum over boxes of the pushes to the nearest goal on an empty board; consistent",
        GreedyMatching = "greedy-matching": "boxes and goals paired nearest first, none twice; inadmissible, so never optimal",
        Matching = "matching": "cheapest pairing of boxes and goals by pushes on an empty board; consistent",
    }
}

choices! {
    /// The player's share in the estimate (formulation `move` and `walk` only).
    PlayerTerm {
        Ids = "player-ids": "steps to the side of the nearest box, by iterative deepening; keeps the estimate admissible",
        Bfs = "player-bfs": "the same value by breadth-first search; keeps the estimate admissible",
        ClassicIds = "player-classic": "steps to the nearest box off its goal, as the A* course project had it; inadmissible",
    }
}

choices! {
    /// A rule that recognises dead positions or needless pushes.
    DetectorName {
        Corner = "corner": "a box in a corner that is no goal",
        Corridor = "corridor": "more boxes than goals in a dead-end corridor, the player outside",
        WallLine = "wall-line": "more boxes than goals along an unbroken wall from corner to corner",
        DeadSquare = "dead-square": "a box where no push leads to any goal, the player's side of it considered",
        Freeze = "freeze": "boxes that can never move again, one of them off its goal",
        Pattern = "pattern": "a 2x2 or 3x3 window that can never be cleared",
        Bipartite = "bipartite": "no way to give every box a goal of its own",
        Corral = "corral": "a PI-corral must be opened now, so other pushes wait; formulation push only",
        Tunnel = "tunnel": "a box pushed into a tunnel goes on through it; formulation push only",
    }
}

choices! {
    /// Which of two equally promising states is taken first.
    TieBreakName {
        Lifo = "lifo": "nearest to the goal by estimate, then the newest",
        Fifo = "fifo": "nearest to the goal by estimate, then the oldest",
        Inertia = "inertia": "the box pushed last goes on; then as lifo",
    }
}

/// All the choices for one run. What is `None` is chosen by the goal.
#[derive(Clone, Debug)]
pub struct Config {
    /// What the answer should be good for.
    pub goal: Goal,
    /// What decides between answers that are equally good for the goal.
    pub then: Option<Goal>,
    /// The algorithm.
    pub algorithm: Option<AlgorithmName>,
    /// The formulation.
    pub formulation: Option<FormulationName>,
    /// The estimate for the boxes.
    pub estimate: Option<EstimateName>,
    /// The estimate for the player.
    pub player_term: Option<PlayerTerm>,
    /// The detectors; `None` means all that fit the formulation.
    pub detectors: Option<Vec<DetectorName>>,
    /// The tie-break.
    pub tie_break: Option<TieBreakName>,
    /// Search backwards from the solved boards, by pulls.
    pub reverse: bool,
    /// A* turns into greedy search after this many expansions.
    pub fallback_after: Option<u64>,
    /// The weight of weighted A*.
    pub weight: f64,
    /// The limit of depth-limited search.
    pub depth_limit: u32,
    /// Limits.
    pub limits: Limits,
    /// Threads that work on one level, where the engine can use more than one.
    pub threads: usize,
    /// Whether the proof must leave a certificate that others can check (fewest pushes only).
    pub certify: bool,
    /// Where the proof keeps checkpoints, and what does not fit into memory (fewest pushes only).
    pub disk: Option<DiskChoice>,
}

/// A folder for a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskChoice {
    /// The folder; it is made if need be, and belongs to one level.
    pub folder: PathBuf,
    /// The most bytes its files may take.
    pub limit: Option<u64>,
    /// Go on with what an earlier run left there.
    pub resume: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            goal: Goal::Any,
            then: None,
            algorithm: None,
            formulation: None,
            estimate: None,
            player_term: None,
            detectors: None,
            tie_break: None,
            reverse: false,
            fallback_after: None,
            weight: 1.5,
            depth_limit: 200,
            limits: Limits::default(),
            threads: 1,
            certify: false,
            disk: None,
        }
    }
}

/// Choices that do not go together, or a level no engine can take, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);
