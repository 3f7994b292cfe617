//! The normal form of a level under the eight symmetries of the square.
//!
//! Two texts draw the same level if their maps are equal after [`Map::normalized`] and a rotation or reflection. The
//! normal form, [`Map::canonical`], is the smallest of the eight images in a fixed order, so such maps have equal normal
//! forms, and the [`Symmetry`] carries a solution from one to the other. The player's start square is part of the level.

use crate::{Cell, Direction, Map};

/// A symmetry of the square: a transposition or none, then a reversal of the rows or none, then of the columns or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transposes: bool,
    reverses_rows: bool,
    reverses_columns: bool,
}

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Self = Self::new(false, false, false);

    /// All eight symmetries, the identity first.
    pub const ALL: [Self; 8] = [
        Self::IDENTITY,
        Self::new(false, false, true),
        Self::new(false, true, false),
        Self::new(false, true, true),
        Self::new(true, false, false),
        Self::new(true, false, true),
        Self::new(true, true, false),
        Self::new(true, true, true),
    ];

    const fn new(transposes: bool, reverses_rows: bool, reverses_columns: bool) -> Self {
        Self { transposes, reverses_rows, reverses_columns }
    }

    /// The symmetry that reverses this one.
    pub fn inverse(self) -> Self {
        // Reversals after a transposition are the exchanged reversals before it.
        let (rows, columns) = self.exchanged(self.reverses_rows, self.reverses_columns);
        Self::new(self.transposes, rows, columns)
    }

    /// This symmetry followed by another.
    pub fn then(self, next: Self) -> Self {
        let (rows, columns) = next.exchanged(self.reverses_rows, self.reverses_columns);
        Self::new(self.transposes != next.transposes, rows != next.reverses_rows, columns != next.reverses_columns)
    }

    /// Two values by row and column, exchanged if this symmetry transposes.
    fn exchanged<T>(self, row: T, column: T) -> (T, T) {
        if self.transposes { (column, row) } else { (row, column) }
    }

    /// The image of a map.
    pub fn apply(self, map: &Map) -> Map {
        let size = (map.height(), map.width());
        let (height, width) = self.exchanged(size.0, size.1);
        let mut rows = vec![vec![Cell::Floor; width]; height];
        for (row, column, cell) in map.cells() {
            let (row, column) = self.apply_to_place((row, column), size);
            rows[row][column] = cell;
        }
        Map::from_rows(&rows)
    }

    /// The image of a place (row, column) of a map of the given size (height, width).
    pub fn apply_to_place(self, place: (usize, usize), size: (usize, usize)) -> (usize, usize) {
        let (row, column) = self.exchanged(place.0, place.1);
        let (height, width) = self.exchanged(size.0, size.1);
        let reverse = |value: usize, count: usize, reverses: bool| if reverses { count - 1 - value } else { value };
        (reverse(row, height, self.reverses_rows), reverse(column, width, self.reverses_columns))
    }

    /// The image of a direction.
    pub fn apply_to_direction(self, direction: Direction) -> Direction {
        use Direction::{Down, Left, Right, Up};
        let transposed = match direction {
            Left => Up,
            Up => Left,
            Right => Down,
            Down => Right,
        };
        let direction = if self.transposes { transposed } else { direction };
        let is_reversed = match direction {
            Left | Right => self.reverses_columns,
            Up | Down => self.reverses_rows,
        };
        if is_reversed { direction.opposite() } else { direction }
    }

    /// The image of moves in LURD. Characters other than the letters of moves are kept.
    pub fn apply_to_lurd(self, lurd: &str) -> String {
        let image = |c: char| match Direction::from_letter(c) {
            Some(direction) => self.apply_to_direction(direction).letter(c.is_ascii_uppercase()),
            None => c,
        };
        lurd.chars().map(image).collect()
    }
}

impl Map {
    /// The normal form under the symmetries, and the symmetry that maps [`normalized`](Self::normalized) to it: the
    /// smallest image by height, width and cells in row order. For a map with one player the result does not depend on
    /// how the level is drawn, rotated or reflected. A solution of this map becomes one of the normal form by
    /// [`Symmetry::apply_to_lurd`].
    ///
    /// ```
    /// use lurd_level::Map;
    /// let map = Map::from_xsb("#####\n#@$.#\n#####").unwrap();
    /// let turned = Map::from_xsb(" ###\n #.#\n #$#\n #@#\n ###").unwrap();
    /// let ((form, symmetry), (same, other)) = (map.canonical(), turned.canonical());
    /// assert_eq!(form, same);
    /// assert_eq!(symmetry.then(other.inverse()).apply_to_lurd("R"), "U");
    /// ```
    pub fn canonical(&self) -> (Self, Symmetry) {
        let map = self.normalized();
        let mut best = (map.clone(), Symmetry::IDENTITY);
        for symmetry in Symmetry::ALL.into_iter().skip(1) {
            let image = symmetry.apply(&map);
            if order(&image).lt(order(&best.0)) {
                best = (image, symmetry);
            }
        }
        best
    }
}

