//! Brute force on small random levels: the reference for all tests.
//!
//! The oracle uses only the rules of the game. It enumerates every position of a level and computes the fewest pushes and
//! the fewest moves to a solution from each, and hence which positions are dead. Every detector, heuristic, formulation,
//! algorithm and engine is tested against it.

use crate::{Bits, Board, NO_SQUARE, Square, State};
use lurd_base::random::SplitMix64;
use lurd_level::{Cell, Direction, Map};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Rooms with corridors, loops and dead ends.
pub const ROOMS: [&str; 3] = [
    "########\n#  #   #\n# $ $  #\n#@ #$# #\n#   .. #\n# #  . #\n########",
    "#########\n#@  #   #\n# $ $ $ #\n# #   # #\n##$ ### #\n# ..# $.#\n#  .  . #\n#########",
    "###########\n#@ $ .   ##\n### #$#   #\n#  $..  # #\n## ##  ## #\n#     #   #\n###########",
];

/// Every reachable position, the player on every square of his zone, in breadth-first order.
pub fn reachable(board: &Board) -> Vec<State> {
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

/// A small level: floor of one of two kinds, with random goals, boxes and player.
pub fn small_level(random: &mut SplitMix64) -> Map {
    loop {
        // Tunnels matter only where there is a way round a pillar; such boards are larger and have fewer boxes.
        let pillars = random.below(4) == 0;
        let mut room = || pillared(3 + random.below(3), 3 + random.below(3), 7, random);
        let (mut rows, floor) = if pillars { room() } else { carved(random) };
        let count = 1 + random.below(if pillars { 2 } else { 3 });
        if floor.len() < count + 2 {
            continue;
        }
        for _ in 0..count {
            let (row, column) = floor[random.below(floor.len())];
            rows[row][column] = Cell::Goal;
        }
        let goals = floor.iter().filter(|&&(r, c)| rows[r][c] == Cell::Goal).count();
        populate(&mut rows, &floor, goals, false, random);
        let map = Map::from_rows(&rows);
        if Board::new(&map).is_ok() {
            return map;
        }
    }
}

/// Puts boxes, on request on goals only, and the player on random squares.
pub fn populate(
    rows: &mut [Vec<Cell>],
    floor: &[(usize, usize)],
    boxes: usize,
    on_goals: bool,
    random: &mut SplitMix64,
) {
    let mut left = boxes;
    while left > 0 {
        let (row, column) = floor[random.below(floor.len())];
        rows[row][column] = match rows[row][column] {
            Cell::Floor if !on_goals => Cell::Box,
            Cell::Goal => Cell::BoxOnGoal,
            _ => continue,
        };
        left -= 1;
    }
    let free: Vec<_> = floor.iter().filter(|&&(r, c)| !rows[r][c].has_box()).collect();
    let &&(row, column) = &free[random.below(free.len())];
    rows[row][column] = if rows[row][column] == Cell::Goal { Cell::PlayerOnGoal } else { Cell::Player };
}

/// The walls and floor of a level, and the squares of the floor.
type Floor = (Vec<Vec<Cell>>, Vec<(usize, usize)>);

/// Floor of a random walk: corridors, dead ends and small rooms.
fn carved(random: &mut SplitMix64) -> Floor {
    let (height, width) = (3 + random.below(4), 3 + random.below(5));
    let mut rows = vec![vec![Cell::Wall; width + 2]; height + 2];
    let size = 5 + random.below(10);
    let (mut row, mut column) = (1 + random.below(height), 1 + random.below(width));
    let mut floor = Vec::new();
    for _ in 0..400 {
        if rows[row][column] == Cell::Wall {
            rows[row][column] = Cell::Floor;
            floor.push((row, column));
        }
        if floor.len() == size {
            break;
        }
        let (down, right) = Direction::ALL[random.below(4)].delta();
        row = row.saturating_add_signed(down).clamp(1, height);
        column = column.saturating_add_signed(right).clamp(1, width);
    }
    (rows, floor)
}

/// A room with pillars, so many tenths of it floor: short tunnels with ways around them.
pub fn pillared(height: usize, width: usize, tenths: usize, random: &mut SplitMix64) -> Floor {
    let mut rows = vec![vec![Cell::Wall; width + 2]; height + 2];
    let mut floor = Vec::new();
    for (row, cells) in rows.iter_mut().enumerate().take(height + 1).skip(1) {
        for (column, cell) in cells.iter_mut().enumerate().take(width + 1).skip(1) {
            if random.below(10) < tenths {
                *cell = Cell::Floor;
                floor.push((row, column));
            }
        }
    }
    (rows, floor)
}

/// The exact values of a level: for every position the fewest moves and the fewest pushes to a solution. Positions
/// missing from the tables are dead.
pub struct Truth {
    pub moves: HashMap<State, u32>,
    pub pushes: HashMap<State, u32>,
}

impl Truth {
    pub fn new(board: &Board) -> Self {
        let solved: Vec<State> = board
            .squares()
            .filter(|&square| !board.is_goal(square))
            .map(|player| State { boxes: board.goal_set().clone(), player })
            .collect();
        Self { moves: backwards(board, &solved, |_| 1), pushes: backwards(board, &solved, u32::from) }
    }
}

/// Dijkstra's algorithm backwards from the solved positions; `cost` is the cost of a move by whether it is a push.
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
                for before in undo(board, &state, direction) {
                    let total = distance + cost(before.boxes != state.boxes) as usize;
                    layers.resize_with(layers.len().max(total + 1), Vec::new);
                    layers[total].push(before);
                }
            }
        }
        distance += 1;
    }
    known
}

