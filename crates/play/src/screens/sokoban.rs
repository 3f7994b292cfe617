//! The board of a level being played.

mod words;

use super::chrome::{self, Message, Page};
use super::help::Help;
use super::{BUSY, Go, IDLE, MOVING, Origin, Shared, View, count, direction};
use crate::background::Background;
use crate::board_view::{self, Marks};
use crate::game::Game;
use crate::session::{Event, Hint, Request, Session};
use crate::theme::Role;
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use lurd::{Budget, Direction, Limits, Square};
use lurd_lessons::{Answer, Degree, LostReason, Played, why_lost};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::VecDeque;
use std::time::Duration;

/// Time between the steps of a walk that the program takes.
const STEP: Duration = Duration::from_millis(25);

/// Keys of this screen for the help.
const KEYS: &[(&str, &str)] = &[
    ("arrows, wasd, hjkl", "move and push"),
    ("u, Backspace", "undo a move"),
    ("U", "undo the last push"),
    ("r", "redo a move"),
    ("R, Home", "start again (r or End brings it back)"),
    ("End", "redo everything"),
    ("click a square", "walk there"),
    ("click a box, a square", "push it there"),
    ("c", "pointer: the same by keyboard"),
    ("i", "hint: where to look; again: the box, the push"),
    ("Space", "play the hint"),
    ("e", "explain why the level is lost"),
    ("x", "solve from here"),
    ("v", "watch the solution found"),
    ("p", "watch your solution with fewest moves"),
    ("P", "watch the one with fewest pushes"),
    ("n, PageDown", "next level; of the series the next one"),
    ("N", "new levels and lessons"),
    ("b, PageUp", "previous level"),
    ("o, /", "list of levels"),
    ("Esc, m", "menu (Esc first ends what is under way)"),
    ("q, Ctrl-C", "leave; the game is kept"),
];

#[derive(Debug)]
pub(crate) struct SokobanScreen {
    index: usize,
    /// The level, or why it cannot be played.
    session: Result<Session, String>,
    /// Steps the program still has to take.
    walk: VecDeque<Direction>,
    waited: Duration,
    cursor: Option<(usize, usize)>,
    chosen: Option<Square>,
    /// How much of a hint is shown.
    hint: Option<Degree>,
    /// Whether a hint or the solver has helped.
    helped: bool,
    /// Why the level is lost, being looked for.
    explaining: Option<Background<Option<LostReason>>>,
    reason: Option<LostReason>,
    message: Option<Message>,
}

impl SokobanScreen {
    pub(crate) fn open(index: usize, shared: &mut Shared) -> Self {
        let session = match shared.levels.get(index) {
            Some(level) => Session::open(level, &mut shared.store).map_err(|error| error.to_string()),
            None => Err("there is no such level".to_owned()),
        };
        let message = session.as_ref().ok().filter(|session| session.game().moves() > 0).map(|session| {
            let moves = count(session.game().moves(), "move");
            (format!("Welcome back: {moves} were played here before. R starts again."), Role::Text)
        });
        let task = match shared.origin(index) {
            Some(Origin::Lesson(lesson)) => Some((lesson.task_words(), Role::Hint)),
            _ => None,
        };
        Self {
            index,
            session,
            walk: VecDeque::new(),
            waited: Duration::ZERO,
            cursor: None,
            chosen: None,
            hint: None,
            helped: false,
            explaining: None,
            reason: None,
            message: message.or(task),
        }
    }

    pub(crate) fn index(&self) -> usize {
        self.index
    }

    #[cfg(test)]
    pub(crate) fn session(&self) -> Option<&Session> {
        self.session.as_ref().ok()
    }

    fn escape(&mut self) -> Go {
        let busy = self.cursor.is_some() || self.chosen.is_some() || self.hint.is_some() || self.explaining.is_some();
        (self.cursor, self.chosen, self.hint, self.explaining) = (None, None, None, None);
        let stopped = self.session.as_mut().is_ok_and(Session::stop_solver);
        if stopped {
            self.message = Some(("The solver was stopped.".into(), Role::Text));
        }
        if busy || stopped { Go::Stay } else { Go::Menu }
    }

