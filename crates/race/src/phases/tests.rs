//! Orders, scores and whole runs on small levels, made by hand and at random.

use crate::context::Context;
use crate::perimeter::Perimeter;
use crate::phases::order::{OrderOptions, OrderSearch, OrderStatus, Stage, Target};
use crate::phases::score::PackingOrder;
use crate::phases::{OPTIONS, Phases};
use crate::strategy::{Halt, SliceEnd, Strategy};
use crate::test_support::{board, replay};
use lurd_base::random::SplitMix64;
use lurd_base::{Budget, Cancel, Limits};
use lurd_level::{Cell, Map};
use lurd_rules::feature::board::{BOX, FeatureBoard};
use lurd_rules::feature::position::Position;
use lurd_rules::{Board, Square};
use std::sync::Arc;

const CORRIDOR: &str = "########\n#      #\n#      ####\n# $$$  ...#\n#      ####\n#@     #\n########";

/// Two halves with goals in the door between them, and a box in each.
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

pub(super) fn find_order(features: &FeatureBoard, options: OrderOptions) -> Option<Vec<Stage>> {
    match OrderSearch::new(features, options).run(u64::MAX / 2, &Halt::new(Budget::unlimited())) {
        OrderStatus::Done(stages) => Some(stages),
        OrderStatus::Failed => None,
        OrderStatus::Open => panic!("no halt was requested"),
    }
}

fn at(features: &FeatureBoard, row: usize, column: usize) -> Square {
    features.board().square_at(row, column).unwrap()
}

/// Every goal is in the order once, and a parked box goes home in a later stage.
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
    let stages = find_order(&features, OPTIONS[0]).unwrap();
    let expected: Vec<Stage> =
        [9, 8, 7].map(|column| vec![Target { square: at(&features, 3, column), home: None }]).to_vec();
    assert_eq!(stages, expected);
}

#[test]
fn boxes_that_close_a_door_are_parked_first() {
    let features = FeatureBoard::new(board(DOOR));
    let stages = find_order(&features, OPTIONS[0]).unwrap();
    check(&features, &stages, DOOR);
    let parked: Vec<&Target> = stages.iter().flatten().filter(|target| target.home.is_some()).collect();
    assert_eq!(parked.len(), 2, "{stages:?}");
    assert!(stages[0].iter().all(|target| target.home.is_some()), "{stages:?}");
}

#[test]
fn orders_of_random_levels_are_consistent() {
    let mut found = 0;
    for map in lurd_rules::oracle::levels(5, 2_000) {
        let features = FeatureBoard::new(Arc::new(Board::new(&map).unwrap()));
        if features.goals().is_empty() {
            continue;
        }
        for stages in OPTIONS.into_iter().filter_map(|options| find_order(&features, options)) {
            check(&features, &stages, &map.to_string());
            found += 1;
        }
    }
    assert!(found > 1_000, "{found}");
}

#[test]
fn scores_along_the_way_of_a_box_follow_the_rules() {
    let features = FeatureBoard::new(board(CORRIDOR));
    let order = PackingOrder::new(&features, find_order(&features, OPTIONS[0]).unwrap());
    let mut position = Position::with(&features, features.starts(), features.player());
    let (mut progress, score) = order.first(&features, &position.boxes, &position.taken);
    // Three targets, and 5 + 4 + 3 pushes to the nearest goal.
    assert_eq!((progress.stage, score), (0, 3 * 32 + 12));
    let mut push_along = |columns: std::ops::Range<usize>| -> Vec<i32> {
        columns
            .map(|column| {
                let (from, to) = (at(&features, 3, column), at(&features, 3, column + 1));
                position.shift(&features, from, to, from);
                let score;
                (progress, score) = order.after(&features, progress, from, to, &position.taken);
                score
            })
            .collect()
    };
    // A push nearer: one for the push, one less to the nearest goal, two off, two for each push to go.
    assert_eq!(push_along(4..8), [116, 113, 110, 108]);
    // On the target: 32 off, and one for landing on it.
    assert_eq!(push_along(8..9), [73]);
    assert_eq!((progress.stage, progress.charged), (1, 0));
    // Aside: no target comes nearer, and the push is not refunded.
    let (from, to) = (at(&features, 3, 3), at(&features, 2, 3));
    position.shift(&features, from, to, from);
    let (progress, score) = order.after(&features, progress, from, to, &position.taken);
    assert_eq!((progress.stage, progress.charged, score), (1, 1, 1 + 10 + 64 + 14));
}

