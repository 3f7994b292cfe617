//! Rearrangement and vicinity search against brute force: over all interleavings, and over all states of a window.

use crate::Metric;
use crate::poller::Poller;
use crate::rearrange::Rearranger;
use crate::route::{Cost, Route};
use crate::tests::{METRICS, Solved, solutions};
use crate::vicinity::{Vicinity, VicinitySearch};
use lurd_base::Budget;
use lurd_base::random::SplitMix64;
use lurd_level::Direction;
use lurd_rules::deadlock::{DetectorName, Detectors};
use lurd_rules::distance::Distances;
use lurd_rules::oracle::step;
use lurd_rules::{Bits, Board, NO_SQUARE, Push, Square, State, Walker};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The fewest steps of all interleavings of two sequences, from a position on; `None` if none is legal.
fn fewest_steps(board: &Board, state: &State, first: &[Push], second: &[Push]) -> Option<u32> {
    if first.is_empty() && second.is_empty() {
        return Some(0);
    }
    let choices = [(first.split_first(), second), (second.split_first(), first)];
    let tried = choices.into_iter().filter_map(|(own, other)| {
        let (push, rest) = own?;
        let (behind, to) = (push.behind(board), push.to(board));
        if !state.boxes.contains(push.from) || state.boxes.contains(to) {
            return None;
        }
        let mut walker = Walker::new(board);
        walker.measure(board, &state.boxes, state.player);
        if !walker.reached(behind) {
            return None;
        }
        let mut after = State { boxes: state.boxes.clone(), player: push.from };
        after.boxes.shift(push.from, to);
        Some(u32::from(walker.steps(behind)) + fewest_steps(board, &after, rest, other)?)
    });
    tried.min()
}

#[test]
fn the_order_is_the_best_of_all_interleavings() {
    let (mut better, mut same) = (0, 0);
    let stop = AtomicBool::new(false);
    for Solved { map, lurd, .. } in solutions(21, 40).take(5000) {
        let board = Board::new(&map).unwrap();
        let route = Route::read(&board, &lurd).unwrap();
        if route.len() > 13 {
            continue;
        }
        let owners = route.owners(&board);
        let budget = Budget::unlimited();
        let mut poller = Poller::new(&budget, &stop);
        let mut rearranger = Rearranger::new(&board);
        let boxes = board.start_boxes().len() as u16;
        for chosen in (0..boxes).map(|own| vec![own]).chain((1..boxes).map(|own| vec![0, own])) {
            let of = |wanted: bool| {
                let own = |push: &usize| chosen.contains(&owners[*push]) == wanted;
                (0..route.len()).filter(own).map(|push| route.pushes[push]).collect::<Vec<_>>()
            };
            let least = fewest_steps(&board, &State::start(&board), &of(true), &of(false)).unwrap();
            let found = rearranger.rearranged(&route, &owners, &chosen, usize::MAX, &mut poller);
            let steps = |route: &Route| route.walks.iter().sum::<u32>();
            match found {
                Some(pushes) => {
                    better += 1;
                    let found = Route::of(&board, pushes).unwrap();
                    assert_eq!((found.len(), steps(&found)), (route.len(), least), "{map}{lurd} {chosen:?}");
                }
                None => {
                    same += 1;
                    assert_eq!(steps(&route), least, "{map}{lurd} {chosen:?}");
                }
            }
        }
    }
    assert!(better > 50 && same > 1000, "both kinds must occur: {better} {same}");
}

/// The boxes of a window of the route, its cost at each position with the walk to the next push, and the player's square
/// before that push.
struct Along {
    boxes: Vec<Bits>,
    paid: Vec<Cost>,
    stands: Vec<Square>,
}

fn along(board: &Board, route: &Route, window: &Range<usize>, metric: Metric) -> Along {
    let at = window.start..=window.end;
    let walk = |at: usize| Cost::walk(metric, route.walks.get(at).copied().unwrap_or(0));
    Along {
        boxes: route.boxes_along(board, window),
        paid: at.clone().map(|at| route.cost_between(metric, window.start, at).plus(walk(at))).collect(),
        stands: at.map(|at| route.pushes.get(at).map_or(NO_SQUARE, |push| push.behind(board))).collect(),
    }
}

