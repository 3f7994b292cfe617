//! New levels and lessons: a list, and the page of a lesson with its question.

use super::chrome::{self, Message, Page};
use super::help::Help;
use super::{BUSY, Go, IDLE, Shared, View};
use crate::background::Background;
use crate::making::{self, Order};
use crate::search_picture;
use crate::theme::Role;
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use lurd::{Cancel, Level};
use lurd_lessons::{Answer, Endless, Lesson, Picture, Played, SearchPicture, Verdict, lessons};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use std::time::Duration;

/// Keys of this screen for the help.
const KEYS: &[(&str, &str)] = &[
    ("Up, Down, PageUp, PageDown", "choose"),
    ("Enter, click", "go there, or play the level of a lesson"),
    ("1, 2", "answer the question of a lesson"),
    ("Esc", "back; ends what is being made"),
    ("m", "menu"),
    ("q", "leave"),
];

/// What stands above the lessons.
const NEW: [&str; 4] =
    ["Level of the day", "Endless: follows your success", "Another like the last level", "A little harder"];

#[derive(Debug, Default)]
pub(crate) struct School {
    chosen: usize,
    /// The lesson whose page is open.
    lesson: Option<usize>,
    /// A level being made: the work, what it is, and whether it belongs to the series.
    making: Option<(Background<Level>, String, bool)>,
    /// A question being checked, with the picture of its searches.
    checking: Option<Background<(Verdict, Option<Picture>)>>,
    /// What the searches of the open lesson opened, once its question is answered.
    picture: Option<[SearchPicture; 2]>,
    series: Option<Endless>,
    message: Option<Message>,
}

impl School {
    /// Goes on with the series after a level of it.
    pub(crate) fn go_on(&mut self, played: Option<Played>, seed: u64) {
        let series = self.series.get_or_insert_with(|| Endless::new(seed));
        if let Some(played) = played {
            series.played(played);
        }
        match series.next_maker() {
            Ok((maker, number)) => {
                let what = format!("level {number} of the series, grade {}", series.grade());
                self.make(Order::Series(Box::new(maker), number), what, true);
            }
            Err(error) => self.message = Some((format!("{error}."), Role::Lost)),
        }
    }

    fn make(&mut self, order: Order, what: String, in_series: bool) {
        self.message = None;
        self.making = Some((making::start(order), what, in_series));
    }

    fn open(&mut self, index: usize, shared: &mut Shared) -> Go {
        self.chosen = index;
        match index {
            0 => self.make(Order::Daily, format!("the level of {}", making::today()), false),
            1 => {
                let seed = shared.next_seed();
                self.go_on(None, seed);
            }
            2 | 3 => match shared.last.clone() {
                None => {
                    self.message = Some(("Play a level first: then there is something to vary.".into(), Role::Text))
                }
                Some(map) => {
                    let harder = index == 3;
                    let seed = shared.next_seed();
                    self.make(Order::Like { map, harder, seed }, NEW[index].to_lowercase(), false);
                }
            },
            _ => {
                (self.lesson, self.message, self.picture) = (Some(index - NEW.len()), None, None);
            }
        }
        Go::Stay
    }

    fn shown(&self) -> Option<&'static Lesson> {
        lessons().get(self.lesson?)
    }

    /// Checks the answer to a question on a thread of its own.
    fn answer(&mut self, lesson: &'static Lesson, option: usize) {
        if option >= lesson.options().len() {
            return;
        }
        self.message = None;
        self.checking = Some(Background::start(move |cancel: Cancel| {
            let verdict = lesson.check(&Answer::Option(option), &cancel).map_err(|error| error.to_string())?;
            Ok((verdict, lesson.picture(&cancel)))
        }));
    }

    fn back(&mut self) -> Go {
        let busy = self.making.take().is_some() | self.checking.take().is_some();
        if busy {
            self.message = Some(("Stopped.".into(), Role::Text));
        } else if self.lesson.take().is_none() {
            return Go::Menu;
        }
        Go::Stay
    }

    fn count() -> usize {
        NEW.len() + lessons().len()
    }

    /// The first line of the list that is shown in so many lines.
    fn top(&self, lines: usize) -> usize {
        self.chosen.saturating_sub(lines / 2).min(Self::count().saturating_sub(lines))
    }

    fn draw_list(&self, body: Rect, buffer: &mut Buffer, shared: &Shared) {
        let theme = shared.theme;
        let top = self.top(body.height.into());
        for (y, index) in (body.y..body.bottom()).zip(top..Self::count()) {
            let text = match index.checked_sub(NEW.len()) {
                None => NEW[index].to_owned(),
                Some(lesson) => format!("Lesson {}: {}", lesson + 1, lessons()[lesson].title),
            };
            let mut style = theme.style(if index == self.chosen { Role::Key } else { Role::Text });
            if index == self.chosen {
                style = style.add_modifier(Modifier::REVERSED);
            }
            chrome::put(buffer, body.x + 1, y, body.width.saturating_sub(1), &format!(" {text} "), style);
        }
    }

    fn draw_lesson(&self, lesson: &Lesson, body: Rect, buffer: &mut Buffer, shared: &Shared) {
        let theme = shared.theme;
        let mut lines: Vec<(String, Role)> = Vec::new();
        let mut add = |text: &str, role| {
            lines.extend(chrome::wrap(text, body.width.into()).into_iter().map(|line| (line, role)));
        };
        add(lesson.text, Role::Text);
        add(&lesson.task_words(), Role::Title);
        for (index, option) in lesson.options().iter().enumerate() {
            add(&format!("{}  {option}", index + 1), Role::Key);
        }
        let used = lines.len() as u16;
        for ((line, role), y) in lines.iter().zip(body.y..body.bottom()) {
            chrome::put(buffer, body.x, y, body.width, line, theme.style(*role));
        }
        let rest = Rect { y: body.y + used, height: body.height.saturating_sub(used), ..body };
        let picture = self.picture.as_ref();
        let lines = picture.map(|two| search_picture::lines(two, rest.width.into(), rest.height.into()));
        let lines = lines.unwrap_or_default();
        for (line, y) in lines.iter().zip(rest.y..rest.bottom()) {
            chrome::put(buffer, rest.x, y, rest.width, line, theme.style(Role::Text));
        }
        if !lines.is_empty() {
            return;
        }
        if let Some(level) = lesson.level().filter(|_| rest.height >= 3) {
            crate::board_view::thumbnail(&level.map, rest, buffer, theme);
        }
    }
}

