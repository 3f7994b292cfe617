//! Amounts as people and programs write them: seconds, bytes, threads, weights.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The most threads that it is sensible to ask for: each takes a stack of its own.
pub const MOST_THREADS: usize = 1024;

/// The least memory limit: below it not even the tables of a small board fit.
const LEAST_MEMORY: usize = 64 << 10;

/// Reads a size such as `4GiB`, `512MB`, `1.5g` or `1048576`.
///
/// # Errors
/// A sentence that names the accepted forms.
///
/// ```
/// assert_eq!(lurd_contract::read_bytes("1.5 k"), Ok(1536));
/// ```
pub fn read_bytes(text: &str) -> Result<usize, String> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let wrong = || format!("`{text}` is no size; write for instance 4GiB, 512MB or 1048576 (bytes)");
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let factor: f64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return Err(wrong()),
    };
    let bytes = number * factor;
    if bytes < 1.0 {
        return Err(format!("`{text}` is less than a byte; no search fits in that"));
    }
    // Beyond what an address can name there is no limit to speak of; `as` stops at the largest.
    Ok(bytes as usize)
}

/// Reads a limit on memory.
///
/// # Errors
/// A sentence that names the accepted forms, or the least limit.
///
/// ```
/// assert!(lurd_contract::read_memory("1").unwrap_err().contains("64.0 KiB or more"));
/// ```
pub fn read_memory(text: &str) -> Result<usize, String> {
    let limit = read_bytes(text)?;
    if limit < LEAST_MEMORY {
        return Err(format!(
            "no search fits into {}; give {} or more, such as 64MiB or 4GiB",
            bytes(limit),
            bytes(LEAST_MEMORY)
        ));
    }
    Ok(limit)
}

/// Reads a number of threads.
///
/// # Errors
/// A sentence that says what is wrong with it.
///
/// ```
/// assert!(lurd_contract::read_threads("0").unwrap_err().contains("1 or more"));
/// ```
pub fn read_threads(text: &str) -> Result<NonZeroUsize, String> {
    let wrong = |_| format!("`{text}` is no number of threads; write for instance 2");
    match NonZeroUsize::new(text.trim().parse().map_err(wrong)?) {
        None => Err("without a thread nothing runs; give 1 or more".into()),
        Some(threads) if threads.get() > MOST_THREADS => {
            Err(format!("{threads} threads are more than are started; give {MOST_THREADS} or fewer"))
        }
        Some(threads) => Ok(threads),
    }
}

/// Reads a number of seconds, decimals allowed.
///
/// # Errors
/// A sentence that says what is wrong with it.
///
/// ```
/// assert!(lurd_contract::read_seconds("-1").unwrap_err().contains("such as 10 or 0.5"));
/// ```
pub fn read_seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write seconds, such as 10 or 0.5");
    let seconds: f64 = text.trim().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Reads the weight of weighted A*.
///
/// # Errors
/// A sentence that says what is wrong with it.
///
/// ```
/// assert!(lurd_contract::read_weight("0.5").unwrap_err().contains("between 1 and 1000"));
/// ```
pub fn read_weight(text: &str) -> Result<f64, String> {
    let weight: f64 = text.trim().parse().map_err(|_| format!("`{text}` is no number; write for instance 1.5"))?;
    if !(1.0..=1000.0).contains(&weight) {
        return Err(format!("a weight must lie between 1 and 1000, and {text} does not"));
    }
    Ok(weight)
}

/// A size for people: `120 B`, `1.5 MiB`.
///
/// ```
/// assert_eq!(lurd_contract::bytes(1536), "1.5 KiB");
/// ```
pub fn bytes(bytes: usize) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    format!("{amount:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_both_kinds_of_thousands() {
        assert_eq!(read_bytes("4GiB"), Ok(4 << 30));
        assert_eq!(read_bytes("512MB"), Ok(512_000_000));
        assert_eq!(read_bytes("77"), Ok(77));
        for wrong in ["", "GiB", "4 GiBs", "-1", "1e9", "0", "4..4"] {
            assert!(read_bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!((bytes(1023).as_str(), bytes(3 << 30).as_str()), ("1023 B", "3.0 GiB"));
    }

    #[test]
    fn limits_that_leave_no_room_get_a_sentence() {
        assert_eq!(read_memory("64KiB"), Ok(64 << 10));
        assert_eq!(read_threads("3").map(NonZeroUsize::get), Ok(3));
        assert!(read_threads("-1").is_err() && read_threads("two").is_err());
        assert_eq!(read_seconds("0.25"), Ok(Duration::from_millis(250)));
        for wrong in ["", "-1", "NaN", "inf", "ten", "1e300"] {
            assert!(read_seconds(wrong).is_err(), "{wrong}");
        }
        assert!(read_weight("NaN").is_err() && read_weight("2") == Ok(2.0));
    }
}
