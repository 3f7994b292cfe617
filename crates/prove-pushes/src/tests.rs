//! The engine against brute force: bounds, rules and optima on thousands of small random levels.

use crate::bidirectional::{BidirectionalSearch, BidirectionalStep};
use crate::model::{Choice, Model};
use crate::*;
use lurd_base::random::SplitMix64;
use lurd_base::{Cancel, Limits, Stop};
use lurd_level::{Direction, Level, Map};
use lurd_rules::dense::board::{NONE, Side};
use lurd_rules::dense::frozen_walls::FrozenWalls;
use lurd_rules::dense::set::Set;
use lurd_rules::oracle::{Truth, levels, reachable, step};
use lurd_rules::{Square, State};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::LazyLock;
use std::time::Duration;

/// The bare search.
fn bare() -> Options {
    Options {
        pairs: false,
        triples: false,
        fours: false,
        chokepoints: false,
        bidirectional: true,
        corrals: false,
        gates: false,
        dead_sets: false,
        frozen_walls: false,
        eager: true,
        check_every: 1,
        reproducible: true,
        threads: 1,
    }
}

/// All parts, with every table built at once.
fn full() -> Options {
    Options { eager: true, check_every: 1, ..Options::new(1) }
}

/// A small open room with two to four boxes that get in each other's way.
fn room(random: &mut SplitMix64) -> Map {
    loop {
        let (height, width) = (3 + random.below(3), 4 + random.below(2));
        let mut rows = vec![vec!['#'; width + 2]; height + 2];
        for row in rows.iter_mut().take(height + 1).skip(1) {
            row.iter_mut().take(width + 1).skip(1).filter(|_| random.below(7) > 0).for_each(|cell| *cell = ' ');
        }
        let count = 2 + random.below(if height * width > 16 { 2 } else { 3 });
        let marks = "$".repeat(count) + &".".repeat(count) + "@";
        marks.chars().for_each(|mark| put(mark, &mut rows, 1..width + 1, random));
        if let Some(map) = map_of(&rows) {
            return map;
        }
    }
}

/// Puts a mark on a random free square of these columns, unless fifty tries fail.
fn put(mark: char, rows: &mut [Vec<char>], columns: std::ops::Range<usize>, random: &mut SplitMix64) {
    for _ in 0..50 {
        let row = 1 + random.below(rows.len() - 2);
        let cell = &mut rows[row][columns.start + random.below(columns.len())];
        if *cell == ' ' {
            *cell = mark;
            return;
        }
    }
}

/// The map of these rows, if it is a level with goals.
fn map_of(rows: &[Vec<char>]) -> Option<Map> {
    let text = rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n");
    Map::from_xsb(&text).filter(|map| Board::new(map).is_ok_and(|board| !board.goals().is_empty()))
}

/// Two rooms joined by one square, the boxes in one and the goals in the other.
fn two_rooms(random: &mut SplitMix64) -> Map {
    joined_rooms(1, random)
}

/// The same with two or three entrances, and now and then boxes in both rooms.
fn several_entrances(random: &mut SplitMix64) -> Map {
    joined_rooms(2 + random.below(2), random)
}

fn joined_rooms(entrances: usize, random: &mut SplitMix64) -> Map {
    loop {
        let count = 2 + random.below(4);
        let few = usize::from(count < 4);
        let (height, left, right) = (3 + random.below(1 + few), 3 + random.below(2), 2 + random.below(2 + few));
        let width = left + 1 + right;
        let mut rows = vec![vec!['#'; width + 2]; height + 2];
        for row in rows.iter_mut().take(height + 1).skip(1) {
            let inner = row.iter_mut().enumerate().take(width + 1).skip(1);
            inner.filter(|&(column, _)| column != left + 1 && random.below(9) > 0).for_each(|(_, cell)| *cell = ' ');
        }
        for _ in 0..entrances {
            rows[1 + random.below(height)][left + 1] = ' ';
        }
        let anywhere = entrances > 1 && random.below(3) == 0;
        let boxes = if anywhere { 1..width + 1 } else { 1..left + 1 };
        for (mark, columns) in [('$', boxes), ('.', left + 2..width + 1)] {
            (0..count).for_each(|_| put(mark, &mut rows, columns.clone(), random));
        }
        put('@', &mut rows, 1..width + 1, random);
        if let Some(map) = map_of(&rows) {
            return map;
        }
    }
}

