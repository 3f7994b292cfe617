//! A record of a small search, node by node: the state expanded, its successors, and what became of each.
//!
//! The search runs unchanged and only the order of its expansions is recorded; the successors are generated again
//! afterwards by the same space, so the record agrees with the search.

use crate::bounded::Measure;
use crate::{Algorithm, Cost, Heuristic, Observer, Reason, StateSpace, Successors, TieBreak, Verdict, search};
use lurd_base::{Budget, Stop};
use lurd_base::{Cancel, Limits};
use std::collections::HashMap;

/// What became of a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuccessorFate {
    /// A new state: added to the open list.
    New,
    /// A known state, reached at a lower cost.
    Cheaper,
    /// A known state, reached at no lower cost.
    Known,
    /// Beyond the limit of the iteration: not searched before the limit is raised.
    Beyond,
    /// Pruned by the space.
    Cut(Reason),
    /// Dead by the heuristic.
    Dead,
}

/// A successor of an expanded state.
#[derive(Clone, Debug)]
pub struct RecordedSuccessor<S, A> {
    /// The action that leads to it.
    pub action: A,
    /// The state; `None` if the space pruned the action.
    pub state: Option<S>,
    /// The number of the state, if it is stored.
    pub node: Option<usize>,
    /// The path cost.
    pub g: Cost,
    /// The estimate; `None` if the algorithm uses none or the state is dead or pruned.
    pub h: Option<Cost>,
    /// What became of it.
    pub fate: SuccessorFate,
    /// Whether the search may end here.
    pub goal: bool,
}

/// An expanded state and its successors.
#[derive(Clone, Debug)]
pub struct RecordedExpansion<S, A> {
    /// The number of the state, in the order of generation.
    pub node: usize,
    /// The expansion it was reached from, and the action.
    pub parent: Option<(usize, A)>,
    /// The state.
    pub state: S,
    /// The path cost.
    pub g: Cost,
    /// The estimate of the search; 0 if it uses none.
    pub h: Cost,
    /// The size of the open list after the state was removed from it.
    pub waiting: usize,
    /// The iteration of a search under a limit, from 1; 0 for a search without one.
    pub iteration: usize,
    /// The limit of the iteration.
    pub limit: Option<Cost>,
    /// The successors, the pruned ones last.
    pub successors: Vec<RecordedSuccessor<S, A>>,
}

/// The goal state that ended a search.
#[derive(Clone, Debug)]
pub struct RecordedGoal<S, A> {
    /// The number of the state; `None` if the record ends before the state is generated.
    pub node: Option<usize>,
    /// The expansion it was reached from, and the action; `None` if the start is a goal.
    pub parent: Option<(usize, A)>,
    /// The state.
    pub state: S,
    /// The cost of the solution.
    pub g: Cost,
}

/// How a recorded search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordEnd {
    /// It found a solution.
    Solved,
    /// It proved that there is none.
    Unsolvable,
    /// It found nothing, which proves nothing.
    Exhausted,
    /// A limit ended it: of depth, time, memory or nodes.
    Stopped(Stop),
    /// It goes on beyond the record.
    Cut,
}

/// A search, node by node.
#[derive(Clone, Debug)]
pub struct Record<S, A> {
    /// The expansions in order.
    pub expansions: Vec<RecordedExpansion<S, A>>,
    /// The goal it found.
    pub goal: Option<RecordedGoal<S, A>>,
    /// How it ends.
    pub end: RecordEnd,
}

