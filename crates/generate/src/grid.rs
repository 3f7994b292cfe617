//! Sets of cells of a small board as bits, sixteen cells a row, and the floor of a board in this form.
//!
//! A whole board of up to 16x16 cells is four words: a step of all cells of a set in one direction is a shift, so that the
//! player's zone is filled in a few dozen instructions for each step of its radius.

use lurd::{Cell, Direction, Map, Region};

/// Cells in a row of the bit set. The longest side of a board, outer walls included.
pub(crate) const STRIDE: usize = 16;

/// The number of a cell: `row * STRIDE + column`.
pub(crate) type CellIndex = u8;

/// A set of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Cells([u64; 4]);

impl Cells {
    pub(crate) fn of(cells: impl IntoIterator<Item = CellIndex>) -> Self {
        let mut set = Self::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }

    #[inline]
    pub(crate) fn contains(&self, cell: CellIndex) -> bool {
        self.0[usize::from(cell >> 6)] >> (cell & 63) & 1 == 1
    }

    #[inline]
    pub(crate) fn insert(&mut self, cell: CellIndex) {
        self.0[usize::from(cell >> 6)] |= 1 << (cell & 63);
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: CellIndex) {
        self.0[usize::from(cell >> 6)] &= !(1 << (cell & 63));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = CellIndex> + use<> {
        let words = self.0;
        (0..=u8::MAX).filter(move |&cell| words[usize::from(cell >> 6)] >> (cell & 63) & 1 == 1)
    }

    /// The set with all cells of another set removed.
    #[inline]
    pub(crate) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The cells of `self` that can be reached from a cell by steps inside `self`; the cell itself belongs to it.
    #[inline]
    pub(crate) fn zone(&self, from: CellIndex) -> Self {
        let free = &self.0;
        let mut zone = Self::of([from]).0;
        loop {
            let next = spread(&spread(&zone, free), free);
            if next == zone {
                return Self(zone);
            }
            zone = next;
        }
    }
}

/// The set and its neighbours, as far as they are free.
#[inline]
fn spread(set: &[u64; 4], free: &[u64; 4]) -> [u64; 4] {
    let above = [set[0] << 16, set[1] << 16 | set[0] >> 48, set[2] << 16 | set[1] >> 48, set[3] << 16 | set[2] >> 48];
    let below = [set[0] >> 16 | set[1] << 48, set[1] >> 16 | set[2] << 48, set[2] >> 16 | set[3] << 48, set[3] >> 16];
    // The outer walls keep sideways steps from wrapping round: the first and last cell of a row are never free.
    std::array::from_fn(|word| (set[word] | set[word] << 1 | set[word] >> 1 | above[word] | below[word]) & free[word])
}

/// The neighbour of a floor cell. Outer walls keep it on the grid.
#[inline]
pub(crate) fn step(cell: CellIndex, direction: Direction) -> CellIndex {
    const BY: [u8; 4] = [1u8.wrapping_neg(), 1, 16u8.wrapping_neg(), 16];
    cell.wrapping_add(BY[direction as usize])
}

/// The place of a cell as (row, column).
pub(crate) fn place(cell: CellIndex) -> (usize, usize) {
    (usize::from(cell) / STRIDE, usize::from(cell) % STRIDE)
}

/// The cell at a row and column below [`STRIDE`].
pub(crate) fn cell_at(row: usize, column: usize) -> CellIndex {
    (row * STRIDE + column) as CellIndex
}

/// The floor of a board inside a rectangle of outer walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Yard {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) floor: Cells,
}

impl Yard {
    /// The player's region of a map; `None` where it does not fit the grid.
    pub(crate) fn of_map(map: &Map) -> Option<Self> {
        let map = map.rectangular().trimmed();
        if map.width() > STRIDE || map.height() > STRIDE {
            return None;
        }
        let region = Region::of_player(&map);
        let inside = map.cells().filter(|&(row, column, _)| region.contains(row, column));
        let floor = Cells::of(inside.map(|(row, column, _)| cell_at(row, column)));
        Some(Self { width: map.width(), height: map.height(), floor })
    }

    /// The cells inside the outer walls, floor or not.
    pub(crate) fn inner(&self) -> impl Iterator<Item = CellIndex> + use<> {
        let (width, height) = (self.width, self.height);
        (1..height - 1).flat_map(move |row| (1..width - 1).map(move |column| cell_at(row, column)))
    }

    /// The largest connected part of the floor; the rest becomes wall.
    pub(crate) fn largest_part(mut self) -> Self {
        let mut rest = self.floor;
        let mut best = Cells::default();
        while let Some(cell) = rest.iter().next() {
            let part = rest.zone(cell);
            rest = rest.without(&part);
            if part.len() > best.len() {
                best = part;
            }
        }
        self.floor = best;
        self
    }

    /// The map of a position: outer walls trimmed to those that touch the floor.
    pub(crate) fn map(&self, goals: &Cells, boxes: &Cells, player: CellIndex) -> Map {
        let rows: Vec<Vec<Cell>> = (0..self.height)
            .map(|row| {
                let cell = |column| {
                    let cell = cell_at(row, column);
                    let (goal, boxed) = (goals.contains(cell), boxes.contains(cell));
                    match (self.floor.contains(cell), goal, boxed, cell == player) {
                        (false, ..) => Cell::Wall,
                        (_, true, true, _) => Cell::BoxOnGoal,
                        (_, true, _, true) => Cell::PlayerOnGoal,
                        (_, true, ..) => Cell::Goal,
                        (_, _, true, _) => Cell::Box,
                        (.., true) => Cell::Player,
                        _ => Cell::Floor,
                    }
                };
                (0..self.width).map(cell).collect()
            })
            .collect();
        Map::from_rows(&rows).normalized()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_end_at_walls_and_do_not_wrap() {
        let map = Map::from_xsb("################\n#@   #         #\n#    #         #\n################").unwrap();
        let yard = Yard::of_map(&map).unwrap();
        assert_eq!(yard.floor.len(), 8);
        let open = Cells::of((1..15).map(|column| cell_at(1, column)).chain([cell_at(2, 14), cell_at(3, 1)]));
        let zone = open.zone(cell_at(1, 5));
        assert_eq!(zone.len(), 15, "the cell at the start of row 3 is no neighbour of the end of row 2");
    }

    #[test]
    fn a_map_survives_the_way_through_the_grid() {
        let text = "########\n#@ #  .#\n#  $   #\n# ######\n###\n";
        let map = Map::from_xsb(text).unwrap();
        let yard = Yard::of_map(&map).unwrap();
        let find =
            |wanted: Cell| map.cells().find(|&(_, _, cell)| cell == wanted).map(|(r, c, _)| cell_at(r, c)).unwrap();
        let (goal, boxed, player) = (find(Cell::Goal), find(Cell::Box), find(Cell::Player));
        assert_eq!(yard.map(&Cells::of([goal]), &Cells::of([boxed]), player), map.normalized());
        assert!(
            Yard::of_map(&Map::from_xsb(&format!("{0}\n#@{1}#\n{0}", "#".repeat(20), " ".repeat(17))).unwrap())
                .is_none()
        );
    }

    #[test]
    fn the_largest_part_stays() {
        let yard = Yard { width: 8, height: 3, floor: Cells::of([17, 18, 20, 21, 22]) }.largest_part();
        assert_eq!(yard.floor, Cells::of([20, 21, 22]));
    }
}
