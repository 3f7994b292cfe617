//! Estimates from the tables, for one goal.

use super::PatternDatabase;
use super::layout::Symmetry;
use crate::board::Board;
use crate::heuristic::Slide;
use search::Cost;
use std::sync::Arc;

/// Looks boards up, once for each way the goal can be turned onto the tables.
#[derive(Clone)]
pub(crate) struct PatternLookup {
    database: Arc<PatternDatabase>,
    views: Vec<View>,
}

/// One way to turn the board, and the parent as seen that way.
#[derive(Clone)]
struct View {
    /// The group of each tile.
    group: [u8; 16],
    /// What each tile adds to its group's packed placement, by cell.
    terms: [[u32; 16]; 16],
    /// The parent's packed placements, and the sum of their costs.
    parent: [u32; 3],
    parent_costs: [u8; 3],
    parent_sum: Cost,
}

impl PatternLookup {
    /// `None` if the tables are for other goals.
    pub(crate) fn new(database: Arc<PatternDatabase>, goal: &Board) -> Option<Self> {
        let views: Vec<View> = if database.serves(goal) {
            database.layout.views(goal.blank()).iter().map(|turn| View::new(&database, goal, turn)).collect()
        } else {
            Vec::new()
        };
        (!views.is_empty()).then_some(Self { database, views })
    }

    pub(crate) fn value(&self, board: &Board) -> Cost {
        let tables = &self.database.tables;
        let value = |view: &View| {
            let placements = view.placements(board);
            (0..3).map(|group| Cost::from(tables[group][placements[group] as usize])).sum()
        };
        self.views.iter().map(value).max().unwrap_or(0)
    }

    pub(crate) fn set_parent(&mut self, parent: &Board) {
        let tables = &self.database.tables;
        for view in &mut self.views {
            view.parent = view.placements(parent);
            view.parent_costs = std::array::from_fn(|group| tables[group][view.parent[group] as usize]);
            view.parent_sum = view.parent_costs.iter().map(|&cost| Cost::from(cost)).sum();
        }
    }

    pub(crate) fn child(&self, Slide { tile, from, to }: Slide) -> Cost {
        let value = |view: &View| {
            let group = usize::from(view.group[tile]);
            let placement = view.parent[group] - view.terms[tile][from] + view.terms[tile][to];
            let cost = self.database.tables[group][placement as usize];
            view.parent_sum - Cost::from(view.parent_costs[group]) + Cost::from(cost)
        };
        self.views.iter().map(value).max().unwrap_or(0)
    }
}

impl View {
    fn new(database: &PatternDatabase, goal: &Board, turn: &Symmetry) -> Self {
        let mut view =
            Self { group: [0; 16], terms: [[0; 16]; 16], parent: [0; 3], parent_costs: [0; 3], parent_sum: 0 };
        for (group, cells) in database.layout.groups.iter().enumerate() {
            for (cell, tile) in (0..16).map(|cell| (cell, goal.tile(cell))).filter(|&(_, tile)| tile != 0) {
                if let Some(slot) = cells.iter().position(|&home| home == turn[cell]) {
                    view.group[tile] = group as u8;
                    view.terms[tile] = std::array::from_fn(|at| (turn[at] << (4 * slot)) as u32);
                }
            }
        }
        view
    }

    fn placements(&self, board: &Board) -> [u32; 3] {
        let mut placements = [0; 3];
        for (cell, &tile) in board.tiles().iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            let tile = usize::from(tile);
            placements[usize::from(self.group[tile])] += self.terms[tile][cell];
        }
        placements
    }
}
