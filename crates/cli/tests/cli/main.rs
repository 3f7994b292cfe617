//! The commands end to end, as scripts and people call them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bad_input;
mod course_tool;
mod cse;
mod improve;
mod interrupt;
mod levels;
mod proof;
mod serve;
mod solve;
mod tiles;
mod workbench;

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A level of one push, one of two, and a box that is dead from the start.
const LEVELS: &str =
    "; Easy\n#####\n#@$.#\n#####\n\n; Twice\n######\n#@$ .#\n######\n\n; Dead\n#####\n#@$ #\n# . #\n#####\n";

/// The first of them.
const EASY: &str = "#####\n#@$.#\n#####\n";

/// A level no search ends within seconds when nothing is pruned: six boxes in a wide room.
const WIDE: &str = "##############\n#            #\n# $ $ $ $ $  #\n#            #\n#  . . . . . #\n#            #\n#    $@.     #\n#            #\n##############\n";

fn lurd() -> Command {
    Command::cargo_bin("lurd").unwrap()
}

fn sokoban() -> Command {
    Command::cargo_bin("sokoban").unwrap()
}

/// A folder with files in it that goes when dropped.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

/// The lines of standard output as JSON objects.
fn objects(output: &[u8]) -> Vec<serde_json::Value> {
    std::str::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
