//! A hasher for keys that are uniformly distributed already.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from 64-bit keys that are used as their own hashes.
pub type ByKey<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// Uses a 64-bit key, such as a Zobrist key, as its own hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
