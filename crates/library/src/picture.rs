//! A board as a small SVG picture that follows the colours of the page it stands in.

use lurd::{Cell, Map, Region};
use std::fmt::Write;

/// The colours of a picture where no style sheet says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    wall: &'static str,
    floor: &'static str,
    goal: &'static str,
    r#box: &'static str,
    placed: &'static str,
    player: &'static str,
}

impl Palette {
    /// Colours that can be told apart on any paper.
    pub const NEUTRAL: Self = Self {
        wall: "#6b7280",
        floor: "#e5e7eb",
        goal: "#dc2626",
        r#box: "#b45309",
        placed: "#15803d",
        player: "#1d4ed8",
    };
    /// The boards of the workbench, light.
    pub const LIGHT: Self = Self {
        wall: "#59636f",
        floor: "#ece6d6",
        goal: "#1b62a5",
        r#box: "#e3a94a",
        placed: "#2e7cb8",
        player: "#2a2e35",
    };
    /// The boards of the workbench, dark.
    pub const DARK: Self = Self {
        wall: "#57616e",
        floor: "#2a3039",
        goal: "#7db8f0",
        r#box: "#d99a38",
        placed: "#3a8cd0",
        player: "#f2efe8",
    };
}

/// A picture of a board in neutral colours; see [`coloured_svg`]. have the classes `wall`, `floor`, `goal`, `box`, `placed` and `player`, so that a style
/// sheet decides their colours; without one they are drawn in neutral colours. `side` is the most pixels of the longer
/// side.
///
/// ```
/// let level = lurd::Level::parse("#####\n#@$.#\n#####")?;
/// let picture = lurd_library::svg(&level.map, 120, "a small level");
/// assert!(picture.starts_with("<svg") && picture.contains("<title>a small level</title>"));
/// # Ok::<(), lurd::ParseError>(())
/// ```
pub fn svg(map: &Map, side: usize, title: &str) -> String {
    coloured_svg(map, side, title, &Palette::NEUTRAL)
}

/// A picture of a board. Shapes have the classes `wall`, `floor`, `goal`, `box`, `placed` and `player`, so that a style
/// sheet can decide their colours; without one they are those of the palette. `side` is the most pixels of the longer side.
pub fn coloured_svg(map: &Map, side: usize, title: &str, palette: &Palette) -> String {
    let region = Region::of_player(map);
    let (width, height) = (map.width().max(1), map.height().max(1));
    let scale = side as f64 / width.max(height) as f64;
    // Squares of ten units, so that all figures are whole numbers.
    let mut picture = format!(
        "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {}0 {}0\" width=\"{:.0}\" height=\"{:.0}\" \
         role=\"img\"><title>{}</title>",
        width,
        height,
        width as f64 * scale,
        height as f64 * scale,
        escape(title)
    );
    // One path for each kind of square: a picture of a large board stays small.
    let squares = |wanted: &dyn Fn(usize, usize, Cell) -> bool| -> String {
        let mut path = String::new();
        // Squares beside each other are one shape.
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (row, column, _) in map.cells().filter(|&(row, column, cell)| wanted(row, column, cell)) {
            match runs.last_mut() {
                Some((last, first, length)) if (*last, *first + *length) == (row, column) => *length += 1,
                _ => runs.push((row, column, 1)),
            }
        }
        for (row, column, length) in runs {
            let _ = write!(path, "M{column}0 {row}0h{length}0v10h-{length}0z");
        }
        path
    };
    let shapes = [
        ("wall", palette.wall, squares(&|_, _, cell| cell == Cell::Wall)),
        ("floor", palette.floor, squares(&|row, column, _| region.contains(row, column))),
    ];
    for (class, fill, path) in shapes.into_iter().filter(|(_, _, path)| !path.is_empty()) {
        let _ = write!(picture, "<path class=\"{class}\" fill=\"{fill}\" d=\"{path}\"/>");
    }
    for (row, column, cell) in map.cells() {
        let (x, y) = (10 * column, 10 * row);
        if cell.is_goal() && !cell.has_box() {
            let _ = write!(
                picture,
                "<circle class=\"goal\" fill=\"{}\" cx=\"{}\" cy=\"{}\" r=\"2\"/>",
                palette.goal,
                x + 5,
                y + 5
            );
        }
        if cell.has_box() {
            let (class, fill) = if cell.is_goal() { ("placed", palette.placed) } else { ("box", palette.r#box) };
            let _ = write!(
                picture,
                "<rect class=\"{class}\" fill=\"{fill}\" x=\"{}\" y=\"{}\" width=\"8\" height=\"8\" rx=\"1\"/>",
                x + 1,
                y + 1
            );
        }
        if cell.has_player() {
            let _ = write!(
                picture,
                "<circle class=\"player\" fill=\"{}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
                palette.player,
                x + 5,
                y + 5
            );
        }
    }
    picture + "</svg>"
}

/// Text made safe inside an element or an attribute of HTML or SVG.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_square_is_drawn_and_titles_are_harmless() {
        let picture = svg(&Map::from_xsb("######\n#@$*.#\n######").unwrap(), 60, "<b>\"&\u{7}");
        for part in ["wall", "floor", "goal", "box", "placed", "player", "&lt;b&gt;&quot;&amp; "] {
            assert!(picture.contains(part), "{part}: {picture}");
        }
        assert!(picture.contains("width=\"60\" height=\"30\""), "{picture}");
        assert!(svg(&Map::from_rows(&[]), 60, "").ends_with("</svg>"));
    }
}
