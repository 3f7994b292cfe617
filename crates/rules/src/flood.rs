//! Flood fill over squares, for [`Board::flood`](crate::Board::flood) and
//! [`FeatureBoard::flood`](crate::feature::board::FeatureBoard::flood).

use crate::{NO_SQUARE, Square};

/// Breadth-first search from the squares in `queue` to all neighbours that `enter(from, to)` accepts.
#[inline]
pub(crate) fn flood<'b>(
    queue: &mut Vec<Square>,
    neighbours: impl Fn(Square) -> &'b [Square; 4],
    mut enter: impl FnMut(Square, Square) -> bool,
) {
    let mut next = 0;
    while let Some(&square) = queue.get(next) {
        next += 1;
        for &neighbour in neighbours(square) {
            if neighbour != NO_SQUARE && enter(square, neighbour) {
                queue.push(neighbour);
            }
        }
    }
}
