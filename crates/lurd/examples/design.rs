//! The drawing board of `levels/lurd.xsb`: sets up positions in templates, and measures levels.
//!
//! ```text
//! design make TEMPLATES              the level of each template, from the seed it names
//! design try TEMPLATES TITLE N [M]   the best N levels of one template over seeds 1 to M (100)
//! design measure LEVELS              the same file with proved Pushes and Moves; a table on standard error
//! ```
//! A template is a drawing with a few lines `Key: value` below it. In the drawing `?` is a square that the seed makes
//! wall or floor; `.` is a goal. The keys: `Title`, `Seed`, `Goals` (how many more goals the seed places), `Layer` (how
//! many positions of a layer are kept), `Mirror` (the symmetry that both obey: none, across, down, both, turn).
//!
//! A level is set up backwards: from the solved board boxes are *pulled*, breadth first, and of all the positions met
//! the hardest becomes the start. Where a layer outgrows [`LAYER`], the seed draws pairs, and the one whose boxes are
//! nearer to the goals goes.

#[path = "../tests/facade/difficulty.rs"]
mod difficulty;

use difficulty::{difficulty, optimum};
use lurd::{Bits, Board, Cell, Direction, Goal, Level, Limits, Map, NO_SQUARE, Square};
use lurd_base::random::SplitMix64;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::process::ExitCode;
use std::time::Duration;

/// The most positions kept of one layer, unless the template says otherwise.
const LAYER: usize = 8_000;
/// The most positions kept at all.
const POSITIONS: usize = 160_000;

/// How many positions the engine weighs, of each of two kinds.
const FINALISTS: usize = 12;
/// A level that takes longer is none for this collection.
const PATIENCE: Duration = Duration::from_secs(5);

/// A drawing and its keys, as templates and levels share them.
struct Entry {
    rows: Vec<String>,
    keys: Vec<(String, String)>,
}

impl Entry {
    fn get(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn number(&self, key: &str) -> usize {
        self.get(key).and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    fn print(&self) {
        self.rows.iter().for_each(|row| println!("{row}"));
        self.keys.iter().for_each(|(key, value)| println!("{key}: {value}"));
        println!();
    }
}

/// Entries of a file; lines above the first drawing are its header.
fn entries(text: &str) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with(';') && !line.trim().is_empty()) {
        match (line.split_once(": "), all.last_mut()) {
            (Some((key, value)), Some(entry)) => entry.keys.push((key.into(), value.trim().into())),
            (Some(_), None) => {}
            (None, Some(entry)) if entry.keys.is_empty() => entry.rows.push(line.trim_end().into()),
            (None, _) => all.push(Entry { rows: vec![line.trim_end().into()], keys: Vec::new() }),
        }
    }
    all
}

/// A number below `n`. The remainder, and not [`SplitMix64::below`], made the levels that are in the file.
fn below(dice: &mut SplitMix64, n: usize) -> usize {
    (dice.next_u64() % n as u64) as usize
}

/// A place and its mirror images inside a rectangle.
fn images(mirror: &str, (h, w): (usize, usize), (r, c): (usize, usize)) -> Vec<(usize, usize)> {
    let (across, down, turn) = ((r, w - 1 - c), (h - 1 - r, c), (h - 1 - r, w - 1 - c));
    let mut all = match mirror {
        "across" => vec![(r, c), across],
        "down" => vec![(r, c), down],
        "turn" => vec![(r, c), turn],
        "both" => vec![(r, c), across, down, turn],
        _ => vec![(r, c)],
    };
    all.sort_unstable();
    all.dedup();
    all
}

