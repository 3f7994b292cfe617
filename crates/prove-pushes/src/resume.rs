//! Resuming a proof from a checkpoint.
//!
//! What is proved is taken over before anything that a limit may interrupt: reading files and building tables. Until all
//! is restored no checkpoint is written, so a resume that is interrupted leaves the folder as it was.

use crate::checkpoint::{Checkpoint, FoundCheckpoints, Journal, SavedSide};
use crate::control::Control;
use crate::key::Key;
use crate::level_prover::LevelProver;
use crate::load::Loader;
use crate::rerun::Unconfirmed;
use crate::schedule::BoundSchedule;

impl<K: Key, const L: usize, const G: usize> LevelProver<K, L, G> {
    /// Restores the checkpoint that proves most. If its layers are damaged, those of another that proves as much are used;
    /// and if no layers are left, the proved bound is kept and the current push limit is restarted. Returns notes for the
    /// report.
    pub(crate) fn restore_best(
        &mut self,
        journal: &Journal,
        found: FoundCheckpoints,
        control: &Control<'_>,
    ) -> Vec<String> {
        let mut notes = found.notes;
        let Some(best) = found.checkpoints.first() else { return notes };
        let fresh = self.proved(control);
        self.take_over(best);
        let proved = format!("resumed from a checkpoint: no solution has fewer than {} pushes", self.lower);
        let mut loader = Loader::new(&journal.disk, control);
        let mut restored = Ok(None);
        // The proved bound is worth more than the layers of an earlier limit.
        for checkpoint in found.checkpoints.iter().filter(|checkpoint| checkpoint.lower == best.lower) {
            restored = self.restore(checkpoint, &mut loader, control);
            match &restored {
                Err(Unconfirmed::Differs(note)) => notes.push(note.clone()),
                _ => break,
            }
        }
        if !matches!(restored, Ok(Some(_)) | Err(Unconfirmed::Halted(_))) {
            restored = self.restore_proved(best, control).map(|()| None);
        }
        notes.push(match restored {
            Ok(Some(search)) => format!("resumed from a checkpoint: {search}"),
            Ok(None) => format!("{proved}; the current push limit is restarted"),
            Err(Unconfirmed::Halted(_)) => {
                self.is_half_restored = true;
                format!("{proved}; the run ended before all was restored, so the checkpoint stays as it is")
            }
            Err(Unconfirmed::Differs(difference)) => {
                self.take_over(&fresh);
                format!("the checkpoint does not fit this program: {difference}; the proof starts from the beginning")
            }
        });
        loader.check_rest::<K>(&found.checkpoints);
        for damage in loader.damages {
            if !notes.iter().any(|note| note.contains(&damage)) {
                notes.push(damage);
            }
        }
        notes
    }

    /// Takes over what is proved.
    fn take_over(&mut self, checkpoint: &Checkpoint) {
        self.lower = checkpoint.lower;
        self.start = checkpoint.start.clone();
        self.spent = checkpoint.spent;
        self.schedule = BoundSchedule { longest: checkpoint.longest };
        self.records.clone_from(&checkpoint.limits);
    }

    /// Restores what is proved and its tables, without the current search.
    fn restore_proved(&mut self, checkpoint: &Checkpoint, control: &Control<'_>) -> Result<(), Unconfirmed> {
        self.take_over(checkpoint);
        self.build_tables(&checkpoint.tables, control)
    }

    /// Restores everything and describes the search, if the layers are undamaged; `None` if there was no current search.
    /// Tables are never removed: an older checkpoint has a prefix of the tables of a newer one, so it is restored only if
    /// it lacks none of them.
    fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        loader: &mut Loader<'_>,
        control: &Control<'_>,
    ) -> Result<Option<String>, Unconfirmed> {
        let Some(saved) = &checkpoint.search else { return Ok(None) };
        let depth = |side: &SavedSide| side.layers.len().saturating_sub(1);
        let (limit, depth) = (saved.limit, depth(&saved.forward) + depth(&saved.backward));
        let search = loader.search(saved).map_err(|unconfirmed| match unconfirmed {
            Unconfirmed::Differs(why) => {
                Unconfirmed::Differs(format!("push limit {limit} cannot be resumed at layer {depth}: {why}"))
            }
            halted @ Unconfirmed::Halted(_) => halted,
        })?;
        self.restore_proved(checkpoint, control)?;
        if self.root != Some(saved.start) || self.lower > limit {
            return Err(Unconfirmed::Differs(format!(
                "push limit {limit} cannot be resumed: the bound of the start has changed"
            )));
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
        Ok(Some(format!("push limit {limit} after layer {depth}{within}{lost}")))
    }
}
