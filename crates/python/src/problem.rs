//! Any state space written in Python, in the compiled algorithms.
//!
//! A state of Python becomes a number the first time it is seen, by its own `__hash__` and `__eq__`; the algorithms
//! compute with the numbers. The successors of a state are asked for once and kept.

use crate::config::limits;
use crate::errors::Class;
use crate::estimate::{Calls, estimate};
use crate::search_thread::{Cancel, flag};
use crate::supplied::guarantee;
use lurd::Budget;
use lurd::search::{
    Algorithm, Estimate, Guarantee, Heuristic, Optimality, Silent, StateSpace, Successors, TieBreak, Verdict,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::cell::RefCell;

/// An action: where it leads, and what Python calls it.
struct Step {
    to: u32,
    cost: u32,
    action: Py<PyAny>,
}

/// States by number, and what is known of them.
struct Known {
    states: Vec<Py<PyAny>>,
    /// The steps out of a state as a range of `steps`; `None` before it was expanded.
    steps_of: Vec<Option<(u32, u32)>>,
    steps: Vec<Step>,
    is_goal: Vec<Option<bool>>,
    estimates: Vec<Option<Estimate>>,
}

struct Problem<'c, 'py> {
    py: Python<'py>,
    problem: &'c Bound<'py, PyAny>,
    calls: &'c Calls,
    numbers: Bound<'py, PyDict>,
    known: RefCell<Known>,
    start: u32,
}

impl<'c, 'py> Problem<'c, 'py> {
    fn new(problem: &'c Bound<'py, PyAny>, calls: &'c Calls) -> PyResult<Self> {
        let py = problem.py();
        let known = Known { states: vec![], steps_of: vec![], steps: vec![], is_goal: vec![], estimates: vec![] };
        let mut all = Self { py, problem, calls, numbers: PyDict::new(py), known: RefCell::new(known), start: 0 };
        let initial = problem.getattr("initial")?;
        let initial = if initial.is_callable() { initial.call0()? } else { initial };
        all.start = all.number(&initial)?;
        Ok(all)
    }

    /// The number of a state, which is added if it is new.
    fn number(&self, state: &Bound<'py, PyAny>) -> PyResult<u32> {
        if let Some(number) = self.numbers.get_item(state)? {
            return number.extract();
        }
        let mut known = self.known.borrow_mut();
        let number =
            u32::try_from(known.states.len()).map_err(|_| Class::Problem.error("there are too many states"))?;
        self.numbers.set_item(state, number)?;
        known.states.push(state.clone().unbind());
        known.steps_of.push(None);
        known.is_goal.push(None);
        known.estimates.push(None);
        Ok(number)
    }

    fn state(&self, number: u32) -> Bound<'py, PyAny> {
        self.known.borrow().states[number as usize].bind(self.py).clone()
    }

    /// Asks Python for the steps out of a state.
    fn expand(&self, number: u32) -> PyResult<()> {
        let mut steps = Vec::new();
        for item in self.problem.call_method1("successors", (self.state(number),))?.try_iter()? {
            let item = item?;
            let wrong = || {
                let text = item.repr().map_or_else(|_| "this".to_owned(), |text| text.to_string());
                Class::Problem.error(format!(
                    "successors gives pairs (action, state) or triples (action, state, cost), and not {text}"
                ))
            };
            let tuple = item.cast::<PyTuple>().map_err(|_| wrong())?;
            let cost = match tuple.len() {
                2 => 1,
                3 => {
                    let cost = tuple.get_item(2)?;
                    cost.extract::<u32>().ok().filter(|&cost| cost > 0).ok_or_else(|| {
                        let text = cost.repr().map_or_else(|_| "this".to_owned(), |text| text.to_string());
                        Class::Problem.error(format!("a cost is a whole number from 1 on, and not {text}"))
                    })?
                }
                _ => return Err(wrong()),
            };
            let to = self.number(&tuple.get_item(1)?)?;
            steps.push(Step { to, cost, action: tuple.get_item(0)?.unbind() });
        }
        let mut known = self.known.borrow_mut();
        let first = known.steps.len() as u32;
        known.steps_of[number as usize] = Some((first, first + steps.len() as u32));
        known.steps.append(&mut steps);
        Ok(())
    }
}

impl StateSpace for Problem<'_, '_> {
    type State = u32;
    type Action = u32;

    fn starts(&self) -> Vec<u32> {
        vec![self.start]
    }

    fn is_goal(&self, &state: &u32) -> bool {
        if let Some(known) = self.known.borrow().is_goal[state as usize] {
            return known;
        }
        let answer =
            self.calls.make(self.py, false, || self.problem.call_method1("is_goal", (self.state(state),))?.is_truthy());
        self.known.borrow_mut().is_goal[state as usize] = Some(answer);
        answer
    }

    fn successors(&mut self, &state: &u32, out: &mut Successors<u32>) {
        if self.known.borrow().steps_of[state as usize].is_none() {
            self.calls.make(self.py, (), || self.expand(state));
        }
        let known = self.known.borrow();
        if let Some((first, end)) = known.steps_of[state as usize] {
            for step in first..end {
                out.push(step, known.steps[step as usize].cost);
            }
        }
    }

    fn apply(&mut self, state: &mut u32, step: u32) {
        *state = self.known.borrow().steps[step as usize].to;
    }

    fn key_words(&self) -> usize {
        1
    }

    fn pack(&self, &state: &u32, words: &mut [u64]) {
        words[0] = state.into();
    }