/// The template with everything the seed decides decided: the solved board, the player anywhere.
fn solved(template: &Entry, dice: &mut SplitMix64) -> Option<Map> {
    let mirror = template.get("Mirror").unwrap_or("none");
    let mut grid: Vec<Vec<char>> = template.rows.iter().map(|row| row.chars().collect()).collect();
    let size = (grid.len(), grid.iter().map(Vec::len).max()?);
    grid.iter_mut().for_each(|row| row.resize(size.1, ' '));
    let places = || (0..size.0).flat_map(|r| (0..size.1).map(move |c| (r, c)));
    for (r, c) in places() {
        if grid[r][c] == '?' {
            let made = if below(dice, 5) < 2 { '#' } else { ' ' };
            images(mirror, size, (r, c)).into_iter().for_each(|(r, c)| grid[r][c] = made);
        }
    }
    // Floor means floor inside the walls: fill the outside from the rim first.
    let mut outside: Vec<_> =
        places().filter(|&(r, c)| r == 0 || c == 0 || r + 1 == size.0 || c + 1 == size.1).collect();
    let mut shut = grid.clone();
    while let Some((r, c)) = outside.pop() {
        if shut[r][c] == ' ' {
            shut[r][c] = '#';
            let near = [(r.wrapping_sub(1), c), (r + 1, c), (r, c.wrapping_sub(1)), (r, c + 1)];
            outside.extend(near.into_iter().filter(|&(r, c)| r < size.0 && c < size.1));
        }
    }
    let mut wanted = template.number("Goals");
    for _ in 0..1000 {
        let images = images(mirror, size, (below(dice, size.0), below(dice, size.1)));
        if images.len() <= wanted && images.iter().all(|&(r, c)| shut[r][c] == ' ') {
            wanted -= images.len();
            images.into_iter().for_each(|(r, c)| (shut[r][c], grid[r][c]) = ('.', '.'));
        }
    }
    if wanted > 0 {
        return None;
    }
    let player = places().find(|&(r, c)| shut[r][c] == ' ')?;
    let text: String = grid.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect();
    let mut map = Map::from_xsb(&text.replace('.', "*"))?;
    map.set(player.0, player.1, Cell::Player);
    Some(map)
}

/// A set of squares.
type Set = u128;

/// A position met by pulling: the boxes, the player's zone, and how good a start it is.
#[derive(Clone)]
struct Find {
    boxes: Set,
    player: Square,
    /// The pull that led here moved a box to this square.
    last: Square,
    pushes: u32,
    /// How often a solution turns from one box to another.
    changes: u32,
    /// Pushes to the nearest goals if no box were in the way of another.
    straight: u32,
}

impl Find {
    /// Many turns from box to box, and pushes that lead away from the goals, make a level; boxes that
    /// are home already do not. A drawing that is as symmetrical as its walls is worth a little.
    fn score(&self, board: &Board, mirror: &str) -> i64 {
        let squares = || board.squares().filter(|&s| self.boxes >> s & 1 == 1);
        let home = squares().filter(|&s| board.is_goal(s)).count() as i64;
        let size = (board.map().height(), board.map().width());
        let symmetrical = mirror != "none"
            && squares().all(|s| {
                let all = images(mirror, size, board.place(s));
                all.iter().all(|&(r, c)| board.square_at(r, c).is_some_and(|s| self.boxes >> s & 1 == 1))
            });
        let detour = i64::from(self.pushes) - i64::from(self.straight);
        let score = 5 * i64::from(self.changes) + 3 * detour + i64::from(self.pushes) - 4 * home;
        if symmetrical { score * 5 / 4 } else { score }
    }
}

/// The squares the player can walk to.
fn zone(board: &Board, boxes: Set, from: Square) -> Set {
    let (mut seen, mut todo) = (1 << from, vec![from]);
    while let Some(square) = todo.pop() {
        for to in Direction::ALL.map(|way| board.neighbour(square, way)) {
            if to != NO_SQUARE && (seen | boxes) >> to & 1 == 0 {
                seen |= 1 << to;
                todo.push(to);
            }
        }
    }
    seen
}

/// Pulls to each square from the nearest goal, other boxes aside.
fn nearest(board: &Board) -> Vec<u32> {
    let mut pulls = vec![u32::MAX; board.len()];
    let mut queue: Vec<Square> = board.goals().to_vec();
    queue.iter().for_each(|&goal| pulls[usize::from(goal)] = 0);
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        for way in Direction::ALL {
            let to = board.neighbour(at, way);
            if to != NO_SQUARE && board.neighbour(to, way) != NO_SQUARE && pulls[usize::from(to)] == u32::MAX {
                pulls[usize::from(to)] = pulls[usize::from(at)] + 1;
                queue.push(to);
            }
        }
    }
    pulls
}

