//! What the fuzz targets check, as plain functions: the fuzzer calls them with bytes of its own making, and
//! `tests/regressions.rs` with what it once found.

use lurd_base::Budget;
use lurd_classic::EstimateName;
use lurd_classic::formulation::MoveSpace;
use lurd_classic::heuristic::Estimator;
use lurd_formats::{self as formats, Collection, Format, Solutions};
use lurd_level::{Cell, Direction, Level, Map, lurd as notation, validity};
use lurd_rules::distance::Distances;
use lurd_rules::feature::dead_ends::{DeadEndStore, DeadEnds};
use lurd_rules::{Board, Deadlocks, NO_SQUARE, State};
use lurd_search::Heuristic;
use std::sync::Arc;

/// A target by name.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("level_files", level_files),
    ("solution_files", solution_files),
    ("moves", moves),
    #[cfg(feature = "certificate")]
    ("certificate", certificate),
    ("tiles", tiles),
    ("referee", referee),
    ("soundness", soundness),
];

/// Level files in every format, and in the one that the content suggests. What is read can be compiled, and what is
/// written is read again as the same levels.
pub fn level_files(data: &[u8]) {
    let (choice, bytes) = data.split_first().map_or((0, data), |(&choice, bytes)| (usize::from(choice), bytes));
    let hint = Format::ALL.get(choice % (Format::ALL.len() + 1)).copied();
    for read in [formats::read, formats::read_and_wall_in] {
        let Ok(collection) = read(bytes, hint) else { continue };
        for level in &collection {
            validity::check(&level.map).expect("a level that was read is sound");
            Board::new(&level.map).expect("a sound level can be compiled");
            assert_eq!(level.map.normalized(), level.map.normalized().normalized(), "the normal form is stable");
        }
        for &format in Format::ALL {
            rewrite(&collection, format);
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(level) = Level::parse(text)
    {
        Board::new(&level.map).expect("a parsed level can be compiled");
    }
}

/// Levels written in a format come back as the same boards.
fn rewrite(collection: &Collection, format: Format) {
    let Ok(bytes) = formats::write(collection, format) else { return };
    let again = formats::read(&bytes, Some(format)).expect("what was written can be read");
    let boards =
        |collection: &Collection| collection.into_iter().map(|level| level.map.normalized()).collect::<Vec<_>>();
    assert_eq!(boards(&again), boards(collection), "{format:?}");
}

/// Files of solutions for two small levels.
pub fn solution_files(data: &[u8]) {
    let levels = formats::read(b"#####\n#@$.#\n#####\n\n######\n#@$ .#\n######\n", None).expect("two levels").levels;
    if let Ok(solutions) = Solutions::read(data, &levels) {
        for moves in solutions.of(1).iter().flatten() {
            let _ = lurd_referee::judge(&levels[0].map.to_string(), moves);
        }
    }
}

/// Move strings: what is decoded is plain, and is the same when decoded again.
pub fn moves(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(decoded) = notation::decode(text) {
        assert!(decoded.letters.chars().all(|letter| "lurdLURD".contains(letter)));
        assert!(decoded.mark.is_none_or(|mark| mark <= decoded.letters.len()));
        assert_eq!(notation::decode(&decoded.letters).expect("plain letters").letters, decoded.letters);
    }
}

/// Certificates: damaged ones are refused with a sentence.
#[cfg(feature = "certificate")]
pub fn certificate(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    use lurd::Certificate;
    if Certificate::is_one(text)
        && let Ok(certificate) = Certificate::read(text)
    {
        let _ = certificate.level();
    }
}

/// Boards of sliding tiles and moves of the letter game.
pub fn tiles(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(board) = text.parse::<lurd_tiles::Board>() {
        let shown = board.to_string();
        assert_eq!(shown.parse::<lurd_tiles::Board>().expect("a board is read again"), board, "{shown}");
    }
    let _ = lurd_cse::parse_move(text);
}

/// Takes bytes one after the other; zeros when they run out.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn below(&mut self, n: usize) -> usize {
        usize::from(self.next()) % n
    }
}

/// A walled-in rectangle whose squares are drawn from the bytes.
fn drawn(bytes: &mut Bytes<'_>, cells: &[Cell]) -> Map {
    let (width, height) = (3 + bytes.below(6), 2 + bytes.below(5));
    let mut rows = vec![vec![Cell::Wall; width + 2]; height + 2];
    for row in rows.iter_mut().skip(1).take(height) {
        for cell in row.iter_mut().skip(1).take(width) {
            *cell = cells[bytes.below(cells.len())];
        }
    }
    Map::from_rows(&rows)
}

/// The position after a step or push by the rules crate; `None` if it cannot be made.
fn step(board: &Board, state: &State, direction: Direction) -> Option<(State, bool)> {
    let to = board.neighbour(state.player, direction);
    if to == NO_SQUARE {
        return None;
    }
    let mut next = State { boxes: state.boxes.clone(), player: to };
    let push = state.boxes.contains(to);
    if push {
        let beyond = board.neighbour(to, direction);
        if beyond == NO_SQUARE || state.boxes.contains(beyond) {
            return None;
        }
        next.boxes.shift(to, beyond);
    }
    Some((next, push))
}

