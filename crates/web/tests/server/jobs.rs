//! Searches: answers, cancelling, events, and what happens at the end.

use crate::client::{LEVELS, LONG, Running, eventually, long_body};
use lurd_batch::Launcher;
use lurd_library::{Library, Recorder};
use lurd_web::{LibraryAccess, Limits, Options};
use serde_json::{Value, json};
use std::io::Read;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[test]
fn a_level_is_solved_and_the_answer_replays() {
    let server = Running::start(Limits::default());
    let levels = server.get("/api/v1/levels").json();
    let board = levels["levels"][6]["board"].as_str().unwrap().to_owned();
    let config = json!({"goal": "pushes", "algorithm": "a-star"});
    let body = json!({"kind": "sokoban", "board": board, "request": config}).to_string();
    let job = server.done(&server.start_job(&body));
    let result = &job["result"];
    assert_eq!((&result["outcome"], &result["proof"]), (&json!("solved"), &json!("optimal-pushes")));
    let verdict = lurd_referee::judge(&board, result["solution"].as_str().unwrap()).unwrap();
    assert!(verdict.solved);
    assert_eq!(json!(verdict.pushes), result["pushes"]);
    assert!(job["live"]["heat"].as_array().unwrap().iter().any(|heat| heat.as_u64() > Some(0)));
    assert!(!job["history"].as_array().unwrap().is_empty());
}

#[test]
fn what_is_found_goes_into_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.db");
    let library = Arc::new(Mutex::new(Recorder::new(path.clone())));
    let launcher = Launcher { program: "none".into(), arguments: Vec::new(), memory: 1 << 30 };
    let access = LibraryAccess::new(path.clone(), library.clone(), launcher, "here".into());
    let server = Running::serve(Options { library: Some(access), ..Options::new(lurd::parse(LEVELS).unwrap()) });
    let board = "########\n#      #\n# @$ . #\n#      #\n########\n";
    let start = |body: Value| server.done(&server.start_job(&body.to_string()));
    start(json!({"kind": "sokoban", "board": board, "request": {"goal": "pushes", "algorithm": "a-star"}}));
    start(json!({"kind": "improve", "board": board, "solution": "udRR", "request": {"goal": "moves"}}));
    start(json!({"kind": "tiles", "start": "1 2 3 4 5 6 0 7 8"}));
    // A job is called done just before it is recorded.
    assert!(eventually(Duration::from_secs(20), || {
        let _ = library.lock().unwrap().finish();
        path.exists() && Library::open_existing(&path).unwrap().stats().unwrap().optimal_pushes == 1
    }));
    let library = Library::open_existing(&path).unwrap();
    let known = library.knowledge(&lurd::Map::from_xsb(board).unwrap()).unwrap().unwrap();
    assert_eq!(known.front.iter().map(|known| known.lurd.as_str()).collect::<Vec<_>>(), ["RR"]);
    assert_eq!(library.stats().unwrap().levels, 1, "tiles are no levels");
}

