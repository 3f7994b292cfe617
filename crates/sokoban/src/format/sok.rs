//! Sokoban YASC's `.sok`: drawn boards with solutions and saved games. Read by the reader of
//! drawn boards, which replays every game to see whether it is one.

use super::Collection;
use super::xsb::{drawn_rows, footer, header, one_line};

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
        for game in &level.games {
            let title = match one_line(&game.title) {
                title if title.trim().is_empty() && game.solves => "Solution".to_owned(),
                title if title.trim().is_empty() => "Snapshot".to_owned(),
                title => title,
            };
            let (before, after) = game.moves.split_at(game.mark.unwrap_or(game.moves.len()).min(game.moves.len()));
            let mark = if game.mark.is_some() { "*" } else { "" };
            out.push_str(&format!("\n{title}\n{before}{mark}{after}\n"));
            for note in &game.notes {
                out.push_str(&one_line(note));
                out.push('\n');
            }
        }
        out.push('\n');
    }
    out
}
