//! The tags of the mf8 forum: `[soko=w,h]`, rows, `[/soko]`. Titles and authors stand outside.

use crate::draft::Draft;
use crate::limits::Budget;
use crate::story::{Entry, EntryKind};
use crate::text::Text;
use crate::xsb::{footer, games};
use crate::{Collection, DefectKind, Findings, ReadError, story};
use lurd_level::{Cell, Place};

fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let text = text.trim_start();
    text.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name))?;
    Some(&text[name.len()..])
}

/// Whether a line of the text is one of the tags.
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
    let (mut boards, mut gaps) = (Vec::new(), vec![Vec::new()]);
    let mut gap: Vec<Entry<'_>> = Vec::new();
    let mut draft: Option<Draft> = None;
    for line in text.lines() {
        // The size in the tag is often wrong, so it is not looked at.
        if let Some(rest) = tag(line.text, "[soko=") {
            if let Some(unclosed) = draft.replace(Draft::default()) {
                end(unclosed, &mut gap, &mut boards, &mut gaps, budget)?;
            }
            let after = rest.find(']').map_or("", |close| &rest[close + 1..]);
            let skipped = line.text.len() - after.len();
            if let Some(draft) = &mut draft
                && !after.trim().is_empty()
            {
                let column = line.place.column + line.text[..skipped].chars().count();
                row(draft, after, Place { line: line.place.line, column });
            }
        } else if tag(line.text, "[/soko]").is_some() {
            if let Some(draft) = draft.take() {
                end(draft, &mut gap, &mut boards, &mut gaps, budget)?;
            }
        } else if let Some(draft) = &mut draft {
            if !line.text.trim().is_empty() || !draft.is_empty() {
                row(draft, line.text, line.place);
            }
        } else {
            let entry = story::entry(line);
            let blank = entry.kind == EntryKind::Blank;
            let repeated = blank && gap.last().is_some_and(|last| last.kind == EntryKind::Blank);
            if !repeated && (blank || budget.note()) {
                gap.push(entry);
            }
        }
    }
    if let Some(draft) = draft {
        end(draft, &mut gap, &mut boards, &mut gaps, budget)?;
    }
    if let Some(last) = gaps.last_mut() {
        *last = gap;
    }
    Ok(story::tell(boards, &gaps, Findings::default(), budget))
}

fn end<'a>(
    draft: Draft,
    gap: &mut Vec<Entry<'a>>,
    boards: &mut Vec<crate::draft::Drawn>,
    gaps: &mut Vec<Vec<Entry<'a>>>,
    budget: &mut Budget,
) -> Result<(), ReadError> {
    boards.push(draft.finish(budget)?);
    if let Some(last) = gaps.last_mut() {
        *last = std::mem::take(gap);
    }
    gaps.push(Vec::new());
    Ok(())
}

fn row(draft: &mut Draft, text: &str, place: Place) {
    let mut cells = Vec::with_capacity(text.len());
    for (index, c) in text.trim_end().chars().enumerate() {
        cells.push(cell(c).unwrap_or_else(|| {
            draft.fault(Place { column: place.column + index, ..place }, DefectKind::Character(c));
            Cell::Floor
        }));
    }
    draft.plain_row(place, cells);
}

/// Writes the tags, titles, notes and games below each.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::new();
    crate::xsb::header(&mut out, collection);
    for level in &collection.levels {
        let (width, height) = (level.map.width(), level.map.height());
        out.push_str(&format!("[soko={width},{height}]\n"));
        for row in 0..height {
            let character = |column| match level.map.get(row, column) {
                Cell::Wall => 'H',
                Cell::Floor => '_',
                Cell::Player => 'a',
                Cell::PlayerOnGoal => 'x',
                Cell::Box => '$',
                Cell::BoxOnGoal => '*',
                Cell::Goal => '.',
            };
            out.extend((0..width).map(character));
            out.push('\n');
        }
        out.push_str("[/soko]\n");
        footer(&mut out, level);
        games(&mut out, level);
        out.push('\n');
    }
    out
}
