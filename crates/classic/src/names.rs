//! The names of the choices of the classic engine.

use lurd_base::choices;

choices! {
    /// The search algorithm.
    AlgorithmName {
        BreadthFirst = "breadth-first": "level by level; optimal where every action costs 1",
        UniformCost = "uniform-cost": "cheapest first (Dijkstra); optimal",
        DepthFirst = "depth-first": "straight down, each state once; not optimal",
        DepthLimited = "depth-limited": "depth-first down to a limit on the depth; not optimal",
        IterativeDeepening = "iterative-deepening": "depth-first under a rising cost limit, with a table that knows depths; optimal",
        Greedy = "greedy": "nearest to the goal first, by the estimate alone; not optimal",
        AStar = "a-star": "least cost so far plus estimate first; optimal with an admissible estimate",
        WeightedAStar = "weighted-a-star": "A* with the estimate times a weight; at most that factor from optimal",
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
        ManhattanMatching = "manhattan-matching": "cheapest pairing of boxes and goals by Manhattan distance; consistent",
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
    /// Which of two equally promising states is taken first.
    TieBreakName {
        Lifo = "lifo": "nearest to the goal by estimate, then the newest",
        Fifo = "fifo": "nearest to the goal by estimate, then the oldest",
        Inertia = "inertia": "the box pushed last goes on; then as lifo",
    }
}
