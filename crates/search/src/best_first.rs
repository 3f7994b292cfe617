//! Best-first search: one engine that is breadth-first, uniform-cost, greedy, A* or
//! weighted A* by the priority it gives a node.
//!
//! With an admissible estimate A* must take up an expanded state again when a cheaper way
//! to it appears, or else it loses optimality wherever the estimate is inconsistent
//! (Hart, Nilsson and Raphael 1968). Lower bound: as long as states are taken up again,
//! some state of every cheapest path waits in the frontier at its true path cost, so no
//! solution is below the smallest path cost + estimate in the frontier.

use crate::arena::NodeId;
use crate::claims::Claims;
use crate::meter::Meter;
use crate::nodes::Nodes;
use crate::queue::{Order, Priority, Queue};
use crate::table::Lookup;
use crate::trace::path_cost;
use crate::weight::Weight;
use crate::{Cost, Heuristic, Observer, Outcome, StateSpace, Successors, TieBreak, Verdict};
use lurd_base::{Budget, Halt, Stop};

/// What a node's priority is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// The number of actions.
    Depth,
    /// The path cost.
    PathCost,
    /// The estimate.
    Estimate,
    /// Path cost + weight * estimate.
    Sum(Weight),
}

impl Rule {
    fn is_informed(self) -> bool {
        matches!(self, Rule::Estimate | Rule::Sum(_))
    }
}

/// How the engine runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) rule: Rule,
    pub(crate) tie_break: TieBreak,
    /// After how many expansions it goes on greedily.
    pub(crate) fallback_after: Option<u64>,
}

impl Plan {
    fn order(&self) -> Order {
        let oldest_first = self.rule == Rule::Depth || self.tie_break == TieBreak::Fifo;
        if oldest_first { Order::Fifo } else { Order::Lifo }
    }
}

/// How a run of the engine ended: at a goal, at the end of the space, or before.
pub(crate) type Ending = Result<Option<NodeId>, Halt>;

pub(crate) struct BestFirst<'a, 'm, S: StateSpace, H, O> {
    space: &'a mut S,
    heuristic: &'a mut H,
    observer: &'a mut O,
    pub(crate) meter: Meter<'m>,
    nodes: Nodes<S::Action>,
    claims: Claims,
    plan: Plan,
    queue: Queue,
    /// Nodes in the frontier.
    open: u64,
    seeded: bool,
    /// Of breadth-first search: nodes left in the layer, and how many actions lead to it.
    layer: (u64, Cost),
    key: Vec<u64>,
    parent: S::State,
    child: S::State,
    successors: Successors<S::Action>,
}

