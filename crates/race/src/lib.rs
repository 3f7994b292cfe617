//! A portfolio of strategies that race for any solution of a Sokoban level.
//!
//! No search is best everywhere, so several share the threads in time slices (`portfolio`), a table where the two
//! directions meet (`perimeter`) and the dead sets they learn. The constant `PORTFOLIO` lists them.
//!
//! * `guided`: feature-space search along a packing plan (FESS: Shoham and Schaeffer 2020). A backward search makes the
//!   plan (`planning`, `plan`), a forward search follows it (`forward`, `advisors`, `tree`).
//! * `targeted`: feature-space search to a target configuration of the backward search (`target`), or by a value
//!   function (`value`, `descent`); after the solver Festival (Shoham).
//! * `hill_climbing`: before the others, for many boxes near their goals and for few on a large board.
//! * `opened`: pulls from the solved board to a start opened by a few pushes, for many boxes near their goals.
//! * `dense`: greedy best-first search on bit boards with exact tables of small dead sets, for small crowded levels. It
//!   also proves that a level has no solution.
//!
//! Boards and deadlock rules are those of `lurd-rules`.
#![allow(missing_docs, reason = "items are public for the crate `lurd`; a name that says it all needs no sentence")]

mod advisors;
mod bucket_queue;
mod context;
mod dead_start;
mod dense;
mod descent;
mod directions;
mod features;
mod forward;
mod guided;
mod hill_climbing;
mod hotspots;
mod macros;
pub mod observe;
mod opened;
mod pairing;
mod perimeter;
mod plan;
mod planning;
#[cfg(test)]
mod planning_tests;
mod portfolio;
#[cfg(test)]
mod portfolio_tests;
mod push_rules;
mod rooms;
mod round_robin;
mod sinks;
mod solution;
mod stops;
pub mod strategy;
mod target;
mod targeted;
#[cfg(test)]
mod test_support;
mod tree;
mod value;

use context::Context;
use dense::{Dense, Order};
use forward::ForwardOptions;
use guided::Guided;
use hill_climbing::Climbed;
use lurd_base::Share;
use lurd_rules::dense::board::Side;
use lurd_rules::feature::board::FeatureBoard;
use lurd_rules::{Board, Figures};
use observe::RaceObserver;
use perimeter::Perimeter;
use planning::{Objective, PlanOptions};
use portfolio::{Entrant, Slice};
pub use portfolio::{Finish, Totals};
use std::sync::Arc;
use std::time::Duration;
use strategy::{Halt, Strategy};
use targeted::Targeted;

