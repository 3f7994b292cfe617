//! The search for a plan alone.

use crate::context::Context;
use crate::planning::{PlanOptions, PlanStatus, Planning};
use crate::strategy::Halt;
use crate::test_support::board;
use lurd_base::Budget;
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::feature::position::Position;
use std::sync::Arc;

/// Goals in a dead end.
const DEAD_END: &str = "\
###########
#     #####
#  $  #####
# $    ...#
#  $  #####
# @   #####
###########";

fn context(text: &str) -> Context {
    Context::new(FeatureBoard::new(board(text)), None, Arc::default())
}

fn unlimited() -> Halt {
    Halt::new(Budget::unlimited())
}

#[test]
fn a_plan_fills_a_dead_end_from_its_far_end() {
    let context = context(DEAD_END);
    let mut planning = Planning::new(&context, PlanOptions::DEFAULT, None);
    assert_eq!(planning.run(1_000_000, &unlimited()), PlanStatus::Complete);
    let plan = planning.plan().expect("the start was reached");
    let features = &context.board;
    let mut boxes = features.starts().to_vec();
    for (number, column) in [9, 8, 7].into_iter().enumerate() {
        let position = Position::with(features, &boxes, features.player());
        assert_eq!(plan.packed(&position), number);
        let target = plan.next_target(number, &position).expect("a goal is empty");
        assert_eq!(features.board().place(target), (3, column));
        boxes[number] = target;
    }
}
