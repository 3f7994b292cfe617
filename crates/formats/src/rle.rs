//! Run-length boards, one line per level: `5#|#@-$.#|5#`. Read by [`crate::xsb`].

use crate::Collection;
use crate::xsb::{below, drawn_rows, header};
use lurd_level::run_length::compress;

/// Writes one line per level, with title, notes and games below.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::new();
    header(&mut out, collection);
    for level in &collection.levels {
        // Floor is `-`, because mail programs drop blanks.
        let rows: Vec<String> = drawn_rows(level).map(|row| compress(&row.replace(' ', "-"))).collect();
        out.push_str(&rows.join("|"));
        out.push('\n');
        below(&mut out, level);
    }
    out
}
