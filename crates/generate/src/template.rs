//! Walls of a new board, by style.

use crate::grid::{CellIndex, Cells, Yard, cell_at, place};
use crate::wish::Style;
use lurd_base::random::SplitMix64;

/// Tiles of the style *rooms*: `#` is wall, `.` floor. Each is used in its eight rotations and reflections.
const TILES: [&str; 12] = [
    ".........",
    "#........",
    "##.......",
    "###......",
    "#.#......",
    "#.......#",
    "....#....",
    "#..#.....",
    ".#..#....",
    "##.#.....",
    "###...###",
    "#.#...#.#",
];

/// The share of the inside that is floor, in percent: fewer squares make no level, more leave nothing to think about.
const LEAST_FLOOR: usize = 35;

/// Attempts before the walls are left out: on a very small board a style may have nothing to give.
const ATTEMPTS: usize = 40;

/// Walls of a style, with the floor in one piece.
pub(crate) fn yard(style: Style, width: usize, height: usize, random: &mut SplitMix64) -> Yard {
    let empty = Yard { width, height, floor: Cells::default() };
    for _ in 0..ATTEMPTS {
        let floor = match style {
            Style::Rooms => rooms(&empty, random),
            Style::Corridors => corridors(&empty, random),
            Style::Open => open(&empty, random),
            Style::Symmetric => {
                let half = if random.below(2) == 0 { rooms(&empty, random) } else { open(&empty, random) };
                mirrored(&empty, &half)
            }
        };
        let yard = Yard { floor, ..empty }.largest_part();
        let large = 100 * yard.floor.len() >= LEAST_FLOOR * (width - 2) * (height - 2);
        if large && (style != Style::Symmetric || is_symmetric(&yard, &yard.floor)) {
            return yard;
        }
    }
    Yard { floor: Cells::of(empty.inner()), ..empty }
}

/// Whether a set is its own mirror image.
pub(crate) fn is_symmetric(yard: &Yard, cells: &Cells) -> bool {
    cells.iter().all(|cell| cells.contains(mirror(yard, cell)))
}

/// The mirror image of a cell: left and right change places.
pub(crate) fn mirror(yard: &Yard, cell: CellIndex) -> CellIndex {
    let (row, column) = place(cell);
    cell_at(row, yard.width - 1 - column)
}

/// Tiles side by side, as Taylor and Parberry (2011) build boards; those at the right and lower edge are cut.
fn rooms(yard: &Yard, random: &mut SplitMix64) -> Cells {
    let mut floor = Cells::default();
    for top in (1..yard.height - 1).step_by(3) {
        for left in (1..yard.width - 1).step_by(3) {
            let tile = TILES[random.below(TILES.len())].as_bytes();
            let turn = random.below(8);
            for (at, &cell) in tile.iter().enumerate() {
                let (mut row, mut column) = (at / 3, at % 3);
                if turn & 1 == 1 {
                    (row, column) = (column, row);
                }
                if turn & 2 == 2 {
                    row = 2 - row;
                }
                if turn & 4 == 4 {
                    column = 2 - column;
                }
                let (row, column) = (top + row, left + column);
                if cell == b'.' && row < yard.height - 1 && column < yard.width - 1 {
                    floor.insert(cell_at(row, column));
                }
            }
        }
    }
    floor
}

/// Random walks that turn seldom, and here and there a square beside them.
fn corridors(yard: &Yard, random: &mut SplitMix64) -> Cells {
    let inner: Vec<CellIndex> = yard.inner().collect();
    let mut floor = Cells::default();
    let wanted = inner.len() * (40 + random.below(20)) / 100;
    let mut at = inner[random.below(inner.len())];
    let mut direction = random.below(4);
    for _ in 0..60 * inner.len() {
        floor.insert(at);
        if floor.len() >= wanted {
            break;
        }
        if random.below(4) == 0 {
            direction = random.below(4);
        }
        let next = crate::grid::step(at, lurd::Direction::ALL[direction]);
        let (row, column) = place(next);
        let inside = (1..yard.height - 1).contains(&row) && (1..yard.width - 1).contains(&column);
        // A step that would open a square of four is taken seldom: it is a place to turn.
        if inside && (floor.contains(next) || !opens_square(&floor, next) || random.below(8) == 0) {
            at = next;
        } else {
            direction = random.below(4);
        }
    }
    floor
}

/// Whether a cell would complete two by two squares of floor.
pub(crate) fn opens_square(floor: &Cells, cell: CellIndex) -> bool {
    let (row, column) = place(cell);
    [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().any(|(down, right)| {
        let (top, left) = (row.wrapping_sub(down), column.wrapping_sub(right));
        let cells = [(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)];
        cells.into_iter().all(|(row, column)| cell_at(row, column) == cell || floor.contains(cell_at(row, column)))
    })
}

/// Floor everywhere but for a few single walls, more often at the edge.
fn open(yard: &Yard, random: &mut SplitMix64) -> Cells {
    let inner: Vec<CellIndex> = yard.inner().collect();
    let mut floor = Cells::of(inner.iter().copied());
    for _ in 0..inner.len() * (10 + random.below(15)) / 100 {
        let cell = inner[random.below(inner.len())];
        floor.remove(cell);
        let (row, column) = place(cell);
        let at_edge = row == 1 || column == 1 || row == yard.height - 2 || column == yard.width - 2;
        let next = if column + 2 < yard.width { cell_at(row, column + 1) } else { cell };
        if at_edge && random.below(2) == 0 {
            floor.remove(next);
        }
    }
    floor
}

/// The left half and its mirror image.
fn mirrored(yard: &Yard, half: &Cells) -> Cells {
    let left = half.iter().filter(|&cell| place(cell).1 <= (yard.width - 1) / 2);
    Cells::of(left.flat_map(|cell| [cell, mirror(yard, cell)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_and_size_gives_floor_in_one_piece_inside_the_walls() {
        for (seed, &style) in (0..60).flat_map(|seed| Style::ALL.iter().map(move |style| (seed, style))) {
            let mut random = SplitMix64::new(seed);
            let (width, height) = (3 + random.below(14), 3 + random.below(14));
            let yard = yard(style, width, height, &mut random);
            let first = yard.floor.iter().next().unwrap_or_else(|| panic!("{style} {width}x{height}: no floor"));
            assert_eq!(yard.floor.zone(first), yard.floor);
            assert!(yard.floor.without(&Cells::of(yard.inner())).len() == 0);
            if style == Style::Symmetric {
                assert!(is_symmetric(&yard, &yard.floor), "{width}x{height}");
            }
        }
    }

    #[test]
    fn a_seed_gives_the_same_walls_again() {
        let twice = || yard(Style::Rooms, 12, 12, &mut SplitMix64::new(5));
        assert_eq!(twice(), twice());
    }
}