impl View for School {
    fn key(&mut self, key: KeyEvent, area: Rect, shared: &mut Shared) -> Go {
        let page = usize::from(chrome::body(area).height).max(1);
        let last = Self::count() - 1;
        match (key.code, self.shown()) {
            (KeyCode::Char('q'), _) => return Go::Quit,
            (KeyCode::Char('m'), _) => return Go::Menu,
            (KeyCode::Char('?'), _) => return Go::Help,
            (KeyCode::Esc, _) => return self.back(),
            (KeyCode::Char(digit @ '1'..='9'), Some(lesson)) => self.answer(lesson, digit as usize - '1' as usize),
            (KeyCode::Enter | KeyCode::Char(' '), Some(lesson)) => {
                if let Some(level) = lesson.level() {
                    return Go::Made(Box::new(level), super::Origin::Lesson(lesson));
                }
            }
            (KeyCode::Enter | KeyCode::Char(' '), None) => return self.open(self.chosen, shared),
            (KeyCode::Up | KeyCode::Char('k' | 'w'), None) => self.chosen = self.chosen.saturating_sub(1),
            (KeyCode::Down | KeyCode::Char('j' | 's'), None) => self.chosen = (self.chosen + 1).min(last),
            (KeyCode::PageUp, None) => self.chosen = self.chosen.saturating_sub(page),
            (KeyCode::PageDown, None) => self.chosen = (self.chosen + page).min(last),
            _ => {}
        }
        Go::Stay
    }

    fn mouse(&mut self, event: MouseEvent, area: Rect, shared: &mut Shared) -> Go {
        let body = chrome::body(area);
        if event.kind != MouseEventKind::Down(MouseButton::Left) || self.lesson.is_some() || event.row < body.y {
            return Go::Stay;
        }
        let index = self.top(body.height.into()) + usize::from(event.row - body.y);
        if index < Self::count() && event.row < body.bottom() { self.open(index, shared) } else { Go::Stay }
    }

    fn tick(&mut self, _: Duration, _: &mut Shared) -> (bool, Go) {
        if let Some((work, _, in_series)) = &self.making {
            let in_series = *in_series;
            match work.poll() {
                None => return (true, Go::Stay),
                Some(Ok(level)) => {
                    self.making = None;
                    let origin = if in_series { super::Origin::Series } else { super::Origin::Made };
                    return (true, Go::Made(Box::new(level), origin));
                }
                Some(Err(reason)) => {
                    self.making = None;
                    self.message = Some((format!("No level: {reason}."), Role::Lost));
                }
            }
            return (true, Go::Stay);
        }
        let Some(answer) = self.checking.as_ref().and_then(Background::poll) else {
            return (self.checking.is_some(), Go::Stay);
        };
        self.checking = None;
        self.message = Some(match answer {
            Ok((Verdict { done, words }, picture)) => {
                if let Some(Picture::Searches(pictures)) = picture {
                    self.picture = Some(pictures);
                }
                (words, if done { Role::Good } else { Role::Hint })
            }
            Err(reason) => (format!("Not checked: {reason}."), Role::Lost),
        });
        (true, Go::Stay)
    }

    fn wait(&self) -> Duration {
        if self.making.is_some() || self.checking.is_some() { BUSY } else { IDLE }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, shared: &Shared) {
        let making = self.making.as_ref().map(|(work, what, _)| {
            let seconds = work.elapsed().as_secs_f64();
            (format!("Making {what}: {seconds:.1} s. Esc stops."), Role::Hint)
        });
        let checking = self.checking.as_ref().map(|_| ("Measuring...".to_owned(), Role::Hint));
        let lesson = self.shown();
        let page = Page {
            title: lesson.map_or("New levels and lessons", |lesson| lesson.title).into(),
            corner: self.lesson.map(|index| format!("lesson {}/{}", index + 1, lessons().len())).unwrap_or_default(),
            figures: String::new(),
            message: making.or(checking).or_else(|| self.message.clone()),
            keys: match lesson {
                None => &[("Enter", "go"), ("Esc", "back"), ("Up Down", "choose")],
                Some(lesson) if lesson.options().is_empty() => &[("Enter", "play"), ("Esc", "back")],
                Some(_) => &[("1 2", "answer"), ("Enter", "play"), ("Esc", "back")],
            },
        };
        let body = chrome::draw(&page, area, buffer, shared.theme);
        match lesson {
            None => self.draw_list(body, buffer, shared),
            Some(lesson) => self.draw_lesson(lesson, body, buffer, shared),
        }
    }

    fn help(&self) -> Help {
        Help::new("new levels and lessons", KEYS, false)
    }
}