/// Runs a search and records up to `most` expansions.
///
/// ```
/// use lurd_base::*;
/// use lurd_search::*;
///
/// /// From 0 to 3 by steps of one.
/// struct Line;
/// impl StateSpace for Line {
///     type State = u64;
///     type Action = ();
///     fn starts(&self) -> Vec<u64> {
///         vec![0]
///     }
///     fn is_goal(&self, state: &u64) -> bool {
///         *state == 3
///     }
///     fn successors(&mut self, _: &u64, out: &mut Successors<()>) {
///         out.push((), 1);
///     }
///     fn apply(&mut self, state: &mut u64, (): ()) {
///         *state += 1;
///     }
///     fn key_words(&self) -> usize {
///         1
///     }
///     fn pack(&self, state: &u64, words: &mut [u64]) {
///         words[0] = *state;
///     }
///     fn unpack(&self, words: &[u64], state: &mut u64) {
///         *state = words[0];
///     }
/// }
///
/// let kind = (Algorithm::IterativeDeepening, TieBreak::Lifo);
/// let record = record(kind, &mut Line, &mut Zero, 100, Limits::default(), &Cancel::new());
/// // Limits 0, 1, 2 and 3: one expansion, then two, three, and three before the goal.
/// let limits: Vec<_> = record.expansions.iter().map(|expansion| expansion.limit.unwrap()).collect();
/// assert_eq!(limits, [0, 1, 1, 2, 2, 2, 3, 3, 3]);
/// assert_eq!(record.expansions[0].successors[0].fate, SuccessorFate::Beyond);
/// assert_eq!(record.goal.unwrap().g, 3);
/// ```
pub fn record<S: StateSpace, H: Heuristic<S>>(
    (algorithm, tie_break): (Algorithm, TieBreak),
    space: &mut S,
    heuristic: &mut H,
    most: usize,
    limits: Limits,
    cancel: &Cancel,
) -> Record<S::State, S::Action> {
    let full = Cancel::new();
    let mut recorder = Recorder { expanded: Vec::new(), iterations: Vec::new(), most, full: full.clone() };
    let budget = Budget::new(limits, full.clone());
    let ended = search(algorithm, tie_break, space, heuristic, &budget, &mut recorder);
    // Every estimate is computed from scratch, so the second pass has a time limit of its own.
    let recorded = recorder.expanded.len();
    let budget = Budget::new(limits, cancel.clone());
    let mut replay = Replay::new(algorithm, space, heuristic, &budget);
    let expansions = replay.run(recorder);
    let cut = full.is_cancelled() || expansions.len() < recorded;
    let (end, goal) = match ended.verdict {
        _ if cut => (RecordEnd::Cut, None),
        Verdict::Solved { path, cost, start, .. } => (RecordEnd::Solved, replay.goal(&path, start, cost, &expansions)),
        Verdict::Unsolvable => (RecordEnd::Unsolvable, None),
        Verdict::Exhausted => (RecordEnd::Exhausted, None),
        Verdict::Stopped(stop) => (RecordEnd::Stopped(stop), None),
        Verdict::Cancelled => (RecordEnd::Cut, None),
    };
    Record { expansions, goal, end }
}

/// Records the expanded states, and ends the search when the record is full.
struct Recorder<State> {
    expanded: Vec<(State, Cost, Cost)>,
    /// The expansion each iteration begins with, and its limit.
    iterations: Vec<(usize, Cost)>,
    most: usize,
    full: Cancel,
}

impl<S: StateSpace> Observer<S> for Recorder<S::State> {
    fn expanded(&mut self, state: &S::State, g: Cost, h: Cost) {
        if self.expanded.len() < self.most {
            self.expanded.push((state.clone(), g, h));
        } else {
            self.full.cancel();
        }
    }

    fn iteration(&mut self, limit: Cost) {
        self.iterations.push((self.expanded.len(), limit));
    }
}

/// A generated state.
struct Generated<A> {
    g: Cost,
    /// The number of actions on the path.
    depth: u32,
    /// The expansions it was generated by, with the cost, depth and action of each.
    parents: Vec<(usize, Cost, u32, A)>,
    expanded: bool,
}

/// The second pass: generates the successors of every expanded state again.
struct Replay<'a, S: StateSpace, H> {
    space: &'a mut S,
    heuristic: &'a mut H,
    budget: &'a Budget,
    informed: bool,
    /// What the limit of an iteration limits.
    measure: Measure,
    /// Whether the state generated last is taken first: then a state's parent is the last one that generated it.
    stack: bool,
    numbers: HashMap<Vec<u64>, usize>,
    known: HashMap<Vec<u64>, Generated<S::Action>>,
    waiting: usize,
    key: Vec<u64>,
}

impl<'a, S: StateSpace, H: Heuristic<S>> Replay<'a, S, H> {
    fn new(algorithm: Algorithm, space: &'a mut S, heuristic: &'a mut H, budget: &'a Budget) -> Self {
        use Algorithm::{DepthFirst, DepthLimited, IdaStar, IterativeDeepening};
        Self {
            key: vec![0; space.key_words()],
            space,
            heuristic,
            budget,
            informed: algorithm.asks_estimate(),
            measure: match algorithm {
                DepthLimited(_) => Measure::Depth,
                IterativeDeepening => Measure::Cost,
                _ => Measure::Sum,
            },
            stack: matches!(algorithm, DepthFirst | DepthLimited(_) | IterativeDeepening | IdaStar),
            numbers: HashMap::new(),
            known: HashMap::new(),
            waiting: 0,
        }
    }

    /// Ends early when the budget is used up.
    fn run(&mut self, recorder: Recorder<S::State>) -> Vec<RecordedExpansion<S::State, S::Action>> {
        let mut expansions = Vec::new();
        let mut iterations = recorder.iterations.into_iter().peekable();
        let (mut iteration, mut limit) = (0, None);
        for (index, expanded) in recorder.expanded.into_iter().enumerate() {
            // An iteration begins with empty tables. One that expands nothing is followed by another at once.
            while let Some((_, next)) = iterations.next_if(|&(first, _)| first <= index) {
                iteration += 1;
                limit = Some(next);
                self.known.clear();
                self.waiting = 0;
            }
            let Some(mut expansion) = self.expand(index, expanded, limit) else { break };
            expansion.iteration = iteration;
            expansions.push(expansion);
        }
        expansions
    }

