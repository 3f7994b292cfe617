//! Capacities: sets of squares that can hold only a limited number of boxes (deadlock sets: Damgaard, YASS).
//!
//! The *choice* of a square is the set of targets a box on it can reach, with the player on any side. The squares whose
//! choice is a subset of some targets hold at most as many boxes as there are such targets; with one box more there is
//! no perfect matching (Hall's condition). The matching finds the same, but only when a position is expanded; counting
//! finds it when the position is generated.

use crate::dense::board::{DenseBoard, INFINITE, Side};
use crate::dense::set::Set;

/// The maximum number of sets; those with the fewest targets are kept.
const MAX_SETS: usize = 48;
/// The maximum number of choices considered, unions included.
const MAX_CHOICES: usize = 4 * MAX_SETS;

/// A bit set of targets.
type Choice = Vec<u64>;

/// The sets of one side.
#[derive(Clone, Debug)]
pub struct Capacities<const L: usize> {
    /// Squares and their capacity.
    sets: Vec<(Set<L>, u32)>,
    /// For each row of distances the sets of a box with this row.
    by_row: Vec<Vec<u8>>,
}

impl<const L: usize> Capacities<L> {
    pub fn new(board: &DenseBoard, side: Side) -> Self {
        let (way, targets) = (board.way(side), board.boxes());
        let words = targets.div_ceil(64);
        let mut of_rows = vec![vec![0; words]; way.row_count()];
        let mut of_squares = vec![vec![0; words]; board.live_count()];
        for (row, choice) in of_rows.iter_mut().enumerate() {
            let far = way.row(row as u16);
            (0..targets).filter(|&target| far[target] < INFINITE).for_each(|target| insert(choice, target));
            join(&mut of_squares[board.row_live(row as u16)], choice);
        }
        let mut sets = Vec::new();
        let mut by_row = vec![Vec::new(); of_rows.len()];
        for choice in choices(of_rows.iter().chain(&of_squares), targets) {
            let capacity = size(&choice);
            let within = |of: &Choice| size(of) > 0 && of.iter().zip(&choice).all(|(of, choice)| of & !choice == 0);
            let squares: Set<L> = (0..of_squares.len()).filter(|&square| within(&of_squares[square])).collect();
            // A set with fewer squares than its capacity never overflows.
            if squares.len() < capacity || sets.len() == MAX_SETS {
                continue;
            }
            for (row, _) in of_rows.iter().enumerate().filter(|&(_, of)| within(of)) {
                by_row[row].push(sets.len() as u8);
            }
            sets.push((squares, capacity));
        }
        Self { sets, by_row }
    }

    /// Whether a box with this row of distances exceeds a capacity together with `others`.
    #[inline]
    pub fn overflow(&self, row: u16, others: Set<L>) -> bool {
        self.by_row[usize::from(row)].iter().any(|&number| {
            let (squares, capacity) = &self.sets[usize::from(number)];
            others.and(*squares).len() >= *capacity
        })
    }

    pub fn bytes(&self) -> usize {
        let by_row: usize = self.by_row.iter().map(Vec::len).sum();
        by_row + self.by_row.len() * size_of::<Vec<u8>>() + size_of_val(&self.sets[..])
    }
}

/// The choices that lack some target, and unions of them, smallest first.
fn choices<'c>(all: impl Iterator<Item = &'c Choice>, targets: usize) -> Vec<Choice> {
    let mut choices: Vec<Choice> = Vec::new();
    let add = |choices: &mut Vec<Choice>, choice: Choice| {
        let is_proper = (1..targets as u32).contains(&size(&choice));
        if is_proper && choices.len() < MAX_CHOICES && !choices.contains(&choice) {
            choices.push(choice);
        }
    };
    all.for_each(|choice| add(&mut choices, choice.clone()));
    let mut at = 0;
    while at < choices.len() && choices.len() < MAX_CHOICES {
        for other in 0..at {
            let mut union = choices[at].clone();
            join(&mut union, &choices[other]);
            add(&mut choices, union);
        }
        at += 1;
    }
    choices.sort_by_key(|choice| size(choice));
    choices
}

fn insert(choice: &mut Choice, target: usize) {
    choice[target / 64] |= 1 << (target % 64);
}

fn join(choice: &mut Choice, other: &Choice) {
    choice.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

fn size(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}
