//! The levels inside the binary: every stored optimum is proved again, and no level is a twin of
//! another one, here or in the collections beside the repository.

use lurd::{AlgorithmName, Board, Cell, Choices, Config, Goal, Level, Map, Outcome, Proof, Report, solve_with};
use lurd_search::Cancel;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

const TEXT: &str = include_str!("../../../levels/lurd.xsb");

/// Levels that teach come first, in the order of their ideas; the others by difficulty.
const LESSONS: usize = 12;

struct Entry {
    map: Map,
    keys: HashMap<&'static str, &'static str>,
}

impl Entry {
    fn title(&self) -> &'static str {
        self.keys["Title"]
    }

    fn number(&self, key: &str) -> usize {
        let value = self.keys.get(key).unwrap_or_else(|| panic!("{}: no {key}", self.title()));
        value.parse().unwrap_or_else(|_| panic!("{}: {key} is no number", self.title()))
    }

    fn boxes(&self) -> usize {
        self.map.cells().filter(|(.., cell)| cell.has_box()).count()
    }
}

/// One block a level: the board, then its keys. The first block is the header.
fn entries() -> Vec<Entry> {
    let blocks = TEXT.split("\n\n").filter(|block| !block.starts_with(';') && !block.trim().is_empty());
    blocks
        .map(|block| {
            let (keys, rows): (Vec<_>, Vec<_>) = block.lines().partition(|line| line.contains(": "));
            let map = Map::from_xsb(&rows.join("\n")).unwrap_or_else(|| panic!("not a board:\n{block}"));
            Entry { map, keys: keys.into_iter().filter_map(|line| line.split_once(": ")).collect() }
        })
        .collect()
}

fn optimum(entry: &Entry, goal: Goal, proof: Proof) -> Report {
    // Difficulty is measured by what A* opens.
    let config = Config {
        goal,
        classic: Choices { algorithm: Some(AlgorithmName::AStar), ..Choices::default() },
        ..Config::default()
    };
    let report = solve_with(&Level::new(entry.map.clone()), &config, &Cancel::default(), &mut |_| {})
        .expect("the default config fits");
    assert_eq!(report.outcome, Outcome::Solved, "{}", entry.title());
    assert_eq!(report.proof, proof, "{}", entry.title());
    report
}

/// How often a solution turns from one box to another.
fn changes(lurd: &str) -> f64 {
    let (mut row, mut column, mut last, mut changes) = (0, 0, None, 0.0);
    for letter in lurd.chars() {
        let (down, right) = lurd::Direction::from_letter(letter).expect("a solution is LURD").delta();
        (row, column) = (row + down, column + right);
        if letter.is_ascii_uppercase() {
            changes += f64::from(u8::from(last != Some((row, column))));
            last = Some((row + down, column + right));
        }
    }
    changes
}

/// What makes two levels the same: floor, boxes and goals, in the least of the eight ways to see them.
fn portrait(map: &Map) -> Option<Vec<String>> {
    let board = Board::new(map).ok()?;
    let places: Vec<(i32, i32, u8)> = board
        .squares()
        .map(|square| {
            let (row, column) = board.place(square);
            let cell = map.get(row, column);
            (row as i32, column as i32, u8::from(cell.has_box()) + 2 * u8::from(cell.is_goal()))
        })
        .collect();
    let views = (0..8).map(|view| {
        let mut seen: Vec<(i32, i32, u8)> = places
            .iter()
            .map(|&(row, column, kind)| {
                let (row, column) = if view & 1 == 0 { (row, column) } else { (column, row) };
                let row = if view & 2 == 0 { row } else { -row };
                (row, if view & 4 == 0 { column } else { -column }, kind)
            })
            .collect();
        let top = seen.iter().map(|place| place.0).min().unwrap_or(0);
        let left = seen.iter().map(|place| place.1).min().unwrap_or(0);
        seen.iter_mut().for_each(|place| (place.0, place.1) = (place.0 - top, place.1 - left));
        seen.sort_unstable();
        seen.iter().map(|place| format!("{place:?}")).collect()
    });
    views.min()
}