/// Runs a best-first search.
pub(crate) fn best_first<S: StateSpace, H: Heuristic<S>, O: Observer<S>>(
    plan: Plan,
    space: &mut S,
    heuristic: &mut H,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<S::Action> {
    let starts = space.starts();
    let Some(first) = starts.first() else {
        let meter = Meter::new(budget, &[], heuristic.dead_reason());
        return meter.finish(Claims::uninformed(space).nothing_found(), heuristic);
    };
    let mut engine = BestFirst::new(plan, first, space, heuristic, budget, observer);
    let ending = engine.run(&starts);
    engine.finish(ending)
}

impl<'a, 'm, S: StateSpace, H: Heuristic<S>, O: Observer<S>> BestFirst<'a, 'm, S, H, O> {
    /// `any` is any state: working states are made from it.
    pub(crate) fn new(
        plan: Plan,
        any: &S::State,
        space: &'a mut S,
        heuristic: &'a mut H,
        budget: &'m Budget,
        observer: &'a mut O,
    ) -> Self {
        let informed = plan.rule.is_informed();
        let words = space.key_words();
        Self {
            meter: Meter::new(budget, space.reasons(), heuristic.dead_reason()),
            claims: if informed { Claims::informed(space, heuristic) } else { Claims::uninformed(space) },
            space,
            heuristic,
            observer,
            nodes: Nodes::new(words),
            plan,
            queue: Queue::new(plan.order()),
            open: 0,
            seeded: false,
            layer: (0, 0),
            key: vec![0; words],
            parent: any.clone(),
            child: any.clone(),
            successors: Successors::default(),
        }
    }

    pub(crate) fn run(&mut self, starts: &[S::State]) -> Ending {
        if let Some(goal) = self.seed(starts)? {
            return Ok(Some(goal));
        }
        loop {
            self.meter.poll(self.observer)?;
            if self.plan.fallback_after.is_some_and(|after| self.meter.statistics.expanded >= after) {
                self.fall_back()?;
            }
            let Some((_, id)) = self.queue.pop() else { return Ok(None) };
            if self.nodes.arena.is_closed(id) {
                continue;
            }
            self.raise_lower(id);
            self.space.unpack(self.nodes.arena.key(id), &mut self.parent);
            // Rules that test on generation have tested this state already, except for what
            // was queued before a fallback; the test is cheap.
            if self.plan.rule != Rule::Depth && self.space.is_goal(&self.parent) {
                return Ok(Some(id));
            }
            if let Some(goal) = self.expand(id)? {
                return Ok(Some(goal));
            }
        }
    }

    /// Queues the start states.
    fn seed(&mut self, starts: &[S::State]) -> Result<Option<NodeId>, Halt> {
        let mut lower = None;
        for (number, start) in starts.iter().enumerate() {
            self.make_room()?;
            self.space.pack(start, &mut self.key);
            let estimate =
                if self.plan.rule.is_informed() { self.heuristic.estimate(self.space, start) } else { Some(0) };
            let Some(h) = estimate else {
                self.meter.dead()?;
                continue;
            };
            let Some(id) = self.nodes.insert_root(&self.key, number, h) else { continue };
            lower = Some(lower.map_or(h, |lower: Cost| lower.min(h)));
            self.observer.generated(start, 0, h);
            self.enqueue(id, 0, h, false);
            if self.tests_on_generation() && self.space.is_goal(start) {
                self.raise(0);
                return Ok(Some(id));
            }
        }
        self.seeded = true;
        self.layer = (self.open, 0);
        if let Some(lower) = lower {
            self.raise(lower);
        }
        Ok(None)
    }

    /// Makes and queues the children of `parent`; gives a child that ends the search.
    fn expand(&mut self, id: NodeId) -> Result<Option<NodeId>, Halt> {
        let (g, h) = (self.nodes.arena.g(id), self.nodes.arena.h(id));
        self.observer.expanded(&self.parent, g, h);
        self.successors.clear();
        self.space.successors(&self.parent, &mut self.successors);
        self.meter.statistics.expanded += 1;
        let done = self.make_children(id, g);
        if done.is_ok() {
            self.nodes.arena.close(id);
            self.open -= 1;
            for &(action, reason) in self.successors.cuts() {
                self.meter.cut(reason.into());
                self.observer.pruned(&self.parent, action, reason);
            }
        }
        // Else the node stays in the frontier, as the rest of its children is not known.
        done
    }

    fn make_children(&mut self, id: NodeId, g: Cost) -> Result<Option<NodeId>, Halt> {
        let before = self.nodes.arena.action(id);
        let mut introduced = false;
        for index in 0..self.successors.edges().len() {
            let edge = self.successors.edges()[index];
            self.make_room()?;
            self.meter.generate()?;
            self.child.clone_from(&self.parent);
            self.space.apply(&mut self.child, edge.action);
            self.space.pack(&self.child, &mut self.key);
            let child_g = g.saturating_add(edge.cost);
            match self.nodes.find(&self.key) {
                Lookup::Known(child) => {
                    if child_g >= self.nodes.arena.g(child) || !self.improve(child, (id, edge.action), child_g) {
                        self.meter.statistics.duplicates += 1;
                    }
                }
                Lookup::New(slot, hash) => {
                    let mut h = 0;
                    if self.plan.rule.is_informed() {
                        if !introduced {
                            self.heuristic.family(self.space, &self.parent);
                            introduced = true;
                        }
                        match self.heuristic.estimate_child(self.space, edge.action, &self.child) {
                            Some(estimate) => h = estimate,
                            None => {
                                self.meter.dead()?;
                                continue;
                            }
                        }
                    }
                    let child = self.nodes.insert((slot, hash), &self.key, (id, edge.action), (child_g, h));
                    self.observer.generated(&self.child, child_g, h);
                    let continues = before.is_some_and(|before| self.continues(before, edge.action));
                    self.enqueue(child, child_g, h, continues);
                    if self.tests_on_generation() && self.space.is_goal(&self.child) {
                        return Ok(Some(child));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Takes a cheaper way to a known state, where the rule cares; says whether it did.
    fn improve(&mut self, child: NodeId, (parent, action): (NodeId, S::Action), g: Cost) -> bool {
        let closed = self.nodes.arena.is_closed(child);
        // Greedy search takes a better way to a waiting state and never goes back to an expanded one.
        if self.plan.rule == Rule::Depth || (self.plan.rule == Rule::Estimate && closed) {
            return false;
        }
        let h = self.nodes.arena.h(child);
        self.nodes.arena.reroute(child, parent, action, g);
        if closed {
            self.nodes.arena.open(child);
            self.meter.statistics.reopened += 1;
            self.open += 1;
        }
        if self.plan.rule != Rule::Estimate {
            let before = self.nodes.arena.action(parent);
            let continues = before.is_some_and(|before| self.continues(before, action));
            let priority = self.priority(g, h, continues);
            self.queue.push(priority, child);
        }
        self.observer.generated(&self.child, g, h);
        true
    }

    fn enqueue(&mut self, id: NodeId, g: Cost, h: Cost, continues: bool) {
        let priority = self.priority(g, h, continues);
        self.queue.push(priority, id);
        self.open += 1;
        self.meter.waits(self.open);
    }

    #[inline]
    fn priority(&self, g: Cost, h: Cost, continues: bool) -> Priority {
        // Equal sums: nearer the goal first; under inertia what goes straight on comes first of all.
        let turn = u32::from(self.plan.tie_break == TieBreak::Inertia && !continues);
        let near = turn << 31 | h & (u32::MAX >> 1);
        match self.plan.rule {
            Rule::Depth => (0, 0),
            Rule::PathCost => (u64::from(g), turn),
            Rule::Estimate => (u64::from(h), turn),
            Rule::Sum(weight) => (weight.sum(g, h), near),
        }
    }

    #[inline]
    fn continues(&self, before: S::Action, action: S::Action) -> bool {
        self.plan.tie_break == TieBreak::Inertia && self.space.continues(before, action)
    }

    /// Goes on greedily from the frontier as it is.
    fn fall_back(&mut self) -> Result<(), Halt> {
        let after = self.plan.fallback_after.take().unwrap_or_default();
        self.plan.rule = Rule::Estimate;
        self.meter.notes.push(format!(
            "After {after} expansions the search went on greedily: its answer is proved only if it meets the lower bound known then."
        ));
        self.queue = Queue::new(self.plan.order());
        for id in 0..self.nodes.arena.len() as NodeId {
            if !self.nodes.arena.is_closed(id) {
                self.make_room()?;
                let priority = self.priority(self.nodes.arena.g(id), self.nodes.arena.h(id), false);
                self.queue.push(priority, id);
            }
        }
        Ok(())
    }

    /// Says what the node about to be expanded tells about every solution.
    fn raise_lower(&mut self, id: NodeId) {
        match self.plan.rule {
            Rule::Depth => {
                if self.layer.0 == 0 {
                    self.layer = (self.open, self.layer.1 + 1);
                }
                self.layer.0 -= 1;
                // Every state of this layer was tested when it was made, and an action costs at least 1.
                self.raise(self.layer.1 + 1);
            }
            Rule::PathCost => self.raise(self.nodes.arena.g(id)),
            Rule::Sum(weight) if weight.is_one() => self.raise(self.nodes.arena.f(id)),
            Rule::Sum(_) | Rule::Estimate => {}
        }
    }

    fn raise(&mut self, lower: Cost) {
        if self.claims.bounds {
            self.meter.raise(lower, self.observer);
        }
    }

    /// Whether there is memory for one more node.
    #[inline]
    fn make_room(&mut self) -> Result<(), Halt> {
        if self.nodes.is_full() || self.queue.is_full() { self.grow() } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Halt> {
        let spare = |engine: &Self| engine.meter.allowance.saturating_sub(engine.nodes.bytes() + engine.queue.bytes());
        let left = spare(self);
        let room = self.nodes.reserve(left) && {
            // The arena takes its chunk when the node comes: keep it apart.
            let left = spare(self).saturating_sub(self.nodes.arena.growth());
            self.queue.reserve(left)
        };
        self.meter.holds(self.nodes.bytes() + self.nodes.arena.growth() + self.queue.bytes());
        if room { Ok(()) } else { Err(Halt::Limit(Stop::Memory)) }
    }

    /// Testing a state when it is made is right where nothing better can come later
    /// (layers of equal depth) or where better is not asked for (greedy).
    fn tests_on_generation(&self) -> bool {
        matches!(self.plan.rule, Rule::Depth | Rule::Estimate)
    }

    /// Whether every start state found its place.
    pub(crate) fn is_seeded(&self) -> bool {
        self.seeded
    }

    /// The nodes and the account so far, for a search that goes on from here.
    pub(crate) fn into_parts(self) -> (Nodes<S::Action>, Meter<'m>) {
        (self.nodes, self.meter)
    }

    pub(crate) fn finish(mut self, ending: Ending) -> Outcome<S::Action> {
        if let Rule::Sum(weight) = self.plan.rule
            && !weight.is_one()
            && !matches!(ending, Ok(None))
            && let Some(lower) = self.nodes.arena.frontier().map(|id| self.nodes.arena.f(id)).min()
        {
            self.raise(lower);
        }
        let verdict = match ending {
            Ok(Some(goal)) => self.solved(goal),
            Ok(None) => self.claims.nothing_found(),
            Err(halt) => halt.into(),
        };
        self.meter.finish(verdict, self.heuristic)
    }

    fn solved(&mut self, goal: NodeId) -> Verdict<S::Action> {
        let (path, start) = self.nodes.arena.path(goal);
        let g = self.nodes.arena.g(goal);
        // A node before the goal may have become cheaper since the goal was made.
        let cost = path_cost(self.space, start, &path).map_or(g, |cost| cost.min(g));
        let factor = match self.plan.rule {
            Rule::Sum(weight) => Some(weight.value()),
            Rule::Depth => Some(f64::INFINITY),
            Rule::PathCost | Rule::Estimate => None,
        };
        let proof = self.claims.proof(cost, self.meter.lower(), factor);
        Verdict::Solved { path, cost, start, proof }
    }
}
