//! The CSE letter game against the computer.

use super::chrome::{self, Message, Page};
use super::help::Help;
use super::{BUSY, Go, IDLE, Shared, View};
use crate::background::Background;
use crate::theme::{Role, Theme};
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use lurd_cse::{Advice, Cell, Ending, Letter, Match, Move, RatedMove, Start};
use lurd_search::game::{Side, Strategy};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use std::time::Duration;

/// Keys of this screen for the help.
const KEYS: &[(&str, &str)] = &[
    ("arrows, hjkl", "choose a cell"),
    ("c, s, e", "put the letter there"),
    ("click a cell", "choose it"),
    ("i", "hint: the best move and its value"),
    ("v", "show or hide the value of every move"),
    ("", "+n: MAX wins in n, -n: MIN wins in n, 0: draw"),
    ("u, Backspace", "take your last move back"),
    ("n", "new game"),
    ("f", "new game, the other side begins"),
    ("t", "new game, you take the other side"),
    ("Esc, m", "menu"),
    ("q", "leave"),
    ("", "CSE or ESC in a line wins"),
];

/// How a game of CSE begins.
#[derive(Clone, Copy, Debug)]
pub struct CseOptions {
    /// Where the first S stands; drawn by lot if `None`.
    pub start: Option<Start>,
    /// Who begins.
    pub first: Side,
    /// The side the computer plays.
    pub computer: Side,
    /// Whether the value of every move is shown.
    pub values: bool,
}

impl Default for CseOptions {
    fn default() -> Self {
        Self { start: None, first: Side::Min, computer: Side::Max, values: false }
    }
}

impl CseOptions {
    pub(crate) fn game(&self, seed: u64) -> Match {
        let start = self.start.unwrap_or_else(|| Start::random(seed));
        Match::new(start, self.first, self.computer, Strategy::BEST)
    }
}

#[derive(Debug)]
pub(crate) struct CseScreen {
    options: CseOptions,
    game: Match,
    cursor: (usize, usize),
    /// What the computer is thinking about: its own move, or the values of the person's moves.
    thinking: Option<Background<Advice>>,
    /// What the person's moves are worth, once it is known.
    rated: Option<Advice>,
    /// Whether the person has asked for a hint that is not there yet.
    awaits_hint: bool,
    message: Option<Message>,
}

impl CseScreen {
    pub(crate) fn new(options: CseOptions, seed: u64) -> Self {
        let game = options.game(seed);
        let (thinking, rated, message) = (None, None, None);
        let mut screen = Self { options, game, cursor: (1, 1), thinking, rated, awaits_hint: false, message };
        screen.think_if_due();
        screen
    }

    fn think_if_due(&mut self) {
        let is_wanted = self.game.is_computers_turn() || self.options.values;
        if is_wanted && self.rated.is_none() && self.game.position().ending().is_none() {
            self.think();
        }
    }

    fn think(&mut self) {
        let game = self.game.clone();
        self.thinking = Some(Background::start(move |_| Ok(game.advice())));
    }

    /// The person has moved or taken back.
    fn changed(&mut self) {
        (self.thinking, self.rated, self.awaits_hint, self.message) = (None, None, false, None);
        self.think_if_due();
    }

    /// Says the best move, or works it out first.
    fn hint(&mut self) {
        let Some(Advice { best: Some(best), nodes, .. }) = &self.rated else {
            self.awaits_hint = true;
            return self.think();
        };
        let value = worth(best.value, self.options.computer.other());
        self.message = Some((format!("Hint: {} ({value}). {} positions.", best.mv, nodes), Role::Hint));
    }

    /// The values of C, S and E in an empty cell, if they are known and wanted: `+3 -2  0`.
    fn values(&self, cell: Cell) -> Option<String> {
        let advice = self.rated.as_ref().filter(|_| self.options.values)?;
        let of = |letter| advice.moves.iter().find(|rated| rated.mv == Move { cell, letter }).map(short);
        let values: Vec<String> = Letter::ALL.into_iter().filter_map(of).collect();
        (!values.is_empty()).then(|| values.join(" "))
    }
}

