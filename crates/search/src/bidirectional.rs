//! Bidirectional heuristic search that meets in the middle: MM (Holte, Felner, Sharon,
//! Sturtevant 2016).
//!
//! Each side expands by max(g + h, 2 g), so that neither goes beyond half the cheapest cost.
//! A solution of cost U found so far is cheapest as soon as U is no more than the largest of:
//! the smallest priority of both sides, the smallest g + h of either, and the smallest g of
//! both together plus the cheapest action. Without estimates this is bidirectional
//! uniform-cost search. States are taken up again when a cheaper way to them appears, so
//! estimates need not be consistent.

use std::collections::BTreeMap;

use crate::arena::NodeId;
use crate::claims::Claims;
use crate::meter::Meter;
use crate::nodes::Nodes;
use crate::queue::{Order, Queue};
use crate::table::Lookup;
use crate::trace::path_cost;
use crate::{Cost, Heuristic, Observer, Outcome, StateSpace, Successors, Verdict};
use lurd_base::{Budget, Halt, Stop};

/// The cheapest an action can be.
const CHEAPEST: Cost = 1;

/// The two halves of a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting<F, B> {
    /// From the forward start to the state where the sides met.
    pub forward: Vec<F>,
    /// From the backward start to the same state, in the order the backward search took them.
    pub backward: Vec<B>,
    /// Which of the backward space's start states that is.
    pub backward_start: usize,
}

