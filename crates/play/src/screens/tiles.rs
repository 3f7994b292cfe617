//! The sliding tiles.

use super::chrome::{self, Message, Page};
use super::help::Help;
use super::{BUSY, Go, IDLE, Shared, View, count, direction};
use crate::background::Background;
use crate::theme::{Role, Theme};
use crate::tile_game::{TileGame, Way, start_solver};
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use lurd_tiles::{Board, Direction, MoveSet, random_board};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::VecDeque;
use std::time::Duration;

/// Keys of this screen for the help.
const KEYS: &[(&str, &str)] = &[
    ("arrows, wasd, hjkl", "slide a tile into the gap"),
    ("1 3 7 9", "slide diagonally, as on a keypad"),
    ("click a tile", "slide it"),
    ("u, Backspace", "undo"),
    ("r", "redo"),
    ("R", "start again"),
    ("n", "new board"),
    ("+, -", "larger or smaller board"),
    ("g", "diagonal moves on or off"),
    ("i", "hint: the next move"),
    ("x", "solve and play it"),
    ("Esc, m", "menu (Esc first stops the solver)"),
    ("q", "leave"),
];

/// Time between the moves of a solution that is played.
const STEP: Duration = Duration::from_millis(250);

/// How a game of tiles begins.
#[derive(Clone, Debug)]
pub struct TilesOptions {
    /// The board to start from; a random one if there is none.
    pub start: Option<Board>,
    /// The goal; 1, 2, 3, ... with the blank last if there is none.
    pub goal: Option<Board>,
    /// Cells along an edge, where neither start nor goal say so: 2 to 5.
    pub side: usize,
    /// The moves that are allowed.
    pub moves: MoveSet,
}

impl Default for TilesOptions {
    fn default() -> Self {
        Self { start: None, goal: None, side: 3, moves: MoveSet::Classic }
    }
}

impl TilesOptions {
    pub(crate) fn game(&self, seed: u64) -> Result<TileGame, lurd_tiles::ProblemError> {
        let side = self.start.or(self.goal).map_or(self.side.clamp(2, 5), |board| board.side());
        let goal = self.goal.unwrap_or_else(|| Board::standard_goal(side));
        let start = self.start.unwrap_or_else(|| random_board(&goal, self.moves, seed));
        TileGame::new(start, goal, self.moves)
    }
}

#[derive(Debug)]
pub(crate) struct TilesScreen {
    game: TileGame,
    /// The solver at work, on which board, and whether its answer is played.
    solver: Option<(Background<Way>, Board, bool)>,
    /// The board a hint or a solution belongs to, and the way from there.
    way: Option<(Board, Way)>,
    playing: VecDeque<Direction>,
    waited: Duration,
    message: Option<Message>,
}

impl TilesScreen {
    pub(crate) fn new(game: TileGame) -> Self {
        Self { game, solver: None, way: None, playing: VecDeque::new(), waited: Duration::ZERO, message: None }
    }

    fn fresh(&mut self, side: usize, moves: MoveSet, shared: &mut Shared) {
        let options = TilesOptions { side, moves, ..TilesOptions::default() };
        if let Ok(game) = options.game(shared.next_seed()) {
            *self = Self::new(game);
        }
    }

    fn ask(&mut self, play: bool) {
        let board = *self.game.board();
        if self.game.is_solved() {
            return;
        }
        if let Some((at, way)) = &self.way
            && *at == board
        {
            return self.answered(way.clone(), play);
        }
        let solver = start_solver(board, *self.game.problem().goal(), self.game.problem().moves());
        self.solver = Some((solver, board, play));
    }

    fn answered(&mut self, way: Way, play: bool) {
        let length = count(way.moves.len(), "move");
        let quality = way.quality();
        if play {
            self.message = Some((format!("Solved: {length} ({quality}). Any key stops."), Role::Good));
            self.playing = way.moves.iter().copied().collect();
        } else if let Some(&next) = way.moves.first() {
            let tile = self.game.board().neighbour(next).map_or(0, |cell| self.game.board().tile(cell));
            self.message = Some((format!("Hint: slide the {tile} ({length} to go, {quality})."), Role::Hint));
        }
        self.way = Some((*self.game.board(), way));
    }
}

impl View for TilesScreen {
    fn key(&mut self, key: KeyEvent, _: Rect, shared: &mut Shared) -> Go {
        let was_playing = !std::mem::take(&mut self.playing).is_empty();
        let (side, moves) = (self.game.problem().side(), self.game.problem().moves());
        self.message = None;
        match key.code {
            KeyCode::Char('q') => return Go::Quit,
            KeyCode::Char('m') => return Go::Menu,
            KeyCode::Char('?') => return Go::Help,
            KeyCode::Esc if self.solver.take().is_some() || was_playing => {}
            KeyCode::Esc => return Go::Menu,
            KeyCode::Char('u' | 'z') | KeyCode::Backspace => drop(self.game.undo()),
            KeyCode::Char('r' | 'y') => drop(self.game.redo()),
            KeyCode::Char('R') | KeyCode::Home => self.game.restart(),
            KeyCode::Char('n') => self.fresh(side, moves, shared),
            KeyCode::Char('+' | '=') if side < 5 => self.fresh(side + 1, moves, shared),
            KeyCode::Char('-') if side > 2 => self.fresh(side - 1, moves, shared),
            KeyCode::Char('g') => {
                let other = if moves == MoveSet::Classic { MoveSet::Diagonal } else { MoveSet::Classic };
                self.fresh(side, other, shared);
            }
            KeyCode::Char('i') => self.ask(false),
            KeyCode::Char('x') => self.ask(true),
            code => {
                if let Some(way) = blank_goes(code) {
                    self.game.step(way);
                }
            }
        }
        Go::Stay
    }

