//! Orders, scores and whole runs on small levels made by hand and at random.

use crate::Scene;
use crate::perimeter::Perimeter;
use crate::phases::order::{Stage, Target, UnpackOptions, Unpacked, Unpacking};
use crate::phases::score::Course;
use crate::phases::{MANNERS, Phases};
use crate::strategy::{Halt, Strategy, Turn};
use lurd_level::{Cell, Map};
use lurd_rules::feature::board::{BOX, FeatureBoard};
use lurd_rules::feature::position::Position;
use lurd_rules::{Bits, Board, Push, Square, Walker};
use lurd_search::random::SplitMix64;
use lurd_search::{Budget, Cancel, Limits};
use std::sync::Arc;

const CORRIDOR: &str = "########\n#      #\n#      ####\n# $$$  ...#\n#      ####\n#@     #\n########";

/// Two halves with a door of goals between them, and a box to come from either.
pub(super) const DOOR: &str =
    "#############\n#    ##     #\n#    ##     #\n# $  ..   $ #\n# @  ##     #\n#    ##     #\n#############";

/// Goals on both sides of a passage.
pub(super) const PASSAGE: &str = "###############
#     ...     #
# $ $ ... $ $ #
#  $       $  #
# $ $ ... $ $ #
# @   ...     #
#   $   $     #
#             #
###############";

fn board(text: &str) -> Arc<Board> {
    Arc::new(Board::new(&Map::from_xsb(text).unwrap()).unwrap())
}

fn unpack(features: &FeatureBoard, manner: UnpackOptions) -> Option<Vec<Stage>> {
    match Unpacking::new(features, manner).run(u64::MAX / 2, &Halt::new(Budget::unlimited())) {
        Unpacked::Done(stages) => Some(stages),
        Unpacked::Failed => None,
        Unpacked::Open => panic!("nobody called a halt"),
    }
}

fn at(features: &FeatureBoard, row: usize, column: usize) -> Square {
    features.board().square_at(row, column).unwrap()
}

/// Every goal has one place in the order, and a parked box goes home later than it comes.
fn check(features: &FeatureBoard, stages: &[Stage], text: &str) {
    let mut goals: Vec<Square> =
        stages.iter().flatten().filter(|target| target.home.is_none()).map(|target| target.square).collect();
    goals.sort_unstable();
    assert_eq!(goals, features.goals(), "{text}");
    for (number, stage) in stages.iter().enumerate() {
        assert!(!stage.is_empty(), "{text}");
        for target in stage {
            let Some(home) = target.home else { continue };
            assert!(number < home && home < stages.len(), "{text}");
            assert!(stages[home].iter().any(|target| target.home.is_none()), "{text}");
        }
    }
}

#[test]
fn the_far_end_of_a_corridor_is_filled_first() {
    let features = FeatureBoard::new(board(CORRIDOR));
    let stages = unpack(&features, MANNERS[0]).unwrap();
    let order: Vec<Stage> =
        [9, 8, 7].map(|column| vec![Target { square: at(&features, 3, column), home: None }]).to_vec();
    assert_eq!(stages, order);
}

#[test]
fn boxes_that_close_a_door_are_parked_first() {
    let features = FeatureBoard::new(board(DOOR));
    let stages = unpack(&features, MANNERS[0]).unwrap();
    check(&features, &stages, DOOR);
    let parked: Vec<&Target> = stages.iter().flatten().filter(|target| target.home.is_some()).collect();
    assert_eq!(parked.len(), 2, "{stages:?}");
    assert!(stages[0].iter().all(|target| target.home.is_some()), "{stages:?}");
}

#[test]
fn orders_of_random_levels_hold_together() {
    let mut found = 0;
    for map in lurd_rules::oracle::levels(5, 2_000) {
        let features = FeatureBoard::new(Arc::new(Board::new(&map).unwrap()));
        if features.goals().is_empty() {
            continue;
        }
        for stages in MANNERS.into_iter().filter_map(|manner| unpack(&features, manner)) {
            check(&features, &stages, &map.to_string());
            found += 1;
        }
    }
    assert!(found > 1_000, "{found}");
}

#[test]
fn scores_along_a_march_are_what_the_rules_say() {
    let features = FeatureBoard::new(board(CORRIDOR));
    let course = Course::new(&features, unpack(&features, MANNERS[0]).unwrap());
    let mut position = Position::with(&features, features.starts(), features.player());
    let (mut tally, score) = course.first(&features, &position.boxes, &position.taken);
    // Three targets, and 5 + 4 + 3 pushes to the nearest goal.
    assert_eq!((tally.stage, score), (0, 3 * 32 + 12));
    let mut march = |columns: std::ops::Range<usize>| -> Vec<i32> {
        columns
            .map(|column| {
                let (from, to) = (at(&features, 3, column), at(&features, 3, column + 1));
                position.shift(&features, from, to, from);
                let score;
                (tally, score) = course.after(&features, tally, from, to, &position.taken);
                score
            })
            .collect()
    };
    // A push nearer: one for the push, less than before to the nearest goal, two off, two for each push still to go.
    assert_eq!(march(4..8), [116, 113, 110, 108]);
    // On the target: 32 off, and one for landing.
    assert_eq!(march(8..9), [73]);
    assert_eq!((tally.stage, tally.spent), (1, 0));
    // Out of the way: nothing comes nearer, and the push is not given back.
    let (from, to) = (at(&features, 3, 3), at(&features, 2, 3));
    position.shift(&features, from, to, from);
    let (tally, score) = course.after(&features, tally, from, to, &position.taken);
    assert_eq!((tally.stage, tally.spent, score), (1, 1, 1 + 10 + 64 + 14));
}

