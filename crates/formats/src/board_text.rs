//! Recognises the lines of a text that are rows of a board, and reads them.
//!
//! A board begins with a row that has a `#`. Inside a board a row may also have a box, a goal or the player without a
//! wall, or only `-` and `_` (an empty row). Counts, groups and `|` are allowed in every row.

use crate::DefectKind;
use crate::draft::Draft;
use crate::limits::{Budget, MAX_SIDE};
use crate::text::Line;
use lurd_level::run_length::RunsErrorKind;
use lurd_level::{Cell, Place, run_length};

/// The maximum length of an expanded line: a full board with its row separators.
const MAX_LINE: usize = MAX_SIDE * (MAX_SIDE + 1);

/// Whether a line is a row of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// Not a row.
    Text,
    /// A row that can begin a board.
    Wall,
    /// A row only inside a board.
    Inside,
    /// A row only directly above a board: scattered boxes on goals.
    Decoration,
}

/// The kind of a line and the characters it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowTraits {
    pub(super) kind: RowKind,
    /// Counts, groups or `|`.
    pub(super) runs: bool,
    /// `|`.
    pub(super) bars: bool,
    /// Only walls before the first `|`: a board may begin here.
    pub(super) opens_with_walls: bool,
    /// A box, a goal or the player, in main characters.
    pub(super) pieces: bool,
    /// `-` or `_`.
    pub(super) dashes: bool,
    pub(super) blanks: bool,
    pub(super) tabs: bool,
    /// Blanks or dashes of a web page.
    pub(super) web: bool,
    /// The first unknown character of a line that is otherwise a row, and its index.
    pub(super) unknown: Option<(usize, char)>,
}

/// The plain character for a blank or dash of web pages and word processors.
fn plain(c: char) -> char {
    match c {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c => c,
    }
}

/// Classifies a line. `inside` means that a board is being read, `counted` that it has counts.
pub(super) fn classify(text: &str, inside: bool, counted: bool) -> RowTraits {
    let mut row = RowTraits {
        kind: RowKind::Text,
        runs: false,
        bars: false,
        opens_with_walls: true,
        pieces: false,
        dashes: false,
        blanks: false,
        tabs: false,
        web: false,
        unknown: None,
    };
    let (mut walls, mut stars, mut others, mut foreign, mut digits, mut groups) = (0, 0, 0, 0, 0, 0);
    let mut letter_walls = 0;
    for (index, c) in text.trim_end().chars().enumerate() {
        row.web |= plain(c) != c;
        match plain(c) {
            '#' => walls += 1,
            'W' => letter_walls += 1,
            '*' => stars += 1,
            '@' | '+' | '$' | '.' => row.pieces = true,
            'p' | 'P' | 'b' | 'B' | 'o' => others += 1,
            '-' | '_' => row.dashes = true,
            ' ' => row.blanks = true,
            '\t' => row.tabs = true,
            '0'..='9' => digits += 1,
            '(' | ')' => groups += 1,
            '|' => row.bars = true,
            c => {
                foreign += 1;
                row.unknown.get_or_insert((index, c));
            }
        }
        row.opens_with_walls &= row.bars || (!row.pieces && stars + others == 0);
    }
    if letter_walls > 0 {
        if is_row_of_letters(text, inside) {
            walls += letter_walls;
        } else {
            foreign += letter_walls;
            row.unknown.get_or_insert_with(|| (text.chars().position(|c| c == 'W').unwrap_or(0), 'W'));
        }
    }
    let only_stars = stars > 0 && !row.pieces && walls == 0 && others == 0;
    row.pieces |= stars > 0;
    row.runs = digits + groups > 0 || row.bars;
    let is_row = if inside { foreign <= 2 && walls >= 2 } else { foreign == 1 && walls >= 3 && others + digits == 0 };
    let leads = text.trim_start().starts_with('#');
    let letter = row.unknown.is_some_and(|(_, c)| c.is_alphabetic());
    if foreign > 0 {
        if is_row && leads && (inside || !letter) {
            row.kind = RowKind::Wall;
        } else {
            row.unknown = None;
        }
        return row;
    }
    // `# 1` and `#12` are titles: a number after a single `#`, which would be a count of nothing.
    let count_last = leads && text.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let numbered_title =
        count_last && walls == 1 && digits > 0 && groups == 0 && !row.bars && !row.pieces && others == 0;
    row.kind = if walls > 0 && (counted || !numbered_title) {
        RowKind::Wall
    } else if walls > 0 {
        RowKind::Text
    } else if row.runs {
        if inside && counted && (row.pieces || row.dashes || others > 0) { RowKind::Inside } else { RowKind::Text }
    } else if inside {
        let empty_row = row.dashes && !row.pieces && others == 0;
        if row.pieces || empty_row { RowKind::Inside } else { RowKind::Text }
    } else if only_stars && (row.blanks || row.dashes) {
        RowKind::Decoration
    } else {
        RowKind::Text
    };
    row
}

