//! Which tariffs the search uses: one for the start, and later ones for where it stands.
//!
//! Linear programs take their time, so they begin when a level has turned out not to be easy, and come in proportion to
//! what was expanded. Each is solved for one spot that waits; the tariff is kept if it raises the mean over a sample
//! of such spots of the best bound there is. A solver looks at the limits only between its rounds, which on large levels are
//! longer than anybody wants to wait. So each works on a thread of its own, and when a limit is reached it is left to
//! itself: it ends with its round.

use super::bounds::Bounds;
use super::by_end::ByEnd;
use super::exclusive::Exclusive;
use super::heights::{draw, raises, start};
use super::potential::Pose;
use super::shards::Shards;
use super::tariff::{self, Tariff};
use super::{Settings, flows};
use crate::champion::dense::ground::Ground;
use crate::champion::dense::matching::Matching;
use search::Budget;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The largest program that is solved.
const MOST_COLUMNS: usize = 60_000;

/// The most linear programs solved at a time.
const MOST_PROGRAMS: usize = 8;

/// The most tariffs.
const TARIFFS: usize = 24;

/// What one more must raise the mean by: each costs something with every position.
const LEAST_GAIN: f64 = 0.3;

/// How often the limits are looked at while solvers work.
const LOOK: Duration = Duration::from_millis(10);

/// Whether the level is small enough for linear programs, and they are wanted.
pub(crate) fn are_possible(ground: &Ground, settings: Settings) -> bool {
    settings.flows && tariff::is_possible(ground) && flows::size(ground) <= MOST_COLUMNS
}

/// Expansions after which the first program is worth it.
pub(crate) fn first_after(ground: &Ground, settings: Settings) -> u64 {
    settings.refit_after * (1 + flows::size(ground) as u64 / 500)
}

/// Adds tariffs: first for the start, then for spots that wait, and of these the ones that help.
pub(crate) fn refit<const L: usize>(
    ground: &Arc<Ground>,
    exclusive: &Arc<Exclusive>,
    bounds: &mut Bounds<L>,
    shards: &Shards<L>,
    expanded: u64,
    threads: usize,
    budget: &Budget,
) {
    let mut drawn = draw(ground, bounds, shards);
    drawn.sort_by_key(|drawn| drawn.bound.sum());
    // A program takes about as long as two expansions for each of its columns.
    let tries = (1 + expanded as usize / (16 * flows::size(ground))).min(MOST_PROGRAMS).min(drawn.len());
    let waiting = (0..tries).map(|number| drawn[number * drawn.len() / tries].pose.clone());
    let poses: Vec<Pose> = bounds.tariffs.is_empty().then(|| start(ground)).into_iter().chain(waiting).collect();
    for poses in poses.chunks(threads) {
        if bounds.tariffs.len() >= TARIFFS {
            return;
        }
        for tariff in solve(ground, exclusive, poses, budget).into_iter().flatten() {
            let mut matcher = tariff.matcher(ground);
            let mut matching = Matching::empty(ground.boxes());
            let mut raised = |pose: &Pose, mut bound: ByEnd| {
                let now = tariff.bound(&mut matcher, &mut matching, pose.boxes.iter().copied(), pose.player);
                bound.raise_each(now.unwrap_or(ByEnd::NOUGHT));
                bound
            };
            let raised: Vec<ByEnd> = drawn.iter().map(|drawn| raised(&drawn.pose, drawn.bound)).collect();
            if raises(&mut drawn, &raised, LEAST_GAIN) {
                bounds.tariffs.push(tariff);
            }
        }
    }
}

/// The tariffs of some positions, each by a thread of its own; none of those that a limit came before.
fn solve(ground: &Arc<Ground>, exclusive: &Arc<Exclusive>, poses: &[Pose], budget: &Budget) -> Vec<Option<Tariff>> {
    let (sender, results) = mpsc::channel();
    for (number, pose) in poses.iter().enumerate() {
        let (ground, exclusive, pose) = (Arc::clone(ground), Arc::clone(exclusive), pose.clone());
        let (sender, budget) = (sender.clone(), budget.clone());
        std::thread::spawn(move || {
            // Nobody listens any more where a limit was reached.
            let _ = sender.send((number, Tariff::new(&ground, &exclusive, &pose, &budget)));
        });
    }
    drop(sender);
    let mut tariffs: Vec<Option<Tariff>> = vec![None; poses.len()];
    while !budget.out_of_time() && !budget.cancel().is_cancelled() {
        match results.recv_timeout(LOOK) {
            Ok((number, tariff)) => tariffs[number] = tariff,
            Err(RecvTimeoutError::Timeout) => {}
            // All have answered.
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    tariffs
}
