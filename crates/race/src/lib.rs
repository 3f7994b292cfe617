//! A portfolio of strategies that race for any solution.
//!
//! No way of searching is best everywhere, so several share the threads and help each other (`portfolio`). Levels that a
//! person solves by packing boxes in the right order yield to search along a plan (`guided`): a backward
//! search makes the plan (`planning`, `plan`), a forward feature-space search follows it (`forward`, `advisors`, `tree`).
//! Rooms full of goals yield to packing in phases (`phases`). Small crowded levels yield to speed (`dense`), whose
//! searches also prove that a level has no solution. Boards and deadlock rules are those of `lurd-rules`.
#![allow(missing_docs, reason = "items are public for the crate `lurd`; a name that says it all needs no sentence")]

mod advisors;
mod answer;
mod dense;
mod descent;
mod forward;
mod guided;
mod hotspots;
mod macros;
pub mod observe;
mod pairing;
mod perimeter;
mod phases;
mod plan;
mod planning;
mod portfolio;
mod rooms;
mod round_robin;
mod sinks;
#[cfg(test)]
mod sound;
mod stops;
pub mod strategy;
mod target;
mod targeted;
mod tree;
mod value;

use dense::{Dense, Order};
use forward::ForwardOptions;
use guided::Guided;
use hotspots::Hotspots;
use lurd_rules::Board;
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::feature::learned;
use lurd_rules::feature::position::Position;
use lurd_search::sync::lock;
use observe::RaceObserver;
use perimeter::{Perimeter, Reached, Side};
use phases::Phases;
use plan::Plan;
use planning::{PlanGoal, PlanOptions};
pub use portfolio::{Finish, Totals};
use portfolio::{Pace, Runner};
use rooms::Rooms;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use stops::Stops;
use strategy::{Halt, Strategy};
use targeted::Targeted;

/// What all strategies on a level share and none changes.
#[derive(Debug)]
struct Scene {
    board: FeatureBoard,
    rooms: Rooms,
    stops: Stops,
    hotspots: Hotspots,
    /// Exact tables of small dead sets, where the level is small enough for them.
    dead_sets: Option<Arc<DeadSetTables>>,
    /// Dead sets that searches have learned.
    learned: Arc<learned::LearnedStore>,
    /// The plans that searches follow.
    plans: Mutex<Vec<Arc<Plan>>>,
}

impl Scene {
    fn new(board: Arc<Board>, dead_sets: Option<Arc<DeadSetTables>>) -> Self {
        let features = FeatureBoard::new(board);
        let rooms = Rooms::new(&features);
        let stops = Stops::new(&features);
        let hotspots = Hotspots::new(&features);
        let learned = Arc::default();
        Self { board: features, rooms, stops, hotspots, dead_sets, learned, plans: Mutex::default() }
    }

    /// Whether a plan can be made in bearable time: measuring distances takes squares times squares, looking
    /// for sinks boxes times squares. Larger levels are left to the complete search.
    fn is_plannable(&self) -> bool {
        const MOST_DISTANCES: usize = 16_000_000;
        const MOST_SINKS: usize = 2_000_000;
        let (squares, boxes) = (self.board.len(), self.board.starts().len());
        squares * squares <= MOST_DISTANCES && squares * boxes <= MOST_SINKS
    }

    /// A plan to follow, unless somebody follows it already.
    fn adopt(&self, plan: Plan) -> Option<Arc<Plan>> {
        let mut plans = lock(&self.plans);
        if plans.iter().any(|other| other.is_same(&plan)) {
            return None;
        }
        let plan = Arc::new(plan);
        plans.push(Arc::clone(&plan));
        Some(plan)
    }

    /// Files the start position, so that a backward search knows it when it gets there.
    fn file_start(&self, perimeter: &Perimeter) {
        let start = Position::with(&self.board, self.board.starts(), self.board.player());
        let zone = self.board.survey(&start.taken).zone_of(start.player);
        let reached = Reached { parent: 0, from: 0, to: 0, player: start.player, side: Side::Forward };
        perimeter.file(FeatureBoard::key(start.boxes_key, zone), reached);
    }
}

/// A guided search's turns: some tens of milliseconds.
const GUIDED: Pace = Pace { turn: 9_000, price: 1_000 };
/// A dense search's turns: some milliseconds.
const DENSE: Pace = Pace { turn: 240_000, price: 20 };
/// The complete search's turns are its own; it gathers work for them.
const COMPLETE: Pace = Pace { turn: 10_000, price: 2_000 };
/// Memory the dense searches share where there is no limit.
const DENSE_MEMORY: usize = 4 << 30;
/// Memory for the table where the two directions meet.
const PERIMETER_MEMORY: usize = 256 << 20;

/// A runner for a search by features; it joins when the others have had so many milliseconds for each unit of weight.
fn by_features<'g>(strategy: impl Strategy + 'g, weight: u64, after: u64) -> Runner<'g> {
    Runner::new(Box::new(strategy), GUIDED, weight).joining(Duration::from_millis(after))
}

