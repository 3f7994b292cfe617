//! Ctrl-C.
#![cfg(unix)]

use super::{Folder, WIDE, objects};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn start(program: &str, arguments: &[&str]) -> (Child, Folder) {
    let folder = Folder::new();
    folder.file("wide", WIDE);
    let child = Command::new(assert_cmd::cargo::cargo_bin(program))
        .current_dir(folder.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    (child, folder)
}

fn press_control_c(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn the_first_press_prints_what_was_found() {
    let arguments =
        ["solve", "wide", "--json", "--algorithm", "breadth-first", "--formulation", "move", "--deadlocks", "none"];
    let (child, _folder) = start("lurd", &arguments);
    sleep(Duration::from_millis(500));
    press_control_c(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let objects = objects(&output.stdout);
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0]["outcome"], "cancelled");
    assert!(objects[0]["expanded"].as_u64().unwrap() > 0);
}

#[test]
fn the_course_tool_ends_too() {
    let (child, folder) = start("sokoban", &["-s", "wide"]);
    sleep(Duration::from_millis(500));
    press_control_c(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("Interrupted."));
    assert!(!folder.path().join("solution.txt").exists());
}

#[test]
fn tiles_say_how_far_the_search_came() {
    let (child, _folder) =
        start("lurd", &["tiles", "solve", "random:1", "--size", "5", "--algorithm", "ida-star,a-star", "--json"]);
    sleep(Duration::from_millis(500));
    press_control_c(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let objects = objects(&output.stdout);
    // The second algorithm is not begun.
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0]["outcome"], "cancelled");
    assert!(objects[0]["expanded"].as_u64().unwrap() > 0);
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
    sleep(Duration::from_millis(500));
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
    let (child, folder) = start("lurd", &["solve", "wide", "--json", "-o", "solved.sok"]);
    assert!(child.wait_with_output().unwrap().status.success());
    let child = Command::new(assert_cmd::cargo::cargo_bin("lurd"))
        .current_dir(folder.path())
        .args(["improve", "solved.sok", "--json", "--time-limit", "60", "-o", "shorter.sok"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(500));
    press_control_c(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let objects = objects(&output.stdout);
    assert!(objects[0]["seconds"].as_f64().unwrap() < 30.0);
    assert!(objects[0]["expanded"].as_u64().unwrap() > 0);
    let check = Command::new(assert_cmd::cargo::cargo_bin("lurd"))
        .current_dir(folder.path())
        .args(["check", "wide", "shorter.sok"])
        .status();
    assert!(check.unwrap().success());
}