fn dense(board: &Board) -> Option<DenseBoard> {
    DenseBoard::new(board, &Budget::unlimited()).unwrap().filter(|dense| dense.cell_words() == 1)
}

/// An engine for a small level, and a control without limits.
pub(crate) fn engine(board: &Board, options: Options) -> (Box<dyn Prover>, Control<'static>) {
    static UNLIMITED: LazyLock<Budget> = LazyLock::new(Budget::unlimited);
    (prover(board, options, &UNLIMITED).unwrap().expect("small levels fit"), Control::new(&UNLIMITED))
}

/// Solvable rooms, with their exact distances.
fn solvable_rooms(seed: u64, count: usize) -> impl Iterator<Item = (Board, Truth)> {
    solvable(room, seed, count)
}

/// Solvable levels of a kind, with their exact distances.
fn solvable(kind: fn(&mut SplitMix64) -> Map, seed: u64, count: usize) -> impl Iterator<Item = (Board, Truth)> {
    let mut random = SplitMix64::new(seed);
    std::iter::repeat_with(move || Board::new(&kind(&mut random)).unwrap())
        .filter_map(|board| {
            let truth = dense(&board).filter(|dense| !dense.is_hopeless()).map(|_| Truth::new(&board))?;
            truth.pushes.contains_key(&State::start(&board)).then_some((board, truth))
        })
        .take(count)
}

/// A small level with all its tables, if it is small enough.
fn ready(board: &Board, options: Options) -> Option<LevelProver<u64, 1, 1>> {
    let dense = dense(board).filter(|dense| !dense.is_hopeless())?;
    let mut level = LevelProver::new(&Arc::new(dense), options)?;
    let budget = Budget::unlimited();
    level.build_due_tables(&Control::new(&budget));
    Some(level)
}

/// A position as the engine represents it; `None` if a box is on a dead square.
fn translate(model: &Model<u64, 1, 1>, state: &State) -> Option<(Set<1>, Set<1>)> {
    let live = |square| Some(model.board.live_on(square)).filter(|&live| live != NONE).map(usize::from);
    let boxes = state.boxes.iter().map(live).collect::<Option<Set<1>>>()?;
    let free = model.plane.floor.without(model.cells(boxes));
    Some((boxes, model.plane.zone(free, model.board.cell_on(state.player))))
}

/// The pushes possible after a walk, with the positions they lead to.
fn pushes(board: &Board, state: &State) -> Vec<(Square, Direction, State)> {
    let mut seen = HashSet::from([state.player]);
    let mut work = vec![state.player];
    let mut pushes = Vec::new();
    while let Some(player) = work.pop() {
        let here = State { boxes: state.boxes.clone(), player };
        for direction in Direction::ALL {
            let Some(next) = step(board, &here, direction) else { continue };
            if next.boxes != here.boxes {
                pushes.push((next.player, direction, next));
            } else if seen.insert(next.player) {
                work.push(next.player);
            }
        }
    }
    pushes
}

