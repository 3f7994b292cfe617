//! IDA* on the tables, written for this puzzle.
//!
//! The search core's IDA* keeps a table of boards it has been to, which on this puzzle
//! costs more than it saves: 4x4 boards are rarely met twice below a bound. Here a node
//! is one slide on a board that is changed in place and one lookup a view. Over 100 random
//! boards that took a fifth of the time, with half as many expansions again; the answers
//! are the same.
//!
//! The tables' estimates are inconsistent, and that helps: a child worth two more than
//! its parent shows that the parent was underrated, so that all its children can be left
//! out at once (pathmax in both directions: Felner et al., 2011).

use super::lookup::{PatternLookup, Placed};
use crate::board::Board;
use crate::heuristic::Slide;
use crate::moves::Direction;
use crate::problem::Problem;
use crate::space::TileSpace;
use lurd_base::{Budget, Stop};
use lurd_search::{Cost, Observer, Optimality, Outcome, Statistics, Verdict};

/// Nodes between two looks at the clock and the cancel flag.
const POLL_EVERY: u64 = 1 << 12;
/// Nodes between two calls of the observer's tick.
const TICK_EVERY: u64 = 1 << 18;

struct Search<'a, O> {
    space: TileSpace,
    lookup: &'a PatternLookup,
    budget: &'a Budget,
    observer: &'a mut O,
    board: Board,
    path: Vec<Direction>,
    bound: Cost,
    /// The smallest sum met beyond the bound.
    next: Cost,
    statistics: Statistics,
}

/// Why a search ends before its time.
enum Halt {
    Stop(Stop),
    Cancelled,
}

/// Solves a problem. The tables must be for its goal.
pub(crate) fn ida_star<O: Observer<TileSpace>>(
    problem: &Problem,
    lookup: &PatternLookup,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<Direction> {
    let placed = lookup.place(problem.start());
    let mut search = Search {
        space: TileSpace::new(problem),
        lookup,
        budget,
        observer,
        board: *problem.start(),
        path: Vec::new(),
        bound: placed.value(),
        next: Cost::MAX,
        statistics: Statistics::default(),
    };
    let verdict = search.run(&placed);
    search.statistics.seconds = budget.elapsed().as_secs_f64();
    Outcome {
        verdict,
        lower_bound: Some(search.bound),
        statistics: search.statistics,
        notes: vec!["IDA* ran in the puzzle's own loop, which keeps no table of visited boards.".to_string()],
    }
}

impl<O: Observer<TileSpace>> Search<'_, O> {
    fn run(&mut self, start: &Placed) -> Verdict<Direction> {
        loop {
            self.observer.bound(self.bound);
            self.observer.iteration(self.bound);
            self.next = Cost::MAX;
            match self.descend(0, start, None) {
                Ok(true) => {
                    let cost = self.path.len() as Cost;
                    return Verdict::Solved { path: self.path.clone(), cost, start: 0, proof: Optimality::Optimal };
                }
                Ok(false) => self.bound = self.next,
                Err(Halt::Stop(stop)) => return Verdict::Stopped(stop),
                Err(Halt::Cancelled) => return Verdict::Cancelled,
            }
        }
    }

    /// Searches below the board in hand; the path leads to the goal where it says `true`.
    fn descend(&mut self, g: Cost, placed: &Placed, last: Option<Direction>) -> Result<bool, Halt> {
        let h = placed.value();
        if h == 0 && self.board == *self.space.problem().goal() {
            return Ok(true);
        }
        self.statistics.expanded += 1;
        self.observer.expanded(&self.board, g, h);

        let blank = self.board.blank();
        let way_back = last.map(Direction::reverse);
        let mut children = [(Direction::Up, 0, Placed::default()); 4];
        let mut count = 0;
        for index in 0..self.space.steps(blank).len() {
            let (direction, to) = self.space.steps(blank)[index];
            if Some(direction) == way_back {
                continue;
            }
            self.generate()?;
            let from = usize::from(to);
            let child = self.lookup.slide(placed, Slide { tile: self.board.tile(from), from, to: blank });
            let value = child.value();
            if g + value > self.bound + 1 {
                // One move away the estimate is so high that this board is beyond the bound itself.
                self.next = self.next.min(g + value - 1);
                return Ok(false);
            }
            if g + 1 + value > self.bound {
                self.next = self.next.min(g + 1 + value);
                continue;
            }
            children[count] = (direction, from, child);
            count += 1;
        }
        for (direction, to, child) in &children[..count] {
            self.board.swap_blank(*to);
            self.path.push(*direction);
            self.observer.generated(&self.board, g + 1, child.value());
            if self.descend(g + 1, child, Some(*direction))? {
                return Ok(true);
            }
            self.path.pop();
            self.board.swap_blank(blank);
        }
        Ok(false)
    }

    /// Counts a node, and looks at the limits from time to time.
    fn generate(&mut self) -> Result<(), Halt> {
        if self.budget.out_of_nodes(self.statistics.generated) {
            return Err(Halt::Stop(Stop::Nodes));
        }
        self.statistics.generated += 1;
        let nodes = self.statistics.generated;
        if nodes.is_multiple_of(POLL_EVERY) {
            if self.budget.cancel().is_cancelled() {
                return Err(Halt::Cancelled);
            }
            if self.budget.out_of_time() {
                return Err(Halt::Stop(Stop::Time));
            }
            if nodes.is_multiple_of(TICK_EVERY) {
                self.statistics.seconds = self.budget.elapsed().as_secs_f64();
                self.observer.tick(&self.statistics, Some(self.bound));
            }
        }
        Ok(())
    }
}
