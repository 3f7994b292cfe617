//! The parts of the opened-start pull search against plain versions of themselves, and its solutions against the referee.

use crate::opened::Opened;
use crate::opened::opening::{Opening, OpeningOptions};
use crate::opened::scene::{Grid, Pull, PullFeatures, Scene};
use crate::opened::target::{Target, TargetPairing};
use crate::strategy::{Halt, HaltPoller, SliceEnd, Strategy};
use crate::test_support::{board, replay};
use lurd_base::random::SplitMix64;
use lurd_base::{Budget, Cancel, Limits};
use lurd_level::{Direction, Map};
use lurd_rules::dense::board::{DenseBoard, INFINITE, NONE, Side};
use lurd_rules::dense::set::Set;
use lurd_rules::distance::{Distances, FAR};
use lurd_rules::oracle::levels;
use lurd_rules::push::written;
use lurd_rules::{Board, Figures, Square};
use std::collections::VecDeque;
use std::sync::Arc;

/// A board of at most four words that the search can begin on.
fn prepared(map: &Map) -> Option<(Arc<Board>, Arc<DenseBoard>)> {
    let board = Arc::new(Board::new(map).ok()?);
    let dense = Arc::new(DenseBoard::new(&board, &Budget::unlimited()).ok()??);
    (!dense.is_hopeless() && dense.boxes() > 1).then_some((board, dense))
}

/// A chessboard of `side` times `side` squares with a box on every second one and a goal on the others.
fn lattice(side: usize) -> String {
    let wall = "#".repeat(side + 4);
    let aisle = format!("#{}#\n", " ".repeat(side + 2));
    let row = |row: usize| -> String {
        (0..side).map(|column| if (row + column).is_multiple_of(2) { '$' } else { '.' }).collect()
    };
    let rows: String = (0..side).map(|line| format!("# {} #\n", row(line))).collect();
    format!("{wall}\n{}{rows}{aisle}{wall}\n", aisle.replacen(' ', "@", 1))
}

/// Random crowded levels, and a lattice with walls in it.
fn crowded() -> impl Iterator<Item = (Arc<Board>, Arc<DenseBoard>)> {
    let walled = lattice(6).replace("#  ", "# #");
    levels(77, 12_000)
        .chain([lattice(4), lattice(6), walled].map(|level| Map::from_xsb(&level).unwrap()))
        .filter_map(|map| prepared(&map))
}

