//! Forward searches with the same guide and different options, in round robin.
//!
//! A search that always follows the best score dives; one that charges every move which no advisor suggests returns to
//! early positions sooner. Each solves at once levels on which the other wanders, and nothing tells beforehand which.
//! A search starts with its first time slice, so an easy level never needs the others.

use crate::context::Context;
use crate::forward::{Forward, ForwardOptions, Guide};
use crate::observe::Snapshot;
use crate::perimeter::Perimeter;
use crate::strategy::{Ended, Halt, SliceEnd};
use lurd_rules::Figures;

/// The work of one search before the next one runs.
const SLICE: u64 = 3_000;

/// What a search that has nothing left to try means for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhenSpent {
    /// All stop: they differ in order only. The time slice of the strategy cuts those of its searches.
    Stop,
    /// The others go on. Searches get whole slices, even past the end of the strategy's slice.
    GoOn,
}

pub(super) struct RoundRobin<'g> {
    context: &'g Context,
    perimeter: &'g Perimeter,
    guide: Guide,
    when_spent: WhenSpent,
    /// The options of searches that have not started.
    options: std::vec::IntoIter<ForwardOptions>,
    searches: Vec<Forward<'g>>,
    next: usize,
    /// Work left of the slice.
    left: u64,
    ended: Ended,
}

impl<'g> RoundRobin<'g> {
    /// One search for each of the options.
    pub(super) fn new(
        context: &'g Context,
        perimeter: &'g Perimeter,
        guide: Guide,
        options: Vec<ForwardOptions>,
        when_spent: WhenSpent,
    ) -> Self {
        Self {
            context,
            perimeter,
            guide,
            when_spent,
            options: options.into_iter(),
            searches: Vec::new(),
            next: 0,
            left: SLICE,
            ended: Ended::new(context.board.len()),
        }
    }

    /// Searches for about as long as it takes to generate `work` positions.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        let end = self.effort() + work;
        while self.effort() < end && !halt.is_requested() {
            if self.next >= self.searches.len() {
                match self.options.next() {
                    Some(options) => {
                        let search = Forward::new(self.context, self.guide.clone(), self.perimeter, options);
                        self.searches.push(search);
                    }
                    None if self.searches.is_empty() => return SliceEnd::Spent,
                    None => self.next = 0,
                }
            }
            let slice = match self.when_spent {
                WhenSpent::Stop => self.left.min(end - self.effort()),
                WhenSpent::GoOn => self.left,
            };
            let search = &mut self.searches[self.next];
            let before = search.effort();
            match search.run(slice, halt) {
                SliceEnd::Open => {
                    self.left = self.left.saturating_sub(search.effort() - before);
                    if self.left == 0 {
                        self.next += 1;
                        self.left = SLICE;
                    }
                }
                SliceEnd::Spent if self.when_spent == WhenSpent::GoOn => {
                    self.end(self.next);
                    self.left = SLICE;
                }
                end => return end,
            }
        }
        SliceEnd::Open
    }

    fn end(&mut self, number: usize) {
        let search = self.searches.remove(number);
        self.ended.add(search.figures, search.effort(), &search.visits);
    }

    /// Ends the search whose best score is lowest; false if there is only one.
    pub(super) fn free_memory(&mut self) -> bool {
        let worst = (0..self.searches.len()).min_by_key(|&number| self.searches[number].best_score());
        let Some(worst) = worst.filter(|_| self.searches.len() > 1) else { return false };
        self.end(worst);
        true
    }

    /// What all have cost, in positions generated.
    pub(super) fn effort(&self) -> u64 {
        self.ended.effort + self.searches.iter().map(Forward::effort).sum::<u64>()
    }

    pub(super) fn bytes(&self) -> usize {
        self.searches.iter().map(Forward::bytes).sum()
    }

    pub(super) fn figures(&self) -> Figures {
        self.searches.iter().fold(self.ended.figures, |sum, search| sum.plus(search.figures))
    }

    /// Adds the visit counts, and the position with the best score; all score alike.
    pub(super) fn snapshot(&self, snapshot: &mut Snapshot) {
        snapshot.visits.merge(&self.ended.visits);
        self.searches.iter().for_each(|search| snapshot.visits.merge(&search.visits));
        let best = self.searches.iter().max_by_key(|search| search.best_score());
        snapshot.nearest = best.and_then(Forward::nearest);
    }

    pub(super) fn end_all(mut self) -> Ended {
        while !self.searches.is_empty() {
            self.end(0);
        }
        self.ended
    }
}
