//! Walking a found path again.

use crate::{Cost, StateSpace, Successors};

/// What `path` costs from start state number `start`; `None` where the space no longer gives one
/// of its actions.
pub(crate) fn path_cost<S: StateSpace>(space: &mut S, start: usize, path: &[S::Action]) -> Option<Cost> {
    let mut state = space.starts().into_iter().nth(start)?;
    let mut successors = Successors::default();
    let mut cost: Cost = 0;
    for &action in path {
        successors.clear();
        space.successors(&state, &mut successors);
        let edge = successors.edges().iter().find(|edge| edge.action == action)?;
        cost = cost.saturating_add(edge.cost);
        space.apply(&mut state, action);
    }
    Some(cost)
}
