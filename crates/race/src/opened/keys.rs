//! Keys of positions: 64 bits by exclusive or (Zobrist 1970), for searches that prove nothing.

use lurd_base::random::SplitMix64;
use lurd_rules::feature::board::FeatureBoard;

#[derive(Clone, Debug)]
pub(super) struct Keys {
    boxes: Vec<u64>,
    zones: Vec<u64>,
}

impl Keys {
    pub(super) fn new(cells: usize) -> Self {
        let mut random = SplitMix64::new(0x6F70_656E);
        let mut keys = || (0..cells).map(|_| random.next_u64()).collect::<Vec<_>>();
        Self { boxes: keys(), zones: keys() }
    }

    #[inline]
    pub(super) fn of_box(&self, cell: usize) -> u64 {
        self.boxes[cell]
    }

    /// The key of a position from those of its boxes and the lowest cell of the player's zone.
    #[inline]
    pub(super) fn position(&self, boxes: u64, zone: usize) -> u64 {
        FeatureBoard::key(boxes, self.zones[zone])
    }
}
