//! Doing the work of a record again, and comparing it layer by layer.

use super::key::Key;
use super::knowledge::Table;
use super::level::Level;
use super::proof::{Search, Step};
use super::record::{LimitEnd, LimitRecord, StartRecord, names};
use super::{Control, Halt};

/// Why a record was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unconfirmed {
    /// The work comes to something else; a sentence says what.
    Differs(String),
    /// A limit or somebody ended the work.
    Halted(Halt),
}

fn differs<T>(sentence: String) -> Result<T, Unconfirmed> {
    Err(Unconfirmed::Differs(sentence))
}

impl<K: Key, const L: usize, const G: usize> Level<K, L, G> {
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
        let search = Search::new(&self.scene, limit, record.start, control);
        if search.compared() != record.compared {
            let compared = search.compared();
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
        let mut step = Step::Layer;
        loop {
            let Some(search) = &self.search else { return Err(Unconfirmed::Halted(Halt::Cancelled)) };
            let (depth, digest) = (search.depth(), search.digests[search.depth()]);
            let ended = match step {
                Step::Layer => None,
                Step::Solved(_) => {
                    return differs(format!("limit {limit}: there is a solution of {} pushes", depth + 1));
                }
                Step::Empty if search.beyond => Some(LimitEnd::Exhausted),
                Step::Empty => Some(LimitEnd::Unsolvable),
                Step::Capped => return Err(Unconfirmed::Halted(Halt::Cancelled)),
                Step::Halted(halt) => return Err(Unconfirmed::Halted(halt)),
            };
            match (ended, record.layers.get(depth)) {
                (Some(ended), _) if depth + 1 != record.layers.len() => {
                    return differs(format!(
                        "limit {limit} ends ({}) after {} layers, not {}",
                        word(ended),
                        depth + 1,
                        record.layers.len()
                    ));
                }
                (Some(ended), _) if ended != record.ended => {
                    return differs(format!("limit {limit} ends {}, not {}", word(ended), word(record.ended)));
                }
                (Some(_), _) => return Ok(()),
                (None, Some(known)) if *known == (&digest).into() => {}
                (None, Some(known)) => {
                    let (found, told) = (digest.positions, known.positions);
                    let what = if found == told {
                        format!("other positions, though as many ({found})")
                    } else {
                        format!("{found} positions, not {told}")
                    };
                    return differs(format!("limit {limit}, layer {depth}: {what}"));
                }
                (None, None) => {
                    return differs(format!("limit {limit} goes on after layer {}", record.layers.len().max(1) - 1));
                }
            }
            step = self.advance(u64::MAX, control, tick);
        }
    }
}

fn word(ended: LimitEnd) -> &'static str {
    match ended {
        LimitEnd::Exhausted => "exhausted",
        LimitEnd::Unsolvable => "unsolvable",
    }
}

/// A bound in words.
pub(crate) fn said(bound: Option<u32>) -> String {
    bound.map_or_else(|| "`dead`".into(), |bound| bound.to_string())
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
