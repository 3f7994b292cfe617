//! Text from elsewhere: ranges as people write them, and names that are shown on a terminal.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a range such as `3`, `4-10`, `4-` or `-10`; an end that is left out is that of `all`, and nothing outside it is taken.
///
/// # Errors
/// A sentence with the accepted forms.
///
/// ```
/// use lurd_contract::read_range;
/// assert_eq!(read_range("4-10", 1..=usize::MAX), Ok(4..=10));
/// assert_eq!(read_range("4 -", 1..=20), Ok(4..=20));
/// assert!(read_range("5-3", 1..=20).unwrap_err().contains("write for instance"));
/// ```
pub fn read_range<T: FromStr + Copy + Ord + Display>(
    text: &str,
    all: RangeInclusive<T>,
) -> Result<RangeInclusive<T>, String> {
    let wrong = || format!("`{}` is no range; write for instance 3, 4-10, 4- or -10", printable(text));
    let number = |text: &str, open: T| match text.trim() {
        "" => Ok(open),
        digits => digits.parse().map_err(|_| wrong()),
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    if first.trim().is_empty() && last.trim().is_empty() {
        return Err(wrong());
    }
    let range = number(first, *all.start())?..=number(last, *all.end())?;
    if range.is_empty() {
        return Err(format!("`{}` ends before it begins; write for instance 4-10", printable(text)));
    }
    if !all.contains(range.start()) || !all.contains(range.end()) {
        return Err(format!("{} is not between {} and {}", printable(text), all.start(), all.end()));
    }
    Ok(range)
}

/// A text made safe for a terminal: control characters, and those that turn the direction of writing, become `?`.
///
/// ```
/// assert_eq!(lurd_contract::printable("a\x1b[31mb\u{202e}c"), "a?[31mb?c");
/// ```
pub fn printable(text: &str) -> String {
    let harmful = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if harmful(c) { '?' } else { c }).collect()
}

/// A line of CSV (RFC 4180). No cell is taken for a formula by a program that calculates: one that begins like one gets an
/// apostrophe, as these programs write it themselves. What would upset a terminal becomes `?`.
///
/// ```
/// assert_eq!(lurd_contract::csv_line(["a", "b, \"c\"", "=2+3"]), "a,\"b, \"\"c\"\"\",'=2+3\n");
/// ```
pub fn csv_line<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    let cell = |cell: C| {
        let mut cell = printable(cell.as_ref());
        if cell.starts_with(['=', '+', '-', '@']) {
            cell.insert(0, '\'');
        }
        if cell.contains(['"', ',']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    };
    cells.into_iter().map(cell).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for cell in ["=1", "+1", "-1", "@x", "\t=1", "\n@x", "\u{202e}x", "=\"a\",b"] {
            let line = csv_line([cell]);
            let begins = line.trim_start_matches('"').chars().next();
            assert!(!matches!(begins, Some('=' | '+' | '-' | '@' | '\t' | '\r')), "{cell}: {line}");
            assert_eq!(line.matches(|c: char| c.is_control()).count(), 1, "{cell}: {line}");
        }
    }

    #[test]
    fn ranges_may_be_open() {
        for (text, wanted) in [("3", 3..=3), ("4-10", 4..=10), ("4-", 4..=99), (" - 10 ", 1..=10)] {
            assert_eq!(read_range(text, 1..=99), Ok(wanted), "{text}");
        }
        for wrong in ["", "-", "a", "5-3", "1-2-3", "99999999999999999999999", "1.5", "0", "100"] {
            assert!(read_range(wrong, 1..=99).is_err(), "{wrong}");
        }
    }
}