/// The order of maps: height, width, then cells in row order.
fn order(map: &Map) -> impl Iterator<Item = usize> + '_ {
    [map.height(), map.width()].into_iter().chain(map.cells().map(|(_, _, cell)| cell as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_referee::judge;
    use proptest::prelude::*;

    /// A walled level: random walls and boxes, then a random legal game, whose last position gives the goals. So the
    /// game is a solution.
    fn solved_level() -> impl Strategy<Value = (Map, String)> {
        let cell = prop_oneof![2 => Just(Cell::Wall), 6 => Just(Cell::Floor), 1 => Just(Cell::Box)];
        (1..6_usize, 1..6_usize).prop_flat_map(move |(width, height)| {
            let cells = proptest::collection::vec(cell.clone(), width * height);
            let moves = proptest::collection::vec(proptest::sample::select(vec!['l', 'r', 'u', 'd']), 0..40);
            (cells, 0..width * height, moves).prop_map(move |(mut cells, player, moves)| {
                cells[player] = Cell::Player;
                let mut map = Map::from_rows(&cells.chunks(width).map(<[Cell]>::to_vec).collect::<Vec<_>>());
                map = map.rectangular();
                let mut game = String::new();
                for letter in moves {
                    game.push(letter);
                    if judge(&map.to_string(), &game).is_err() {
                        game.pop();
                    }
                }
                let played = judge(&map.to_string(), &game).unwrap();
                let end = Map::from_xsb(&played.board).unwrap();
                for (row, column, _) in end.cells().filter(|(_, _, cell)| cell.has_box()) {
                    let on_goal = match map.get(row, column) {
                        Cell::Box => Cell::BoxOnGoal,
                        Cell::Player => Cell::PlayerOnGoal,
                        _ => Cell::Goal,
                    };
                    map.set(row, column, on_goal);
                }
                (map, played.lurd)
            })
        })
    }

    fn symmetry() -> impl Strategy<Value = Symmetry> {
        proptest::sample::select(Symmetry::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn all_images_have_the_same_canonical_form((map, _) in solved_level()) {
            let (form, symmetry) = map.canonical();
            prop_assert_eq!(symmetry.apply(&map.normalized()), form.clone());
            prop_assert_eq!(form.canonical(), (form.clone(), Symmetry::IDENTITY));
            for image in Symmetry::ALL.map(|symmetry| symmetry.apply(&map)) {
                prop_assert_eq!(image.canonical().0, form.clone());
                prop_assert_eq!(image.rectangular().canonical().0, form.clone());
            }
        }

        #[test]
        fn a_symmetry_carries_solutions_over((map, lurd) in solved_level(), symmetry in symmetry()) {
            let given = judge(&map.to_string(), &lurd).unwrap();
            prop_assert!(given.solved);
            let image = symmetry.apply(&map);
            let (form, to_form) = image.canonical();
            let to_form = symmetry.then(to_form);
            for (target, symmetry) in [(image, symmetry), (form, to_form)] {
                let moves = symmetry.apply_to_lurd(&lurd);
                let verdict = judge(&target.to_string(), &moves).unwrap();
                prop_assert!(verdict.solved);
                prop_assert_eq!((verdict.moves, verdict.pushes), (given.moves, given.pushes));
                prop_assert_eq!((verdict.case_mismatch, verdict.lurd), (None, moves.clone()));
                prop_assert_eq!(symmetry.inverse().apply_to_lurd(&moves), lurd.clone());
            }
        }

        #[test]
        fn inverse_and_composition_hold_for_maps_and_places((map, _) in solved_level(), a in symmetry(), b in symmetry()) {
            let image = a.apply(&map);
            prop_assert_eq!(a.inverse().apply(&image), map.clone());
            prop_assert_eq!(b.apply(&image), a.then(b).apply(&map));
            let (size, image_size) = ((map.height(), map.width()), (image.height(), image.width()));
            for (row, column, cell) in map.cells() {
                let place = a.apply_to_place((row, column), size);
                prop_assert_eq!(image.get(place.0, place.1), cell);
                prop_assert_eq!(a.inverse().apply_to_place(place, image_size), (row, column));
                prop_assert_eq!(b.apply_to_place(place, image_size), a.then(b).apply_to_place((row, column), size));
            }
        }
    }

    #[test]
    fn the_symmetries_are_a_group() {
        for a in Symmetry::ALL {
            assert_eq!((a.then(a.inverse()), a.inverse().then(a)), (Symmetry::IDENTITY, Symmetry::IDENTITY));
            assert_eq!((a.then(Symmetry::IDENTITY), Symmetry::IDENTITY.then(a)), (a, a));
            for b in Symmetry::ALL {
                assert_eq!(a.then(b).inverse(), b.inverse().then(a.inverse()));
                for c in Symmetry::ALL {
                    assert_eq!(a.then(b).then(c), a.then(b.then(c)));
                }
                for direction in Direction::ALL {
                    let image = a.apply_to_direction(direction);
                    assert_eq!(a.then(b).apply_to_direction(direction), b.apply_to_direction(image));
                    assert_eq!(a.apply_to_direction(direction.opposite()), image.opposite());
                }
            }
            assert!(Symmetry::ALL.iter().filter(|&&b| b == a).count() == 1, "all are different");
        }
    }

    #[test]
    fn the_player_and_the_walls_are_part_of_the_form() {
        let form = |text: &str| Map::from_xsb(text).unwrap().canonical().0;
        assert_eq!(form("######\n#@ $.#\n######"), form("######\n#.$ @#\n######"));
        assert_ne!(form("######\n#@ $.#\n######"), form("######\n# @$.#\n######"));
        assert_eq!(form("#####\n#@$.#\n#####"), form("  #####\n ##@$.###\n  ##### *"));
        assert_eq!(form(""), Map::from_rows(&[]));
    }
}
