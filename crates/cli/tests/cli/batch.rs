//! `lurd batch`: runs, kills, reports, comparisons.

use super::{Folder, LEVELS, data, objects, spawn, text};
use assert_cmd::assert::Assert;
use predicates::str::contains;
use serde_json::Value;
use std::time::Duration;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    folder
}

fn json(run: &Assert) -> Value {
    serde_json::from_str(text(run)).unwrap()
}

fn report(folder: &Folder, name: &str) -> Value {
    json(&folder.lurd(&format!("batch report {name} --json --library own.db")).success())
}

#[test]
fn a_run_is_reported_in_every_form_and_compared() {
    let folder = folder();
    let line = "batch run levels.xsb --goal pushes --time-limit 5 --jobs 2 --library own.db --name";
    folder
        .lurd(&format!("{line} first"))
        .code(3)
        .stdout(contains("first: 2 solved, 1 proved unsolvable, 0 open, 0 failed"));
    let whole = report(&folder, "first");
    assert_eq!(
        (&whole["solved"], &whole["open"], &whole["failed"], &whole["unsolvable"]),
        (&2.into(), &0.into(), &0.into(), &1.into())
    );
    let results = whole["results"].as_array().unwrap();
    assert_eq!(
        (&results[1]["solution"], &results[1]["proof"], &results[1]["level"]),
        (&"RR".into(), &"optimal-pushes".into(), &2.into())
    );
    let solved = objects(&folder.lurd("solve levels.xsb --goal pushes --json --no-library").code(3));
    for (field, value) in solved[1].as_object().unwrap() {
        assert!(results[1].get(field).is_some_and(|own| own.is_null() == value.is_null()), "{field}");
    }
    folder.lurd("batch report first --library own.db").success().stdout(contains("Solved by time"));
    folder.lurd("batch report first --csv --library own.db").success().stdout(contains("levels,2,Twice,"));
    folder.lurd("batch report first --markdown --library own.db").success().stdout(contains("## By collection"));
    folder.lurd("batch report first --html report.html --library own.db").success();
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(
        page.contains("<svg class=\"chart\"")
            && page.contains("prefers-color-scheme: dark")
            && !page.contains("http://localhost")
    );
    assert!(!page.contains("<script") && !page.contains("<link"), "it needs nothing else");

    folder.lurd(&format!("{line} FIRST")).code(2).stderr(contains("there is a run `FIRST` already"));
    folder.lurd("batch resume first --library own.db").code(3).stdout(contains("2 solved"));
    folder.lurd(&format!("{line} second --algorithm a-star")).code(3);
    let difference = json(&folder.lurd("batch diff first second --json --library own.db").success());
    assert_eq!((&difference["levels"], &difference["won"]), (&3.into(), &Value::Array(Vec::new())));
    assert_eq!(difference["sign_tests"]["solved"]["p"], 1.0);
    folder.lurd("batch diff first second --library own.db").success().stdout(contains("sign test p"));
    folder.lurd("batch list --library own.db").success().stdout(contains("second"));
    assert_eq!(
        objects(&folder.lurd("library stats --json --library own.db").success())[0]["collections"],
        1,
        "the file is there already"
    );
}

#[test]
fn searches_that_misbehave_are_told_and_the_rest_is_done() {
    let folder = folder();
    let run = "batch run levels.xsb --library own.db --memory-limit 32MiB --jobs 2 --name";
    let ended = folder.lurd(&format!("{run} bad --time-limit 60 --fault 1:crash,2:memory")).code(3);
    ended.stdout(contains("bad: 0 solved, 1 proved unsolvable, 0 open, 2 failed"));
    folder.lurd(&format!("{run} endless --time-limit 0.2 --fault 3:endless")).code(1).stdout(contains("1 failed"));
    let (bad, endless) = (report(&folder, "bad"), report(&folder, "endless"));
    for (report, place, word) in
        [(&bad, 0, "crashed by signal 6"), (&bad, 1, "too much memory"), (&endless, 2, "did not end in time")]
    {
        let reason = report["results"][place]["reason"].as_str().unwrap();
        assert!(reason.contains(word), "{reason}");
    }
    folder.lurd("batch report bad --library own.db").success().stdout(contains("failed: it took too much memory"));
    folder.lurd("library verify --library own.db").success();
}

