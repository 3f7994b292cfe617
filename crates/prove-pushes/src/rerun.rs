//! Repeating the work of a record, and comparing it layer by layer.

use crate::bidirectional::{BidirectionalSearch, BidirectionalStep};
use crate::control::{Control, Halt};
use crate::digest::LayerRecord;
use crate::key::Key;
use crate::layer_search::LayerSearch;
use crate::level_prover::LevelProver;
use crate::record::{LimitEnd, LimitRecord, StartRecord, names};
use crate::tables::Table;
use lurd_rules::dense::board::Side;

/// Why a record was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// The result differs from the record; the sentence gives the first difference.
    Differs(String),
    /// A limit of the budget or a cancellation ended the work.
    Halted(Halt),
}

/// What repeated work proves, if it is what the record says: the fewest pushes that a solution can have, or `None` if there
/// is no solution. It is derived from the work, never from the record.
pub type Confirmed = Result<Option<u32>, Unconfirmed>;

fn differs<T>(sentence: String) -> Result<T, Unconfirmed> {
    Err(Unconfirmed::Differs(sentence))
}

/// Repeats the work of a proof.
pub trait Rerun {
    /// Repeats the bound of the start with the tables of a record.
    fn confirm_start(&mut self, start: &StartRecord, control: &Control<'_>) -> Confirmed;

    /// Repeats the search of a limit and compares every layer with its record.
    fn confirm(&mut self, record: &LimitRecord, control: &Control<'_>, tick: &mut dyn FnMut()) -> Confirmed;
}

impl<K: Key, const L: usize, const G: usize> Rerun for LevelProver<K, L, G> {
    fn confirm_start(&mut self, start: &StartRecord, control: &Control<'_>) -> Confirmed {
        self.build_tables(&start.tables, control)?;
        if self.root == start.bound {
            return Ok(self.root);
        }
        differs(format!("the bound of the start is {}, not {}", bound_text(self.root), bound_text(start.bound)))
    }

    fn confirm(&mut self, record: &LimitRecord, control: &Control<'_>, tick: &mut dyn FnMut()) -> Confirmed {
        let limit = record.limit;
        self.build_tables(&record.tables, control)?;
        if self.root != Some(record.start) {
            let root = bound_text(self.root);
            return differs(format!("push limit {limit}: the bound of the start is {root}, not {}", record.start));
        }
        // All solutions have lengths of the parity of the bound. A limit of the other one would prove a push too much.
        if limit < record.start || !(limit - record.start).is_multiple_of(2) || limit.checked_add(2).is_none() {
            let start = record.start;
            return differs(format!(
                "push limit {limit}: no search has this limit if the bound of the start is {start}"
            ));
        }
        self.drop_search(control);
        let search = BidirectionalSearch::new(&self.model, limit, record.start, control);
        if search.forward.compared() != record.compared {
            let compared = search.forward.compared();
            search.release(control);
            let recorded = record.compared;
            return differs(format!("push limit {limit}: a layer is compared with {compared} others, not {recorded}"));
        }
        self.search = Some(search);
        let confirmed = self.confirm_layers(record, control, tick);
        self.drop_search(control);
        confirmed
    }
}

impl<K: Key, const L: usize, const G: usize> LevelProver<K, L, G> {
    /// Builds tables so that exactly the wanted ones are built, in this order.
    pub(crate) fn build_tables(&mut self, wanted: &[String], control: &Control<'_>) -> Result<(), Unconfirmed> {
        let built = names(&self.tables);
        if !wanted.starts_with(&built) {
            let (wanted, built) = (listed(wanted), listed(&built));
            return differs(format!("the tables {wanted} do not continue the tables {built}"));
        }
        for name in &wanted[built.len()..] {
            let table = Table::all().find(|table| table.name() == name);
            // A table that is not available is built already or does not exist for this level.
            let Some(table) = table.filter(|table| self.model.tables(table.side).is_available(table.kind)) else {
                return differs(format!("table `{name}` cannot be built after {}", listed(&names(&self.tables))));
            };
            if !control.fits(self.model.table_bytes(table)) {
                control.set_memory_full();
            } else {
                self.build_table(table, control);
            }
            if let Some(halt) = control.halt() {
                return Err(Unconfirmed::Halted(halt));
            }
        }
        Ok(())
    }

    fn confirm_layers(&mut self, record: &LimitRecord, control: &Control<'_>, tick: &mut dyn FnMut()) -> Confirmed {
        let limit = record.limit;
        loop {
            let Some(search) = &self.search else { return Err(Unconfirmed::Halted(Halt::Cancelled)) };
            same_layer(limit, &search.forward, &record.layers)?;
            same_layer(limit, &search.backward, &record.backward)?;
            let (ended, lower) = match self.advance(u64::MAX, control, tick) {
                BidirectionalStep::Layer => continue,
                BidirectionalStep::Met(_, length) => (LimitEnd::Solved, Some(length)),
                BidirectionalStep::Exhausted => (LimitEnd::Exhausted, Some(limit + 2)),
                BidirectionalStep::Unsolvable => (LimitEnd::Unsolvable, None),
                BidirectionalStep::CheckpointDue | BidirectionalStep::ExpansionLimit => {
                    return Err(Unconfirmed::Halted(Halt::Cancelled));
                }
                BidirectionalStep::Halted(halt) => return Err(Unconfirmed::Halted(halt)),
            };
            let Some(search) = &self.search else { return Err(Unconfirmed::Halted(Halt::Cancelled)) };
            for (search, recorded) in [(&search.forward, &record.layers), (&search.backward, &record.backward)] {
                let complete = search.layers.len();
                if complete != recorded.len() {
                    let (from, recorded) = (from(search.side), recorded.len());
                    return differs(format!("push limit {limit} ends after {complete} layers {from}, not {recorded}"));
                }
                same_layer(limit, search, recorded)?;
            }
            if ended != record.ended {
                return differs(format!("push limit {limit} ends {}, not {}", word(ended), word(record.ended)));
            }
            if let Some(at_least) = lower.filter(|&at_least| at_least != record.at_least) {
                let recorded = record.at_least;
                return differs(format!("push limit {limit} proves at least {at_least} pushes, not {recorded}"));
            }
            return Ok(lower);
        }
    }
}

/// Compares the last layer of a side with its record.
fn same_layer<K: Key>(limit: u32, search: &LayerSearch<K>, recorded: &[LayerRecord]) -> Result<(), Unconfirmed> {
    let (depth, digest) = (search.depth(), search.digests[search.depth()]);
    let from = from(search.side);
    match recorded.get(depth) {
        Some(known) if *known == digest => Ok(()),
        Some(known) => {
            let (found, recorded) = (digest.positions, known.positions);
            let what = if found == recorded {
                format!("{found} positions, but different ones")
            } else {
                format!("{found} positions, not {recorded}")
            };
            differs(format!("push limit {limit}, layer {depth} {from}: {what}"))
        }
        None => {
            let last = recorded.len().max(1) - 1;
            differs(format!("push limit {limit} continues after layer {last} {from}"))
        }
    }
}

fn from(side: Side) -> &'static str {
    match side {
        Side::Forward => "from the start",
        Side::Backward => "from the end",
    }
}

fn word(ended: LimitEnd) -> &'static str {
    match ended {
        LimitEnd::Exhausted => "exhausted",
        LimitEnd::Solved => "solved",
        LimitEnd::Unsolvable => "unsolvable",
    }
}

/// A bound in words; a dead position has an infinite one.
pub fn bound_text(bound: Option<u32>) -> String {
    bound.map_or_else(|| "infinite".into(), |bound| bound.to_string())
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
