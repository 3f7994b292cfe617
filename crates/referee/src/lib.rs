//! Replays a Sokoban answer by the bare rules; shares no code with the engines.
//!
//! [`judge`] takes the text of one level and a plain LURD string and plays it
//! letter by letter. It is kept small on purpose: whoever doubts an answer can
//! read this file in five minutes and believe it.
//!
//! ```
//! let level = "#####\n#@$.#\n#####";
//! let verdict = lurd_referee::judge(level, "R").expect("a legal game");
//! assert!(verdict.solved);
//! assert_eq!((verdict.moves, verdict.pushes), (1, 1));
//! ```

mod board;

use board::{Board, Stuck};
use std::fmt;

/// What came of a game that broke no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Steps of the player, pushes included.
    pub moves: usize,
    /// Steps that moved a box.
    pub pushes: usize,
    /// Whether every box stands on a goal at the end and every goal holds a box.
    pub solved: bool,
    /// Boxes that stand off the goals at the end.
    pub boxes_off_goal: usize,
    /// Goals without a box at the end. Where it differs from `boxes_off_goal` the level itself
    /// has more of one than of the other, and can never be solved.
    pub goals_without_box: usize,
    /// The number, from 1, of the first move whose letter case is wrong (a capital that pushed
    /// nothing, or a small letter that pushed). Case is a hint and no rule, so this is no fault.
    pub case_mismatch: Option<usize>,
    /// The game with the letter case recomputed: pushes in capitals.
    pub lurd: String,
    /// The board at the end, in XSB.
    pub board: String,
}

/// Why a game cannot be judged or breaks the rules. Lines, columns and moves count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of every fault are named in its sentence")]
pub enum Fault {
    /// A character of the level that is not of a board.
    Character { character: char, line: usize, column: usize },
    /// The level has no player.
    NoPlayer,
    /// The level has a second player here.
    SecondPlayer { line: usize, column: usize },
    /// A letter of the game that is none of `l u r d L U R D`.
    Letter { number: usize, letter: char },
    /// A move into a wall.
    Wall { number: usize, letter: char },
    /// A push of a box that a wall stops.
    BoxAtWall { number: usize, letter: char },
    /// A push of a box that another box stops.
    BoxAtBox { number: usize, letter: char },
    /// A move or a push off the board's edge.
    Edge { number: usize, letter: char },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character { character, line, column } => {
                write!(f, "line {line}, column {column} of the level: {character:?} is not a character of a board")
            }
            Self::NoPlayer => write!(f, "the level has no player"),
            Self::SecondPlayer { line, column } => {
                write!(f, "line {line}, column {column} of the level: there is a second player")
            }
            Self::Letter { number, letter } => {
                write!(f, "move {number}, {letter:?}, is none of l, u, r, d, L, U, R, D")
            }
            Self::Wall { number, letter } => write!(f, "move {number}, `{letter}`, walks into a wall"),
            Self::BoxAtWall { number, letter } => write!(f, "move {number}, `{letter}`, pushes a box into a wall"),
            Self::BoxAtBox { number, letter } => write!(f, "move {number}, `{letter}`, pushes a box into another box"),
            Self::Edge { number, letter } => write!(f, "move {number}, `{letter}`, leads off the board"),
        }
    }
}

impl std::error::Error for Fault {}