#[test]
fn a_ladder_gives_more_time_to_what_is_open() {
    let folder = folder();
    folder
        .lurd("batch run levels.xsb --library own.db --name ladder --time-limit 0,5")
        .code(3)
        .stdout(contains("2 solved"));
    folder.lurd("batch report ladder --csv --library own.db").success().stdout(contains(",2,"));
}

/// Killed at any moment, the run goes on; what was there stays as it was.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = Folder::new();
    folder.file("levels.xsb", include_str!("../../../../levels/lurd.xsb"));
    let options = "--node-limit 20000 --jobs 1 --library";
    folder.lurd(&format!("batch run levels.xsb {options} whole.db --name run"));
    let csv =
        |library: &str| text(&folder.lurd(&format!("batch report run --csv --library {library}")).success()).to_owned();
    let outcomes = |csv: &str| -> Vec<String> {
        csv.lines().map(|line| line.split(',').skip(1).take(7).collect::<Vec<_>>().join(",")).collect()
    };
    let whole = csv("whole.db");
    let mut before: Vec<String> = Vec::new();
    for (kill, pause) in [120, 60, 170, 30, 250, 90].into_iter().enumerate() {
        let line = format!("batch run levels.xsb {options} own.db --name run");
        let line = if kill == 0 { line } else { "batch resume run --jobs 1 --library own.db".to_owned() };
        let mut child = spawn("lurd", folder.path(), &line.split_whitespace().collect::<Vec<_>>());
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        let resumed = folder.lurd("batch list --library own.db --json");
        if text(&resumed).is_empty() {
            // Killed before the run was stored.
            continue;
        }
        let now = csv("own.db");
        let lines: Vec<&str> = now.lines().collect();
        assert!(before.iter().all(|line| lines.contains(&line.as_str())), "a result was lost or done again");
        before = lines.iter().filter(|line| !line.contains(",untried,")).map(|&line| line.to_owned()).collect();
    }
    let last = folder.lurd("batch resume run --jobs 1 --library own.db");
    if last.get_output().status.code() == Some(2) {
        folder.lurd(&format!("batch run levels.xsb {options} own.db --name run"));
    }
    let now = csv("own.db");
    assert!(before.iter().all(|line| now.lines().any(|own| own == line)));
    assert_eq!(outcomes(&now), outcomes(&whole));
    folder.lurd("library verify --library own.db").success();
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_run_that_can_go_on_and_no_process() {
    let folder = Folder::new();
    folder.file("wide.xsb", super::WIDE);
    let line = "batch run wide.xsb --algorithm breadth-first --formulation move --deadlocks none --time-limit 60 --library own.db --name x";
    let child = spawn("lurd", folder.path(), &line.split_whitespace().collect::<Vec<_>>());
    // Stored, and then a moment for its search to begin.
    let begin = std::time::Instant::now();
    while text(&folder.lurd("batch list --library own.db --json")).is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run was never stored");
    }
    std::thread::sleep(Duration::from_millis(800));
    let busy = folder.lurd("batch resume x --library own.db").code(2);
    busy.stderr(contains("under way in another process"));
    super::press_control_c(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stdout).contains("lurd batch resume x"));
    assert_eq!(report(&folder, "x")["untried"], 1);
}

#[test]
fn bad_input_is_a_sentence() {
    let folder = folder();
    let fails = |line: &str, sentence: &str| {
        folder.lurd(line).code(2).stderr(contains(sentence));
    };
    fails("batch run missing.xsb --library own.db", "there is no such file, and there is no collection");
    fails("batch run levels.xsb --time-limit 1,x --library own.db", "is no time");
    fails("batch report x --library own.db", "there is no run `x`");
    fails("batch resume --library own.db", "every run in the library has ended");
    fails("batch report x --library none.db", "there is no library here yet");
    fails(
        "batch run levels.xsb --nats nats://me:secret@127.0.0.1:1 --library own.db --name n",
        "nats://127.0.0.1:1: the NATS server cannot be reached",
    );
    let unreachable = folder.lurd("worker --nats nats://me:secret@127.0.0.1:1").code(2);
    assert!(!String::from_utf8_lossy(&unreachable.get_output().stderr).contains("secret"));
    fails("worker --nats http://127.0.0.1:1", "is no address of a NATS server");
    fails("worker", "--nats");
    fails("worker --nats nats://127.0.0.1:1 --nats-credentials missing.creds", "missing.creds");
    assert!(data().starts_with(env!("CARGO_TARGET_TMPDIR")));
}
