//! Draws a Sokoban board, scrolled so that the player stays in sight, and finds the
//! square under a mouse click.

use crate::game::Game;
use crate::theme::{Role, Theme};
use lurd::{Cell, Direction, Map, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

/// Which part of a board is shown where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Viewport {
    /// Where on the screen.
    area: Rect,
    /// The first row and column of the board that is shown.
    row: usize,
    column: usize,
    /// Columns of the screen a square takes.
    square: usize,
}

impl Viewport {
    /// Fits a board into an area: two screen columns a square if the board is narrow enough, else
    /// one; centred if it fits, else scrolled to keep `focus` in the middle.
    pub(crate) fn new(map: &Map, area: Rect, focus: (usize, usize)) -> Self {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let square = if map.width() * 2 <= width { 2 } else { 1 };
        let (shown_columns, shown_rows) = ((width / square).min(map.width()), height.min(map.height()));
        let scroll = |at: usize, shown: usize, whole: usize| at.saturating_sub(shown / 2).min(whole - shown);
        let spare = |whole: usize, used: usize| (whole.saturating_sub(used) / 2) as u16;
        let (used_width, used_height) = (shown_columns * square, shown_rows);
        Self {
            area: Rect {
                x: area.x + spare(width, used_width),
                y: area.y + spare(height, used_height),
                width: used_width as u16,
                height: used_height as u16,
            },
            row: scroll(focus.0, shown_rows, map.height()),
            column: scroll(focus.1, shown_columns, map.width()),
            square,
        }
    }

    /// The row and column of the board under a place on the screen.
    pub(crate) fn place_at(&self, x: u16, y: u16) -> Option<(usize, usize)> {
        let inside = x >= self.area.x && x < self.area.right() && y >= self.area.y && y < self.area.bottom();
        inside.then(|| {
            let column = self.column + usize::from(x - self.area.x) / self.square;
            (self.row + usize::from(y - self.area.y), column)
        })
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize, u16, u16)> + use<> {
        let Self { area, row, column, square } = *self;
        (0..area.height).flat_map(move |y| {
            (0..area.width / square as u16).map(move |x| {
                let on_screen = (area.x + x * square as u16, area.y + y);
                (row + usize::from(y), column + usize::from(x), on_screen.0, on_screen.1)
            })
        })
    }
}

/// What is drawn on top of a board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// Boxes that are lost.
    pub(crate) lost: Vec<Square>,
    /// The box that is to be pushed somewhere.
    pub(crate) chosen: Option<Square>,
    /// The keyboard's pointer, by row and column.
    pub(crate) cursor: Option<(usize, usize)>,
    /// The box to push next, and where to if that is to be told.
    pub(crate) hint: Option<(Square, Option<Direction>)>,
}

/// Draws a game's board into an area.
pub(crate) fn draw(game: &Game, marks: &Marks, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let board = game.board();
    let picture = board.picture(game.boxes(), game.player());
    let viewport = viewport(game, marks, area);
    for (row, column, x, y) in viewport.places() {
        let cell = picture.get(row, column);
        let square = board.square_at(row, column);
        let is = |other: Option<Square>| square.is_some() && square == other;
        let mut text = if viewport.square == 2 { theme.wide(cell) } else { theme.narrow(cell) };
        let mut style = theme.cell_style(cell);
        if square.is_some_and(|square| marks.lost.contains(&square)) {
            (text, style) = (if viewport.square == 2 { "><" } else { "X" }, theme.style(Role::Lost));
        }
        if is(marks.hint.map(|(boxed, _)| boxed)) {
            style = theme.style(Role::Hint).add_modifier(Modifier::REVERSED);
        }
        if let Some((boxed, Some(direction))) = marks.hint
            && is(Some(board.neighbour(boxed, direction)))
            && !cell.has_player()
        {
            (text, style) = (arrow(direction, viewport.square, theme), theme.style(Role::Hint));
        }
        if is(marks.chosen) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        if marks.cursor == Some((row, column)) {
            style = style.add_modifier(Modifier::REVERSED);
            // Reversed blanks are hard to tell from walls.
            if matches!(cell, Cell::Floor | Cell::Wall) {
                text = if viewport.square == 2 { "::" } else { ":" };
            }
        }
        buffer.set_string(x, y, text, style);
    }
}

/// The part of the board [`draw`] shows.
pub(crate) fn viewport(game: &Game, marks: &Marks, area: Rect) -> Viewport {
    let focus = marks.cursor.unwrap_or_else(|| game.board().place(game.player()));
    Viewport::new(game.board().map(), area, focus)
}

fn arrow(direction: Direction, width: usize, theme: Theme) -> &'static str {
    let (wide, narrow) = match direction {
        Direction::Left => ("<-", theme.sign("←", "<")),
        Direction::Right => ("->", theme.sign("→", ">")),
        Direction::Up => ("/\\", theme.sign("↑", "^")),
        Direction::Down => ("\\/", theme.sign("↓", "v")),
    };
    if width == 2 { wide } else { narrow }
}