/// Searches from both ends. `backward` must be `forward` with every action turned round, start
/// from all of its goals, and pack states into the same words; `toward_start` estimates the cost
/// back to a start of `forward`. A solved verdict's path holds the one [`Meeting`].
///
/// The proofs of the two sides are joined, so it is not enough that each side's cuts leave some
/// cheapest path: they may leave different ones. Let the spaces cut only what lies on no solution
/// at all, or call their pruning [`Pruning::Unsound`](crate::Pruning::Unsound).
pub fn bidirectional<F: StateSpace, B: StateSpace, O: Observer<F> + Observer<B>>(
    forward: &mut F,
    backward: &mut B,
    toward_goal: &mut impl Heuristic<F>,
    toward_start: &mut impl Heuristic<B>,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<Meeting<F::Action, B::Action>> {
    let reasons = [forward.reasons(), backward.reasons()].concat();
    let offset = forward.reasons().len();
    let mut meter = Meter::new(budget, &reasons, toward_goal.dead_reason());
    let claims = Claims::informed(forward, toward_goal).and(Claims::informed(backward, toward_start));
    let (starts, ends) = (forward.starts(), backward.starts());
    let verdict = match (starts.first(), ends.first()) {
        (Some(start), Some(end)) => {
            let mut ahead = Side::new(forward, toward_goal, start, 0);
            let mut behind = Side::new(backward, toward_start, end, offset);
            let mut best = None;
            let done = meet(&mut ahead, &mut behind, (&starts, &ends), claims, &mut meter, observer, &mut best);
            conclude(done, best, claims, &mut ahead, &mut behind, &mut meter)
        }
        _ => claims.nothing_found(),
    };
    let bytes = toward_start.peak_bytes();
    let mut outcome = meter.finish(verdict, toward_goal);
    outcome.statistics.heuristic_bytes = outcome.statistics.heuristic_bytes.max(bytes);
    outcome
}

/// The cheapest meeting so far: its cost and its node on either side.
type Best = Option<(Cost, NodeId, NodeId)>;

fn meet<F: StateSpace, B: StateSpace, O: Observer<F> + Observer<B>>(
    ahead: &mut Side<'_, F, impl Heuristic<F>>,
    behind: &mut Side<'_, B, impl Heuristic<B>>,
    (starts, ends): (&[F::State], &[B::State]),
    claims: Claims,
    meter: &mut Meter<'_>,
    observer: &mut O,
    best: &mut Best,
) -> Result<(), Halt> {
    ahead.seed(starts, behind.bytes(), meter, |_, _| {})?;
    let found = |best: &mut Best, g: Cost, id: NodeId, other: &Nodes<F::Action>, key: &[u64]| {
        if let Some(ahead) = other.id(key) {
            note(best, other.arena.g(ahead).saturating_add(g), ahead, id);
        }
    };
    behind.seed(ends, ahead.bytes(), meter, |id, key| found(best, 0, id, &ahead.nodes, key))?;
    loop {
        meter.poll::<F>(observer)?;
        let (Some(first), Some(second)) = (ahead.smallest(), behind.smallest()) else {
            // One side went everywhere it can go, to the other's start states if it can.
            if let Some((cost, ..)) = best.filter(|_| claims.bounds) {
                meter.raise::<F>(cost, observer);
            }
            return Ok(());
        };
        let lower = [
            first.priority.min(second.priority),
            first.f,
            second.f,
            first.g.saturating_add(second.g).saturating_add(CHEAPEST),
        ];
        let lower = lower.into_iter().max().unwrap_or(0);
        let cost = best.map_or(Cost::MAX, |best| best.0);
        if claims.bounds {
            meter.raise::<F>(lower.min(cost), observer);
        }
        if cost <= lower {
            return Ok(());
        }
        // Of equal sides the one with the smaller frontier.
        let goes_ahead = (first.priority, ahead.open) <= (second.priority, behind.open);
        if goes_ahead {
            let (held, other) = (behind.bytes(), &behind.nodes);
            ahead.expand(held, meter, observer, |g, id, key| {
                if let Some(met) = other.id(key) {
                    note(best, other.arena.g(met).saturating_add(g), id, met);
                }
            })?;
        } else {
            let (held, other) = (ahead.bytes(), &ahead.nodes);
            behind.expand(held, meter, observer, |g, id, key| found(best, g, id, other, key))?;
        }
        meter.waits(ahead.open + behind.open);
    }
}

/// Keeps the cheaper meeting.
fn note(best: &mut Best, cost: Cost, ahead: NodeId, behind: NodeId) {
    if best.is_none_or(|known| cost < known.0) {
        *best = Some((cost, ahead, behind));
    }
}

fn conclude<F: StateSpace, B: StateSpace>(
    done: Result<(), Halt>,
    best: Best,
    claims: Claims,
    ahead: &mut Side<'_, F, impl Heuristic<F>>,
    behind: &mut Side<'_, B, impl Heuristic<B>>,
    meter: &mut Meter<'_>,
) -> Verdict<Meeting<F::Action, B::Action>> {
    let (cost, first, second) = match (done, best) {
        (Err(Halt::Limit(_)), Some(best)) => {
            meter.notes.push("A limit ended the search before the path it had found was proved cheapest.".to_string());
            best
        }
        (Err(halt), _) => return halt.into(),
        (Ok(()), None) => return claims.nothing_found(),
        (Ok(()), Some(best)) => best,
    };
    let (forward, start) = ahead.nodes.arena.path(first);
    let (backward, backward_start) = behind.nodes.arena.path(second);
    // Nodes on the way may have become cheaper since the sides met.
    let halves = (path_cost(ahead.space, start, &forward), path_cost(behind.space, backward_start, &backward));
    let cost = if let (Some(one), Some(two)) = halves { cost.min(one.saturating_add(two)) } else { cost };
    let proof = claims.proof(cost, meter.lower(), Some(f64::INFINITY));
    Verdict::Solved { path: vec![Meeting { forward, backward, backward_start }], cost, start, proof }
}

/// The smallest values in a frontier.
struct Smallest {
    priority: Cost,
    f: Cost,
    g: Cost,
}

/// How many waiting nodes have a value.
type Counts = BTreeMap<Cost, u64>;

/// One of the two searches.
struct Side<'a, S: StateSpace, H> {
    space: &'a mut S,
    heuristic: &'a mut H,
    nodes: Nodes<S::Action>,
    queue: Queue,
    by_f: Counts,
    by_g: Counts,
    open: u64,
    /// Where this side's reasons begin in the common list.
    offset: usize,
    key: Vec<u64>,
    parent: S::State,
    child: S::State,
    successors: Successors<S::Action>,
}

impl<'a, S: StateSpace, H: Heuristic<S>> Side<'a, S, H> {
    fn new(space: &'a mut S, heuristic: &'a mut H, any: &S::State, offset: usize) -> Self {
        let words = space.key_words();
        Self {
            space,
            heuristic,
            nodes: Nodes::new(words),
            queue: Queue::new(Order::Lifo),
            by_f: Counts::new(),
            by_g: Counts::new(),
            open: 0,
            offset,
            key: vec![0; words],
            parent: any.clone(),
            child: any.clone(),
            successors: Successors::default(),
        }
    }

    fn bytes(&self) -> usize {
        // A tree map holds up to twice what its entries need.
        let counts = (self.by_f.len() + self.by_g.len()) * 2 * size_of::<(Cost, u64)>();
        self.nodes.bytes() + self.queue.bytes() + counts
    }

    /// Queues the start states; `met` is told each one.
    fn seed(
        &mut self,
        starts: &[S::State],
        held: usize,
        meter: &mut Meter<'_>,
        mut met: impl FnMut(NodeId, &[u64]),
    ) -> Result<(), Halt> {
        for (number, start) in starts.iter().enumerate() {
            self.make_room(held, meter)?;
            self.space.pack(start, &mut self.key);
            let Some(h) = self.heuristic.estimate(self.space, start) else {
                meter.dead()?;
                continue;
            };
            if let Some(id) = self.nodes.insert_root(&self.key, number, h) {
                self.enqueue(id);
                met(id, &self.key);
            }
        }
        Ok(())
    }

