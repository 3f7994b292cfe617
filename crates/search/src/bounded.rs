//! Depth-first search below a bound: the inner loop of depth-limited search, iterative
//! deepening, IDA* and memory-bounded A*.
//!
//! The stack is a list of packed states, not a recursion: paths may be 100,000 actions long.

use crate::chunked::Chunked;
use crate::meter::Meter;
use crate::nodes::Nodes;
use crate::visits::{Visit, Visits};
use crate::{Cost, Heuristic, Observer, StateSpace, Successors};
use lurd_base::{Halt, Stop};

/// What the bound limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The number of actions.
    Depth,
    /// The path cost.
    Cost,
    /// Path cost + estimate.
    Sum,
}

/// A state that waits on the stack; its key lies beside it.
#[derive(Clone, Copy, Debug)]
struct Waiting<A> {
    /// None for the state the search began at.
    action: Option<A>,
    g: Cost,
    h: Cost,
    depth: u32,
}

pub(crate) struct Bounded<'a, 'm, S: StateSpace, H, O> {
    pub(crate) space: &'a mut S,
    pub(crate) heuristic: &'a mut H,
    pub(crate) observer: &'a mut O,
    pub(crate) meter: &'a mut Meter<'m>,
    measure: Measure,
    /// States searched elsewhere: one reached at no lower cost than there is skipped.
    elsewhere: Option<&'a Nodes<S::Action>>,
    visits: Visits,
    keys: Chunked<u64>,
    stack: Chunked<Waiting<S::Action>>,
    path: Chunked<S::Action>,
    /// The smallest value beyond the bound that was met in this iteration.
    pub(crate) next: Option<Cost>,
    key: Vec<u64>,
    parent: S::State,
    child: S::State,
    successors: Successors<S::Action>,
}