#[test]
fn leaving_a_target_sets_the_position_back_unless_the_box_goes_home() {
    let features = FeatureBoard::new(board(DOOR));
    let [left, right] = [5, 6].map(|column| at(&features, 3, column));
    let [parking, other] = [2, 3].map(|column| at(&features, 2, column));
    let to = |square, home| Target { square, home };
    let stages = vec![
        vec![to(parking, Some(2))],
        vec![to(left, None)],
        vec![to(right, None)],
        vec![to(other, None)],
        vec![to(at(&features, 2, 4), None)],
    ];
    let order = PackingOrder::new(&features, stages);
    assert_eq!(order.after_leaving(3, left), 1);
    assert_eq!(order.after_leaving(1, parking), 0);
    assert_eq!(order.after_leaving(2, parking), 2);
    assert_eq!(order.after_leaving(1, other), 1);
    let mut taken = features.bare().to_vec();
    taken[usize::from(parking)] = BOX;
    taken[usize::from(left)] = BOX;
    assert_eq!(order.unfilled(0, &taken), 2);
    assert!(order.is_later(2, other) && !order.is_later(2, left));
}

/// A hall with nine boxes, and a room of nine goals behind a door.
pub(super) fn goal_room(random: &mut SplitMix64) -> Map {
    let (height, width) = (9, 10);
    let door = 3 + random.below(height - 5);
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
        // No two boxes are adjacent, none is at a wall.
        let cell = &mut rows[2 + 2 * random.below(height / 2)][2 + 2 * random.below(width / 2 - 1)];
        if *cell == Cell::Floor {
            *cell = Cell::Box;
            left -= 1;
        }
    }
    rows[1][1] = Cell::Player;
    Map::from_rows(&rows)
}

fn run_alone(board: &Arc<Board>, halt: &Halt) -> (SliceEnd, u64) {
    let context = Context::new(FeatureBoard::new(Arc::clone(board)), None, Arc::default());
    let perimeter = Perimeter::new(1 << 24);
    let mut phases = Phases::new(&context, &perimeter);
    let mut before = phases.figures();
    for _ in 0..200 {
        match phases.run(10_000, halt) {
            SliceEnd::Open => {
                // Figures never shrink.
                before = phases.figures().minus(before).plus(before);
            }
            end => return (end, phases.figures().expanded),
        }
    }
    (SliceEnd::Open, phases.figures().expanded)
}

#[test]
fn goal_rooms_are_packed_alone() {
    let mut random = SplitMix64::new(21);
    for _ in 0..12 {
        let map = goal_room(&mut random);
        let board = Arc::new(Board::new(&map).unwrap());
        let halt = Halt::new(Budget::unlimited());
        let (end, expanded) = run_alone(&board, &halt);
        let SliceEnd::Solved(pushes) = end else { panic!("{end:?} after {expanded}\n{map}") };
        replay(&board, &pushes);
        assert_eq!(run_alone(&board, &halt), (SliceEnd::Solved(pushes), expanded), "a second run is the same");
    }
}

#[test]
fn nothing_is_proved_and_a_halt_ends_the_slice() {
    // Too few goals for a room.
    assert_eq!(run_alone(&board(CORRIDOR), &Halt::new(Budget::unlimited())).0, SliceEnd::Spent);
    // Nine goals, and a box that never leaves its corner.
    let room = "##########\n#$       #\n# $ $ ...#\n# $ $ ...#\n# $ $ ...#\n# $ $   @#\n#        #\n##########";
    assert_eq!(run_alone(&board(room), &Halt::new(Budget::unlimited())).0, SliceEnd::Spent);
    // A halt that was requested before ends even a long slice within a few positions.
    let cancel = Cancel::new();
    cancel.cancel();
    let halt = Halt::new(Budget::new(Limits::default(), cancel));
    let board = Arc::new(Board::new(&goal_room(&mut SplitMix64::new(1))).unwrap());
    let context = Context::new(FeatureBoard::new(board), None, Arc::default());
    let perimeter = Perimeter::new(1 << 24);
    let mut phases = Phases::new(&context, &perimeter);
    assert_eq!(phases.run(u64::MAX / 2, &halt), SliceEnd::Open);
    assert!(phases.figures().generated < 300, "{:?}", phases.figures());
}
