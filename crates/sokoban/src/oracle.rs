//! Brute force against everything clever, on thousands of small levels made at random.
//!
//! The oracle knows only the rules: it enumerates every position of a level, finds the
//! true number of pushes and moves to the nearest solution from each, and so knows which
//! positions are dead. Every detector, estimate, formulation and algorithm must agree.

use crate::bits::Bits;
use crate::board::Board;
use crate::deadlock::Detectors;
use crate::distance::Distances;
use crate::engine::{
    AlgorithmName, Config, DetectorName, EstimateName, FormulationName, Goal, Outcome, PlayerTerm, Proof, solve,
};
use crate::formulation::{Formulation, MoveSpace, PushSpace};
use crate::heuristic::Estimator;
use crate::square::{Direction, NO_SQUARE, Square};
use crate::state::State;
use crate::{Cell, Level, Map};
use search::{Budget, Cancel, Heuristic};
use std::collections::{HashMap, HashSet};

/// Every position that can be reached, the player on any square, nearest first.
pub(crate) fn reachable(board: &Board) -> Vec<State> {
    let start = State::start(board);
    let mut seen = HashSet::from([start.clone()]);
    let mut list = vec![start];
    let mut at = 0;
    while at < list.len() {
        for direction in Direction::ALL {
            if let Some(next) = step(board, &list[at], direction)
                && seen.insert(next.clone())
            {
                list.push(next);
            }
        }
        at += 1;
    }
    list
}

/// A seeded generator of numbers (SplitMix64): the same levels on every machine.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % count as u64) as usize
    }
}

/// A small level: floor of one of two kinds, then goals, boxes and the player fall anywhere.
pub(crate) fn small_level(dice: &mut Dice) -> Map {
    loop {
        // Ways round a pillar matter to tunnels; such boards are larger and get fewer boxes.
        let pillars = dice.below(4) == 0;
        let (mut rows, floor) = if pillars { pillared(dice) } else { carved(dice) };
        let count = 1 + dice.below(if pillars { 2 } else { 3 });
        if floor.len() < count + 2 {
            continue;
        }
        for _ in 0..count {
            let (row, column) = floor[dice.below(floor.len())];
            rows[row][column] = Cell::Goal;
        }
        let goals = floor.iter().filter(|&&(r, c)| rows[r][c] == Cell::Goal).count();
        for _ in 0..goals {
            loop {
                let (row, column) = floor[dice.below(floor.len())];
                let cell = &mut rows[row][column];
                match *cell {
                    Cell::Floor => *cell = Cell::Box,
                    Cell::Goal => *cell = Cell::BoxOnGoal,
                    _ => continue,
                }
                break;
            }
        }
        let free: Vec<_> = floor.iter().filter(|&&(r, c)| !rows[r][c].has_box()).collect();
        let &&(row, column) = &free[dice.below(free.len())];
        rows[row][column] = if rows[row][column] == Cell::Goal { Cell::PlayerOnGoal } else { Cell::Player };
        let map = Map::from_rows(&rows);
        if Board::new(&map).is_ok() {
            return map;
        }
    }
}

type Floor = (Vec<Vec<Cell>>, Vec<(usize, usize)>);

/// Floor carved by a random walk: corridors, nooks and small rooms.
fn carved(dice: &mut Dice) -> Floor {
    let (height, width) = (3 + dice.below(4), 3 + dice.below(5));
    let mut rows = vec![vec![Cell::Wall; width + 2]; height + 2];
    let size = 5 + dice.below(10);
    let (mut row, mut column) = (1 + dice.below(height), 1 + dice.below(width));
    let mut floor = Vec::new();
    for _ in 0..400 {
        if rows[row][column] == Cell::Wall {
            rows[row][column] = Cell::Floor;
            floor.push((row, column));
        }
        if floor.len() == size {
            break;
        }
        let (down, right) = Direction::ALL[dice.below(4)].delta();
        row = row.saturating_add_signed(down).clamp(1, height);
        column = column.saturating_add_signed(right).clamp(1, width);
    }
    (rows, floor)
}

/// A room with pillars in it: short tunnels with ways round them.
fn pillared(dice: &mut Dice) -> Floor {
    let (height, width) = (3 + dice.below(3), 3 + dice.below(3));
    let mut rows = vec![vec![Cell::Wall; width + 2]; height + 2];
    let mut floor = Vec::new();
    for (row, cells) in rows.iter_mut().enumerate().take(height + 1).skip(1) {
        for (column, cell) in cells.iter_mut().enumerate().take(width + 1).skip(1) {
            if dice.below(10) < 7 {
                *cell = Cell::Floor;
                floor.push((row, column));
            }
        }
    }
    (rows, floor)
}