/// In every reachable and solvable position, no bound exceeds the pushes that remain, whatever parts it consists of, and
/// each part raises some bound.
#[test]
fn no_bound_exceeds_what_remains() {
    let parts = [
        bare(),
        Options { pairs: true, ..bare() },
        Options { pairs: true, triples: true, ..bare() },
        Options { triples: true, ..bare() },
        Options { pairs: true, triples: true, fours: true, ..bare() },
        full(),
    ];
    let (mut sums, mut found_dead) = ([0u64; 6], [0u64; 6]);
    let mut checked = 0;
    for (board, truth) in solvable_rooms(101, 120) {
        let states = reachable(&board);
        for (place, &options) in parts.iter().enumerate() {
            let Some(level) = ready(&board, options) else { continue };
            for state in &states {
                let remains = truth.pushes.get(state).copied();
                let Some((boxes, zone)) = translate(&level.model, state) else {
                    assert!(remains.is_none(), "a dead square\n{}", board.picture(&state.boxes, state.player));
                    continue;
                };
                match (level.model.bound(Side::Forward, boxes, zone), remains) {
                    (Some(bound), Some(remains)) => {
                        assert!(
                            bound <= remains && bound % 2 == remains % 2,
                            "{bound} for {remains}\n{options:?}\n{}",
                            board.picture(&state.boxes, state.player)
                        );
                        sums[place] += u64::from(bound);
                        checked += 1;
                    }
                    (Some(_), None) => {}
                    (None, remains) => {
                        assert!(remains.is_none(), "called dead\n{}", board.picture(&state.boxes, state.player));
                        found_dead[place] += 1;
                    }
                }
            }
        }
    }
    println!("{checked} positions; sums {sums:?}, dead {found_dead:?}");
    assert!(checked > 100_000, "{checked}");
    assert!(sums[0] < sums[1] && sums[1] < sums[2] && sums[2] <= sums[4] && sums[4] == sums[5], "{sums:?}");
    assert!(found_dead[0] < found_dead[1] && found_dead[1] < found_dead[2], "{found_dead:?}");
}

/// The exact interaction makes the bound of a level of two or three boxes exact.
#[test]
fn bounds_of_two_and_three_boxes_are_exact() {
    let mut checked = 0;
    for (board, truth) in solvable_rooms(102, 60) {
        let count = board.goals().len();
        let Some(level) = ready(&board, full()).filter(|_| (2..=3).contains(&count)) else { continue };
        for state in reachable(&board) {
            let Some((boxes, zone)) = translate(&level.model, &state) else { continue };
            assert_eq!(
                level.model.bound(Side::Forward, boxes, zone),
                truth.pushes.get(&state).copied(),
                "\n{}",
                board.picture(&state.boxes, state.player)
            );
            checked += 1;
        }
    }
    assert!(checked > 20_000, "{checked}");
}

/// With frozen boxes as walls, no bound exceeds the pushes that remain, no solvable position is called dead, and some
/// bounds and some verdicts are stronger than those of the matching without walls.
#[test]
fn frozen_boxes_as_walls_bound_what_remains() {
    let (mut higher, mut dead, mut untouched) = (0, 0, 0);
    let small = levels(106, 6_000).map(|map| {
        let board = Board::new(&map).unwrap();
        let truth = Truth::new(&board);
        (board, truth)
    });
    for (board, truth) in small.chain(solvable_rooms(107, 150)) {
        let Some(level) = ready(&board, bare()) else { continue };
        let model = &level.model;
        let mut walls = FrozenWalls::new(&model.board);
        for state in reachable(&board) {
            let Some((boxes, zone)) = translate(model, &state) else { continue };
            let frozen = model.rules.frozen(model.cells(boxes));
            if frozen.is_empty() {
                continue;
            }
            let remains = truth.pushes.get(&state).copied();
            let open = model.bound(Side::Forward, boxes, zone);
            let picture = || board.picture(&state.boxes, state.player);
            untouched +=
                boxes.iter().filter(|&square| !model.plane.beside(zone).contains(model.board.cell(square))).count();
            match walls.bound(&model.board, &model.plane, frozen, boxes, zone) {
                Some(bound) => {
                    assert!(remains.is_none_or(|remains| bound <= remains), "{bound} for {remains:?}\n{}", picture());
                    assert!(open.is_some_and(|open| open <= bound), "{open:?} without walls, {bound}\n{}", picture());
                    higher += usize::from(open.is_some_and(|open| open < bound));
                }
                None => {
                    assert!(remains.is_none(), "called dead\n{}", picture());
                    dead += usize::from(open.is_some() && frozen.without(model.cells(model.goals)).is_empty());
                }
            }
        }
    }
    println!("{higher} higher, {dead} dead, {untouched} boxes out of touch");
    assert!(higher > 100 && dead > 1_000 && untouched > 1_000, "{higher} {dead} {untouched}");
}

