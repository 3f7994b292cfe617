//! Bidirectional search (Pohl 1971) of one push limit: pushes from the start, pulls from the solved board.
//!
//! Of a solution within the limit, the position after `t` pushes is in the forward layer `t`, and, `s` pushes before the
//! end, in the backward layer `s`. Forwards, corrals and gates keep one shortest solution only; backwards nothing is
//! selected, so every position of that solution is reached from behind, whichever it is. So if the layers `t` and `s`
//! have no position in common, there is no solution of `t + s` pushes. Layers are added one at a time, and the first
//! common position lies on a shortest solution. The side with the smaller next layer grows: mostly both sides stay small
//! where one alone would have to pass the wide middle.
//!
//! Which side grows depends on the sizes of the layers alone, so the work is reproducible.

use crate::control::{Control, Halt};
use crate::digest::LayerRecord;
use crate::disk::DiskError;
use crate::expand::Expander;
use crate::key::Key;
use crate::layer_search::{LayerSearch, LayerStep, SearchContext};
use crate::model::Model;
use lurd_rules::dense::board::Side;

/// How a call of [`BidirectionalSearch::advance`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BidirectionalStep<K> {
    /// One more layer is complete.
    Layer,
    /// Both sides share a position, on a shortest solution of so many pushes.
    Met(K, u32),
    /// No solution is within the limit.
    Exhausted,
    /// A side ran empty and the limit pruned nothing of it: there is no solution.
    Unsolvable,
    /// A layer is unfinished, and a checkpoint is due.
    CheckpointDue,
    ExpansionLimit,
    Halted(Halt),
}

/// The layers of one push limit from both ends.
pub(crate) struct BidirectionalSearch<K> {
    pub(crate) forward: LayerSearch<K>,
    /// In a unidirectional search it stays at its first layer.
    pub(crate) backward: LayerSearch<K>,
}

/// The size of the next layer if it grows as the last one did: a side that is about to run empty should not wait for one
/// that is small and grows fast.
fn predicted_size(layers: &[LayerRecord]) -> u128 {
    let size = |back: usize| layers.len().checked_sub(back).map_or(1, |place| u128::from(layers[place].positions));
    size(1) * size(1) / size(2).max(1)
}

impl<K: Key> BidirectionalSearch<K> {
    /// A search with the first layers only.
    pub(crate) fn new<const L: usize, const G: usize>(
        model: &Model<K, L, G>,
        limit: u32,
        root: u32,
        control: &Control<'_>,
    ) -> Self {
        Self {
            forward: LayerSearch::new(model, Side::Forward, limit, root, control),
            backward: LayerSearch::new(model, Side::Backward, limit, model.backward_root(), control),
        }
    }

    pub(crate) fn limit(&self) -> u32 {
        self.forward.limit
    }

    pub(crate) fn side(&self, side: Side) -> &LayerSearch<K> {
        match side {
            Side::Forward => &self.forward,
            Side::Backward => &self.backward,
        }
    }

    /// The depths of both sides together.
    pub(crate) fn depth(&self) -> usize {
        self.forward.depth() + self.backward.depth()
    }

    /// No solution has this many pushes or fewer. All solutions have lengths of the limit's parity.
    pub(crate) fn exhausted(&self) -> u32 {
        let depth = self.depth() as u32;
        if depth >= self.limit() || self.is_empty() { self.limit() } else { depth - (depth + self.limit()) % 2 }
    }

    /// Whether a side ran empty.
    fn is_empty(&self) -> bool {
        self.forward.is_empty() || self.backward.is_empty()
    }

    /// Positions in all complete layers.
    pub(crate) fn positions(&self) -> u64 {
        let of = |search: &LayerSearch<K>| search.digests.iter().map(|digest| digest.positions).sum::<u64>();
        of(&self.forward) + of(&self.backward)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.forward.bytes() + self.backward.bytes()
    }

    /// Bytes of the smaller last layer.
    pub(crate) fn last_bytes(&self) -> usize {
        let bytes = |search: &LayerSearch<K>| search.layers.last().map_or(0, |layer| layer.len() * size_of::<K>());
        bytes(&self.forward).min(bytes(&self.backward))
    }

    pub(crate) fn release(self, control: &Control<'_>) {
        self.forward.release(control);
        self.backward.release(control);
    }

    pub(crate) fn next_side(&self, bidirectional: bool) -> Side {
        if bidirectional && predicted_size(&self.backward.digests) < predicted_size(&self.forward.digests) {
            Side::Backward
        } else {
            Side::Forward
        }
    }

    /// Completes the next layer of one side. `others` are the expanders of the backward side.
    pub(crate) fn advance<const L: usize, const G: usize>(
        &mut self,
        context: &mut SearchContext<'_, K, L, G>,
        others: &mut [Expander<L, G>],
    ) -> BidirectionalStep<K> {
        if self.is_empty() {
            let cut = |search: &LayerSearch<K>| !search.is_empty() || search.limit_pruned;
            return if cut(&self.forward) && cut(&self.backward) {
                BidirectionalStep::Exhausted
            } else {
                BidirectionalStep::Unsolvable
            };
        }
        if self.depth() as u32 >= self.limit() {
            return BidirectionalStep::Exhausted;
        }
        let side = self.next_side(context.model.options.bidirectional);
        let (search, other) = match side {
            Side::Forward => (&mut self.forward, &mut self.backward),
            Side::Backward => (&mut self.backward, &mut self.forward),
        };
        // Layers that the other side retains for reconstruction are worth less than the next layer.
        let likely = 3 * search.layers.last().map_or(0, |layer| layer.len() * size_of::<K>());
        let control = context.means.control;
        if !control.fits(likely) {
            other.make_room(likely, &context.means);
        }
        let step = match side {
            Side::Forward => search.advance(context),
            Side::Backward => {
                search.advance(&mut SearchContext { expanders: others, tick: &mut *context.tick, ..*context })
            }
        };
        match step {
            LayerStep::Layer => match self.shared() {
                Ok(Some(key)) => BidirectionalStep::Met(key, self.depth() as u32),
                Ok(None) => BidirectionalStep::Layer,
                Err(error) => {
                    control.add_note(error.to_string());
                    control.set_disk_full();
                    control.halt().map_or(BidirectionalStep::ExpansionLimit, BidirectionalStep::Halted)
                }
            },
            // The backward side is at its root: had it grown, the sides would have met before.
            LayerStep::Solved(key) => BidirectionalStep::Met(key, self.depth() as u32 + 1),
            LayerStep::Empty => BidirectionalStep::Exhausted,
            LayerStep::CheckpointDue => BidirectionalStep::CheckpointDue,
            LayerStep::ExpansionLimit => BidirectionalStep::ExpansionLimit,
            LayerStep::Halted(halt) => BidirectionalStep::Halted(halt),
        }
    }

    /// A position in the last layers of both sides.
    fn shared(&self) -> Result<Option<K>, DiskError> {
        let (Some(forward), Some(backward)) = (self.forward.layers.last(), self.backward.layers.last()) else {
            return Ok(None);
        };
        if forward.len() <= backward.len() { forward.shared(backward) } else { backward.shared(forward) }
    }
}
