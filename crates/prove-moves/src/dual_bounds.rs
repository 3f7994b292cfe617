//! Which tariffs the search uses: one for the start, and later ones for where it stands.
//!
//! Linear programs take their time, so they begin when a level has turned out not to be easy, and come in proportion to
//! what was expanded. What is the best tariff for the mean of many positions is found by one program as well as for a
//! single position: the player and the boxes begin in parts, on all the squares where they are in one of them. So a
//! sample of the spots that wait is taken, of those that are worst off, and tariffs are made for all of it and for neighbourhoods in it; each is kept if
//! it raises the mean over the sample of the best bound there is. A solver looks at the limits only between its rounds,
//! which on large levels are longer than anybody wants to wait. So each works on a thread of its own, and when a limit is
//! reached it is left to itself: it ends with its round.

use crate::bounds::Bounds;
use crate::dual_bound::DualBound;
use crate::exclusive::Exclusive;
use crate::parity::ParityBound;
use crate::potential::Pose;
use crate::potentials::{Drawn, draw, raises, start};
use crate::shards::Shards;
use crate::{Settings, dual_bound, flow_lp};
use lurd_rules::dense::board::DenseBoard;
use lurd_rules::dense::matching::Matching;
use lurd_search::Budget;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// The largest program that is solved.
const MOST_COLUMNS: usize = 60_000;

/// The most linear programs each time.
const MOST_PROGRAMS: usize = 8;

/// Spots that wait which are looked at, and those with the least sum of moves and bound among them, the sample.
const LOOKED_AT: usize = 768;
const SAMPLE: usize = 128;

/// After so many programs without use there are no more for now.
const IN_VAIN: usize = 2;

/// The part of the sample that is the neighbourhood of one.
const NEIGHBOURHOODS: usize = 4;

/// After so many times as many expansions there are more.
pub(crate) const FACTOR: u64 = 2;

/// What one more must raise the mean by: each costs something with every position.
const LEAST_GAIN: f64 = 0.1;

/// How often the limits are looked at while solvers work.
const LOOK: Duration = Duration::from_millis(10);

/// Whether the level is small enough for linear programs, and they are wanted.
pub(crate) fn are_possible(board: &DenseBoard, settings: Settings) -> bool {
    settings.flows && dual_bound::is_possible(board) && flow_lp::size(board) <= MOST_COLUMNS
}

/// Expansions after which the first program is worth it.
pub(crate) fn first_after(board: &DenseBoard, settings: Settings) -> u64 {
    settings.refit_after * (1 + flow_lp::size(board) as u64 / 500)
}

/// Adds tariffs: first for the start, then for spots that wait, and of these the ones that help.
pub(crate) fn refit<const L: usize>(
    board: &Arc<DenseBoard>,
    exclusive: &Arc<Exclusive>,
    bounds: &mut Bounds<L>,
    shards: &Shards<L>,
    expanded: u64,
    threads: usize,
    budget: &Budget,
) {
    let mut drawn = draw(board, bounds, shards, LOOKED_AT);
    drawn.sort_by_key(|drawn| drawn.moves + bounds.least(drawn.bound, drawn.pose.player));
    drawn.truncate(SAMPLE);
    if bounds.tariffs.tariffs().is_empty() {
        let first = solve(board, exclusive, vec![vec![start(board)]], budget);
        for tariff in first {
            keep(board, bounds, &mut drawn, tariff, 0.0);
            // Where it was measured, heights found by ascent raised no bound any more.
            bounds.keep_first();
        }
    }
    // A program takes about as long as two expansions for each of its columns.
    let tries = (2 + expanded as usize / (8 * flow_lp::size(board))).min(MOST_PROGRAMS);
    let mut done = 0;
    let mut seeds = Vec::new();
    let mut in_vain = 0;
    while done < tries && !bounds.tariffs.is_full() && !drawn.is_empty() {
        let groups = groups(bounds, &mut drawn, &mut seeds, threads.min(tries - done));
        done += groups.len();
        for tariff in solve(board, exclusive, groups, budget) {
            let kept = keep(board, bounds, &mut drawn, tariff, LEAST_GAIN);
            in_vain = if kept { 0 } else { in_vain + 1 };
        }
        if in_vain >= IN_VAIN {
            return;
        }
        if budget.out_of_time() || budget.cancel().is_cancelled() {
            return;
        }
    }
}