#[test]
fn stored_optima_are_proved_and_difficulty_rises() {
    let mut hardest = 0.0_f64;
    for (index, entry) in entries().iter().enumerate() {
        let pushes = optimum(entry, Goal::Pushes, Proof::OptimalPushes);
        let moves = optimum(entry, Goal::Moves, Proof::OptimalMoves);
        let (fewest_pushes, fewest_moves) = (pushes.solution.unwrap(), moves.solution.unwrap());
        assert_eq!(fewest_pushes.pushes, entry.number("Pushes"), "pushes of {}", entry.title());
        assert_eq!(fewest_moves.moves, entry.number("Moves"), "moves of {}", entry.title());
        // The measure of levels/README.md. A better engine opens fewer positions, so the order that
        // was right once need only be roughly right for ever.
        let digits = (1.0 + pushes.statistics.expanded as f64).log2();
        let difficulty = fewest_pushes.pushes as f64 + changes(&fewest_pushes.lurd) * digits;
        if index >= LESSONS {
            assert!(difficulty > hardest / 2.0, "{} is easy for its place: {difficulty}", entry.title());
            hardest = hardest.max(difficulty);
        }
    }
}

#[test]
fn every_level_is_titled_signed_and_whole() {
    let entries = entries();
    assert!(entries.len() >= 40, "only {} levels", entries.len());
    let titles: HashSet<_> = entries.iter().map(Entry::title).collect();
    assert_eq!(titles.len(), entries.len(), "titles repeat");
    for entry in &entries {
        assert_eq!(entry.keys["Author"], "lurd", "{}", entry.title());
        assert!(!entry.keys["Idea"].is_empty(), "{}", entry.title());
        let goals = entry.map.cells().filter(|(.., cell)| cell.is_goal()).count();
        assert_eq!(entry.boxes(), goals, "{}", entry.title());
        let outside = |cell: Cell| !matches!(cell, Cell::Wall | Cell::Floor);
        let (h, w) = (entry.map.height(), entry.map.width());
        let rim = |r: usize, c: usize| r == 0 || c == 0 || r + 1 == h || c + 1 == w;
        assert!(entry.map.cells().all(|(r, c, cell)| !(rim(r, c) && outside(cell))), "{}", entry.title());
    }
}

#[test]
fn boxes_grow_from_one_to_many() {
    let boxes: Vec<_> = entries().iter().map(Entry::boxes).collect();
    let mean = |part: &[usize]| part.iter().sum::<usize>() as f64 / part.len() as f64;
    let third = boxes.len() / 3;
    assert_eq!(boxes[0], 1);
    assert!(mean(&boxes[..third]) < mean(&boxes[third..2 * third]), "{boxes:?}");
    assert!(mean(&boxes[third..2 * third]) < mean(&boxes[2 * third..]), "{boxes:?}");
}

#[test]
fn no_level_is_a_twin() {
    let mut seen = HashMap::new();
    for entry in entries() {
        let portrait = portrait(&entry.map).unwrap_or_else(|| panic!("{}: not playable", entry.title()));
        if let Some(twin) = seen.insert(portrait, entry.title()) {
            panic!("{twin} and {} are the same", entry.title());
        }
    }
    // Collections of others lie beside the repository on some machines; there they are compared too.
    let shared = std::env::var_os("LURD_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    let Ok(files) = std::fs::read_dir(shared.join("levels")) else { return };
    for path in files.flatten().map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "xsb")) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        for rows in text.lines().collect::<Vec<_>>().split(|line| !line.contains('#')) {
            let known = Map::from_xsb(&rows.join("\n")).and_then(|map| portrait(&map));
            if let Some(title) = known.and_then(|known| seen.get(&known)) {
                panic!("{title} is a level of {}", path.display());
            }
        }
    }
}
