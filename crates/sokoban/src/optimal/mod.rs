//! The push-optimal engine: proves that no solution has fewer pushes.
//!
//! Positions are exact keys ([`rank`]). The bound is a matching by distances that know the player's side, plus what
//! small groups of boxes cost each other, exactly ([`excess`], [`packing`]). The proof goes by layers under a
//! limit that rises by two, since all solutions of a level have lengths of one parity ([`proof`]): a limit
//! under which the layers run empty raises what is proved, and a solved position met is a shortest solution.
//! Tables that cost time are made when the search has taken about as long.

mod control;
mod excess;
mod expand;
mod graph;
mod key;
mod layer;
mod near;
mod packing;
mod proof;
mod rank;
mod retrace;
mod scene;
#[cfg(test)]
mod tests;

pub(crate) use control::{Control, Halt};

use crate::board::Board;
use crate::champion::dense::ground::Ground;
use crate::champion::strategy::Push;
use crate::distance::OutOfBudget;
use expand::Expander;
use key::Key;
use near::Near;
use proof::{Ended, Scope, Search};
use scene::Scene;
use search::Budget;
use std::sync::Arc;

/// What the engine uses. All of it is sound and nothing changes the optimum; tests switch parts off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Excess of pairs.
    pub(crate) pairs: bool,
    /// Excess of triples.
    pub(crate) triples: bool,
    /// Excess of four boxes.
    pub(crate) fours: bool,
    /// PI-corrals.
    pub(crate) corrals: bool,
    /// Boxes that shut the player in.
    pub(crate) gates: bool,
    /// Exact small dead sets.
    pub(crate) dead_sets: bool,
    /// Makes every table at once, however long it takes.
    pub(crate) eager: bool,
    /// Compares what is carried from parent to child with the same found anew, for one child in so many; 0 for none.
    pub(crate) check_every: u64,
    /// Threads.
    pub(crate) threads: usize,
}

impl Options {
    /// Everything.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            pairs: true,
            triples: true,
            fours: true,
            corrals: true,
            gates: true,
            dead_sets: true,
            eager: false,
            check_every: if cfg!(debug_assertions) { 61 } else { 0 },
            threads: threads.max(1),
        }
    }
}

/// A table that makes the search stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strengthening {
    /// The next size of dead sets.
    DeadSets,
    /// Excess of pairs.
    Pairs,
    /// Excess of triples.
    Triples,
    /// Excess of four boxes.
    Fours,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A shortest solution.
    Shortest(Vec<Push>),
    /// A shortest solution has so many pushes, but the way to it was let go for want of memory.
    Length(u32),
    /// The lower bound has reached what was asked for.
    Proved,
    /// There is no solution.
    Unsolvable,
    /// So many positions as were allowed have been expanded.
    Capped,
    /// A limit or somebody ended it.
    Halted(Halt),
}

/// What a neighbourhood held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Nearby {
    /// A shorter solution.
    Shorter(Vec<Push>),
    /// No shorter solution; whether all positions were in the neighbourhood.
    Nothing { all: bool },
    /// So many positions as were allowed have been expanded.
    Capped,
    /// A limit or somebody ended it.
    Halted,
}

/// A level made ready for proofs.
pub(crate) trait Prover: Send {
    /// No solution has fewer pushes than this.
    fn lower(&self) -> u32;

    /// What the lower bound rests on, in words.
    fn reason(&self) -> String;