/// The best start that pulling finds.
fn best_start(board: &Board, mirror: &str, width: usize, dice: &mut SplitMix64) -> Option<(i64, Map)> {
    let home = board.goals().iter().fold(0, |set: Set, &goal| set | 1 << goal);
    let mut seen: HashSet<(Set, Square)> = HashSet::new();
    let mut all: Vec<Find> = Vec::new();
    for player in board.squares().filter(|&s| home >> s & 1 == 0) {
        let player = zone(board, home, player).trailing_zeros() as Square;
        if seen.insert((home, player)) {
            all.push(Find { boxes: home, player, last: NO_SQUARE, pushes: 0, changes: 0, straight: 0 });
        }
    }
    let nearest = nearest(board);
    let mut layer = 0..all.len();
    while !layer.is_empty() && all.len() < POSITIONS {
        let mut found: Vec<Find> = Vec::new();
        let mut index: HashMap<(Set, Square), usize> = HashMap::new();
        for find in &all[layer] {
            let walk = zone(board, find.boxes, find.player);
            for from in board.squares().filter(|&s| find.boxes >> s & 1 == 1) {
                for way in Direction::ALL {
                    let to = board.neighbour(from, way);
                    let player = if to == NO_SQUARE { NO_SQUARE } else { board.neighbour(to, way) };
                    if player == NO_SQUARE || walk >> to & 1 == 0 || find.boxes >> player & 1 == 1 {
                        continue;
                    }
                    let boxes = find.boxes & !(1 << from) | 1 << to;
                    let key = (boxes, zone(board, boxes, player).trailing_zeros() as Square);
                    let (pushes, changes) = (find.pushes + 1, find.changes + u32::from(find.last != from));
                    if seen.contains(&key) {
                        continue;
                    }
                    let straight = find.straight + nearest[usize::from(to)] - nearest[usize::from(from)];
                    let next = Find { boxes, player: key.1, last: to, pushes, changes, straight };
                    // Of several shortest ways the calmest counts.
                    match index.get(&key) {
                        Some(&at) if found[at].changes <= changes => {}
                        Some(&at) => found[at] = next,
                        None => {
                            index.insert(key, found.len());
                            found.push(next);
                        }
                    }
                }
            }
        }
        while found.len() > width {
            let (a, b) = (below(dice, found.len()), below(dice, found.len()));
            found.swap_remove(if found[a].straight < found[b].straight { a } else { b });
        }
        seen.extend(found.iter().map(|find| (find.boxes, find.player)));
        layer = all.len()..all.len() + found.len();
        all.append(&mut found);
    }
    // Where layers were thinned out, a position may be nearer than it looks: the engine has the last word.
    all.sort_by_key(|find| (-find.score(board, mirror), find.boxes, find.player));
    let mut far: Vec<&Find> = all.iter().collect();
    far.sort_by_key(|find| (Reverse(find.straight), find.boxes, find.player));
    let finalists = all.iter().take(FINALISTS).chain(far.into_iter().step_by(7).take(FINALISTS));
    let judged = finalists.filter_map(|find| {
        let boxes = board.squares().filter(|&s| find.boxes >> s & 1 == 1);
        let map = board.picture(&Bits::of(board.len(), boxes), find.player);
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let (score, ..) = difficulty(&optimum(&Level::new(map.clone()), Goal::Pushes, limits)?)?;
        Some((score as i64, map))
    });
    judged.max_by_key(|(score, _)| *score)
}

