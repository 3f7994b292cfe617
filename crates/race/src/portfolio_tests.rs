//! The scheduler with strategies that only count their turns.

use crate::observe::Snapshot;
use crate::portfolio::{Entrant, Finish, Slice, Totals, run};
use crate::strategy::{Halt, SliceEnd, Strategy};
use lurd_base::{Budget, Cancel, Limits};
use lurd_rules::Figures;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SLICE: Slice = Slice { work: 1_000, cost: 1_000 };

/// Writes its name into a list at each turn, until its last one ends in its own way.
struct Turns {
    name: &'static str,
    left: usize,
    end: SliceEnd,
    bytes: usize,
    taken: Arc<Mutex<Vec<&'static str>>>,
}

impl Strategy for Turns {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, _: u64, _: &Halt) -> SliceEnd {
        self.taken.lock().unwrap().push(self.name);
        self.left -= 1;
        if self.left == 0 { self.end.clone() } else { SliceEnd::Open }
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn figures(&self) -> Figures {
        Figures::default()
    }

    fn snapshot(&self, _: &mut Snapshot) {}
}

/// Name, turns, end, bytes, weight, milliseconds after which it joins.
type Row = (&'static str, usize, SliceEnd, usize, u64, u64);

/// The turns taken, and how the race ended.
fn race(rows: Vec<Row>, memory: Option<usize>) -> (Vec<&'static str>, Finish, Totals) {
    let taken = Arc::<Mutex<Vec<&'static str>>>::default();
    let entrants = rows.into_iter().map(|(name, left, end, bytes, weight, after)| {
        let strategy = Turns { name, left, end, bytes, taken: Arc::clone(&taken) };
        Entrant::new(Box::new(strategy), SLICE, weight, Duration::from_millis(after))
    });
    let halt = Halt::new(Budget::new(Limits { memory, ..Limits::default() }, Cancel::new()));
    let (finish, totals) = run(entrants.collect(), 1, &halt, &|| 0, &mut |_| ());
    let taken = taken.lock().unwrap().clone();
    (taken, finish, totals)
}

fn count(taken: &[&str], name: &str) -> usize {
    taken.iter().filter(|&&turn| turn == name).count()
}

#[test]
fn twice_the_weight_is_twice_the_turns() {
    let rows = vec![
        ("one", 1_000, SliceEnd::Spent, 0, 1, 0),
        ("two", 1_000, SliceEnd::Spent, 0, 2, 0),
        ("four", 80, SliceEnd::Solved(Vec::new()), 0, 4, 0),
    ];
    let (taken, finish, _) = race(rows, None);
    assert_eq!(finish, Finish::Solved(Vec::new(), "four"));
    assert!(count(&taken, "one").abs_diff(20) <= 1 && count(&taken, "two").abs_diff(40) <= 1, "{taken:?}");
}

#[test]
fn a_late_strategy_joins_when_the_others_have_used_as_much() {
    let rows = vec![("first", 30, SliceEnd::Solved(Vec::new()), 0, 1, 0), ("late", 1_000, SliceEnd::Spent, 0, 1, 10)];
    let (taken, ..) = race(rows, None);
    assert_eq!(taken.iter().position(|&turn| turn == "late"), Some(10), "{taken:?}");
    assert!(count(&taken, "late").abs_diff(20) <= 1, "{taken:?}");
}

#[test]
fn a_race_ends_with_the_first_proof_or_when_nothing_is_left() {
    let open = || ("open", 1_000, SliceEnd::Spent, 0, 1, 0);
    let rows = vec![open(), ("proof", 3, SliceEnd::Unsolvable, 0, 1, 0)];
    assert_eq!(race(rows, None).1, Finish::Unsolvable("proof"));
    let rows = vec![("a", 3, SliceEnd::Spent, 0, 1, 0), ("b", 5, SliceEnd::Spent, 0, 1, 0)];
    let (taken, finish, _) = race(rows, None);
    assert_eq!((taken.len(), finish), (8, Finish::Spent));
    let rows = vec![("a", 3, SliceEnd::Spent, 0, 1, 0), ("b", 5, SliceEnd::OutOfMemory, 0, 1, 0)];
    assert_eq!(race(rows, None).1, Finish::Memory);
}

#[test]
fn short_memory_ends_the_strategy_that_holds_most() {
    let rows = vec![
        ("small", 20, SliceEnd::Solved(Vec::new()), 1 << 20, 1, 0),
        ("large", 1_000, SliceEnd::Spent, 200 << 20, 1, 0),
    ];
    let (taken, finish, totals) = race(rows, Some(128 << 20));
    assert_eq!((finish, totals.dropped), (Finish::Solved(Vec::new(), "small"), 1));
    assert_eq!(count(&taken, "large"), 1);
    // What is spent after something was dropped says nothing of the level.
    let rows = vec![("small", 20, SliceEnd::Spent, 0, 1, 0), ("large", 1_000, SliceEnd::Spent, 200 << 20, 1, 0)];
    assert_eq!(race(rows, Some(128 << 20)).1, Finish::Memory);
}
