//! What is searched when: turns of climbs and sweeps on several starts.
//!
//! By moves, the route given and one with fewer pushes, which sweeps find fast, are climbed side by side; every gain is
//! merged into the best route of all. By pushes, sweeps and a climb of one route take turns. In the end sweeps by the
//! metric itself go on until they have proved the route optimal.

use crate::Metric;
use crate::climb::Climb;
use crate::poller::Poller;
use crate::shared::Shared;
use crate::sweeps::{Sweeps, Turn};
use lurd_rules::distance::Distances;
use std::sync::Once;

/// The work of a turn: some hundredths of a second at first, twice as much each time, and at most some tenths.
const FIRST_TURN: u64 = 1_000_000;
const TURN: u64 = 4_000_000;

/// The work on fewer pushes before a search for fewer moves, and the largest share of the budget for it.
const PUSHES_FIRST: u64 = 30_000_000;
const PUSHES_SHARE: f64 = 0.3;

/// The routes that a search for fewer moves works on beside the best one; their gains are offered to that.
pub(super) struct Starts<'s, 'a> {
    /// The route given, and what sweeps by pushes make of it.
    pub(super) given: &'s Shared<'a>,
    pub(super) fewest_pushes: &'s Shared<'a>,
    /// A climb that begins where the sweeps by pushes have ended, once for all threads.
    pub(super) second: &'s Shared<'a>,
    pub(super) begun: Once,
}

/// Spends the budget. Returns whether the best route is proved optimal.
pub(super) fn run(best: &Shared, starts: Option<&Starts>, distances: &Distances, poller: &mut Poller) -> bool {
    match starts {
        None => for_pushes(best, distances, poller),
        Some(starts) => for_moves(best, starts, distances, poller),
    }
}

fn for_pushes(best: &Shared, distances: &Distances, poller: &mut Poller) -> bool {
    let mut climb = Climb::new(best, distances, true);
    let mut sweeps = Sweeps::new(best, distances);
    let mut turn = FIRST_TURN;
    while !poller.is_over() {
        match sweeps.turn(2 * turn, poller) {
            Turn::Proved => return true,
            Turn::Spent if climb.is_spent() => break,
            Turn::Spent | Turn::Open | Turn::Barren => {}
        }
        climb.turn(turn, poller);
        turn = (turn * 2).min(TURN);
    }
    false
}

fn for_moves(best: &Shared, starts: &Starts, distances: &Distances, poller: &mut Poller) -> bool {
    let mut given = Climb::new(starts.given, distances, true);
    given.turn(TURN, poller);
    let mut pushes = Sweeps::new(starts.fewest_pushes, distances);
    let end = poller.work + PUSHES_FIRST;
    while poller.work < end && poller.share_spent() < PUSHES_SHARE && pushes.turn(TURN, poller) == Turn::Open {
        if poller.is_over() {
            return false;
        }
    }
    starts.begun.call_once(|| starts.second.replace(&starts.fewest_pushes.best().0));
    let mut second = Climb::new(starts.second, distances, false);
    let mut both = Climb::new(best, distances, true);
    let mut sweeps = Sweeps::new(best, distances);
    let cost = |shared: &Shared| shared.best().0.cost(Metric::Moves);
    let mut turn = 0;
    while !poller.is_over() {
        let version = best.version();
        let (first, other) = (cost(starts.given), cost(starts.second));
        match turn % 4 {
            0 if first <= other => given.turn(TURN, poller),
            0 => second.turn(TURN, poller),
            1 if first <= other => second.turn(TURN / 2, poller),
            1 => given.turn(TURN / 2, poller),
            2 if cost(best) < first.min(other) || given.is_spent() && second.is_spent() => {
                both.turn(TURN, poller);
            }
            2 => {}
            _ => match sweeps.turn(TURN, poller) {
                Turn::Proved => return true,
                Turn::Spent if given.is_spent() && second.is_spent() && both.is_spent() => break,
                Turn::Spent | Turn::Open | Turn::Barren => {}
            },
        }
        // What gains goes on.
        turn += usize::from(best.version() == version);
    }
    false
}
