//! The tags of the mf8 forum: `[soko=w,h]`, rows, `[/soko]`. Titles and authors are outside the tags.

use crate::annotations::{CommentBlocks, Outline};
use crate::draft::Draft;
use crate::limits::Budget;
use crate::text::Text;
use crate::xsb::{below, draw_rows, header};
use crate::{Collection, Findings, ReadError};
use lurd_level::{Cell, Place};

fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let text = text.trim_start();
    text.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name))?;
    Some(&text[name.len()..])
}

/// Whether a line of the text is a tag.
pub(super) fn recognises(text: &Text) -> bool {
    text.as_str().contains('[')
        && text.lines().any(|line| tag(line.text, "[soko=").or_else(|| tag(line.text, "[/soko]")).is_some())
}

fn cell(c: char) -> Option<Cell> {
    Some(match c {
        'H' | '#' => Cell::Wall,
        ' ' | '_' | '-' | '\u{a0}' => Cell::Floor,
        'a' | '@' => Cell::Player,
        'x' | 'X' | '+' => Cell::PlayerOnGoal,
        '$' => Cell::Box,
        '*' => Cell::BoxOnGoal,
        '.' => Cell::Goal,
        _ => return None,
    })
}

pub(super) fn read(text: &Text, budget: &mut Budget) -> Result<Findings, ReadError> {
    let mut outline = Outline::new();
    let mut draft: Option<Draft> = None;
    let mut blocks = CommentBlocks::new(text);
    for line in text.lines() {
        let inside = blocks.take(line);
        // The size in the tag is often wrong and is ignored.
        if inside.is_some() {
            outline.line(line, inside, budget);
        } else if let Some(rest) = tag(line.text, "[soko=") {
            if let Some(unclosed) = draft.replace(Draft::default()) {
                outline.board(unclosed.finish(budget)?);
            }
            let after = rest.find(']').map_or("", |close| &rest[close + 1..]);
            let skipped = line.text.len() - after.len();
            if let Some(draft) = &mut draft
                && !after.trim().is_empty()
            {
                let column = line.place.column + line.text[..skipped].chars().count();
                draft.text_row(Place { line: line.place.line, column }, after, cell);
            }
        } else if tag(line.text, "[/soko]").is_some() {
            if let Some(draft) = draft.take() {
                outline.board(draft.finish(budget)?);
            }
        } else if let Some(draft) = &mut draft {
            if !line.text.trim().is_empty() || !draft.is_empty() {
                draft.text_row(line.place, line.text, cell);
            }
        } else {
            outline.line(line, None, budget);
        }
    }
    if let Some(draft) = draft {
        outline.board(draft.finish(budget)?);
    }
    Ok(outline.annotate(budget))
}

/// Writes boards in tags, with title, notes and games below each.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::new();
    header(&mut out, collection);
    for level in &collection.levels {
        let (width, height) = (level.map.width(), level.map.height());
        out.push_str(&format!("[soko={width},{height}]\n"));
        draw_rows(&mut out, &level.map, |cell| match cell {
            Cell::Wall => 'H',
            Cell::Floor => '_',
            Cell::Player => 'a',
            Cell::PlayerOnGoal => 'x',
            Cell::Box => '$',
            Cell::BoxOnGoal => '*',
            Cell::Goal => '.',
        });
        out.push_str("[/soko]\n");
        below(&mut out, level);
    }
    out
}
