//! The portfolio: levels without a solution are proved to have none, runs on one thread repeat, limits hold.

use crate::run;
use lurd::{AlgorithmName, Board, Choices, Level, Map, Outcome, Request, solve_with};
use lurd_base::random::SplitMix64;
use lurd_base::{Cancel, Limits, Stop};

/// A room with pillars, two to six boxes in it, nowhere along the walls: dead ends are not the point.
fn room(dice: &mut SplitMix64) -> Level {
    loop {
        let (height, width) = (4 + dice.below(3), 4 + dice.below(3));
        let mut rows = vec![vec!['#'; width + 2]; height + 2];
        for row in rows.iter_mut().take(height + 1).skip(1) {
            for cell in row.iter_mut().take(width + 1).skip(1) {
                if dice.below(8) > 0 {
                    *cell = ' ';
                }
            }
        }
        let count = 2 + dice.below(5);
        let mut put = |what: char, inner: bool| {
            for _ in 0..100 {
                let margin = usize::from(inner);
                let (row, column) =
                    (1 + margin + dice.below(height - 2 * margin), 1 + margin + dice.below(width - 2 * margin));
                if rows[row][column] == ' ' {
                    rows[row][column] = what;
                    return true;
                }
            }
            false
        };
        let placed = (0..count).all(|_| put('$', true)) && (0..count).all(|_| put('.', false)) && put('@', false);
        let text = rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n");
        if placed
            && let Some(map) = Map::from_xsb(&text)
            && Board::new(&map).is_ok()
        {
            return Level::new(map);
        }
    }
}

#[test]
fn levels_of_up_to_six_boxes_without_a_solution_are_proved_to_have_none() {
    let brute = Request {
        limits: Limits { nodes: Some(400_000), ..Limits::default() },
        classic: Choices {
            algorithm: Some(AlgorithmName::BreadthFirst),
            detectors: Some(Vec::new()),
            ..Choices::default()
        },
        ..Request::default()
    };
    let mut dice = SplitMix64::new(4);
    let (mut unsolvable, mut solvable) = (0, 0);
    while unsolvable < 200 {
        let level = room(&mut dice);
        let (truth, report) = (run(&level, &brute), run(&level, &Request::default()));
        match truth.outcome {
            Outcome::Unsolvable => {
                assert_eq!(report.outcome, Outcome::Unsolvable, "\n{}\n{:?}", level.map, report.notes);
                unsolvable += 1;
            }
            Outcome::Solved => {
                assert_eq!(report.outcome, Outcome::Solved, "\n{}\n{:?}", level.map, report.notes);
                solvable += 1;
            }
            _ => {}
        }
    }
    println!("{unsolvable} without, {solvable} with a solution");
    assert!(solvable > 20, "{solvable}");
}

#[test]
fn a_run_on_one_thread_repeats() {
    let mut dice = SplitMix64::new(9);
    let config = Request { limits: Limits { nodes: Some(200_000), ..Limits::default() }, ..Request::default() };
    for _ in 0..40 {
        let level = room(&mut dice);
        let (one, two) = (run(&level, &config), run(&level, &config));
        assert_eq!(one.solution, two.solution);
        assert_eq!(one.outcome, two.outcome);
        assert_eq!(one.statistics.generated, two.statistics.generated, "\n{}", level.map);
    }
}

/// A large open room with many boxes, far from solved quickly by anything.
fn crowd() -> Level {
    let mut rows = vec!["#".repeat(26)];
    for row in 0..20 {
        let mut line = String::from("#");
        for column in 0..24 {
            line.push(match (row, column) {
                (0, 0) => '@',
                (1 | 3 | 5 | 7, 2..22) if column % 2 == 0 => '$',
                (12 | 14 | 16 | 18, 2..22) if column % 2 == 1 => '.',
                (9 | 10, 3..21) if column % 3 != 0 => '#',
                _ => ' ',
            });
        }
        rows.push(line + "#");
    }
    rows.push("#".repeat(26));
    Level::new(Map::from_xsb(&rows.join("\n")).expect("a level"))
}

#[test]
fn a_cancelled_race_ends_on_every_thread() {
    let level = crowd();
    let cancel = Cancel::new();
    let config = Request { threads: 3, ..Request::default() };
    // Progress is first reported after a tenth of a second; the level takes seconds on any machine.
    let report = solve_with(&level, &config, &cancel, &mut |_| cancel.cancel()).expect("a level");
    assert_eq!(report.outcome, Outcome::Cancelled);
}

#[test]
fn a_node_limit_ends_the_race() {
    let config = Request { limits: Limits { nodes: Some(5_000), ..Limits::default() }, ..Request::default() };
    let report = run(&crowd(), &config);
    assert_eq!(report.outcome, Outcome::Stopped(Stop::Nodes));
    assert!(report.statistics.generated <= 5_000, "{}", report.statistics.generated);
}
