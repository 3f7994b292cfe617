//! The live table of a run on standard error; silent where that is no terminal.

use crate::units;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lurd_batch::RunProgress;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// How often the table is drawn at most.
const BEAT: Duration = Duration::from_millis(200);

/// Solved, open, failed, rate, time left and memory, with a bar.
#[derive(Debug)]
pub(super) struct LiveTable {
    bar: Option<ProgressBar>,
    name: String,
    rungs: usize,
    drawn: Option<Instant>,
}

impl LiveTable {
    pub(super) fn new(name: &str, rungs: usize) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            if let Ok(style) = ProgressStyle::with_template("{msg}\n[{wide_bar}] {percent}%") {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        Self { bar, name: units::printable(name), rungs, drawn: None }
    }

    pub(super) fn show(&mut self, progress: &RunProgress) {
        let Some(bar) = &self.bar else { return };
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < BEAT) && progress.waiting > 0 {
            return;
        }
        self.drawn = Some(Instant::now());
        let total = (progress.waiting + progress.done_here).max(1) as u64;
        bar.set_length(total);
        bar.set_position(progress.done_here as u64);
        bar.set_message(sentence(&self.name, self.rungs, progress, memory_in_use()));
    }
}

impl Drop for LiveTable {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn sentence(name: &str, rungs: usize, progress: &RunProgress, memory: Option<usize>) -> String {
    let [solved, unsolvable, open, failed] = progress.counts;
    let round = if rungs > 1 { format!("  round {} of {rungs}", progress.rung + 1) } else { String::new() };
    let left = progress.time_left().map_or_else(|| "?".to_owned(), |left| units::seconds(left.as_secs_f64()));
    let memory = memory.map_or_else(String::new, |bytes| format!("  memory {}", units::size(bytes)));
    let unsolvable = if unsolvable > 0 { format!("  unsolvable {unsolvable}") } else { String::new() };
    format!(
        "{name}{round}  {} levels\nsolved {solved}{unsolvable}  open {open}  failed {failed}  waiting {}  {:.1}/s  \
         {left} left{memory}",
        progress.levels,
        progress.waiting,
        progress.rate()
    )
}

/// Memory of this process and the searches it started, where the system says.
fn memory_in_use() -> Option<usize> {
    let own = std::process::id();
    let mut pages = 0;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name in brackets may hold anything, so fields are counted behind it: state, parent, ...
        let Some((_, fields)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let field = |place: usize| fields.get(place).and_then(|field| field.parse::<usize>().ok());
        if id == own || field(1) == usize::try_from(own).ok() {
            pages += field(21).unwrap_or(0);
        }
    }
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_tells_everything() {
        let progress = RunProgress {
            levels: 90,
            counts: [40, 1, 3, 2],
            rung: 1,
            waiting: 20,
            done_here: 10,
            elapsed: Duration::from_secs(5),
            workers: Some(2),
        };
        assert_eq!(
            sentence("x", 3, &progress, Some(3 << 20)),
            "x  round 2 of 3  90 levels\nsolved 40  unsolvable 1  open 3  failed 2  waiting 20  2.0/s  10.0 s left  memory 3.0 MiB"
        );
    }
}
