//! The merge of two solutions: the cheapest solution that consists of pushes of either.
//!
//! Two routes of a level have positions in common, at least the first and the last. In a common position one route can
//! continue with the other. So improvements of two threads in different parts of the solution are combined.

use crate::Metric;
use crate::route::{Cost, Route};
use lurd_rules::{Bits, Board, Push, Square, State, Walker};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A position of one of the routes, with the player's square after the last push.
struct Node {
    boxes: Bits,
    player: Square,
    /// The class of positions that are equal up to a walk.
    class: usize,
    /// The push the route makes here, and the node it leads to; none at the end.
    next: Option<(Push, usize)>,
}

/// The cheapest route through positions of both.
pub(super) fn merged(board: &Board, metric: Metric, routes: [&Route; 2]) -> Option<Route> {
    let mut classes: HashMap<(Bits, Square), usize> = HashMap::new();
    let mut nodes = Vec::new();
    for route in routes {
        for (index, (State { boxes, player }, zone)) in route.positions(board).into_iter().enumerate() {
            let count = classes.len();
            let class = *classes.entry((boxes.clone(), zone)).or_insert(count);
            let next = route.pushes.get(index).map(|&push| (push, nodes.len() + 1));
            nodes.push(Node { boxes, player, class, next });
        }
    }
    let mut members = vec![Vec::new(); classes.len()];
    for (number, node) in nodes.iter().enumerate() {
        members[node.class].push(number);
    }

    // Dijkstra's algorithm from the start, which is node 0.
    let mut known: Vec<Option<(Cost, usize, Option<Push>)>> = vec![None; nodes.len()];
    let mut walker = Walker::new(board);
    let mut queue = BinaryHeap::new();
    known[0] = Some((Cost::default(), 0, None));
    queue.push(Reverse((Cost::default(), 0)));
    let end = loop {
        let Reverse((cost, number)) = queue.pop()?;
        if known[number].is_some_and(|(least, ..)| least < cost) {
            continue;
        }
        let node = &nodes[number];
        if node.boxes == *board.goal_set() {
            break number;
        }
        walker.measure(board, &node.boxes, node.player);
        for &(push, to) in members[node.class].iter().filter_map(|&equal| nodes[equal].next.as_ref()) {
            let behind = push.behind(board);
            if !walker.reached(behind) {
                continue;
            }
            let after = cost.plus(Cost::new(metric, 1, u32::from(walker.steps(behind)) + 1));
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

    /// Each route pushes another box back and forth; the merged route does neither.
    #[test]
    fn improvements_in_different_parts_are_combined() {
        let map = Map::from_xsb("########\n#      #\n#@ $  .#\n# $ .  #\n########").unwrap();
        let board = Board::new(&map).unwrap();
        let routes = ["rRurrdLulldRRRlllldRR", "rRRRlllldRurrdLulldRR"].map(|lurd| Route::read(&board, lurd).unwrap());
        assert_eq!(routes.each_ref().map(Route::len), [7, 7]);
        for metric in [Metric::Pushes, Metric::Moves] {
            let both = merged(&board, metric, routes.each_ref()).unwrap();
            assert_eq!(both.write(&board), "rRRRlllldRR");
        }
    }
}
