//! Taking up a proof where a checkpoint left it.

use crate::checkpoint::{Checkpoint, FoundCheckpoints, Journal};
use crate::key::Key;
use crate::level::LevelProver;
use crate::rerun::Unconfirmed;
use crate::schedule::BoundSchedule;
use crate::two_sided::TwoSided;
use crate::{Control, checkpoint};

impl<K: Key, const L: usize, const G: usize> LevelProver<K, L, G> {
    /// Takes up the newest checkpoint that is whole. If its layers are not, those of the one before will do; and if
    /// no layers are left, what was proved stays proved and the limit under way begins anew.
    pub(super) fn take_up(&mut self, journal: &Journal, found: FoundCheckpoints, control: &Control<'_>) -> Vec<String> {
        let mut notes = found.notes;
        let Some(newest) = found.checkpoints.first() else { return notes };
        // What is proved counts for more than layers of an earlier limit.
        for checkpoint in found.checkpoints.iter().filter(|checkpoint| checkpoint.lower == newest.lower) {
            match self.restore(checkpoint, journal, control) {
                Ok(Some(sentence)) => {
                    notes.push(sentence);
                    return notes;
                }
                Ok(None) => break,
                Err(sentence) => notes.push(sentence),
            }
        }
        if let Err(Unconfirmed::Differs(sentence)) = self.take_proved(newest, control) {
            notes.push(format!(
                "the checkpoint is not of this program: {sentence}; the proof starts from the beginning"
            ));
            return notes;
        }
        notes.push(format!(
            "taken up from a checkpoint: no solution has fewer than {} pushes; the limit under way begins anew",
            self.lower
        ));
        notes
    }

    /// What was proved, without what was under way.
    fn take_proved(&mut self, checkpoint: &Checkpoint, control: &Control<'_>) -> Result<(), Unconfirmed> {
        self.make_tables(&checkpoint.tables, control)?;
        self.lower = self.lower.max(checkpoint.lower);
        self.start = checkpoint.start.clone();
        self.spent = checkpoint.spent;
        self.ladder = BoundSchedule { longest: checkpoint.longest };
        self.records.clone_from(&checkpoint.limits);
        Ok(())
    }

    /// Everything, if its layers are whole; `None` if nothing was under way. Tables that were made since stay away: those
    /// of an older checkpoint are some of those of a newer one, so the older is tried only as long as none is made.
    fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        journal: &Journal,
        control: &Control<'_>,
    ) -> Result<Option<String>, String> {
        let Some(under_way) = &checkpoint.under_way else { return Ok(None) };
        let depth = |stack: &checkpoint::Stack| stack.layers.len().saturating_sub(1);
        let (limit, depth) = (under_way.limit, depth(&under_way.forward) + depth(&under_way.backward));
        let search: TwoSided<K> = checkpoint::take_up(under_way, &journal.disk)
            .map_err(|fault| format!("limit {limit} cannot be taken up at layer {depth}: {}", fault.sentence))?;
        match self.take_proved(checkpoint, control) {
            Ok(()) => {}
            Err(Unconfirmed::Differs(sentence)) => return Err(sentence),
            Err(Unconfirmed::Halted(_)) => return Ok(None),
        }
        if self.root != Some(under_way.start) || self.lower > limit {
            return Err(format!("limit {limit} cannot be taken up: the bound of the start has changed"));
        }
        let lost = if search.forward.held_from.max(search.backward.held_from) > 0 {
            ", some of its way back lost"
        } else {
            ""
        };
        self.search = Some(search);
        Ok(Some(format!("taken up from a checkpoint: limit {limit} after layer {depth}{lost}")))
    }
}
