//! What a set of keys is known by: how many they are, and two sums of them that no order changes.
//!
//! Threads hand in parts of a layer as they come, so neither the exclusive or nor the sum may depend on the order. Keys
//! that lie near each other differ in few bits, so they are scrambled first.

use crate::key::Key;

/// Count and checksums of a set of keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest {
    pub(crate) positions: u64,
    pub(crate) xor: u64,
    pub(crate) sum: u64,
}

impl Digest {
    /// The digest of keys none of which comes twice.
    pub(crate) fn of<K: Key>(keys: &[K]) -> Self {
        let mut digest = Self { positions: keys.len() as u64, ..Self::default() };
        for key in keys {
            let wide = key.wide();
            // The upper half of a narrow key is nothing, and so is what it comes to.
            let scrambled = scramble(wide as u64) ^ scramble((wide >> 64) as u64).rotate_left(32);
            digest.xor ^= scrambled;
            digest.sum = digest.sum.wrapping_add(scrambled);
        }
        digest
    }

    /// Two sets that have nothing in common, taken together.
    pub(crate) fn join(&mut self, other: &Self) {
        self.positions += other.positions;
        self.xor ^= other.xor;
        self.sum = self.sum.wrapping_add(other.sum);
    }
}

/// A number for a key that looks drawn by lot.
pub(crate) fn lot<K: Key>(key: K, seed: u64) -> u64 {
    let wide = key.wide();
    scramble(scramble(wide as u64 ^ scramble(seed)) ^ (wide >> 64) as u64)
}

/// Spreads every bit over the word, and no two words to the same.
fn scramble(mut word: u64) -> u64 {
    word = (word ^ (word >> 31)).wrapping_mul(0x9E6C_63D0_876A_3F6B);
    word = (word ^ (word >> 29)).wrapping_mul(0xD1B5_4A32_D192_ED03);
    word ^ (word >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_order_nor_cuts_change_a_digest_and_every_key_does() {
        let keys: Vec<u64> = (0..1000).map(|number| number * 7 + 3).collect();
        let whole = Digest::of(&keys);
        let mut parts = Digest::default();
        for part in keys.rchunks(33) {
            parts.join(&Digest::of(part));
        }
        assert_eq!(whole, parts);
        assert_eq!(whole, Digest::of(&keys.iter().map(|&key| u128::from(key)).collect::<Vec<_>>()));
        for place in 0..keys.len() {
            let mut other = keys.clone();
            other[place] += 1;
            let other = Digest::of(&other);
            assert!(other.xor != whole.xor && other.sum != whole.sum);
        }
        assert_ne!(Digest::of(&[1u128 << 64]).xor, Digest::of(&[1u128]).xor);
    }
}
