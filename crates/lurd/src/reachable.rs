//! Every position that can be reached in a small level, with its exact distance to a solution.
//!
//! The whole space is enumerated by the bare formulation, without any deadlock rule, and distances are found backwards
//! from the solved positions. What a heuristic is worth can then be tested on all of it.

use lurd_base::{Budget, Halt, Stop};
use lurd_classic::WholeSpace;
use lurd_classic::formulation::{MoveSpace, PushSpace};
use lurd_improve::Metric;
use lurd_rules::distance::Distances;
use lurd_rules::state::Packing;
use lurd_rules::{Bits, Board, State};
use lurd_search::Estimate;

/// Why a space was not enumerated.
///
/// ```
/// use lurd::{Board, Budget, Cancel, Level, Limits, Reachable, ReachableError, Stop, improve::Metric};
/// let board = Board::new(&Level::parse("#######\n#@ $ .#\n#######")?.map)?;
/// let budget = Budget::new(Limits { nodes: Some(1), ..Limits::default() }, Cancel::new());
/// let refused = Reachable::explore(&board, Metric::Pushes, &budget).err();
/// assert_eq!(refused, Some(ReachableError::Stopped(Stop::Nodes)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReachableError {
    /// A limit was reached.
    #[error("the level has too many positions for the limit on {}; raise it or take a smaller level", .0.name())]
    Stopped(Stop),
    /// The cancel flag was raised.
    #[error("the enumeration was cancelled")]
    Cancelled,
}

/// Every reachable position of a level with its exact distance. With [`Metric::Pushes`] positions that differ by a walk
/// are one, and the player is on the lowest square of its zone.
///
/// ```
/// use lurd::{Board, Budget, Level, Reachable, State, improve::Metric};
/// let board = Board::new(&Level::parse("#######\n#@ $ .#\n#######")?.map)?;
/// let space = Reachable::explore(&board, Metric::Moves, &Budget::unlimited())?;
/// assert_eq!(space.distance(&State::start(&board)), Some(Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reachable {
    board: Board,
    metric: Metric,
    packing: Packing,
    whole: WholeSpace,
}

/// A position whose estimate is above its distance.
///
/// ```
/// use lurd::{Board, Budget, Level, Reachable, improve::Metric};
/// let board = Board::new(&Level::parse("#######\n#@ $ .#\n#######")?.map)?;
/// let space = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?;
/// let seven = space.examine(|_, _| Ok::<_, std::convert::Infallible>(Some(7)))?;
/// assert_eq!(seven.overestimate.map(|found| (found.estimate, found.distance)), Some((Some(7), 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overestimate {
    /// The position.
    pub state: State,
    /// Its estimate; `None` where the heuristic calls it dead.
    pub estimate: Estimate,
    /// Its distance.
    pub distance: u32,
}

/// An action along which an estimate falls by more than the action costs.
///
/// ```
/// use lurd::{Board, Budget, Level, Reachable, improve::Metric};
/// let board = Board::new(&Level::parse("#######\n#@ $ .#\n#######")?.map)?;
/// let space = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?;
/// // Right at the start and too small after the first push.
/// let uneven = |board: &Board, state: &lurd::State| {
///     Ok::<_, std::convert::Infallible>(Some(if state.boxes.iter().eq(board.start_boxes().iter().copied()) { 2 } else { 0 }))
/// };
/// let found = space.examine(uneven)?;
/// assert!(found.overestimate.is_none());
/// assert_eq!(found.inconsistency.map(|found| (found.before, found.after)), Some((Some(2), Some(0))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inconsistency {
    /// The position before the action.
    pub from: State,
    /// The position after it. The action costs 1.
    pub to: State,
    /// The estimate before.
    pub before: Estimate,
    /// The estimate after.
    pub after: Estimate,
}

/// A heuristic held against every reachable position.
///
/// ```
/// use lurd::{Board, Budget, Level, Reachable, improve::Metric};
/// let board = Board::new(&Level::parse("#######\n#@ $ .#\n#######")?.map)?;
/// let space = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?;
/// let zero = space.examine(|_, _| Ok::<_, std::convert::Infallible>(Some(0)))?;
/// assert!(zero.is_admissible() && zero.is_consistent());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Examination {
    /// The first position, in breadth-first order, with an estimate above its distance.
    pub overestimate: Option<Overestimate>,
    /// The first action along which the estimate falls by more than 1.
    pub inconsistency: Option<Inconsistency>,
}