impl View for CseScreen {
    fn key(&mut self, key: KeyEvent, _: Rect, shared: &mut Shared) -> Go {
        let CseOptions { first, computer, .. } = self.options;
        let fresh = CseOptions { start: None, ..self.options };
        let step = |at: usize, by: isize| at.saturating_add_signed(by).min(2);
        let (row, column) = self.cursor;
        match key.code {
            KeyCode::Char('q') => return Go::Quit,
            KeyCode::Char('m') | KeyCode::Esc => return Go::Menu,
            KeyCode::Char('?') => return Go::Help,
            KeyCode::Up | KeyCode::Char('k') => self.cursor = (step(row, -1), column),
            KeyCode::Down | KeyCode::Char('j') => self.cursor = (step(row, 1), column),
            KeyCode::Left | KeyCode::Char('h') => self.cursor = (row, step(column, -1)),
            KeyCode::Right | KeyCode::Char('l') => self.cursor = (row, step(column, 1)),
            KeyCode::Char('n') => *self = Self::new(fresh, shared.next_seed()),
            KeyCode::Char('f') => *self = Self::new(CseOptions { first: first.other(), ..fresh }, shared.next_seed()),
            KeyCode::Char('t') => {
                *self = Self::new(CseOptions { computer: computer.other(), ..fresh }, shared.next_seed());
            }
            KeyCode::Char('u' | 'z') | KeyCode::Backspace if self.game.take_back() => self.changed(),
            KeyCode::Char('i') if self.game.position().ending().is_none() && !self.game.is_computers_turn() => {
                self.hint();
            }
            KeyCode::Char('v') => {
                self.options.values = !self.options.values;
                self.think_if_due();
            }
            KeyCode::Char(letter) => {
                if let (Some(letter), Some(cell)) = (Letter::from_char(letter), Cell::at(row, column)) {
                    match self.game.place(Move { cell, letter }) {
                        Ok(_) => self.changed(),
                        Err(error) => self.message = Some((format!("Not possible: {error}."), Role::Lost)),
                    }
                }
            }
            _ => {}
        }
        Go::Stay
    }

    fn mouse(&mut self, event: MouseEvent, area: Rect, _: &mut Shared) -> Go {
        if event.kind == MouseEventKind::Down(MouseButton::Left)
            && let Some(cell) = Layout::new(chrome::body(area), self.options.values).cell_at(event.column, event.row)
        {
            self.cursor = cell;
        }
        Go::Stay
    }

    fn tick(&mut self, _: Duration, _: &mut Shared) -> (bool, Go) {
        let Some(answer) = self.thinking.as_ref().and_then(Background::poll) else { return (false, Go::Stay) };
        self.thinking = None;
        let Ok(advice) = answer else { return (false, Go::Stay) };
        if self.game.is_computers_turn() {
            if let (Some(best), true) = (advice.best, self.game.computer_moves().is_ok()) {
                self.changed();
                self.message = Some((format!("The computer plays {}.", best.mv), Role::Text));
            }
        } else {
            self.rated = Some(advice);
            if std::mem::take(&mut self.awaits_hint) {
                self.hint();
            }
        }
        (true, Go::Stay)
    }