#[test]
fn leaving_a_target_throws_the_position_back_unless_the_box_goes_home() {
    let features = FeatureBoard::new(board(DOOR));
    let [left, right] = [5, 6].map(|column| at(&features, 3, column));
    let [wait, other] = [2, 3].map(|column| at(&features, 2, column));
    let to = |square, home| Target { square, home };
    let stages = vec![
        vec![to(wait, Some(2))],
        vec![to(left, None)],
        vec![to(right, None)],
        vec![to(other, None)],
        vec![to(at(&features, 2, 4), None)],
    ];
    let course = Course::new(&features, stages);
    assert_eq!(course.after_leaving(3, left), 1);
    assert_eq!(course.after_leaving(1, wait), 0);
    assert_eq!(course.after_leaving(2, wait), 2);
    assert_eq!(course.after_leaving(1, other), 1);
    let mut taken = features.bare().to_vec();
    taken[usize::from(wait)] = BOX;
    taken[usize::from(left)] = BOX;
    assert_eq!(course.unfilled(0, &taken), 2);
    assert!(course.is_early(2, other) && !course.is_early(2, left));
}

/// A hall with nine boxes, and a room of nine goals behind a door.
pub(super) fn goal_room(dice: &mut SplitMix64) -> Map {
    let (height, width) = (9, 10);
    let door = 3 + dice.below(height - 5);
    let mut rows = vec![vec![Cell::Wall; width + 7]; height + 2];
    for (row, cells) in rows.iter_mut().enumerate().take(height + 1).skip(1) {
        cells[1..=width].fill(Cell::Floor);
        // One row more than goals, for the player to push down from.
        if (door..door + 3).contains(&row) {
            cells[width + 3..width + 6].fill(Cell::Goal);
        } else if row + 1 == door {
            cells[width + 3..width + 6].fill(Cell::Floor);
        }
    }
    rows[door][width + 1..width + 3].fill(Cell::Floor);
    let mut left = 9;
    while left > 0 {
        // No two boxes side by side, none along a wall.
        let cell = &mut rows[2 + 2 * dice.below(height / 2)][2 + 2 * dice.below(width / 2 - 1)];
        if *cell == Cell::Floor {
            *cell = Cell::Box;
            left -= 1;
        }
    }
    rows[1][1] = Cell::Player;
    Map::from_rows(&rows)
}

fn alone(board: &Arc<Board>, halt: &Halt) -> (Turn, u64) {
    let scene = Scene::new(Arc::clone(board), None);
    let perimeter = Perimeter::new(1 << 24);
    let mut phases = Phases::new(&scene, &perimeter);
    let mut spent = phases.figures();
    for _ in 0..200 {
        match phases.run(10_000, halt) {
            Turn::Open => {
                // What was done is never taken back.
                spent = phases.figures().minus(spent).plus(spent);
            }
            turn => return (turn, phases.figures().expanded),
        }
    }
    (Turn::Open, phases.figures().expanded)
}

fn replay(board: &Board, pushes: &[Push]) {
    let mut boxes = Bits::of(board.len(), board.start_boxes().iter().copied());
    let mut player = board.start_player();
    let mut walker = Walker::new(board);
    let mut lurd = String::new();
    for push in pushes {
        let stand = board.neighbour(push.from, push.direction.opposite());
        assert!(walker.walk(board, &boxes, player, stand, &mut lurd), "no way to {push:?}");
        lurd.push(push.direction.letter(true));
        boxes.shift(push.from, board.neighbour(push.from, push.direction));
        player = push.from;
    }
    let verdict = lurd_referee::judge(&board.map().to_string(), &lurd);
    assert!(verdict.is_ok_and(|verdict| verdict.solved), "{lurd}");
}

#[test]
fn goal_rooms_are_packed_alone() {
    let mut dice = SplitMix64::new(21);
    for _ in 0..12 {
        let map = goal_room(&mut dice);
        let board = Arc::new(Board::new(&map).unwrap());
        let halt = Halt::new(Budget::unlimited());
        let (turn, expanded) = alone(&board, &halt);
        let Turn::Solved(pushes) = turn else { panic!("{turn:?} after {expanded}\n{map}") };
        replay(&board, &pushes);
        assert_eq!(alone(&board, &halt), (Turn::Solved(pushes), expanded), "a second run is the same");
    }
}

#[test]
fn nothing_is_proved_and_a_halt_is_heard() {
    // Too few goals for a room: somebody else's work.
    assert_eq!(alone(&board(CORRIDOR), &Halt::new(Budget::unlimited())).0, Turn::Spent);
    // Nine goals, and a box that will never leave its corner.
    let room = "##########\n#$       #\n# $ $ ...#\n# $ $ ...#\n# $ $ ...#\n# $ $   @#\n#        #\n##########";
    assert_eq!(alone(&board(room), &Halt::new(Budget::unlimited())).0, Turn::Spent);
    // A halt that was called long ago ends even a long turn within a few positions.
    let cancel = Cancel::new();
    cancel.cancel();
    let halt = Halt::new(Budget::new(Limits::default(), cancel));
    let scene = Scene::new(Arc::new(Board::new(&goal_room(&mut SplitMix64::new(1))).unwrap()), None);
    let perimeter = Perimeter::new(1 << 24);
    let mut phases = Phases::new(&scene, &perimeter);
    assert_eq!(phases.run(u64::MAX / 2, &halt), Turn::Open);
    assert!(phases.figures().generated < 300, "{:?}", phases.figures());
}