    fn unpack(&self, words: &[u64], state: &mut u32) {
        *state = words[0] as u32;
    }
}

/// A heuristic of Python, asked once for each state. Without one the estimate is 0.
struct Guess<'c, 'py> {
    function: Option<&'c Bound<'py, PyAny>>,
    guarantee: Guarantee,
}

impl<'c, 'py> Heuristic<Problem<'c, 'py>> for Guess<'c, 'py> {
    fn estimate(&mut self, space: &Problem<'c, 'py>, &state: &u32) -> Estimate {
        let Some(function) = self.function else { return Some(0) };
        if let Some(known) = space.known.borrow().estimates[state as usize] {
            return known;
        }
        let answer = space.calls.make(space.py, None, || estimate(&function.call1((space.state(state),))?));
        space.known.borrow_mut().estimates[state as usize] = Some(answer);
        answer
    }

    fn guarantee(&self) -> Guarantee {
        if self.function.is_none() { Guarantee::Consistent } else { self.guarantee }
    }

    fn dead_is_proof(&self) -> bool {
        self.guarantee() >= Guarantee::Admissible
    }
}

fn algorithm_by_name(name: &str, weight: f64, depth_limit: u32) -> PyResult<Algorithm> {
    Ok(match name {
        "breadth-first" => Algorithm::BreadthFirst,
        "uniform-cost" => Algorithm::UniformCost,
        "depth-first" => Algorithm::DepthFirst,
        "depth-limited" => Algorithm::DepthLimited(depth_limit),
        "iterative-deepening" => Algorithm::IterativeDeepening,
        "greedy" => Algorithm::Greedy,
        "a-star" => Algorithm::AStar { fallback_after: None },
        "weighted-a-star" if (1.0..=1000.0).contains(&weight) => Algorithm::WeightedAStar(weight),
        "weighted-a-star" => {
            let sentence = format!("the weight of weighted A* must lie between 1 and 1000, and {weight} does not");
            return Err(Class::Config.error(sentence));
        }
        "ida-star" => Algorithm::IdaStar,
        "memory-bounded-a-star" => Algorithm::MemoryBoundedAStar,
        other => return Err(Class::Config.error(format!("there is no algorithm {other:?} for problems of your own"))),
    })
}

/// Searches a problem of Python; returns the result as a dictionary.
#[pyfunction]
#[pyo3(signature = (problem, algorithm, heuristic, promise, time_limit, memory_limit, node_limit, weight, depth_limit, cancel=None))]
#[allow(clippy::too_many_arguments, reason = "they are the arguments of the Python function")]
pub(crate) fn search<'py>(
    problem: &Bound<'py, PyAny>,
    algorithm: &str,
    heuristic: Option<&Bound<'py, PyAny>>,
    promise: &str,
    time_limit: Option<f64>,
    memory_limit: Option<usize>,
    node_limit: Option<u64>,
    weight: f64,
    depth_limit: u32,
    cancel: Option<&Bound<'py, Cancel>>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = problem.py();
    let algorithm = algorithm_by_name(algorithm, weight, depth_limit)?;
    let mut heuristic = Guess { function: heuristic, guarantee: guarantee(promise)? };
    let cancel = flag(cancel);
    let budget = Budget::new(limits(time_limit, memory_limit, node_limit)?, cancel.clone());
    let calls = Calls::new(cancel);
    let mut space = Problem::new(problem, &calls)?;
    let ended = lurd::search::search(algorithm, TieBreak::Lifo, &mut space, &mut heuristic, &budget, &mut Silent);
    let Problem { known, start, .. } = space;
    calls.end()?;
    let known = known.into_inner();
    let dict = PyDict::new(py);
    for name in ["path", "states", "cost", "stopped_by"] {
        dict.set_item(name, py.None())?;
    }
    dict.set_item("proof", "none")?;
    let outcome = match ended.verdict {
        Verdict::Solved { path, cost, proof, .. } => {
            let steps = || path.iter().map(|&step| &known.steps[step as usize]);
            let state = |number: u32| known.states[number as usize].bind(py);
            dict.set_item("path", PyList::new(py, steps().map(|step| step.action.bind(py)))?)?;
            let states: Vec<_> = std::iter::once(start).chain(steps().map(|step| step.to)).map(state).collect();
            dict.set_item("states", PyList::new(py, states)?)?;
            dict.set_item("cost", cost)?;
            let words = match proof {
                Optimality::Optimal => "optimal".to_owned(),
                Optimality::AtMost(factor) => format!("at-most-{factor}"),
                Optimality::None => "none".to_owned(),
            };
            dict.set_item("proof", words)?;
            "solved"
        }
        Verdict::Unsolvable => "unsolvable",
        // Every state was seen: only a state that the heuristic called dead could hide a goal.
        Verdict::Exhausted if !known.estimates.contains(&Some(None)) => "unsolvable",
        Verdict::Exhausted => "stopped",
        Verdict::Stopped(stop) => {
            dict.set_item("stopped_by", stop.name())?;
            "stopped"
        }
        Verdict::Cancelled => "cancelled",
    };
    dict.set_item("outcome", outcome)?;
    dict.set_item("lower_bound", ended.lower_bound)?;
    dict.set_item("expanded", ended.statistics.expanded)?;
    dict.set_item("generated", ended.statistics.generated)?;
    dict.set_item("duplicates", ended.statistics.duplicates)?;
    dict.set_item("reopened", ended.statistics.reopened)?;
    dict.set_item("seconds", ended.statistics.seconds)?;
    dict.set_item("notes", ended.notes)?;
    Ok(dict)
}
