//! Parts of a search that the caller supplies: a heuristic, a deadlock rule.
//!
//! A supplied heuristic takes the place of the one chosen by name, a supplied rule joins the detectors. What they promise
//! is what the caller says: a search claims no more than that. They are asked about positions that pushes lead to; in
//! formulation `push` the player is on the lowest square of its zone.

use crate::formulation::Formulation;
use crate::heuristic::Estimator;
use lurd_rules::deadlock::DetectorName;
use lurd_rules::{Bits, Board, Square, State};
use lurd_search::{Estimate, Guarantee, Heuristic, Pruning, Reason, StateSpace, Successors};

/// The name under which cuts of a supplied rule are counted.
const RULE: &str = "own-rule";
/// The name under which positions are counted that a supplied heuristic calls dead.
const HEURISTIC: &str = "own-heuristic";

/// Estimates a position; `None` calls it dead.
pub type EstimateFunction<'s> = Box<dyn FnMut(&Board, &State) -> Estimate + 's>;
/// Says whether a position is dead.
pub type DeadFunction<'s> = Box<dyn FnMut(&Board, &State) -> bool + 's>;

/// A heuristic of the caller.
pub struct SuppliedHeuristic<'s> {
    /// Its name in the report.
    pub name: String,
    /// The estimate of a position.
    pub estimate: EstimateFunction<'s>,
    /// What it promises.
    pub guarantee: Guarantee,
}

/// A deadlock rule of the caller.
pub struct SuppliedRule<'s> {
    /// Whether a position is dead.
    pub is_dead: DeadFunction<'s>,
    /// Whether every position it calls dead has no solution.
    pub is_sound: bool,
}

/// What the caller supplies to a search.
#[derive(Default)]
pub struct Supplied<'s> {
    /// Instead of the heuristic chosen by name.
    pub heuristic: Option<SuppliedHeuristic<'s>>,
    /// Beside the detectors chosen by name.
    pub rule: Option<SuppliedRule<'s>>,
}

impl Supplied<'_> {
    /// Whether nothing is supplied.
    pub fn is_empty(&self) -> bool {
        self.heuristic.is_none() && self.rule.is_none()
    }
}

/// The heuristic at work beside a supplied part.
pub(crate) enum Chosen<'s, 'b> {
    ByName(Box<Estimator<'b>>),
    Supplied(SuppliedHeuristic<'s>),
}

impl<S: Formulation> Heuristic<S> for Chosen<'_, '_> {
    fn estimate(&mut self, space: &S, state: &State) -> Estimate {
        match self {
            Self::ByName(estimator) => estimator.estimate(space, state),
            Self::Supplied(own) => (own.estimate)(space.board(), state),
        }
    }

    fn guarantee(&self) -> Guarantee {
        match self {
            Self::ByName(estimator) => Heuristic::<S>::guarantee(&**estimator),
            Self::Supplied(own) => own.guarantee,
        }
    }

    fn dead_reason(&self) -> &'static str {
        match self {
            Self::ByName(estimator) => Heuristic::<S>::dead_reason(&**estimator),
            Self::Supplied(_) => HEURISTIC,
        }
    }

    fn dead_is_proof(&self) -> bool {
        match self {
            Self::ByName(estimator) => Heuristic::<S>::dead_is_proof(&**estimator),
            Self::Supplied(own) => own.guarantee >= Guarantee::Admissible,
        }
    }

    fn peak_bytes(&self) -> usize {
        match self {
            Self::ByName(estimator) => Heuristic::<S>::peak_bytes(&**estimator),
            Self::Supplied(_) => 0,
        }
    }
}

/// A formulation whose successors a supplied rule prunes too.
pub(crate) struct Ruled<'s, S: Formulation> {
    inner: S,
    rule: Option<SuppliedRule<'s>>,
    reasons: Vec<&'static str>,
    found: Successors<S::Action>,
    child: State,
}

impl<'s, S: Formulation> Ruled<'s, S> {
    pub(crate) fn new(inner: S, rule: Option<SuppliedRule<'s>>) -> Self {
        let reasons = [inner.reasons(), &[RULE]].concat();
        let child = State::start(inner.board());
        Self { inner, rule, reasons, found: Successors::default(), child }
    }
}

