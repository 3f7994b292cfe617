//! Packing in phases: goals that can be filled in any order are filled together, phase by phase.
//!
//! Where many goals lie in one room, the order in which they are filled decides. [`order`] finds groups of
//! goals by taking the solved picture apart, [`score`] measures progress through them, [`search`] pushes along. The
//! strategy proves nothing: an order may be wrong.

mod order;
#[cfg(test)]
mod plain;
mod score;
mod search;
#[cfg(test)]
mod tests;

use crate::Scene;
use crate::observe::{Snapshot, VisitCounts};
use crate::perimeter::Perimeter;
use crate::strategy::{Halt, Strategy, Turn};
use lurd_rules::Figures;
use order::{Stage, UnpackOptions, Unpacked, Unpacking};
use score::Course;
use search::Search;

/// What a survey of pulls costs, in positions generated.
const SURVEY: u64 = 10;

/// Work the first order has to itself: where it is right, it soon shows.
const HEAD_START: u64 = 150_000;

/// Two orders: one that waits until all is in sight and parks what comes from a pocket, and one that does not.
const MANNERS: [UnpackOptions; 2] =
    [UnpackOptions { seen: true, pockets: true }, UnpackOptions { seen: false, pockets: false }];

/// Orders and the searches along them, by turns.
pub(super) struct Phases<'g> {
    scene: &'g Scene,
    perimeter: &'g Perimeter,
    ways: Vec<Way<'g>>,
    next: usize,
    /// Orders that were found.
    orders: Vec<Vec<Stage>>,
    /// What ways that were given up have done, and surveys of all.
    ended: Figures,
    ended_tracks: VisitCounts,
    /// Work given out so far.
    given: u64,
    begun: bool,
}

enum Way<'g> {
    Unpacking(Box<Unpacking<'g>>),
    Searching(Box<Search<'g>>),
}

impl Way<'_> {
    fn bytes(&self) -> usize {
        match self {
            Self::Unpacking(unpacking) => unpacking.bytes(),
            Self::Searching(search) => search.bytes(),
        }
    }
}

impl<'g> Phases<'g> {
    pub(super) fn new(scene: &'g Scene, perimeter: &'g Perimeter) -> Self {
        let (ways, orders, ended) = (Vec::new(), Vec::new(), Figures::default());
        let ended_tracks = VisitCounts::new(scene.board.len());
        Self { scene, perimeter, ways, next: 0, orders, ended, ended_tracks, given: 0, begun: false }
    }

    fn begin(&mut self) {
        let board = &self.scene.board;
        self.begun = true;
        if order::has_goal_room(board) && board.goals().len() == board.starts().len() {
            let way = |&manner| Way::Unpacking(Box::new(Unpacking::new(board, manner)));
            self.ways = MANNERS.iter().map(way).collect();
        }
    }

    /// Ends one of the ways.
    fn end(&mut self, number: usize) {
        if let Way::Searching(search) = self.ways.remove(number) {
            self.ended = self.ended.plus(search.figures());
            self.ended_tracks.join(search.tracks());
        }
    }

    /// A turn of one way; when its order is found, the search along it begins at once.
    fn go(&mut self, number: usize, work: u64, halt: &Halt) -> Turn {
        let unpacking = match &mut self.ways[number] {
            Way::Searching(search) => return search.run(work, halt),
            Way::Unpacking(unpacking) => unpacking,
        };
        let before = unpacking.surveys;
        let unpacked = unpacking.run(work / SURVEY + 1, halt);
        self.ended.generated += unpacking.surveys - before;
        match unpacked {
            Unpacked::Open => Turn::Open,
            Unpacked::Failed => Turn::Spent,
            Unpacked::Done(stages) if self.orders.contains(&stages) => Turn::Spent,
            Unpacked::Done(stages) => {
                self.orders.push(stages.clone());
                let course = Course::new(&self.scene.board, stages);
                let search = Search::new(self.scene, self.perimeter, course);
                self.ways[number] = Way::Searching(Box::new(search));
                self.go(number, work, halt)
            }
        }
    }
}

impl Strategy for Phases<'_> {
    fn name(&self) -> &'static str {
        "packing in phases"
    }

    fn run(&mut self, work: u64, halt: &Halt) -> Turn {
        if !self.begun {
            self.begin();
        }
        while !self.ways.is_empty() {
            let number = if self.given < HEAD_START { 0 } else { self.next % self.ways.len() };
            match self.go(number, work, halt) {
                Turn::Open => {
                    self.given = self.given.saturating_add(work);
                    self.next = number + 1;
                    return Turn::Open;
                }
                Turn::Spent => self.end(number),
                turn => return turn,
            }
        }
        Turn::Spent
    }

    fn bytes(&self) -> usize {
        self.ways.iter().map(Way::bytes).sum()
    }

    fn forget(&mut self) -> bool {
        let largest = (0..self.ways.len()).max_by_key(|&number| self.ways[number].bytes());
        let Some(largest) = largest.filter(|_| self.ways.len() > 1) else { return false };
        self.end(largest);
        true
    }

    fn figures(&self) -> Figures {
        self.ways.iter().fold(self.ended, |sum, way| match way {
            Way::Unpacking(_) => sum,
            Way::Searching(search) => sum.plus(search.figures()),
        })
    }

    fn show(&self, sight: &mut Snapshot) {
        sight.tracks.join(&self.ended_tracks);
        for way in &self.ways {
            if let Way::Searching(search) = way {
                sight.tracks.join(search.tracks());
                sight.nearest = sight.nearest.take().or_else(|| search.nearest());
            }
        }
    }
}
