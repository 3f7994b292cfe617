//! From bytes to lines: encodings, line ends, and separators within lines.

use crate::ReadError;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use lurd_level::Place;

/// Replaces NUL and form feed, which separate levels in some old files.
const BREAK: char = '\u{c}';

/// A decoded file: every line ends in `\n`; line numbers are those of the original.
pub(super) struct Text(String);

/// A line, or a part of one between separator characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The place of the first character.
    pub(super) place: Place,
    pub(super) text: &'a str,
}

impl Text {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The lines in order. A separator character yields an empty line between the two parts.
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines { rest: Some(&self.0), place: Place { line: 1, column: 1 }, separator: false }
    }

    /// Converts byte offsets to places, in ascending order.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor { text: &self.0, byte: 0, place: Place { line: 1, column: 1 } }
    }
}

/// See [`Text::lines`].
pub(super) struct Lines<'a> {
    rest: Option<&'a str>,
    place: Place,
    separator: bool,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let place = self.place;
        if std::mem::take(&mut self.separator) {
            return Some(Line { place, text: "" });
        }
        let rest = self.rest?;
        let Some(end) = rest.bytes().position(|b| b == b'\n' || b == BREAK as u8) else {
            self.rest = None;
            return Some(Line { place, text: rest });
        };
        let text = &rest[..end];
        self.rest = Some(&rest[end + 1..]);
        if rest.as_bytes()[end] == b'\n' {
            self.place = Place { line: place.line + 1, column: 1 };
        } else {
            self.place.column += text.chars().count() + 1;
            self.separator = true;
        }
        Some(Line { place, text })
    }
}

/// Converts byte offsets of the decoded text to places. It only moves forward, so that the text is scanned once.
pub(super) struct Cursor<'a> {
    text: &'a str,
    byte: usize,
    place: Place,
}

impl Cursor<'_> {
    /// The place of a byte, or of the last byte requested if that is further on.
    pub(super) fn place(&mut self, byte: usize) -> Place {
        for c in self.text[self.byte..].chars() {
            if self.byte >= byte {
                break;
            }
            self.byte += c.len_utf8();
            if c == '\n' {
                self.place = Place { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        self.place
    }
}

/// Decodes a file by its byte order mark, by its XML declaration, as UTF-8 if it is valid, and otherwise as
/// Windows-1252, a superset of ISO-8859-1.
pub(super) fn decode(bytes: &[u8]) -> Result<Text, ReadError> {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None => match unmarked_utf16(bytes).or_else(|| declared(bytes)) {
            Some(encoding) => encoding,
            None if std::str::from_utf8(bytes).is_ok() => UTF_8,
            None => WINDOWS_1252,
        },
    };
    let wide = encoding == UTF_16LE || encoding == UTF_16BE;
    if !wide && is_binary(bytes) {
        return Err(ReadError::Binary);
    }
    let (decoded, _, _) = encoding.decode(bytes);
    if wide && is_binary(&decoded.as_bytes()[..decoded.len().min(SAMPLE)]) {
        return Err(ReadError::Binary);
    }
    let mut text = String::with_capacity(decoded.len());
    let mut chars = decoded.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                text.push('\n');
            }
            '\0' | '\u{c}' => text.push(BREAK),
            // The end-of-file mark of DOS.
            '\u{1a}' if chars.peek().is_none() => {}
            c => text.push(c),
        }
    }
    Ok(Text(text))
}

const SAMPLE: usize = 8192;

/// Whether the first bytes have more control characters than a text. Some NULs are separators; other control characters
/// are rare in texts.
fn is_binary(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    // The last byte may be the end-of-file mark of DOS.
    let sample = sample.strip_suffix(b"\x1a").unwrap_or(sample);
    let nul = sample.iter().filter(|&&b| b == 0).count();
    let control = sample.iter().filter(|&&b| (b < 32 && !matches!(b, 0 | 9 | 10 | 12 | 13)) || b == 127).count();
    nul * 5 > sample.len() || control * 50 > sample.len()
}

/// UTF-16 without a mark: a text that is mostly ASCII has a NUL in every second byte.
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE) & !1];
    let nuls = |parity: usize| sample.iter().skip(parity).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, pairs) = (nuls(0), nuls(1), sample.len() / 2);
    if pairs < 2 {
        None
    } else if odd * 10 > pairs * 9 && even * 10 < pairs {
        Some(UTF_16LE)
    } else if even * 10 > pairs * 9 && odd * 10 < pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The encoding given by an XML declaration.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declaration = head.trim_start().strip_prefix("<?xml")?.split("?>").next()?;
    let value = declaration.split("encoding").nth(1)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let encoding = Encoding::for_label(value[1..].split(quote).next()?.as_bytes())?;
    // A file in which "<?xml" is found byte by byte is not UTF-16, whatever it declares.
    (encoding != UTF_16LE && encoding != UTF_16BE).then_some(encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<(usize, usize, String)> {
        let text = decode(bytes).unwrap();
        text.lines().map(|line| (line.place.line, line.place.column, line.text.to_owned())).collect()
    }

    #[test]
    fn line_ends_keep_their_numbers() {
        let wanted = vec![(1, 1, "a".to_owned()), (2, 1, String::new()), (3, 1, "b".to_owned())];
        for bytes in [&b"a\n\nb"[..], b"a\r\n\r\nb", b"a\r\rb", b"a\r\n\rb\x1a"] {
            assert_eq!(lines(bytes), wanted, "{bytes:?}");
        }
    }

    #[test]
    fn separators_split_a_line_and_keep_its_number() {
        let wanted = vec![(1, 1, "ab".into()), (1, 4, String::new()), (1, 4, "c".into()), (2, 1, "d".into())];
        assert_eq!(lines(b"ab\x0cc\nd"), wanted);
        assert_eq!(lines(b"ab\0c\nd"), wanted);
    }

    #[test]
    fn encodings_are_recognised() {
        assert_eq!(lines(b"\xef\xbb\xbf#"), vec![(1, 1, "#".to_owned())]);
        assert_eq!(lines(b"\xff\xfe#\0\n\0@\0")[1].2, "@");
        assert_eq!(lines(b"\xfe\xff\0#\0\n\0@")[1].2, "@");
        assert_eq!(lines(b"#\0#\0\n\0@\0")[1].2, "@", "UTF-16 without a mark");
        assert_eq!(lines(b"Garc\xeda")[0].2, "García", "ISO-8859-1");
        assert_eq!(lines("García".as_bytes())[0].2, "García");
        assert_eq!(lines(b"<?xml version='1.0' encoding='ISO-8859-2'?>\xb1")[0].2.chars().last(), Some('ą'));
    }

    #[test]
    fn binary_data_is_rejected() {
        assert!(matches!(decode(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0]), Err(ReadError::Binary)));
        assert!(matches!(decode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Err(ReadError::Binary)));
    }
}