/// The fewest pushes of a box alone, its pusher anywhere.
fn pushes_alone(board: &Board, from: Square, to: Square) -> Option<i32> {
    let mut seen = BTreeSet::from([from]);
    let mut layer = vec![from];
    for pushes in 0.. {
        if layer.contains(&to) {
            return Some(pushes);
        }
        let pushed = |&square: &Square| {
            Direction::ALL.into_iter().filter_map(move |way| {
                let (next, behind) = (board.neighbour(square, way), board.neighbour(square, way.opposite()));
                (next != NO_SQUARE && behind != NO_SQUARE).then_some(next)
            })
        };
        layer = layer.iter().flat_map(pushed).filter(|&square| seen.insert(square)).collect();
        if layer.is_empty() {
            break;
        }
    }
    None
}

/// The number of the box on each square, for each position of the window.
fn numbered(board: &Board, route: &Route, window: &Range<usize>) -> Vec<HashMap<Square, usize>> {
    let start = route.position(board, window.start);
    let mut numbers: HashMap<Square, usize> = start.boxes.iter().zip(0..).collect();
    let mut all = vec![numbers.clone()];
    for push in &route.pushes[window.clone()] {
        let number = numbers.remove(&push.from).unwrap();
        numbers.insert(push.to(board), number);
        all.push(numbers.clone());
    }
    all
}

/// The largest primary cost at which a configuration is near, as the search defines it.
fn limit(
    board: &Board,
    along: &Along,
    numbers: &[HashMap<Square, usize>],
    boxes: &Bits,
    scope: Vicinity,
) -> Option<i32> {
    fn pairings(from: &[Square], to: &mut Vec<Square>, cost: &dyn Fn(Square, Square) -> i32) -> i32 {
        let Some((&first, rest)) = from.split_first() else { return 0 };
        let tried = (0..to.len()).map(|choice| {
            let chosen = to.remove(choice);
            let total = cost(first, chosen) + pairings(rest, to, cost);
            to.insert(choice, chosen);
            total
        });
        tried.collect::<Vec<_>>().into_iter().min().unwrap()
    }
    let ends: HashMap<usize, Square> =
        numbers.last().unwrap().iter().map(|(&square, &number)| (number, square)).collect();
    let compared = along.boxes.iter().zip(&along.paid).zip(numbers).filter_map(|((position, paid), numbers)| {
        let from: Vec<Square> = boxes.iter().filter(|&square| !position.contains(square)).collect();
        let mut to: Vec<Square> = position.iter().filter(|&square| !boxes.contains(square)).collect();
        let cost = |from: Square, to: Square| {
            let end = ends[&numbers[&to]];
            match (pushes_alone(board, from, end), pushes_alone(board, to, end)) {
                (Some(from), Some(to)) => from - to,
                _ => 20,
            }
        };
        let latest = (paid.first + scope.slack) as i32;
        (from.len() <= scope.displaced).then(|| latest - pairings(&from, &mut to, &cost))
    });
    compared.max()
}