/// The truth about a level: for every position of boxes and player, the fewest moves and the
/// fewest pushes to a solution; positions missing from the table are dead.
pub(crate) struct Truth {
    pub(crate) moves: HashMap<State, u32>,
    pub(crate) pushes: HashMap<State, u32>,
}

impl Truth {
    pub(crate) fn new(board: &Board) -> Self {
        let solved: Vec<State> = board
            .squares()
            .filter(|&square| !board.is_goal(square))
            .map(|player| State { boxes: board.goal_set().clone(), player })
            .collect();
        Self { moves: backwards(board, &solved, |_| 1), pushes: backwards(board, &solved, u32::from) }
    }
}

/// Undoes moves from the solved positions, cheapest first, where a move costs what `cost` says of
/// whether it pushes.
fn backwards(board: &Board, solved: &[State], cost: impl Fn(bool) -> u32) -> HashMap<State, u32> {
    let mut known: HashMap<State, u32> = HashMap::new();
    let mut layers: Vec<Vec<State>> = vec![solved.to_vec()];
    let mut distance = 0;
    while distance < layers.len() {
        while let Some(state) = layers[distance].pop() {
            if known.contains_key(&state) {
                continue;
            }
            known.insert(state.clone(), distance as u32);
            for direction in Direction::ALL {
                let back = board.neighbour(state.player, direction.opposite());
                if back == NO_SQUARE || state.boxes.contains(back) {
                    continue;
                }
                for pull in [false, true] {
                    let mut before = State { boxes: state.boxes.clone(), player: back };
                    if pull {
                        let ahead = board.neighbour(state.player, direction);
                        if ahead == NO_SQUARE || !state.boxes.contains(ahead) {
                            continue;
                        }
                        before.boxes.shift(ahead, state.player);
                    }
                    let total = distance + cost(pull) as usize;
                    layers.resize_with(layers.len().max(total + 1), Vec::new);
                    layers[total].push(before);
                }
            }
        }
        distance += 1;
    }
    known
}

/// Every way to put the boxes and the player on a board.
fn all_states(board: &Board, mut visit: impl FnMut(&State)) {
    fn place(board: &Board, boxes: &mut Bits, from: usize, left: usize, visit: &mut impl FnMut(&State)) {
        if left == 0 {
            for player in board.squares().filter(|&square| !boxes.contains(square)).collect::<Vec<_>>() {
                visit(&State { boxes: boxes.clone(), player });
            }
            return;
        }
        for square in from..board.len() {
            boxes.insert(square as Square);
            place(board, boxes, square + 1, left - 1, visit);
            boxes.remove(square as Square);
        }
    }
    place(board, &mut Bits::empty(board.len()), 0, board.goals().len(), &mut visit);
}

/// Small levels, the same for the same seed.
pub(crate) fn levels(seed: u64, count: usize) -> impl Iterator<Item = Map> {
    let mut dice = Dice(seed);
    (0..count).map(move |_| small_level(&mut dice))
}

fn distances(board: &Board) -> Distances {
    Distances::to_goals(board, &Budget::unlimited()).unwrap()
}

/// No detector, alone or with all others, calls a position dead that has a solution: in every
/// position of every level, each box looked at as if just pushed.
#[test]
fn no_solvable_position_is_called_dead() {
    let mut cut = HashMap::new();
    let mut dead = 0;
    for map in levels(1, 20_000) {
        let board = Board::new(&map).unwrap();
        let distances = distances(&board);
        let truth = Truth::new(&board);
        let mut single: Vec<_> =
            DetectorName::ALL.iter().map(|&name| (name, Detectors::new(&board, &distances, &[name]))).collect();
        all_states(&board, |state| {
            let alive = truth.moves.contains_key(state);
            dead += usize::from(!alive);
            for (name, detectors) in &mut single {
                if detectors.verdict_on_all(&state.boxes, state.player).is_some() {
                    assert!(!alive, "`{name}` calls this dead:\n{}", board.picture(&state.boxes, state.player));
                    *cut.entry(*name).or_insert(0usize) += 1;
                }
            }
        });
    }
    // Each rule finds something, or it would not be tested at all.
    for name in [
        DetectorName::Corner,
        DetectorName::Corridor,
        DetectorName::WallLine,
        DetectorName::DeadSquare,
        DetectorName::Freeze,
        DetectorName::Pattern,
        DetectorName::Bipartite,
    ] {
        let share = cut.get(&name).copied().unwrap_or(0) * 100 / dead;
        println!("{name:12} finds {share} % of {dead} dead positions");
        assert!(share > 0, "`{name}` found nothing");
    }
}