/// The pulls of a lone box to a start square are no fewer than the pushes back from the best side, and for a goal no more
/// than those from the side of the player in the start.
#[test]
fn distances_are_those_of_pushes() {
    let mut compared = 0;
    for (board, dense) in crowded() {
        let target = Target::new(&dense, dense.starts());
        let squares: Vec<Square> = board.squares().collect();
        let pushes = Distances::to_squares(&board, &squares, &Budget::unlimited()).unwrap();
        for live in 0..dense.live_count() {
            let square = dense.square(dense.cell(live));
            let rows = (0..dense.way(Side::Backward).row_count() as u16).filter(|&row| dense.row_live(row) == live);
            for (place, &start) in board.start_boxes().iter().enumerate() {
                let least = rows.clone().map(|row| target.distance(row, place)).min().unwrap();
                let players = squares.iter().filter(|&&player| player != start);
                let expected = players.map(|&player| pushes.row(start, player)[usize::from(square)]).min().unwrap();
                let expected = if expected == FAR { INFINITE } else { expected as i16 };
                assert!(least >= expected, "{}{start} to {square}", board.map());
                let from_start = pushes.row(start, board.start_player())[usize::from(square)];
                if board.is_goal(square) && from_start != FAR {
                    assert!(least <= from_start as i16, "{}{start} to {square}", board.map());
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

/// The opened position of a level, if its boxes can be pulled there, with a scene of the solved board.
fn scene(dense: &Arc<DenseBoard>) -> Option<(Grid<4>, Target, Scene<4>, Set<4>, usize)> {
    let grid = Grid::<4>::new(dense);
    let halt = Halt::new(Budget::unlimited());
    let mut poller = HaltPoller::new(&halt, 0);
    let opening = Opening::new(&grid, OpeningOptions::of_run(0), &mut Figures::default(), &mut poller)?;
    let target = Target::new(dense, &opening.squares(dense));
    let boxes: Set<4> = dense.goals().iter().map(|&goal| dense.cell(goal.into())).collect();
    let player = grid.plane.floor.without(boxes).lowest();
    let mut scene = Scene::new(&grid, &target);
    let rows = dense.goals().iter().map(|&goal| dense.row_at(goal.into(), player));
    scene.pairing.solve(&target, rows).then_some((grid, target, scene, boxes, player))
}

/// Makes random pulls and shows each position with its scene, before the next pull is made.
fn wander(mut visit: impl FnMut(&Grid<4>, &Target, &mut Scene<4>)) {
    let mut random = SplitMix64::new(3);
    for (_, dense) in crowded() {
        let Some((grid, target, mut scene, mut boxes, mut player)) = scene(&dense) else { continue };
        let root = (boxes, player);
        for step in 0..6 * dense.boxes() * dense.boxes() {
            if step % (5 * dense.boxes()) == 0 || scene.pulls.is_empty() {
                (boxes, player) = root;
                let row = |cell: usize| dense.row_at(dense.live_at(cell).into(), player);
                assert!(scene.pairing.solve(&target, boxes.iter().map(row)), "as before");
            }
            scene.place(&grid, &target, boxes, player);
            scene.measure(&grid);
            visit(&grid, &target, &mut scene);
            if scene.pulls.is_empty() {
                continue;
            }
            let pull = scene.pulls[random.below(scene.pulls.len())];
            boxes = scene.boxes_after(&grid, pull);
            player = pull.step.lands.into();
            if !scene.pairing.repair(&dense, &target, pull.from.into(), pull.step.row) {
                break;
            }
        }
    }
}

/// The cost of a child is that of a matching from the beginning where it is not higher than before, and a lower bound of
/// it elsewhere.
#[test]
fn costs_are_those_of_a_full_matching() {
    let [mut exact, mut higher] = [0; 2];
    wander(|grid, target, scene| {
        let dense = &*grid.board;
        let mut fresh = TargetPairing::new(target);
        for place in 0..scene.pulls.len() {
            let pull = scene.pulls[place];
            let rows = scene.pairing.matching.rows.iter();
            let rows = rows.map(|&row| if dense.row_live(row) == usize::from(pull.from) { pull.step.row } else { row });
            let full = fresh.solve(target, rows).then(|| fresh.total()).filter(|&total| total < i32::from(INFINITE));
            let before = scene.pairing.total();
            match (scene.cost_after(target, pull), full) {
                (Some(cost), Some(full)) if cost <= before => {
                    assert_eq!(cost, full);
                    exact += 1;
                }
                (Some(cost), Some(full)) => {
                    assert!(cost <= full && full > before, "{cost} {full} {before}");
                    higher += 1;
                }
                (cost, full) => assert!(full.is_none(), "{cost:?} {full:?}"),
            }
        }
    });
    assert!(exact > 1_000 && higher > 1_000, "{exact} {higher}");
}

/// Neighbours of a cell on the floor.
fn neighbours(grid: &Grid<4>, cell: usize) -> Vec<usize> {
    grid.plane.beside(Set::single(cell)).and(grid.plane.floor).iter().collect()
}

/// The features of a child by plain searches over cells.
fn plain_features(grid: &Grid<4>, target: &Target, scene: &Scene<4>, pull: Pull) -> (PullFeatures, Set<4>) {
    let dense = &*grid.board;
    let boxes = scene.boxes_after(grid, pull);
    let player = usize::from(pull.step.lands);
    let mut zone = vec![player];
    let mut at = 0;
    while let Some(&cell) = zone.get(at) {
        at += 1;
        let new = |next: &usize| !boxes.contains(*next) && !zone.contains(next);
        let next: Vec<usize> = neighbours(grid, cell).into_iter().filter(new).collect();
        zone.extend(next);
    }
    // The pairs after the pull: the moved box keeps its target.
    let moved = |row: u16| if dense.row_live(row) == usize::from(pull.from) { pull.step.row } else { row };
    let pairs: Vec<(usize, u16)> =
        scene.pairing.matching.rows.iter().enumerate().map(|(place, &row)| (place, moved(row))).collect();
    let cell_of = |row: u16| dense.cell(dense.row_live(row));
    let arrived: Vec<usize> =
        pairs.iter().filter(|&&(place, row)| target.distance(row, place) == 0).map(|&(_, row)| cell_of(row)).collect();
    // Breadth-first search with steps of cost 0 and 1.
    let mut crossed = vec![u32::MAX; dense.cells()];
    crossed[player] = 0;
    let mut queue = VecDeque::from([player]);
    while let Some(cell) = queue.pop_front() {
        for next in neighbours(grid, cell) {
            let cost = u32::from(arrived.contains(&next));
            if crossed[cell] + cost < crossed[next] {
                crossed[next] = crossed[cell] + cost;
                if cost == 0 { queue.push_front(next) } else { queue.push_back(next) }
            }
        }
    }
    let mut access = 0;
    for &(place, row) in pairs.iter().filter(|&&(place, row)| target.distance(row, place) > 0) {
        let square = dense.row_live(row);
        let steps = &dense.way(Side::Backward).steps[4 * square..4 * square + 4];
        let nearer = steps.iter().filter(|step| {
            step.to != NONE
                && target.distance(step.row, place) < target.distance(row, place)
                && dense.row_at(square, step.reach.into()) == row
        });
        let way = |reach: u16, clear: u16| {
            let blocked = u32::from(arrived.contains(&clear.into()));
            (crossed[usize::from(reach)].min(5) + blocked).min(5)
        };
        access += nearer.map(|step| way(step.reach, step.clear)).min().unwrap_or(5);
    }
    let mut pulls = 0;
    for direction in Direction::ALL {
        let next = |cell: usize| {
            let next = grid.plane.shifted(Set::single(cell), direction).and(grid.plane.floor);
            (!next.is_empty()).then(|| next.lowest())
        };
        let is_pull = |cell: &usize| {
            next(*cell)
                .is_some_and(|near| zone.contains(&near) && next(near).is_some_and(|beyond| zone.contains(&beyond)))
        };
        pulls += boxes.iter().filter(is_pull).count();
    }
    let free = grid.plane.floor.without(boxes).len() as usize;
    let off = pairs.len() - arrived.len();
    let features = PullFeatures {
        access: access as u16,
        closed: (free - zone.len()) as u16,
        off: off as u16,
        pulls: pulls as u16,
    };
    (features, zone.into_iter().collect())
}

/// Zone and features of a child, taken over from the position before, are those of plain searches.
#[test]
fn zones_and_features_are_those_of_plain_searches() {
    let mut compared = 0;
    wander(|grid, target, scene| {
        for place in 0..scene.pulls.len() {
            let pull = scene.pulls[place];
            let (features, zone) = plain_features(grid, target, scene, pull);
            assert_eq!(scene.zone_after(grid, pull), zone);
            assert_eq!(scene.features_after(grid, target, pull, zone), features);
            compared += 1;
        }
    });
    assert!(compared > 20_000, "{compared}");
}

/// Every position of an opening is reached by its pushes.
#[test]
fn positions_of_an_opening_are_reachable() {
    let mut reached = 0;
    for (number, (board, dense)) in crowded().enumerate().filter(|(number, _)| number % 4 == 0) {
        let grid = Grid::<4>::new(&dense);
        let halt = Halt::new(Budget::unlimited());
        let mut poller = HaltPoller::new(&halt, 0);
        let options = OpeningOptions::of_run(number as u64 / 4);
        let opening = Opening::new(&grid, options, &mut Figures::default(), &mut poller).unwrap();
        for position in 0..opening.len() as u32 {
            let pushes = opening.pushes_to(&dense, position);
            let lurd = written(&board, &pushes);
            let made = lurd.chars().filter(char::is_ascii_uppercase).count();
            assert_eq!(made, pushes.len(), "{}{lurd}", board.map());
            reached += 1;
        }
    }
    assert!(reached > 500, "{reached}");
}

/// Runs the search on a level until an end or so many positions.
fn run(board: &Arc<Board>, dense: &Arc<DenseBoard>, nodes: u64) -> (SliceEnd, Figures) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let halt = Halt::new(Budget::new(limits, Cancel::new()));
    let mut search = Opened::<4>::new(dense);
    loop {
        let end = search.run(5_000, &halt);
        if let SliceEnd::Solved(pushes) = &end {
            replay(board, pushes);
        }
        if end != SliceEnd::Open || halt.is_requested() {
            assert!(search.figures().generated <= nodes, "the limit holds");
            return (end, search.figures());
        }
    }
}

/// Whatever it finds on random levels is a solution, and it finds many.
#[test]
fn solutions_replay() {
    let mut solved = 0;
    for (board, dense) in crowded() {
        solved += usize::from(matches!(run(&board, &dense, 3_000).0, SliceEnd::Solved(_)));
    }
    assert!(solved > 300, "{solved}");
}

/// A lattice of 32 boxes is solved, and a second run does the same.
#[test]
fn a_lattice_is_pulled_apart() {
    let board = board(&lattice(8));
    let dense = Arc::new(DenseBoard::new(&board, &Budget::unlimited()).unwrap().unwrap());
    let first = run(&board, &dense, 1_000_000);
    assert!(matches!(first.0, SliceEnd::Solved(_)), "{:?}", first.1);
    assert_eq!(run(&board, &dense, 1_000_000), first);
}

/// A start without a push, or a solved board without a pull, ends the search at once.
#[test]
fn a_level_without_moves_is_given_up() {
    for level in ["#####\n#.$@#\n#*..#\n#$$##\n#####", "#######\n#@$ $.#\n#$#$#.#\n#. ..*#\n#######"] {
        let Some((board, dense)) = prepared(&Map::from_xsb(level).unwrap()) else { continue };
        assert_eq!(run(&board, &dense, 100_000).0, SliceEnd::Spent, "{level}");
    }
}

/// A search whose runs memory ends again and again gives up instead of beginning the same run for ever.
#[test]
fn a_search_without_memory_is_dropped() {
    let map = Map::from_xsb(&lattice(6)).unwrap();
    let (_, dense) = prepared(&map).unwrap();
    let mut search = Opened::<4>::new(&dense);
    let halt = Halt::new(Budget::unlimited());
    let mut freed = 0;
    while {
        while search.bytes() == 0 {
            assert!(matches!(search.run(100, &halt), SliceEnd::Open));
        }
        search.free_memory()
    } {
        freed += 1;
        assert!(freed < 10);
    }
    assert!(freed > 0);
}