/// Groups of the sample to make tariffs for: first all of it, then the neighbourhoods of those that are worst off, each far
/// from the seeds before it.
fn groups<const L: usize>(
    bounds: &Bounds<L>,
    drawn: &mut [Drawn<L>],
    seeds: &mut Vec<Pose>,
    count: usize,
) -> Vec<Vec<Pose>> {
    drawn.sort_by_key(|drawn| drawn.moves + bounds.least(drawn.bound, drawn.pose.player));
    let worst_off = &drawn[..drawn.len().div_ceil(2)];
    let mut groups = Vec::new();
    for _ in 0..count {
        let from_seeds = |pose: &Pose| seeds.iter().map(|seed| distance(seed, pose)).min().unwrap_or(0);
        let seed = worst_off.iter().map(|drawn| &drawn.pose).rev().max_by_key(|pose| from_seeds(pose));
        let Some(seed) = seed.cloned() else { break };
        let mut near: Vec<&Pose> = drawn.iter().map(|drawn| &drawn.pose).collect();
        near.sort_by_key(|pose| distance(&seed, pose));
        let size = if seeds.is_empty() { drawn.len() } else { drawn.len().div_ceil(NEIGHBOURHOODS) };
        groups.push(near.into_iter().take(size).cloned().collect());
        seeds.push(seed);
    }
    groups
}

/// How many boxes of the one position are elsewhere in the other.
fn distance(one: &Pose, other: &Pose) -> usize {
    one.boxes.iter().filter(|square| !other.boxes.contains(square)).count()
}

/// Takes a tariff over if it raises the bounds of the sample enough; whether it does.
fn keep<const L: usize>(
    board: &DenseBoard,
    bounds: &mut Bounds<L>,
    drawn: &mut [Drawn<L>],
    tariff: DualBound,
    least_gain: f64,
) -> bool {
    let mut matcher = tariff.matcher(board);
    let mut matching = Matching::empty(board.boxes());
    let raised = |drawn: &Drawn<L>| {
        let (Drawn { pose, boxes, .. }, mut bound) = (drawn, drawn.bound);
        let paired = tariff.bound(&mut matcher, &mut matching, pose.boxes.iter().copied(), pose.player);
        bound.raise_each(paired.unwrap_or(ParityBound::NOUGHT));
        bound.raise_each(tariff.quick_together(tariff.sum(*boxes, pose.player), *boxes, pose.player));
        bound
    };
    let raised: Vec<ParityBound> = drawn.iter().map(raised).collect();
    let enough = raises(drawn, &raised, least_gain);
    if enough {
        bounds.tariffs.enter(tariff);
    }
    enough
}

/// The tariffs of groups of positions, each by a thread of its own; none of those that a limit came before.
fn solve(
    board: &Arc<DenseBoard>,
    exclusive: &Arc<Exclusive>,
    groups: Vec<Vec<Pose>>,
    budget: &Budget,
) -> Vec<DualBound> {
    let (sender, results) = mpsc::channel();
    let mut tariffs: Vec<Option<DualBound>> = vec![None; groups.len()];
    for (number, poses) in groups.into_iter().enumerate() {
        let (board, exclusive) = (Arc::clone(board), Arc::clone(exclusive));
        let (sender, budget) = (sender.clone(), budget.clone());
        std::thread::spawn(move || {
            // Nobody listens any more where a limit was reached.
            let _ = sender.send((number, DualBound::new(&board, &exclusive, &poses, &budget)));
        });
    }
    drop(sender);
    while !budget.out_of_time() && !budget.cancel().is_cancelled() {
        match results.recv_timeout(LOOK) {
            Ok((number, tariff)) => tariffs[number] = tariff,
            Err(RecvTimeoutError::Timeout) => {}
            // All have answered.
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    tariffs.into_iter().flatten().collect()
}
