//! Databases of small groups of boxes: every state of a few boxes alone on the board.
//!
//! Remove all boxes but a few from a solution, and what remains solves the level for those few: a box that is gone
//! blocks nothing, and pushing it becomes a walking step. So a group that cannot be solved alone makes every position
//! that contains it dead, and the least cost of a group alone is a lower bound of what its boxes cost in any solution:
//! a pattern database (Culberson and Schaeffer 1998). Each push belongs to one box, so what disjoint groups cost may be
//! added (additive pattern databases, Korf and Felner 2002).
//!
//! A state is a set of squares and the player's zone. On a connected floor every zone touches one of the boxes, and after
//! a step of a box the player stands beside it. So a state is known by its set and a *slot*: a box of the set and a
//! direction, `4 * place of the box in the set + direction`, whose cell lies in the zone. A database stores a value by
//! rank of the set and slot; zones need no numbers. Slots of one zone hold the same value.
//!
//! | part | what it is |
//! |---|---|
//! | [`subsets`] | sets of squares and their ranks |
//! | [`board`] | the squares and steps of a group; zones and slots |
//! | [`sweep`] | one search outwards from the seeds, states generated on the way: dead sets, pair interaction of the dense searches, boxes on their way to a chokepoint |
//! | [`graph`] | all states and edges in memory, for many searches over the same states: group interaction by target set, for pushes and for weighted pushes, and exclusive squares |
//! | [`queue`] | a bucket queue for small integer costs |
//! | [`packing`] | disjoint groups with a large sum of values |
//!
//! Every search runs backwards from the target squares of a [`Side`](crate::dense::board::Side): the goals for the
//! search that pushes, the start squares for the search that pulls.
//!
//! The steps of a [`DenseBoard`](crate::dense::board::DenseBoard) leave out arrivals that no solution has, pushes by the
//! arrival and pulls by the state before the push. Both give the same value to every state that a search meets. Such a
//! state can be reached (or solved, for pulls); every state on a way from it to the targets can then be both reached and
//! solved by each of its boxes alone, so no step of such a way is left out.

pub mod board;
pub mod graph;
pub mod packing;
pub mod queue;
pub mod subsets;
pub mod sweep;
