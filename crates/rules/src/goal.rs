//! The optimisation goal of a solve.

lurd_base::choices! {
    /// What a solution is optimised for.
    Goal {
        Any = "any": "any solution, as soon as possible",
        Pushes = "pushes": "a solution with the fewest pushes, proved",
        Moves = "moves": "a solution with the fewest moves, proved",
    }
}
