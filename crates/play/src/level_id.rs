//! Names a level by what it is, so that progress survives renamed files and titles.

use lurd::{Board, State};
use std::fmt;

/// A level's fingerprint: region, goals, boxes and player. Walls nobody can touch, titles and
/// the place on the page do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LevelId(u128);

impl LevelId {
    /// The fingerprint of a compiled level.
    pub(crate) fn of(board: &Board) -> Self {
        Self(fnv1a(normal_form(board).as_bytes()))
    }
}

impl fmt::Display for LevelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The playable squares as XSB text, cropped to a ring of wall around them, everything else
/// drawn as wall too. Equal texts are equal levels, the referee can read them (the ring keeps
/// the ends of rows that are floor), and the files on disk rely on it never changing.
pub(crate) fn normal_form(board: &Board) -> String {
    let start = State::start(board);
    let picture = board.picture(&start.boxes, start.player);
    let places: Vec<_> = board.squares().map(|square| board.place(square)).collect();
    let range = |values: &mut dyn Iterator<Item = usize>| {
        values.fold((usize::MAX, 0), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (top, bottom) = range(&mut places.iter().map(|place| place.0));
    let (left, right) = range(&mut places.iter().map(|place| place.1));
    let ring = "#".repeat(right - left + 3) + "\n";
    let mut text = ring.clone();
    for row in top..=bottom {
        text.push('#');
        for column in left..=right {
            let playable = board.square_at(row, column).is_some();
            text.push(if playable { picture.get(row, column).to_xsb() } else { '#' });
        }
        text.push_str("#\n");
    }
    text + &ring
}

/// FNV-1a with 128 bits: short, the same on every machine and in every version. Records carry
/// the text itself too, so a collision would be noticed.
fn fnv1a(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::Map;

    fn id(level: &str) -> LevelId {
        LevelId::of(&Board::new(&Map::from_xsb(level).unwrap()).unwrap())
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn floor_at_the_end_of_a_row_is_kept() {
        let level = "#######\n#     #\n# @$. #\n#     #\n#######\n";
        assert_eq!(normal_form(&Board::new(&Map::from_xsb(level).unwrap()).unwrap()), level);
    }

    #[test]
    fn drawing_does_not_matter() {
        let plain = id("#####\n#@$.#\n#####");
        assert_eq!(plain, id("  #####\n  #@$.#\n  #####"));
        assert_eq!(plain, id("#######\n##@$.##\n#######\n# *   #\n#######"), "a sealed room is decoration");
    }

    #[test]
    fn boxes_goals_player_and_floor_do() {
        let all = [
            id("#####\n#@$.#\n#####"),
            id("######\n#@ $.#\n######"),
            id("######\n# @$.#\n######"),
            id("######\n#@$ .#\n######"),
            id("#####\n#.$@#\n#####"),
        ];
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one), "{i}");
        }
    }
}
