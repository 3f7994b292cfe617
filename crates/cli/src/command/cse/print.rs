//! Boards, values and lines of play as text.

use crate::table::Table;
use crate::units;
use lurd_cse::{Board, Cell, Letter, MethodCost, Move, Position, RatedMove};
use lurd_search::game::Side;
use std::io::{self, Write};

/// MAX or MIN.
pub(super) fn name(side: Side) -> &'static str {
    match side {
        Side::Max => "MAX",
        Side::Min => "MIN",
    }
}

/// What a value means: `MAX wins in 5 moves`.
pub(super) fn meaning(value: i32, plies: Option<u32>) -> String {
    let winner = match value.signum() {
        0 => return "draw".to_owned(),
        1 => Side::Max,
        _ => Side::Min,
    };
    let moves =
        plies.map_or_else(String::new, |plies| format!(" in {}", units::plural(plies as usize, "move", "moves")));
    format!("{} wins{moves}", name(winner))
}

/// The board with its row and column numbers; the cells of completed lines in brackets.
pub(super) fn board(out: &mut dyn Write, position: &Position) -> io::Result<()> {
    let completed: Vec<Cell> = position.completed_lines().into_iter().flatten().collect();
    writeln!(out, "\n     1   2   3")?;
    for row in Cell::ALL.chunks(3) {
        let picture = |&cell: &Cell| {
            let letter = position.board().get(cell).map_or('.', Letter::as_char);
            if completed.contains(&cell) { format!(" [{letter}]") } else { format!("  {letter} ") }
        };
        let cells: String = row.iter().map(picture).collect();
        writeln!(out, "  {}{}", row[0].row() + 1, cells.trim_end())?;
    }
    writeln!(out)
}

/// The value of every move, laid out as the board is: for each empty cell those of C, S and E.
pub(super) fn values(out: &mut dyn Write, before: Board, moves: &[RatedMove]) -> io::Result<()> {
    /// A value with its sign, two digits of plies and a space.
    const WIDTH: usize = 4;
    const CELL: usize = 3 * WIDTH + 2;
    writeln!(out, "  +n: MAX wins in n moves; -n: MIN wins in n moves; 0: draw")?;
    let line = |cells: [String; 3]| format!("    {}", cells.concat());
    let letters = Letter::ALL.map(|letter| format!("{letter:>WIDTH$}", letter = letter.as_char())).concat();
    writeln!(out, "{}", line(["1", "2", "3"].map(|column| format!("{column:^CELL$}"))).trim_end())?;
    writeln!(out, "{}", line([(); 3].map(|()| format!("{letters:<CELL$}"))).trim_end())?;
    for row in Cell::ALL.chunks(3) {
        let mut text = format!("  {} ", row[0].row() + 1);
        for &cell in row {
            let picture = match before.get(cell) {
                Some(letter) => format!("{:^width$}", format!("({letter})"), width = 3 * WIDTH),
                None => Letter::ALL.map(|letter| short(moves, Move { cell, letter })).concat(),
            };
            text.push_str(&format!("{picture:<CELL$}"));
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// `+5`, `-4` or `0`.
fn short(moves: &[RatedMove], mv: Move) -> String {
    let rated = moves.iter().find(|rated| rated.mv == mv);
    let text = rated.map_or_else(String::new, |rated| match (rated.value, rated.plies) {
        (value, Some(plies)) => format!("{}{plies}", if value > 0 { '+' } else { '-' }),
        (value, None) => value.to_string(),
    });
    format!("{text:>4}")
}

/// Best play of both sides, each move with who makes it.
pub(super) fn line_of_play(moves: &[Move], first: Side) -> String {
    let sides = [first, first.other()].into_iter().cycle();
    let moves: Vec<String> = moves.iter().zip(sides).map(|(mv, side)| format!("{} {mv}", name(side))).collect();
    moves.join(", ")
}

/// What each method visits.
pub(super) fn costs(methods: &[MethodCost]) -> Table {
    let mut table = Table::new("  method|>nodes|>cut off|>remembered|>memo");
    for cost in methods {
        let mut row = vec![format!("  {}", cost.method)];
        row.extend([cost.nodes, cost.cutoffs, cost.memo_hits, cost.memo_entries].map(units::count));
        table.row(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::printed;
    use lurd_cse::{Advice, Start};
    use lurd_search::game::Strategy;

    #[test]
    fn a_board_shows_where_the_line_is() {
        let mut position = Position::new(Start::Left, Side::Max);
        assert_eq!(
            printed(|out| board(out, &position)),
            "\n     1   2   3\n  1  .   .   .\n  2  S   .   .\n  3  .   .   .\n\n"
        );
        for entry in ["1 1 C", "3 1 E"] {
            position = position.play(lurd_cse::parse_move(entry).unwrap()).unwrap();
        }
        assert!(printed(|out| board(out, &position)).contains("  2 [S]  .   .\n"));
    }

    #[test]
    fn every_move_has_its_value_under_its_letter() {
        let position = Position::new(Start::Left, Side::Max).play(lurd_cse::parse_move("1 1 C").unwrap()).unwrap();
        let advice = Advice::of(&position, Strategy::BEST);
        let text = printed(|out| values(out, position.board(), &advice.moves));
        // MIN completes C S E down the first column at once.
        let last = text.lines().last().unwrap();
        assert_eq!(last.split_whitespace().nth(3), Some("-1"), "{text}");
        assert_eq!(text.matches("(").count(), 2, "{text}");
    }

    #[test]
    fn values_are_said_in_words() {
        assert_eq!(meaning(1, Some(1)), "MAX wins in 1 move");
        assert_eq!(meaning(-1, Some(4)), "MIN wins in 4 moves");
        assert_eq!(meaning(0, None), "draw");
    }
}