impl<S: Formulation> StateSpace for Ruled<'_, S> {
    type State = State;
    type Action = S::Action;

    fn starts(&self) -> Vec<State> {
        self.inner.starts()
    }

    fn is_goal(&self, state: &State) -> bool {
        self.inner.is_goal(state)
    }

    fn successors(&mut self, state: &State, out: &mut Successors<S::Action>) {
        let Some(rule) = &mut self.rule else { return self.inner.successors(state, out) };
        self.found.clear();
        self.inner.successors(state, &mut self.found);
        for &(action, reason) in self.found.cuts() {
            out.cut(action, reason);
        }
        for edge in self.found.edges() {
            self.child.clone_from(state);
            self.inner.apply(&mut self.child, edge.action);
            if (rule.is_dead)(self.inner.board(), &self.child) {
                out.cut(edge.action, DetectorName::ALL.len() as Reason);
            } else {
                out.push(edge.action, edge.cost);
            }
        }
    }

    fn apply(&mut self, state: &mut State, action: S::Action) {
        self.inner.apply(state, action);
    }

    fn key_words(&self) -> usize {
        self.inner.key_words()
    }

    fn pack(&self, state: &State, words: &mut [u64]) {
        self.inner.pack(state, words);
    }

    fn unpack(&self, words: &[u64], state: &mut State) {
        self.inner.unpack(words, state);
    }

    fn reasons(&self) -> &[&'static str] {
        &self.reasons
    }

    fn pruning(&self) -> Pruning {
        match &self.rule {
            Some(rule) if !rule.is_sound => Pruning::Unsound,
            _ => self.inner.pruning(),
        }
    }

    fn continues(&self, previous: S::Action, action: S::Action) -> bool {
        self.inner.continues(previous, action)
    }
}

impl<S: Formulation> Formulation for Ruled<'_, S> {
    fn board(&self) -> &Board {
        self.inner.board()
    }

    fn shifted(&self, action: S::Action) -> Option<(Square, Square)> {
        self.inner.shifted(action)
    }

    fn write(&mut self, boxes: &mut Bits, player: &mut Square, action: S::Action, out: &mut String) {
        self.inner.write(boxes, player, action, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AlgorithmName, Choices, Ended, FormulationName, Outcome, Plan, Watcher, run, run_supplied};
    use lurd_base::Budget;
    use lurd_rules::Goal;
    use lurd_rules::oracle::{Truth, levels};
    use lurd_search::{Optimality, Statistics};

    struct Silent;
    impl Watcher for Silent {
        fn tick(&mut self, _: &Statistics, _: Option<u32>) {}
    }

    fn plan(algorithm: AlgorithmName, formulation: FormulationName) -> Plan {
        let choices = Choices {
            algorithm: Some(algorithm),
            formulation: Some(formulation),
            detectors: Some(Vec::new()),
            ..Choices::default()
        };
        Plan::new(&choices, Goal::Any).unwrap()
    }

    fn misplaced(board: &Board, state: &State) -> Estimate {
        Some(state.boxes.iter().filter(|&square| !board.is_goal(square)).count() as u32)
    }

    fn search(board: &Board, plan: &Plan, guarantee: Guarantee, rule: Option<SuppliedRule<'_>>) -> Ended {
        let heuristic = SuppliedHeuristic { name: "misplaced".into(), estimate: Box::new(misplaced), guarantee };
        let supplied = Supplied { heuristic: Some(heuristic), rule };
        run_supplied(board, plan, supplied, &Budget::unlimited(), &mut Silent)
    }

    /// With an admissible heuristic and the exact truth as a rule, every formulation finds and proves the optimum.
    #[test]
    fn supplied_parts_keep_the_optimum() {
        for map in levels(91, 150) {
            let board = Board::new(&map).unwrap();
            let truth = Truth::new(&board);
            for formulation in [FormulationName::Push, FormulationName::Move, FormulationName::Walk] {
                let plan = plan(AlgorithmName::AStar, formulation);
                let alive = truth.moves.clone();
                let rule =
                    SuppliedRule { is_dead: Box::new(move |_, state| !alive.contains_key(state)), is_sound: true };
                let ruled = search(&board, &plan, Guarantee::Consistent, Some(rule));
                let plain = run(&board, &plan, &Budget::unlimited(), &mut Silent);
                assert_eq!((ruled.outcome, ruled.proof), (plain.outcome, plain.proof), "{formulation}\n{map}");
                let counted = |letter: &char| formulation != FormulationName::Push || letter.is_ascii_uppercase();
                let cost = |ended: &Ended| Some(ended.lurd.as_ref()?.chars().filter(counted).count());
                assert_eq!(cost(&ruled), cost(&plain), "{formulation}\n{map}");
            }
        }
    }

    /// What the caller does not promise is not claimed.
    #[test]
    fn nothing_is_claimed_that_was_not_promised() {
        let solvable = lurd_level::Map::from_xsb("#######\n#@ $ .#\n#######").unwrap();
        let board = Board::new(&solvable).unwrap();
        let plan = plan(AlgorithmName::AStar, FormulationName::Push);
        let promised = search(&board, &plan, Guarantee::Admissible, None);
        assert_eq!((promised.outcome, promised.proof), (Outcome::Solved, Optimality::Optimal));
        assert_eq!(search(&board, &plan, Guarantee::Inadmissible, None).proof, Optimality::None);
        let everything = SuppliedRule { is_dead: Box::new(|_, _| true), is_sound: false };
        let cut = search(&board, &plan, Guarantee::Consistent, Some(everything));
        assert_eq!((cut.outcome, cut.statistics.pruned.get(RULE)), (Outcome::Exhausted, Some(&1)));
    }
}
