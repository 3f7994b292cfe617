//! `solution.txt` as the course tool writes it.
//!
//! The figures follow the course's definitions, which differ a little from ours. A node is
//! *expanded* when it leaves the queue, so the goal counts too. A node is *generated* when
//! one of the four moves is tried, so every expanded node but the goal generates four, the
//! impossible and the dead ones included.

use crate::units;
use lurd::Solution;
use lurd_search::Statistics;

/// The text of the file.
pub(super) fn text(solution: &Solution, statistics: &Statistics) -> String {
    let expanded = statistics.expanded + 1;
    let generated = 4 * statistics.expanded;
    format!(
        "SOLUTION:\n{}\nSTATS:\nExpanded nodes: {expanded}\nGenerated nodes: {generated}\nDuplicated nodes: {}\n\
         Solution Length: {}\nExpanded/seconds: {}\nTime (seconds): {:.6}\n",
        solution.lurd,
        statistics.duplicates,
        solution.moves,
        units::rate(expanded, statistics.seconds),
        statistics.seconds
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_the_lines_of_the_course_tool() {
        let solution = Solution { lurd: "rrR".into(), moves: 3, pushes: 1 };
        let statistics =
            Statistics { expanded: 9, generated: 20, duplicates: 5, seconds: 0.5, ..Statistics::default() };
        assert_eq!(
            text(&solution, &statistics),
            "SOLUTION:\nrrR\nSTATS:\nExpanded nodes: 10\nGenerated nodes: 36\nDuplicated nodes: 5\n\
             Solution Length: 3\nExpanded/seconds: 20\nTime (seconds): 0.500000\n"
        );
    }
}
