//! The player's region: the part of a map that matters to play.
//!
//! Two texts can draw the same level and differ in doubled walls, filled outsides and decoration.
//! [`Map::normalized`] keeps only what matters to play; [`Map::rectangular`] completes a level to the full rectangle of
//! squares that some programs expect.

use crate::{Cell, Map};
use std::collections::VecDeque;

/// The squares the player can reach when boxes do not block.
pub struct Region {
    width: usize,
    inside: Vec<bool>,
    /// The number of squares.
    pub squares: usize,
    /// The nearest square on the edge of the rectangle, where the player can leave the board.
    pub exit: Option<(usize, usize)>,
}

impl Region {
    /// The region of the first player on the map; empty if there is no player.
    pub fn of_player(map: &Map) -> Self {
        let (width, height) = (map.width(), map.height());
        let mut region = Self { width, inside: vec![false; width * height], squares: 0, exit: None };
        let mut queue = VecDeque::new();
        if let Some((row, column, _)) = map.cells().find(|(_, _, cell)| cell.has_player()) {
            region.inside[row * width + column] = true;
            queue.push_back((row, column));
        }
        // Breadth first: the exit found first is the nearest to the player.
        while let Some((row, column)) = queue.pop_front() {
            region.squares += 1;
            if row == 0 || column == 0 || row + 1 == height || column + 1 == width {
                region.exit.get_or_insert((row, column));
            }
            for (down, right) in [(0, -1), (-1, 0), (0, 1), (1, 0)] {
                let (Some(row), Some(column)) = (row.checked_add_signed(down), column.checked_add_signed(right)) else {
                    continue;
                };
                if row < height && column < width && map.get(row, column) != Cell::Wall {
                    let seen = &mut region.inside[row * width + column];
                    if !std::mem::replace(seen, true) {
                        queue.push_back((row, column));
                    }
                }
            }
        }
        region
    }

    /// Whether a square of the map belongs to the region.
    pub fn contains(&self, row: usize, column: usize) -> bool {
        column < self.width && self.inside.get(row * self.width + column).copied().unwrap_or(false)
    }
}

impl Map {
    /// The player's region with the walls that touch it, at a side or a corner, and nothing else. Levels that differ
    /// only in outer walls, outside squares or decoration become equal. A map without a player is only trimmed.
    pub fn normalized(&self) -> Self {
        let region = Region::of_player(self);
        if region.squares == 0 {
            return self.trimmed();
        }
        let near = |row: usize, column: usize| {
            (row.saturating_sub(1)..=row + 1)
                .any(|r| (column.saturating_sub(1)..=column + 1).any(|c| region.contains(r, c)))
        };
        let cell = |row: usize, column: usize| {
            if region.contains(row, column) {
                self.get(row, column)
            } else if near(row, column) {
                // Beside the region this is a wall already; at a corner it does not affect play.
                Cell::Wall
            } else {
                Cell::Floor
            }
        };
        let kept = |&(row, column): &(usize, usize)| near(row, column);
        self.cropped(self.cells().map(|(row, column, _)| (row, column)).filter(kept), cell)
    }

    /// The bounding rectangle of all cells that are not floor.
    pub fn trimmed(&self) -> Self {
        let drawn = self.cells().filter(|&(_, _, cell)| cell != Cell::Floor).map(|(row, column, _)| (row, column));
        self.cropped(drawn, |row, column| self.get(row, column))
    }

    /// The bounding rectangle of some squares, filled by `cell`.
    fn cropped(&self, squares: impl Iterator<Item = (usize, usize)>, cell: impl Fn(usize, usize) -> Cell) -> Self {
        let bounds = squares.fold(None, |bounds: Option<[usize; 4]>, (row, column)| {
            let [top, left, bottom, right] = bounds.unwrap_or([row, column, row, column]);
            Some([top.min(row), left.min(column), bottom.max(row), right.max(column)])
        });
        let Some([top, left, bottom, right]) = bounds else { return Self::from_rows(&[]) };
        let row = |row| (left..=right).map(|column| cell(row, column)).collect();
        Self::from_rows(&(top..=bottom).map(row).collect::<Vec<_>>())
    }

    /// The level completed to a walled rectangle. Floor and decoration outside the player's region become wall;
    /// misplaced boxes and goals stay, so that a check still finds them. If the player could leave the board, short
    /// rows are first filled with walls and everything is enclosed in a ring of walls. A map without a player is
    /// returned unchanged.
    pub fn rectangular(&self) -> Self {
        let region = Region::of_player(self);
        if region.squares == 0 {
            return self.clone();
        }
        if region.exit.is_some() {
            return self.ringed().filled();
        }
        self.filled()
    }

    /// A ring of walls around the rectangle; floor at the end of a row becomes wall.
    fn ringed(&self) -> Self {
        let row = |row| {
            let end = (0..self.width()).rposition(|column| self.get(row, column) != Cell::Floor);
            (0..end.map_or(0, |last| last + 1)).map(|column| self.get(row, column)).collect()
        };
        Self::enclosed(&(0..self.height()).map(row).collect::<Vec<_>>(), self.width())
    }

    /// Unreachable floor and decoration turned into wall.
    fn filled(&self) -> Self {
        let region = Region::of_player(self);
        let mut map = self.clone();
        for (row, column, cell) in self.cells() {
            if !region.contains(row, column) && matches!(cell, Cell::Floor | Cell::BoxOnGoal) {
                map.set(row, column, Cell::Wall);
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validity::check;

    fn map(text: &str) -> Map {
        Map::from_xsb(text).unwrap()
    }

    #[test]
    fn outer_walls_decoration_and_margins_do_not_matter() {
        let plain = map("#####\n#@$.#\n#####");
        assert_eq!(plain.normalized(), plain);
        assert_eq!(map("\n  #######\n  ##@$.## ***\n  #######").normalized(), plain);
        assert_ne!(map("#####\n#@$*#\n#####").normalized(), plain);
        assert_eq!(map("###\n# #").normalized(), map("###\n# #"), "no player: only trimmed");
        assert_eq!(map("").normalized(), map(""));
    }

    #[test]
    fn a_closed_level_is_filled() {
        let level = map(" ####\n #@.#*\n##$ #\n#   #\n#####");
        assert_eq!(level.rectangular(), map("######\n##@.##\n##$ ##\n#   ##\n######"));
        assert_eq!(level.rectangular().normalized().height(), level.normalized().height());
    }

    #[test]
    fn an_open_level_gets_a_ring_and_keeps_what_is_inside() {
        let level = map("@ $ .\n #");
        let ringed = level.rectangular();
        assert_eq!(ringed, map("#######\n#@ $ .#\n# #####\n#######"));
        assert!(check(&ringed).is_ok());
    }

    #[test]
    fn misplaced_boxes_and_goals_are_kept() {
        assert!(check(&map("##### $.\n#@$.#\n#####").rectangular()).is_err());
    }

    #[test]
    fn the_exit_is_the_nearest() {
        assert_eq!(Region::of_player(&map("#####\n#@   \n#####")).exit, Some((1, 4)));
        assert_eq!(Region::of_player(&map("#####\n#@$.#\n#####")).exit, None);
    }
}
