//! The digest of a layer: the number of its keys and two checksums that do not depend on their order.
//!
//! Threads deliver parts of a layer in any order, so the checksums are an exclusive or and a sum. Neighbouring keys differ
//! in few bits, so each key is hashed first.

use crate::key::Key;
use crate::record::hexadecimal;
use serde::{Deserialize, Serialize};

/// One layer: count and checksums of its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerRecord {
    pub positions: u64,
    /// The exclusive or of their hashed keys.
    #[serde(with = "hexadecimal")]
    pub xor: u64,
    /// The sum of their hashed keys.
    #[serde(with = "hexadecimal")]
    pub sum: u64,
}

impl LayerRecord {
    /// The digest of distinct keys.
    pub(crate) fn of<K: Key>(keys: &[K]) -> Self {
        let mut digest = Self { positions: keys.len() as u64, ..Self::default() };
        for key in keys {
            let wide = key.wide();
            // The upper half of a narrow key is zero, and so is its hash.
            let hash = mix(wide as u64) ^ mix((wide >> 64) as u64).rotate_left(32);
            digest.xor ^= hash;
            digest.sum = digest.sum.wrapping_add(hash);
        }
        digest
    }

    /// Adds the digest of a disjoint set.
    pub(crate) fn join(&mut self, other: &Self) {
        self.positions += other.positions;
        self.xor ^= other.xor;
        self.sum = self.sum.wrapping_add(other.sum);
    }
}

/// A pseudorandom number for a key: the positions with the lowest ones are a random sample.
pub(crate) fn random_rank<K: Key>(key: K, seed: u64) -> u64 {
    let wide = key.wide();
    mix(mix(wide as u64 ^ mix(seed)) ^ (wide >> 64) as u64)
}

/// A bijection that spreads every bit over the word.
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 31)).wrapping_mul(0x9E6C_63D0_876A_3F6B);
    word = (word ^ (word >> 29)).wrapping_mul(0xD1B5_4A32_D192_ED03);
    word ^ (word >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_depend_on_every_key_and_on_no_order() {
        let keys: Vec<u64> = (0..1000).map(|number| number * 7 + 3).collect();
        let whole = LayerRecord::of(&keys);
        let mut parts = LayerRecord::default();
        for part in keys.rchunks(33) {
            parts.join(&LayerRecord::of(part));
        }
        assert_eq!(whole, parts);
        assert_eq!(whole, LayerRecord::of(&keys.iter().map(|&key| u128::from(key)).collect::<Vec<_>>()));
        for place in 0..keys.len() {
            let mut other = keys.clone();
            other[place] += 1;
            let other = LayerRecord::of(&other);
            assert!(other.xor != whole.xor && other.sum != whole.sum);
        }
        assert_ne!(LayerRecord::of(&[1u128 << 64]).xor, LayerRecord::of(&[1u128]).xor);
    }
}
