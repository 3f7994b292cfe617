//! The opened-start pull search, for lattices of boxes beside their goals.
//!
//! There only order and the player's way matter. A few pushes open the start ([`opening`]); the solved board is then pulled
//! apart towards the opened position ([`pulls`]). In a lattice the only way in is a line between moved and unmoved boxes. A
//! pull moves a box onto that line with the player in front of it, where a push would need him behind, in the closed part;
//! and the opening frees the pulls from matching a start with the player locked in. One long run of pulls is worth less
//! than many short ones from other openings and with other chances, so runs end after some positions and begin again.

mod access;
mod keys;
mod opening;
mod pulls;
mod scene;
mod target;
#[cfg(test)]
mod tests;
mod window;

use crate::observe::Snapshot;
use crate::strategy::{Halt, HaltPoller, SliceEnd, Strategy};
use lurd_rules::Figures;
use lurd_rules::dense::board::{DenseBoard, Side};
use lurd_rules::dense::matching::{Matcher, Matching};
use opening::{Opening, OpeningOptions};
use pulls::{PullOptions, PullSearch};
use scene::Grid;
use std::sync::Arc;

/// Levels with fewer boxes are left to the other strategies.
const LEAST_BOXES: usize = 20;

/// The most pushes for each box, in tenths, by the matching of the start.
const MOST_PUSHES: usize = 35;

/// Positions generated in a run.
const RUN: u64 = 600_000;

/// Whether a level has many boxes, most of them one or two squares from their goals.
pub(super) fn suits(board: &DenseBoard) -> bool {
    let boxes = board.boxes();
    if boxes < LEAST_BOXES || board.is_hopeless() {
        return false;
    }
    let way = board.way(Side::Forward);
    let mut matching = Matching::empty(boxes);
    let rows = board.starts().iter().map(|&start| board.row_at(start.into(), board.start_player()));
    let can_be_paired = Matcher::new(way, boxes).solve(way, &mut matching, rows);
    can_be_paired && matching.total as usize * 10 <= boxes * MOST_PUSHES
}

/// The search for a level.
pub(super) fn search(board: &Arc<DenseBoard>) -> Box<dyn Strategy> {
    match board.cell_words() {
        0..=4 => Box::new(Opened::<4>::new(board)),
        5..=8 => Box::new(Opened::<8>::new(board)),
        _ => Box::new(Opened::<16>::new(board)),
    }
}

/// Runs in a row that memory may end before the search is dropped.
const MOST_CUT_SHORT: u32 = 3;

struct Opened<const G: usize> {
    grid: Arc<Grid<G>>,
    /// The runs that have begun.
    runs: u64,
    search: Option<PullSearch<G>>,
    /// Runs in a row that ended because memory was short.
    cut_short: u32,
    /// Figures of the runs that have ended.
    ended: Figures,
    /// How often a box was pulled to each live square.
    visits: Vec<u64>,
}

impl<const G: usize> Opened<G> {
    fn new(board: &Arc<DenseBoard>) -> Self {
        let visits = vec![0; board.live_count()];
        Self {
            grid: Arc::new(Grid::new(board)),
            runs: 0,
            search: None,
            cut_short: 0,
            ended: Figures::default(),
            visits,
        }
    }

    /// Makes the next opening and a search to it; none if a box of the solved board cannot get there, or after a halt.
    fn begin(&mut self, poller: &mut HaltPoller<'_>) -> Option<PullSearch<G>> {
        let opening = Opening::new(&self.grid, OpeningOptions::of_run(self.runs), &mut self.ended, poller)?;
        let options = PullOptions::of_run(self.runs);
        self.runs += 1;
        PullSearch::new(&self.grid, opening, options)
    }

    fn end(&mut self) {
        if let Some(search) = self.search.take() {
            self.ended = self.ended.plus(search.figures);
            self.visits.iter_mut().zip(&search.visits).for_each(|(all, own)| *all += own);
        }
    }
}

impl<const G: usize> Strategy for Opened<G> {
    fn name(&self) -> &'static str {
        "opened-start pull search"
    }

    fn run(&mut self, work: u64, halt: &Halt) -> SliceEnd {
        let mut poller = HaltPoller::new(halt, self.figures().generated);
        let until = self.figures().generated + work;
        while self.figures().generated < until && !poller.poll(self.figures().generated) {
            let Some(search) = &mut self.search else {
                let before = self.ended.generated;
                self.search = self.begin(&mut poller);
                if self.search.is_none() && self.ended.generated == before {
                    // The start has no push that leads anywhere.
                    return SliceEnd::Spent;
                }
                continue;
            };
            let left = until - self.ended.generated;
            let is_open = search.run(left.min(RUN), &mut poller);
            if let Some(pushes) = search.solution() {
                return SliceEnd::Solved(pushes);
            }
            let is_barren = search.figures.generated == 0;
            if !is_open || search.figures.generated >= RUN {
                self.end();
                self.cut_short = 0;
            }
            if !is_open && is_barren {
                // The solved board has no pull.
                return SliceEnd::Spent;
            }
        }
        SliceEnd::Open
    }

    fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, PullSearch::bytes)
    }

    fn free_memory(&mut self) -> bool {
        let begun = self.search.is_some();
        self.end();
        self.cut_short += 1;
        // Where no run comes to its end, the next one would not either.
        begun && self.cut_short <= MOST_CUT_SHORT
    }

    fn figures(&self) -> Figures {
        self.search.as_ref().map_or(self.ended, |search| self.ended.plus(search.figures))
    }

    fn snapshot(&self, snapshot: &mut Snapshot) {
        let board = &self.grid.board;
        let none = Vec::new();
        let own = self.search.as_ref().map_or(&none, |search| &search.visits);
        for (live, &times) in self.visits.iter().enumerate() {
            snapshot.visits.add(board.square(board.cell(live)), times + own.get(live).unwrap_or(&0));
        }
        snapshot.nearest = self.search.as_ref().map(PullSearch::nearest);
    }
}
