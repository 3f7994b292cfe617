//! What all strategies of a level share.

use crate::hotspots::Hotspots;
use crate::macros::BoxMove;
use crate::perimeter::{Perimeter, Reached};
use crate::plan::Plan;
use crate::rooms::Rooms;
use crate::stops::Stops;
use lurd_base::sync::lock;
use lurd_rules::dense::board::Side;
use lurd_rules::dense::dead_set_tables::DeadSetTables;
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::feature::learned::LearnedStore;
use lurd_rules::feature::position::Position;
use std::sync::{Arc, Mutex};

#[derive(Debug)]
pub(super) struct Context {
    pub(super) board: FeatureBoard,
    pub(super) rooms: Rooms,
    pub(super) stops: Stops,
    pub(super) hotspots: Hotspots,
    /// Exact tables of small dead sets, where the level is small enough for them.
    pub(super) dead_sets: Option<Arc<DeadSetTables>>,
    /// Dead sets learned by any search.
    pub(super) learned: Arc<LearnedStore>,
    plans: Mutex<Vec<Arc<Plan>>>,
}

impl Context {
    pub(super) fn new(
        features: FeatureBoard,
        dead_sets: Option<Arc<DeadSetTables>>,
        learned: Arc<LearnedStore>,
    ) -> Self {
        let rooms = Rooms::new(&features);
        let stops = Stops::new(&features);
        let hotspots = Hotspots::new(&features);
        Self { board: features, rooms, stops, hotspots, dead_sets, learned, plans: Mutex::default() }
    }

    /// Whether feature-space search is affordable: distances take squares times squares, sinks boxes times squares.
    /// Larger levels are left to the complete search.
    pub(super) fn is_plannable(&self) -> bool {
        const MOST_DISTANCES: usize = 16_000_000;
        const MOST_SINKS: usize = 2_000_000;
        let (squares, boxes) = (self.board.len(), self.board.starts().len());
        squares * squares <= MOST_DISTANCES && squares * boxes <= MOST_SINKS
    }

    /// Registers a plan to follow; none if another search follows the same one.
    pub(super) fn adopt(&self, plan: Plan) -> Option<Arc<Plan>> {
        let mut plans = lock(&self.plans);
        if plans.iter().any(|other| other.is_same(&plan)) {
            return None;
        }
        let plan = Arc::new(plan);
        plans.push(Arc::clone(&plan));
        Some(plan)
    }

    /// Puts the start position into the perimeter, so that a backward search recognises it.
    pub(super) fn insert_start(&self, perimeter: &Perimeter) {
        let start = Position::with(&self.board, self.board.starts(), self.board.player());
        let zone = self.board.survey(&start.taken).zone_of(start.player);
        let reached = Reached { parent: 0, step: BoxMove::none(start.player), side: Side::Forward };
        perimeter.insert(FeatureBoard::key(start.boxes_key, zone), reached);
    }
}
