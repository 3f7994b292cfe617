//! Packing in phases, after the packing order of YASS (Damgaard).
//!
//! Where many goals lie in one room (the goal rooms of Rolling Stone: Junghanns and Schaeffer 2001), the order in which
//! they are filled decides. [`order`] takes the solved board apart: boxes that can leave together are one phase. Read
//! backwards, the phases are stages. [`score`] measures the progress through the stages, [`search`] pushes along. An
//! order may be wrong, so the strategy proves nothing.

mod order;
#[cfg(test)]
mod reference;
mod score;
mod search;
#[cfg(test)]
mod tests;

use crate::context::Context;
use crate::observe::Snapshot;
use crate::perimeter::Perimeter;
use crate::strategy::{Ended, Halt, SliceEnd, Strategy};
use lurd_rules::Figures;
use order::{OrderOptions, OrderSearch, OrderStatus, Stage};
use score::PackingOrder;
use search::StageSearch;

/// What finding the pulls of one box costs, in positions generated.
const PULLS_COST: u64 = 10;

/// The work of the first order before the second one starts: where the first is right, it soon shows.
const HEAD_START: u64 = 150_000;

/// Two orders: one that waits until all start squares are seen and parks boxes from pockets, and one that does not.
const OPTIONS: [OrderOptions; 2] =
    [OrderOptions { sees_all: true, parks_pockets: true }, OrderOptions { sees_all: false, parks_pockets: false }];

/// Orders and the searches along them, in round robin.
pub(super) struct Phases<'g> {
    context: &'g Context,
    perimeter: &'g Perimeter,
    attempts: Vec<Attempt<'g>>,
    next: usize,
    orders: Vec<Vec<Stage>>,
    /// The account of ended attempts, and the positions of all order searches.
    ended: Ended,
    /// Work given out so far.
    given: u64,
    started: bool,
}

enum Attempt<'g> {
    Ordering(Box<OrderSearch<'g>>),
    Searching(Box<StageSearch<'g>>),
}

impl Attempt<'_> {
    fn bytes(&self) -> usize {
        match self {
            Self::Ordering(order) => order.bytes(),
            Self::Searching(search) => search.bytes(),
        }
    }
}

impl<'g> Phases<'g> {
    pub(super) fn new(context: &'g Context, perimeter: &'g Perimeter) -> Self {
        Self {
            context,
            perimeter,
            attempts: Vec::new(),
            next: 0,
            orders: Vec::new(),
            ended: Ended::new(context.board.len()),
            given: 0,
            started: false,
        }
    }

    fn start(&mut self) {
        let board = &self.context.board;
        self.started = true;
        if order::has_goal_room(board) && board.goals().len() == board.starts().len() {
            let attempt = |&options| Attempt::Ordering(Box::new(OrderSearch::new(board, options)));
            self.attempts = OPTIONS.iter().map(attempt).collect();
        }
    }

    fn end(&mut self, number: usize) {
        if let Attempt::Searching(search) = self.attempts.remove(number) {
            self.ended.add(search.figures, search.effort(), &search.visits);
        }
    }

    /// A slice of one attempt; when its order is found, the search along it begins at once.
    fn run_attempt(&mut self, number: usize, work: u64, halt: &Halt) -> SliceEnd {
        let order = match &mut self.attempts[number] {
            Attempt::Searching(search) => return search.run(work, halt),
            Attempt::Ordering(order) => order,
        };
        let before = order.surveys;
        let status = order.run(work / PULLS_COST + 1, halt);
        self.ended.figures.generated += order.surveys - before;
        match status {
            OrderStatus::Open => SliceEnd::Open,
            OrderStatus::Failed => SliceEnd::Spent,
            OrderStatus::Done(stages) if self.orders.contains(&stages) => SliceEnd::Spent,
            OrderStatus::Done(stages) => {
                self.orders.push(stages.clone());
                let order = PackingOrder::new(&self.context.board, stages);
                let search = StageSearch::new(self.context, self.perimeter, order);
                self.attempts[number] = Attempt::Searching(Box::new(search));
                self.run_attempt(number, work, halt)
            }
        }
    }
}

impl Strategy for Phases<'_> {
    fn name(&self) -> &'static str {
        "packing-order search"
    }

    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        if !self.started {
            self.start();
        }
        while !self.attempts.is_empty() {
            let number = if self.given < HEAD_START { 0 } else { self.next % self.attempts.len() };
            match self.run_attempt(number, work, halt) {
                SliceEnd::Open => {
                    self.given = self.given.saturating_add(work);
                    self.next = number + 1;
                    return SliceEnd::Open;
                }
                SliceEnd::Spent => self.end(number),
                end => return end,
            }
        }
        SliceEnd::Spent
    }

    fn bytes(&self) -> usize {
        self.attempts.iter().map(Attempt::bytes).sum()
    }

    fn free_memory(&mut self) -> bool {
        let largest = (0..self.attempts.len()).max_by_key(|&number| self.attempts[number].bytes());
        let Some(largest) = largest.filter(|_| self.attempts.len() > 1) else { return false };
        self.end(largest);
        true
    }

    fn figures(&self) -> Figures {
        self.attempts.iter().fold(self.ended.figures, |sum, attempt| match attempt {
            Attempt::Ordering(_) => sum,
            Attempt::Searching(search) => sum.plus(search.figures),
        })
    }

    fn snapshot(&self, snapshot: &mut Snapshot) {
        snapshot.visits.merge(&self.ended.visits);
        for attempt in &self.attempts {
            if let Attempt::Searching(search) = attempt {
                snapshot.visits.merge(&search.visits);
                snapshot.nearest = snapshot.nearest.take().or_else(|| search.nearest());
            }
        }
    }
}
