//! The dense engine and the rules of its board against brute force, on thousands of small crowded random levels.
//!
//! The tests of rules of `lurd-rules` are here because they share these levels and the brute force of both directions
//! with those of the engine.

use crate::dense::{Dense, Order};
use crate::strategy::{Halt, SliceEnd, Strategy};
use crate::test_support::{board, replay};
use lurd_base::Budget;
use lurd_base::random::SplitMix64;
use lurd_level::{Cell, Direction, Map};
use lurd_rules::dense::board::{DenseBoard, NONE, Side};
use lurd_rules::dense::capacity::Capacities;
use lurd_rules::dense::corral::{CorralRules, CorralVerdict};
use lurd_rules::dense::dead_set_tables::{DeadSetQuery, DeadSetTables};
use lurd_rules::dense::dead_sets::DeadSets;
use lurd_rules::dense::set::Set;
use lurd_rules::groups::subsets::MOST;
use lurd_rules::oracle::{pillared, populate, reachable, step, undo};
use lurd_rules::{Bits, Board, NO_SQUARE, Square, State, Walker};
use std::collections::HashSet;
use std::sync::Arc;

/// A room of a few squares with pillars and up to `most` boxes. Half of them are made by pulls from the solved board
/// and have a solution; the others have random boxes.
fn small_level(random: &mut SplitMix64, most: usize) -> (Map, Board) {
    loop {
        let (height, width) = (2 + random.below(4), 3 + random.below(4));
        let boxes = 1 + random.below(most);
        let backwards = random.below(2) == 0;
        if let Some(level) = room(random, height, width, boxes, if backwards { 200 } else { 0 })
            && level.1.len() <= 20
        {
            return level;
        }
    }
}

/// A room with pillars, made by `pulls` random moves backwards from the solved board; with none, the boxes are random.
fn room(random: &mut SplitMix64, height: usize, width: usize, boxes: usize, pulls: usize) -> Option<(Map, Board)> {
    let (mut rows, floor) = pillared(height, width, 8, random);
    if floor.len() < boxes + 3 {
        return None;
    }
    let mut goals = 0;
    while goals < boxes {
        let (row, column) = floor[random.below(floor.len())];
        if rows[row][column] == Cell::Floor {
            rows[row][column] = Cell::Goal;
            goals += 1;
        }
    }
    populate(&mut rows, &floor, boxes, pulls > 0, random);
    let board = Board::new(&Map::from_rows(&rows)).ok()?;
    let mut state = State::start(&board);
    for _ in 0..pulls {
        let direction = Direction::ALL[random.below(4)];
        // With a box to pull, it is pulled.
        if let Some(before) = undo(&board, &state, direction.opposite()).last() {
            state = before;
        }
    }
    let map = board.picture(&state.boxes, state.player);
    let board = Board::new(&map).ok()?;
    (!board.goals().is_empty()).then_some((map, board))
}

/// Every position that pushes (or pulls) and steps lead to; a box may arrive only where `allowed` says.
fn explore(board: &Board, first: Vec<State>, side: Side, allowed: &dyn Fn(Square, Square) -> bool) -> HashSet<State> {
    let mut known: HashSet<State> = first.iter().cloned().collect();
    let mut open = first;
    while let Some(state) = open.pop() {
        for direction in Direction::ALL {
            let children: Vec<State> = match side {
                Side::Forward => step(board, &state, direction).into_iter().collect(),
                Side::Backward => undo(board, &state, direction).collect(),
            };
            for child in children {
                let arrived = child.boxes.iter().find(|&square| !state.boxes.contains(square));
                if arrived.is_none_or(|to| allowed(to, child.player)) && known.insert(child.clone()) {
                    open.push(child);
                }
            }
        }
    }
    known
}

/// Every position from which the level can be solved.
fn solvable(board: &Board) -> HashSet<State> {
    explore(board, with_every_player(board, board.goal_set()), Side::Backward, &|_, _| true)
}

fn with_every_player(board: &Board, boxes: &Bits) -> Vec<State> {
    let free = board.squares().filter(|&square| !boxes.contains(square));
    free.map(|player| State { boxes: boxes.clone(), player }).collect()
}

/// The side of a square that the player is on.
fn side_of(board: &Board, square: Square, player: Square) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&direction| board.neighbour(square, direction) == player)
}

fn dense_board(board: &Board) -> DenseBoard {
    DenseBoard::new(board, &Budget::unlimited()).unwrap().unwrap()
}