/// The fewest pushes from the start to each position.
fn distances_from_start(board: &Board) -> HashMap<State, u32> {
    let start = State::start(board);
    let mut pushes = HashMap::from([(start.clone(), 0)]);
    let mut work = VecDeque::from([start]);
    while let Some(state) = work.pop_front() {
        let here = pushes[&state];
        for direction in Direction::ALL {
            let Some(next) = step(board, &state, direction) else { continue };
            let cost = u32::from(next.boxes != state.boxes);
            if pushes.get(&next).is_none_or(|&known| known > here + cost) {
                pushes.insert(next.clone(), here + cost);
                if cost == 0 { work.push_front(next) } else { work.push_back(next) }
            }
        }
    }
    pushes
}

/// In every reachable and solvable position, no bound of the backward side exceeds the pushes from the start; for two or
/// three boxes it is exact.
#[test]
fn no_backward_bound_exceeds_the_pushes_made() {
    let parts = [
        bare(),
        Options { pairs: true, ..bare() },
        Options { pairs: true, triples: true, ..bare() },
        Options { pairs: true, triples: true, fours: true, ..bare() },
    ];
    let (mut sums, mut exact) = ([0u64; 4], 0);
    for (board, truth) in solvable_rooms(104, 120) {
        let made = distances_from_start(&board);
        for (place, &options) in parts.iter().enumerate() {
            let Some(level) = ready(&board, options) else { continue };
            for (state, &made) in made.iter().filter(|(state, _)| truth.pushes.contains_key(state)) {
                let Some((boxes, zone)) = translate(&level.model, state) else { panic!("a dead square") };
                let bound = level.model.bound(Side::Backward, boxes, zone);
                let picture = || board.picture(&state.boxes, state.player);
                assert!(bound.is_some_and(|bound| bound <= made && bound % 2 == made % 2), "{made}\n{}", picture());
                sums[place] += u64::from(bound.unwrap_or(0));
                if options.triples && (2..=3).contains(&board.goals().len()) {
                    assert_eq!(bound, Some(made), "\n{}", picture());
                    exact += 1;
                }
            }
        }
    }
    println!("sums {sums:?}, {exact} exact");
    assert!(exact > 20_000, "{exact}");
    assert!(sums[0] < sums[1] && sums[1] < sums[2] && sums[2] <= sums[3], "{sums:?}");
}

