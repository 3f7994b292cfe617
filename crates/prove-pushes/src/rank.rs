//! Exact keys: the number of a box set among all sets of as many live squares, times the player's zone.
//!
//! Different positions have different keys and a key is all that is stored: nothing is ever called known
//! because of a hash. The live squares are cut into chunks of sixteen, each a half word of the set. Sets are
//! ordered by how many boxes stand in the first chunk, then by which of the half words with so many
//! ones it is, then by what follows; so a key is a sum with one product for each chunk, and is taken apart
//! again chunk by chunk.

use crate::key::Key;
use lurd_rules::dense::board::{DenseBoard, NONE};
use lurd_rules::dense::set::Set;
use lurd_rules::groups::subsets::binomials;
use std::sync::OnceLock;

const CHUNK: usize = 16;

#[derive(Clone, Debug)]
struct Chunk<K> {
    /// Sets that have fewer ones in this chunk, by `boxes from here on * (CHUNK + 2) + ones`.
    before: Vec<K>,
    /// Sets of so many boxes in the chunks that follow.
    after: Vec<K>,
}

/// The half words by how many ones they have.
#[derive(Debug)]
struct Halves {
    /// The place of each half word among those with as many ones.
    place: Vec<u16>,
    /// The half words sorted by ones, and where each number of ones begins.
    words: Vec<u16>,
    first: [u32; CHUNK + 2],
}

/// The same for all levels, so made once.
fn halves() -> &'static Halves {
    static HALVES: OnceLock<Halves> = OnceLock::new();
    HALVES.get_or_init(|| {
        let mut words: Vec<u16> = (0..=u16::MAX).collect();
        words.sort_by_key(|&word| (word.count_ones(), word));
        let mut first = [0u32; CHUNK + 2];
        words.iter().for_each(|word| first[word.count_ones() as usize + 1] += 1);
        for ones in 0..=CHUNK {
            first[ones + 1] += first[ones];
        }
        let mut place = vec![0; words.len()];
        for (number, &word) in words.iter().enumerate() {
            place[usize::from(word)] = (number as u32 - first[word.count_ones() as usize]) as u16;
        }
        Halves { place, words, first }
    })
}

/// The code of a level's positions.
#[derive(Clone, Debug)]
pub(crate) struct Rank<K> {
    boxes: usize,
    chunks: Vec<Chunk<K>>,
    halves: &'static Halves,
    /// Names of zones, one for each cell of the floor, and back.
    name: Vec<u16>,
    cell: Vec<u16>,
    zones: K,
}

impl<K: Key> Rank<K> {
    /// The code for a level; `None` if keys of this width are too narrow.
    pub(crate) fn new(dense: &DenseBoard) -> Option<Self> {
        let (live, boxes) = (dense.live_count(), dense.boxes());
        let sets = binomials(boxes, live.max(CHUNK));
        let cells: Vec<u16> = dense.floor_cells().map(|cell| cell as u16).collect();
        let mut name = vec![NONE; dense.cell_words() * 64];
        cells.iter().enumerate().for_each(|(number, &cell)| name[usize::from(cell)] = number as u16);
        K::try_from(sets[boxes][live].checked_mul(cells.len() as u128)?).ok()?;

        let mut chunks = Vec::new();
        let mut start = 0;
        while start < live {
            let size = CHUNK.min(live - start);
            let rest = live - start - size;
            let mut before = vec![K::default(); (boxes + 1) * (CHUNK + 2)];
            for left in 0..=boxes {
                let mut sum = 0u128;
                for ones in 0..=CHUNK {
                    if ones <= size && ones <= left {
                        // What does not fit is never asked for: no set has so many boxes from here on.
                        sum = sum.saturating_add(sets[ones][size].saturating_mul(sets[left - ones][rest]));
                    }
                    before[left * (CHUNK + 2) + ones + 1] = K::try_from(sum).unwrap_or_default();
                }
            }
            let after = (0..=boxes).map(|count| K::try_from(sets[count][rest]).unwrap_or_default()).collect();
            chunks.push(Chunk { before, after });
            start += size;
        }

        let zones = K::from(cells.len() as u16);
        Some(Self { boxes, chunks, halves: halves(), name, cell: cells, zones })
    }