/// The referee and the rules crate play the same moves on the same boards and must agree on everything.
pub fn referee(data: &[u8]) {
    use Cell::{Box, BoxOnGoal, Floor, Goal, Player, PlayerOnGoal, Wall};
    let mut bytes = Bytes(data);
    let cells = [Floor, Floor, Floor, Floor, Wall, Box, Goal, BoxOnGoal, Player, PlayerOnGoal];
    let map = drawn(&mut bytes, &cells);
    let text = map.to_string();
    if validity::check(&map).is_err() {
        return;
    }
    let board = Board::new(&map).expect("a sound map can be compiled");
    let mut state = State::start(&board);
    let (mut lurd, mut pushes) = (String::new(), 0);
    while !bytes.0.is_empty() {
        let direction = Direction::ALL[bytes.below(4)];
        let next = step(&board, &state, direction);
        lurd.push(direction.letter(next.as_ref().is_some_and(|&(_, push)| push)));
        let judged = lurd_referee::judge(&text, &lurd);
        match (next, judged) {
            (Some((next, push)), Ok(verdict)) => {
                state = next;
                pushes += usize::from(push);
                assert_eq!((verdict.moves, verdict.pushes), (lurd.len(), pushes), "{text}{lurd}");
                assert_eq!(verdict.solved, state.boxes == *board.goal_set(), "{text}{lurd}");
                assert_eq!(verdict.case_mismatch, None, "{text}{lurd}");
            }
            (None, Err(_)) => {
                lurd.pop();
            }
            (next, judged) => panic!("{text}{lurd}: rules {:?}, referee {judged:?}", next.map(|(_, push)| push)),
        }
    }
}

/// A solution made backwards by pulls: no position on it may be called dead, and no admissible estimate may be above the
/// pushes that remain.
pub fn soundness(data: &[u8]) {
    let mut bytes = Bytes(data);
    let map = drawn(&mut bytes, &[Cell::Floor, Cell::Floor, Cell::Floor, Cell::Wall, Cell::BoxOnGoal]);
    let free: Vec<_> = map.cells().filter(|&(_, _, cell)| cell == Cell::Floor).collect();
    if free.is_empty() {
        return;
    }
    let (row, column, _) = free[bytes.below(free.len())];
    let mut solved = map;
    solved.set(row, column, Cell::Player);
    let Ok(board) = Board::new(&solved) else { return };
    if board.goals().is_empty() || board.goals().len() > 6 {
        return;
    }
    // Walk and pull from the end to the start.
    let mut states = vec![State::start(&board)];
    while !bytes.0.is_empty() && states.len() < 200 {
        let state = states.last().expect("at least the end").clone();
        let choice = bytes.next();
        let direction = Direction::ALL[usize::from(choice % 4)];
        let to = board.neighbour(state.player, direction);
        if to == NO_SQUARE || state.boxes.contains(to) {
            continue;
        }
        let mut before = State { boxes: state.boxes.clone(), player: to };
        let behind = board.neighbour(state.player, direction.opposite());
        if choice & 4 != 0 && behind != NO_SQUARE && state.boxes.contains(behind) {
            before.boxes.shift(behind, state.player);
        }
        states.push(before);
    }
    // The rules may use where boxes can come from: the level begins where the pulls ended.
    let start = states.last().expect("at least the end");
    let board = Board::new(&board.picture(&start.boxes, start.player)).expect("pulls keep a level sound");
    let budget = Budget::unlimited();
    let Ok(distances) = Distances::to_goals(&board, &budget) else { return };
    let space = MoveSpace::new(&board, &distances, &[]);
    let mut estimators: Vec<_> = EstimateName::ALL
        .iter()
        .filter(|&&name| name != EstimateName::GreedyMatching)
        .map(|&name| (name, Estimator::new(&board, &distances, board.goals(), name, None, &budget)))
        .collect();
    let shared = Arc::new(board.clone());
    let store = DeadEndStore::new(&shared);
    let mut dead_ends = DeadEnds::new(&store);
    let mut deadlocks = Deadlocks::new(&board, &distances);
    let mut remaining = 0;
    for (index, state) in states.iter().enumerate() {
        if index > 0 {
            remaining += u32::from(states[index - 1].boxes != state.boxes);
        }
        let shown = || board.picture(&state.boxes, state.player).to_string();
        if let Some(deadlock) = deadlocks.anywhere(&state.boxes, state.player) {
            panic!("{:?} calls a solvable position dead:\n{}", deadlock.rule, shown());
        }
        assert!(!dead_ends.is_dead(&store, state.boxes.iter(), state.player), "corral search:\n{}", shown());
        for (name, estimator) in &mut estimators {
            let estimate = estimator.estimate(&space, state).expect("a solvable position has an estimate");
            assert!(estimate <= remaining, "{name}: {estimate} above {remaining}\n{}", shown());
        }
    }
}