    fn mouse(&mut self, event: MouseEvent, area: Rect, _: &mut Shared) -> Go {
        if event.kind == MouseEventKind::Down(MouseButton::Left) {
            self.playing.clear();
            if let Some(cell) = Layout::new(&self.game, chrome::body(area)).cell_at(event.column, event.row) {
                self.game.slide(cell);
            }
        }
        Go::Stay
    }

    fn tick(&mut self, passed: Duration, _: &mut Shared) -> (bool, Go) {
        let mut changed = self.solver.is_some();
        if let Some((solver, board, play)) = &self.solver
            && let Some(answer) = solver.poll()
        {
            let (current, play) = (*board == *self.game.board(), *play);
            self.solver = None;
            match answer {
                Ok(way) if current => self.answered(way, play),
                Ok(_) => self.message = Some(("The board has changed: ask again.".into(), Role::Text)),
                Err(reason) => self.message = Some((format!("No answer: {reason}."), Role::Hint)),
            }
            changed = true;
        }
        self.waited += passed;
        if self.waited >= STEP {
            self.waited = Duration::ZERO;
            if let Some(next) = self.playing.pop_front() {
                self.game.step(next);
                changed = true;
            }
        }
        (changed, Go::Stay)
    }

    fn wait(&self) -> Duration {
        if self.solver.is_some() || !self.playing.is_empty() { BUSY } else { IDLE }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, shared: &Shared) {
        let theme = shared.theme;
        let problem = self.game.problem();
        let dot = theme.sign("·", "|");
        let figures = format!("{} {dot} at least {} to go", count(self.game.moves(), "move"), self.game.at_least());
        let message = if let Some((solver, _, _)) = &self.solver {
            Some((format!("Thinking: {:.1} s. Esc stops.", solver.elapsed().as_secs_f64()), Role::Hint))
        } else if self.game.is_solved() && self.playing.is_empty() {
            Some((format!("Solved with {}! n makes a new board.", count(self.game.moves(), "move")), Role::Good))
        } else {
            self.message.clone()
        };
        let page = Page {
            title: format!("Sliding tiles {0}x{0}, {1} moves", problem.side(), problem.moves()),
            corner: String::new(),
            figures,
            message,
            keys: &[
                ("u", "undo"),
                ("i", "hint"),
                ("x", "solve"),
                ("n", "new"),
                ("+ -", "size"),
                ("g", "diagonal"),
                ("r", "redo"),
                ("m", "menu"),
                ("q", "leave"),
            ],
        };
        let body = chrome::draw(&page, area, buffer, theme);
        let layout = Layout::new(&self.game, body);
        for (cell, &tile) in self.game.board().tiles().iter().enumerate() {
            let home = problem.goal().tile(cell) == usize::from(tile);
            let role = if home { Role::Good } else { Role::Box };
            layout.draw(cell, tile, role, buffer, theme);
        }
    }

    fn help(&self) -> Help {
        Help::new("sliding tiles", KEYS, false)
    }
}

/// Arrow keys move the tile, so the blank goes the other way.
fn blank_goes(code: KeyCode) -> Option<Direction> {
    use lurd::Direction as Way;
    Some(match (code, direction(code)) {
        (KeyCode::Char('2'), _) | (_, Some(Way::Down)) => Direction::Up,
        (KeyCode::Char('4'), _) | (_, Some(Way::Left)) => Direction::Right,
        (KeyCode::Char('8'), _) | (_, Some(Way::Up)) => Direction::Down,
        (KeyCode::Char('6'), _) | (_, Some(Way::Right)) => Direction::Left,
        (KeyCode::Char('1'), _) => Direction::UpRight,
        (KeyCode::Char('7'), _) => Direction::DownRight,
        (KeyCode::Char('9'), _) => Direction::DownLeft,
        (KeyCode::Char('3'), _) => Direction::UpLeft,
        _ => return None,
    })
}

/// Where the tiles are on the screen.
struct Layout {
    x: u16,
    y: u16,
    side: u16,
    width: u16,
    height: u16,
}

impl Layout {
    fn new(game: &TileGame, body: Rect) -> Self {
        let side = game.problem().side() as u16;
        let (width, height) = if side * 3 <= body.height { (6, 3) } else { (4, 1) };
        let x = body.x + body.width.saturating_sub(side * width) / 2;
        let y = body.y + body.height.saturating_sub(side * height) / 2;
        Self { x, y, side, width, height }
    }

    fn cell_at(&self, x: u16, y: u16) -> Option<usize> {
        let (column, row) = (x.checked_sub(self.x)? / self.width, y.checked_sub(self.y)? / self.height);
        (column < self.side && row < self.side).then(|| usize::from(row * self.side + column))
    }

    fn draw(&self, cell: usize, tile: u8, role: Role, buffer: &mut Buffer, theme: Theme) {
        let x = self.x + (cell as u16 % self.side) * self.width;
        let y = self.y + (cell as u16 / self.side) * self.height;
        let style = theme.style(role);
        match (tile, self.height) {
            (0, 1) => {
                buffer.set_string(x, y, theme.sign(" ·· ", " .. "), theme.style(Role::Quiet));
            }
            (0, _) => {}
            (tile, 1) => {
                buffer.set_string(x, y, format!("[{tile:>2}]"), style);
            }
            (tile, _) => {
                buffer.set_string(x, y, theme.sign("┌────┐", "+----+"), style);
                let side = theme.sign("│", "|");
                buffer.set_string(x, y + 1, format!("{side} {tile:>2} {side}"), style);
                buffer.set_string(x, y + 2, theme.sign("└────┘", "+----+"), style);
            }
        }
    }
}
