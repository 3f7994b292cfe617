//! One limit searched from both ends: pushes from the start, pulls from the solved board.
//!
//! Of a solution within the limit, the position after `t` pushes is in the forward layer `t`, and as it is `s` pushes from
//! the end also in the backward layer `s`. Forwards corrals and gates keep one shortest solution only, but
//! backwards nothing is chosen, so every position of it is met from behind whichever it is. So when layers `t` and `s`
//! have nothing in common there is no solution of `t + s` pushes; layers are added one at a time, and the first
//! position they share lies on a shortest solution. It is the smaller end that grows: mostly both stay small where one
//! alone would have to pass the wide middle.
//!
//! Which end grows depends on the sizes of the layers alone, so the same work is done whoever does it again.

use crate::control::{Control, Halt};
use crate::digest::Digest;
use crate::disk::Fault;
use crate::expand::Expander;
use crate::key::Key;
use crate::proof::{LayerSearch, LayerStep, Means};
use crate::scene::Scene;
use lurd_rules::dense::board::Side;

/// How a stretch of work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress<K> {
    /// One layer more is complete.
    Layer,
    /// The ends share a position, on a solution of so many pushes.
    Met(K, u32),
    /// Every way within the limit was searched.
    Exhausted,
    /// An end ran empty, and the limit cut nothing off it: there is no solution.
    Unsolvable,
    /// So many positions as were allowed have been expanded.
    Capped,
    /// A limit or somebody ended it.
    Halted(Halt),
}

/// The layers of one limit from both ends.
pub(crate) struct TwoSided<K> {
    pub(crate) forward: LayerSearch<K>,
    /// Where only the forward side is searched it stays with its first layer.
    pub(crate) backward: LayerSearch<K>,
}

/// How large the layer after these will be if it grows as the last one did: an end that is about to run empty should
/// not wait for one that is small and grows fast.
fn ahead(layers: &[Digest]) -> u128 {
    let size = |back: usize| layers.len().checked_sub(back).map_or(1, |place| u128::from(layers[place].positions));
    size(1) * size(1) / size(2).max(1)
}

impl<K: Key> TwoSided<K> {
    /// A search that has not begun.
    pub(crate) fn new<const L: usize, const G: usize>(
        scene: &Scene<K, L, G>,
        limit: u32,
        root: u32,
        control: &Control<'_>,
    ) -> Self {
        Self {
            forward: LayerSearch::new(scene, Side::Forward, limit, root, control),
            backward: LayerSearch::new(scene, Side::Backward, limit, scene.backward_root(), control),
        }
    }

    pub(crate) fn limit(&self) -> u32 {
        self.forward.limit
    }

    /// The stack of a side.
    pub(crate) fn side(&self, side: Side) -> &LayerSearch<K> {
        match side {
            Side::Forward => &self.forward,
            Side::Backward => &self.backward,
        }
    }

    /// Pushes made from the start and from the end together.
    pub(crate) fn depth(&self) -> usize {
        self.forward.depth() + self.backward.depth()
    }

    /// No solution has so few pushes. All solutions have lengths of the limit's parity.
    pub(crate) fn exhausted(&self) -> u32 {
        let depth = self.depth() as u32;
        if depth >= self.limit() || self.is_empty() { self.limit() } else { depth - (depth + self.limit()) % 2 }
    }

    /// Whether an end ran empty.
    fn is_empty(&self) -> bool {
        self.forward.is_empty() || self.backward.is_empty()
    }

    /// Positions in all complete layers.
    pub(crate) fn positions(&self) -> u64 {
        let of = |search: &LayerSearch<K>| search.digests.iter().map(|digest| digest.positions).sum::<u64>();
        of(&self.forward) + of(&self.backward)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.forward.bytes() + self.backward.bytes()
    }

    /// Bytes of the smaller of the last layers, which is expanded next.
    pub(crate) fn last_bytes(&self) -> usize {
        let bytes = |search: &LayerSearch<K>| search.layers.last().map_or(0, |layer| layer.len() * size_of::<K>());
        bytes(&self.forward).min(bytes(&self.backward))
    }

    /// Gives back what is held.
    pub(crate) fn release(self, control: &Control<'_>) {
        self.forward.release(control);
        self.backward.release(control);
    }

    /// The end that grows next.
    pub(crate) fn next_side(&self, two_sided: bool) -> Side {
        if two_sided && ahead(&self.backward.digests) < ahead(&self.forward.digests) {
            Side::Backward
        } else {
            Side::Forward
        }
    }

    /// Makes the next layer of one end. `others` are the expanders of the backward side.
    pub(crate) fn advance<const L: usize, const G: usize>(
        &mut self,
        means: &mut Means<'_, '_, K, L, G>,
        others: &mut [Expander<L, G>],
    ) -> Progress<K> {
        if self.is_empty() {
            let cut = |search: &LayerSearch<K>| !search.is_empty() || search.beyond;
            return if cut(&self.forward) && cut(&self.backward) { Progress::Exhausted } else { Progress::Unsolvable };
        }
        if self.depth() as u32 >= self.limit() {
            return Progress::Exhausted;
        }
        let side = self.next_side(means.scene.options.two_sided);
        let (search, other) = match side {
            Side::Forward => (&mut self.forward, &mut self.backward),
            Side::Backward => (&mut self.backward, &mut self.forward),
        };
        // What the other end keeps for the way back is worth less than the work at hand.
        let likely = 3 * search.layers.last().map_or(0, |layer| layer.len() * size_of::<K>());
        if !means.control.fits(likely) {
            other.make_room(likely, means);
        }
        let step = match side {
            Side::Forward => search.advance(means),
            Side::Backward => search.advance(&mut Means { expanders: others, tick: &mut *means.tick, ..*means }),
        };
        match step {
            LayerStep::Layer => match self.shared() {
                Ok(Some(key)) => Progress::Met(key, self.depth() as u32),
                Ok(None) => Progress::Layer,
                Err(fault) => {
                    means.control.tell(fault.sentence);
                    means.control.disk_full();
                    means.control.halt().map_or(Progress::Capped, Progress::Halted)
                }
            },
            // One push after the last layer; the other end has not moved.
            LayerStep::Solved(key) => Progress::Met(key, self.depth() as u32 + 1),
            LayerStep::Empty => Progress::Exhausted,
            LayerStep::Capped => Progress::Capped,
            LayerStep::Halted(halt) => Progress::Halted(halt),
        }
    }

    /// A position that is in the last layers of both ends.
    fn shared(&self) -> Result<Option<K>, Fault> {
        let (Some(forward), Some(backward)) = (self.forward.layers.last(), self.backward.layers.last()) else {
            return Ok(None);
        };
        if forward.len() <= backward.len() { forward.shared(backward) } else { backward.shared(forward) }
    }
}