/// Estimates called admissible never exceed the truth, and those called consistent never fall by
/// more than a move costs; the inadmissible ones are caught exceeding it.
#[test]
fn admissible_estimates_are_lower_bounds_everywhere() {
    let budget = Budget::unlimited();
    let mut greedy_over = 0;
    let mut classic_over = 0;
    for map in levels(2, 4_000) {
        let board = Board::new(&map).unwrap();
        let distances = distances(&board);
        let truth = Truth::new(&board);
        let space = MoveSpace::new(&board, &distances, &[]);
        for &name in EstimateName::ALL {
            for term in [None, Some(PlayerTerm::Ids), Some(PlayerTerm::Bfs), Some(PlayerTerm::ClassicIds)] {
                let mut estimator = Estimator::new(&board, &distances, board.goals(), name, term, &budget);
                let guarantee = Heuristic::<MoveSpace<'_>>::guarantee(&estimator);
                all_states(&board, |state| {
                    let h = estimator.estimate(&space, state);
                    let (Some(&moves), Some(&pushes)) = (truth.moves.get(state), truth.pushes.get(state)) else {
                        return;
                    };
                    let h = h.expect("a solvable position has an estimate");
                    let true_cost = if term.is_some() { moves } else { pushes };
                    if guarantee == search::Guarantee::Inadmissible {
                        greedy_over += usize::from(name == EstimateName::GreedyMatching && h > true_cost);
                        classic_over += usize::from(term == Some(PlayerTerm::ClassicIds) && h > true_cost);
                        return;
                    }
                    assert!(
                        h <= true_cost,
                        "{name} {term:?} says {h}, truth {true_cost}:\n{}",
                        board.picture(&state.boxes, state.player)
                    );
                    for direction in Direction::ALL {
                        let Some(next) = step(&board, state, direction) else { continue };
                        if let Some(after) = estimator.estimate(&space, &next) {
                            assert!(
                                h <= after + 1,
                                "{name} {term:?} falls from {h} to {after}:\n{}",
                                board.picture(&state.boxes, state.player)
                            );
                        }
                    }
                });
            }
        }
    }
    assert!(greedy_over > 0 && classic_over > 0, "the inadmissible estimates are inadmissible");
}

/// The position after a step or push, if it can be made.
pub(crate) fn step(board: &Board, state: &State, direction: Direction) -> Option<State> {
    let to = board.neighbour(state.player, direction);
    if to == NO_SQUARE {
        return None;
    }
    let mut next = state.clone();
    if state.boxes.contains(to) {
        let beyond = board.neighbour(to, direction);
        if beyond == NO_SQUARE || state.boxes.contains(beyond) {
            return None;
        }
        next.boxes.shift(to, beyond);
    }
    next.player = to;
    Some(next)
}

/// The player term has the same value by iterative deepening and by breadth-first search, and
/// iterative deepening needs less memory where it matters.
#[test]
fn both_player_terms_are_the_same_number() {
    let budget = Budget::unlimited();
    for map in levels(3, 500) {
        let board = Board::new(&map).unwrap();
        let distances = distances(&board);
        let space = PushSpace::new(&board, &distances, &[]);
        let estimator =
            |term| Estimator::new(&board, &distances, board.goals(), EstimateName::Zero, Some(term), &budget);
        let (mut ids, mut bfs) = (estimator(PlayerTerm::Ids), estimator(PlayerTerm::Bfs));
        all_states(&board, |state| {
            assert_eq!(
                ids.estimate(&space, state),
                bfs.estimate(&space, state),
                "{}",
                space.board().picture(&state.boxes, state.player)
            );
        });
    }
}

/// What a level's truth says an engine must answer.
fn expected(truth: &Truth, board: &Board, goal: Goal) -> Option<u32> {
    let table = if goal == Goal::Pushes { &truth.pushes } else { &truth.moves };
    table.get(&State::start(board)).copied()
}

/// Solves a level and compares with the truth.
fn agrees(map: &Map, truth: &Truth, board: &Board, config: &Config) {
    let level = Level::new(map.clone());
    let report = solve(&level, config, &Cancel::new(), &mut |_| {}).unwrap();
    let what = format!(
        "{} {} {} {:?} reverse={}\n{map}\n{report:?}",
        report.algorithm, report.formulation, report.heuristic, report.deadlocks, config.reverse
    );
    match expected(truth, board, config.goal) {
        None => assert_eq!(report.outcome, Outcome::Unsolvable, "{what}"),
        Some(best) => {
            assert_eq!(report.outcome, Outcome::Solved, "{what}");
            let solution = report.solution.as_ref().expect("solved means an answer");
            let length = if config.goal == Goal::Pushes { solution.pushes } else { solution.moves } as u32;
            assert!(length >= best, "shorter than the truth: {what}");
            if matches!(report.proof, Proof::OptimalPushes | Proof::OptimalMoves) {
                assert_eq!(length, best, "called optimal: {what}");
            }
            if let Some(lower) = report.lower_bound {
                assert!(lower <= best, "the lower bound is above the truth: {what}");
            }
        }
    }
}

