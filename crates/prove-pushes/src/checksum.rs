//! A checksum of bytes, to detect damage. It is no protection against forgery: a claim in a file is believed only after
//! its work has been repeated.

pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = 0x6C75_7264_2070_726Fu64 ^ bytes.len() as u64;
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        sum = step(sum, u64::from_le_bytes(word.try_into().expect("eight bytes")));
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    step(step(sum, u64::from_le_bytes(last)), 0)
}

fn step(sum: u64, word: u64) -> u64 {
    let mixed = (sum ^ word).wrapping_mul(0x9E6C_63D0_876A_3F6B);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn every_bit_and_the_length_count() {
        for length in [0, 1, 7, 8, 9, 100] {
            let bytes = vec![0u8; length];
            let whole = checksum(&bytes);
            assert_ne!(whole, checksum(&vec![0u8; length + 1]));
            for bit in 0..8 * length {
                let mut other = bytes.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(whole, checksum(&other), "bit {bit} of {length} bytes");
            }
        }
    }
}