    fn number(&mut self) -> usize {
        let count = self.numbers.len();
        *self.numbers.entry(self.key.clone()).or_insert(count)
    }

    /// `None` when the budget is used up.
    fn expand(
        &mut self,
        index: usize,
        (state, g, h): (S::State, Cost, Cost),
        limit: Option<Cost>,
    ) -> Option<RecordedExpansion<S::State, S::Action>> {
        self.space.pack(&state, &mut self.key);
        let node = self.number();
        let stack = self.stack;
        let waiting = &mut self.waiting;
        let entry = self.known.entry(self.key.clone()).or_insert_with(|| {
            *waiting += 1;
            Generated { g, depth: 0, parents: Vec::new(), expanded: false }
        });
        if !entry.expanded {
            entry.expanded = true;
            *waiting -= 1;
        }
        let mut reached = entry.parents.iter().filter(|(_, cost, ..)| *cost == g);
        let parent = if stack { reached.next_back() } else { reached.next() }.copied();
        entry.g = g;
        entry.depth = parent.map_or(0, |(_, _, depth, _)| depth);
        let depth = entry.depth + 1;
        let open = self.waiting;
        let mut list = Successors::default();
        self.space.successors(&state, &mut list);
        let mut successors = Vec::new();
        for edge in list.edges() {
            if self.budget.is_over() {
                return None;
            }
            let mut child = state.clone();
            self.space.apply(&mut child, edge.action);
            let goal = self.space.is_goal(&child);
            let child_g = g.saturating_add(edge.cost);
            let estimate = if self.informed { self.heuristic.estimate(self.space, &child) } else { Some(0) };
            let fate = self.fate(&child, (child_g, depth, estimate), limit, (index, edge.action));
            let node = matches!(fate, SuccessorFate::New | SuccessorFate::Cheaper | SuccessorFate::Known)
                .then(|| self.numbers.get(&self.key).copied())
                .flatten();
            let h = estimate.filter(|_| self.informed);
            successors.push(RecordedSuccessor {
                action: edge.action,
                state: Some(child),
                node,
                g: child_g,
                h,
                fate,
                goal,
            });
        }
        for &(action, reason) in list.cuts() {
            let fate = SuccessorFate::Cut(reason);
            successors.push(RecordedSuccessor { action, state: None, node: None, g, h: None, fate, goal: false });
        }
        let parent = parent.map(|(index, _, _, action)| (index, action));
        Some(RecordedExpansion { node, parent, state, g, h, waiting: open, iteration: 0, limit, successors })
    }

    /// What becomes of a successor; its key stays in `self.key`.
    fn fate(
        &mut self,
        child: &S::State,
        (g, depth, estimate): (Cost, u32, Option<Cost>),
        limit: Option<Cost>,
        by: (usize, S::Action),
    ) -> SuccessorFate {
        self.space.pack(child, &mut self.key);
        let Some(h) = estimate else { return SuccessorFate::Dead };
        let measured = match self.measure {
            Measure::Depth => depth,
            Measure::Cost => g,
            Measure::Sum => g.saturating_add(h),
        };
        let parent = (by.0, g, depth, by.1);
        if let Some(entry) = self.known.get_mut(&self.key) {
            entry.parents.push(parent);
            if g >= entry.g {
                return SuccessorFate::Known;
            }
            if limit.is_some_and(|limit| measured > limit) {
                return SuccessorFate::Beyond;
            }
            entry.g = g;
            entry.depth = depth;
            if entry.expanded {
                entry.expanded = false;
                self.waiting += 1;
            }
            return SuccessorFate::Cheaper;
        }
        if limit.is_some_and(|limit| measured > limit) {
            return SuccessorFate::Beyond;
        }
        self.number();
        self.known.insert(self.key.clone(), Generated { g, depth, parents: vec![parent], expanded: false });
        self.waiting += 1;
        SuccessorFate::New
    }

    /// The goal at the end of a path.
    fn goal(
        &mut self,
        path: &[S::Action],
        start: usize,
        g: Cost,
        expansions: &[RecordedExpansion<S::State, S::Action>],
    ) -> Option<RecordedGoal<S::State, S::Action>> {
        let mut state = self.space.starts().into_iter().nth(start)?;
        let mut before = None;
        for &action in path {
            self.space.pack(&state, &mut self.key);
            before = self.numbers.get(&self.key).map(|&node| (node, action));
            self.space.apply(&mut state, action);
        }
        self.space.pack(&state, &mut self.key);
        let node = self.numbers.get(&self.key).copied();
        let parent = before.and_then(|(node, action)| {
            let index = expansions.iter().rposition(|expansion| expansion.node == node)?;
            Some((index, action))
        });
        Some(RecordedGoal { node, parent, state, g })
    }
}