/// Every algorithm that looks for the optimum, under every formulation, direction and set of
/// detectors, finds it and calls it optimal; unsolvable levels are proved unsolvable.
#[test]
fn every_configuration_finds_the_true_optimum() {
    let optimal = [
        AlgorithmName::BreadthFirst,
        AlgorithmName::UniformCost,
        AlgorithmName::IterativeDeepening,
        AlgorithmName::AStar,
        AlgorithmName::IdaStar,
        AlgorithmName::MemoryBoundedAStar,
        AlgorithmName::Bidirectional,
    ];
    let mut checked = 0;
    for (number, map) in levels(4, 20_000).enumerate() {
        let board = Board::new(&map).unwrap();
        let truth = Truth::new(&board);
        let detectors: Vec<Option<Vec<DetectorName>>> = std::iter::once(None)
            .chain(std::iter::once(Some(Vec::new())))
            .chain(DetectorName::ALL.iter().map(|&name| Some(vec![name])))
            .collect();
        // The cheap and strong configurations on every level, the whole product on a part of them.
        for goal in [Goal::Pushes, Goal::Moves] {
            agrees_optimally(&map, &truth, &board, Config { goal, ..Config::default() });
        }
        let goal = if number % 2 == 0 { Goal::Pushes } else { Goal::Moves };
        let algorithm = optimal[number / 2 % optimal.len()];
        for (index, set) in detectors.iter().enumerate() {
            let pushes_only = |set: &Vec<DetectorName>| {
                set.iter().any(|name| matches!(name, DetectorName::Corral | DetectorName::Tunnel))
            };
            if goal == Goal::Moves && set.as_ref().is_some_and(pushes_only) {
                continue;
            }
            let estimate = EstimateName::ALL[(number / 14 + index) % EstimateName::ALL.len()];
            let admissible =
                if estimate == EstimateName::GreedyMatching { EstimateName::NearestPush } else { estimate };
            let formulation = (goal == Goal::Moves && number % 3 == 0).then_some(FormulationName::Move);
            let config = Config {
                goal,
                algorithm: Some(algorithm),
                estimate: Some(admissible),
                formulation,
                player_term: (goal == Goal::Moves && index % 3 == 1).then_some(PlayerTerm::Bfs),
                detectors: set.clone(),
                reverse: algorithm != AlgorithmName::Bidirectional && index % 4 == 3,
                ..Config::default()
            };
            let walks = goal == Goal::Moves && config.formulation.is_none() && !config.reverse;
            if algorithm == AlgorithmName::BreadthFirst && walks {
                // Walks have different costs: level by level is not cheapest first.
                continue;
            }
            agrees_optimally(&map, &truth, &board, config);
            checked += 1;
        }
    }
    assert!(checked > 100_000, "only {checked} configurations were checked");
}

fn agrees_optimally(map: &Map, truth: &Truth, board: &Board, config: Config) {
    agrees(map, truth, board, &config);
    if expected(truth, board, config.goal).is_some() {
        let level = Level::new(map.clone());
        let report = solve(&level, &config, &Cancel::new(), &mut |_| {}).unwrap();
        let proved = matches!(report.proof, Proof::OptimalPushes | Proof::OptimalMoves);
        assert!(proved, "found but not proved: {report:?}\n{map}");
    }
}

/// Algorithms and estimates that promise nothing still solve what can be solved, and never
/// claim an optimum that is not one.
#[test]
fn configurations_without_promise_claim_nothing_false() {
    for (number, map) in levels(5, 3_000).enumerate() {
        let board = Board::new(&map).unwrap();
        let truth = Truth::new(&board);
        for &(algorithm, estimate) in &[
            (AlgorithmName::Greedy, EstimateName::GreedyMatching),
            (AlgorithmName::DepthFirst, EstimateName::Zero),
            (AlgorithmName::AStar, EstimateName::GreedyMatching),
            (AlgorithmName::WeightedAStar, EstimateName::Matching),
            (AlgorithmName::IdaStar, EstimateName::GreedyMatching),
        ] {
            let goal = if number % 2 == 0 { Goal::Pushes } else { Goal::Moves };
            let config = Config { goal, algorithm: Some(algorithm), estimate: Some(estimate), ..Config::default() };
            agrees(&map, &truth, &board, &config);
        }
        let classic = Config {
            goal: Goal::Moves,
            formulation: Some(FormulationName::Move),
            estimate: Some(EstimateName::NearestManhattan),
            player_term: Some(PlayerTerm::ClassicIds),
            ..Config::default()
        };
        agrees(&map, &truth, &board, &classic);
        let fallback = Config { goal: Goal::Pushes, fallback_after: Some(3), ..Config::default() };
        agrees(&map, &truth, &board, &fallback);
    }
}
