//! How a position stands: dead and why, or how far from a solution and what to push next.

use crate::{Deadlocks, DetectorName, Goal, Level, Outcome, Place, Proof, Solver};
use lurd_base::{Cancel, Limits};
use lurd_level::{Direction, Map};
use lurd_rules::{Board, BoardError, State, Walker};
use std::collections::HashMap;

/// Positions that an oracle remembers, at most.
const MOST_REMEMBERED: usize = 200_000;

/// How a position stands.
///
/// ```
/// use lurd::{Cancel, Level, Limits, Oracle, Standing};
/// let level = Level::parse("#####\n#@$.#\n#####")?;
/// let standing = Oracle::new(Limits::default()).ask(&level.map, &Cancel::new())?;
/// assert!(matches!(standing, Standing::Alive { pushes: 1, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It can be solved.
    Alive {
        /// The fewest pushes to a solution, proved.
        pushes: u32,
        /// The box that a shortest solution pushes next, and where to; `None` if all boxes are home.
        next: Option<(Place, Direction)>,
    },
    /// It cannot.
    Dead {
        /// The rule that sees it and the boxes at fault; `None` where only an exhaustive search showed it.
        reason: Option<(DetectorName, Vec<Place>)>,
    },
    /// The limits ended the search before anything was proved.
    Unknown,
}

/// Answers how positions of one game stand, and remembers its answers: after one proof every position on the way of that
/// solution is known.
///
/// ```
/// use lurd::{Cancel, Direction, Level, Limits, Oracle, Place, Standing};
/// let mut oracle = Oracle::new(Limits::default());
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let next = Some((Place { line: 2, column: 4 }, Direction::Right));
/// assert_eq!(oracle.ask(&level.map, &Cancel::new())?, Standing::Alive { pushes: 2, next });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Oracle {
    limits: Limits,
    /// By the map with the player on the lowest square of its zone.
    known: HashMap<Map, Standing>,
}

impl Oracle {
    /// An oracle whose proofs stay inside these limits.
    ///
    /// ```
    /// use lurd::{Limits, Oracle};
    /// use std::time::Duration;
    /// let oracle = Oracle::new(Limits { time: Some(Duration::from_secs(1)), ..Limits::default() });
    /// assert_eq!(oracle.remembered(), 0);
    /// ```
    pub fn new(limits: Limits) -> Self {
        Self { limits, known: HashMap::new() }
    }