impl Examination {
    /// Whether no estimate is above its distance.
    ///
    /// ```
    /// # use lurd::{Board, Budget, Level, Reachable, improve::Metric};
    /// # let board = Board::new(&Level::parse("#####\n#@$.#\n#####")?.map)?;
    /// # let space = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?;
    /// assert!(!space.examine(|_, _| Ok::<_, std::convert::Infallible>(Some(9)))?.is_admissible());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_admissible(&self) -> bool {
        self.overestimate.is_none()
    }

    /// Whether it is admissible and falls by no more than each action costs.
    ///
    /// ```
    /// # use lurd::{Board, Budget, Level, Reachable, improve::Metric};
    /// # let board = Board::new(&Level::parse("#####\n#@$.#\n#####")?.map)?;
    /// # let space = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?;
    /// assert!(space.examine(|_, _| Ok::<_, std::convert::Infallible>(Some(0)))?.is_consistent());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_consistent(&self) -> bool {
        self.is_admissible() && self.inconsistency.is_none()
    }
}

impl Reachable {
    /// Enumerates the positions that can be reached from the position a board was compiled from. The budget's limit on
    /// nodes is one on positions.
    ///
    /// # Errors
    /// When a limit is reached or the flag is raised before the whole space is known.
    ///
    /// ```
    /// use lurd::{Board, Budget, Level, Reachable, improve::Metric};
    /// let board = Board::new(&Level::parse("#######\n#@ $ .#\n#######")?.map)?;
    /// assert_eq!(Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explore(board: &Board, metric: Metric, budget: &Budget) -> Result<Self, ReachableError> {
        let distances = Distances::to_goals(board, budget)?;
        // All actions of both formulations cost 1.
        let whole = match metric {
            Metric::Pushes => WholeSpace::explore(&mut PushSpace::new(board, &distances, &[]), budget),
            Metric::Moves => WholeSpace::explore(&mut MoveSpace::new(board, &distances, &[]), budget),
        }?;
        Ok(Self { board: board.clone(), metric, packing: Packing::new(board), whole })
    }

    fn state(&self, at: usize) -> State {
        let mut state = State { boxes: Bits::empty(self.board.len()), player: 0 };
        self.packing.unpack(self.whole.key(at), &mut state);
        state
    }

    /// The number of positions.
    ///
    /// ```
    /// # use lurd::{Board, Budget, Level, Reachable, improve::Metric};
    /// # let board = Board::new(&Level::parse("#####\n#@$.#\n#####")?.map)?;
    /// assert_eq!(Reachable::explore(&board, Metric::Moves, &Budget::unlimited())?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[allow(clippy::len_without_is_empty, reason = "the start is always reachable")]
    pub fn len(&self) -> usize {
        self.whole.len()
    }

    /// What distances count.
    ///
    /// ```
    /// # use lurd::{Board, Budget, Level, Reachable, improve::Metric};
    /// # let board = Board::new(&Level::parse("#####\n#@$.#\n#####")?.map)?;
    /// let space = Reachable::explore(&board, Metric::Moves, &Budget::unlimited())?;
    /// assert_eq!(space.metric(), Metric::Moves);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The board.
    ///
    /// ```
    /// # use lurd::{Board, Budget, Level, Reachable, improve::Metric};
    /// # let board = Board::new(&Level::parse("#####\n#@$.#\n#####")?.map)?;
    /// let space = Reachable::explore(&board, Metric::Moves, &Budget::unlimited())?;
    /// assert_eq!(space.board().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Every position with its distance, `None` for dead ones, in breadth-first order.
    ///
    /// ```
    /// # use lurd::{Board, Budget, Level, Reachable, improve::Metric};
    /// # let board = Board::new(&Level::parse("#####\n#@$.#\n#####")?.map)?;
    /// let space = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?;
    /// let distances: Vec<_> = space.positions().map(|(_, distance)| distance).collect();
    /// assert_eq!(distances, [Some(1), Some(0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = (State, Option<u32>)> + '_ {
        (0..self.len()).map(|at| (self.state(at), self.whole.distance(at)))
    }

    /// The distance of a position: `None` if it cannot be reached, `Some(None)` if it is dead. The player's square is
    /// that of the space: with [`Metric::Pushes`] the lowest of its zone.
    ///
    /// ```
    /// # use lurd::{Board, Budget, Level, Reachable, State, improve::Metric};
    /// # let board = Board::new(&Level::parse("#####\n#@$.#\n#####")?.map)?;
    /// let space = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?;
    /// assert_eq!(space.distance(&State::start(&board)), Some(Some(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance(&self, state: &State) -> Option<Option<u32>> {
        let mut key = vec![0; self.packing.words()];
        self.packing.pack(state, &mut key);
        self.whole.find(&key).map(|at| self.whole.distance(at))
    }

    /// Holds a heuristic against every position and every action.
    ///
    /// # Errors
    /// What the heuristic fails with.
    ///
    /// ```
    /// use lurd::{Board, Budget, Level, Reachable, improve::Metric};
    /// let board = Board::new(&Level::parse("#######\n#@ $ .#\n#######")?.map)?;
    /// let space = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited())?;
    /// assert!(space.examine(|_, _| Err::<Option<u32>, _>("no idea")).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn examine<E>(
        &self,
        mut heuristic: impl FnMut(&Board, &State) -> Result<Estimate, E>,
    ) -> Result<Examination, E> {
        let mut estimates = Vec::with_capacity(self.len());
        let mut overestimate = None;
        for (state, distance) in self.positions() {
            let estimate = heuristic(&self.board, &state)?;
            estimates.push(estimate);
            let distance = distance.filter(|&distance| estimate.is_none_or(|estimate| estimate > distance));
            if let (None, Some(distance)) = (&overestimate, distance) {
                overestimate = Some(Overestimate { state, estimate, distance });
            }
        }
        let inconsistency = self.whole.inconsistency(&estimates).map(|(from, to)| Inconsistency {
            from: self.state(from),
            to: self.state(to),
            before: estimates[from],
            after: estimates[to],
        });
        Ok(Examination { overestimate, inconsistency })
    }
}