    fn neighbour(&mut self, by: isize, shared: &Shared) -> Go {
        if by > 0 && matches!(shared.origin(self.index), Some(Origin::Series)) {
            let solved = self.session.as_ref().is_ok_and(|session| session.finished().is_some());
            return Go::Onwards(match (solved, self.helped) {
                (false, _) => Played::Skipped,
                (true, true) => Played::SolvedWithHints,
                (true, false) => Played::Solved,
            });
        }
        match self.index.checked_add_signed(by).filter(|&index| index < shared.levels.len()) {
            Some(index) => Go::Level(index),
            None => {
                let end = if by > 0 { "last" } else { "first" };
                self.message = Some((format!("This is the {end} level."), Role::Text));
                Go::Stay
            }
        }
    }

    fn hint(&mut self) {
        let Ok(session) = &mut self.session else { return };
        // The first key says where to look, each further one a little more.
        self.hint = Some(self.hint.map_or(Degree::Where, Degree::next));
        if can_be_solved(session) {
            self.helped = true;
            session.ask(Request::Hint);
        }
    }

    /// Looks for a smallest set of boxes that is dead by itself.
    fn explain(&mut self) {
        let Ok(session) = &self.session else { return };
        let game = session.game();
        if game.is_solved() {
            return;
        }
        let (board, boxes, player) = (game.board().clone(), game.boxes().clone(), game.player());
        self.message = Some(("Looking for boxes that can never all be home. Esc stops.".into(), Role::Hint));
        self.explaining = Some(Background::start(move |cancel| {
            Ok(why_lost(&board, &boxes, player, &Budget::new(Limits::default(), cancel)))
        }));
    }

    /// Takes in why the level is lost, once that is known.
    fn take_reason(&mut self) -> bool {
        let Some(answer) = self.explaining.as_ref().and_then(Background::poll) else { return false };
        self.explaining = None;
        self.message = Some(match answer {
            Ok(Some(reason)) => {
                let message = (words::reason(&reason), Role::Lost);
                self.reason = Some(reason);
                message
            }
            Ok(None) => {
                ("No four boxes are lost by themselves: x tells whether it can still be solved.".into(), Role::Text)
            }
            Err(reason) => (format!("No answer: {reason}."), Role::Text),
        });
        true
    }

    /// What a lesson says to the moves so far.
    fn check_lesson(&mut self, shared: &Shared) {
        let (Some(Origin::Lesson(lesson)), Ok(session)) = (shared.origin(self.index), &self.session) else { return };
        let moves = session.game().lurd();
        let finished = session.finished().is_some();
        if let Ok(verdict) = lesson.check(&Answer::Play(&moves), &lurd::Cancel::new())
            && (verdict.done || finished)
        {
            self.message = Some((verdict.words, if verdict.done { Role::Good } else { Role::Hint }));
        }
    }

    fn hint_shown(&self, session: &Session) -> Option<Hint> {
        self.hint.and_then(|_| session.hint())
    }

    /// What there is to say, the most urgent only.
    fn message(&self, session: &Session, shared: &Shared) -> Option<Message> {
        let choose = || self.chosen.map(|_| ("Push this box where? Choose a square, or Esc.".into(), Role::Hint));
        let trouble = || shared.store.trouble().map(|trouble| (trouble, Role::Lost));
        let lesson = matches!(shared.origin(self.index), Some(Origin::Lesson(_)));
        let told = || self.message.clone().filter(|_| lesson || self.reason.is_some() || self.explaining.is_some());
        let hint = || {
            let hint = self.hint_shown(session)?;
            Some(words::hint(session.game().board(), hint, self.hint?))
        };
        told()
            .or_else(|| words::state(session))
            .or_else(hint)
            .or_else(choose)
            .or_else(|| self.message.clone())
            .or_else(trouble)
    }

    fn solve(&mut self, shared: &Shared) -> Go {
        let Ok(session) = &mut self.session else { return Go::Stay };
        self.helped |= can_be_solved(session);
        if !can_be_solved(session) || !session.ask(Request::Solve) {
            return Go::Stay;
        }
        session.found().map_or(Go::Stay, |found| Go::watch_found(shared.level_title(self.index), found))
    }

    /// What a click or the pointer's Enter on a square does: choose a box, push the chosen one
    /// there, or walk there.
    fn point(&mut self, (row, column): (usize, usize)) {
        let Ok(session) = &mut self.session else { return };
        let game = session.game();
        let Some(square) = game.board().square_at(row, column) else { return };
        if game.boxes().contains(square) {
            self.chosen = if self.chosen == Some(square) { None } else { Some(square) };
            return;
        }
        let steps = match self.chosen.take() {
            Some(boxed) => game.push_to(boxed, square).map_err(|reason| format!("Not possible: {reason}.")),
            None => game.walk_to(square).ok_or_else(|| "There is no way to walk there.".to_owned()),
        };
        match steps {
            Ok(steps) => self.walk = steps.into(),
            Err(reason) => self.message = Some((reason, Role::Text)),
        }
    }

