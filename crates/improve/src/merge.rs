//! The best of two solutions: the cheapest way that is made of pushes of either.
//!
//! Two routes of one level have positions in common, at least the first and the last. Where they do, one can be left
//! for the other. What two threads have gained in different places is so put together.

use crate::Goal;
use crate::route::{Cost, Push, Route};
use lurd_rules::{Bits, Board, NO_SQUARE, Square, State, Walker};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A position of one of the routes: before its push of this number, the player where the push before has left him.
struct Stop {
    boxes: Bits,
    player: Square,
    /// Which positions are the same up to a walk.
    place: usize,
    /// The push the route makes here, and the position it leads to; none at the end.
    next: Option<(Push, usize)>,
}

/// The cheapest route through positions of both.
pub(super) fn merged(board: &Board, goal: Goal, routes: [&Route; 2]) -> Option<Route> {
    let mut walker = Walker::new(board);
    let mut places: HashMap<(Bits, Square), usize> = HashMap::new();
    let mut stops = Vec::new();
    for route in routes {
        let mut state = State::start(board);
        for index in 0..=route.len() {
            // Once the level is solved it does not matter where the player can walk.
            let solved = state.boxes == *board.goal_set();
            let zone = if solved { NO_SQUARE } else { walker.fill(board, &state.boxes, state.player) };
            let fresh = places.len();
            let place = *places.entry((state.boxes.clone(), zone)).or_insert(fresh);
            let next = route.pushes.get(index).map(|&push| (push, stops.len() + 1));
            stops.push(Stop { boxes: state.boxes.clone(), player: state.player, place, next });
            if let Some(&push) = route.pushes.get(index) {
                state.boxes.shift(push.from, push.to(board));
                state.player = push.from;
            }
        }
    }
    let mut at_place = vec![Vec::new(); places.len()];
    for (number, stop) in stops.iter().enumerate() {
        at_place[stop.place].push(number);
    }

    // Dijkstra's search; the first position is the start.
    let mut known: Vec<Option<(Cost, usize, Option<Push>)>> = vec![None; stops.len()];
    let mut queue = BinaryHeap::new();
    known[0] = Some((Cost::default(), 0, None));
    queue.push(Reverse((Cost::default(), 0)));
    let end = loop {
        let Reverse((cost, number)) = queue.pop()?;
        if known[number].is_some_and(|(least, ..)| least < cost) {
            continue;
        }
        let stop = &stops[number];
        if stop.boxes == *board.goal_set() {
            break number;
        }
        walker.measure(board, &stop.boxes, stop.player);
        for &(push, to) in at_place[stop.place].iter().filter_map(|&same| stops[same].next.as_ref()) {
            let behind = push.behind(board);
            if !walker.reached(behind) {
                continue;
            }
            let after = cost.plus(Cost::new(goal, 1, u32::from(walker.steps(behind)) + 1));
            if known[to].is_none_or(|(least, ..)| after < least) {
                known[to] = Some((after, number, Some(push)));
                queue.push(Reverse((after, to)));
            }
        }
    };
    let mut pushes = Vec::new();
    let mut number = end;
    while let Some((_, parent, Some(push))) = known[number] {
        pushes.push(push);
        number = parent;
    }
    pushes.reverse();
    Route::of(board, pushes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_level::Map;

    /// Each route pushes another box to and fro: the best of both does neither.
    #[test]
    fn what_each_does_better_is_put_together() {
        let map = Map::from_xsb("########\n#      #\n#@ $  .#\n# $ .  #\n########").unwrap();
        let board = Board::new(&map).unwrap();
        let routes = ["rRurrdLulldRRRlllldRR", "rRRRlllldRurrdLulldRR"].map(|lurd| Route::read(&board, lurd).unwrap());
        assert_eq!(routes.each_ref().map(Route::len), [7, 7]);
        for goal in [Goal::Pushes, Goal::Moves] {
            let both = merged(&board, goal, routes.each_ref()).unwrap();
            assert_eq!(both.write(&board), "rRRRlllldRR");
        }
    }
}