#[test]
fn tiles_are_solved_and_parity_is_told() {
    let server = Running::start(Limits::default());
    let job = server.done(&server.start_job(r#"{"kind":"tiles","start":"1 2 3 4 5 6 0 7 8"}"#));
    assert_eq!(job["result"]["solution"], "right,right");
    assert_eq!(job["result"]["proof"], "optimal");
    let refused = server.post("/api/v1/jobs", r#"{"kind":"tiles","start":"1 2 3 4 5 6 8 7 0"}"#);
    assert_eq!(refused.status, 422);
    assert!(refused.sentence().starts_with("unsolvable"), "{}", refused.sentence());
}

#[test]
fn a_long_search_is_cancelled_at_once() {
    let server = Running::start(Limits::default());
    let id = server.long_job();
    assert!(eventually(Duration::from_secs(20), || server.job(&id)["live"]["expanded"].as_u64() > Some(0)));
    let asked = Instant::now();
    let job = server.cancel(&id);
    assert!(asked.elapsed() < Duration::from_secs(10));
    assert_eq!(job["result"]["outcome"], "cancelled");
    assert_eq!(job["cancelled_because"], "you cancelled it");
    assert!(job["result"]["expanded"].as_u64() > Some(0), "what it did is not forgotten");
}

#[test]
fn a_waiting_search_is_cancelled_too() {
    let server = Running::start(Limits { running: 1, ..Limits::default() });
    let (first, second) = (server.long_job(), server.long_job());
    assert_eq!(server.job(&second)["status"], "waiting");
    let job = server.cancel(&second);
    assert_eq!(job["result"]["outcome"], "cancelled");
    assert_eq!(server.job(&first)["status"], "running");
}

#[test]
fn events_tell_the_state_and_end_with_the_job() {
    let server = Running::start(Limits::default());
    let body = json!({"kind": "sokoban", "board": LONG, "request": {"algorithm": "ida-star", "formulation": "move", "deadlocks": [], "time_limit": 0.7}});
    let id = server.start_job(&body.to_string());
    let mut stream = server.stream(&id);
    let mut text = String::new();
    // The stream ends by itself, the connection may stay: read until the last event.
    let mut chunk = [0; 4096];
    while !text.contains("event: done") {
        let read = stream.read(&mut chunk).unwrap();
        assert!(read > 0);
        text += &String::from_utf8_lossy(&chunk[..read]);
    }
    assert!(text.matches("event: state").count() >= 1, "{text}");
    let job = server.done(&id);
    assert_eq!((&job["result"]["outcome"], &job["result"]["stopped_by"]), (&json!("stopped"), &json!("time")));
}

#[test]
fn memory_is_limited() {
    let server = Running::start(Limits::default());
    let body = json!({"kind": "sokoban", "board": LONG, "request": {"algorithm": "breadth-first", "formulation": "move", "deadlocks": "none", "memory_limit": "16MiB"}});
    let id = server.start_job(&body.to_string());
    let job = server.done(&id);
    assert_eq!(job["result"]["stopped_by"], "memory");
    assert!(job["result"]["peak_bytes"].as_u64() <= Some(16 << 20));
}

#[test]
fn a_job_nobody_watches_ends_after_the_grace_period() {
    let server = Running::start(Limits { grace: Duration::from_millis(600), ..Limits::default() });
    let (watched, left) = (server.long_job(), server.long_job());
    let stream = server.stream(&watched);
    drop(server.stream(&left));
    assert!(eventually(Duration::from_secs(15), || server.listed(&left)["status"] == "done"));
    assert_eq!(server.job(&left)["cancelled_because"], "nobody watched it any more");
    assert_eq!(server.listed(&watched)["status"], "running", "one that is watched goes on");
    drop(stream);
    assert!(eventually(Duration::from_secs(15), || server.listed(&watched)["status"] == "done"));
}

#[test]
fn the_server_ends_cleanly_with_jobs_running_and_streams_open() {
    let mut server = Running::start(Limits::default());
    let jobs: Vec<String> = (0..4).map(|_| server.long_job()).collect();
    let _streams: Vec<_> = jobs.iter().map(|id| server.stream(id)).collect();
    let took = server.end();
    assert!(took < Duration::from_secs(6), "{took:?}");
}

#[test]
fn jobs_of_another_run_are_not_taken_for_ones_own() {
    let first = Running::start(Limits::default());
    let second = Running::start(Limits::default());
    let id = first.long_job();
    let _other = second.long_job();
    assert_eq!(second.get(&format!("/api/v1/jobs/{id}")).status, 404);
}

/// A crowded room that keeps the portfolio busy for much longer than a test lasts.
const CROWDED: &str = "############\n#  $ .  #  #\n#$ $$.$  # #\n#  .  $ *  #\n# * ## #+  #\n#.    $ #  #\n# *   $$.. #\n#        $.#\n##    .    #\n#    ## $  #\n#  .   .   #\n############\n";

#[test]
fn a_race_is_seen_while_it_runs_and_after() {
    let server = Running::start(Limits::default());
    let body = json!({"kind": "sokoban", "board": CROWDED}).to_string();
    let id = server.start_job(&body);
    let mut live = Value::Null;
    assert!(eventually(Duration::from_secs(30), || {
        let job = server.job(&id);
        live = job["live"].clone();
        let some = |what: &dyn Fn(&Value) -> bool| live["strategies"].as_array().unwrap().iter().any(what);
        let seen = some(&|one| one["state"] == "working") && some(&|one| one["backwards"] == true);
        job["status"] == "done" || (seen && !live["best"].is_null() && !live["pruned"]["dead-set"].is_null())
    }));
    let strategies = live["strategies"].as_array().unwrap();
    assert!(strategies.len() > 4, "{live}");
    let sum = |what: &str| strategies.iter().map(|one| one[what].as_u64().unwrap()).sum::<u64>();
    assert_eq!(live["expanded"], sum("expanded"));
    assert_eq!(live["generated"], sum("generated"));
    let heat = live["heat"].as_array().unwrap();
    assert_eq!(heat.len(), 12 * 12);
    assert!(heat.iter().any(|heat| heat == 255));
    // No box is ever moved into a wall.
    let walls = CROWDED.lines().flat_map(str::chars).zip(heat).filter(|(cell, _)| *cell == '#');
    assert!(walls.into_iter().all(|(_, heat)| heat == 0));
    assert!(live["pruned"]["dead-set"].as_u64() > Some(0), "{live}");
    let best = &live["best"];
    let board = best["board"].as_str().unwrap();
    assert_eq!(best["g"], Value::Null);
    assert_eq!(best["in_place"], board.matches('*').count());
    assert_eq!(board.matches(['$', '*']).count(), CROWDED.matches(['$', '*']).count());
    assert!(strategies.iter().any(|one| one["backwards"] == true && !one["best"].is_null()), "{live}");
    server.cancel(&id);
    let job = server.done(&id);
    assert!(job["result"]["pruned"]["dead-set"].as_u64() >= live["pruned"]["dead-set"].as_u64());
    assert_eq!(job["live"]["strategies"].as_array().unwrap().len(), strategies.len());
}

#[test]
fn one_search_has_no_strategies() {
    let server = Running::start(Limits::default());
    let job = server.job(&server.long_job());
    assert_eq!(job["live"]["strategies"], json!([]));
}

#[test]
fn contradictions_are_told_before_anything_runs() {
    let server = Running::start(Limits::default());
    let body = long_body().replace("\"deadlocks\":[]", "\"goal\":\"pushes\"");
    let refused = server.post("/api/v1/jobs", &body);
    assert_eq!(refused.status, 422);
    assert!(refused.sentence().contains("fewest pushes"), "{}", refused.sentence());
}

#[test]
fn an_inspected_search_tells_its_cuts() {
    let server = Running::start(Limits::default());
    let body = json!({"board": "#######\n#  .  #\n# $@  #\n#     #\n#######\n", "request": {"algorithm": "a-star"}})
        .to_string();
    let trace = server.post("/api/v1/inspect", &body).json();
    assert_eq!(trace["solved"], true);
    let successors = trace["expansions"][0]["successors"].as_array().unwrap();
    assert!(successors.iter().any(|one| one["fate"] == "cut" && one["rule"] == "dead-square"));
    assert!(successors.iter().any(|one| one["fate"] == "new"));
}

#[test]
fn a_search_from_both_ends_is_not_inspected_and_the_way_out_is_told() {
    let server = Running::start(Limits::default());
    let body =
        json!({"board": "#######\n#  .  #\n# $@  #\n#     #\n#######\n", "request": {"algorithm": "bidirectional"}});
    let refused = server.post("/api/v1/inspect", &body.to_string());
    assert_eq!(refused.status, 422);
    assert!(refused.sentence().contains("a-star") && refused.sentence().contains("reversed"), "{}", refused.sentence());
}

#[test]
fn a_lost_position_names_the_rule_and_the_boxes() {
    let server = Running::start(Limits::default());
    let seen = server.post("/api/v1/look", &json!({"board": "######\n#$ @ #\n#  . #\n######\n"}).to_string()).json();
    assert_eq!(seen["deadlock"]["rule"], "corner");
    assert_eq!(seen["deadlock"]["boxes"], json!([7]));
}

#[test]
fn lessons_hints_and_losses_are_told() {
    let server = Running::start(Limits::default());
    let lesson = server.get("/api/v1/lessons/corner").json();
    assert_eq!(server.get("/api/v1/lessons").json()["lessons"][3], lesson);
    assert_eq!(server.get("/api/v1/lessons/nothing").status, 404);
    let post = |path: &str, body: Value| server.post(&format!("/api/v1{path}"), &body.to_string());
    assert_eq!(post("/lessons/check", json!({"lesson": "push", "moves": "rRR"})).json()["done"], true);
    let hint = post("/hint", json!({"board": "######\n#@$ .#\n######\n", "solution": "RR"})).json();
    assert_eq!(hint["degrees"][2]["words"], "Push the marked box right.");
    let loss = post("/lost", json!({"board": "######\n#$ @ #\n#  . #\n######\n"})).json();
    assert_eq!(loss["reason"]["boxes"], json!([7]));
    let wrong = post("/jobs", json!({"kind": "daily", "date": "today"}));
    assert_eq!((wrong.status, wrong.sentence().contains("2026-11-17")), (422, true));
    let wrong = post("/jobs", json!({"kind": "rate", "board": "#", "request": {"node_limit": 1.5}}));
    assert!(wrong.status == 422 && wrong.sentence().contains("no whole number"), "{}", wrong.sentence());
}

#[test]
fn making_a_level_is_cancelled_at_once() {
    let server = Running::start(Limits::default());
    // No board of this size has so hard a level: all of them would be tried.
    let wish = json!({"boxes": [5, 6], "width": [12, 12], "height": [12, 12], "grade": [10, 10]});
    let id = server.start_job(&json!({"kind": "generate", "wish": wish}).to_string());
    assert!(eventually(Duration::from_secs(20), || server.job(&id)["status"] == "running"));
    let asked = Instant::now();
    let job = server.cancel(&id);
    assert!(asked.elapsed() < Duration::from_secs(10));
    assert!(eventually(Duration::from_secs(20), || server.job(&id)["result"]["outcome"] == "cancelled"), "{job}");
}
