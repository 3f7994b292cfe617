//! How hard a level is, by the measure of `levels/README.md`.

use lurd::{AlgorithmName, Choices, Direction, Goal, Level, Limits, Proof, Report, Request};

/// The report of a proved optimum. Difficulty is measured by what A* opens.
pub(crate) fn optimum(level: &Level, goal: Goal, limits: Limits) -> Option<Report> {
    let classic = Choices { algorithm: Some(AlgorithmName::AStar), ..Choices::default() };
    let config = Request { goal, limits, classic, ..Request::default() };
    let report = lurd::solve_with(level, &config, &lurd::Cancel::new(), &mut |_| ()).ok()?;
    matches!(report.proof, Proof::OptimalPushes | Proof::OptimalMoves).then_some(report)
}

/// How often a solution turns from one box to another: a push that does not follow a push in a row.
fn changes(lurd: &str) -> u32 {
    let (mut row, mut column, mut last, mut changes) = (0, 0, None, 0);
    for letter in lurd.chars() {
        let Some((down, right)) = Direction::from_letter(letter).map(Direction::delta) else { continue };
        (row, column) = (row + down, column + right);
        if letter.is_ascii_uppercase() {
            changes += u32::from(last != Some((row, column)));
            last = Some((row + down, column + right));
        }
    }
    changes
}

/// Pushes, plus changes of box times the binary digits of the positions the search had to open; and the changes.
pub(crate) fn difficulty(report: &Report) -> Option<(f64, u32)> {
    let solution = report.solution.as_ref()?;
    let changes = changes(&solution.lurd);
    let digits = (1.0 + report.statistics.expanded as f64).log2();
    Some((solution.pushes as f64 + f64::from(changes) * digits, changes))
}
