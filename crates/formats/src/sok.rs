//! Sokoban YASC's `.sok`: drawn boards with solutions and saved games. Read by the reader of
//! drawn boards, which replays every game to see whether it is one.

use crate::Collection;
use crate::xsb::{drawn_rows, footer, games, header};

/// Writes boards, notes and games.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::from(":: Sokoban levels, written by lurd\n\n");
    header(&mut out, collection);
    for level in &collection.levels {
        for row in drawn_rows(level) {
            out.push_str(&row);
            out.push('\n');
        }
        out.push('\n');
        footer(&mut out, level);
        games(&mut out, level);
        out.push('\n');
    }
    out
}