impl From<Halt> for ReachableError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Limit(stop) => Self::Stopped(stop),
            Halt::Cancelled => Self::Cancelled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_rules::Walker;
    use lurd_rules::oracle::{Truth, levels, reachable, step};
    use std::collections::HashSet;
    use std::convert::Infallible;

    /// Distances and the set of positions are those of brute force.
    #[test]
    fn every_position_and_its_distance_are_right() {
        for map in levels(17, 300) {
            let board = Board::new(&map).unwrap();
            let truth = Truth::new(&board);
            let moves = Reachable::explore(&board, Metric::Moves, &Budget::unlimited()).unwrap();
            let all = reachable(&board);
            assert_eq!(moves.len(), all.len());
            for state in &all {
                assert_eq!(moves.distance(state), Some(truth.moves.get(state).copied()), "{map}");
            }
            let pushes = Reachable::explore(&board, Metric::Pushes, &Budget::unlimited()).unwrap();
            let mut walker = Walker::new(&board);
            let mut zones = HashSet::new();
            for mut state in all {
                state.player = walker.fill(&board, &state.boxes, state.player);
                assert_eq!(pushes.distance(&state), Some(truth.pushes.get(&state).copied()), "{map}");
                zones.insert(state);
            }
            assert_eq!(pushes.len(), zones.len());
        }
    }

    /// The verdicts on a heuristic, some of them wrong on purpose, are those of brute force over single steps.
    #[test]
    fn verdicts_on_heuristics_are_right() {
        let mut seen = [0; 3];
        let solvable = |map| {
            let board = Board::new(&map).unwrap();
            let truth = Truth::new(&board);
            (truth.moves.get(&State::start(&board)) > Some(&1)).then_some((map, board, truth))
        };
        for (number, (map, board, truth)) in levels(18, 3_000).filter_map(solvable).take(200).enumerate() {
            // The exact distance with an error at some positions.
            let heuristic = |state: &State| -> Estimate {
                let exact = truth.moves.get(state).copied();
                let mark = usize::from(state.player) * 7 + number;
                match number % 3 {
                    0 => exact,
                    1 if mark % 3 == 0 => exact.map(|exact| exact.saturating_sub(2)),
                    2 if mark % 4 == 0 => exact.map(|exact| exact + 1),
                    _ => exact,
                }
            };
            let space = Reachable::explore(&board, Metric::Moves, &Budget::unlimited()).unwrap();
            let verdict = space.examine(|_, state| Ok::<_, Infallible>(heuristic(state))).unwrap();
            let all = reachable(&board);
            let above = |a: Estimate, b: Estimate| b.is_some_and(|b| a.is_none_or(|a| a > b));
            let admissible = all.iter().all(|state| !above(heuristic(state), truth.moves.get(state).copied()));
            let falls = all.iter().any(|state| {
                let after = lurd_level::Direction::ALL.into_iter().filter_map(|way| step(&board, state, way));
                after.into_iter().any(|next| above(heuristic(state), heuristic(&next).map(|h| h + 1)))
            });
            assert_eq!((verdict.is_admissible(), verdict.inconsistency.is_some()), (admissible, falls), "{map}");
            seen[usize::from(!admissible) + usize::from(falls)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 5), "the test must see all three: {seen:?}");
    }
}