/// Draws a small picture of a level: as large as it fits, several squares to a sign if need be.
pub(crate) fn thumbnail(map: &Map, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    if width == 0 || height == 0 || map.width() == 0 {
        return;
    }
    if map.width() * 2 <= width && map.height() <= height {
        let viewport = Viewport::new(map, area, (0, 0));
        for (row, column, x, y) in viewport.places() {
            let cell = map.get(row, column);
            buffer.set_string(x, y, theme.wide(cell), theme.cell_style(cell));
        }
        return;
    }
    // A sign on the screen is about twice as high as wide, so blocks of squares are too.
    let fits = |&(w, h): &(usize, usize)| map.width().div_ceil(w) <= width && map.height().div_ceil(h) <= height;
    let mut blocks = [(1, 1)].into_iter().chain((1..).map(|side| (side, 2 * side)));
    let (block_width, block_height) = blocks.find(fits).unwrap_or((1, 1));
    let (columns, rows) = (map.width().div_ceil(block_width), map.height().div_ceil(block_height));
    let (left, top) = ((width - columns) / 2, (height - rows) / 2);
    for row in 0..rows {
        for column in 0..columns {
            let cells = (0..block_height).flat_map(|r| (0..block_width).map(move |c| (r, c)));
            let cell = cells
                .map(|(r, c)| map.get(row * block_height + r, column * block_width + c))
                .max_by_key(|&cell| interest(cell))
                .unwrap_or(Cell::Floor);
            let (x, y) = (area.x + (left + column) as u16, area.y + (top + row) as u16);
            buffer.set_string(x, y, theme.narrow(cell), theme.cell_style(cell));
        }
    }
}

/// Which square of a block its sign shows.
fn interest(cell: Cell) -> u8 {
    match cell {
        Cell::Floor => 0,
        Cell::Wall => 1,
        Cell::Goal => 2,
        Cell::BoxOnGoal => 3,
        Cell::Box => 4,
        Cell::Player | Cell::PlayerOnGoal => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(width: usize, height: usize) -> Map {
        Map::from_rows(&vec![vec![Cell::Floor; width]; height])
    }

    #[test]
    fn small_boards_are_centred_and_large_ones_scroll() {
        let area = Rect::new(0, 1, 40, 10);
        let small = Viewport::new(&map(10, 4), area, (0, 0));
        assert_eq!((small.area, small.square), (Rect::new(10, 4, 20, 4), 2));
        let wide = Viewport::new(&map(30, 4), area, (0, 0));
        assert_eq!((wide.area.width, wide.square), (30, 1));
        let large = Viewport::new(&map(100, 100), area, (50, 50));
        assert_eq!((large.row, large.column), (45, 30));
        assert_eq!((large.area.width, large.area.height), (40, 10));
        let end = Viewport::new(&map(100, 100), area, (99, 99));
        assert_eq!((end.row, end.column), (90, 60));
    }

    #[test]
    fn a_click_finds_the_square_that_is_drawn_there() {
        for (width, height) in [(8, 5), (30, 8), (90, 50)] {
            let viewport = Viewport::new(&map(width, height), Rect::new(3, 2, 40, 10), (height / 2, width / 2));
            for (row, column, x, y) in viewport.places() {
                assert_eq!(viewport.place_at(x, y), Some((row, column)));
            }
            assert_eq!(viewport.place_at(0, 0), None);
        }
    }

    #[test]
    fn the_board_shows_what_is_where() {
        let game = crate::game::drawn("######\n#@$.*#\n######");
        let area = Rect::new(0, 0, 12, 3);
        let mut buffer = Buffer::empty(area);
        let lost = game.boxes().iter().take(1).collect();
        draw(
            &game,
            &Marks { lost, ..Marks::default() },
            area,
            &mut buffer,
            Theme::new(crate::theme::Colours::None, true),
        );
        let text: String = (0..12).map(|x| buffer[(x, 1)].symbol()).collect();
        assert_eq!(text, "██()><··▐▌██");
    }

    #[test]
    fn thumbnails_always_fit() {
        let mut level = map(60, 40);
        level.set(20, 30, Cell::Player);
        for (width, height) in [(1, 1), (7, 3), (20, 10), (60, 40), (120, 40)] {
            let area = Rect::new(0, 0, width, height);
            let mut buffer = Buffer::empty(area);
            thumbnail(&level, area, &mut buffer, Theme::new(crate::theme::Colours::None, true));
            let signs = buffer.content().iter().filter(|cell| matches!(cell.symbol(), "@" | "(" | ")")).count();
            assert!(signs >= 1, "the player is seen at {width}x{height}");
        }
    }
}