    /// Takes all steps that are left of a walk at once.
    fn finish_walk(&mut self, shared: &mut Shared) {
        while let Some(way) = self.walk.pop_front() {
            self.take_step(way, shared);
        }
    }

    fn take_step(&mut self, way: Direction, shared: &mut Shared) {
        let Ok(session) = &mut self.session else { return };
        let pushes = session.game().pushes();
        session.step(way, &mut shared.store);
        if session.game().pushes() != pushes {
            (self.hint, self.reason) = (None, None);
            if session.finished().is_some() {
                self.check_lesson(shared);
            }
        }
    }

    fn take(&mut self, events: Vec<Event>, shared: &Shared) -> Go {
        for event in events {
            match event {
                Event::Lost => self.check_lesson(shared),
                Event::Answered(Request::Hint, Ok(())) => {}
                Event::Answered(_, Err(reason)) => {
                    self.hint = None;
                    self.message = Some((reason, Role::Hint));
                }
                Event::Answered(Request::Solve, Ok(())) => {
                    let Ok(session) = &self.session else { continue };
                    let Some(found) = session.found() else { continue };
                    if session.found_begins_here() {
                        return Go::watch_found(shared.level_title(self.index), found);
                    }
                    let text = format!("A solution with {} was found: v watches it.", count(found.pushes, "push"));
                    self.message = Some((text, Role::Good));
                }
            }
        }
        Go::Stay
    }

    fn marks(&self) -> Marks {
        let Ok(session) = &self.session else { return Marks::default() };
        Marks {
            lost: match &self.reason {
                Some(reason) => reason.boxes.clone(),
                None => session.game().deadlock().map(|(_, deadlock)| deadlock.boxes.clone()).unwrap_or_default(),
            },
            chosen: self.chosen,
            cursor: self.cursor,
            hint: self
                .hint_shown(session)
                .filter(|_| self.hint > Some(Degree::Where))
                .map(|hint| (hint.boxed, Some(hint.direction).filter(|_| self.hint == Some(Degree::Push)))),
        }
    }
}

impl View for SokobanScreen {
    fn key(&mut self, key: KeyEvent, _: Rect, shared: &mut Shared) -> Go {
        self.finish_walk(shared);
        match key.code {
            KeyCode::Char('q') => return Go::Quit,
            KeyCode::Char('m') => return Go::Menu,
            KeyCode::Char('?') => return Go::Help,
            KeyCode::Char('o' | '/') => return Go::Picker,
            KeyCode::Char('N') => return Go::School,
            KeyCode::Char('n') | KeyCode::PageDown => return self.neighbour(1, shared),
            KeyCode::Char('b') | KeyCode::PageUp => return self.neighbour(-1, shared),
            KeyCode::Esc => return self.escape(),
            _ => {}
        }
        let Ok(session) = &mut self.session else { return Go::Stay };
        let store = &mut shared.store;
        match (self.cursor, direction(key.code), key.code) {
            (Some(cursor), Some(way), _) => {
                self.cursor = Some(moved(cursor, way, session.game()));
                return Go::Stay;
            }
            (Some(cursor), None, KeyCode::Enter | KeyCode::Char(' ')) => {
                self.point(cursor);
                return Go::Stay;
            }
            (Some(_), None, KeyCode::Char('c')) => {
                (self.cursor, self.chosen) = (None, None);
                return Go::Stay;
            }
            (None, Some(way), _) => {
                self.message = None;
                self.take_step(way, shared);
                return Go::Stay;
            }
            _ => (self.message, self.reason) = (None, None),
        }
        match key.code {
            KeyCode::Char('u' | 'z') | KeyCode::Backspace => drop(session.change(store, Game::undo)),
            KeyCode::Char('U') => drop(session.change(store, Game::undo_push)),
            KeyCode::Char('r' | 'y') => drop(session.change(store, Game::redo)),
            KeyCode::Char('R') | KeyCode::Home => drop(session.change(store, |game| {
                let moved = game.moves() > 0;
                game.seek(0);
                moved
            })),
            KeyCode::End => drop(session.change(store, |game| {
                game.seek(usize::MAX);
                true
            })),
            KeyCode::Char('c') => self.cursor = Some(session.game().board().place(session.game().player())),
            KeyCode::Char('i') => self.hint(),
            KeyCode::Char('e') => self.explain(),
            KeyCode::Char(' ') => {
                if let Some(steps) = session.hint_steps().filter(|_| self.hint.is_some()) {
                    self.walk = steps.into();
                } else {
                    self.hint();
                }
            }
            KeyCode::Char('x') => return self.solve(shared),
            KeyCode::Char('v') => match session.found() {
                Some(found) => return Go::watch_found(shared.level_title(self.index), found),
                None => self.message = Some(("There is no solution to watch yet: x looks for one.".into(), Role::Text)),
            },
            KeyCode::Char(letter @ ('p' | 'P')) => {
                let record = session.record();
                let best = if letter == 'p' { &record.best_moves } else { &record.best_pushes };
                match best {
                    Some(best) => return Go::Watch(shared.level_title(self.index), best.lurd.clone(), 0),
                    None => self.message = Some(("You have not solved this level yet.".into(), Role::Text)),
                }
            }
            _ => {}
        }
        Go::Stay
    }

