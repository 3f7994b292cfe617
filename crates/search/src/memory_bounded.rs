//! A* that goes on when its memory is full.
//!
//! After MREC (Sen and Bagchi 1989): A* runs until three quarters of the memory are used.
//! Then its nodes stay as they are, and a depth-first search with a rising bound goes on from
//! every state of its frontier, in order of path cost + estimate. A state that A* knows at no
//! higher cost is skipped there: A* expanded it, or it is in the frontier itself. Of all
//! cheapest paths and frontier states on them (at their true cost), take the one with the
//! fewest actions left: beyond that state the path meets no state that is skipped so, hence
//! the first bound that reaches the cheapest cost finds it. So the answer stays optimal.

use crate::best_first::{BestFirst, Plan, Rule};
use crate::bounded::{Bounded, Measure};
use crate::claims::Claims;
use crate::deepening::deepen;
use crate::meter::Meter;
use crate::nodes::Nodes;
use crate::trace::path_cost;
use crate::weight::Weight;
use crate::{Cost, Heuristic, Observer, Outcome, StateSpace, TieBreak, Verdict};
use lurd_base::{Budget, Halt, Stop};

/// Runs A* inside the memory limit.
pub(crate) fn memory_bounded<S: StateSpace, H: Heuristic<S>, O: Observer<S>>(
    tie_break: TieBreak,
    space: &mut S,
    heuristic: &mut H,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<S::Action> {
    let claims = Claims::informed(space, heuristic);
    let starts = space.starts();
    let Some(any) = starts.first() else {
        return Meter::new(budget, &[], heuristic.dead_reason()).finish(claims.nothing_found(), heuristic);
    };
    let plan = Plan { rule: Rule::Sum(Weight::ONE), tie_break, fallback_after: None };
    let mut engine = BestFirst::new(plan, any, space, heuristic, budget, observer);
    let whole = engine.meter.allowance;
    engine.meter.allowance = whole / 4 * 3;
    let ending = engine.run(&starts);
    if ending != Err(Halt::Limit(Stop::Memory)) {
        return engine.finish(ending);
    }
    let seeded = engine.is_seeded();
    let (nodes, mut meter) = engine.into_parts();
    meter.allowance = whole;
    let verdict = if seeded {
        meter.notes.push(format!(
            "The memory bound was reached after {} nodes; the search went on depth-first from their frontier, under a rising bound.",
            nodes.arena.len()
        ));
        descend_from_frontier(&nodes, claims, any, (space, heuristic, observer), &mut meter)
    } else {
        drop(nodes);
        meter.notes.push(
            "The memory bound was reached after 0 nodes; the search went depth-first from the start, under a rising bound."
                .to_string(),
        );
        deepen(Measure::Sum, None, space, heuristic, observer, &mut meter)
    };
    meter.finish(verdict.unwrap_or_else(Verdict::from), heuristic)
}

fn descend_from_frontier<S: StateSpace, H: Heuristic<S>, O: Observer<S>>(
    nodes: &Nodes<S::Action>,
    claims: Claims,
    any: &S::State,
    (space, heuristic, observer): (&mut S, &mut H, &mut O),
    meter: &mut Meter<'_>,
) -> Result<Verdict<S::Action>, Halt> {
    let arena = &nodes.arena;
    let Some(lowest) = next_sum(nodes, 0) else { return Ok(claims.nothing_found()) };
    let mut bound = meter.lower().map_or(lowest, |lower| lower.max(lowest));
    let mut search = Bounded::new(Measure::Sum, any, (space, heuristic, observer), meter, Some(nodes));
    loop {
        if claims.bounds {
            search.meter.raise(bound, search.observer);
        }
        search.observer.iteration(bound);
        search.begin();
        // Passes over the arena, one for each sum, cost no memory; a sorted list of the frontier would.
        let mut sum = Some(lowest);
        while let Some(f) = sum.filter(|&f| f <= bound) {
            for tip in arena.frontier().filter(|&tip| arena.f(tip) == f) {
                if let Some(g) = search.explore(arena.key(tip), (arena.g(tip), arena.h(tip)), bound)? {
                    let (mut path, start) = arena.path(tip);
                    path.extend(search.path());
                    // A node on the way to the tip may have become cheaper after the tip was made.
                    let cost = path_cost(search.space, start, &path).map_or(g, |cost| cost.min(g));
                    let proof = claims.proof(cost, search.meter.lower(), None);
                    return Ok(Verdict::Solved { path, cost, start, proof });
                }
            }
            sum = f.checked_add(1).and_then(|above| next_sum(nodes, above));
        }
        let skipped = sum.is_some();
        if let Some(f) = sum {
            search.beyond(f);
        }
        match search.next {
            Some(next) if skipped || !search.is_complete() => bound = next,
            _ => return Ok(claims.nothing_found()),
        }
    }
}

/// The smallest sum in the frontier that is not below `least`.
fn next_sum<A: Copy>(nodes: &Nodes<A>, least: Cost) -> Option<Cost> {
    nodes.arena.frontier().map(|id| nodes.arena.f(id)).filter(|&f| f >= least).min()
}
