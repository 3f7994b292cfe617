//! Which lines of a text draw a board, and what they draw.
//!
//! A board begins with a row that has a `#`. Inside a board a row may also do without:
//! with a box, a goal or the player, or with nothing but `-` and `_` (an empty row inside).
//! Counts, groups and `|` are understood in every row.

use crate::DefectKind;
use crate::draft::Draft;
use crate::limits::{Budget, MAX_SIDE};
use crate::text::Line;
use lurd_level::run_length::RunsErrorKind;
use lurd_level::{Cell, Place, run_length};

/// The most characters a line of counts may decode to: a full board with its row ends.
const MAX_LINE: usize = MAX_SIDE * (MAX_SIDE + 1);

/// What a line can be to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// No row.
    Text,
    /// A row that can begin a board.
    Wall,
    /// A row only inside a board.
    Inside,
    /// A row only where it stands on top of a board: scattered boxes on goals.
    Decoration,
}

/// What the characters of a line are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) kind: RowKind,
    /// It has counts, groups or `|`.
    pub(super) runs: bool,
    /// It has `|`.
    pub(super) bars: bool,
    /// What stands before its first `|` draws nothing but walls: a whole board may begin here.
    pub(super) opens_with_walls: bool,
    /// It has a box, a goal or the player, in main characters.
    pub(super) pieces: bool,
    /// It has `-` or `_`.
    pub(super) dashes: bool,
    /// It has blanks.
    pub(super) blanks: bool,
    pub(super) tabs: bool,
    /// It has blanks or dashes of a web page.
    pub(super) web: bool,
    /// The index of a character that spoils what is otherwise a row.
    pub(super) spoilt: Option<(usize, char)>,
}

/// Plain characters for those that web pages and word processors put in their place.
fn plain(c: char) -> char {
    match c {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c => c,
    }
}

/// Looks at a line. `inside` says that a board is under way, `counted` that it has used counts.
pub(super) fn look(text: &str, inside: bool, counted: bool) -> Look {
    let mut look = Look {
        kind: RowKind::Text,
        runs: false,
        bars: false,
        opens_with_walls: true,
        pieces: false,
        dashes: false,
        blanks: false,
        tabs: false,
        web: false,
        spoilt: None,
    };
    let (mut walls, mut stars, mut others, mut foreign, mut digits, mut groups) = (0, 0, 0, 0, 0, 0);
    for (index, c) in text.trim_end().chars().enumerate() {
        look.web |= plain(c) != c;
        match plain(c) {
            '#' => walls += 1,
            '*' => stars += 1,
            '@' | '+' | '$' | '.' => look.pieces = true,
            'p' | 'P' | 'b' | 'B' | 'o' => others += 1,
            '-' | '_' => look.dashes = true,
            ' ' => look.blanks = true,
            '\t' => look.tabs = true,
            '0'..='9' => digits += 1,
            '(' | ')' => groups += 1,
            '|' => look.bars = true,
            c => {
                foreign += 1;
                look.spoilt.get_or_insert((index, c));
            }
        }
        look.opens_with_walls &= look.bars || (!look.pieces && stars + others == 0);
    }
    let only_stars = stars > 0 && !look.pieces && walls == 0 && others == 0;
    look.pieces |= stars > 0;
    look.runs = digits + groups > 0 || look.bars;
    let spoilt_row =
        if inside { foreign <= 2 && walls >= 2 } else { foreign == 1 && walls >= 3 && others + digits == 0 };
    let leads = text.trim_start().starts_with('#');
    let letter = look.spoilt.is_some_and(|(_, c)| c.is_alphabetic());
    if foreign > 0 {
        if spoilt_row && leads && (inside || !letter) {
            look.kind = RowKind::Wall;
        } else {
            look.spoilt = None;
        }
        return look;
    }
    // `# 1` and `#12` are titles: a count that counts nothing, behind a single `#`.
    let count_last = leads && text.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let numbered_title =
        count_last && walls == 1 && digits > 0 && groups == 0 && !look.bars && !look.pieces && others == 0;
    look.kind = if walls > 0 && (counted || !numbered_title) {
        RowKind::Wall
    } else if walls > 0 {
        RowKind::Text
    } else if look.runs {
        if inside && counted && (look.pieces || look.dashes || others > 0) { RowKind::Inside } else { RowKind::Text }
    } else if inside {
        let empty_row = look.dashes && !look.pieces && others == 0;
        if look.pieces || empty_row { RowKind::Inside } else { RowKind::Text }
    } else if only_stars && (look.blanks || look.dashes) {
        RowKind::Decoration
    } else {
        RowKind::Text
    };
    look
}

