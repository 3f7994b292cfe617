//! Depth-limited search, iterative deepening and IDA* (Korf 1985).
//!
//! Iterative deepening repeats a depth-first search under a rising bound on path cost, IDA*
//! on path cost + estimate; the next bound is the smallest value met beyond the last one, so
//! with an admissible estimate every bound is a lower bound of the solution, and the first
//! solution found below one is cheapest.

use crate::bounded::{Bounded, Measure};
use crate::claims::Claims;
use crate::meter::Meter;
use crate::{Cost, Heuristic, Observer, Outcome, StateSpace, Verdict};
use lurd_base::{Budget, Halt, Stop};

/// Searches under rising bounds, or under the one bound `limit`.
pub(crate) fn deepening<S: StateSpace, H: Heuristic<S>, O: Observer<S>>(
    measure: Measure,
    limit: Option<Cost>,
    space: &mut S,
    heuristic: &mut H,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<S::Action> {
    let mut meter = Meter::new(budget, space.reasons(), heuristic.dead_reason());
    let verdict = deepen(measure, limit, space, heuristic, observer, &mut meter).unwrap_or_else(Verdict::from);
    meter.finish(verdict, heuristic)
}

/// The iterations, on a meter that may have counted before.
pub(crate) fn deepen<S: StateSpace, H: Heuristic<S>, O: Observer<S>>(
    measure: Measure,
    limit: Option<Cost>,
    space: &mut S,
    heuristic: &mut H,
    observer: &mut O,
    meter: &mut Meter<'_>,
) -> Result<Verdict<S::Action>, Halt> {
    let informed = measure == Measure::Sum;
    let claims = if informed { Claims::informed(space, heuristic) } else { Claims::uninformed(space) };
    let starts = space.starts();
    let mut roots: Vec<(usize, Cost)> = Vec::new();
    for (start, state) in starts.iter().enumerate() {
        match if informed { heuristic.estimate(space, state) } else { Some(0) } {
            Some(h) => roots.push((start, h)),
            None => meter.dead()?,
        }
    }
    let Some(lowest) = roots.iter().map(|root| root.1).min() else { return Ok(claims.nothing_found()) };
    let mut bound = limit.unwrap_or(lowest);
    let mut key = vec![0; space.key_words()];
    let mut search = Bounded::new(measure, &starts[0], (space, heuristic, observer), meter, None);
    loop {
        if claims.bounds && limit.is_none() {
            search.meter.raise(bound, search.observer);
        }
        search.observer.iteration(bound);
        search.begin();
        let mut skipped = false;
        for &(start, h) in &roots {
            if h > bound {
                search.beyond(h);
                skipped = true;
                continue;
            }
            search.space.pack(&starts[start], &mut key);
            if let Some(cost) = search.explore(&key, (0, h), bound)? {
                let proof = claims.proof(cost, search.meter.lower(), None);
                return Ok(Verdict::Solved { path: search.path(), cost, start, proof });
            }
        }
        match search.next {
            Some(_) if limit.is_some() && !search.is_complete() => return Err(Halt::Limit(Stop::Depth)),
            Some(next) if skipped || !search.is_complete() => bound = next,
            _ => return Ok(claims.nothing_found()),
        }
    }
}
