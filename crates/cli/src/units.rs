//! Amounts as people write them: sizes, seconds and large counts, read and printed.

pub use lurd::contract::{
    bytes as size, printable, read_bytes as parse_size, read_memory as parse_memory, read_seconds as parse_seconds,
    read_threads as parse_threads, read_weight as parse_weight,
};

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
    fn long_texts_are_cut_at_a_character() {
        assert_eq!(shortened("längst", 6), "längst");
        assert_eq!(shortened("längst!", 6), "längs…");
    }

    #[test]
    fn amounts_are_printed_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(123), "123");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(seconds(0.0), "0.000 ms");
        assert_eq!(seconds(0.001_234_5), "1.234 ms");
        assert_eq!(seconds(0.0123), "0.012 s");
        assert_eq!(seconds(12.34), "12.3 s");
        assert_eq!(rate(10, 0.0), 0);
    }
}
