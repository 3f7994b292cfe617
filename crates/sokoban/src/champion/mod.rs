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
mod later;
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
use later::Later;
use perimeter::{Perimeter, Reached, Side};
use planning::Manner;
use posed::Posed;
use position::Position;
use race::Runner;
pub(crate) use race::{Finish, Standing};
use rooms::Rooms;
use std::sync::Arc;
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

/// The work of a guided search in a turn: some tens of milliseconds.
const GUIDED_TURN: u64 = 9_000;
/// Positions a dense search generates in a turn: some milliseconds.
const DENSE_TURN: u64 = 60_000;
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
    // together; larger ones want a plan.
    let small = dense.as_ref().is_some_and(Dense::is_small);
    let plannable = scene.is_plannable();
    let mut runners: Vec<Runner<'_>> = Vec::new();
    if plannable {
        runners.push(Runner::new(Box::new(guided(manner)), GUIDED_TURN).with_share(if small { 1 } else { 3 }));
    }
    if let Some(dense) = &dense {
        let backward = Runner::new(dense.search(Order::Backward), DENSE_TURN);
        runners.push(backward.with_share(if small { 60 } else { 2 }));
    }
    if plannable {
        runners.push(Runner::new(Box::new(posed(false)), GUIDED_TURN).with_share(if small { 1 } else { 2 }));
    }
    match &dense {
        Some(dense) => {
            let share = if small { 4 } else { 2 };
            runners.push(Runner::new(dense.search(Order::Forward), DENSE_TURN).with_share(share));
            runners.push(Runner::new(dense.search(Order::BackwardMacro), DENSE_TURN).with_share(share));
        }
        None => runners.push(Runner::new(complete, DENSE_TURN)),
    }
    // Other plans, pictures and orders join when the first have not led anywhere.
    if plannable {
        let near = guided(Manner { far: 3, ..manner });
        let far = guided(Manner { far: 9, turned: true, ..manner });
        runners.push(Runner::new(Box::new(Later::new(8, near)), GUIDED_TURN));
        runners.push(Runner::new(Box::new(Later::new(16, posed(true))), GUIDED_TURN));
        runners.push(Runner::new(Box::new(Later::new(40, far)), GUIDED_TURN));
    }
    if let Some(dense) = &dense {
        runners.push(Runner::new(Box::new(Later::new(24, dense.search(Order::ForwardMacro))), DENSE_TURN));
        runners.push(Runner::new(Box::new(Later::new(32, dense.search(Order::BackwardExcess))), DENSE_TURN));
    }
    let shared = || scene.ground.bytes() + perimeter.bytes() + dense.as_ref().map_or(0, Dense::bytes);
    race::run(runners, threads, halt, &shared, glance)
}
