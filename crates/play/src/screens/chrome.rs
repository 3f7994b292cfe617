//! What all screens share: a heading, a line of figures, two lines for messages and the keys.

use crate::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The least a terminal must offer.
pub(crate) const LEAST: (u16, u16) = (40, 12);

/// Lines above and below the body.
const ABOVE: u16 = 2;
const BELOW: u16 = 3;

/// A message and how it is meant.
pub(crate) type Message = (String, Role);

/// The parts around a screen's body.
pub(crate) struct Page<'a> {
    pub(crate) title: String,
    pub(crate) corner: String,
    pub(crate) figures: String,
    pub(crate) message: Option<Message>,
    /// Keys and what they do, the most useful first; what does not fit is left to the help.
    pub(crate) keys: &'a [(&'a str, &'a str)],
}

/// The part of the screen that is left for the body.
pub(crate) fn body(area: Rect) -> Rect {
    let height = area.height.saturating_sub(ABOVE + BELOW);
    Rect { y: area.y + ABOVE, height, ..area }
}

/// Draws what is around the body and returns the body.
pub(crate) fn draw(page: &Page<'_>, area: Rect, buffer: &mut Buffer, theme: Theme) -> Rect {
    let corner_width = page.corner.chars().count() as u16;
    let title_width = area.width.saturating_sub(corner_width + 1);
    put(buffer, area.x, area.y, title_width, &page.title, theme.style(Role::Title));
    let corner_x = area.right().saturating_sub(corner_width);
    put(buffer, corner_x, area.y, corner_width, &page.corner, theme.style(Role::Quiet));
    put(buffer, area.x, area.y + 1, area.width, &page.figures, theme.style(Role::Text));
    let body = body(area);
    if let Some((text, role)) = &page.message {
        let lines = wrap(text, area.width.into());
        for (line, y) in lines.iter().zip(body.bottom()..body.bottom() + 2) {
            put(buffer, area.x, y, area.width, line, theme.style(*role));
        }
        if lines.len() > 2 {
            put(buffer, area.right().saturating_sub(1), body.bottom() + 1, 1, "~", theme.style(*role));
        }
    }
    footer(page.keys, Rect { y: area.bottom().saturating_sub(1), height: 1, ..area }, buffer, theme);
    body
}

fn footer(keys: &[(&str, &str)], area: Rect, buffer: &mut Buffer, theme: Theme) {
    const HELP: (&str, &str) = ("?", "help");
    let width = |(key, what): (&str, &str)| (key.chars().count() + what.chars().count() + 3) as u16;
    let mut room = area.width.saturating_sub(width(HELP) - 2);
    let mut x = area.x;
    let mut show = |x: &mut u16, (key, what): (&str, &str)| {
        put(buffer, *x, area.y, area.right().saturating_sub(*x), key, theme.style(Role::Key));
        *x += key.chars().count() as u16 + 1;
        put(buffer, *x, area.y, area.right().saturating_sub(*x), what, theme.style(Role::Text));
        *x += what.chars().count() as u16 + 2;
    };
    for &pair in keys {
        if width(pair) > room {
            break;
        }
        room -= width(pair);
        show(&mut x, pair);
    }
    show(&mut x, HELP);
}

/// Writes a text and cuts it, with a sign that it was cut.
pub(crate) fn put(buffer: &mut Buffer, x: u16, y: u16, width: u16, text: &str, style: Style) {
    if width == 0 || !buffer.area.contains((x, y).into()) {
        return;
    }
    let (end, _) = buffer.set_stringn(x, y, text, width.into(), style);
    let whole = ratatui::text::Span::raw(text).width();
    if whole > usize::from(width) && end > x {
        buffer.set_string(end - 1, y, "~", style);
    }
}

/// Writes a text in the middle of a line.
pub(crate) fn put_centred(buffer: &mut Buffer, area: Rect, y: u16, text: &str, style: Style) {
    let width = (ratatui::text::Span::raw(text).width() as u16).min(area.width);
    put(buffer, area.x + (area.width - width) / 2, y, width, text, style);
}

/// Breaks a text into lines at spaces; a word longer than a line is cut.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + length <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.chars().take(width.max(1)).collect()),
        }
    }
    lines
}

/// What is shown when the terminal is too small.
pub(crate) fn too_small(area: Rect, buffer: &mut Buffer, theme: Theme) {
    let text = format!(
        "This window is {}x{}; the screens need {}x{}. Make it larger, or press q to leave.",
        area.width, area.height, LEAST.0, LEAST.1
    );
    for (line, y) in wrap(&text, area.width.into()).iter().zip(area.y..area.bottom()) {
        put(buffer, area.x, y, area.width, line, theme.style(Role::Title));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("a box in a corner", 9), ["a box in", "a corner"]);
        assert_eq!(wrap("abcdefgh ij", 4), ["abcd", "ij"]);
        assert!(wrap("", 9).is_empty());
    }
}
