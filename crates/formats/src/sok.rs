//! Sokoban YASC's `.sok`: drawn boards with solutions and saved games, read by [`crate::xsb`].

use crate::{Collection, xsb};

/// Writes boards, notes and games.
pub(super) fn write(collection: &Collection) -> String {
    format!(":: Sokoban levels, written by lurd\n\n{}", xsb::write(collection, "\n"))
}