/// Every placement of the boxes and the player on a board.
pub fn all_states(board: &Board, mut visit: impl FnMut(&State)) {
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

/// Small levels, determined by the seed.
pub fn levels(seed: u64, count: usize) -> impl Iterator<Item = Map> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(move |_| small_level(&mut random))
}

/// The position after a step or push, if it is legal.
pub fn step(board: &Board, state: &State, direction: Direction) -> Option<State> {
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

/// The positions that a move in a direction leads from to this one: by a step, then by a push.
pub fn undo(board: &Board, state: &State, direction: Direction) -> impl Iterator<Item = State> + use<> {
    let back = board.neighbour(state.player, direction.opposite());
    let is_free = back != NO_SQUARE && !state.boxes.contains(back);
    let step = is_free.then(|| State { boxes: state.boxes.clone(), player: back });
    let ahead = board.neighbour(state.player, direction);
    let mut push = step.clone().filter(|_| ahead != NO_SQUARE && state.boxes.contains(ahead));
    if let Some(before) = &mut push {
        before.boxes.shift(ahead, state.player);
    }
    step.into_iter().chain(push)
}

/// The fewest pushes and, among solutions with these, the fewest moves.
pub fn fewest_by_pushes(board: &Board) -> Option<(u32, u32)> {
    cheapest(board, |push| (push.into(), 1))
}

/// The fewest moves and, among solutions with these, the fewest pushes.
pub fn fewest_by_moves(board: &Board) -> Option<(u32, u32)> {
    cheapest(board, |push| (1, push.into()))
}

/// Dijkstra's algorithm forwards from the start; `cost` is the cost of a move, compared in order, by whether it is a push.
fn cheapest(board: &Board, cost: impl Fn(bool) -> (u32, u32)) -> Option<(u32, u32)> {
    let mut open: BTreeMap<(u32, u32), Vec<State>> = BTreeMap::from([((0, 0), vec![State::start(board)])]);
    let mut best: HashSet<State> = HashSet::new();
    while let Some((so_far, states)) = open.pop_first() {
        for state in states {
            if state.boxes == *board.goal_set() {
                return Some(so_far);
            }
            if !best.insert(state.clone()) {
                continue;
            }
            for next in Direction::ALL.into_iter().filter_map(|direction| step(board, &state, direction)) {
                let (first, second) = cost(next.boxes != state.boxes);
                open.entry((so_far.0 + first, so_far.1 + second)).or_default().push(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlock::{DetectorName, Detectors};
    use crate::distance::Distances;
    use lurd_base::Budget;

    /// No detector reports a solvable position, in every position of every level, with each box as the one just pushed.
    #[test]
    fn no_detector_reports_a_solvable_position() {
        let mut cut = HashMap::new();
        let mut dead = 0;
        for map in levels(1, 20_000) {
            let board = Board::new(&map).unwrap();
            let distances = Distances::to_goals(&board, &Budget::unlimited()).unwrap();
            let truth = Truth::new(&board);
            let mut single: Vec<_> =
                DetectorName::ALL.iter().map(|&name| (name, Detectors::new(&board, &distances, &[name]))).collect();
            all_states(&board, |state| {
                let alive = truth.moves.contains_key(state);
                dead += usize::from(!alive);
                for (name, detectors) in &mut single {
                    if detectors.verdict_on_all(&state.boxes, state.player).is_some() {
                        assert!(!alive, "`{name}` reports:\n{}", board.picture(&state.boxes, state.player));
                        *cut.entry(*name).or_insert(0usize) += 1;
                    }
                }
            });
        }
        // The test is vacuous for a rule that finds nothing.
        let restricting = [DetectorName::Corral, DetectorName::Tunnel];
        for name in DetectorName::ALL.iter().filter(|name| !restricting.contains(name)) {
            let share = cut.get(name).copied().unwrap_or(0) * 100 / dead;
            println!("{name:12} finds {share} % of {dead} dead positions");
            assert!(share > 0, "`{name}` found nothing");
        }
    }
}
