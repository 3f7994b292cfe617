//! Lists of games in a host's buffer: each ended by a zero byte, the list by another one.

/// The games of a buffer, without what a host left behind the list. A buffer that is full holds an unfinished game,
/// which is taken as it is.
pub fn read(buffer: &[u8]) -> Vec<String> {
    buffer
        .split(|&byte| byte == 0)
        .map_while(|game| {
            let letters = game.iter().all(|byte| b"lurdLURD".contains(byte));
            (letters && !game.is_empty()).then(|| String::from_utf8_lossy(game).into_owned())
        })
        .collect()
}

/// Puts text into a buffer with `zeros` zero bytes behind it; false where it does not fit, and then the buffer is
/// as before.
pub fn write(text: &str, buffer: &mut [u8], zeros: usize) -> bool {
    let Some(place) = buffer.get_mut(..text.len() + zeros) else { return false };
    let (letters, end) = place.split_at_mut(text.len());
    letters.copy_from_slice(text.as_bytes());
    end.fill(0);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ends_at_two_zeros() {
        assert_eq!(read(b"rrU\0LLd\0\0rest"), ["rrU", "LLd"]);
        assert_eq!(read(b"rrU\0\0"), ["rrU"]);
        assert!(read(b"\0\0").is_empty() && read(b"").is_empty());
    }

    #[test]
    fn a_host_that_forgets_the_second_zero_does_no_harm() {
        assert_eq!(read(b"rrU\0\xcc\xcc"), ["rrU"]);
        assert_eq!(read(b"rrU"), ["rrU"]);
    }

    #[test]
    fn a_text_fits_with_its_zeros_or_not_at_all() {
        let mut buffer = *b"xxxxx";
        assert!(!write("rrUU", &mut buffer, 2));
        assert_eq!(&buffer, b"xxxxx");
        assert!(write("rrU", &mut buffer, 2));
        assert_eq!(&buffer, b"rrU\0\0");
        assert!(write("rrUU", &mut buffer, 1));
        assert_eq!(&buffer, b"rrUU\0");
    }
}
