//! Resuming a proof from a checkpoint.

use crate::bidirectional::BidirectionalSearch;
use crate::checkpoint::{Checkpoint, FoundCheckpoints, Journal, SavedSide, load_search};
use crate::control::Control;
use crate::key::Key;
use crate::level_prover::LevelProver;
use crate::rerun::Unconfirmed;
use crate::schedule::BoundSchedule;

impl<K: Key, const L: usize, const G: usize> LevelProver<K, L, G> {
    /// Restores the newest checkpoint. If its layers are damaged, those of the one before are used; and if no layers are
    /// left, the proved bound is kept and the current push limit is restarted. Returns notes for the report.
    pub(crate) fn restore_newest(
        &mut self,
        journal: &Journal,
        found: FoundCheckpoints,
        control: &Control<'_>,
    ) -> Vec<String> {
        let mut notes = found.notes;
        let Some(newest) = found.checkpoints.first() else { return notes };
        // The proved bound is worth more than the layers of an earlier limit.
        for checkpoint in found.checkpoints.iter().filter(|checkpoint| checkpoint.lower == newest.lower) {
            match self.restore(checkpoint, journal, control) {
                Ok(Some(note)) => {
                    notes.push(note);
                    return notes;
                }
                Ok(None) => break,
                Err(note) => notes.push(note),
            }
        }
        notes.push(match self.restore_proved(newest, control) {
            Err(Unconfirmed::Differs(difference)) => {
                format!("the checkpoint does not fit this program: {difference}; the proof starts from the beginning")
            }
            _ => format!(
                "resumed from a checkpoint: no solution has fewer than {} pushes; the current push limit is restarted",
                self.lower
            ),
        });
        notes
    }

    /// Restores what is proved, without the current search.
    fn restore_proved(&mut self, checkpoint: &Checkpoint, control: &Control<'_>) -> Result<(), Unconfirmed> {
        self.build_tables(&checkpoint.tables, control)?;
        self.lower = self.lower.max(checkpoint.lower);
        self.start = checkpoint.start.clone();
        self.spent = checkpoint.spent;
        self.schedule = BoundSchedule { longest: checkpoint.longest };
        self.records.clone_from(&checkpoint.limits);
        Ok(())
    }

    /// Restores everything, if the layers are undamaged; `None` if there was no current search. Tables are never removed:
    /// an older checkpoint has a prefix of the tables of a newer one, so it is restored only if it lacks none of them.
    fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        journal: &Journal,
        control: &Control<'_>,
    ) -> Result<Option<String>, String> {
        let Some(saved) = &checkpoint.search else { return Ok(None) };
        let depth = |side: &SavedSide| side.layers.len().saturating_sub(1);
        let (limit, depth) = (saved.limit, depth(&saved.forward) + depth(&saved.backward));
        let search: BidirectionalSearch<K> = load_search(saved, &journal.disk)
            .map_err(|error| format!("push limit {limit} cannot be resumed at layer {depth}: {error}"))?;
        match self.restore_proved(checkpoint, control) {
            Ok(()) => {}
            Err(Unconfirmed::Differs(difference)) => return Err(difference),
            Err(Unconfirmed::Halted(_)) => return Ok(None),
        }
        if self.root != Some(saved.start) || self.lower > limit {
            return Err(format!("push limit {limit} cannot be resumed: the bound of the start has changed"));
        }
        let incomplete = search.forward.first_retained.max(search.backward.first_retained) > 0;
        let lost = if incomplete { ", some earlier layers are lost" } else { "" };
        let sides = [(&saved.forward, &search.forward), (&saved.backward, &search.backward)];
        let within = match sides.into_iter().find(|(saved, _)| saved.is_within_layer()) {
            Some((_, side)) if side.pending.done.is_some() => " and within the next",
            Some(_) => "; the runs of the next are damaged, and it is restarted",
            None => "",
        };
        self.search = Some(search);
        Ok(Some(format!("resumed from a checkpoint: push limit {limit} after layer {depth}{within}{lost}")))
    }
}
