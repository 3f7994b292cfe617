//! The JSON lines of `lurd solve` and `lurd improve`.

use lurd_contract::Record;
use serde::Deserialize;

/// A line of `--json` on standard output: how the work on the level ended.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Answered {
    /// What came of the search; the improver says its game and what it cost.
    #[serde(flatten)]
    pub record: Record,
    /// The letters of the best game given to the improver.
    pub moves_before: Option<usize>,
    /// Its capital letters.
    pub pushes_before: Option<usize>,
    /// Whether the improver proved that nothing better exists.
    #[serde(default)]
    pub exhausted: bool,
}

/// A line of `--progress` on standard error.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Progress {
    /// Positions generated.
    pub generated: Option<u64>,
    /// No solution is below this.
    pub lower_bound: Option<u64>,
    /// Moves of the best game so far.
    pub moves: Option<usize>,
    /// Pushes of the best game so far.
    pub pushes: Option<usize>,
}

/// What a line of standard error says.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// How far the search is.
    Progress(Progress),
    /// Something for people.
    Sentence(String),
}

/// Reads a line of standard output; `None` if it is nothing known.
pub fn answered(line: &str) -> Option<Answered> {
    serde_json::from_str(line).ok()
}

/// Reads a line of standard error.
pub fn note(line: &str) -> Note {
    match serde_json::from_str(line) {
        Ok(progress) => Note::Progress(progress),
        Err(_) => Note::Sentence(sentence(line).to_owned()),
    }
}

/// What the player needs of a line: they know who speaks, and gave no file.
fn sentence(line: &str) -> &str {
    line.trim().trim_start_matches("lurd: ").trim_start_matches("standard input: ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_contract::Ending;

    #[test]
    fn results_of_both_commands_are_read() {
        let solved = answered(
            r#"{"level":1,"title":"","outcome":"solved","stopped_by":null,"solution":"rR","moves":2,"pushes":1,
               "proof":"none","expanded":5,"generated":8}"#,
        )
        .unwrap();
        let solved = solved.record;
        assert_eq!((solved.outcome, solved.solution.as_deref()), (Ending::Solved, Some("rR")));
        let improved =
            answered(r#"{"solution":"R","moves":1,"pushes":1,"moves_before":3,"pushes_before":1,"exhausted":true,"generated":8}"#)
                .unwrap();
        assert_eq!((improved.moves_before, improved.record.moves, improved.exhausted), (Some(3), Some(1), true));
        assert_eq!(answered("lurd: something"), None);
    }

    #[test]
    fn progress_is_told_from_sentences() {
        let progress = note(r#"{"level":1,"seconds":0.2,"expanded":3,"generated":9,"bytes":1,"lower_bound":null}"#);
        assert_eq!(progress, Note::Progress(Progress { generated: Some(9), ..Progress::default() }));
        assert_eq!(note("lurd: standard input: there is no box\n"), Note::Sentence("there is no box".into()));
    }
}
