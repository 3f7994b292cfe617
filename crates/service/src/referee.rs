//! `/solutions/check`: moves replayed by the referee, by the bare rules.

use crate::{Refusal, levels};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most solutions of one question.
const MOST: usize = 64;

/// Moves to be replayed on a level.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Judging {
    board: String,
    /// Moves in LURD, counts allowed.
    solutions: Vec<String>,
}

/// What the referee says of one game.
#[derive(Serialize, ToSchema)]
struct Judged {
    /// Whether every move keeps the rules.
    legal: bool,
    /// Whether every box is on a goal at the end.
    solves: bool,
    moves: usize,
    pushes: usize,
    /// The moves with pushes in capitals; none where a rule is broken.
    lurd: Option<String>,
    /// Which move breaks which rule, or what is missing at the end.
    fault: Option<String>,
}

/// What the referee says of each.
#[derive(Serialize, ToSchema)]
pub struct Judgement {
    solutions: Vec<Judged>,
}

impl Judged {
    fn broken(fault: impl ToString) -> Self {
        Self { legal: false, solves: false, moves: 0, pushes: 0, lurd: None, fault: Some(fault.to_string()) }
    }
}

/// `/solutions/check`: moves replayed by the referee.
///
/// # Errors
/// When the board is no level, or too much is asked at once.
pub fn judge(judging: Judging) -> Result<Judgement, Refusal> {
    if judging.solutions.len() > MOST {
        return Err(Refusal::unprocessable(format!("at most {MOST} solutions are checked at once")));
    }
    let level = levels::level(&judging.board)?;
    let one = |text: &String| {
        let moves = match lurd::notation::decode(text) {
            Ok(moves) => moves,
            Err(why) => return Judged::broken(why),
        };
        match lurd::check(&level, &moves.letters) {
            Ok(verdict) => {
                let missing = verdict.boxes_off_goal;
                let boxes = if missing == 1 { "box is" } else { "boxes are" };
                let fault = (!verdict.solved).then(|| format!("at the end {missing} {boxes} not on a goal"));
                let (moves, pushes) = (verdict.moves, verdict.pushes);
                Judged { legal: true, solves: verdict.solved, moves, pushes, lurd: Some(verdict.lurd), fault }
            }
            Err(fault) => Judged::broken(fault),
        }
    };
    Ok(Judgement { solutions: judging.solutions.iter().map(one).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_referee_says_which_move_breaks_which_rule() {
        let board = "#######\n#@ $ .#\n#######".to_owned();
        let solutions = ["rRR", "r2r", "rR", "uRR", "rx", "rRRR"].map(str::to_owned).to_vec();
        let judged = judge(Judging { board, solutions }).unwrap().solutions;
        let told: Vec<_> = judged.iter().map(|one| (one.legal, one.solves, one.pushes)).collect();
        assert_eq!(told[..3], [(true, true, 2), (true, true, 2), (true, false, 1)]);
        assert!(judged[3..].iter().all(|one| !one.legal && one.lurd.is_none()));
        assert_eq!(judged[1].lurd.as_deref(), Some("rRR"));
        assert_eq!(judged[2].fault.as_deref(), Some("at the end 1 box is not on a goal"));
        assert!(judged[3].fault.as_deref().is_some_and(|fault| fault.contains("walks into a wall")));
        assert!(judge(Judging { board: "###".to_owned(), solutions: Vec::new() }).is_err());
    }
}