/// What an entrant of the portfolio runs.
#[derive(Clone, Copy)]
enum Search {
    /// Along a plan, made with the first of these options that gives a new one.
    Plan(&'static [PlanOptions]),
    /// To a target configuration of the backward search, or along the plan of its best value.
    Target(PlanOptions, ForwardOptions),
    /// Greedy on bit boards.
    Greedy(Order),
    /// From the solved board to an opened start, on levels that suit it.
    Opened,
}

/// A row of the portfolio: the search, its weight on small levels and on large ones, and the milliseconds that the
/// others use for each unit of weight before it joins.
struct Row(Search, u64, u64, u64);

const PLAN: PlanOptions = PlanOptions::DEFAULT;
const REVERSED: PlanOptions = PlanOptions { reversed: true, ..PLAN };
const NEAR: PlanOptions = PlanOptions { removal_distance: 3, ..PLAN };
const FAR: PlanOptions = PlanOptions { removal_distance: 9, ..REVERSED };
const NEAR_PLANS: &[PlanOptions] =
    &[NEAR, PlanOptions { reversed: true, ..NEAR }, PlanOptions { removal_distance: 12, ..PLAN }];
const FAR_PLANS: &[PlanOptions] = &[FAR, REVERSED, PlanOptions { removal_distance: 15, ..FAR }];

const fn open(loops: bool, paired: bool) -> PlanOptions {
    PlanOptions { objective: Objective::Open { loops, paired }, ..PLAN }
}
const LOOPS: PlanOptions = open(true, false);
const PAIRED: PlanOptions = open(false, true);
const LOOPS_PAIRED: PlanOptions = open(true, true);
const LOOPS_REVERSED: PlanOptions = PlanOptions { reversed: true, ..LOOPS };
const VALUE: PlanOptions = PlanOptions { objective: Objective::Value, ..PLAN };

const BOXES_FIRST: ForwardOptions =
    ForwardOptions { weighted: false, far_from_goals: false, regions_first: false, by_value: false };
const REGIONS_FIRST: ForwardOptions = ForwardOptions { regions_first: true, ..BOXES_FIRST };
const BY_VALUE: ForwardOptions = ForwardOptions { by_value: true, ..BOXES_FIRST };

/// The portfolio. A level is small if its live squares fit in one machine word and its cells in two. Small crowded levels
/// need speed: there the greedy backward search runs as much as all others together, on two threads on one of its own. Large
/// levels need a plan. Other plans, targets and orders join when the first have found nothing. Among equals the first row runs
/// first.
#[rustfmt::skip]
const PORTFOLIO: [Row; 16] = [
    //  search                                              small  large  joins after (ms)
    Row(Search::Plan(&[PLAN]),                                  8,    18,     0),
    Row(Search::Target(PLAN, BOXES_FIRST),                      8,    12,     0),
    Row(Search::Target(VALUE, BY_VALUE),                        2,     4,     3),
    Row(Search::Target(LOOPS, REGIONS_FIRST),                   4,     5,    10),
    Row(Search::Plan(NEAR_PLANS),                               3,     3,    15),
    Row(Search::Target(PAIRED, REGIONS_FIRST),                  1,     3,    20),
    Row(Search::Target(REVERSED, REGIONS_FIRST),                3,     3,    30),
    Row(Search::Target(LOOPS_PAIRED, BOXES_FIRST),              1,     2,    30),
    Row(Search::Target(LOOPS_REVERSED, BOXES_FIRST),            2,     2,    45),
    Row(Search::Plan(FAR_PLANS),                                3,     3,    75),
    Row(Search::Opened,                                         3,    25,     5),
    Row(Search::Greedy(Order::Backward),                       60,     8,     0),
    Row(Search::Greedy(Order::Forward),                         8,     1,     0),
    Row(Search::Greedy(Order::BackwardMacro),                   8,     1,     0),
    Row(Search::Greedy(Order::ForwardMacro),                    2,     1,   100),
    Row(Search::Greedy(Order::BackwardInteraction),             2,     1,   120),
];

/// Strategies that race at most: more shares than these have nothing to do.
pub const STRATEGIES: usize = PORTFOLIO.len();

/// The weight of the complete search, which takes the place of the greedy ones where the level is too large for them.
const COMPLETE_WEIGHT: u64 = 2;

/// Slices of feature-space searches: some tens of milliseconds.
const FEATURE_SLICE: Slice = Slice { work: 9_000, cost: 1_000 };
/// Slices of greedy searches: some milliseconds.
const GREEDY_SLICE: Slice = Slice { work: 240_000, cost: 20 };
/// Slices of the opened-start pull search: some tens of milliseconds.
const OPENED_SLICE: Slice = Slice { work: 30_000, cost: 700 };
/// The complete search has slices of its own length and saves up work for them.
const COMPLETE_SLICE: Slice = Slice { work: 10_000, cost: 2_000 };
/// Memory of the dense searches where there is no limit.
const DENSE_MEMORY: usize = match 4_usize.checked_mul(1 << 30) {
    Some(bytes) => bytes,
    // Addresses have 32 bits.
    None => 1 << 30,
};
const PERIMETER_MEMORY: usize = 256 << 20;

/// Races on a level. `complete` is a complete search for levels that are too large for the dense engine, which is
/// complete itself. `observer` sees more than the totals that `progress` is given. Only the strategies of `share` run.
pub fn solve<'a>(
    board: &Arc<Board>,
    threads: usize,
    share: Share,
    halt: &Halt,
    complete: Box<dyn Strategy + 'a>,
    observer: Option<&RaceObserver>,
    progress: &mut dyn FnMut(&Totals),
) -> (Finish, Totals) {
    let features = FeatureBoard::new(Arc::clone(board));
    if dead_start::is_dead(&features) {
        return (Finish::DeadStart, Totals { peak_bytes: features.bytes(), ..Totals::default() });
    }
    let mut climbing = Figures::default();
    if share.is_first() {
        let Climbed { pushes, lower_bound, figures } = hill_climbing::climb(&features, halt);
        let totals = Totals { figures, peak_bytes: features.bytes(), lower_bound, ..Totals::default() };
        if let Some(pushes) = pushes {
            return (Finish::Solved(pushes, hill_climbing::NAME), totals);
        }
        if halt.nodes().is_exhausted() {
            return (Finish::Nodes, Totals { lower_bound: None, ..totals });
        }
        climbing = figures;
    }
    let memory = halt.budget().limits().memory.map(portfolio::allowance);
    let dense = Dense::new(board, memory.map_or(DENSE_MEMORY, |limit| limit / 2), halt.budget());
    let dead_sets = dense.as_ref().map(|dense| Arc::clone(dense.tables(Side::Forward)));
    // The dense searches use the dead sets that feature-space searches learn.
    let learned = dense.as_ref().map(|dense| Arc::clone(dense.learned())).unwrap_or_default();
    let context = Context::new(features, dead_sets, learned);
    let perimeter = Perimeter::new(memory.map_or(PERIMETER_MEMORY, |limit| PERIMETER_MEMORY.min(limit / 16)));
    context.insert_start(&perimeter);
    let is_small = dense.as_ref().is_some_and(Dense::is_small);
    let is_plannable = context.is_plannable();
    let mut entrants: Vec<Entrant<'_>> = Vec::new();
    for Row(search, small, large, after) in PORTFOLIO {
        let (strategy, slice): (Box<dyn Strategy + '_>, Slice) = match (search, &dense) {
            (Search::Greedy(order), Some(dense)) => (dense.search(order), GREEDY_SLICE),
            (Search::Opened, Some(dense)) if opened::suits(dense.board()) => {
                (opened::search(dense.board()), OPENED_SLICE)
            }
            (Search::Opened, _) | (Search::Greedy(_), None) => continue,
            _ if !is_plannable => continue,
            (Search::Plan(options), _) => (Box::new(Guided::new(&context, &perimeter, options)), FEATURE_SLICE),
            (Search::Target(plan, options), _) => {
                (Box::new(Targeted::new(&context, &perimeter, plan, options)), FEATURE_SLICE)
            }
        };
        let weight = if is_small { small } else { large };
        entrants.push(Entrant::new(strategy, slice, weight, Duration::from_millis(after)));
    }
    if dense.is_none() {
        entrants.push(Entrant::new(complete, COMPLETE_SLICE, COMPLETE_WEIGHT, Duration::ZERO));
    }
    let weights: Vec<u64> = entrants.iter().map(Entrant::weight).collect();
    let mut members = share.members(&weights).into_iter();
    entrants.retain(|_| members.next().unwrap_or(false));
    if is_small {
        // Those that may answer at once run first.
        entrants.sort_by_key(|entrant| !entrant.is_quick());
    }
    if let Some(observer) = observer {
        entrants = entrants.into_iter().map(|entrant| entrant.observed(observer)).collect();
    }
    let shared = || context.board.bytes() + perimeter.bytes() + dense.as_ref().map_or(0, Dense::bytes);
    let (finish, totals) = portfolio::run(entrants, threads, halt, &shared, progress);
    (finish, Totals { figures: totals.figures.plus(climbing), ..totals })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greedy backward search of small levels has a share of its own where two share the work.
    #[test]
    fn the_heaviest_strategy_is_a_share_of_its_own() {
        let small: Vec<u64> = PORTFOLIO.iter().map(|row| row.1).collect();
        let first = Share::new(0, 2).unwrap().members(&small);
        assert_eq!(first.iter().filter(|member| **member).count(), 1);
    }
}
