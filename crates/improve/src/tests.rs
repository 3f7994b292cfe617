//! Solutions with detours of every kind, on small random levels, against the oracle.

use crate::*;
use lurd_base::Cancel;
use lurd_base::random::SplitMix64;
use lurd_level::{Direction, Symmetry};
use lurd_rules::State;
use lurd_rules::oracle::{Truth, small_level, step};

/// A solution that begins with a random walk of solvable positions.
fn random_solution(board: &Board, truth: &Truth, wander: usize, random: &mut SplitMix64) -> Option<String> {
    let mut state = State::start(board);
    let mut left = *truth.moves.get(&state)?;
    let mut lurd = String::new();
    let mut wander = wander;
    while left > 0 {
        let direction = Direction::ALL[random.below(4)];
        let Some(after) = step(board, &state, direction) else { continue };
        let Some(&then) = truth.moves.get(&after) else { continue };
        if wander == 0 && then >= left {
            continue;
        }
        wander = wander.saturating_sub(1);
        lurd.push(direction.letter(false));
        (state, left) = (after, then);
    }
    Some(lurd)
}

fn limited(nodes: u64) -> Budget {
    Budget::new(Limits { nodes: Some(nodes), ..Limits::default() }, Cancel::new())
}

pub(super) const METRICS: [Metric; 2] = [Metric::Pushes, Metric::Moves];

/// A solution of a small level, and the fewest pushes and moves of all solutions.
pub(super) struct Solved {
    pub(super) map: Map,
    pub(super) lurd: String,
    pub(super) pushes: usize,
    pub(super) moves: usize,
}

/// Solutions of small levels that begin with random walks of fewer than `wander` moves.
pub(super) fn solutions(seed: u64, wander: usize) -> impl Iterator<Item = Solved> {
    let mut random = SplitMix64::new(seed);
    std::iter::repeat_with(move || {
        let map = small_level(&mut random);
        let board = Board::new(&map).unwrap();
        let truth = Truth::new(&board);
        let wander = random.below(wander);
        let lurd = random_solution(&board, &truth, wander, &mut random)?;
        let start = State::start(&board);
        Some(Solved { map, lurd, pushes: truth.pushes[&start] as usize, moves: truth.moves[&start] as usize })
    })
    .flatten()
}

fn shortened(map: &Map, lurd: &str, metric: Metric, budget: &Budget) -> Improved {
    shorten(map, lurd, metric, budget, &mut |_| ()).unwrap()
}

/// Each of the solutions reported is better than the one before.
fn assert_descending<T: PartialOrd + std::fmt::Debug>(steps: &[T]) {
    assert!(steps.is_sorted_by(|a, b| b < a), "{steps:?}");
}

/// Without limits the neighbourhood is the whole level, and the result is optimal.
#[test]
fn without_limits_the_result_is_optimal() {
    for Solved { map, lurd, pushes, moves } in solutions(11, 150).take(400) {
        for metric in METRICS {
            let better = shortened(&map, &lurd, metric, &Budget::unlimited());
            assert!(better.exhausted, "{map}{lurd}");
            let (found, least) = (metric.order(better.pushes, better.moves).0, metric.order(pushes, moves).0);
            assert_eq!(found, least, "{map}{lurd} {metric:?}");
        }
    }
}

/// With any limit the result solves the level, is not longer than the solution given, and is deterministic.
#[test]
fn under_limits_the_result_is_never_longer_and_deterministic() {
    let mut random = SplitMix64::new(16);
    for Solved { map, lurd, .. } in solutions(12, 60).take(300) {
        for metric in METRICS {
            let budget = limited(random.below(200) as u64);
            let mut steps = Vec::new();
            let better =
                shorten(&map, &lurd, metric, &budget, &mut |best| steps.push(metric.order(best.pushes, best.moves)))
                    .unwrap();
            let verdict = lurd_referee::judge(&map.to_string(), &better.lurd).unwrap();
            assert!(verdict.solved);
            assert_eq!((verdict.moves, verdict.pushes), (better.moves, better.pushes));
            let before = metric.order(better.pushes_before, better.moves_before);
            assert!(metric.order(better.pushes, better.moves) <= before, "{map}{lurd}");
            assert_descending(&steps);
            assert_eq!(better, shortened(&map, &lurd, metric, &budget));
        }
    }
}

