//! Writes the sixteen colours the way terminals of old understand them.
//!
//! The terminal library asks for them as entries of the table of 256 (`38;5;1`), which a
//! terminal that knows only sixteen need not understand; `31` every one does.

use std::io::{self, Write};

/// Holds back what is drawn until it is complete, and rewrites colours if asked to.
#[derive(Debug)]
pub(crate) struct Output<W> {
    inner: W,
    classic: bool,
    held: Vec<u8>,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(inner: W, classic: bool) -> Self {
        Self { inner, classic, held: Vec::new() }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        let bytes = if self.classic { rewrite(&held) } else { held };
        self.inner.write_all(&bytes)?;
        self.inner.flush()
    }
}

/// Rewrites every sequence that sets colours (`ESC [ ... m`).
fn rewrite(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(start) = rest.windows(2).position(|pair| pair == b"\x1b[") {
        let (before, sequence) = rest.split_at(start + 2);
        out.extend_from_slice(before);
        let end = sequence.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';')).unwrap_or(sequence.len());
        let parameters = std::str::from_utf8(&sequence[..end]).unwrap_or_default();
        if sequence.get(end) == Some(&b'm') {
            out.extend_from_slice(classic(parameters).as_bytes());
        } else {
            out.extend_from_slice(parameters.as_bytes());
        }
        rest = &sequence[end..];
    }
    out.extend_from_slice(rest);
    out
}

/// `38;5;N` and `48;5;N` for N below 16 as one number each; everything else as it is.
fn classic(parameters: &str) -> String {
    let parts: Vec<&str> = parameters.split(';').collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let colour = parts.get(at + 2).and_then(|part| part.parse::<u32>().ok());
        match (parts[at], parts.get(at + 1), colour) {
            (ground @ ("38" | "48"), Some(&"5"), Some(colour @ 0..16)) => {
                let background = if ground == "48" { 10 } else { 0 };
                let code = if colour < 8 { 30 + colour } else { 82 + colour };
                out.push((code + background).to_string());
                at += 3;
            }
            _ => {
                out.push(parts[at].to_owned());
                at += 1;
            }
        }
    }
    out.join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixteen_are_rewritten_and_nothing_else() {
        let text = |bytes: &[u8]| String::from_utf8(rewrite(bytes)).unwrap();
        assert_eq!(text(b"a\x1b[38;5;5mb\x1b[39mc"), "a\x1b[35mb\x1b[39mc");
        assert_eq!(text(b"\x1b[38;5;12;48;5;1m"), "\x1b[94;41m");
        assert_eq!(text(b"\x1b[48;5;9;1m"), "\x1b[101;1m");
        for same in ["\x1b[38;5;244m", "\x1b[38;2;1;2;3m", "\x1b[0m", "\x1b[m", "\x1b[38;5;5H", "\x1b[?25l", "\x1b["] {
            assert_eq!(text(same.as_bytes()), same);
        }
    }

    #[test]
    fn nothing_is_written_before_it_is_complete() {
        let mut sink = Vec::new();
        let mut output = Output::new(&mut sink, true);
        output.write_all(b"\x1b[38;").unwrap();
        output.write_all(b"5;2mx").unwrap();
        output.flush().unwrap();
        assert_eq!(sink, b"\x1b[32mx");
    }
}