/// The same for levels with a chokepoint, with and without the other parts: no bound exceeds the pushes that remain, no
/// solvable position is called dead, and the goal room raises some bounds that nothing else does.
#[test]
fn no_goal_room_bound_exceeds_what_remains() {
    let parts = [
        bare(),
        Options { chokepoints: true, ..bare() },
        Options { pairs: true, ..bare() },
        Options { pairs: true, chokepoints: true, ..bare() },
        full(),
    ];
    let (mut sums, mut found_dead, mut chokepoints, mut raised) = ([0u64; 5], [0u64; 5], 0, 0);
    for (number, (board, truth)) in solvable(two_rooms, 109, 200).chain(solvable_rooms(110, 50)).enumerate() {
        let levels: Vec<_> = parts.iter().filter_map(|&options| ready(&board, options)).collect();
        if levels.len() < parts.len() || levels[1].model.tables(Side::Forward).goal_room.is_none() {
            continue;
        }
        chokepoints += 1;
        for state in reachable(&board) {
            let remains = truth.pushes.get(&state).copied();
            let Some((boxes, zone)) = translate(&levels[0].model, &state) else { continue };
            if levels[0].model.board.cell_on(state.player) != zone.lowest() {
                continue;
            }
            let bounds: Vec<_> = levels.iter().map(|level| level.model.bound(Side::Forward, boxes, zone)).collect();
            let show = || format!("{bounds:?} of {remains:?}, {number}\n{}", board.picture(&state.boxes, state.player));
            for (place, bound) in bounds.iter().enumerate() {
                match (bound, remains) {
                    (Some(bound), Some(remains)) => {
                        assert!(*bound <= remains, "{}", show());
                        sums[place] += u64::from(*bound);
                    }
                    (None, Some(_)) => panic!("called dead: {}", show()),
                    (None, None) => found_dead[place] += 1,
                    (Some(_), None) => {}
                }
            }
            raised += usize::from(remains.is_some() && bounds[3] > bounds[2]);
        }
    }
    println!("{chokepoints} chokepoints, sums {sums:?}, dead {found_dead:?}, {raised} raised by goal rooms alone");
    assert!(chokepoints > 100 && raised > 100, "{chokepoints} {raised}");
    assert!(sums[0] < sums[1] && sums[2] < sums[3] && found_dead[0] < found_dead[1]);
}

/// The pushes that the rules leave of a position contain the first push of a shortest solution.
#[test]
fn the_choice_of_pushes_keeps_a_shortest_solution() {
    let (mut narrowed, mut single, mut dead) = (0, 0, 0);
    for map in levels(103, 8_000) {
        let board = Board::new(&map).unwrap();
        let truth = Truth::new(&board);
        for options in [full(), Options { gates: true, ..bare() }, Options { corrals: true, ..bare() }] {
            let Some(level) = ready(&board, options) else { continue };
            let model = &level.model;
            for state in reachable(&board) {
                let Some((boxes, zone)) = translate(model, &state) else { continue };
                let cells = model.cells(boxes);
                let remains = truth.pushes.get(&state).copied();
                let show = || board.picture(&state.boxes, state.player);
                let choice = model.choice(boxes, cells, zone);
                let allowed = |square: Square, direction: Direction| {
                    let (from, to) = (model.board.cell_on(square), board.neighbour(square, direction));
                    match choice {
                        Choice::Pushes { boxes, into } => {
                            boxes.contains(from) && into.contains(model.board.cell_on(to))
                        }
                        Choice::Single(live, only) => model.board.cell(live) == from && only == direction,
                        Choice::Dead => false,
                    }
                };
                match choice {
                    Choice::Pushes { boxes, .. } => narrowed += usize::from(boxes != cells),
                    Choice::Single(..) => single += 1,
                    Choice::Dead => dead += 1,
                }
                if let Some(remains) = remains.filter(|&remains| remains > 0) {
                    let kept = pushes(&board, &state).iter().any(|(square, direction, next)| {
                        allowed(*square, *direction) && truth.pushes.get(next) == Some(&(remains - 1))
                    });
                    assert!(kept, "{choice:?}\n{}", show());
                }
            }
        }
    }
    println!("{narrowed} corrals, {single} gates, {dead} dead");
    assert!(narrowed > 500 && single > 500 && dead > 500, "{narrowed} {single} {dead}");
}

fn is_solution(board: &Board, pushes: &[Push]) -> bool {
    let made = pushes.iter().try_fold(State::start(board), |state, push| {
        let mut possible = self::pushes(board, &state).into_iter();
        Some(possible.find(|&(square, direction, _)| (square, direction) == (push.from, push.direction))?.2)
    });
    made.is_some_and(|state| state.boxes == *board.goal_set())
}