/// The cheapest way from the start of a window to its end through near configurations, by Dijkstra's algorithm.
fn cheapest(board: &Board, route: &Route, window: &Range<usize>, metric: Metric, scope: Vicinity) -> Cost {
    let along = along(board, route, window, metric);
    let numbers = numbered(board, route, window);
    let start = route.position(board, window.start);
    let mut limits: HashMap<Bits, Option<i32>> = HashMap::new();
    let mut queue = BTreeSet::from([(Cost::default(), start.boxes.iter().collect::<Vec<_>>(), start.player)]);
    let mut seen = BTreeSet::new();
    // Joining the route anywhere is allowed, so the saving counts, and not the way to the end alone.
    let whole = *along.paid.last().unwrap();
    let (mut least, mut saved) = (whole, (0, 0));
    while let Some((cost, squares, player)) = queue.pop_first() {
        if !seen.insert((squares.clone(), player)) {
            continue;
        }
        let state = State { boxes: Bits::of(board.len(), squares), player };
        for (index, boxes) in along.boxes.iter().enumerate().filter(|(_, boxes)| **boxes == state.boxes) {
            let solved = along.stands[index] == NO_SQUARE && boxes == board.goal_set();
            if solved || along.stands[index] == player {
                let less = |a: u32, b: u32| i64::from(a) - i64::from(b);
                let now = (less(along.paid[index].first, cost.first), less(along.paid[index].second, cost.second));
                if now > saved {
                    saved = now;
                    let after = |whole: u32, saved: i64| (i64::from(whole) - saved) as u32;
                    least = Cost { first: after(whole.first, now.0), second: after(whole.second, now.1) };
                }
            }
        }
        for direction in Direction::ALL {
            let Some(after) = step(board, &state, direction) else { continue };
            let pushed = after.boxes != state.boxes;
            let cost = cost.plus(Cost::new(metric, pushed.into(), 1));
            let limit = limits.entry(after.boxes.clone()).or_insert_with_key(|boxes| {
                let own = along.boxes.iter().zip(&along.paid).filter(|(position, _)| *position == boxes);
                let own = own.map(|(_, paid)| (paid.first + scope.slack) as i32).max();
                limit(board, &along, &numbers, boxes, scope).max(own)
            });
            if limit.is_some_and(|limit| cost.first as i32 <= limit) {
                queue.insert((cost, after.boxes.iter().collect(), after.player));
            }
        }
    }
    least
}

#[test]
fn a_window_is_searched_exactly() {
    let mut random = SplitMix64::new(8);
    let stop = AtomicBool::new(false);
    let (mut gains, mut narrower) = (0, 0);
    for Solved { map, lurd, .. } in solutions(22, 60).take(4000) {
        let board = Board::new(&map).unwrap();
        let distances = Distances::to_goals(&board, &Budget::unlimited()).unwrap();
        let route = Route::read(&board, &lurd).unwrap();
        if route.len() == 0 || route.len() > 40 {
            continue;
        }
        let start = random.below(route.len());
        let window = start..start + 1 + random.below(route.len() - start);
        for metric in METRICS {
            let detectors = Detectors::new(&board, &distances, &[DetectorName::Freeze]);
            let mut search = VicinitySearch::new(&board, metric, &distances, detectors);
            let budget = Budget::unlimited();
            let mut poller = Poller::new(&budget, &stop);
            let mut before = None;
            let some = Vicinity { displaced: random.below(3), slack: random.below(6) as u32 };
            for scope in [some, Vicinity { displaced: 4, slack: 1000 }] {
                let found = search.search(&route, window.clone(), scope, &mut poller);
                assert!(found.cut.is_none() && !found.full);
                let best = found.pushes.map(|pushes| Route::of(&board, pushes).expect("legal pushes"));
                let cost = best.as_ref().unwrap_or(&route).cost(metric);
                assert!(best.is_none() || cost < route.cost(metric), "{map}{lurd}");
                let own = route.cost_between(metric, window.start, window.end);
                let own = own.plus(Cost::walk(metric, route.walks.get(window.end).copied().unwrap_or(0)));
                let least = cheapest(&board, &route, &window, metric, scope);
                let saved = |a: Cost, b: Cost| {
                    (i64::from(a.first) - i64::from(b.first), i64::from(a.second) - i64::from(b.second))
                };
                let expected = saved(own, least);
                assert_eq!(saved(route.cost(metric), cost), expected, "{map}{lurd} {window:?} {metric:?} {scope:?}");
                gains += usize::from(expected > (0, 0));
                narrower += usize::from(before.is_some_and(|before| before < expected));
                before = Some(expected);
            }
        }
    }
    assert!(gains > 150 && narrower > 10, "both kinds must occur: {gains} {narrower}");
}
