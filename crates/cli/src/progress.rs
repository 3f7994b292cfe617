//! Progress of long searches on standard error, one line for each that runs.
//!
//! Shown only on a terminal, and only once a search has taken long enough to make
//! somebody wonder.

use crate::units;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use lurd::Progress;
use std::io::{self, IsTerminal};

/// A search shorter than this shows nothing.
const PATIENCE: f64 = 0.5;

/// All the lines on the screen.
#[derive(Clone, Debug)]
pub struct Display(Option<MultiProgress>);

impl Display {
    /// A display on standard error, silent if that is no terminal.
    pub fn new() -> Self {
        let shown = io::stderr().is_terminal();
        Self(shown.then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8))))
    }

    /// A line for one search; it appears when there is something to say.
    pub fn line(&self, label: String) -> Line<'_> {
        Line { display: self, label, bar: None }
    }

    /// Takes the lines off the screen while `print` writes to it.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(screen) => screen.suspend(print),
            None => print(),
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
    bar: Option<ProgressBar>,
}

impl Line<'_> {
    /// Shows how far the search is.
    pub fn show(&mut self, progress: &Progress) {
        self.show_with(progress, "");
    }

    /// Shows how far the search is, and something more.
    pub fn show_with(&mut self, progress: &Progress, more: &str) {
        if self.display.0.is_some() {
            let sentence = format!("{}  {more}", sentence(&self.label, progress)).trim_end().to_owned();
            self.say(progress.seconds, sentence);
        }
    }

    /// Shows anything else after its label.
    pub fn tell(&mut self, seconds: f64, what: &str) {
        let sentence = format!("{}  {}  {what}", self.label, units::seconds(seconds));
        self.say(seconds, sentence);
    }

    fn say(&mut self, seconds: f64, sentence: String) {
        let Some(screen) = &self.display.0 else { return };
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
        let statistics =
            lurd::Statistics { seconds: 2.0, expanded: 3000, peak_bytes: 1 << 20, ..lurd::Statistics::default() };
        assert_eq!(
            sentence("level 7", &Progress::of(&statistics, Some(42))),
            "level 7  2.0 s  3,000 nodes  1,500/s  bound 42  1.0 MiB"
        );
    }
}