    /// The key of a position: its boxes and the lowest cell of the player's zone.
    #[inline]
    pub(crate) fn key<const L: usize>(&self, boxes: Set<L>, zone: usize) -> K {
        let mut left = self.boxes;
        let mut sum = K::default();
        for (number, chunk) in self.chunks.iter().enumerate() {
            let word = (boxes.0[number / 4] >> (16 * (number % 4))) as u16;
            let ones = word.count_ones() as usize;
            let place = K::from(self.halves.place[usize::from(word)]);
            sum = sum + chunk.before[left * (CHUNK + 2) + ones] + place * chunk.after[left - ones];
            left -= ones;
        }
        sum * self.zones + K::from(self.name[zone])
    }

    #[inline]
    pub(crate) fn position<const L: usize>(&self, key: K) -> (Set<L>, usize) {
        let (mut rest, zone) = key.split(self.zones);
        let mut left = self.boxes;
        let mut boxes = Set::EMPTY;
        for (number, chunk) in self.chunks.iter().enumerate() {
            if left == 0 {
                break;
            }
            let before = &chunk.before[left * (CHUNK + 2)..][..CHUNK + 2];
            let mut ones = 0;
            while ones < left && ones < CHUNK && before[ones + 1] <= rest {
                ones += 1;
            }
            let (place, below) = (rest - before[ones]).split(chunk.after[left - ones]);
            let word = self.halves.words[self.halves.first[ones] as usize + place.index()];
            boxes.0[number / 4] |= u64::from(word) << (16 * (number % 4));
            rest = below;
            left -= ones;
        }
        (boxes, self.cell[zone.index()].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd_base::Budget;
    use lurd_base::random::SplitMix64;
    use lurd_level::Map;
    use lurd_rules::Board;
    use lurd_rules::groups::subsets::{Ranks, Subsets};

    fn board(text: &str) -> DenseBoard {
        let board = Board::new(&Map::from_xsb(text).unwrap()).unwrap();
        DenseBoard::new(&board, &Budget::unlimited()).unwrap().unwrap()
    }

    /// An open room with this many boxes and goals in its middle rows.
    fn room(width: usize, boxes: usize) -> DenseBoard {
        let line = |what: char| format!("# {}{} #\n", what.to_string().repeat(boxes), " ".repeat(width - boxes));
        let (wall, empty) = ("#".repeat(width + 4) + "\n", line(' '));
        let player = empty.replacen("# ", "#@", 1);
        board(&[&wall, &player, &line('$'), &empty, &line('.'), &empty, &wall].map(String::as_str).concat())
    }

    fn all_sets_have_numbers_of_their_own<K: Key>(dense: &DenseBoard) {
        let rank = Rank::<K>::new(dense).unwrap();
        let (live, boxes) = (dense.live_count(), dense.boxes());
        let zone = dense.start_player();
        let mut numbers = Vec::new();
        for squares in Subsets::new(boxes, live) {
            let set: Set<2> = squares[..boxes].iter().map(|&square| square.into()).collect();
            let key = rank.key(set, zone);
            assert_eq!(rank.position::<2>(key), (set, zone));
            numbers.push(key.split(rank.zones).0.index());
        }
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..Ranks::new(live).count(boxes)), "no number twice and none left out");
    }

    #[test]
    fn keys_number_all_sets_without_gaps() {
        for (width, boxes) in [(3, 2), (3, 3), (5, 2)] {
            all_sets_have_numbers_of_their_own::<u64>(&room(width, boxes));
            all_sets_have_numbers_of_their_own::<u128>(&room(width, boxes));
        }
    }

    #[test]
    fn keys_come_apart_again_on_large_boards() {
        let mut dice = SplitMix64::new(5);
        for (width, boxes) in [(16, 9), (30, 30)] {
            let dense = room(width, boxes);
            let narrow = Rank::<u64>::new(&dense);
            let rank = Rank::<u128>::new(&dense).unwrap();
            assert_eq!(narrow.is_some(), boxes < 30);
            let cells: Vec<usize> = dense.floor_cells().collect();
            for _ in 0..20_000 {
                let mut set = Set::<4>::EMPTY;
                while set.iter().count() < boxes {
                    set.insert(dice.below(dense.live_count()));
                }
                let zone = cells[dice.below(cells.len())];
                let key = rank.key(set, zone);
                assert_eq!(rank.position::<4>(key), (set, zone));
                if let Some(narrow) = &narrow {
                    assert_eq!(u128::from(narrow.key(set, zone)), key);
                    assert_eq!(narrow.position::<4>(key as u64), (set, zone));
                }
            }
        }
    }
}
