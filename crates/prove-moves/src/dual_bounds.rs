//! Which LP dual bounds the search uses: one for the start, and later ones for the open list.
//!
//! Linear programs take time, so the first is solved when a level has turned out not to be easy, and further ones in
//! proportion to the expansions. The dual bound that is highest on average over many positions is found by one program as
//! well as that of a single position ([`flow_lp`](crate::flow_lp)). So a sample of the open list is drawn, of those with the
//! lowest f, and programs are made for all of it and for neighbourhoods in it. A dual bound is kept if it raises the mean,
//! over the sample, of the best bound. Each program is solved on a thread of its own ([`lp_threads`]).

use crate::bounds::Bounds;
use crate::dual_bound::DualBound;
use crate::exclusive::Exclusive;
use crate::parity::ParityBound;
use crate::potential::Position;
use crate::potentials::{Sampled, raises, start};
use crate::shared::Shared;
use crate::{Settings, dual_bound, flow_lp, lp_threads, pair_interaction};
use lurd_base::Budget;
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::dense::matching::Matching;
use std::sync::Arc;

/// The largest program that is solved.
const MOST_COLUMNS: usize = 60_000;

/// The most programs each time.
const MOST_PROGRAMS: usize = 8;

/// Zone states that are drawn, and how many of them, those with the lowest f, are the sample.
const DRAWN: usize = 768;
const SAMPLE: usize = 128;

/// After so many programs without gain the rest of this time's are skipped.
const MOST_FAILURES: usize = 2;

/// A neighbourhood is this part of the sample.
const NEIGHBOURHOODS: usize = 4;

/// After so many times as many expansions programs are solved again.
pub(crate) const FACTOR: u64 = 2;

/// What a dual bound must raise the mean by, in moves: each costs time with every position.
const LEAST_GAIN: f64 = 0.1;

/// Whether the level is small enough for linear programs, and they are wanted.
pub(crate) fn are_possible(board: &DenseBoard, settings: Settings) -> bool {
    settings.flow_lp && dual_bound::is_possible(board) && flow_lp::size(board) <= MOST_COLUMNS
}

/// Expansions after which the first program pays.
pub(crate) fn first_after(board: &DenseBoard, settings: Settings) -> u64 {
    settings.refit_after * (1 + flow_lp::size(board) as u64 / 500)
}

/// About how many bytes one program takes.
pub(crate) fn bytes(board: &DenseBoard) -> usize {
    flow_lp::bytes(board) + pair_interaction::bytes(board)
}

impl<const L: usize, const G: usize> Shared<L, G> {
    /// Adds dual bounds: first one for the start, then those for the open list that help.
    pub(crate) fn refit_duals(&mut self, exclusive: &Arc<Exclusive>, expanded: u64, budget: &Budget) {
        let mut sample = self.draw(DRAWN);
        let Self { board, settings, bounds, .. } = self;
        bounds.sort_by_f(&mut sample);
        sample.truncate(SAMPLE);
        if bounds.duals.bounds().is_empty() {
            for first in solve(board, exclusive, vec![vec![start(board)]], budget) {
                bounds.keep(board, &mut sample, first, 0.0);
                // Measured: with a dual bound the potentials found by ascent raise no bound any more.
                bounds.keep_first();
            }
        }
        // A program takes about as long as two expansions for each of its columns.
        let tries = (2 + expanded as usize / (8 * flow_lp::size(board))).min(MOST_PROGRAMS);
        let (mut done, mut failures, mut seeds) = (0, 0, Vec::new());
        while done < tries && !bounds.duals.is_full() && !sample.is_empty() {
            let groups = bounds.groups(&mut sample, &mut seeds, settings.threads.min(tries - done));
            done += groups.len();
            for bound in solve(board, exclusive, groups, budget) {
                let kept = bounds.keep(board, &mut sample, bound, LEAST_GAIN);
                failures = if kept { 0 } else { failures + 1 };
            }
            if failures >= MOST_FAILURES || budget.is_over() {
                return;
            }
        }
    }
}

impl<const L: usize, const G: usize> Bounds<L, G> {
    fn sort_by_f(&self, sample: &mut [Sampled<L>]) {
        sample.sort_by_key(|sampled| sampled.moves + self.least(sampled.bound, sampled.position.player));
    }

    /// Groups of the sample to solve programs for: first all of it, then neighbourhoods of positions with low f, each far
    /// from the seeds before it.
    fn groups(&self, sample: &mut [Sampled<L>], seeds: &mut Vec<Position>, count: usize) -> Vec<Vec<Position>> {
        self.sort_by_f(sample);
        let lowest = &sample[..sample.len().div_ceil(2)];
        let mut groups = Vec::new();
        for _ in 0..count {
            let from_seeds = |position: &Position| seeds.iter().map(|seed| distance(seed, position)).min().unwrap_or(0);
            let seed = lowest.iter().map(|sampled| &sampled.position).rev().max_by_key(|position| from_seeds(position));
            let Some(seed) = seed.cloned() else { break };
            let mut near: Vec<&Position> = sample.iter().map(|sampled| &sampled.position).collect();
            near.sort_by_key(|position| distance(&seed, position));
            let size = if seeds.is_empty() { sample.len() } else { sample.len().div_ceil(NEIGHBOURHOODS) };
            groups.push(near.into_iter().take(size).cloned().collect());
            seeds.push(seed);
        }
        groups
    }