/// Whether a line with `W` is a row with `W` for wall, and not text: it begins and ends with a wall and has at least two,
/// and the first row of a board has nothing but walls.
fn is_row_of_letters(text: &str, inside: bool) -> bool {
    let squares = text.trim();
    let is_wall = |c: char| c == 'W' || c == '#';
    let enclosed = squares.len() > 1 && squares.starts_with(is_wall) && squares.ends_with(is_wall);
    let walls_only = squares.chars().all(|c| is_wall(c) || matches!(c, ' ' | '-' | '_'));
    enclosed && (inside || walls_only && squares.len() > 2)
}

/// Adds the rows of a line to the board.
pub(super) fn draw(draft: &mut Draft, line: Line<'_>, traits: &RowTraits, budget: &mut Budget) {
    let text = line.text.trim_end();
    let place = |index: usize| Place { column: line.place.column + index, ..line.place };
    if let Some((index, c)) = traits.unknown {
        draft.fault(place(index), DefectKind::Character(c));
        return;
    }
    let cell = |c: char| match plain(c) {
        'W' => Cell::Wall,
        c => Cell::from_xsb(c).unwrap_or(Cell::Floor),
    };
    if traits.runs {
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
    } else if traits.tabs {
        let mut cells = Vec::new();
        for (index, c) in text.chars().enumerate() {
            let width = if c == '\t' { 8 - cells.len() % 8 } else { 1 };
            cells.resize(cells.len() + width, (cell(c), place(index)));
        }
        draft.row(line.place.line, cells);
    } else {
        // Blanks at the end matter if an open level is walled in, but no more than MAX_SIDE of them.
        draft.plain_row(line.place, line.text.chars().take(text.len().max(MAX_SIDE)).map(cell).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str, inside: bool) -> RowKind {
        classify(text, inside, false).kind
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
    fn rows_inside_a_board_need_no_wall() {
        for text in ["---", "_ _", "*", " . ", " $"] {
            assert_eq!(kind(text, true), RowKind::Inside, "{text}");
        }
        for text in ["", "   ", "Bob", "12", "Title: x", "2."] {
            assert_eq!(kind(text, true), RowKind::Text, "{text}");
        }
        assert_eq!(classify("7-", true, true).kind, RowKind::Inside);
    }

    #[test]
    fn the_letter_w_is_a_wall_where_a_row_is_certain() {
        for text in ["WWWW", "  WWW", "W--W"] {
            assert_eq!(kind(text, false), RowKind::Wall, "{text}");
        }
        for text in ["W@ $.W", "WW", "#@$.W"] {
            assert_eq!(kind(text, true), RowKind::Wall, "{text}");
        }
        for text in ["W", "WoW", "Wow", "W@ $.W", "Who?", "WWW Wide Web"] {
            assert_eq!(kind(text, false), RowKind::Text, "{text}");
        }
        for text in ["W", "Wobbly", "Bob W."] {
            assert_eq!(kind(text, true), RowKind::Text, "{text}");
        }
    }

    #[test]
    fn a_row_with_an_unknown_character_is_a_row() {
        assert_eq!(classify("#@?.#", true, false).unknown, Some((2, '?')));
        assert_eq!(classify("#####;", false, false).unknown, Some((5, ';')));
        assert_eq!(classify("#2 is next", true, false).unknown, None);
    }
}
