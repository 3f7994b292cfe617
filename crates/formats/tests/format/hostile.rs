//! Hostile files. Each yields levels or an error message; `hostile.expected` holds all results and is rewritten with
//! `LURD_UPDATE=1`.

use lurd_formats::{Format, ReadError, read};
use std::fmt::Write as _;
use std::path::Path;
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

/// Reads a file that would be slow or large if any step of the reader were quadratic.
fn quick(name: &str, bytes: &[u8]) -> Result<lurd_formats::Collection, ReadError> {
    let start = Instant::now();
    let result = read(bytes, None);
    assert!(start.elapsed() < Duration::from_secs(20), "{name} took {:?}", start.elapsed());
    result
}

const TEN_MEGABYTES: usize = 10 << 20;

#[test]
fn long_lines_of_anything_end_soon() {
    for piece in [
        "#", " ", "-", "|", "(", ")", "9", "9(", "#|", "5#|", "$", "r", "R", ";", "\0", "\u{c}", "\t", "a", "é",
        "[soko=", "1", "0#", "::", "'",
    ] {
        let _ = quick(piece, piece.repeat(TEN_MEGABYTES / piece.len()).as_bytes());
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
        let _ = quick(piece, piece.repeat(TEN_MEGABYTES / piece.len()).as_bytes());
    }
}

#[test]
fn many_lines_under_a_hint_end_soon() {
    for format in [Format::Digits, Format::Mf8] {
        for piece in ["#\n", "\n", "10$#\n\n", "1\n"] {
            let start = Instant::now();
            let _ = read(piece.repeat(TEN_MEGABYTES / piece.len()).as_bytes(), Some(format));
            assert!(start.elapsed() < Duration::from_secs(20), "{format} {piece:?} took {:?}", start.elapsed());
        }
    }
}

#[test]
fn many_bombs_share_one_budget() {
    let board = "5#|#@$.#|5#\n";
    let cases = [
        "999(1000#|)999#\n\n".repeat(100_000),
        "999999999#\n\n".repeat(100_000),
        format!("1000#|998(#998-#|)#@$.995-#\n1000#\n{}", "Solution\nRRRRRRRR\n\n".repeat(100_000)),
        format!("{board}\n{}", "Solution\n999999(r)\n\n".repeat(100_000)),
        format!("{board}\n{}", "Solution\n99999999999r\n\n".repeat(100_000)),
        format!("{}\n{}", "#".repeat(1000), "#\n".repeat(998)).repeat(500),
    ];
    for (index, case) in cases.iter().enumerate() {
        let _ = quick(&format!("case {index}"), case.as_bytes());
    }
}

#[test]
fn markup_bombs_end_soon() {
    let count = TEN_MEGABYTES / 20;
    let cases = [
        format!("<?xml version=\"1.0\"?>{}", "<a>".repeat(count)),
        format!("<?xml version=\"1.0\"?><a {}>", "b=\"c\" ".repeat(count)),
        format!("<SokobanLevels><Level Id=\"a\">{}</Level></SokobanLevels>", "<L>#</L>".repeat(count)),
        format!("<SokobanLevels>{}</SokobanLevels>", "<Level><L>#</L></Level>".repeat(count / 2)),
        format!("<SokobanLevels><Title>{}</Title></SokobanLevels>", "&amp;".repeat(count)),
        format!("{{\"content\":[{}[]]}}", "[\"W\"],".repeat(count)),
        format!("{{\"content\":[[{}\"W\"]]}}", "\"W\",".repeat(count)),
        format!("{{\"content\":{}", "[".repeat(count)),
        format!("{{{}\"content\":[]}}", "\"a\":[[[1]]],".repeat(count)),
    ];
    for (index, case) in cases.iter().enumerate() {
        let _ = quick(&format!("case {index}"), case.as_bytes());
    }
}

#[test]
fn a_file_that_is_too_long_is_not_read() {
    let bytes = vec![b'#'; lurd_formats::MAX_BYTES + 1];
    assert_eq!(read(&bytes, None), Err(ReadError::TooManyBytes(bytes.len())));
}
