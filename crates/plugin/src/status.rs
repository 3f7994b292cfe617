//! The record through which a host watches a call.

use std::time::Duration;

/// Bytes of the status text, its zero byte included.
pub const TEXT: usize = 256;

/// The record of the interface, byte by byte.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct PluginStatus {
    /// Bytes of the record, filled in by the host.
    pub size: u32,
    /// What the host asks for; at the end, what the game is.
    pub flags: u32,
    /// Moves generated; not counted here.
    pub moves: i64,
    /// Pushes generated; not counted here.
    pub pushes: i64,
    /// Positions generated.
    pub states: i64,
    /// For people, ended by a zero byte.
    pub text: [u8; TEXT],
    /// Time of the call so far.
    pub milliseconds: u32,
}

/// What there is to tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Positions generated.
    pub states: u64,
    /// A sentence.
    pub text: String,
    /// Since the call began.
    pub elapsed: Duration,
}

impl Status {
    /// Puts it into the record.
    pub fn write(&self, record: &mut PluginStatus) {
        record.states = i64::try_from(self.states).unwrap_or(i64::MAX);
        record.text = text(&self.text);
        record.milliseconds = u32::try_from(self.elapsed.as_millis()).unwrap_or(u32::MAX);
    }
}

/// A sentence in the place the record has for it. A host shows bytes in a code page of its own: only ASCII is the same in all.
fn text(sentence: &str) -> [u8; TEXT] {
    let mut bytes = [0; TEXT];
    let printable = sentence
        .chars()
        .map(|letter| if letter.is_ascii() && !letter.is_ascii_control() { letter as u8 } else { b'?' });
    bytes[..TEXT - 1].iter_mut().zip(printable).for_each(|(place, byte)| *place = byte);
    bytes
}

/// A count with commas between the thousands.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    #[test]
    fn the_record_has_the_layout_of_the_interface() {
        assert_eq!(size_of::<PluginStatus>(), 292);
        assert_eq!(offset_of!(PluginStatus, states), 24);
        assert_eq!(offset_of!(PluginStatus, text), 32);
        assert_eq!(offset_of!(PluginStatus, milliseconds), 288);
    }

    #[test]
    fn a_long_text_ends_with_a_zero() {
        let long = text(&"x".repeat(1000));
        assert_eq!((long[254], long[255]), (b'x', 0));
        assert_eq!(&text("a\u{e9}\nb")[..5], b"a??b\0");
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }
}
