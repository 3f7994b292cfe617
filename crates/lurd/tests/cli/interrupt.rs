//! Ctrl-C.
#![cfg(unix)]

use super::{Folder, WIDE, objects};
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
