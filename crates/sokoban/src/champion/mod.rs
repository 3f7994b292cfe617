//! The champion engine: any solution, soon, on every kind of level.
//!
//! No way of searching is best everywhere, so several race and help each other ([`race`]). Levels that a
//! person solves by packing boxes in the right order give way to search along a plan ([`guided`]): a backward
//! search makes the plan ([`planning`], [`plan`]), a forward search follows it ([`forward`], [`advisors`], [`tree`]).
//! Small crowded levels give way to speed ([`dense`]), whose searches also prove that a level has no solution.
//! Both stand on the same ground: numbered squares ([`ground`]), macro moves ([`macros`], [`lift`]), and rules
//! for dead positions, each in its own file ([`frozen`], [`pi_corral`], [`corral`], [`matching`]).

mod advisors;
mod answer;
mod corral;
pub(crate) mod dense;
mod forward;
mod frozen;
mod ground;
mod guided;
mod hotspots;
mod lift;
mod lone;
mod macros;
mod matching;
mod perimeter;
mod pi_corral;
mod plan;
mod planning;
mod pose;
mod posed;
mod position;
mod race;
mod rooms;
mod sinks;
#[cfg(test)]
mod sound;
mod stops;
pub(crate) mod strategy;
mod tree;

use crate::board::Board;
use dense::tables::Tables;
use dense::{Dense, Order};
use ground::Ground;
use guided::Guided;
use hotspots::Hotspots;
use perimeter::{Perimeter, Reached, Side};
use planning::Manner;
use posed::Posed;
use position::Position;
pub(crate) use race::{Finish, Standing};
use race::{Pace, Runner};
use rooms::Rooms;
use std::sync::Arc;
use std::time::Duration;
use stops::Stops;
use strategy::{Halt, Strategy};

/// What all strategies on a level share and none changes.
#[derive(Debug)]
struct Scene {
    ground: Ground,
    rooms: Rooms,
    stops: Stops,
    hotspots: Hotspots,
    /// Exact tables of small dead sets, where the level is small enough for them.
    dead_sets: Option<Arc<Tables>>,
}

impl Scene {
    fn new(board: Arc<Board>, dead_sets: Option<Arc<Tables>>) -> Self {
        let ground = Ground::new(board);
        let rooms = Rooms::new(&ground);
        let stops = Stops::new(&ground);
        let hotspots = Hotspots::new(&ground);
        Self { ground, rooms, stops, hotspots, dead_sets }
    }

    /// Whether a plan can be made in bearable time: measuring distances takes squares times squares, looking
    /// for sinks boxes times squares. Larger levels are left to the complete search.
    fn is_plannable(&self) -> bool {
        const MOST_DISTANCES: usize = 16_000_000;
        const MOST_SINKS: usize = 2_000_000;
        let (squares, boxes) = (self.ground.len(), self.ground.starts().len());
        squares * squares <= MOST_DISTANCES && squares * boxes <= MOST_SINKS
    }

    /// Files the start position, so that a backward search knows it when it gets there.
    fn file_start(&self, perimeter: &Perimeter) {
        let start = Position::with(&self.ground, self.ground.starts(), self.ground.player());
        let zone = self.ground.survey(&start.taken).zone_of(start.player);
        let reached = Reached { parent: 0, from: 0, to: 0, player: start.player, side: Side::Forward };
        perimeter.file(Ground::key(start.boxes_key, zone), reached);
    }
}

/// A guided search's turns: some tens of milliseconds.
const GUIDED: Pace = Pace { turn: 9_000, price: 1_000 };
/// A dense search's turns: some milliseconds.
const DENSE: Pace = Pace { turn: 240_000, price: 20 };
/// Memory the dense searches share where there is no limit.
const DENSE_MEMORY: usize = 4 << 30;
/// Memory for the table where the two directions meet.
const PERIMETER_MEMORY: usize = 256 << 20;

/// Races on a level. `complete` is a search that is taken along where the dense engine, which is
/// complete itself, is too small for the level.
pub(crate) fn solve<'a>(
    board: &Arc<Board>,
    threads: usize,
    halt: &Halt,
    complete: Box<dyn Strategy + 'a>,
    glance: &mut dyn FnMut(&Standing),
) -> (Finish, Standing) {
    let memory = halt.budget().limits().memory;
    let dense = Dense::new(board, memory.map_or(DENSE_MEMORY, |limit| limit / 2), halt.budget());
    let dead_sets = dense.as_ref().map(|dense| Arc::clone(dense.tables(dense::Side::Forward)));
    let scene = Scene::new(Arc::clone(board), dead_sets);
    let perimeter = Perimeter::new(memory.map_or(PERIMETER_MEMORY, |limit| PERIMETER_MEMORY.min(limit / 16)));
    scene.file_start(&perimeter);
    let guided = |manner| Guided::new(&scene, &perimeter, manner);
    let posed = |turned| Posed::new(&scene, &perimeter, turned);
    let manner = Manner::default();
    // Small crowded levels give way to speed, so the backward search works there as much as all others
    // together, on two threads on one of its own; larger ones want a plan.
    let small = dense.as_ref().is_some_and(Dense::is_small);
    let weight = |of_small, of_large| if small { of_small } else { of_large };
    // Other plans, pictures and orders join when the first have not led anywhere.
    let later = Duration::from_millis;
    let mut runners: Vec<Runner<'_>> = Vec::new();
    if scene.is_plannable() {
        let near = guided(Manner { far: 3, ..manner });
        let far = guided(Manner { far: 9, turned: true, ..manner });
        runners.push(Runner::new(Box::new(guided(manner)), GUIDED, weight(8, 18)));
        runners.push(Runner::new(Box::new(posed(false)), GUIDED, weight(8, 12)));
        runners.push(Runner::new(Box::new(near), GUIDED, weight(4, 6)).joining(later(30)));
        runners.push(Runner::new(Box::new(posed(true)), GUIDED, weight(4, 6)).joining(later(60)));
        runners.push(Runner::new(Box::new(far), GUIDED, weight(4, 6)).joining(later(150)));
    }
    match &dense {
        Some(dense) => {
            let mut join = |order, weight| runners.push(Runner::new(dense.search(order), DENSE, weight));
            join(Order::Backward, weight(60, 12));
            join(Order::Forward, weight(8, 3));
            join(Order::BackwardMacro, weight(8, 3));
            let mut join_later = |order, after| {
                runners.push(Runner::new(dense.search(order), DENSE, weight(2, 2)).joining(later(after)));
            };
            join_later(Order::ForwardMacro, 100);
            join_later(Order::BackwardExcess, 120);
        }
        None => runners.push(Runner::new(complete, DENSE, 2)),
    }
    let shared = || scene.ground.bytes() + perimeter.bytes() + dense.as_ref().map_or(0, Dense::bytes);
    race::run(runners, threads, halt, &shared, glance)
}