/// Races on a level. `complete` is a search that is taken along where the dense engine, which is
/// complete itself, is too small for the level. Who wants to see more than how the race stands looks through
/// `window`.
pub fn solve<'a>(
    board: &Arc<Board>,
    threads: usize,
    halt: &Halt,
    complete: Box<dyn Strategy + 'a>,
    window: Option<&RaceObserver>,
    glance: &mut dyn FnMut(&Totals),
) -> (Finish, Totals) {
    let memory = halt.budget().limits().memory.map(portfolio::allowance);
    let dense = Dense::new(board, memory.map_or(DENSE_MEMORY, |limit| limit / 2), halt.budget());
    let dead_sets = dense.as_ref().map(|dense| Arc::clone(dense.tables(dense::Side::Forward)));
    let mut scene = Scene::new(Arc::clone(board), dead_sets);
    if let Some(dense) = &dense {
        // What searches by features learn, the dense ones hear of.
        scene.learned = Arc::clone(dense.learned());
    }
    let scene = scene;
    let perimeter = Perimeter::new(memory.map_or(PERIMETER_MEMORY, |limit| PERIMETER_MEMORY.min(limit / 16)));
    scene.file_start(&perimeter);
    let guided = |manners: &[PlanOptions]| Guided::new(&scene, &perimeter, manners);
    let posed = |manner, tidy| {
        let taste = ForwardOptions { weighted: false, spread_out: false, tidy, valued: false };
        Targeted::new(&scene, &perimeter, manner, taste)
    };
    let manner = PlanOptions::default();
    let valued = || {
        let taste = ForwardOptions { weighted: false, spread_out: false, tidy: false, valued: true };
        Targeted::new(&scene, &perimeter, PlanOptions { wanted: PlanGoal::Valued, ..manner }, taste)
    };
    // Small crowded levels give way to speed, so the backward search works there as much as all others
    // together, on two threads on one of its own; larger ones want a plan.
    let small = dense.as_ref().is_some_and(Dense::is_small);
    let weight = |of_small, of_large| if small { of_small } else { of_large };
    // Other plans, pictures and orders join when the first have not led anywhere.
    let later = Duration::from_millis;
    let mut runners: Vec<Runner<'_>> = Vec::new();
    if scene.is_plannable() {
        let near = PlanOptions { far: 3, ..manner };
        let far = PlanOptions { far: 9, turned: true, ..manner };
        let turned = PlanOptions { turned: true, ..manner };
        let wide = |loops, paired| PlanOptions { wanted: PlanGoal::Open { loops, paired }, ..manner };
        let open = wide(true, false);
        let others_near = guided(&[near, PlanOptions { turned: true, ..near }, PlanOptions { far: 12, ..manner }]);
        let others_far = guided(&[far, turned, PlanOptions { far: 15, ..far }]);
        runners.push(by_features(guided(&[manner]), weight(8, 18), 0));
        runners.push(by_features(posed(manner, false), weight(8, 12), 0));
        runners.push(by_features(Phases::new(&scene, &perimeter), weight(2, 3), 3));
        runners.push(by_features(valued(), weight(2, 4), 3));
        runners.push(by_features(posed(open, true), weight(4, 5), 10));
        runners.push(by_features(others_near, weight(3, 3), 15));
        runners.push(by_features(posed(wide(false, true), true), weight(1, 3), 20));
        runners.push(by_features(posed(turned, true), weight(3, 3), 30));
        runners.push(by_features(posed(wide(true, true), false), weight(1, 2), 30));
        runners.push(by_features(posed(PlanOptions { turned: true, ..open }, false), weight(2, 2), 45));
        runners.push(by_features(others_far, weight(3, 3), 75));
    }
    match &dense {
        Some(dense) => {
            let mut join = |order, weight| runners.push(Runner::new(dense.search(order), DENSE, weight));
            join(Order::Backward, weight(60, 8));
            join(Order::Forward, weight(8, 1));
            join(Order::BackwardMacro, weight(8, 1));
            let mut join_later = |order, after| {
                runners.push(Runner::new(dense.search(order), DENSE, weight(2, 1)).joining(later(after)));
            };
            join_later(Order::ForwardMacro, 100);
            join_later(Order::BackwardExcess, 120);
        }
        None => runners.push(Runner::new(complete, COMPLETE, 2)),
    }
    if small {
        // Those who may answer at once begin.
        runners.sort_by_key(|runner| !runner.is_quick());
    }
    if let Some(window) = window {
        runners = runners.into_iter().map(|runner| runner.behind(window)).collect();
    }
    let shared = || scene.board.bytes() + perimeter.bytes() + dense.as_ref().map_or(0, Dense::bytes);
    portfolio::run(runners, threads, halt, &shared, glance)
}