    /// The smallest values waiting; none when nothing waits.
    fn smallest(&mut self) -> Option<Smallest> {
        loop {
            let ((priority, _), id) = self.queue.peek()?;
            if self.nodes.arena.is_closed(id) {
                self.queue.pop();
                continue;
            }
            let (f, g) = (*self.by_f.first_key_value()?.0, *self.by_g.first_key_value()?.0);
            return Some(Smallest { priority: priority as Cost, f, g });
        }
    }

    /// Expands the first waiting node; `met` is told every state that is new or cheaper now.
    fn expand(
        &mut self,
        held: usize,
        meter: &mut Meter<'_>,
        observer: &mut impl Observer<S>,
        mut met: impl FnMut(Cost, NodeId, &[u64]),
    ) -> Result<(), Halt> {
        let Some((_, id)) = self.queue.pop() else { return Ok(()) };
        let (g, h) = (self.nodes.arena.g(id), self.nodes.arena.h(id));
        self.uncount(id);
        self.nodes.arena.close(id);
        self.space.unpack(self.nodes.arena.key(id), &mut self.parent);
        observer.expanded(&self.parent, g, h);
        self.successors.clear();
        self.space.successors(&self.parent, &mut self.successors);
        meter.statistics.expanded += 1;
        for &(action, reason) in self.successors.cuts() {
            meter.cut(self.offset + usize::from(reason));
            observer.pruned(&self.parent, action, reason);
        }
        let mut introduced = false;
        for index in 0..self.successors.edges().len() {
            let edge = self.successors.edges()[index];
            self.make_room(held, meter)?;
            meter.generate()?;
            self.child.clone_from(&self.parent);
            self.space.apply(&mut self.child, edge.action);
            self.space.pack(&self.child, &mut self.key);
            let child_g = g.saturating_add(edge.cost);
            let child = match self.nodes.find(&self.key) {
                Lookup::Known(child) if child_g >= self.nodes.arena.g(child) => {
                    meter.statistics.duplicates += 1;
                    continue;
                }
                Lookup::Known(child) => {
                    if self.nodes.arena.is_closed(child) {
                        self.nodes.arena.open(child);
                        meter.statistics.reopened += 1;
                    } else {
                        self.uncount(child);
                    }
                    self.nodes.arena.reroute(child, id, edge.action, child_g);
                    child
                }
                Lookup::New(slot, hash) => {
                    if !introduced {
                        self.heuristic.family(self.space, &self.parent);
                        introduced = true;
                    }
                    let Some(h) = self.heuristic.estimate_child(self.space, edge.action, &self.child) else {
                        meter.dead()?;
                        continue;
                    };
                    self.nodes.insert((slot, hash), &self.key, (id, edge.action), (child_g, h))
                }
            };
            observer.generated(&self.child, child_g, self.nodes.arena.h(child));
            self.enqueue(child);
            met(child_g, child, &self.key);
        }
        Ok(())
    }

    fn enqueue(&mut self, id: NodeId) {
        let (f, g) = (self.nodes.arena.f(id), self.nodes.arena.g(id));
        *self.by_f.entry(f).or_insert(0) += 1;
        *self.by_g.entry(g).or_insert(0) += 1;
        self.open += 1;
        self.queue.push((u64::from(f.max(g.saturating_mul(2))), g), id);
    }

    /// Takes a waiting node out of the counts.
    fn uncount(&mut self, id: NodeId) {
        self.open -= 1;
        let (f, g) = (self.nodes.arena.f(id), self.nodes.arena.g(id));
        for (counts, value) in [(&mut self.by_f, f), (&mut self.by_g, g)] {
            if let Some(count) = counts.get_mut(&value) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&value);
                }
            }
        }
    }

    /// Makes room for one more node, beside the `held` bytes of the other side.
    fn make_room(&mut self, held: usize, meter: &mut Meter<'_>) -> Result<(), Halt> {
        if !self.nodes.is_full() && !self.queue.is_full() {
            return Ok(());
        }
        let left = meter.allowance.saturating_sub(held + self.bytes());
        let room = self.nodes.reserve(left) && {
            let taken = held + self.bytes() + self.nodes.arena.growth();
            self.queue.reserve(meter.allowance.saturating_sub(taken))
        };
        if !room {
            return Err(Halt::Limit(Stop::Memory));
        }
        meter.holds(held + self.bytes() + self.nodes.arena.growth());
        Ok(())
    }
}