/// With each part on and off, on one thread and on two, the engine finds the true optimum and passes its self-checks.
#[test]
fn every_set_of_options_finds_the_true_optimum() {
    let options = [
        bare(),
        Options { bidirectional: false, ..bare() },
        Options { bidirectional: false, ..full() },
        Options { pairs: true, ..bare() },
        Options { pairs: true, triples: true, ..bare() },
        Options { triples: true, dead_sets: true, ..bare() },
        Options { corrals: true, ..bare() },
        Options { gates: true, ..bare() },
        Options { dead_sets: true, ..bare() },
        Options { frozen_walls: true, ..bare() },
        Options { chokepoints: true, ..bare() },
        full(),
        Options { threads: 2, ..full() },
        Options { check_every: 1, ..Options::new(1) },
    ];
    let (mut solved, mut unsolvable) = (0, 0);
    for (number, map) in levels(104, 8_000).enumerate() {
        let board = Board::new(&map).unwrap();
        if board.goals().is_empty() {
            // Boxes out of reach are decoration: there is nothing to solve.
            continue;
        }
        let truth = Truth::new(&board).pushes.get(&State::start(&board)).copied();
        for &options in options.iter().skip(number % 3).step_by(3) {
            let (mut prover, control) = engine(&board, options);
            match (prover.prove(u64::MAX, &control, &mut || ()), truth) {
                (ProofOutcome::Optimal(pushes), Some(best)) => {
                    assert_eq!(pushes.len(), best as usize, "{options:?}\n{map}");
                    assert!(is_solution(&board, &pushes), "{options:?}\n{map}");
                    assert!(prover.lower() <= best);
                    solved += 1;
                }
                (ProofOutcome::Unsolvable, None) => unsolvable += 1,
                (found, truth) => panic!("{found:?} where {truth:?} is true\n{options:?}\n{map}"),
            }
            if let Some(best) = truth.filter(|&best| best > 0) {
                let (mut prover, control) = engine(&board, options);
                control.reduce_upper(best);
                assert_eq!(prover.prove(u64::MAX, &control, &mut || ()), ProofOutcome::BoundsMet, "{map}");
                assert_eq!(prover.lower(), best);
            }
        }
    }
    println!("{solved} solved, {unsolvable} without a solution");
    assert!(solved > 2_000 && unsolvable > 2_000, "{solved} {unsolvable}");
}

