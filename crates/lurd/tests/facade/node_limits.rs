//! A limit on nodes holds exactly, whichever engine runs and on however many threads, and the report says that it ended
//! the search.

use crate::{own_levels, run};
use lurd::{AlgorithmName, Choices, Goal, Level, Limits, Outcome, Proof, Report, Request, Stop};

const LIMITS: [u64; 5] = [1, 10, 100, 1_000, 10_000];

/// Eight boxes in an open room: more positions than any of the limits.
const OPEN: &str = "############\n#          #\n# $ $ $ $  #\n#          #\n# $ $ $ $  #\n#     @    #\n#.......   #\n#.         #\n############";

/// Levels that none of the limits exhausts by chance alone: open, from the collection, too large for bit boards, and with
/// so many boxes that it is climbed first.
fn levels() -> Vec<Level> {
    let mut levels = vec![Level::parse(OPEN).expect("a level")];
    levels.extend(own_levels().into_iter().rev().step_by(17).take(3));
    levels.push(Level::parse(&hall(60, 6)).expect("a level"));
    levels.push(Level::parse(&hall(24, 36)).expect("a level"));
    levels
}

/// A hall with rows of boxes on one side, their goals behind a wall with two doors on the other.
fn hall(side: usize, boxes: usize) -> String {
    let mut rows = vec![vec![b' '; side]; side];
    for at in 0..side {
        for (row, column) in [(0, at), (side - 1, at), (at, 0), (at, side - 1), (at, side / 2)] {
            rows[row][column] = b'#';
        }
    }
    for door in [2, side - 3] {
        rows[door][side / 2] = b' ';
    }
    for number in 0..boxes {
        let (row, column) = (2 + 2 * (number % 9), 2 + 2 * (number / 9));
        rows[row][column] = b'$';
        rows[row][side - 1 - column] = b'.';
    }
    rows[1][1] = b'@';
    rows.into_iter().map(|row| String::from_utf8(row).expect("signs of a level") + "\n").collect()
}

/// Whether the limit holds, and is named where it ended the search. Returns whether it did.
fn holds(report: &Report, limit: u64, what: &str) -> bool {
    let generated = report.statistics.generated;
    assert!(generated <= limit, "{what}: {generated} nodes, the limit is {limit}");
    let stopped = report.outcome == Outcome::Stopped(Stop::Nodes);
    assert!(!stopped || report.stopped_by == Some(Stop::Nodes), "{what}: {report:?}");
    let ended = matches!(report.outcome, Outcome::Solved | Outcome::Unsolvable);
    assert!(ended || stopped, "{what}, {limit} nodes: {:?}", report.outcome);
    stopped
}

#[test]
fn no_engine_generates_more_nodes_than_it_may() {
    for (goal, then) in [
        (Goal::Any, None),
        (Goal::Pushes, None),
        (Goal::Moves, None),
        (Goal::Pushes, Some(Goal::Moves)),
        (Goal::Moves, Some(Goal::Pushes)),
    ] {
        for threads in [1, 2, 5] {
            let mut stopped = 0;
            for (number, level) in levels().iter().enumerate() {
                for nodes in LIMITS {
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    let report = run(level, &Request { goal, then, limits, threads, ..Request::default() });
                    let what = format!("{goal}, {threads} threads, level {number}");
                    stopped += usize::from(holds(&report, nodes, &what));
                    // A proof that has an answer names the limit as well.
                    let is_proof = goal != Goal::Any && report.solution.is_some();
                    let open = is_proof && !report.proof.to_string().starts_with("optimal");
                    assert!(!open || report.stopped_by == Some(Stop::Nodes), "{what}: {report:?}");
                }
            }
            assert!(stopped >= 10, "{goal}, {threads} threads: the limits must bite, {stopped}");
        }
    }
}

#[test]
fn no_classic_search_generates_more_nodes_than_it_may() {
    for &algorithm in AlgorithmName::ALL {
        let mut stopped = 0;
        for (number, level) in levels().iter().enumerate().take(4) {
            for nodes in LIMITS {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let classic = Choices { algorithm: Some(algorithm), ..Choices::default() };
                let report = run(level, &Request { classic, limits, ..Request::default() });
                if report.outcome == Outcome::Stopped(Stop::Depth) {
                    assert_eq!(algorithm, AlgorithmName::DepthLimited);
                    assert!(report.statistics.generated <= nodes);
                    continue;
                }
                stopped += usize::from(holds(&report, nodes, &format!("{algorithm}, level {number}")));
            }
        }
        assert!(stopped >= 4, "{algorithm}: the limits must bite, {stopped}");
    }
}

/// Where a limit ends a search just when the bounds have met, the answer is proved.
#[test]
fn equal_bounds_are_a_proof() {
    let mut met = 0;
    for level in own_levels() {
        for goal in [Goal::Pushes, Goal::Moves] {
            for nodes in [10, 20, 50] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let report = run(&level, &Request { goal, limits, ..Request::default() });
                let Some(solution) = &report.solution else { continue };
                let length = if goal == Goal::Moves { solution.moves } else { solution.pushes };
                let proof = if goal == Goal::Moves { Proof::OptimalMoves } else { Proof::OptimalPushes };
                if report.lower_bound.is_some_and(|lower| lower as usize >= length) {
                    assert_eq!((report.proof, report.stopped_by), (proof, None), "{nodes} nodes, {report:?}");
                    met += 1;
                }
            }
        }
    }
    assert!(met > 50, "{met} proved");
}

/// A level that is too large for the engine of its goal says which search ran instead.
#[test]
fn a_search_in_place_of_the_proof_is_told() {
    let level = Level::parse(&hall(60, 6)).expect("a level");
    for goal in [Goal::Pushes, Goal::Moves] {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let report = run(&level, &Request { goal, limits, ..Request::default() });
        assert!(report.algorithm == "a-star", "{}", report.algorithm);
        assert!(report.notes.iter().any(|note| note.contains("a-star searched instead")), "{:?}", report.notes);
    }
}
