//! What an answer is asked to be.

lurd_search::choices! {
    /// What an answer should be good for.
    Goal {
        Any = "any": "any solution, as soon as possible",
        Pushes = "pushes": "a solution with the fewest pushes, proved",
        Moves = "moves": "a solution with the fewest moves, proved",
    }
}