/// Plays `lurd` on the level drawn in `level` (XSB, one row a line) and says what came of it.
///
/// The game holds plain letters only; white space between them is skipped and not counted.
///
/// # Errors
/// The first thing that is wrong with the level, or else the first move that breaks a rule.
pub fn judge(level: &str, lurd: &str) -> Result<Verdict, Fault> {
    let mut board = Board::read(level)?;
    let mut played = String::with_capacity(lurd.len());
    let (mut pushes, mut number, mut case_mismatch) = (0, 0, None);
    for letter in lurd.chars().filter(|letter| !letter.is_whitespace()) {
        number += 1;
        let (down, right) = match letter.to_ascii_lowercase() {
            'l' => (0, -1),
            'u' => (-1, 0),
            'r' => (0, 1),
            'd' => (1, 0),
            _ => return Err(Fault::Letter { number, letter }),
        };
        let pushed = board.step(down, right).map_err(|stuck| match stuck {
            Stuck::Wall => Fault::Wall { number, letter },
            Stuck::BoxAtWall => Fault::BoxAtWall { number, letter },
            Stuck::BoxAtBox => Fault::BoxAtBox { number, letter },
            Stuck::Edge => Fault::Edge { number, letter },
        })?;
        pushes += usize::from(pushed);
        if pushed != letter.is_ascii_uppercase() && case_mismatch.is_none() {
            case_mismatch = Some(number);
        }
        played.push(if pushed { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() });
    }
    let (boxes_off_goal, goals_without_box) = board.unfinished();
    Ok(Verdict {
        moves: number,
        pushes,
        solved: boxes_off_goal == 0 && goals_without_box == 0,
        boxes_off_goal,
        goals_without_box,
        case_mismatch,
        lurd: played,
        board: board.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: &str = "#######\n#@ $ .#\n# $.  #\n#     #\n#######";

    #[test]
    fn a_solution_is_solved_and_counted() {
        let verdict = judge(ROOM, "rRRlldR").unwrap();
        assert_eq!((verdict.moves, verdict.pushes, verdict.solved), (7, 3, false));
        assert_eq!((verdict.boxes_off_goal, verdict.goals_without_box), (1, 1));
        let verdict = judge(ROOM, "rRRllldR").unwrap();
        assert_eq!((verdict.moves, verdict.pushes, verdict.solved), (8, 3, true));
        assert_eq!(verdict.board, "#######\n#    *#\n# @*  #\n#     #\n#######\n");
    }

    #[test]
    fn a_game_that_is_not_finished_is_legal_but_not_solved() {
        let verdict = judge(ROOM, "").unwrap();
        assert_eq!((verdict.moves, verdict.pushes, verdict.solved), (0, 0, false));
        assert_eq!(verdict.boxes_off_goal, 2);
    }

    #[test]
    fn letter_case_is_recomputed_and_reported() {
        let verdict = judge("#####\n#@$.#\n#####", "r").unwrap();
        assert!(verdict.solved);
        assert_eq!((verdict.pushes, verdict.case_mismatch, verdict.lurd.as_str()), (1, Some(1), "R"));
        let verdict = judge(ROOM, "RRRllldR").unwrap();
        assert_eq!((verdict.case_mismatch, verdict.lurd.as_str()), (Some(1), "rRRllldR"));
        assert_eq!(judge(ROOM, "rRRllldR").unwrap().case_mismatch, None);
    }

    #[test]
    fn every_fault_names_the_first_bad_move() {
        let number_of = |level: &str, game: &str| judge(level, game).unwrap_err();
        assert_eq!(number_of(ROOM, "rru"), Fault::Wall { number: 3, letter: 'u' });
        assert_eq!(number_of(ROOM, "u"), Fault::Wall { number: 1, letter: 'u' });
        assert_eq!(number_of("#####\n#@$.#\n#####", "RR"), Fault::BoxAtWall { number: 2, letter: 'R' });
        assert_eq!(number_of("######\n#@$*.#\n######", "R"), Fault::BoxAtBox { number: 1, letter: 'R' });
        assert_eq!(number_of("@$.", "lR"), Fault::Edge { number: 1, letter: 'l' });
        assert_eq!(number_of("@.$", "rR"), Fault::Edge { number: 2, letter: 'R' });
        assert_eq!(number_of(ROOM, "r3R"), Fault::Letter { number: 2, letter: '3' });
        assert_eq!(number_of(ROOM, "rRé"), Fault::Letter { number: 3, letter: 'é' });
    }

    #[test]
    fn a_level_that_is_no_level_is_a_fault() {
        assert_eq!(judge("", "r"), Err(Fault::NoPlayer));
        assert_eq!(judge("###\n# #\n###", "r"), Err(Fault::NoPlayer));
        assert_eq!(judge("#@ @#", "r"), Err(Fault::SecondPlayer { line: 1, column: 4 }));
        assert_eq!(judge("#@ +#", "r"), Err(Fault::SecondPlayer { line: 1, column: 4 }));
        assert_eq!(judge("#####\n#@?.#", "r"), Err(Fault::Character { character: '?', line: 2, column: 3 }));
    }

    #[test]
    fn goals_under_the_player_and_under_boxes_count() {
        let verdict = judge("#####\n#+$ #\n#####", "").unwrap();
        assert_eq!((verdict.solved, verdict.goals_without_box), (false, 1));
        let verdict = judge("######\n# $+ #\n######", "rlL").unwrap();
        assert_eq!(verdict.board, "######\n#$@. #\n######\n");
        let verdict = judge("######\n#@ * #\n######", "rRl").unwrap();
        assert_eq!((verdict.solved, verdict.board.as_str()), (false, "######\n# @.$#\n######\n"));
        assert!(judge("#####\n#@ *#\n#####", "").unwrap().solved, "a level may start solved");
    }

    #[test]
    fn more_goals_than_boxes_is_never_solved() {
        let verdict = judge("######\n#@$..#\n######", "R").unwrap();
        assert_eq!((verdict.solved, verdict.boxes_off_goal, verdict.goals_without_box), (false, 0, 1));
    }

    #[test]
    fn decoration_outside_counts_as_finished() {
        assert!(judge("##### ***\n#@$.#\n#####", "R").unwrap().solved);
        assert!(!judge("##### $ .\n#@$.#\n#####", "R").unwrap().solved);
    }

    #[test]
    fn a_box_can_be_pushed_over_goals_and_the_player_walk_over_them() {
        let verdict = judge("#######\n#@$.. #\n#######", "RRR").unwrap();
        assert_eq!(verdict.board, "#######\n#  .+$#\n#######\n");
    }

    #[test]
    fn alternates_dashes_ragged_rows_and_line_ends_are_read() {
        let verdict = judge("-####\r\n##-_#--\r\n#pb.#\r\n#####", "R").unwrap();
        assert!(verdict.solved);
        assert!(judge("#####\n#P B#\n#####", "rl").is_ok());
    }

    #[test]
    fn white_space_in_the_game_is_not_counted() {
        assert_eq!(judge(ROOM, " rR\nRl lu").unwrap_err(), Fault::Wall { number: 6, letter: 'u' });
        assert_eq!(judge(ROOM, "r R\n").unwrap().moves, 2);
    }

    #[test]
    fn faults_are_sentences() {
        assert_eq!(judge(ROOM, "rru").unwrap_err().to_string(), "move 3, `u`, walks into a wall");
        assert_eq!(
            judge("#@ @#", "").unwrap_err().to_string(),
            "line 1, column 4 of the level: there is a second player"
        );
    }
}
