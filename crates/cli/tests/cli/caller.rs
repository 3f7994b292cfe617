//! `--progress` and `--attached`: lurd under a program that started it.

use super::{EASY, WIDE, wait_until_it_searches};
use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn start(line: &str) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("lurd"));
    command.env("LURD_DATA", super::data());
    command.args(line.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Hands over some input and waits for the end, with the input open all the time.
fn end_by_itself(line: &str, input: &str) -> (Option<i32>, serde_json::Value) {
    let mut child = start(line);
    let mut open = child.stdin.take().unwrap();
    open.write_all(input.as_bytes()).unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    let code = child.wait().unwrap().code();
    drop(open);
    (code, serde_json::from_str(&text).unwrap())
}

#[test]
fn a_level_ends_at_its_mark_while_the_input_stays_open() {
    let (code, record) = end_by_itself("solve - --json --attached", &format!("{EASY}\u{4}"));
    assert_eq!((code, &record["outcome"]), (Some(0), &"solved".into()));
    let solution = format!("{EASY}\u{4}R\n\u{4}");
    let (code, record) = end_by_itself("improve - - --json --attached", &solution);
    assert_eq!((code, &record["solution"]), (Some(0), &"R".into()));
}

/// Runs a long search, closes its input after a while and returns what it printed.
fn closed(line: &str, input: &str) -> Output {
    let mut child = start(line);
    let mut open = child.stdin.take().unwrap();
    open.write_all(input.as_bytes()).unwrap();
    // Long enough to tell something, too.
    wait_until_it_searches(&child);
    sleep(Duration::from_millis(800));
    assert_eq!(child.try_wait().unwrap(), None, "the search is long, and nothing has stopped it yet");
    drop(open);
    child.wait_with_output().unwrap()
}

#[test]
fn a_closed_input_stops_the_search_as_ctrl_c_does() {
    let line = "solve - --json --attached --progress --algorithm breadth-first --formulation move --deadlocks none";
    let output = closed(line, &format!("{WIDE}\u{4}"));
    assert_eq!(output.status.code(), Some(130));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["outcome"], "cancelled");
    let progress = String::from_utf8(output.stderr).unwrap();
    let mut told = 0;
    for line in progress.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["level"], 1, "{line}");
        assert!(line["generated"].as_u64() > Some(0) && line["lower_bound"].is_number(), "{line}");
        told += 1;
    }
    assert!(told > 0);
}

#[test]
fn a_better_solution_is_told_while_the_improver_runs() {
    let clumsy = "########\n#      #\n#@ $  .#\n# $ .  #\n########\n\nSolution\nurdRurrdLulldRRRulldlldRR\n";
    let mut child = start("improve - --json --attached --progress");
    let mut open = child.stdin.take().unwrap();
    open.write_all(format!("{clumsy}\u{4}").as_bytes()).unwrap();
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let last: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!((&last["level"], &last["pushes"]), (&1.into(), &5.into()), "{told}");
    drop(open);
}
