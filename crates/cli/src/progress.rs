//! Progress of long searches on standard error, one line for each that runs.
//!
//! Shown only on a terminal, and only once a search has taken long enough to make
//! somebody wonder; or, for a program that asks for it, as JSON objects.

use crate::output::json_line;
use crate::units;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use lurd::Progress;
use lurd::improve::Best;
use serde::Serialize;
use std::io::{self, IsTerminal};

/// A search shorter than this shows nothing.
const PATIENCE: f64 = 0.5;

/// All the lines on the screen.
#[derive(Clone, Debug)]
pub struct Display(Sink);

#[derive(Clone, Debug)]
enum Sink {
    Silent,
    Screen(MultiProgress),
    Objects,
}

impl Display {
    /// A display on standard error, silent if that is no terminal.
    pub fn new() -> Self {
        if !io::stderr().is_terminal() {
            return Self(Sink::Silent);
        }
        Self(Sink::Screen(MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8))))
    }

    /// A display that prints a JSON object a line.
    pub fn objects() -> Self {
        Self(Sink::Objects)
    }

    /// A line for one search; it appears when there is something to say.
    pub fn line(&self, label: String) -> Line<'_> {
        Line { display: self, label, level: None, bar: None }
    }

    /// A line for the search of one level.
    pub fn level(&self, number: usize) -> Line<'_> {
        Line { display: self, label: format!("level {number}"), level: Some(number), bar: None }
    }

    /// Takes the lines off the screen while `print` writes to it.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Sink::Screen(screen) => screen.suspend(print),
            Sink::Silent | Sink::Objects => print(),
        }
    }
}

impl Default for Display {
    fn default() -> Self {
        Self::new()
    }
}

/// The line of one search; it goes when dropped.
#[derive(Debug)]
pub struct Line<'a> {
    display: &'a Display,
    label: String,
    level: Option<usize>,
    bar: Option<ProgressBar>,
}

/// How far a search is, as `--progress` prints it. The names are a contract.
#[derive(Serialize)]
struct ProgressRecord<'a> {
    level: Option<usize>,
    #[serde(flatten)]
    progress: &'a Progress,
}

/// A better solution, as `--progress` prints it.
#[derive(Serialize)]
struct BestRecord {
    level: Option<usize>,
    seconds: f64,
    pushes: usize,
    moves: usize,
}

impl Line<'_> {
    /// Shows how far the search is.
    pub fn show(&mut self, progress: &Progress) {
        self.show_with(progress, "");
    }

    /// Shows how far the search is, and something more.
    pub fn show_with(&mut self, progress: &Progress, more: &str) {
        match self.display.0 {
            Sink::Silent => {}
            Sink::Screen(_) => {
                let sentence = format!("{}  {more}", sentence(&self.label, progress)).trim_end().to_owned();
                self.say(progress.seconds, sentence);
            }
            Sink::Objects => {
                object(&ProgressRecord { level: self.level, progress });
            }
        }
    }

    /// Shows that a better solution is known.
    pub fn better(&mut self, seconds: f64, best: &Best) {
        let &Best { pushes, moves, .. } = best;
        match self.display.0 {
            Sink::Silent => {}
            Sink::Screen(_) => self.tell(seconds, &format!("{pushes} pushes, {moves} moves")),
            Sink::Objects => object(&BestRecord { level: self.level, seconds, pushes, moves }),
        }
    }

    /// Shows anything else after its label, on a screen.
    pub fn tell(&mut self, seconds: f64, what: &str) {
        let sentence = format!("{}  {}  {what}", self.label, units::seconds(seconds));
        self.say(seconds, sentence);
    }

    /// Shows a sentence, on a screen and once the work has lasted a moment.
    pub fn say(&mut self, seconds: f64, sentence: String) {
        let Sink::Screen(screen) = &self.display.0 else { return };
        if seconds < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = screen.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        bar.set_message(sentence);
        bar.tick();
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Prints an object. A reader that has gone is no reason to end the search.
fn object(object: &impl Serialize) {
    let _ = json_line(&mut io::stderr().lock(), object);
}

fn sentence(label: &str, progress: &Progress) -> String {
    let bound = progress.lower_bound.map_or_else(String::new, |bound| format!("  bound {bound}"));
    format!(
        "{label}  {}  {} nodes  {}/s{bound}  {}",
        units::seconds(progress.seconds),
        units::count(progress.expanded),
        units::count(units::rate(progress.expanded, progress.seconds)),
        units::size(progress.bytes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_time_nodes_rate_bound_and_memory() {
        let progress =
            Progress { seconds: 2.0, expanded: 3000, bytes: 1 << 20, lower_bound: Some(42), ..Progress::default() };
        assert_eq!(sentence("level 7", &progress), "level 7  2.0 s  3,000 nodes  1,500/s  bound 42  1.0 MiB");
    }
}
