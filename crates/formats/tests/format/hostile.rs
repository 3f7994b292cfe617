//! Hostile files. Each yields levels or an error message; `hostile.expected` holds all results and is rewritten with
//! `LURD_UPDATE=1`.

use lurd_formats::{Format, ReadError, read};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

fn outcome(bytes: &[u8]) -> String {
    match read(bytes, None) {
        Err(error) => format!("error: {error}"),
        Ok(collection) => {
            let mut text = format!(
                "{} of {} levels, {}",
                collection.levels.len(),
                collection.levels.len() + collection.defects.len(),
                collection.format
            );
            for defect in &collection.defects {
                let _ = write!(text, "\n  defect: {defect}");
            }
            for warning in &collection.warnings {
                let _ = write!(text, "\n  warning: {warning}");
            }
            text
        }
    }
}

#[test]
fn every_hostile_file_has_its_expected_result() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<_> =
        std::fs::read_dir(data.join("hostile")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 60, "only {} files", files.len());
    let mut text = String::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let _ = writeln!(text, "{name}\n  {}\n", outcome(&std::fs::read(&file).unwrap()));
    }
    let expected = data.join("hostile.expected");
    if std::env::var_os("LURD_UPDATE").is_some() {
        std::fs::write(&expected, &text).unwrap();
    }
    let wanted = std::fs::read_to_string(&expected).unwrap();
    for (is, should) in text.split("\n\n").zip(wanted.split("\n\n")) {
        assert_eq!(is, should);
    }
    assert_eq!(text, wanted);
}

/// Processor time of this thread, where the system tells it; else the time that has passed. Other processes do not count.
fn processor_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Reads a text of one size and of eight times the size. Eight times the text may take thirty times as long, and some ticks
/// of the system's clock more: a quadratic step in the reader takes sixty-four times as long, and seconds at this size.
fn grows_linearly(name: &str, format: Option<Format>, text: impl Fn(usize) -> String) {
    let time = |size: usize| {
        let text = text(size);
        let start = processor_time();
        let _ = read(text.as_bytes(), format);
        processor_time() - start
    };
    let (small, large) = (time(SIZE), time(8 * SIZE));
    assert!(large < small * 30 + Duration::from_millis(200), "{name}: {small:?}, then {large:?}");
}

/// Bytes of a small text.
const SIZE: usize = 128 << 10;

#[test]
fn long_lines_of_anything_end_soon() {
    for piece in [
        "#", " ", "-", "|", "(", ")", "9", "9(", "#|", "5#|", "$", "r", "R", ";", "\0", "\u{c}", "\t", "a", "é",
        "[soko=", "1", "0#", "::", "'",
    ] {
        grows_linearly(piece, None, |size| piece.repeat(size / piece.len()));
    }
}

#[test]
fn many_lines_of_anything_end_soon() {
    for piece in [
        "#\n",
        "##\n#\n\n",
        "\n",
        "-\n",
        "Comment:\n",
        "Comment-End:\n",
        "Title: a\n",
        "; a\n",
        "#@$.#\n",
        "a\n\n",
        "#|@\n",
        "[soko=1,1]\n",
        "[soko=1,1]H\n[/soko]\n",
        "1 0 $#\n",
        "1\n",
    ] {
        grows_linearly(piece, None, |size| piece.repeat(size / piece.len()));
    }
}

#[test]
fn many_lines_under_a_hint_end_soon() {
    for format in [Format::Digits, Format::Mf8] {
        for piece in ["#\n", "\n", "10$#\n\n", "1\n"] {
            grows_linearly(piece, Some(format), |size| piece.repeat(size / piece.len()));
        }
    }
}

#[test]
fn many_bombs_share_one_budget() {
    let board = "5#|#@$.#|5#\n";
    let room = format!("{}\n{}", "#".repeat(1000), "#\n".repeat(998));
    let large = "1000#|998(#998-#|)#@$.995-#\n1000#\n";
    grow_linearly([
        ("", "999(1000#|)999#\n\n", ""),
        ("", "999999999#\n\n", ""),
        (large, "Solution\nRRRRRRRR\n\n", ""),
        (board, "\nSolution\n999999(r)\n\n", ""),
        (board, "\nSolution\n99999999999r\n\n", ""),
        ("", &room, ""),
    ]);
}

/// Texts of a beginning, a piece that is repeated, and an end.
fn grow_linearly<const N: usize>(cases: [(&str, &str, &str); N]) {
    for (begin, piece, end) in cases {
        grows_linearly(piece, None, |size| format!("{begin}{}{end}", piece.repeat(size / piece.len())));
    }
}

#[test]
fn markup_bombs_end_soon() {
    grow_linearly([
        ("<?xml version=\"1.0\"?>", "<a>", ""),
        ("<?xml version=\"1.0\"?><a ", "b=\"c\" ", ">"),
        ("<SokobanLevels><Level Id=\"a\">", "<L>#</L>", "</Level></SokobanLevels>"),
        ("<SokobanLevels>", "<Level><L>#</L></Level>", "</SokobanLevels>"),
        ("<SokobanLevels><Title>", "&amp;", "</Title></SokobanLevels>"),
        ("{\"content\":[", "[\"W\"],", "[]]}"),
        ("{\"content\":[[", "\"W\",", "\"W\"]]}"),
        ("{\"content\":", "[", ""),
        ("{", "\"a\":[[[1]]],", "\"content\":[]}"),
    ]);
}

#[test]
fn a_file_that_is_too_long_is_not_read() {
    let bytes = vec![b'#'; lurd_formats::MAX_BYTES + 1];
    assert_eq!(read(&bytes, None), Err(ReadError::TooManyBytes(bytes.len())));
}
