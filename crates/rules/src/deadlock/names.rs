//! The names of the deadlock rules.

lurd_base::choices! {
    /// A rule that recognises dead positions or restricts pushes.
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