    /// Raises the lower bound until it meets the upper one, a solution is found, or about `most` positions are expanded.
    fn prove(&mut self, most: u64, control: &Control<'_>, tick: &mut dyn FnMut()) -> Found;

    /// Looks for a shorter solution than the one given where at most so many boxes stand elsewhere than in it.
    fn search_near(
        &mut self,
        board: &Board,
        pushes: &[Push],
        astray: u32,
        most: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Nearby;

    /// Bytes of a key.
    fn key_bytes(&self) -> usize;
}

/// Makes a level ready. `Ok(None)` if it is too large for this engine.
pub(crate) fn prover(board: &Board, options: Options, budget: &Budget) -> Result<Option<Box<dyn Prover>>, OutOfBudget> {
    let Some(ground) = Ground::new(board, budget)? else { return Ok(None) };
    let ground = Arc::new(ground);
    Ok(match (ground.live_words(), ground.cell_words()) {
        // So few cells never need two words for a key, and so many mostly do.
        (1, 1) => of_size::<u64, 1, 1>(&ground, options),
        (1, 2) => of_size::<u64, 1, 2>(&ground, options).or_else(|| of_size::<u128, 1, 2>(&ground, options)),
        (2, ..=2) => of_size::<u64, 2, 2>(&ground, options).or_else(|| of_size::<u128, 2, 2>(&ground, options)),
        (2, ..=4) => of_size::<u64, 2, 4>(&ground, options).or_else(|| of_size::<u128, 2, 4>(&ground, options)),
        (4, ..=8) => of_size::<u128, 4, 8>(&ground, options),
        (4, ..=16) => of_size::<u128, 4, 16>(&ground, options),
        _ => None,
    })
}

fn of_size<K: Key, const L: usize, const G: usize>(ground: &Arc<Ground>, options: Options) -> Option<Box<dyn Prover>> {
    Some(Box::new(Level::<K, L, G>::new(ground, options)?))
}

/// Microseconds an expansion takes, about.
const EXPANSION: u64 = 3;

/// The share of the time left that a table may take.
const TABLE_SHARE: u32 = 3;

/// The work on one level.
struct Level<K, const L: usize, const G: usize> {
    scene: Scene<K, L, G>,
    expanders: Vec<Expander<L, G>>,
    /// The bound of the start, raised to the parity of all solutions; `None` when the start is dead.
    root: Option<u32>,
    lower: u32,
    /// The last limit that was exhausted.
    exhausted: Option<u32>,
}

impl<K: Key, const L: usize, const G: usize> Level<K, L, G> {
    fn new(ground: &Arc<Ground>, options: Options) -> Option<Self> {
        let scene = Scene::new(ground, options)?;
        let expanders = (0..options.threads).map(|_| Expander::new(&scene)).collect();
        let mut level = Self { scene, expanders, root: Some(0), lower: 0, exhausted: None };
        level.look_at_root();
        Some(level)
    }

    /// Bounds the start anew.
    fn look_at_root(&mut self) {
        if self.scene.ground.is_hopeless() {
            self.root = None;
            return;
        }
        let (boxes, zone) = self.scene.start();
        let bound = self.scene.bound(boxes, zone);
        // Every push changes the colour of one square on the chequered board.
        let colour = |square: &u16| self.scene.ground.colour(usize::from(*square));
        let parity = self.scene.ground.starts().iter().chain(self.scene.ground.goals()).map(colour).sum::<u32>() % 2;
        self.root = bound.map(|bound| bound + (bound + parity) % 2);
        self.lower = self.lower.max(self.root.unwrap_or(0));
    }

    /// Makes tables that cost no more than what was spent so far, in microseconds.
    fn strengthen(&mut self, spent: u64, control: &Control<'_>) {
        while let Some((kind, cost)) = self.scene.next_table() {
            let threads = self.scene.options.threads as u64;
            if !self.scene.options.eager {
                if cost > spent {
                    return;
                }
                let left = control.budget().limits().time.map(|time| time.saturating_sub(control.budget().elapsed()));
                let too_long = left.is_some_and(|left| u128::from(cost / threads) > (left / TABLE_SHARE).as_micros());
                if too_long || !control.fits(self.scene.table_bytes(kind)) {
                    self.scene.refuse(kind);
                    continue;
                }
            }
            let helpers = control.helpers().min(self.scene.options.threads - 1);
            self.scene.strengthen(kind, helpers + 1, &|| control.halt().is_some());
            control.set_tables(self.scene.bytes(), self.scene.bytes() + self.scene.table_bytes(kind));
            self.look_at_root();
            if control.halt().is_some() {
                return;
            }
        }
    }
}

impl<K: Key, const L: usize, const G: usize> Prover for Level<K, L, G> {
    fn lower(&self) -> u32 {
        self.lower
    }

    fn reason(&self) -> String {
        match self.exhausted {
            Some(limit) if self.lower == limit + 2 => format!("every way of up to {limit} pushes was exhausted"),
            _ => format!("{} at the start", self.scene.bound_name()),
        }
    }

    fn prove(&mut self, most: u64, control: &Control<'_>, tick: &mut dyn FnMut()) -> Found {
        let last = control.expanded().saturating_add(most);
        loop {
            // Small tables are worth their time at once.
            self.strengthen((control.expanded() * EXPANSION).max(5_000), control);
            let Some(root) = self.root else { return Found::Unsolvable };
            control.raise(self.lower);
            if control.is_met() {
                return Found::Proved;
            }
            if let Some(halt) = control.halt() {
                return Found::Halted(halt);
            }
            let most = last.saturating_sub(control.expanded());
            if most == 0 {
                return Found::Capped;
            }
            let until_table = self.scene.next_table().map_or(u64::MAX, |(_, cost)| cost / EXPANSION + 1);
            let cap = most.min(until_table.saturating_sub(control.expanded()).max(1_000));
            let limit = self.lower;
            let scope = Scope { limit, root, most: cap, near: None };
            let (search, ended) = Search::run(&self.scene, &mut self.expanders, scope, control, tick);
            let found = match ended {
                Ended::Solved(depth, key) => Some(match retrace::retrace(&self.scene, &search, depth, key) {
                    Some(pushes) => Found::Shortest(pushes),
                    None => Found::Length(depth as u32),
                }),
                Ended::Empty { beyond: false, .. } => Some(Found::Unsolvable),
                Ended::Empty { beyond: true, .. } => {
                    self.exhausted = Some(limit);
                    self.lower = limit + 2;
                    None
                }
                Ended::Capped => None,
                Ended::Halted(Halt::Met) => Some(Found::Proved),
                Ended::Halted(halt) => Some(Found::Halted(halt)),
            };
            control.release(search.layers.iter().map(layer::Layer::bytes).sum());
            if let Some(found) = found {
                if let Found::Length(length) = found {
                    self.lower = length;
                    self.exhausted = Some(length.saturating_sub(2));
                }
                return found;
            }
        }
    }

    fn search_near(
        &mut self,
        board: &Board,
        pushes: &[Push],
        astray: u32,
        most: u64,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Nearby {
        self.strengthen((control.expanded() * EXPANSION).max(5_000), control);
        let (Some(root), Some(near)) = (self.root, Near::new(&self.scene, board, pushes, astray)) else {
            return Nearby::Nothing { all: false };
        };
        let limit = (pushes.len() as u32).saturating_sub(2);
        if root > limit {
            return Nearby::Nothing { all: true };
        }
        let scope = Scope { limit, root, most, near: Some(&near) };
        let (search, ended) = Search::run(&self.scene, &mut self.expanders, scope, control, tick);
        let found = match ended {
            Ended::Solved(depth, key) => match retrace::retrace(&self.scene, &search, depth, key) {
                Some(pushes) => Nearby::Shorter(pushes),
                None => Nearby::Halted,
            },
            Ended::Empty { far, .. } => Nearby::Nothing { all: !far },
            Ended::Capped => Nearby::Capped,
            Ended::Halted(_) => Nearby::Halted,
        };
        control.release(search.layers.iter().map(layer::Layer::bytes).sum());
        found
    }

    fn key_bytes(&self) -> usize {
        size_of::<K>()
    }
}
