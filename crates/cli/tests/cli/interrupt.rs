//! Ctrl-C.
#![cfg(unix)]

use super::{Folder, WIDE, objects, press_control_c, spawn, text, wait_until_it_searches};
use assert_cmd::assert::{Assert, OutputAssertExt};
use std::io::Read;
use std::process::{Command, Stdio};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("wide", WIDE);
    folder
}

/// Runs a program in a folder and presses Ctrl-C once it searches.
fn interrupted(program: &str, folder: &Folder, line: &str) -> Assert {
    let child = spawn(program, folder.path(), &line.split_whitespace().collect::<Vec<_>>());
    wait_until_it_searches(&child);
    press_control_c(&child);
    child.wait_with_output().unwrap().assert().code(130)
}

#[test]
fn the_first_press_prints_what_was_found() {
    for line in [
        "solve wide --json --algorithm breadth-first --formulation move --deadlocks none",
        // The second algorithm is not begun.
        "tiles solve random:1 --size 5 --algorithm ida-star,a-star --json",
    ] {
        let objects = objects(&interrupted("lurd", &folder(), line));
        assert_eq!(objects.len(), 1, "{line}");
        assert_eq!(objects[0]["outcome"], "cancelled", "{line}");
        assert!(objects[0]["expanded"].as_u64().unwrap() > 0, "{line}");
    }
}

#[test]
fn the_course_tool_ends_too() {
    let folder = folder();
    assert!(text(&interrupted("sokoban", &folder, "-s wide")).starts_with("Interrupted."));
    assert!(!folder.path().join("solution.txt").exists());
}

#[test]
fn an_interrupted_build_of_tables_leaves_nothing_half_done() {
    let folder = Folder::new();
    let child = Command::new(assert_cmd::cargo::cargo_bin("lurd"))
        .env("LURD_CACHE", folder.path())
        .args(["tiles", "bench", "--count", "1000000"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_it_searches(&child);
    press_control_c(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".tmp")));
}

#[test]
fn a_game_that_waits_for_a_move_is_left_at_once() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("lurd"))
        .args(["cse", "play", "--quiet", "--first", "min"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Held open, so that the game does not end because its input does.
    let _input = child.stdin.take();
    // Its first words say that it has begun.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    press_control_c(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn the_improver_keeps_the_best_so_far() {
    let folder = folder();
    folder.lurd("solve wide --json -o solved.sok").success();
    let improved = interrupted("lurd", &folder, "improve solved.sok --json --time-limit 60 -o shorter.sok");
    let objects = objects(&improved);
    assert!(objects[0]["seconds"].as_f64().unwrap() < 30.0);
    assert!(objects[0]["expanded"].as_u64().unwrap() > 0);
    folder.lurd("check wide shorter.sok").success();
}
