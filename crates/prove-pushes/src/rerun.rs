//! Doing the work of a record again, and comparing it layer by layer.

use crate::key::Key;
use crate::knowledge::Table;
use crate::level::LevelProver;
use crate::proof::LayerSearch;
use crate::record::{LayerRecord, LimitEnd, LimitRecord, StartRecord, names};
use crate::two_sided::{Progress, TwoSided};
use crate::{Control, Halt};
use lurd_rules::dense::board::Side;

/// Why a record was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// The work comes to something else; a sentence says what.
    Differs(String),
    /// A limit or somebody ended the work.
    Halted(Halt),
}

fn differs<T>(sentence: String) -> Result<T, Unconfirmed> {
    Err(Unconfirmed::Differs(sentence))
}

impl<K: Key, const L: usize, const G: usize> LevelProver<K, L, G> {
    /// Compares the bound that some tables give the start.
    pub(super) fn confirm_start(&mut self, start: &StartRecord, control: &Control<'_>) -> Result<(), Unconfirmed> {
        self.make_tables(&start.tables, control)?;
        if self.root == start.bound {
            return Ok(());
        }
        differs(format!("the bound of the start is {}, not {}", said(self.root), said(start.bound)))
    }

    /// Makes exactly these tables, in their order, those made already included.
    pub(super) fn make_tables(&mut self, wanted: &[String], control: &Control<'_>) -> Result<(), Unconfirmed> {
        let made = names(&self.tables);
        if !wanted.starts_with(&made) {
            return differs(format!(
                "tables are made one after the other, and {} cannot follow {}",
                listed(wanted),
                listed(&made)
            ));
        }
        for name in &wanted[made.len()..] {
            let table = Table::all().find(|table| table.name() == name);
            // The next of its kind: a table that is not offered is there already, or there is none for this level.
            let Some(table) = table.filter(|&table| self.scene.offers(table)) else {
                return differs(format!("there is no table `{name}` to make after {}", listed(&names(&self.tables))));
            };
            if !control.fits(self.scene.table_bytes(table)) {
                control.memory_full();
            } else {
                self.make(table, control);
            }
            if let Some(halt) = control.halt() {
                return Err(Unconfirmed::Halted(halt));
            }
        }
        Ok(())
    }

    /// Searches a limit again and compares every layer with its record.
    pub(super) fn confirm(
        &mut self,
        record: &LimitRecord,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Result<(), Unconfirmed> {
        let limit = record.limit;
        self.make_tables(&record.tables, control)?;
        if self.root != Some(record.start) {
            return differs(format!(
                "limit {limit}: the bound of the start is {}, not {}",
                said(self.root),
                record.start
            ));
        }
        self.leave(control);
        let search = TwoSided::new(&self.scene, limit, record.start, control);
        if search.forward.compared() != record.compared {
            let compared = search.forward.compared();
            search.release(control);
            return differs(format!("limit {limit}: {compared} layers back are compared, not {}", record.compared));
        }
        self.search = Some(search);
        let confirmed = self.confirm_layers(record, control, tick);
        self.leave(control);
        confirmed
    }

    fn confirm_layers(
        &mut self,
        record: &LimitRecord,
        control: &Control<'_>,
        tick: &mut dyn FnMut(),
    ) -> Result<(), Unconfirmed> {
        let limit = record.limit;
        loop {
            let Some(search) = &self.search else { return Err(Unconfirmed::Halted(Halt::Cancelled)) };
            for (side, told) in [(Side::Forward, &record.layers), (Side::Backward, &record.backward)] {
                same_layer(limit, side, search.side(side), told)?;
            }
            // What stopped because it was enough goes no further here.
            let all = search.forward.layers.len() == record.layers.len()
                && search.backward.layers.len() == record.backward.len();
            if all && record.ended == LimitEnd::Exhausted && search.exhausted() + 2 == record.at_least {
                return Ok(());
            }
            let (ended, at_least) = match self.advance(u64::MAX, control, tick) {
                Progress::Layer => continue,
                Progress::Met(_, length) => (LimitEnd::Solved, length),
                Progress::Exhausted => (LimitEnd::Exhausted, limit + 2),
                Progress::Unsolvable => (LimitEnd::Unsolvable, record.at_least),
                Progress::Capped => return Err(Unconfirmed::Halted(Halt::Cancelled)),
                Progress::Halted(halt) => return Err(Unconfirmed::Halted(halt)),
            };
            let Some(search) = &self.search else { return Err(Unconfirmed::Halted(Halt::Cancelled)) };
            for (side, told) in [(Side::Forward, &record.layers), (Side::Backward, &record.backward)] {
                let made = search.side(side).layers.len();
                if made != told.len() {
                    let from = from(side);
                    return differs(format!("limit {limit} ends after {made} layers {from}, not {}", told.len()));
                }
                same_layer(limit, side, search.side(side), told)?;
            }
            if ended != record.ended {
                return differs(format!("limit {limit} ends {}, not {}", word(ended), word(record.ended)));
            }
            if at_least != record.at_least {
                return differs(format!("limit {limit} proves at least {at_least} pushes, not {}", record.at_least));
            }
            return Ok(());
        }
    }
}

/// Compares the last layer of a side with its record.
fn same_layer<K: Key>(
    limit: u32,
    side: Side,
    search: &LayerSearch<K>,
    told: &[LayerRecord],
) -> Result<(), Unconfirmed> {
    let (depth, digest) = (search.depth(), search.digests[search.depth()]);
    let from = from(side);
    match told.get(depth) {
        Some(known) if *known == (&digest).into() => Ok(()),
        Some(known) => {
            let (found, told) = (digest.positions, known.positions);
            let what = if found == told {
                format!("other positions, though as many ({found})")
            } else {
                format!("{found} positions, not {told}")
            };
            differs(format!("limit {limit}, layer {depth} {from}: {what}"))
        }
        None => differs(format!("limit {limit} goes on after layer {} {from}", told.len().max(1) - 1)),
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

/// A bound in words.
pub fn said(bound: Option<u32>) -> String {
    bound.map_or_else(|| "`dead`".into(), |bound| bound.to_string())
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