/// The level a template and a seed make, if they make one.
fn made(template: &Entry, seed: usize) -> Option<(i64, Map)> {
    let mut dice = SplitMix64::new(seed as u64);
    let board = Board::new(&solved(template, &mut dice)?).ok()?;
    // A seed that leaves a goal shut off, or more squares than a set holds, makes nothing.
    if board.len() > 128 || board.goals().len() != board.start_boxes().len() {
        return None;
    }
    let width = if template.get("Layer").is_some() { template.number("Layer") } else { LAYER };
    best_start(&board, template.get("Mirror").unwrap_or("none"), width, &mut dice)
}

/// Proves both optima of a level and writes its line of the table.
fn measure(mut entry: Entry) -> Result<(Entry, String), String> {
    let title = entry.get("Title").unwrap_or("?").to_owned();
    let map = Map::from_xsb(&entry.rows.join("\n")).ok_or(format!("{title}: not a board"))?;
    let boxes = map.cells().filter(|(.., cell)| cell.has_box()).count();
    let level = Level::new(map);
    let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
    let proved = |goal| optimum(&level, goal, limits).ok_or(format!("{title}: no proof for {goal}"));
    let (fewest_pushes, fewest_moves) = (proved(Goal::Pushes)?, proved(Goal::Moves)?);
    let (Some(p), Some(m)) = (&fewest_pushes.solution, &fewest_moves.solution) else { return Err(title) };
    entry.keys.retain(|(key, _)| key != "Pushes" && key != "Moves");
    entry.keys.push(("Pushes".into(), p.pushes.to_string()));
    entry.keys.push(("Moves".into(), m.moves.to_string()));
    let (ps, ms) = (&fewest_pushes.statistics, &fewest_moves.statistics);
    let (difficulty, changes) = difficulty(&fewest_pushes).unwrap_or_default();
    Ok((
        entry,
        format!(
            "{difficulty:7.1} {title:24} {boxes:3} {:4} {:4} {:3} {:8} {:8} {:6.2} {:6.2}",
            p.pushes, m.moves, changes, ps.expanded, ms.expanded, ps.seconds, ms.seconds
        ),
    ))
}

fn run(args: &[&str]) -> Result<(), String> {
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    match *args {
        ["make", path] => {
            for template in entries(&read(path)?) {
                match made(&template, template.number("Seed")) {
                    Some((_, map)) => println!("{map}Title: {}\n", template.get("Title").unwrap_or("?")),
                    None => eprintln!("{}: the seed makes no level", template.get("Title").unwrap_or("?")),
                }
            }
            Ok(())
        }
        ["try", path, title, count, ref most @ ..] => {
            let most = most.first().and_then(|n| n.parse().ok()).unwrap_or(100);
            let count = count.parse().map_err(|_| format!("`{count}` is no number"))?;
            for template in entries(&read(path)?).iter().filter(|t| title == "all" || t.get("Title") == Some(title)) {
                let mut best: Vec<_> = (1..=most).filter_map(|s| made(template, s).map(|m| (m.0, s, m.1))).collect();
                best.sort_by_key(|&(score, seed, _)| (-score, seed));
                best.dedup_by(|a, b| a.2 == b.2);
                for (score, seed, map) in best.into_iter().take(count) {
                    println!("{map}Title: {}\nSeed: {seed}\nScore: {score}\n", template.get("Title").unwrap_or("?"));
                }
            }
            Ok(())
        }
        ["measure", path] => {
            let text = read(path)?;
            text.lines().take_while(|line| !line.is_empty()).for_each(|line| println!("{line}"));
            println!();
            eprintln!("difficulty title       boxes pushes moves changes expanded(p) expanded(m) seconds(p) (m)");
            let mut failed = 0;
            for entry in entries(&text) {
                match measure(entry) {
                    Ok((entry, line)) => {
                        eprintln!("{line}");
                        entry.print();
                    }
                    Err(sentence) => {
                        eprintln!("{sentence}");
                        failed += 1;
                    }
                }
            }
            if failed == 0 { Ok(()) } else { Err(format!("{failed} levels left out")) }
        }
        _ => Err("usage: design make TEMPLATES | try TEMPLATES TITLE N [M] | measure LEVELS".into()),
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("design: {sentence}");
            ExitCode::from(2)
        }
    }
}
