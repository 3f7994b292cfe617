//! Boards with counts, one line a level: `5#|#@-$.#|5#`. Read by the reader of drawn boards.

use crate::Collection;
use crate::xsb::{drawn_rows, footer, games, header};
use lurd_level::run_length::compress;

/// Writes one line a level, its title, notes and games below.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::new();
    header(&mut out, collection);
    for level in &collection.levels {
        // A blank would be lost in mail, so floor is `-`.
        let rows: Vec<String> = drawn_rows(level).map(|row| compress(&row.replace(' ', "-"))).collect();
        out.push_str(&rows.join("|"));
        out.push('\n');
        footer(&mut out, level);
        games(&mut out, level);
        out.push('\n');
    }
    out
}
