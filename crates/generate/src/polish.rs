//! The last touch: walls that could go without making the solution shorter are taken away.
//!
//! More floor gives more ways, so the fewest pushes can only become fewer. A wall stays if they do, or if the style asks for
//! it: corridors keep walls that would open a square of four, and rooms those that would open one of nine.

use crate::grid::{CellIndex, Cells, cell_at, place};
use crate::make::{Candidate, fewest_pushes};
use crate::template::opens_square;
use crate::wish::Style;
use lurd_base::Budget;

/// Nodes for the proof that a wall matters.
const NODES: u64 = 400_000;

/// The candidate without useless walls. `None` when the budget ends.
pub(crate) fn without_useless_walls(candidate: &Candidate, budget: &Budget) -> Option<Candidate> {
    let mut best = candidate.clone();
    // A wall that had a use may lose it when another goes: until nothing changes.
    loop {
        let before = best.design;
        let walls: Vec<CellIndex> =
            best.design.yard.inner().filter(|&cell| !best.design.yard.floor.contains(cell)).collect();
        for cell in walls {
            if budget.is_over() {
                return None;
            }
            let floor = &best.design.yard.floor;
            let touches = lurd::Direction::ALL.iter().any(|&way| floor.contains(crate::grid::step(cell, way)));
            if floor.contains(cell) || !touches || is_wanted(best.design.style, floor, cell) {
                continue;
            }
            let mut opened = best.clone();
            opened.design.set_floor(cell);
            let same = fewest_pushes(&opened.level(), NODES, budget.cancel());
            if same.is_some_and(|solution| solution.pushes == best.pushes) {
                best = opened;
            }
        }
        if best.design == before {
            return Some(best);
        }
    }
}

/// Whether the style asks for a wall.
fn is_wanted(style: Style, floor: &Cells, cell: CellIndex) -> bool {
    match style {
        Style::Corridors => opens_square(floor, cell),
        Style::Rooms => opens_nine(floor, cell),
        Style::Open | Style::Symmetric => false,
    }
}

/// Whether a cell would complete three by three squares of floor.
fn opens_nine(floor: &Cells, cell: CellIndex) -> bool {
    let (row, column) = place(cell);
    let corners = (0..3).flat_map(|down| (0..3).map(move |right| (row.wrapping_sub(down), column.wrapping_sub(right))));
    corners.into_iter().filter(|&(top, left)| top < 14 && left < 14).any(|(top, left)| {
        let mut cells = (top..top + 3).flat_map(|row| (left..left + 3).map(move |column| cell_at(row, column)));
        cells.all(|other| other == cell || floor.contains(other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;
    use crate::grid::Yard;
    use crate::pulls::Start;
    use lurd::Map;

    fn candidate(text: &str, style: Style, pushes: usize) -> Candidate {
        let map = Map::from_xsb(text).unwrap();
        let cells = |wanted: fn(lurd::Cell) -> bool| {
            Cells::of(map.cells().filter(|&(_, _, cell)| wanted(cell)).map(|(row, column, _)| cell_at(row, column)))
        };
        let design = Design { yard: Yard::of_map(&map).unwrap(), goals: cells(lurd::Cell::is_goal), style };
        let player = cells(lurd::Cell::has_player).iter().next().unwrap();
        Candidate::new(design, Start { boxes: cells(lurd::Cell::has_box), player }, pushes)
    }

    /// The wall in the middle makes a detour of pushes, the one at the edge does nothing.
    #[test]
    fn only_walls_with_a_use_stay() {
        let text = "#########\n#       #\n#       #\n#@$ # . #\n#       #\n#     ###\n#########";
        let level = lurd::Level::new(Map::from_xsb(text).unwrap());
        let pushes = fewest_pushes(&level, NODES, &lurd::Cancel::new()).unwrap().pushes;
        let cleaned = without_useless_walls(&candidate(text, Style::Open, pushes), &Budget::unlimited()).unwrap();
        let after = fewest_pushes(&cleaned.level(), NODES, &lurd::Cancel::new()).unwrap().pushes;
        assert_eq!(after, pushes);
        assert!(cleaned.design.yard.floor.contains(cell_at(5, 6)), "{}", cleaned.level().map);
        // Every wall that is left has a use.
        for cell in cleaned.design.yard.inner().filter(|&cell| !cleaned.design.yard.floor.contains(cell)) {
            let mut opened = cleaned.clone();
            opened.design.set_floor(cell);
            let shorter = fewest_pushes(&opened.level(), NODES, &lurd::Cancel::new()).unwrap().pushes;
            assert!(shorter < pushes, "{}", opened.level().map);
        }
    }

    #[test]
    fn corridors_stay_narrow() {
        let text = "########\n#@ $  .#\n########\n########\n########";
        let cleaned = without_useless_walls(&candidate(text, Style::Corridors, 3), &Budget::unlimited()).unwrap();
        assert!(
            !cleaned.design.yard.inner().any(|cell| {
                let floor = &cleaned.design.yard.floor;
                floor.contains(cell) && opens_square(&floor.without(&Cells::of([cell])), cell)
            }),
            "{}",
            cleaned.level().map
        );
    }
}
