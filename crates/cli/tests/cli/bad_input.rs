//! Any bytes end in a level or in a sentence with code 2: never a panic, never a hang.

use super::{EASY, Folder, lurd, ran, sokoban, spawn};
use predicates::prelude::*;
use predicates::str::contains;
use std::path::Path;
use std::time::Duration;

/// Code 2 and a sentence, within seconds, from both commands.
fn refused(name: &'static str, content: &[u8]) {
    let folder = Folder::new();
    let file = folder.file("input", content);
    for mut command in [lurd(), sokoban()] {
        let first = if command.get_program().to_string_lossy().contains("sokoban") { "-s" } else { "solve" };
        command
            .current_dir(folder.path())
            .arg(first)
            .arg(&file)
            .args(["--time-limit", "2", "--memory-limit", "64MB"])
            .timeout(Duration::from_secs(60))
            .assert()
            .code(2)
            .stdout(predicate::str::is_empty().name(name))
            .stderr(contains("input: ").and(contains("panicked").not()));
    }
}

#[test]
fn bytes_that_are_no_levels() {
    refused("nothing", b"");
    refused("blanks", b"  \n\n \t \n");
    refused("words", b"Nothing to see here.\n");
    refused("binary", &(0..=255).cycle().take(10_000).collect::<Vec<u8>>());
    refused("zeroes", &[0; 5000]);
    refused("an image's head", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    refused("no player", b"#####\n# $.#\n#####\n");
    refused("two players", b"######\n#@@$.#\n######\n");
    refused("no box", b"####\n#@.#\n####\n");
    refused("more boxes than goals", b"######\n#@$$.#\n######\n");
    refused("a hole in the wall", b"#####\n#@$.\n#####\n");
}

#[test]
fn bombs() {
    refused("a line of 10 MB", &vec![b'#'; 10_000_000]);
    refused("rows without end", &b"#\n".repeat(3_000_000));
    refused("a run-length bomb", b"999999999#|#@$.#|999999999#\n");
    refused("nested runs", format!("{}#{}\n", "9(".repeat(5000), ")".repeat(5000)).as_bytes());
    refused("open XML", b"<?xml version=\"1.0\"?><SokobanLevels><LevelCollection>");
    refused("deep JSON", "[".repeat(100_000).as_bytes());
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    folder.lurd("solve .").code(2).stderr(contains("this is a folder"));
    folder.lurd("solve missing.xsb").code(2).stderr(contains("there is no such file"));
    sokoban()
        .arg("-s")
        .arg(folder.path())
        .assert()
        .code(2)
        .stderr(contains("sokoban: ").and(contains("this is a folder")));
    folder.lurd("check missing.xsb").code(2);
    folder.lurd("convert . -").code(2);
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_a_sentence() {
    lurd().args(["solve", "/dev/zero"]).timeout(Duration::from_secs(60)).assert().code(2).stderr(contains("split it"));
}

#[test]
fn one_broken_level_does_not_cost_the_others() {
    ran("solve -", format!("{EASY}\n#####\n# $.#\n#####\n"))
        .code(2)
        .stdout(contains("1 of 1 level solved"))
        .stderr(contains("level 2").and(contains("no player")));
}

#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [
        &["levels", "--show", "all"][..],
        &["solve", "--json"],
        &["bench", "--json"],
        &["man"],
        &["completions", "bash"],
    ] {
        let mut child = spawn("lurd", Path::new("."), arguments);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}
