//! What is searched when: turns of climbs and sweeps on several routes.
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

/// The work of a turn: some hundredths of a second at first, twice as much each time, and at most some tenths.
const FIRST_TURN: u64 = 1_000_000;
const TURN: u64 = 4_000_000;

/// The work on fewer pushes before a search for fewer moves, and the largest share of the budget for it.
const PUSHES_FIRST: u64 = 30_000_000;
const PUSHES_SHARE: f64 = 0.3;

/// The routes that are worked on. All gains by the metric are offered to the first.
pub(super) struct Population<'s, 'a, 'o> {
    pub(super) best: &'s Shared<'a>,
    /// The route given, and one with few pushes: by moves alone.
    pub(super) given: &'s Shared<'o>,
    pub(super) fewest_pushes: &'s Shared<'o>,
    pub(super) second: &'s Shared<'o>,
}

/// Spends the budget. Returns whether the best route is proved optimal.
pub(super) fn run(routes: &Population, distances: &Distances, poller: &mut Poller) -> bool {
    match routes.best.metric {
        Metric::Pushes => for_pushes(routes.best, distances, poller),
        Metric::Moves => for_moves(routes, distances, poller),
    }
}

fn for_pushes(best: &Shared, distances: &Distances, poller: &mut Poller) -> bool {
    let mut climb = Climb::new(best, distances);
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

fn for_moves(routes: &Population, distances: &Distances, poller: &mut Poller) -> bool {
    let mut first = Climb::new(routes.given, distances);
    first.turn(TURN, poller);
    let mut pushes = Sweeps::new(routes.fewest_pushes, distances);
    let end = poller.work + PUSHES_FIRST;
    while poller.work < end && poller.share_spent() < PUSHES_SHARE && pushes.turn(TURN, poller) == Turn::Open {
        if poller.is_over() {
            return false;
        }
    }
    drop(pushes);
    routes.second.replace(&routes.fewest_pushes.best().0);
    let mut second = Climb::new(routes.second, distances);
    while !(poller.is_over() || first.is_spent() && second.is_spent()) {
        let cost = |shared: &Shared| shared.best().0.cost(Metric::Moves);
        let ahead = cost(routes.given) <= cost(routes.second);
        first.turn(if ahead { 2 * TURN } else { TURN }, poller);
        second.turn(if ahead { TURN } else { 2 * TURN }, poller);
    }
    let mut climb = Climb::new(routes.best, distances);
    let mut sweeps = Sweeps::new(routes.best, distances);
    while !poller.is_over() {
        climb.turn(TURN, poller);
        match sweeps.turn(TURN, poller) {
            Turn::Proved => return true,
            Turn::Spent if climb.is_spent() => break,
            Turn::Spent | Turn::Open | Turn::Barren => {}
        }
    }
    false
}