/// From both ends, under tight and loose limits, the solution found is a shortest one, and no lower bound on the way is
/// too high.
#[test]
fn both_ends_meet_on_a_shortest_solution() {
    let (mut met_behind, mut exhausted) = (0, 0);
    for (number, (board, truth)) in solvable_rooms(107, 400).enumerate() {
        let best = truth.pushes[&State::start(&board)];
        let budget = Budget::unlimited();
        for options in [bare(), full(), Options { corrals: true, gates: true, ..bare() }] {
            let control = Control::new(&budget);
            let Some(mut level) = ready(&board, options) else { continue };
            for limit in [best.saturating_sub(2), best, best + 2 * (number as u32 % 7)] {
                let root = level.root.expect("it has a solution");
                level.search = Some(BidirectionalSearch::new(&level.model, limit, root, &control));
                let step = loop {
                    match level.advance(u64::MAX, &control, &mut || ()) {
                        BidirectionalStep::Layer => {
                            let proved = level.search.as_ref().map(BidirectionalSearch::exhausted);
                            assert!(proved.is_some_and(|proved| proved < best || best == 0), "{proved:?} of {best}");
                        }
                        step => break step,
                    }
                };
                let behind = level.search.as_ref().map_or(0, |search| search.backward.depth());
                match step {
                    BidirectionalStep::Met(key, length) => {
                        assert!(length == best && limit >= best, "{length} of {best}, limit {limit}, {options:?}");
                        let outcome = level.reconstruct_solution(key, length, &control, &mut || ());
                        let ProofOutcome::Optimal(pushes) = outcome else { panic!("no path: {outcome:?}") };
                        assert!(pushes.len() == best as usize && is_solution(&board, &pushes), "{options:?}");
                        met_behind += usize::from(behind > 0);
                    }
                    BidirectionalStep::Exhausted => {
                        assert!(limit < best, "limit {limit} called exhausted where {best} is true, {options:?}");
                        exhausted += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    println!("{met_behind} met behind, {exhausted} exhausted");
    assert!(met_behind > 500 && exhausted > 200, "{met_behind} {exhausted}");
}

/// An unlimited beam finds a solution within every sufficient limit; a beam of a few positions finds a correct one or
/// nothing.
#[test]
fn beam_search_finds_solutions() {
    let (mut found, mut nothing) = (0, 0);
    for (board, truth) in solvable_rooms(108, 200) {
        let best = truth.pushes[&State::start(&board)];
        let is_short = |pushes: &[Push], limit: u32| {
            is_solution(&board, pushes) && (best..=limit).contains(&(pushes.len() as u32))
        };
        for (number, options) in [bare(), full()].into_iter().enumerate() {
            let (mut prover, control) = engine(&board, options);
            let mut search = |limit, width, seed| {
                let turn = Turn { expansions: u64::MAX, control: &control, tick: &mut || () };
                prover.search_beam(limit, width, seed, turn)
            };
            for seed in 0..2 {
                for limit in [best, best + 2].into_iter().filter(|&limit| limit > 0) {
                    let PartialOutcome::Found(pushes) = search(limit, usize::MAX, seed) else {
                        panic!("nothing within {limit}")
                    };
                    assert!(is_short(&pushes, limit));
                }
                if best >= 2 {
                    assert_eq!(search(best - 2, usize::MAX, seed), PartialOutcome::Nothing { complete: false });
                }
                match search(best + 4, 2 + number, seed) {
                    PartialOutcome::Found(pushes) => {
                        assert!(is_short(&pushes, best + 4));
                        found += 1;
                    }
                    PartialOutcome::Nothing { complete: false } => nothing += 1,
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    println!("{found} found, {nothing} times nothing");
    assert!(found > 100 && nothing > 30, "{found} {nothing}");
}

/// In a large neighbourhood of a long solution a shortest one is found; a small one yields nothing wrong.
#[test]
fn neighbourhoods_hold_shorter_solutions() {
    let (mut better, mut nothing) = (0, 0);
    for (board, truth) in solvable_rooms(106, 150) {
        let best = truth.pushes[&State::start(&board)];
        // Random pushes that keep the level solvable, then a shortest solution from there.
        let (mut state, mut given) = (State::start(&board), Vec::new());
        let mut random = SplitMix64::new(u64::from(best));
        while let Some(&left) = truth.pushes.get(&state).filter(|&&left| left > 0) {
            let mut choices = pushes(&board, &state);
            let any = given.len() < best as usize;
            choices.retain(|(.., next)| truth.pushes.get(next).is_some_and(|&then| then < left || any));
            let (square, direction, next) = choices[random.below(choices.len())].clone();
            given.push(Push { from: square, direction });
            state = next;
        }
        for deviation in [0, 1, 9] {
            let (mut prover, control) = engine(&board, full());
            control.reduce_upper(given.len() as u32);
            let turn = Turn { expansions: u64::MAX, control: &control, tick: &mut || () };
            match prover.search_neighbourhood(&board, &given, deviation, turn) {
                PartialOutcome::Found(pushes) => {
                    assert!((best as usize..given.len()).contains(&pushes.len()) && is_solution(&board, &pushes));
                    assert!(deviation < 9 || pushes.len() == best as usize);
                    better += 1;
                }
                PartialOutcome::Nothing { complete } => {
                    assert!(!complete || given.len() == best as usize, "{}", board.map());
                    assert!(complete || deviation < 9);
                    nothing += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(better > 50 && nothing > 50, "{better} {nothing}");
}

/// Keys of one and of two words give the same layers.
#[test]
fn wide_keys_give_the_same_layers() {
    for map in levels(105, 300) {
        let board = Board::new(&map).unwrap();
        let Some(dense) = dense(&board).map(Arc::new) else { continue };
        let budget = Budget::unlimited();
        let controls = [Control::new(&budget), Control::new(&budget)];
        let one = LevelProver::<u64, 1, 1>::new(&dense, full()).unwrap().prove(u64::MAX, &controls[0], &mut || ());
        let two = LevelProver::<u128, 1, 1>::new(&dense, full()).unwrap().prove(u64::MAX, &controls[1], &mut || ());
        assert_eq!(one, two, "{map}");
        assert_eq!(controls[0].expanded(), controls[1].expanded(), "{map}");
    }
}

/// Two rooms with one opening: nine boxes go through it in any order, so the layers are large.
fn crowd() -> Level {
    let (wall, empty) = ("#".repeat(20) + "\n", "#        #         #\n");
    let (full, opening) = ("# $ $ $  #   . . . #\n", "# $ $ $ @    . . . #\n");
    let text = [&wall, empty, full, empty, opening, empty, full, empty, &wall].concat();
    Level::new(Map::from_xsb(&text).unwrap())
}

#[test]
fn limits_and_cancellation_end_the_proof() {
    let board = Board::new(&crowd().map).unwrap();
    let prove = |limits: Limits, cancel: &Cancel| {
        let budget = Budget::new(limits, cancel.clone());
        let control = Control::new(&budget);
        let options = Options { threads: 2, ..Options::new(2) };
        let mut prover = prover(&board, options, &budget).unwrap().expect("it fits");
        let found = prover.prove(u64::MAX, &control, &mut || ());
        (found, control.generated(), control.peak())
    };
    let quiet = Cancel::new();
    let (found, generated, _) = prove(Limits { nodes: Some(30_000), ..Limits::default() }, &quiet);
    assert_eq!(found, ProofOutcome::Halted(Halt::Limit(Stop::Nodes)));
    assert!((29_000..=30_000).contains(&generated), "{generated}");
    let (found, ..) = prove(Limits { time: Some(Duration::from_millis(300)), ..Limits::default() }, &quiet);
    assert_eq!(found, ProofOutcome::Halted(Halt::Limit(Stop::Time)));
    let memory = 1 << 20;
    let (found, _, peak) = prove(Limits { memory: Some(memory), ..Limits::default() }, &quiet);
    assert_eq!(found, ProofOutcome::Halted(Halt::Limit(Stop::Memory)));
    assert!(peak <= memory, "{peak}");
    let cancel = Cancel::new();
    let (found, ..) = std::thread::scope(|scope| {
        let run = scope.spawn(|| prove(Limits::default(), &cancel));
        std::thread::sleep(Duration::from_millis(200));
        cancel.cancel();
        run.join().expect("no fault")
    });
    assert_eq!(found, ProofOutcome::Halted(Halt::Cancelled));
}

/// Goal rooms with several entrances: with all tables at once the fewest pushes are those of brute force, from both ends and
/// from one.
#[test]
fn goal_rooms_with_several_entrances_keep_the_optimum() {
    let (mut proved, mut raised) = (0, 0);
    for (board, truth) in solvable(several_entrances, 111, 150) {
        let fewest = truth.pushes[&State::start(&board)] as usize;
        for options in [full(), Options { bidirectional: false, ..full() }, Options { eager: false, ..full() }] {
            let (mut prover, control) = engine(&board, options);
            match prover.prove(u64::MAX, &control, &mut || ()) {
                ProofOutcome::Optimal(pushes) => assert_eq!(pushes.len(), fewest, "{}", picture(&board)),
                other => panic!("{other:?} in\n{}", picture(&board)),
            }
            proved += 1;
            raised += usize::from(!prover.records().is_empty());
        }
    }
    println!("{proved} proofs, {raised} of them with searched limits");
    assert!(proved == 450 && raised > 0, "{proved} {raised}");
}

fn picture(board: &Board) -> Map {
    let start = State::start(board);
    board.picture(&start.boxes, start.player)
}