    /// The number of positions remembered.
    ///
    /// ```
    /// use lurd::{Cancel, Level, Limits, Oracle};
    /// let mut oracle = Oracle::new(Limits::default());
    /// let level = Level::parse("#######\n#@ $ .#\n#######")?;
    /// oracle.ask(&level.map, &Cancel::new())?;
    /// assert_eq!(oracle.remembered(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remembered(&self) -> usize {
        self.known.len()
    }

    /// How the position stands that a map shows.
    ///
    /// # Errors
    /// When the map cannot be played.
    ///
    /// ```
    /// use lurd::{Cancel, DetectorName, Level, Limits, Oracle, Place, Standing};
    /// let stuck = Level::parse("#####\n#$  #\n#@ .#\n#####")?;
    /// let standing = Oracle::new(Limits::default()).ask(&stuck.map, &Cancel::new())?;
    /// let reason = Some((DetectorName::Corner, vec![Place { line: 2, column: 2 }]));
    /// assert_eq!(standing, Standing::Dead { reason });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask(&mut self, map: &Map, cancel: &Cancel) -> Result<Standing, BoardError> {
        let board = Board::new(map)?;
        let mut walker = Walker::new(&board);
        let state = State::start(&board);
        let zone = walker.fill(&board, &state.boxes, state.player);
        let key = board.picture(&state.boxes, zone);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        if self.known.len() >= MOST_REMEMBERED {
            self.known.clear();
        }
        let standing = self.find(&board, &state, &mut walker, cancel);
        if standing != Standing::Unknown {
            self.known.insert(key, standing.clone());
        }
        Ok(standing)
    }

    fn find(&mut self, board: &Board, state: &State, walker: &mut Walker, cancel: &Cancel) -> Standing {
        if state.boxes.is_subset(board.goal_set()) {
            return Standing::Alive { pushes: 0, next: None };
        }
        let distances = Deadlocks::distances(board);
        if let Some(deadlock) = Deadlocks::new(board, &distances).anywhere(&state.boxes, state.player) {
            let boxes = deadlock.boxes.iter().map(|&square| place(board, square)).collect();
            return Standing::Dead { reason: Some((deadlock.rule, boxes)) };
        }
        let mut solver = Solver::new().goal(Goal::Pushes).cancel(cancel);
        if let Some(time) = self.limits.time {
            solver = solver.time_limit(time);
        }
        if let Some(memory) = self.limits.memory {
            solver = solver.memory_limit(memory);
        }
        if let Some(nodes) = self.limits.nodes {
            solver = solver.node_limit(nodes);
        }
        let Ok(report) = solver.solve(&Level::new(board.map().clone())) else { return Standing::Unknown };
        match (report.outcome, report.solution) {
            (_, Some(solution)) if report.proof == Proof::OptimalPushes => {
                self.remember(board, state, walker, &solution.lurd, solution.pushes as u32)
            }
            (Outcome::Unsolvable, _) => Standing::Dead { reason: None },
            _ => Standing::Unknown,
        }
    }

    /// Remembers every position before and after a push of a shortest solution; returns how the first stands.
    fn remember(&mut self, board: &Board, start: &State, walker: &mut Walker, lurd: &str, pushes: u32) -> Standing {
        let mut state = start.clone();
        let mut first = None;
        let mut left = pushes;
        for direction in lurd.chars().filter_map(Direction::from_letter) {
            let before = state.clone();
            // The referee has replayed the solution: every move can be made.
            if let Some(Some(push)) = state.step(board, direction) {
                let standing = Standing::Alive { pushes: left, next: Some((place(board, push.from), direction)) };
                let zone = walker.fill(board, &before.boxes, before.player);
                self.known.insert(board.picture(&before.boxes, zone), standing.clone());
                first.get_or_insert(standing);
                left -= 1;
            }
        }
        let solved = Standing::Alive { pushes: 0, next: None };
        let zone = walker.fill(board, &state.boxes, state.player);
        self.known.insert(board.picture(&state.boxes, zone), solved.clone());
        first.unwrap_or(solved)
    }
}

fn place(board: &Board, square: lurd_rules::Square) -> Place {
    let (row, column) = board.place(square);
    Place { line: row + 1, column: column + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_rules::oracle::{Truth, levels, reachable};

    /// Every reachable position of small levels: dead exactly if brute force says so, the distance exact, and the next
    /// push leads one nearer.
    #[test]
    fn the_oracle_agrees_with_brute_force() {
        for map in levels(23, 40) {
            let board = Board::new(&map).unwrap();
            let truth = Truth::new(&board);
            let mut oracle = Oracle::new(Limits::default());
            for state in reachable(&board).into_iter().step_by(3) {
                let shown = board.picture(&state.boxes, state.player);
                match (oracle.ask(&shown, &Cancel::new()).unwrap(), truth.pushes.get(&state)) {
                    (Standing::Dead { .. }, None) => {}
                    (Standing::Alive { pushes, next }, Some(&distance)) => {
                        assert_eq!(pushes, distance, "{shown}");
                        let Some((Place { line, column }, way)) = next else {
                            assert_eq!(distance, 0);
                            continue;
                        };
                        let from = board.square_at(line - 1, column - 1).unwrap();
                        let mut after = State { boxes: state.boxes.clone(), player: from };
                        after.boxes.shift(from, board.neighbour(from, way));
                        assert_eq!(truth.pushes.get(&after), Some(&(distance - 1)), "{shown}");
                    }
                    (standing, distance) => panic!("{standing:?}, brute force says {distance:?}\n{shown}"),
                }
            }
        }
    }
}