    /// Adds a dual bound if it raises the bounds of the sample enough. Returns whether it does.
    fn keep(&mut self, board: &DenseBoard, sample: &mut [Sampled<L>], dual: DualBound, least_gain: f64) -> bool {
        let mut matcher = dual.matcher(board);
        let mut matching = Matching::empty(board.boxes());
        let raised = |&Sampled { ref position, boxes, mut bound, .. }: &Sampled<L>| {
            let player = position.player;
            let by_matching = dual.by_matching(&mut matcher, &mut matching, boxes.iter(), player);
            bound.raise_each(by_matching.unwrap_or(ParityBound::ZERO));
            bound.raise_each(dual.by_pairs(dual.sum(boxes, player), boxes, player));
            bound
        };
        let raised: Vec<ParityBound> = sample.iter().map(raised).collect();
        let enough = raises(sample, &raised, least_gain);
        if enough {
            self.duals.add(dual);
        }
        enough
    }
}

/// How many boxes of one position are elsewhere in the other.
fn distance(one: &Position, other: &Position) -> usize {
    one.boxes.iter().filter(|square| !other.boxes.contains(square)).count()
}

/// The dual bounds of groups of positions, without those whose program is not solved within the budget.
fn solve(
    board: &Arc<DenseBoard>,
    exclusive: &Arc<Exclusive>,
    groups: Vec<Vec<Position>>,
    budget: &Budget,
) -> Vec<DualBound> {
    let programs = groups.into_iter().map(|positions| {
        let (board, exclusive, budget) = (Arc::clone(board), Arc::clone(exclusive), budget.clone());
        move || DualBound::new(&board, &exclusive, &positions, &budget)
    });
    lp_threads::run(programs, bytes(board), budget).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, prover};
    use lurd_base::{Cancel, Limits};
    use lurd_level::Map;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// An empty room of a size with three boxes and goals.
    fn room(width: usize, height: usize) -> (Board, Arc<DenseBoard>, Arc<Exclusive>) {
        let wall = "#".repeat(width + 2);
        let row = |text: &str| format!("#{text:width$}#\n");
        let rows = row("") + &row(" $@ .") + &row(" $  .").repeat(2) + &row("").repeat(height - 4);
        let board = Board::new(&Map::from_xsb(&format!("{wall}\n{rows}{wall}")).unwrap()).unwrap();
        let dense = Arc::new(DenseBoard::new(&board, &Budget::unlimited()).unwrap().unwrap());
        let exclusive = Arc::new(Exclusive::new::<16>(&dense));
        (board, dense, exclusive)
    }

    /// Waits until all abandoned threads have ended by themselves.
    fn wait_for_abandoned() {
        let waiting = Instant::now();
        while lp_threads::bytes() > 0 {
            assert!(waiting.elapsed() < Duration::from_secs(300), "a cancelled program goes on");
            sleep(Duration::from_millis(10));
        }
    }

    /// A cancelled search does not wait for its programs. Their threads are bounded and their bytes are counted until they
    /// end, which they do by themselves; then programs are solved again. In one test, because the list of abandoned threads
    /// is that of the process.
    #[test]
    fn cancelled_programs_are_bounded_counted_and_released() {
        let (board, small, exclusive) = room(6, 5);
        let search = prover(&board, &small, Settings::default(), &Budget::unlimited()).unwrap();
        let held = search.bytes();

        // Tasks that last as long as the test wants.
        let (cancel, release) = (Cancel::new(), Cancel::new());
        let endless = || {
            let (cancel, release) = (cancel.clone(), release.clone());
            move || {
                cancel.cancel();
                while !release.is_cancelled() {
                    sleep(Duration::from_millis(1));
                }
            }
        };
        let budget = Budget::new(Limits::default(), cancel.clone());
        lp_threads::run((0..2).map(|_| endless()), 1_000, &budget);
        assert_eq!(lp_threads::bytes(), 2_000);
        assert_eq!(search.bytes(), held + 2_000);
        // A search that would add threads to these waits, but no longer than its limit.
        let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
        lp_threads::run((0..2).map(|_| endless()), 1_000, &Budget::new(limits, Cancel::new()));
        assert_eq!(lp_threads::bytes(), 2_000);
        release.cancel();
        wait_for_abandoned();
        assert_eq!(search.bytes(), held);

        // Programs that take seconds.
        let (_, large, large_exclusive) = room(12, 10);
        assert!((20_000..MOST_COLUMNS).contains(&flow_lp::size(&large)), "{}", flow_lp::size(&large));
        let cancel = Cancel::new();
        let budget = Budget::new(Limits::default(), cancel.clone());
        let found = std::thread::scope(|scope| {
            scope.spawn(|| {
                sleep(Duration::from_millis(30));
                cancel.cancel();
            });
            solve(&large, &large_exclusive, vec![vec![start(&large)]; 2], &budget)
        });
        assert!(found.is_empty());
        assert!(lp_threads::bytes() <= 2 * bytes(&large));
        wait_for_abandoned();
        assert_eq!(search.bytes(), held);
        assert_eq!(solve(&small, &exclusive, vec![vec![start(&small)]], &Budget::unlimited()).len(), 1);
    }
}
