//! What the screen of a level says: counters, warnings, hints and keys.

use crate::screens::chrome::Message;
use crate::screens::{count, counters, printable};
use crate::session::{Finished, Hint, Session};
use crate::theme::{Role, Theme};
use lurd::Board;
use lurd_lessons::{Degree, LostReason};

/// The keys that matter now.
pub(super) fn keys(session: &Session, pointing: bool) -> &'static [(&'static str, &'static str)] {
    if pointing {
        &[("Enter", "walk or push there"), ("Esc", "end"), ("arrows", "point")]
    } else if session.finished().is_some() {
        &[("n", "next"), ("p", "watch it"), ("R", "again"), ("o", "levels"), ("u", "undo"), ("q", "leave")]
    } else {
        &[
            ("u", "undo"),
            ("r", "redo"),
            ("i", "hint"),
            ("R", "restart"),
            ("x", "solve"),
            ("n", "next"),
            ("o", "levels"),
            ("c", "pointer"),
            ("m", "menu"),
            ("q", "leave"),
        ]
    }
}

/// Whether the level is solved or lost, or the solver at work.
pub(super) fn state(session: &Session) -> Option<Message> {
    let game = session.game();
    if let Some(finished) = session.finished() {
        return Some(match finished {
            Finished::Kept { new_best } => {
                let best = if *new_best { ", your best yet" } else { "" };
                let (moves, pushes) = (count(game.moves(), "move"), count(game.pushes(), "push"));
                (format!("Solved with {moves} and {pushes}{best}! n: next level."), Role::Good)
            }
            Finished::Refused(reason) => {
                (format!("The referee does not accept this solution: {reason}. It was not kept."), Role::Lost)
            }
        });
    }
    if let Some((moves, deadlock)) = session.game().deadlock() {
        let what = deadlock.rule.about();
        return Some(if moves == 0 {
            (format!("Lost as drawn: {what}"), Role::Lost)
        } else if moves == game.moves() {
            (format!("Lost: {what} (u takes the push back)"), Role::Lost)
        } else {
            (format!("Lost: {what} (since move {moves}; U takes pushes back)"), Role::Lost)
        });
    }
    session.solver().map(|solver| {
        let (seconds, states) = (solver.work.elapsed().as_secs_f64(), solver.expanded());
        (format!("Thinking: {seconds:.1} s, {states} positions. Esc stops."), Role::Hint)
    })
}

/// A hint in words, as far as its degree goes.
pub(super) fn hint(board: &Board, hint: Hint, degree: Degree) -> Message {
    let told = lurd_lessons::Hint { boxed: hint.boxed, direction: hint.direction }.words(board, degree);
    let more = if degree == Degree::Push { "Space does it." } else { "i: more." };
    // The sentence goes on after the word and its colon.
    let (first, rest) = told.split_at(1);
    (format!("Hint: {}{rest} {more}", first.to_lowercase()), Role::Hint)
}

/// Why the level is lost.
pub(super) fn reason(reason: &LostReason) -> String {
    let line = if reason.line.is_empty() { String::new() } else { format!("; the best they can do: {}", reason.line) };
    format!("Lost: {}{line}.", reason.words())
}

/// Counters and the best so far.
pub(super) fn figures(session: &Session, width: u16, theme: Theme) -> String {
    let dot = theme.sign("·", "|");
    let record = session.record();
    let best = match (&record.best_moves, &record.best_pushes) {
        (Some(moves), Some(pushes)) => {
            format!(" {dot} best {}, {}", count(moves.moves, "move"), count(pushes.pushes, "push"))
        }
        _ => String::new(),
    };
    let author =
        session.level().author.as_ref().map(|author| format!(" {dot} by {}", printable(author))).unwrap_or_default();
    let mut text = counters(session.game(), theme);
    for part in [best, author] {
        if text.chars().count() + part.chars().count() <= width.into() {
            text += &part;
        }
    }
    text
}