    fn wait(&self) -> Duration {
        if self.thinking.is_some() { BUSY } else { IDLE }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, shared: &Shared) {
        let theme = shared.theme;
        let position = self.game.position();
        let person = self.options.computer.other();
        let message = match position.ending() {
            Some(Ending::Won(side)) if side == person => Some(("You have won! n: new game.".into(), Role::Good)),
            Some(Ending::Won(_)) => Some(("The computer has won. u takes back, n: new game.".into(), Role::Lost)),
            Some(Ending::Draw) => Some(("A draw: the board is full. n: new game.".into(), Role::Text)),
            None if self.thinking.is_some() && (self.awaits_hint || self.game.is_computers_turn()) => {
                Some(("Thinking...".into(), Role::Hint))
            }
            None => self.message.clone(),
        };
        let page = Page {
            title: "CSE, the letter game".into(),
            corner: format!("you are {}", name(person)),
            figures: match position.ending() {
                Some(_) => "The game is over.".into(),
                None if self.game.is_computers_turn() => "The computer's turn.".into(),
                None if self.options.values => "Values of C, S, E: + MAX, - MIN wins".into(),
                None => "Your turn: put C, S or E into a cell.".into(),
            },
            message,
            keys: &[
                ("c s e", "put"),
                ("i", "hint"),
                ("u", "back"),
                ("n", "new"),
                ("f", "who begins"),
                ("t", "sides"),
                ("m", "menu"),
                ("q", "leave"),
                ("v", "values"),
            ],
        };
        let body = chrome::draw(&page, area, buffer, theme);
        let winning: Vec<Cell> = position.completed_lines().into_iter().flatten().collect();
        let layout = Layout::new(body, self.options.values);
        layout.grid(buffer, theme);
        for cell in Cell::ALL {
            let letter = position.board().get(cell).map(Letter::as_char);
            let values = self.values(cell);
            // In a cell of one line the values stand where the letter would.
            let text = match (&values, letter) {
                (Some(values), None) if layout.height == 1 => values.clone(),
                (_, letter) => letter.unwrap_or(' ').to_string(),
            };
            let mut style = theme.style(if winning.contains(&cell) { Role::Good } else { Role::Text });
            let chosen = (cell.row(), cell.column()) == self.cursor && position.ending().is_none();
            let shown = if chosen { format!("[{text}]") } else { format!(" {text} ") };
            if chosen || winning.contains(&cell) {
                style = style.add_modifier(Modifier::REVERSED);
            }
            let (x, y) = layout.middle(cell);
            buffer.set_string(x - shown.len() as u16 / 2, y, &shown, style);
            if let Some(values) = values.filter(|_| layout.height > 1) {
                buffer.set_string(x - values.len() as u16 / 2, y + 1, &values, theme.style(Role::Hint));
            }
        }
    }

    fn help(&self) -> Help {
        Help::new("CSE", KEYS, false)
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Max => "MAX",
        Side::Min => "MIN",
    }
}

/// The value of a move in two places: `+5`, `-4` or ` 0`.
fn short(rated: &RatedMove) -> String {
    match (rated.value, rated.plies) {
        (value, Some(plies)) => format!("{}{plies}", if value > 0 { '+' } else { '-' }),
        (value, None) => format!("{value:>2}"),
    }
}

fn worth(value: i32, person: Side) -> &'static str {
    match value * person.sign() {
        1 => "you win",
        -1 => "you lose against best play",
        _ => "a draw",
    }
}

/// Where the cells are on the screen: 3 cells with a line between.
struct Layout {
    x: u16,
    y: u16,
    width: u16,
    height: u16,
}

impl Layout {
    fn new(body: Rect, values: bool) -> Self {
        // Values need the wider cells.
        let (width, height) = match (body.height >= 11, values) {
            (true, false) => (7, 3),
            (true, true) => (11, 3),
            (false, false) => (5, 1),
            (false, true) => (11, 1),
        };
        let x = body.x + body.width.saturating_sub(3 * width + 2) / 2;
        let y = body.y + body.height.saturating_sub(3 * height + 2) / 2;
        Self { x, y, width, height }
    }

    fn middle(&self, cell: Cell) -> (u16, u16) {
        let x = self.x + cell.column() as u16 * (self.width + 1) + self.width / 2;
        let y = self.y + cell.row() as u16 * (self.height + 1) + self.height / 2;
        (x, y)
    }

    fn cell_at(&self, x: u16, y: u16) -> Option<(usize, usize)> {
        let (column, row) = (x.checked_sub(self.x)? / (self.width + 1), y.checked_sub(self.y)? / (self.height + 1));
        (column < 3 && row < 3).then_some((row.into(), column.into()))
    }

    fn grid(&self, buffer: &mut Buffer, theme: Theme) {
        let style = theme.style(Role::Quiet);
        let across = theme.sign("─", "-").repeat(usize::from(self.width));
        let line = [across.as_str(); 3].join(theme.sign("┼", "+"));
        for y in 0..3 * self.height + 2 {
            if y % (self.height + 1) == self.height {
                buffer.set_string(self.x, self.y + y, &line, style);
            } else {
                for column in [1, 2] {
                    let x = self.x + column * (self.width + 1) - 1;
                    buffer.set_string(x, self.y + y, theme.sign("│", "|"), style);
                }
            }
        }
    }
}