/// On several threads the result solves the level, is not longer, and without limits is optimal.
#[test]
fn threads_share_a_level() {
    let threads = NonZeroUsize::new(3).unwrap();
    for Solved { map, lurd, pushes, moves } in solutions(13, 150).take(120) {
        for metric in METRICS {
            let mut steps = Vec::new();
            let mut report = |best: &Best<'_>| steps.push(metric.order(best.pushes, best.moves));
            let better = shorten_on(threads, &map, &lurd, metric, &Budget::unlimited(), &mut report).unwrap();
            assert_descending(&steps);
            let (found, least) = (metric.order(better.pushes, better.moves).0, metric.order(pushes, moves).0);
            assert_eq!((found, better.exhausted), (least, true), "{map}{lurd} {metric:?}");
            let short = shorten_on(threads, &map, &lurd, metric, &limited(50), &mut |_| ()).unwrap();
            assert!(short.generated <= 50, "{} nodes", short.generated);
            assert!(lurd_referee::judge(&map.to_string(), &short.lurd).unwrap().solved);
        }
    }
}

/// If the memory limit allows no search, this is reported, and cycles are still removed.
#[test]
fn the_memory_limit_is_reported() {
    let map = Map::from_xsb("########\n#      #\n#@ $  .#\n# $ .  #\n########").unwrap();
    let budget = Budget::new(Limits { memory: Some(1 << 12), ..Limits::default() }, Cancel::new());
    let better = shortened(&map, "rRurrdLulldRRRlllldRR", Metric::Pushes, &budget);
    assert!(better.memory_full && !better.exhausted);
    assert_eq!(better.pushes, 5, "a cycle");
    let better = shortened(&map, "rRRRlllldRR", Metric::Pushes, &Budget::unlimited());
    assert!(!better.memory_full && better.exhausted);
}

#[test]
fn merged_solutions_are_no_longer_than_either() {
    let mut random = SplitMix64::new(14);
    let (mut pairs, mut shorter) = (0, 0);
    while pairs < 1000 {
        let map = small_level(&mut random);
        let board = Board::new(&map).unwrap();
        let truth = Truth::new(&board);
        let mut draw = || random_solution(&board, &truth, random.below(60), &mut random);
        let (Some(one), Some(other)) = (draw(), draw()) else { continue };
        pairs += 1;
        let routes = [one, other].map(|lurd| Route::read(&board, &lurd).unwrap());
        for metric in METRICS {
            let both = merge::merged(&board, metric, routes.each_ref()).unwrap();
            let least = routes.each_ref().map(|route| route.cost(metric)).into_iter().min().unwrap();
            assert!(both.cost(metric) <= least);
            shorter += usize::from(both.cost(metric) < least);
        }
    }
    assert!(shorter > 0, "no merged solution of {pairs} pairs is shorter than both");
}

/// The results for all images of a level are equally good: they do not depend on the order of squares.
#[test]
fn rotated_and_reflected_levels_have_equal_results() {
    for Solved { map, lurd, .. } in solutions(15, 160).take(60) {
        let results = Symmetry::ALL.map(|symmetry| {
            let (map, lurd) = (symmetry.apply(&map), symmetry.apply_to_lurd(&lurd));
            let better = shortened(&map, &lurd, Metric::Moves, &Budget::unlimited());
            (better.moves, better.pushes, better.exhausted)
        });
        assert!(results.iter().all(|result| *result == results[0]), "{map}{lurd}");
    }
}

#[test]
fn cycles_are_removed_without_a_search() {
    let map = Map::from_xsb("########\n#      #\n#@ $  .#\n#      #\n########").unwrap();
    let wandering = "urdRurrdLulldRRR".to_owned();
    let verdict = lurd_referee::judge(&map.to_string(), &wandering).unwrap();
    assert!(verdict.solved, "{}", verdict.board);
    let better = shortened(&map, &wandering, Metric::Pushes, &limited(0));
    assert_eq!((better.pushes, better.moves), (3, 4), "{}", better.lurd);
}

#[test]
fn a_cancelled_search_keeps_the_solution() {
    let map = Map::from_xsb("########\n#      #\n#@ $  .#\n# $ .  #\n########").unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let budget = Budget::new(Limits::default(), cancel);
    let better = shortened(&map, "rRRRlllldRR", Metric::Pushes, &budget);
    assert_eq!((better.pushes, better.expanded), (5, 0));
}

#[test]
fn moves_that_do_not_solve_are_rejected() {
    let map = Map::from_xsb("######\n#@$ .#\n######").unwrap();
    let rejected = |lurd| shorten(&map, lurd, Metric::Pushes, &Budget::unlimited(), &mut |_| ()).unwrap_err();
    assert_eq!(rejected("R"), ImproveError::NotSolved(1));
    assert!(matches!(rejected("u"), ImproveError::Fault(_)));
}

#[test]
fn a_level_that_starts_solved_needs_no_moves() {
    let map = Map::from_xsb("#####\n#@ *#\n#####").unwrap();
    let better = shortened(&map, "rl", Metric::Pushes, &Budget::unlimited());
    assert_eq!((better.lurd.as_str(), better.exhausted), ("", true));
}
