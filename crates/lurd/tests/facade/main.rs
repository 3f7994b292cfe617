//! The library as programs call it.

mod algorithms;
mod difficulty;
mod embedded;
mod inspect;
mod large;
mod node_limits;
mod oracle;
mod race;

use lurd::{AlgorithmName, Cancel, Level, Report, Request, solve_with};

/// The algorithms that look for the optimum.
const OPTIMAL: [AlgorithmName; 7] = [
    AlgorithmName::BreadthFirst,
    AlgorithmName::UniformCost,
    AlgorithmName::IterativeDeepening,
    AlgorithmName::AStar,
    AlgorithmName::IdaStar,
    AlgorithmName::MemoryBoundedAStar,
    AlgorithmName::Bidirectional,
];

fn run(level: &Level, config: &Request) -> Report {
    solve_with(level, config, &Cancel::new(), &mut |_| ()).expect("a level, and choices that go together")
}

/// The levels inside the program.
fn own_levels() -> Vec<Level> {
    lurd::parse(include_str!("../../../../levels/lurd.xsb")).expect("our own levels").levels
}

fn title(level: &Level) -> &str {
    level.title.as_deref().expect("every level has a title")
}

/// What a level's notes say under a key.
fn note<'a>(level: &'a Level, key: &str) -> &'a str {
    let value = level.notes.iter().find_map(|note| note.strip_prefix(key)?.strip_prefix(": "));
    value.unwrap_or_else(|| panic!("{}: no {key}", title(level)))
}

/// A stored optimum.
fn figure(level: &Level, key: &str) -> usize {
    note(level, key).parse().expect("a number")
}