fn finished_tables(board: &Board, side: Side) -> (Arc<DenseBoard>, DeadSetQuery) {
    let dense = Arc::new(dense_board(board));
    let tables = Arc::new(DeadSetTables::new(&dense, side, MOST).unwrap());
    let mut query = DeadSetQuery::new(&tables);
    while tables.next().is_some() {
        query.refresh(1000);
    }
    (dense, query)
}

fn subsets(count: usize, squares: &[Square], size: usize) -> Vec<Bits> {
    if size == 0 {
        return vec![Bits::empty(count)];
    }
    let mut sets = Vec::new();
    for (index, &first) in squares.iter().enumerate() {
        for mut set in subsets(count, &squares[index + 1..], size - 1) {
            set.insert(first);
            sets.push(set);
        }
    }
    sets
}

/// On the board with only these boxes, a position is alive for a side exactly when an exhaustive search from the side's
/// targets reaches it; and the tables say so when asked about each box with the player beside it, for sets of every
/// size.
#[test]
fn tables_agree_with_exhaustive_search_of_the_few_boxes() {
    let mut random = SplitMix64::new(11);
    let mut asked = [0usize; 2];
    for _ in 0..400 {
        let (map, board) = small_level(&mut random, 5);
        for side in [Side::Forward, Side::Backward] {
            let (dense, tables) = finished_tables(&board, side);
            if dense.is_hopeless() {
                continue;
            }
            let good = |square: Square, player: Square| {
                let live = dense.live_on(square);
                let beside = side_of(&board, square, player);
                live != NONE && beside.is_some_and(|d| dense.is_good(4 * usize::from(live) + d as usize))
            };
            let live: Vec<Square> = board.squares().filter(|&square| dense.live_on(square) != NONE).collect();
            for size in 2..=board.goals().len().min(4) {
                let ends = match side {
                    Side::Forward => {
                        let goals = subsets(board.len(), board.goals(), size);
                        goals.iter().flat_map(|boxes| with_every_player(&board, boxes)).collect()
                    }
                    Side::Backward => {
                        let starts = subsets(board.len(), board.start_boxes(), size).into_iter();
                        starts.map(|boxes| State { boxes, player: board.start_player() }).collect()
                    }
                };
                let alive = explore(&board, ends, side.opposite(), &good);
                for boxes in subsets(board.len(), &live, size) {
                    // Asked for each box and side; a set that contains a smaller dead set need not be known itself.
                    for to in boxes.iter() {
                        for &player in board.neighbours(to) {
                            if player == NO_SQUARE || boxes.contains(player) || !good(to, player) {
                                continue;
                            }
                            let dead = tables.is_dead(&board, &boxes, to, player);
                            let truth = !alive.contains(&State { boxes: boxes.clone(), player });
                            if dead {
                                assert!(truth, "called dead: {boxes:?} {to} {player} {side:?}\n{map}");
                            } else if truth {
                                // Dead by a subset without the moved box.
                                let others: Vec<Square> = boxes.iter().filter(|&other| other != to).collect();
                                let part = if size == 2 {
                                    !alone_is_good(&dense, others[0], player)
                                } else {
                                    dead_part(&board, &tables, &dense, &others, player)
                                };
                                assert!(part, "not called dead: {boxes:?} {to} {player} {side:?}\n{map}");
                            }
                            asked[usize::from(truth)] += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(asked.iter().all(|&count| count > 10_000), "{asked:?}");
}

/// Whether a box alone is alive with the player in his zone.
fn alone_is_good(dense: &DenseBoard, square: Square, player: Square) -> bool {
    let live = usize::from(dense.live_on(square));
    (0..4).any(|direction| {
        let cell = dense.beside(4 * live + direction);
        cell != NONE
            && dense.row_at(live, cell.into()) == dense.row_at(live, dense.cell_on(player))
            && dense.is_good(4 * live + direction)
    })
}

/// Whether some subset of these boxes is dead for the player in his zone.
fn dead_part(board: &Board, tables: &DeadSetQuery, dense: &DenseBoard, boxes: &[Square], player: Square) -> bool {
    (1..=boxes.len()).any(|size| {
        subsets(board.len(), boxes, size).into_iter().any(|part| {
            let mut walker = Walker::new(board);
            walker.fill(board, &part, player);
            part.iter().any(|to| {
                !alone_is_good(dense, to, player)
                    || board.neighbours(to).iter().any(|&beside| {
                        beside != NO_SQUARE && walker.reached(beside) && tables.is_dead(board, &part, to, beside)
                    })
            })
        })
    })
}

/// No position on a solution is called dead, by either side, whatever box was moved last.
#[test]
fn positions_on_solutions_pass_both_tables() {
    let mut random = SplitMix64::new(12);
    let mut asked = 0usize;
    for _ in 0..1500 {
        let (map, board) = small_level(&mut random, 5);
        let alive = solvable(&board);
        if !alive.contains(&State::start(&board)) {
            continue;
        }
        let reachable = reachable(&board);
        for side in [Side::Forward, Side::Backward] {
            let (_, tables) = finished_tables(&board, side);
            for State { boxes, player } in reachable.iter().filter(|state| alive.contains(state)) {
                for to in boxes.iter().filter(|&to| side_of(&board, to, *player).is_some()) {
                    let dead = tables.is_dead(&board, boxes, to, *player);
                    assert!(!dead, "{side:?} {to}\n{}\n{map}", board.picture(boxes, *player));
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 30_000, "{asked}");
}

/// A position that the start leads to, or that leads to the solved board, never exceeds the capacities of the side that
/// searches for it, whatever box was moved last; and some others do.
#[test]
fn capacities_hold_the_boxes_of_every_possible_position() {
    let mut random = SplitMix64::new(31);
    let mut full = [0usize; 2];
    for _ in 0..1500 {
        let (map, board) = small_level(&mut random, 5);
        let dense = dense_board(&board);
        let reachable: HashSet<State> = reachable(&board).into_iter().collect();
        let alive = solvable(&board);
        for side in [Side::Forward, Side::Backward] {
            let capacities = Capacities::<1>::new(&dense, side);
            let found = if side == Side::Forward { &alive } else { &reachable };
            for state in reachable.union(&alive) {
                let live: Vec<u16> = state.boxes.iter().map(|square| dense.live_on(square)).collect();
                if live.contains(&NONE) {
                    continue;
                }
                for &moved in &live {
                    let mut others = Set::EMPTY;
                    live.iter().filter(|&&other| other != moved).for_each(|&other| others.insert(other.into()));
                    let row = dense.row_at(moved.into(), dense.cell_on(state.player));
                    if capacities.overflow(row, others) {
                        let shown = board.picture(&state.boxes, state.player);
                        assert!(!found.contains(state), "{side:?}\n{shown}\n{map}");
                        full[side as usize] += 1;
                    }
                }
            }
        }
    }
    assert!(full.iter().all(|&count| count > 1_000), "{full:?}");
}

fn prepared(board: &Board) -> Dense {
    Dense::new(board, 1 << 28, &Budget::unlimited()).unwrap()
}

fn searches(dense: &Dense, orders: &[Order]) -> Vec<Box<dyn Strategy>> {
    orders.iter().map(|&order| dense.search(order)).collect()
}

fn is_solvable(board: &Board) -> bool {
    reachable(board).iter().any(|state| state.boxes == *board.goal_set())
}

/// Runs searches in round robin until one ends.
fn race(searches: &mut [Box<dyn Strategy>], work: u64) -> SliceEnd {
    let halt = Halt::new(Budget::unlimited());
    loop {
        for search in &mut *searches {
            let end = search.run(work, &halt);
            if end != SliceEnd::Open {
                return end;
            }
        }
    }
}

const ORDERS: [&[Order]; 6] = [
    &[Order::Backward],
    &[Order::Forward],
    &[Order::BackwardMacro],
    &[Order::BackwardInteraction],
    &[Order::ForwardMacro],
    &[Order::Backward, Order::Forward, Order::BackwardMacro, Order::BackwardInteraction],
];

/// Every order alone and all in round robin: solved exactly when there is a solution, and then legally.
#[test]
fn verdicts_agree_with_brute_force() {
    let mut random = SplitMix64::new(13);
    let mut count = [0usize; 2];
    for _ in 0..3000 {
        let (map, board) = small_level(&mut random, 6);
        let truth = is_solvable(&board);
        count[usize::from(truth)] += 1;
        for orders in ORDERS {
            match race(&mut searches(&prepared(&board), orders), 50) {
                SliceEnd::Solved(pushes) => {
                    assert!(truth, "{orders:?} solves\n{map}");
                    replay(&board, &pushes);
                }
                end => assert!(end == SliceEnd::Unsolvable && !truth, "{orders:?} says {end:?} of\n{map}"),
            }
        }
    }
    assert!(count.iter().all(|&count| count > 500), "{count:?}");
}

/// A level without solution that takes a search nearly two hundred thousand expansions to exhaust.
const UNSOLVABLE: &str = "########\n# .  . #\n#. . # #\n#  $$* #\n#  $ *@#\n#. $$$ #\n# # . ##\n########";

#[test]
fn a_run_on_one_thread_is_deterministic() {
    let board = board(UNSOLVABLE);
    let run = || {
        let mut searches = searches(&prepared(&board), &[Order::Backward, Order::BackwardMacro]);
        let halt = Halt::new(Budget::unlimited());
        let mut end = SliceEnd::Open;
        for _ in 0..20 {
            for search in &mut searches {
                if end == SliceEnd::Open {
                    end = search.run(5000, &halt);
                }
            }
        }
        (end, searches.iter().map(|search| search.figures()).collect::<Vec<_>>())
    };
    let (first, second) = (run(), run());
    assert_eq!(first, second);
    let expanded = first.1.iter().map(|figures| figures.expanded).sum::<u64>();
    assert!(expanded > 5_000, "{expanded}");
}

/// A search with little memory drops positions and is spent in the end; with enough it proves that there is no
/// solution.
#[test]
fn the_memory_limit_holds_and_an_incomplete_search_proves_nothing() {
    let board = board(UNSOLVABLE);
    let dense = dense_board(&board);
    for (megabytes, expected) in [(4, SliceEnd::OutOfMemory), (8, SliceEnd::OutOfMemory), (64, SliceEnd::Unsolvable)] {
        let memory = dense.bytes() + (megabytes << 20);
        let dense = Dense::new(&board, memory, &Budget::unlimited()).unwrap();
        let mut search = dense.search(Order::Backward);
        let halt = Halt::new(Budget::unlimited());
        let end = loop {
            let end = search.run(5000, &halt);
            let held = dense.bytes() + search.bytes();
            assert!(held <= memory, "{held} of {memory}");
            if end != SliceEnd::Open {
                break end;
            }
        };
        assert_eq!(end, expected, "with {megabytes} MiB");
    }
}

/// A search whose memory is soon full goes on, and mostly still finds a solution.
#[test]
fn a_search_that_drops_positions_goes_on() {
    let mut random = SplitMix64::new(19);
    let mut solved_after = 0;
    let mut full = 0;
    for _ in 0..400 {
        let Some((map, board)) = room(&mut random, 7, 8, 10, 5_000) else { continue };
        let memory = dense_board(&board).bytes() + (640 << 10);
        let dense = Dense::new(&board, memory, &Budget::unlimited()).unwrap();
        let mut searches = [Order::Forward, Order::BackwardMacro].map(|order| Some(dense.search(order)));
        let halt = Halt::new(Budget::unlimited());
        let mut ends = Vec::new();
        while ends.is_empty() && searches.iter().any(Option::is_some) {
            for search in &mut searches {
                match search.as_mut().map(|search| search.run(2_000, &halt)) {
                    Some(SliceEnd::Spent | SliceEnd::OutOfMemory) => *search = None,
                    Some(SliceEnd::Open) | None => {}
                    Some(end) => ends.push((end, search.as_ref().map_or(0, |search| search.figures().forgot))),
                }
            }
        }
        match ends.pop() {
            Some((SliceEnd::Solved(pushes), forgot)) => {
                replay(&board, &pushes);
                solved_after += usize::from(forgot > 0);
                full += usize::from(forgot > 0);
            }
            None => full += 1,
            end => panic!("{end:?}\n{map}"),
        }
    }
    assert!(solved_after > 5 && 2 * solved_after > full, "{solved_after} of {full}");
}

/// Rooms of all sizes, so that every number of words occurs; with inner walls there are few live squares or none.
#[test]
fn rooms_of_every_shape_are_solved() {
    let mut made = 0;
    for (height, width) in [(1, 3), (1, 61), (2, 90), (5, 5), (9, 9), (12, 12), (15, 20), (20, 15), (30, 30), (61, 40)]
    {
        for walled in [false, true] {
            // A comb: boxes move along one row, the player everywhere.
            let is_wall = |row, column| walled && row % 2 == 1 && column % 4 != 0;
            let cell = |row, column| if is_wall(row, column) { Cell::Wall } else { Cell::Floor };
            let cells = |row| (0..width).map(|column| cell(row, column)).collect();
            let mut rows: Vec<Vec<Cell>> = (0..height).map(cells).collect();
            // Away from the walls a box reaches the whole room.
            let row = if walled || height < 5 { 0 } else { 2 };
            rows[row][..3].copy_from_slice(&[Cell::Player, Cell::Box, Cell::Goal]);
            let map = Map::enclosed(&rows, width);
            let board = Board::new(&map).unwrap();
            let Some(dense) = Dense::new(&board, 1 << 28, &Budget::unlimited()) else { continue };
            made += 1;
            for orders in ORDERS {
                let end = race(&mut searches(&dense, orders), 50);
                let SliceEnd::Solved(pushes) = end else { panic!("not solved:\n{map}") };
                replay(&board, &pushes);
            }
        }
    }
    assert!(made > 10, "{made}");
}

/// In every reachable position: what freeze or corral calls dead is dead, and in a position with a solution some push
/// that corral and gate allow keeps one.
#[test]
fn corrals_and_gates_keep_a_solution() {
    let mut random = SplitMix64::new(16);
    let mut seen = [0usize; 4];
    for _ in 0..1500 {
        let (map, board) = small_level(&mut random, 5);
        let dense = dense_board(&board);
        if dense.is_hopeless() || dense.cell_words() > 1 || dense.live_words() > 1 {
            continue;
        }
        let rules = CorralRules::<1>::new(&dense);
        let plane = dense.plane::<1>();
        let patterns = DeadSets::none(1, dense.live_count());
        let alive = solvable(&board);
        for state in reachable(&board) {
            let State { boxes, player } = &state;
            if boxes == board.goal_set() || boxes.iter().any(|square| dense.live_on(square) == NONE) {
                continue;
            }
            let mut cells = Set::<1>::EMPTY;
            boxes.iter().for_each(|square| cells.insert(dense.cell_on(square)));
            let zone = plane.zone(plane.floor.without(cells), dense.cell_on(*player));
            let shown = || board.picture(boxes, *player);
            let is_alive = alive.contains(&state);
            if rules.is_frozen(cells) {
                seen[0] += 1;
                assert!(!is_alive, "frozen:\n{}\n{map}", shown());
            }
            let keeps = |allowed: &dyn Fn(Square, Square) -> bool| {
                boxes.iter().any(|square| {
                    Direction::ALL.into_iter().any(|direction| {
                        let stand = board.neighbour(square, direction.opposite());
                        let to = board.neighbour(square, direction);
                        let possible = stand != NO_SQUARE && to != NO_SQUARE && zone.contains(dense.cell_on(stand));
                        possible && !boxes.contains(to) && allowed(square, to) && {
                            let mut next = State { boxes: boxes.clone(), player: square };
                            next.boxes.shift(square, to);
                            alive.contains(&next)
                        }
                    })
                })
            };
            match rules.judge::<1>(&dense, &patterns, cells, zone) {
                CorralVerdict::Open => {}
                CorralVerdict::Dead => {
                    seen[1] += 1;
                    assert!(!is_alive, "dead corral:\n{}\n{map}", shown());
                }
                CorralVerdict::Only { boxes: fence, into } => {
                    seen[2] += 1;
                    let inside = |square: Square, to: Square| {
                        fence.contains(dense.cell_on(square)) && into.contains(dense.cell_on(to))
                    };
                    assert!(!is_alive || keeps(&inside), "corral loses the solution:\n{}\n{map}", shown());
                }
            }
            for square in boxes.iter() {
                let side = side_of(&board, square, *player);
                let arrival = side.map(|direction| 4 * usize::from(dense.live_on(square)) + direction as usize);
                if arrival.is_some_and(|arrival| rules.is_gate(arrival)) {
                    seen[3] += 1;
                    let own = |pushed: Square, _: Square| pushed == square;
                    assert!(!is_alive || keeps(&own), "gate loses the solution:\n{}\n{map}", shown());
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

/// Searches on several threads share one table, and the first answer is legal.
#[test]
fn threads_share_one_table() {
    let mut random = SplitMix64::new(17);
    for _ in 0..300 {
        let (map, board) = small_level(&mut random, 6);
        let halt = Halt::new(Budget::unlimited());
        let mut searches = searches(&prepared(&board), ORDERS[5]);
        let ends: Vec<SliceEnd> = std::thread::scope(|scope| {
            let run = |search: &mut Box<dyn Strategy>| loop {
                let end = search.run(100, &halt);
                if end != SliceEnd::Open || halt.is_requested() {
                    halt.request();
                    return end;
                }
            };
            let threads: Vec<_> = searches.iter_mut().map(|search| scope.spawn(move || run(search))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let ended: Vec<&SliceEnd> = ends.iter().filter(|&end| *end != SliceEnd::Open).collect();
        assert!(!ended.is_empty());
        let truth = is_solvable(&board);
        for end in ended {
            match end {
                SliceEnd::Solved(pushes) => replay(&board, pushes),
                other => assert!(*other == SliceEnd::Unsolvable && !truth, "{other:?}\n{map}"),
            }
        }
    }
}
