//! The colours and pictures of tiles. The colours of the pixels are those of gym-sokoban's tiny worlds; the pictures are
//! lurd's own, drawn here by rule, of the same size as gym-sokoban's.

use crate::tile::Tile;

/// Pixels of a side of a picture.
pub(crate) const SIDE: usize = 16;
/// Red, green, blue.
pub(crate) const COLOURS: usize = 3;

/// Red, green and blue of a pixel.
type Colour = [u8; COLOURS];

/// A pixel for each tile, in the order of [`Tile::ALL`].
pub(crate) const TINY: [Colour; Tile::ALL.len()] =
    [[0, 0, 0], [243, 248, 238], [254, 126, 125], [254, 95, 56], [142, 121, 56], [160, 212, 56], [219, 212, 56]];

const FLOOR: Colour = [232, 228, 216];
const MORTAR: Colour = [70, 74, 84];
const BRICK: Colour = [118, 124, 138];
const GOAL: Colour = [204, 82, 74];
const PLANK: Colour = [190, 140, 76];
const EDGE: Colour = [120, 80, 36];
const HOME: Colour = [92, 158, 84];
const HOME_EDGE: Colour = [44, 96, 44];
const PLAYER: Colour = [48, 98, 176];

/// The picture of a tile, row by row, three bytes a pixel.
pub(crate) fn sprite(tile: Tile) -> Vec<u8> {
    let on_goal = matches!(tile, Tile::Goal | Tile::BoxOnGoal | Tile::PlayerOnGoal);
    let pixel = |(x, y): (usize, usize)| match tile {
        Tile::Wall => wall(x, y),
        Tile::Box => crate_colour(x, y, PLANK, EDGE).unwrap_or(FLOOR),
        Tile::BoxOnGoal => crate_colour(x, y, HOME, HOME_EDGE).unwrap_or(FLOOR),
        Tile::Player | Tile::PlayerOnGoal if radius(x, y) <= 110 => PLAYER,
        _ if on_goal && ring(x, y) => GOAL,
        _ => FLOOR,
    };
    (0..SIDE * SIDE).flat_map(|at| pixel((at % SIDE, at / SIDE))).collect()
}

/// Four times the squared distance from the middle of the picture.
fn radius(x: usize, y: usize) -> usize {
    let from_middle = |at: usize| (2 * at + 1).abs_diff(SIDE);
    from_middle(x).pow(2) + from_middle(y).pow(2)
}

/// Bricks in two courses, one shifted by half a brick.
fn wall(x: usize, y: usize) -> Colour {
    let shifted = if y < SIDE / 2 { x } else { x + SIDE / 4 };
    if y % (SIDE / 2) == SIDE / 2 - 1 || shifted % (SIDE / 2) == SIDE / 2 - 1 { MORTAR } else { BRICK }
}

/// A square with a frame and a diagonal.
fn crate_colour(x: usize, y: usize, inside: Colour, edge: Colour) -> Option<Colour> {
    let (near, far) = (x.min(y), x.max(y));
    match (near, far) {
        (0, _) | (_, 15) => None,
        (1, _) | (_, 14) => Some(edge),
        _ if x == y => Some(edge),
        _ => Some(inside),
    }
}

/// A ring around the place of a box.
fn ring(x: usize, y: usize) -> bool {
    (111..=190).contains(&radius(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_can_be_told_apart() {
        let all: Vec<Vec<u8>> = Tile::ALL.into_iter().map(sprite).collect();
        for (i, a) in all.iter().enumerate() {
            assert_eq!(a.len(), SIDE * SIDE * COLOURS);
            assert!(all[..i].iter().all(|b| a != b), "{:?}", Tile::ALL[i]);
        }
    }
}
