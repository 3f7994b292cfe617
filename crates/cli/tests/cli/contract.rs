//! The same request at every door: command line, server, the page without a server, batch run, plug-in. Each answers with the
//! same record. (Python is held against the command line by its own tests, a queue on NATS by `tests/batch/run.py`, the
//! page's program in a browser by `tests/browser`.)

use super::page_batch::Served;
use super::{Folder, WIDE, press_control_c, spawn, wait_until_it_searches};
use assert_cmd::cargo::cargo_bin;
use lurd_library::Form;
use lurd_plugin::metric::Wanted;
use lurd_plugin::return_code::ReturnCode;
use lurd_plugin::run::Host as PluginHost;
use lurd_plugin::settings::Settings;
use lurd_plugin::status::Status;
use lurd_plugin::task::{Answer, Task};
use lurd_service::{Host, Job, JobHost, Question};
use serde_json::{Map, Value, json};
use std::process::Child;
use std::time::{Duration, Instant};

/// What differs from one run to the next.
const MEASURED: [&str; 2] = ["seconds", "peak_bytes"];

/// A record without what is measured, and without the place of its level.
fn fields(record: &Value) -> Map<String, Value> {
    let mut fields = record.as_object().unwrap_or_else(|| panic!("{record}")).clone();
    for name in MEASURED.iter().chain(&["level", "title"]) {
        assert!(fields.remove(*name).is_some(), "{name} is missing in {record}");
    }
    // The result of a job has room for what other jobs than searches find.
    for name in ["rating", "made"] {
        assert!(fields.remove(name).is_none_or(|found| found.is_null()), "{record}");
    }
    fields
}

/// The request as flags.
fn flags(request: &Value) -> Vec<String> {
    let flag = |(name, value): (&String, &Value)| {
        let word = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("--{}={word}", name.replace('_', "-"))
    };
    request.as_object().unwrap().iter().map(flag).collect()
}

fn by_command(folder: &Folder, request: &Value) -> Value {
    let flags = flags(request).join(" ");
    let run = folder.lurd(&format!("solve level.xsb --json --no-library --threads 1 {flags}"));
    super::objects(&run).remove(0)
}

fn by_server(served: &Served, board: &str, request: &Value) -> Value {
    let body = json!({"kind": "sokoban", "board": board, "request": request});
    let job = served.request("POST", "/jobs", &body.to_string());
    ended(served, job["id"].as_str().unwrap_or_else(|| panic!("{job}")))
}