impl<'a, 'm, S: StateSpace, H: Heuristic<S>, O: Observer<S>> Bounded<'a, 'm, S, H, O> {
    /// `any` is any state: working states are made from it.
    pub(crate) fn new(
        measure: Measure,
        any: &S::State,
        (space, heuristic, observer): (&'a mut S, &'a mut H, &'a mut O),
        meter: &'a mut Meter<'m>,
        elsewhere: Option<&'a Nodes<S::Action>>,
    ) -> Self {
        let words = space.key_words();
        Self {
            space,
            heuristic,
            observer,
            meter,
            measure,
            elsewhere,
            visits: Visits::new(words),
            keys: Chunked::new(words),
            stack: Chunked::new(1),
            path: Chunked::new(1),
            next: None,
            key: vec![0; words],
            parent: any.clone(),
            child: any.clone(),
            successors: Successors::default(),
        }
    }

    /// Begins an iteration under a new bound.
    pub(crate) fn begin(&mut self) {
        self.visits.begin();
        self.next = None;
    }

    /// Whether everything that can be reached was searched in this iteration.
    pub(crate) fn is_complete(&self) -> bool {
        self.next.is_none() || self.visits.is_complete()
    }

    /// Records a value beyond the bound.
    pub(crate) fn beyond(&mut self, value: Cost) {
        self.next = Some(self.next.map_or(value, |next| next.min(value)));
    }

    /// The actions from where [`explore`](Self::explore) began to the goal it found.
    pub(crate) fn path(&self) -> Vec<S::Action> {
        (0..self.path.len()).map(|index| self.path.get(index)[0]).collect()
    }

    /// Searches everything below the bound from a state; gives the cost of the goal it finds.
    pub(crate) fn explore(&mut self, key: &[u64], (g, h): (Cost, Cost), bound: Cost) -> Result<Option<Cost>, Halt> {
        self.push(key, Waiting { action: None, g, h, depth: 0 })?;
        while self.stack.len() > 0 {
            self.meter.poll(self.observer)?;
            let waiting = self.pop();
            let measured = if self.measure == Measure::Depth { waiting.depth } else { waiting.g };
            if self.visits.is_crowded() {
                self.grow_visits();
            }
            match self.visits.visit(&self.key, measured) {
                Visit::First => {}
                Visit::Cheaper => self.meter.statistics.reopened += 1,
                Visit::Done => {
                    self.meter.statistics.duplicates += u64::from(waiting.action.is_some());
                    continue;
                }
            }
            self.follow(&waiting)?;
            self.space.unpack(&self.key, &mut self.parent);
            if self.space.is_goal(&self.parent) {
                return Ok(Some(waiting.g));
            }
            self.expand(&waiting, bound)?;
        }
        Ok(None)
    }

    fn expand(&mut self, parent: &Waiting<S::Action>, bound: Cost) -> Result<(), Halt> {
        self.observer.expanded(&self.parent, parent.g, parent.h);
        self.successors.clear();
        self.space.successors(&self.parent, &mut self.successors);
        self.meter.statistics.expanded += 1;
        for &(action, reason) in self.successors.cuts() {
            self.meter.cut(reason.into());
            self.observer.pruned(&self.parent, action, reason);
        }
        let depth = parent.depth + 1;
        let mut introduced = false;
        // The stack turns the order round: the space's first action is to be tried first.
        for index in (0..self.successors.edges().len()).rev() {
            let edge = self.successors.edges()[index];
            self.meter.generate()?;
            self.child.clone_from(&self.parent);
            self.space.apply(&mut self.child, edge.action);
            self.space.pack(&self.child, &mut self.key);
            let g = parent.g.saturating_add(edge.cost);
            let measured = if self.measure == Measure::Depth { depth } else { g };
            if self.visits.is_done(&self.key, measured) || self.is_elsewhere(g) {
                self.meter.statistics.duplicates += 1;
                continue;
            }
            let mut h = 0;
            if self.measure == Measure::Sum {
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
            let value = measured.saturating_add(h);
            if value > bound {
                self.beyond(value);
                self.visits.see_beyond(&self.key);
                continue;
            }
            self.observer.generated(&self.child, g, h);
            let key = std::mem::take(&mut self.key);
            let pushed = self.push(&key, Waiting { action: Some(edge.action), g, h, depth });
            self.key = key;
            pushed?;
        }
        Ok(())
    }

    fn is_elsewhere(&self, g: Cost) -> bool {
        let Some(nodes) = self.elsewhere else { return false };
        nodes.id(&self.key).is_some_and(|id| nodes.arena.g(id) <= g)
    }

    fn push(&mut self, key: &[u64], waiting: Waiting<S::Action>) -> Result<(), Halt> {
        if self.stack.is_full() {
            self.claim(self.stack.growth() + self.keys.growth())?;
        }
        self.keys.push(key);
        self.stack.push(&[waiting]);
        self.meter.waits(self.stack.len() as u64);
        Ok(())
    }

    /// Takes the top of the stack; its key is in `self.key` then.
    fn pop(&mut self) -> Waiting<S::Action> {
        let top = self.stack.len() - 1;
        let waiting = self.stack.get(top)[0];
        self.key.copy_from_slice(self.keys.get(top));
        self.stack.pop();
        self.keys.pop();
        waiting
    }

    /// Makes the path lead to the state just taken.
    fn follow(&mut self, waiting: &Waiting<S::Action>) -> Result<(), Halt> {
        while self.path.len() > (waiting.depth as usize).saturating_sub(1) {
            self.path.pop();
        }
        if let Some(action) = waiting.action {
            if self.path.is_full() {
                self.claim(self.path.growth())?;
            }
            self.path.push(&[action]);
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        let own = self.visits.bytes() + self.keys.bytes() + self.stack.bytes() + self.path.bytes();
        own + self.elsewhere.map_or(0, Nodes::bytes)
    }

    fn claim(&mut self, more: usize) -> Result<(), Halt> {
        let bytes = self.bytes().saturating_add(more);
        if bytes > self.meter.allowance {
            return Err(Halt::Limit(Stop::Memory));
        }
        self.meter.holds(bytes);
        Ok(())
    }

    /// Lets the table grow within its half of the memory; the stack needs the other.
    #[cold]
    fn grow_visits(&mut self) {
        let allowance = self.meter.allowance - self.elsewhere.map_or(0, Nodes::bytes).min(self.meter.allowance);
        let while_growing = self.visits.growing_bytes();
        if while_growing <= allowance / 2 {
            self.meter.holds(self.bytes() - self.visits.bytes() + while_growing);
            self.visits.grow();
        }
    }
}
