//! A solution board by board: side by side, or one by one with its figures.

use lurd_tiles::{Board, Estimator, Report};
use std::io::{self, IsTerminal, Write};

/// What a line holds where the output is no terminal.
const USUAL_WIDTH: usize = 80;

/// Boards shown side by side before the rest is only counted: depth-first finds paths of
/// tens of thousands of moves.
const SHOWN: usize = 200;

/// How wide the output is.
pub(super) fn width() -> usize {
    let terminal = || crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns));
    if io::stdout().is_terminal() { terminal().unwrap_or(USUAL_WIDTH) } else { USUAL_WIDTH }
}

/// Boards in rows, each under its headings.
pub(super) fn side_by_side(out: &mut dyn Write, pictures: &[Vec<String>], width: usize) -> io::Result<()> {
    const GAP: usize = 3;
    let widest = pictures.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
    let in_a_row = ((width + GAP) / (widest + GAP)).max(1);
    for (index, row) in pictures.chunks(in_a_row).enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let height = row.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let cell = |picture: &Vec<String>| {
                format!("{:<width$}", picture.get(line).map_or("", String::as_str), width = widest + GAP)
            };
            writeln!(out, "{}", row.iter().map(cell).collect::<String>().trim_end())?;
        }
    }
    Ok(())
}

/// A board under headings.
pub(super) fn picture(headings: &[String], board: &Board) -> Vec<String> {
    let rows = format!("{board:#}");
    headings.iter().cloned().chain(rows.lines().map(str::to_owned)).collect()
}

/// The boards of a solution side by side, each under its number and the way the blank went.
pub(super) fn overview(out: &mut dyn Write, report: &Report, width: usize) -> io::Result<()> {
    let boards = report.steps.len() + 1;
    let directions = std::iter::once("start").chain(report.steps.iter().map(|step| step.direction.name()));
    let pictures: Vec<Vec<String>> = report
        .boards()
        .zip(directions)
        .enumerate()
        .take(SHOWN)
        .map(|(number, (board, direction))| picture(&[number.to_string(), direction.to_owned()], board))
        .collect();
    side_by_side(out, &pictures, width)?;
    if boards > SHOWN {
        writeln!(out, "\n{} more boards are left out; --steps shows every one", boards - SHOWN)?;
    }
    Ok(())
}

/// Every board of a solution with its cost so far g, estimate h and f = g + h.
pub(super) fn steps(out: &mut dyn Write, report: &Report, estimator: &Estimator) -> io::Result<()> {
    for (g, board) in (0u32..).zip(report.boards()) {
        let made = match (g as usize).checked_sub(1).and_then(|last| report.steps.get(last)) {
            None => "start".to_owned(),
            Some(step) => format!("blank {}, tile {}", step.direction, step.tile),
        };
        let h = estimator.value(board);
        writeln!(out, "\nstep {g}  {made}  g {g}  h {h}  f {}\n{board:#}", g + h)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::printed;

    #[test]
    fn boards_fill_the_width_and_go_on_below() {
        let board = Board::standard_goal(2);
        let pictures: Vec<_> = (0..3).map(|number: i32| picture(&[number.to_string()], &board)).collect();
        let text = printed(|out| side_by_side(out, &pictures, 9));
        assert_eq!(text, "0     1\n1 2   1 2\n3 _   3 _\n\n2\n1 2\n3 _\n");
    }

    #[test]
    fn a_narrow_terminal_still_gets_one_board_a_row() {
        let pictures = vec![picture(&[], &Board::standard_goal(2)); 2];
        assert_eq!(printed(|out| side_by_side(out, &pictures, 1)), "1 2\n3 _\n\n1 2\n3 _\n");
    }
}
