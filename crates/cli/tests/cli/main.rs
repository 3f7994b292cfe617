//! The commands end to end, as scripts and people call them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bad_input;
mod batch;
mod caller;
#[cfg(unix)]
mod contract;
mod course_tool;
mod cse;
mod generate;
mod improve;
mod interrupt;
mod levels;
mod library;
mod page_batch;
mod proof;
mod rate;
mod results;
mod scripts;
mod serve;
mod solve;
mod tiles;
mod workbench;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use tempfile::TempDir;

/// A level of one push, one of two, and a box that is dead from the start.
const LEVELS: &str =
    "; Easy\n#####\n#@$.#\n#####\n\n; Twice\n######\n#@$ .#\n######\n\n; Dead\n#####\n#@$ #\n# . #\n#####\n";

/// The first of them.
const EASY: &str = "#####\n#@$.#\n#####\n";

/// A level no search ends within seconds when nothing is pruned: six boxes in a wide room.
const WIDE: &str = "##############\n#            #\n# $ $ $ $ $  #\n#            #\n#  . . . . . #\n#            #\n#    $@.     #\n#            #\n##############\n";

/// A data folder of these tests: none of them touches the user's own.
fn data() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("data-{}", std::process::id()))
}

fn lurd() -> Command {
    let mut command = Command::cargo_bin("lurd").unwrap();
    command.env("LURD_DATA", data());
    command
}

/// Runs `lurd` with the words of a line and some standard input.
fn ran(line: &str, input: impl Into<Vec<u8>>) -> Assert {
    lurd().args(line.split_whitespace()).write_stdin(input).assert()
}

/// Starts a program of ours that runs beside the test.
fn spawn(program: &str, folder: &Path, arguments: &[&str]) -> Child {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin(program));
    command.env("LURD_DATA", data()).current_dir(folder).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends a signal by the command that every shell has built in.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let line = format!("kill -{name} {}", child.id());
    assert!(std::process::Command::new("/bin/sh").args(["-c", &line]).status().unwrap().success());
}

#[cfg(unix)]
fn press_control_c(child: &Child) {
    signal(child, "INT");
}

/// Waits until a program that runs beside the test has used a fifth of a second of processor time, which is much more than it
/// needs to begin its search; half a second where the system does not tell.
fn wait_until_it_searches(child: &Child) {
    use std::time::{Duration, Instant};
    let begin = Instant::now();
    // The 14th and 15th field, in hundredths of a second; the second one, a name, may hold spaces.
    let used = || -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split(' ').collect();
        if *fields.get(1)? == "Z" {
            return Some(u64::MAX);
        }
        Some(fields.get(12)?.parse::<u64>().ok()? + fields.get(13)?.parse::<u64>().ok()?)
    };
    while used().map_or(begin.elapsed() < Duration::from_millis(500), |ticks| ticks < 20) {
        assert!(begin.elapsed() < Duration::from_secs(60), "it computes nothing");
        std::thread::sleep(Duration::from_millis(10));
    }
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

    /// Runs `lurd` in it with the words of a line.
    fn lurd(&self, line: &str) -> Assert {
        lurd().current_dir(self.path()).args(line.split_whitespace()).assert()
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

/// Standard output.
fn text(run: &Assert) -> &str {
    std::str::from_utf8(&run.get_output().stdout).unwrap()
}

/// The lines of standard output as JSON objects.
fn objects(run: &Assert) -> Vec<serde_json::Value> {
    text(run).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
