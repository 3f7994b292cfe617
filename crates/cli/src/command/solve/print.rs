//! A level's result, for people and for programs.

use crate::{input, units};
use lurd::{Level, Report, Step};
use std::io::{self, Write};

/// Titles longer than this are cut.
const TITLE: usize = 32;

/// Prints results in columns that fit all the chosen levels.
#[derive(Debug)]
pub(super) struct Printer {
    number: usize,
    title: usize,
}

impl Printer {
    pub(super) fn new(levels: &[&Level]) -> Self {
        let widest = |width: fn(&&Level) -> usize| levels.iter().map(width).max().unwrap_or(0);
        Self {
            number: widest(|level| level.number.to_string().len()),
            title: widest(|level| input::title(level).chars().count()).min(TITLE),
        }
    }

    pub(super) fn people(&self, out: &mut dyn Write, level: &Level, report: &Report) -> io::Result<()> {
        let (number, width) = (self.number, self.title);
        let title: String = input::title(level).chars().take(width).collect();
        write!(out, "{:>number$}  {title:<width$}  {:<13}", level.number, report.in_words())?;
        match &report.solution {
            Some(solution) => {
                let pushes = units::plural(solution.pushes, "push", "pushes");
                let moves = units::plural(solution.moves, "move", "moves");
                write!(out, "  {pushes:>11}  {moves:>11}  {:<14}", proof(report))?;
            }
            None => {
                let bound = report.lower_bound.map(|bound| format!("no solution is below {bound}"));
                write!(out, "  {:<40}", bound.unwrap_or_default())?;
            }
        }
        writeln!(out, "  {:>8}", units::seconds(report.statistics.seconds))?;
        let indent = number + 2;
        if let Some(solution) = &report.solution {
            writeln!(out, "{:indent$}{}", "", solution.lurd)?;
        }
        for note in &report.notes {
            writeln!(out, "{:indent$}note: {note}", "")?;
        }
        Ok(())
    }
}

/// What is known about the quality of a solution; `none` would read as if something were missing.
fn proof(report: &Report) -> String {
    match report.proof {
        lurd::Proof::None => "not proved".into(),
        proof => proof.to_string(),
    }
}

/// Every board of a solution with its figures.
pub(super) fn steps(out: &mut dyn Write, steps: &[Step]) -> io::Result<()> {
    for (number, step) in steps.iter().enumerate() {
        let letter = step.letter.map_or_else(|| "start".to_owned(), String::from);
        let (h, f) = match step.h {
            Some(h) => (h.to_string(), (step.g + h).to_string()),
            None => ("dead".to_owned(), "dead".to_owned()),
        };
        writeln!(out, "\nstep {number}  {letter}  g {}  h {h}  f {f}", step.g)?;
        writeln!(out, "{}", step.board.trim_end_matches('\n'))?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::made_up;
    use crate::output::tests::printed;
    use lurd::{Map, Outcome};
    use lurd_base::Stop;

    fn level(number: usize, title: &str) -> Level {
        Level { number, title: Some(title.into()), ..Level::new(Map::from_xsb("#####\n#@$.#\n#####").unwrap()) }
    }

    #[test]
    fn results_stand_in_columns() {
        let (first, second) = (level(1, "A"), level(10, "Longer\x07"));
        let printer = Printer::new(&[&first, &second]);
        let mut stopped = made_up(Outcome::Stopped(Stop::Time));
        stopped.lower_bound = Some(7);
        stopped.notes.push("inadmissible: not optimal".into());
        let text = printed(|out| {
            printer.people(out, &first, &made_up(Outcome::Solved))?;
            printer.people(out, &second, &stopped)
        });
        assert_eq!(
            text,
            " 1  A        solved              1 push      2 moves  at-most-1.5      0.250 s\n\
             \x20   rR\n\
             10  Longer?  time limit     no solution is below 7                     0.250 s\n\
             \x20   note: inadmissible: not optimal\n"
        );
    }

    #[test]
    fn steps_show_their_figures() {
        let step = |letter, g, h| Step { letter, board: "#@$.#\n".into(), g, h };
        let text = printed(|out| steps(out, &[step(None, 0, Some(2)), step(Some('R'), 1, None)]));
        assert_eq!(text, "\nstep 0  start  g 0  h 2  f 2\n#@$.#\n\nstep 1  R  g 1  h dead  f dead\n#@$.#\n\n");
    }
}
