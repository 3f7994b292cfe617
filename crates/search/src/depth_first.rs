//! Plain depth-first search: goes down the first way it sees and comes to each state once.

use crate::arena::NodeId;
use crate::chunked::Chunked;
use crate::claims::Claims;
use crate::meter::Meter;
use crate::nodes::Nodes;
use crate::table::Lookup;
use crate::{Cost, Edge, Heuristic, Observer, Outcome, StateSpace, Successors, Verdict};
use lurd_base::{Budget, Halt, Stop};

/// Runs a depth-first search. The estimate is not asked.
pub(crate) fn depth_first<S: StateSpace, H: Heuristic<S>, O: Observer<S>>(
    space: &mut S,
    heuristic: &mut H,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<S::Action> {
    let mut meter = Meter::new(budget, space.reasons(), heuristic.dead_reason());
    let claims = Claims::uninformed(space);
    let starts = space.starts();
    let Some(any) = starts.first() else { return meter.finish(claims.nothing_found(), heuristic) };
    let words = space.key_words();
    let mut search = DepthFirst {
        space,
        observer,
        meter: &mut meter,
        nodes: Nodes::new(words),
        stack: Chunked::new(1),
        key: vec![0; words],
        state: any.clone(),
        successors: Successors::default(),
    };
    let verdict = match search.run(&starts) {
        Ok(Some(goal)) => {
            let (path, start) = search.nodes.arena.path(goal);
            let cost = search.nodes.arena.g(goal);
            Verdict::Solved { path, cost, start, proof: claims.proof(cost, None, None) }
        }
        Ok(None) => claims.nothing_found(),
        Err(halt) => halt.into(),
    };
    meter.finish(verdict, heuristic)
}

struct DepthFirst<'a, 'm, S: StateSpace, O> {
    space: &'a mut S,
    observer: &'a mut O,
    meter: &'a mut Meter<'m>,
    nodes: Nodes<S::Action>,
    /// Ways not tried yet: out of which node, and how.
    stack: Chunked<(NodeId, Edge<S::Action>)>,
    key: Vec<u64>,
    state: S::State,
    successors: Successors<S::Action>,
}

impl<S: StateSpace, O: Observer<S>> DepthFirst<'_, '_, S, O> {
    fn run(&mut self, starts: &[S::State]) -> Result<Option<NodeId>, Halt> {
        let mut roots = Vec::new();
        for (number, start) in starts.iter().enumerate() {
            self.make_room()?;
            self.space.pack(start, &mut self.key);
            roots.extend(self.nodes.insert_root(&self.key, number, 0).map(|id| (id, number)));
        }
        for (id, number) in roots {
            self.state.clone_from(&starts[number]);
            let mut goal = self.arrive(id)?;
            while goal.is_none() && self.stack.len() > 0 {
                self.meter.poll(self.observer)?;
                goal = self.step()?;
            }
            if goal.is_some() {
                return Ok(goal);
            }
        }
        Ok(None)
    }

    /// Tries the way on top of the stack.
    fn step(&mut self) -> Result<Option<NodeId>, Halt> {
        self.make_room()?;
        self.meter.generate()?;
        let (parent, edge) = self.stack.get(self.stack.len() - 1)[0];
        self.stack.pop();
        self.space.unpack(self.nodes.arena.key(parent), &mut self.state);
        self.space.apply(&mut self.state, edge.action);
        self.space.pack(&self.state, &mut self.key);
        match self.nodes.find(&self.key) {
            Lookup::Known(_) => {
                self.meter.statistics.duplicates += 1;
                Ok(None)
            }
            Lookup::New(slot, hash) => {
                let g: Cost = self.nodes.arena.g(parent).saturating_add(edge.cost);
                let id = self.nodes.insert((slot, hash), &self.key, (parent, edge.action), (g, 0));
                self.observer.generated(&self.state, g, 0);
                self.arrive(id)
            }
        }
    }

    /// Tests the working state, which is node `id`, and stacks the ways out of it.
    fn arrive(&mut self, id: NodeId) -> Result<Option<NodeId>, Halt> {
        if self.space.is_goal(&self.state) {
            return Ok(Some(id));
        }
        self.observer.expanded(&self.state, self.nodes.arena.g(id), 0);
        self.successors.clear();
        self.space.successors(&self.state, &mut self.successors);
        self.meter.statistics.expanded += 1;
        for &(action, reason) in self.successors.cuts() {
            self.meter.cut(reason.into());
            self.observer.pruned(&self.state, action, reason);
        }
        for index in (0..self.successors.edges().len()).rev() {
            self.make_room()?;
            self.stack.push(&[(id, self.successors.edges()[index])]);
        }
        self.meter.waits(self.stack.len() as u64);
        Ok(None)
    }

    /// Makes room for one more node and one more way.
    fn make_room(&mut self) -> Result<(), Halt> {
        if !self.nodes.is_full() && !self.stack.is_full() {
            return Ok(());
        }
        let held = self.nodes.bytes() + self.stack.bytes() + self.stack.growth();
        let room = held <= self.meter.allowance && self.nodes.reserve(self.meter.allowance - held);
        let bytes = self.nodes.bytes() + self.nodes.arena.growth() + self.stack.bytes() + self.stack.growth();
        if !room {
            return Err(Halt::Limit(Stop::Memory));
        }
        self.meter.holds(bytes);
        Ok(())
    }
}