/// Adds what a line draws to the board.
pub(super) fn draw(draft: &mut Draft, line: Line<'_>, look: &Look, budget: &mut Budget) {
    let text = line.text.trim_end();
    let place = |index: usize| Place { column: line.place.column + index, ..line.place };
    if let Some((index, c)) = look.spoilt {
        draft.fault(place(index), DefectKind::Character(c));
        return;
    }
    let cell = |c: char| Cell::from_xsb(plain(c)).unwrap_or(Cell::Floor);
    if look.runs {
        match run_length::expand(text.chars(), MAX_LINE) {
            Ok(squares) => {
                // A final `|` ends the last row and begins no other.
                let end =
                    if squares.last().is_some_and(|&(c, _)| c == '|') { squares.len() - 1 } else { squares.len() };
                for row in squares[..end].split(|&(c, _)| c == '|') {
                    let cells = row.iter().map(|&(c, index)| (cell(c), place(index as usize))).collect();
                    draft.row(line.place.line, cells);
                }
            }
            Err(error) => {
                if matches!(error.kind, RunsErrorKind::TooLong(_)) {
                    budget.try_squares(MAX_LINE);
                }
                draft.fault(place(error.index), DefectKind::Runs(error.kind));
            }
        }
    } else if look.tabs {
        let mut cells = Vec::new();
        for (index, c) in text.chars().enumerate() {
            let width = if c == '\t' { 8 - cells.len() % 8 } else { 1 };
            cells.resize(cells.len() + width, (cell(c), place(index)));
        }
        draft.row(line.place.line, cells);
    } else {
        // Blanks at the end count where an open level is walled in; a 10 MB tail of them does not.
        draft.plain_row(line.place, line.text.chars().take(text.len().max(MAX_SIDE)).map(cell).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str, inside: bool) -> RowKind {
        look(text, inside, false).kind
    }

    #[test]
    fn rows_need_a_wall_to_begin_a_board() {
        assert_eq!(kind("  ####", false), RowKind::Wall);
        assert_eq!(kind("5#|#-@-#", false), RowKind::Wall);
        for text in ["-----", "....", "***", "Bob", "# 1", "#12", "### Level 3 ###", "3-"] {
            assert_eq!(kind(text, false), RowKind::Text, "{text}");
        }
        assert_eq!(kind("  * *", false), RowKind::Decoration);
    }

    #[test]
    fn rows_inside_a_board_may_do_without() {
        for text in ["---", "_ _", "*", " . ", " $"] {
            assert_eq!(kind(text, true), RowKind::Inside, "{text}");
        }
        for text in ["", "   ", "Bob", "12", "Title: x", "2."] {
            assert_eq!(kind(text, true), RowKind::Text, "{text}");
        }
        assert_eq!(look("7-", true, true).kind, RowKind::Inside);
    }

    #[test]
    fn a_spoilt_row_is_still_a_row() {
        assert_eq!(look("#@?.#", true, false).spoilt, Some((2, '?')));
        assert_eq!(look("#####;", false, false).spoilt, Some((5, ';')));
        assert_eq!(look("#2 is next", true, false).spoilt, None);
    }
}