    fn mouse(&mut self, event: MouseEvent, area: Rect, shared: &mut Shared) -> Go {
        self.finish_walk(shared);
        let marks = self.marks();
        let Ok(session) = &mut self.session else { return Go::Stay };
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.message = None;
                let viewport = board_view::viewport(session.game(), &marks, chrome::body(area));
                if let Some(place) = viewport.place_at(event.column, event.row) {
                    self.point(place);
                }
            }
            MouseEventKind::Down(MouseButton::Right) | MouseEventKind::ScrollUp => {
                session.change(&mut shared.store, Game::undo);
            }
            MouseEventKind::ScrollDown => drop(session.change(&mut shared.store, Game::redo)),
            _ => {}
        }
        Go::Stay
    }

    fn tick(&mut self, passed: Duration, shared: &mut Shared) -> (bool, Go) {
        let mut changed = false;
        self.waited += passed;
        while self.waited >= STEP {
            self.waited -= STEP;
            let Some(way) = self.walk.pop_front() else {
                self.waited = Duration::ZERO;
                break;
            };
            self.take_step(way, shared);
            changed = true;
        }
        changed |= self.take_reason();
        let Ok(session) = &mut self.session else { return (changed, Go::Stay) };
        changed |= session.solver().is_some();
        let events = session.poll();
        changed |= !events.is_empty();
        (changed, self.take(events, shared))
    }

    fn wait(&self) -> Duration {
        match &self.session {
            _ if !self.walk.is_empty() => MOVING,
            Ok(session) if session.is_busy() || self.explaining.is_some() => BUSY,
            _ => IDLE,
        }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, shared: &Shared) {
        let theme = shared.theme;
        let (number, place, all) = (shared.number(self.index), self.index + 1, shared.levels.len());
        let corner = if number == place { format!("{place}/{all}") } else { format!("level {number}, {place}/{all}") };
        let title = shared.level_title(self.index);
        match &self.session {
            Ok(session) => {
                let page = Page {
                    title,
                    corner,
                    figures: words::figures(session, area.width, theme),
                    message: self.message(session, shared),
                    keys: words::keys(session, self.cursor.is_some()),
                };
                let body = chrome::draw(&page, area, buffer, theme);
                board_view::draw(session.game(), &self.marks(), body, buffer, theme);
            }
            Err(reason) => {
                let message = Some((format!("This level cannot be played: {reason}."), Role::Lost));
                let keys = &[("n", "next"), ("b", "previous"), ("o", "levels"), ("q", "leave")];
                let page = Page { title, corner, figures: String::new(), message, keys };
                let body = chrome::draw(&page, area, buffer, theme);
                if let Some(level) = shared.levels.get(self.index) {
                    board_view::thumbnail(&level.map, body, buffer, theme);
                }
            }
        }
    }

    fn help(&self) -> Help {
        Help::new("Sokoban", KEYS, true)
    }
}

/// Whether there is anything to ask a solver about; the screen says so where there is not.
fn can_be_solved(session: &Session) -> bool {
    !session.game().is_solved() && session.game().deadlock().is_none()
}

/// The pointer moved by one, kept on the board.
fn moved((row, column): (usize, usize), way: Direction, game: &Game) -> (usize, usize) {
    let (down, right) = way.delta();
    let map = game.board().map();
    let kept = |at: usize, by: isize, most: usize| at.saturating_add_signed(by).min(most.saturating_sub(1));
    (kept(row, down, map.height()), kept(column, right, map.width()))
}
