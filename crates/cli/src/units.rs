//! Amounts as people write them: sizes, seconds and large counts, read and printed.

use lurd::Config;
use std::num::{NonZeroUsize, ParseIntError};
use std::time::Duration;

/// Reads a size such as `4GiB`, `512MB`, `1.5g` or `1048576`.
///
/// # Errors
/// A sentence that names the accepted forms.
pub fn parse_size(text: &str) -> Result<usize, String> {
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

/// The least memory limit: below it not even the tables of a small board fit.
const LEAST_MEMORY: usize = 64 << 10;

/// Reads a limit on memory.
///
/// # Errors
/// A sentence that names the accepted forms, or the least limit.
pub fn parse_memory(text: &str) -> Result<usize, String> {
    let bytes = parse_size(text)?;
    if bytes < LEAST_MEMORY {
        return Err(format!(
            "no search fits into {}; give {} or more, such as 64MiB or 4GiB",
            plural(bytes, "byte", "bytes"),
            size(LEAST_MEMORY)
        ));
    }
    Ok(bytes)
}

/// Reads a number of threads.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let wrong = |_: ParseIntError| format!("`{text}` is no number of threads; write for instance 2");
    match NonZeroUsize::new(text.trim().parse().map_err(wrong)?) {
        None => Err("without a thread nothing runs; give 1 or more, or leave it out for all processors".into()),
        Some(threads) if threads.get() > Config::MOST_THREADS => {
            Err(format!("{threads} threads are more than are started; give {} or fewer", Config::MOST_THREADS))
        }
        Some(threads) => Ok(threads),
    }
}

/// Reads a number of seconds, decimals allowed.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write seconds, such as 10 or 0.5");
    let seconds: f64 = text.trim().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// A size for people: `120 B`, `1.5 MiB`.
pub fn size(bytes: usize) -> String {
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

/// A time for people: `1.234 ms`, `0.012 s`, `3.4 s`, `125 s`.
pub fn seconds(seconds: f64) -> String {
    if seconds < 0.01 {
        format!("{:.3} ms", seconds * 1e3)
    } else if seconds < 1.0 {
        format!("{seconds:.3} s")
    } else if seconds < 100.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{seconds:.0} s")
    }
}

/// A count with its thousands apart: `1,234,567`.
pub fn count(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", count(number / 1000), number % 1000) }
}

/// A figure, or nothing where there is none.
pub fn optional(figure: Option<impl ToString>) -> String {
    figure.map_or_else(String::new, |figure| figure.to_string())
}

/// A noun with its number: `1 push`, `2 pushes`.
pub fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The lengths of a solution: `1 push, 3 moves`.
pub fn lengths(pushes: usize, moves: usize) -> String {
    format!("{}, {}", plural(pushes, "push", "pushes"), plural(moves, "move", "moves"))
}

/// How many a second; 0 where no time was measured.
pub fn rate(number: u64, seconds: f64) -> u64 {
    if seconds > 0.0 { (number as f64 / seconds) as u64 } else { 0 }
}

/// Text from a file made safe for a terminal: control characters become `?`.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The first `most` characters of a text; one that is cut ends in `…`.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_both_kinds_of_thousands() {
        assert_eq!(parse_size("4GiB"), Ok(4 << 30));
        assert_eq!(parse_size("512MB"), Ok(512_000_000));
        assert_eq!(parse_size("1.5 k"), Ok(1536));
        assert_eq!(parse_size("77"), Ok(77));
        for wrong in ["", "GiB", "4 GiBs", "-1", "1e9", "0", "4..4"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn limits_that_leave_no_room_get_a_sentence() {
        assert_eq!(parse_memory("64KiB"), Ok(64 << 10));
        assert!(parse_memory("1").unwrap_err().contains("64.0 KiB or more"));
        assert_eq!(parse_threads("3").map(NonZeroUsize::get), Ok(3));
        assert!(parse_threads("0").unwrap_err().contains("1 or more"));
        assert!(parse_threads("-1").is_err() && parse_threads("two").is_err());
    }

    #[test]
    fn long_texts_are_cut_at_a_character() {
        assert_eq!(shortened("längst", 6), "längst");
        assert_eq!(shortened("längst!", 6), "längs…");
    }

    #[test]
    fn seconds_take_decimals_and_refuse_nonsense() {
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        for wrong in ["", "-1", "NaN", "inf", "ten", "1e300"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn amounts_are_printed_for_people() {
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(3 << 30), "3.0 GiB");
        assert_eq!(count(0), "0");
        assert_eq!(count(123), "123");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(seconds(0.0), "0.000 ms");
        assert_eq!(seconds(0.001_234_5), "1.234 ms");
        assert_eq!(seconds(0.0123), "0.012 s");
        assert_eq!(seconds(12.34), "12.3 s");
        assert_eq!(rate(10, 0.0), 0);
        assert_eq!(printable("a\x1b[31mb"), "a?[31mb");
    }
}
