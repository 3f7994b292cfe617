//! What an observation looks like: the bytes of each tile, and how they are laid out.

use crate::sprites;
use crate::tile::Tile;

/// The number of tiles.
const TILES: usize = Tile::ALL.len();

/// How the bytes of the squares are laid out, rows first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The bytes of a square side by side: (rows, columns, channels).
    Interleaved,
    /// A plane for each byte: (channels, rows, columns).
    Planar,
    /// The planes as one list: (channels * rows * columns,).
    Flat,
    /// One number a square: (rows, columns).
    Grid,
    /// A picture of `sprites::SIDE` pixels a square in three colours: (rows * 16, columns * 16, 3).
    Picture,
}

/// What an observation looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    layout: Layout,
    /// The bytes of each tile: one a channel, or the pixels of its picture row by row.
    tiles: [Vec<u8>; TILES],
}

impl View {
    fn new(layout: Layout, bytes: impl Fn(Tile) -> Vec<u8>) -> Self {
        Self { layout, tiles: Tile::ALL.map(bytes) }
    }

    /// The numbers of the tiles, one a square.
    pub fn grid() -> Self {
        Self::new(Layout::Grid, |tile| vec![tile as u8])
    }

    /// A pixel a square, in the colours of gym-sokoban's `tiny_rgb_array`.
    pub fn tiny_pictures() -> Self {
        Self::new(Layout::Interleaved, |tile| sprites::TINY[tile as usize].to_vec())
    }

    /// Pictures of 16 by 16 pixels a square, as large as gym-sokoban's `rgb_array`, drawn for lurd.
    pub fn pictures() -> Self {
        Self::new(Layout::Picture, sprites::sprite)
    }

    /// Jumanji's two numbers: what moves (0 nothing, 3 player, 4 box), and what does not (0 floor, 1 wall, 2 goal).
    pub fn two_grids() -> Self {
        Self::new(Layout::Interleaved, |tile| {
            let moving = match tile {
                Tile::Player | Tile::PlayerOnGoal => 3,
                Tile::Box | Tile::BoxOnGoal => 4,
                _ => 0,
            };
            vec![moving, if tile == Tile::Wall { 1 } else { 2 * u8::from(is_goal(tile)) }]
        })
    }

    /// PufferLib's four planes of zeros and ones: player, walls, boxes, goals.
    pub fn bit_planes() -> Self {
        Self::new(Layout::Flat, |tile| {
            let player = matches!(tile, Tile::Player | Tile::PlayerOnGoal);
            let has_box = matches!(tile, Tile::Box | Tile::BoxOnGoal);
            [player, tile == Tile::Wall, has_box, is_goal(tile)].map(u8::from).to_vec()
        })
    }

    /// The same with the channels first.
    #[must_use]
    pub fn planar(self) -> Self {
        Self { layout: Layout::Planar, ..self }
    }

    /// The layout.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The shape of an observation of a board.
    pub fn shape(&self, height: usize, width: usize) -> Vec<usize> {
        let channels = self.tiles[0].len();
        match self.layout {
            Layout::Interleaved => vec![height, width, channels],
            Layout::Planar => vec![channels, height, width],
            Layout::Flat => vec![channels * height * width],
            Layout::Grid => vec![height, width],
            Layout::Picture => vec![height * sprites::SIDE, width * sprites::SIDE, sprites::COLOURS],
        }
    }

    /// The largest byte in an observation.
    pub fn highest(&self) -> u8 {
        self.tiles.iter().flatten().copied().max().unwrap_or(0)
    }

    /// The bytes one square takes.
    pub(crate) fn bytes_a_square(&self) -> usize {
        self.tiles[0].len()
    }

    /// Draws one square of a board of `area` squares, `width` in a row.
    #[inline]
    pub(crate) fn draw(&self, observation: &mut [u8], area: usize, width: usize, at: usize, tile: Tile) {
        let bytes = &self.tiles[tile as usize][..];
        match self.layout {
            Layout::Grid => observation[at] = bytes[0],
            Layout::Interleaved => observation[at * bytes.len()..][..bytes.len()].copy_from_slice(bytes),
            Layout::Planar | Layout::Flat => {
                for (plane, &byte) in observation.chunks_exact_mut(area).zip(bytes) {
                    plane[at] = byte;
                }
            }
            Layout::Picture => {
                const RUN: usize = sprites::SIDE * sprites::COLOURS;
                let first = (at / width * sprites::SIDE * width + at % width) * RUN;
                for (row, run) in bytes.chunks_exact(RUN).enumerate() {
                    observation[first + row * width * RUN..][..RUN].copy_from_slice(run);
                }
            }
        }
    }
}

fn is_goal(tile: Tile) -> bool {
    matches!(tile, Tile::Goal | Tile::BoxOnGoal | Tile::PlayerOnGoal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte of an observation belongs to exactly one square.
    #[test]
    fn squares_cover_an_observation() {
        let (height, width) = (3, 4);
        let views = [
            View::grid(),
            View::tiny_pictures(),
            View::pictures(),
            View::two_grids(),
            View::bit_planes(),
            View::tiny_pictures().planar(),
        ];
        for view in views {
            let bytes: usize = view.shape(height, width).iter().product();
            let mut drawn = vec![0_u32; bytes];
            let mut counter = view.clone();
            // A tile whose bytes are all 1 marks what it covers.
            counter.tiles[0].fill(1);
            for at in 0..height * width {
                let mut observation = vec![0; bytes];
                counter.draw(&mut observation, height * width, width, at, Tile::Wall);
                assert_eq!(observation.iter().filter(|&&byte| byte == 1).count(), view.bytes_a_square());
                drawn.iter_mut().zip(observation).for_each(|(sum, byte)| *sum += u32::from(byte));
            }
            assert!(drawn.iter().all(|&times| times == 1), "{:?}", view.layout);
        }
    }
}
