//! Searches after the same thing that take turns.
//!
//! A search that always follows the best score dives, and one that charges every move which no advisor names goes
//! back to early positions sooner. Each walks straight through where the other wanders, and nobody can tell
//! beforehand where. A search begins when its first turn comes.

use crate::Scene;
use crate::forward::{Aim, Forward, ForwardOptions};
use crate::observe::{Nearest, VisitCounts};
use crate::perimeter::Perimeter;
use crate::strategy::{Halt, Turn};
use lurd_rules::Figures;

/// Work of one search before the next has its turn.
const BOUT: u64 = 3_000;

/// The searches and whose turn it is.
pub(super) struct RoundRobin<'g> {
    scene: &'g Scene,
    perimeter: &'g Perimeter,
    aim: Aim,
    tastes: Vec<ForwardOptions>,
    searches: Vec<Forward<'g>>,
    next: usize,
    /// Work left of the turn.
    left: u64,
}

impl<'g> RoundRobin<'g> {
    /// One search for each taste.
    pub(super) fn new(scene: &'g Scene, perimeter: &'g Perimeter, aim: Aim, tastes: Vec<ForwardOptions>) -> Self {
        Self { scene, perimeter, aim, tastes, searches: Vec::new(), next: 0, left: BOUT }
    }

    /// Searches for about as long as it takes to generate `work` positions. If one has nothing left to try, the others
    /// would not get further: they differ in order only.
    pub(super) fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        let end = self.effort() + work;
        while self.effort() < end && !halt.called() {
            if self.left == 0 {
                self.next = (self.next + 1) % self.tastes.len();
                self.left = BOUT;
            }
            if self.next == self.searches.len() {
                let taste = self.tastes[self.next];
                self.searches.push(Forward::new(self.scene, self.aim.clone(), self.perimeter, taste));
            }
            let open = end - self.effort();
            let search = &mut self.searches[self.next];
            let before = search.effort();
            let turn = search.run(self.left.min(open), halt);
            self.left = self.left.saturating_sub(search.effort() - before);
            if turn != Turn::Open {
                return turn;
            }
        }
        Turn::Open
    }

    /// What all have cost, in positions generated.
    pub(super) fn effort(&self) -> u64 {
        self.searches.iter().map(Forward::effort).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        self.searches.iter().map(Forward::bytes).sum()
    }

    pub(super) fn figures(&self) -> Figures {
        self.searches.iter().fold(Figures::default(), |sum, search| sum.plus(search.figures()))
    }

    /// Adds where they have pushed boxes.
    pub(super) fn add_tracks(&self, tracks: &mut VisitCounts) {
        self.searches.iter().for_each(|search| tracks.join(search.tracks()));
    }

    /// The position with the best score; all score alike.
    pub(super) fn nearest(&self) -> Option<Nearest> {
        self.searches.iter().max_by_key(|search| search.best_score()).and_then(Forward::nearest)
    }
}
