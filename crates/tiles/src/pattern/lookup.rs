//! Estimates from the tables, for one goal.

use super::PatternDatabase;
use super::layout::Symmetry;
use crate::board::Board;
use crate::heuristic::Slide;
use lurd_search::Cost;
use std::sync::Arc;

/// Looks boards up, once for each of the two ways to look at them.
#[derive(Clone)]
pub(crate) struct PatternLookup {
    database: Arc<PatternDatabase>,
    views: [View; 2],
    parent: Placed,
}

/// One way to turn the board and split its tiles.
#[derive(Clone, Copy)]
struct View {
    /// The table of the first of the three groups.
    first: usize,
    /// The group of each tile: 0, 1 or 2.
    group: [u8; 16],
    /// What each tile adds to its group's packed placement, by cell.
    terms: [[u32; 16]; 16],
}

/// A board as the tables see it, in each view.
#[derive(Clone, Copy, Default)]
pub(crate) struct Placed {
    placements: [[u32; 3]; 2],
    costs: [[u8; 3]; 2],
}

impl Placed {
    /// The estimate: the largest sum of any view.
    pub(crate) fn value(&self) -> Cost {
        let sum = |costs: [u8; 3]| Cost::from(costs[0]) + Cost::from(costs[1]) + Cost::from(costs[2]);
        sum(self.costs[0]).max(sum(self.costs[1]))
    }
}

impl PatternLookup {
    /// `None` if the tables are for other goals.
    pub(crate) fn new(database: Arc<PatternDatabase>, goal: &Board) -> Option<Self> {
        if !database.serves(goal) {
            return None;
        }
        let views = database.layout.views(goal.blank());
        let [first, second] = views.first_chunk()?;
        let views = [View::new(&database, goal, first), View::new(&database, goal, second)];
        Some(Self { database, views, parent: Placed::default() })
    }

    pub(crate) fn value(&self, board: &Board) -> Cost {
        self.place(board).value()
    }

    /// Looks a board up from scratch.
    pub(crate) fn place(&self, board: &Board) -> Placed {
        let tables = &self.database.tables;
        let mut placed = Placed::default();
        for (number, view) in self.views.iter().enumerate() {
            let placements = view.placements(board);
            placed.placements[number] = placements;
            placed.costs[number] = std::array::from_fn(|group| tables[view.first + group][placements[group] as usize]);
        }
        placed
    }

    /// The board after a slide: one lookup a view.
    pub(crate) fn slide(&self, before: &Placed, Slide { tile, from, to }: Slide) -> Placed {
        let mut placed = *before;
        for (number, view) in self.views.iter().enumerate() {
            let group = usize::from(view.group[tile]);
            let placement = placed.placements[number][group] - view.terms[tile][from] + view.terms[tile][to];
            placed.placements[number][group] = placement;
            placed.costs[number][group] = self.database.tables[view.first + group][placement as usize];
        }
        placed
    }

    pub(crate) fn set_parent(&mut self, parent: &Board) {
        self.parent = self.place(parent);
    }

    pub(crate) fn child(&self, slide: Slide) -> Cost {
        self.slide(&self.parent, slide).value()
    }
}

impl View {
    fn new(database: &PatternDatabase, goal: &Board, &(turn, first): &(Symmetry, usize)) -> Self {
        let mut view = Self { first, group: [0; 16], terms: [[0; 16]; 16] };
        for (group, cells) in database.layout.groups[first..first + 3].iter().enumerate() {
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