/// The record of a job once it has ended.
fn ended(served: &Served, id: &str) -> Value {
    let until = Instant::now() + Duration::from_secs(120);
    loop {
        let job = served.request("GET", &format!("/jobs/{id}"), "");
        if job["status"] == "done" {
            return job["result"].clone();
        }
        assert!(Instant::now() < until, "{job}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A page that does not listen.
struct Silent;

impl JobHost for Silent {
    fn changed(&self, _: &Job) {}
}

/// What a worker of the page does: the question of the service, then the job.
fn by_worker(board: &str, request: &Value, cancelled: bool) -> Value {
    let host = r#"{"running":1,"waiting":1,"seconds":600,"mebibytes":1024,"grace_seconds":600}"#;
    let host = Host::parse(host).unwrap();
    let body = json!({"kind": "sokoban", "board": board, "request": request}).to_string();
    let question = Question { method: "POST", path: "/jobs", query: "", body: body.as_bytes() };
    let answer: Value = serde_json::from_str(&lurd_service::answer(&host, &question).json()).unwrap();
    assert_eq!(answer["status"], 201, "{answer}");
    let starting: lurd_service::Starting = serde_json::from_str(&body).unwrap();
    let work = starting.work(&host.allowance(), lurd::Share::default()).unwrap();
    let job = Job::new("1".into(), work.kind(), Silent);
    if cancelled {
        job.cancel("you cancelled it");
    }
    job.run(work);
    serde_json::to_value(job.view(false)).unwrap()["result"].clone()
}

fn by_batch(folder: &Folder, request: &Value, name: &str) -> Value {
    // A time limit that ends nothing here: without one a run takes ten seconds.
    let mut flags = flags(request);
    if request.get("node_limit").is_none() {
        flags.push("--time-limit=600".into());
    }
    let flags = flags.join(" ");
    folder.lurd(&format!("batch run level.xsb --name {name} --jobs 1 --library batch-{name}.db {flags}"));
    let report = folder.lurd(&format!("batch report {name} --json --library batch-{name}.db"));
    let report: Value = serde_json::from_str(super::text(&report)).unwrap();
    let mut record = report["results"][0].clone();
    for name in ["end", "collection", "key", "reason", "total_seconds"] {
        assert!(record.as_object_mut().unwrap().remove(name).is_some(), "{name} is missing in {record}");
    }
    record
}

/// A program that calls the plug-in, and presses Stop if it is told to.
struct Caller {
    stops: bool,
}

impl PluginHost for Caller {
    fn tell(&mut self, _: &Status) -> bool {
        self.stops
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn adopt(&mut self, _: &Child) {}
}

fn by_plugin(board: &str, request: &Value, stops: bool) -> Answer {
    let mut settings = Settings::default();
    for (name, value) in request.as_object().unwrap() {
        let option = lurd::contract::option(name).unwrap();
        settings.request.set(name, value).unwrap();
        settings.given.push(option.name);
    }
    settings.given.push("threads");
    let nothing = Wanted { first: None, second: false };
    let task = Task::solve(board.to_owned(), nothing);
    lurd_plugin::run::run(&cargo_bin("lurd"), &task, &settings, &mut Caller { stops })
}

/// What the plug-in's interface has room for is what the record says.
fn agrees(answer: &Answer, record: &Value, case: &str) {
    let code = match (record["outcome"].as_str().unwrap(), record["solution"].is_string()) {
        (_, true) => ReturnCode::Success,
        ("unsolvable", _) => ReturnCode::Unsolvable,
        ("cancelled", _) => ReturnCode::Stopped,
        _ => ReturnCode::GaveUp,
    };
    assert_eq!(answer.code, code, "{case}: {answer:?} {record}");
    assert_eq!(answer.game.as_deref(), record["solution"].as_str());
    assert_eq!(json!(answer.states), record["generated"], "{case}: {answer:?} {record}");
}

/// Solved, proved, unsolvable, a proof that is cut, memory that is full: every door gives the same record, field by field.
#[test]
fn every_door_gives_the_same_record() {
    // In its normal form, which is what a batch run searches.
    let form = |board: &str| Form::of(&lurd::Map::from_xsb(board).unwrap()).text;
    let room = form("########\n#  .   #\n# $@$  #\n#  # . #\n#    $.#\n########\n");
    let dead = form("#####\n#$  #\n#@ .#\n#####\n");
    let wide = form(WIDE);
    for (case, board, request) in [
        ("solved", &room, json!({"algorithm": "greedy", "heuristic": "matching", "deadlocks": "corner,freeze"})),
        ("proved", &room, json!({"goal": "pushes", "algorithm": "a-star", "tie_break": "fifo"})),
        ("moves", &room, json!({"goal": "moves", "then": "pushes"})),
        ("unsolvable", &dead, json!({"goal": "pushes"})),
        ("cut", &room, json!({"goal": "pushes", "node_limit": 20})),
        ("nodes", &wide, json!({"algorithm": "breadth-first", "deadlocks": "none", "node_limit": 3000})),
        (
            "memory",
            &wide,
            json!({"algorithm": "breadth-first", "formulation": "move", "deadlocks": "none", "memory_limit": 2 << 20}),
        ),
    ] {
        let folder = Folder::new();
        folder.file("level.xsb", board);
        let command = by_command(&folder, &request);
        let expected = fields(&command);
        let served = Served::start(folder.path());
        assert_eq!(fields(&by_server(&served, board, &request)), expected, "{case}: server");
        assert_eq!(fields(&by_worker(board, &request, false)), expected, "{case}: page");
        assert_eq!(fields(&by_batch(&folder, &request, case)), expected, "{case}: batch run");
        agrees(&by_plugin(board, &request, false), &command, case);
        let outcome = match case {
            "unsolvable" => "unsolvable",
            "nodes" | "memory" => "stopped",
            _ => "solved",
        };
        if case != "cut" {
            assert_eq!(expected["outcome"], outcome, "{case}: {command}");
        }
        if ["nodes", "cut"].contains(&case) {
            assert_eq!((&expected["stopped_by"], expected["goal_proof"] == "finished"), (&json!("nodes"), false));
        }
        if case == "memory" {
            assert_eq!(expected["stopped_by"], "memory");
        }
    }
}

/// A search that is called off ends in the same words everywhere.
#[test]
fn every_door_tells_of_a_cancelled_search_alike() {
    let folder = Folder::new();
    folder.file("level.xsb", WIDE);
    let request = json!({"algorithm": "breadth-first", "formulation": "move", "deadlocks": "none"});
    let words = |record: &Value| ["outcome", "stopped_by", "solution", "proof"].map(|name| record[name].clone());
    let expected = [json!("cancelled"), Value::Null, Value::Null, json!("none")];

    let flags = flags(&request);
    let arguments: Vec<&str> =
        ["solve", "level.xsb", "--json", "--no-library"].into_iter().chain(flags.iter().map(String::as_str)).collect();
    let command = spawn("lurd", folder.path(), &arguments);
    wait_until_it_searches(&command);
    press_control_c(&command);
    let output = command.wait_with_output().unwrap();
    assert_eq!(words(&serde_json::from_slice(&output.stdout).unwrap()), expected);

    let served = Served::start(folder.path());
    let body = json!({"kind": "sokoban", "board": WIDE, "request": request}).to_string();
    let id = served.request("POST", "/jobs", &body)["id"].as_str().unwrap().to_owned();
    served.request("DELETE", &format!("/jobs/{id}"), "");
    assert_eq!(words(&ended(&served, &id)), expected);

    assert_eq!(words(&by_worker(WIDE, &request, true)), expected);
    let stopped = by_plugin(WIDE, &request, true);
    assert_eq!((stopped.code, stopped.game), (ReturnCode::Stopped, None));
}
