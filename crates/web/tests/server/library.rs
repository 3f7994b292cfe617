//! The library over HTTP: browsing, adding, batch runs, reports, and what is said where it cannot be used.
#![cfg(unix)]

use crate::client::{Answer, LEVELS, Running, eventually};
use lurd_batch::Launcher;
use lurd_library::{Finding, Library, Origin, Recorder};
use lurd_web::{LibraryAccess, Limits, Options};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A search that takes a moment and leaves its level open; the real one is tested with the command.
const OPEN: &str = r#"read job; sleep 0.05; echo '{"end":"open","reason":"time limit","pushes_bound":1,"moves_bound":null,"record":null}'"#;
/// A search that never ends.
const ENDLESS: &str = "read job; exec sleep 1000";

const THREE: &str =
    "; One\n#######\n#@ $ .#\n#######\n\n; Two\n#####\n#@$.#\n#####\n\n; Mirrored\n#######\n#. $ @#\n#######\n";

struct Shelf {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Shelf {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data/library.db");
        Self { _folder: folder, path }
    }

    fn serve(&self, search: &str) -> Running {
        self.serve_within(search, Limits::default())
    }

    fn serve_within(&self, search: &str, limits: Limits) -> Running {
        let launcher =
            Launcher { program: "/bin/sh".into(), arguments: vec!["-c".into(), search.into()], memory: 1 << 30 };
        let recorder = Arc::new(Mutex::new(Recorder::new(self.path.clone())));
        let library = LibraryAccess::new(self.path.clone(), recorder, launcher, "here".into());
        Running::serve(Options { library: Some(library), limits, ..Options::new(lurd::parse(LEVELS).unwrap()) })
    }

    fn library(&self) -> Library {
        Library::open_existing(&self.path).unwrap()
    }
}

fn add(server: &Running, query: &str, text: &str) -> Answer {
    let kind = ("Content-Type", "application/octet-stream");
    server.ask_with("POST", &format!("/api/v1/library/collections{query}"), &[kind], text)
}

fn found(server: &Running, query: &str) -> Value {
    let answer = server.get(&format!("/api/v1/library/levels{query}"));
    assert_eq!(answer.status, 200, "{query}: {}", answer.body);
    answer.json()
}

fn titles(found: &Value) -> Vec<&str> {
    found["levels"].as_array().unwrap().iter().map(|level| level["title"].as_str().unwrap_or_default()).collect()
}

fn start(server: &Running, body: &Value) -> String {
    let answer = server.post("/api/v1/library/runs", &body.to_string());
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()["id"].as_str().unwrap().to_owned()
}

fn run(server: &Running, id: &str) -> Value {
    server.get(&format!("/api/v1/library/runs/{id}")).json()
}

#[test]
fn an_empty_library_is_browsed_without_being_made() {
    let shelf = Shelf::new();
    let server = shelf.serve(OPEN);
    assert_eq!(server.get("/api/v1/about").json()["library"], json!({"open": true, "why_not": null}));
    assert_eq!(found(&server, ""), json!({"total": 0, "levels": []}));
    assert_eq!(server.get("/api/v1/library/runs").json(), json!([]));
    assert_eq!(server.get("/api/v1/library").json()["levels"], 0);
    let none = server.post("/api/v1/library/runs", r#"{"filter":{}}"#);
    assert_eq!((none.status, none.sentence().contains("nothing to search")), (422, true));
    assert!(!shelf.path.exists(), "nobody put anything in");
}

#[test]
fn a_server_without_a_library_says_so_everywhere() {
    let server = Running::start(Limits::default());
    let about = server.get("/api/v1/about").json();
    assert_eq!(about["library"]["open"], false);
    assert!(about["library"]["why_not"].as_str().unwrap().contains("without a library"));
    for path in ["", "/levels", "/collections", "/runs", "/runs/x", "/runs/x/report", "/comparison?a=x&b=y"] {
        let answer = server.get(&format!("/api/v1/library{path}"));
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.sentence().contains("without a library"), "{path}: {}", answer.body);
    }
    assert_eq!(add(&server, "", THREE).status, 404);
}

#[test]
fn levels_are_added_found_and_pictured() {
    let shelf = Shelf::new();
    let server = shelf.serve(OPEN);
    let added = add(&server, "?name=Small%20set&source=three.xsb", THREE);
    assert_eq!(added.status, 201, "{}", added.body);
    assert_eq!(added.json()["new_levels"], 2, "the third is the first, mirrored");
    let again = add(&server, "?name=Other%20name", THREE);
    assert_eq!((again.status, &again.json()["name"], &again.json()["known"]), (200, &json!("Small set"), &json!(true)));
    assert_eq!(add(&server, "?name=Small%20set", LEVELS).json()["name"], "Small set (2)", "nothing is replaced");
    let collections = server.get("/api/v1/library/collections").json();
    assert_eq!((&collections[0]["name"], &collections[0]["levels"]), (&json!("Small set"), &json!(3)));

    let all = found(&server, "?most=1&skip=1");
    assert_eq!((all["levels"].as_array().unwrap().len(), titles(&all)), (1, vec!["Two"]));
    assert!(all["total"].as_u64() > Some(40));
    assert_eq!(titles(&found(&server, "?text=mirrored")), ["Mirrored"]);
    assert_eq!(titles(&found(&server, "?collection=small%20set")), ["One", "Two"]);
    assert_eq!(titles(&found(&server, "?collection=Small%20set&squares=-3")), ["Two"]);
    assert!(found(&server, "?grades=3-5").get("total").and_then(Value::as_u64) > Some(0));

    let level = &found(&server, "?text=mirrored")["levels"][0];
    let (key, turn) = (level["key"].as_str().unwrap(), &level["turn"]);
    let record = |lurd: &str| {
        let map = lurd::Map::from_xsb("#######\n#@ $ .#\n#######").unwrap();
        let bound = Some((lurd::improve::Metric::Pushes, 2));
        shelf
            .library()
            .record(&map, &Finding { bound, ..Finding::solution(lurd) }, &Origin::new("me", "by hand"))
            .unwrap();
    };
    record("rRR");
    let known = server.get(&format!("/api/v1/library/levels/{key}?turn={turn}")).json();
    assert_eq!(known["board"], "#######\n#. $ @#\n#######\n");
    assert_eq!((&known["solutions"][0]["lurd"], &known["solutions"][0]["finder"]), (&json!("lLL"), &json!("me")));
    assert_eq!((&known["pushes"]["proof"], &known["moves"]["proof"]), (&json!("optimal-pushes"), &json!("none")));
    assert_eq!(known["entries"].as_array().unwrap().len(), 3, "it stands in both collections, in one of them twice");
    assert!(titles(&found(&server, "?state=proved&collection=small%20set")).contains(&"One"));
    assert_eq!(titles(&found(&server, "?state=unsolved&collection=small%20set")), ["Two"]);

    let pictured = |theme: &str| {
        let found = found(&server, &format!("?text=mirrored&pictures={theme}"));
        found["levels"][0]["picture"].as_str().unwrap().to_owned()
    };
    assert!(level["picture"].is_null(), "nobody asked for it");
    assert!(pictured("dark").starts_with("<svg") && pictured("dark").contains("#57616e"));
    let goal = "<circle class=\"goal\" fill=\"#1b62a5\" cx=\"15\" cy=\"15\"";
    assert!(pictured("light").contains(goal), "as its collection draws it: {}", pictured("light"));
}

#[test]
fn wrong_questions_get_a_sentence() {
    let shelf = Shelf::new();
    let server = shelf.serve(OPEN);
    add(&server, "?name=three", THREE);
    let key = found(&server, "")["levels"][0]["key"].as_str().unwrap().to_owned();
    let long = "x".repeat(300);
    for (path, status) in [
        ("/levels?boxes=many".to_owned(), 422),
        ("/levels?squares=9-3".to_owned(), 422),
        ("/levels?state=green".to_owned(), 422),
        ("/levels?sort=colour".to_owned(), 422),
        ("/levels?most=0".to_owned(), 422),
        ("/levels?most=x".to_owned(), 400),
        ("/levels?colour=red".to_owned(), 400),
        (format!("/levels?text={long}"), 422),
        ("/levels?collection=nothing".to_owned(), 404),
        ("/levels/abc".to_owned(), 404),
        (format!("/levels/{}", "0".repeat(32)), 404),
        (format!("/levels/{key}?turn=8"), 422),
        ("/levels?pictures=pink".to_owned(), 422),
        ("/runs/none".to_owned(), 404),
        ("/runs/none/report".to_owned(), 404),
        ("/runs/none/report/doc".to_owned(), 422),
        ("/runs/none/events".to_owned(), 404),
        ("/comparison?a=x".to_owned(), 400),
        ("/comparison?a=x&b=y".to_owned(), 404),
    ] {
        let answer = server.get(&format!("/api/v1/library{path}"));
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        assert!(!answer.sentence().is_empty(), "{path}");
    }
    for (body, status) in [
        ("{}", 422),
        (r#"{"collections":[]}"#, 422),
        (r#"{"collections":["three"],"filter":{}}"#, 422),
        (r#"{"collections":["thre"]}"#, 404),
        (r#"{"filter":{"boxes":"x"}}"#, 422),
        (r#"{"filter":{"text":"no such level"}}"#, 422),
        (r#"{"filter":{},"request":{"goal":"fun"}}"#, 422),
        (r#"{"filter":{},"request":{"algorithm":"magic"}}"#, 422),
        (r#"{"filter":{},"request":{"goal":"moves","then":"moves"}}"#, 422),
        (r#"{"filter":{},"seconds":[]}"#, 422),
        (r#"{"filter":{},"seconds":[0]}"#, 422),
        (r#"{"filter":{},"seconds":[10,1]}"#, 422),
        (r#"{"filter":{},"seconds":[99999999]}"#, 422),
        (r#"{"filter":{},"jobs":0}"#, 422),
        (r#"{"filter":{},"jobs":1000}"#, 422),
        (r#"{"filter":{},"name":" "}"#, 422),
        (r#"{"filter":{},"colour":"red"}"#, 422),
        ("{", 400),
    ] {
        let answer = server.post("/api/v1/library/runs", body);
        assert_eq!(answer.status, status, "{body}: {}", answer.body);
        assert!(!answer.sentence().is_empty(), "{body}");
    }
    assert_eq!(server.get("/api/v1/library/runs").json(), json!([]), "none of these began a run");
    for text in ["", "this is no level", "####\n#@ #\n####"] {
        let answer = add(&server, "?name=x", text);
        assert_eq!((answer.status, answer.sentence().is_empty()), (422, false), "{text}: {}", answer.body);
    }
    assert_eq!(add(&server, "?name=%0A", THREE).status, 422);
    assert_eq!(add(&server, "?format=doc", THREE).status, 422);
    assert_eq!(add(&server, "?name=x", &"#".repeat(9 << 20)).status, 413);
}

#[test]
fn a_run_is_led_watched_and_reported() {
    let shelf = Shelf::new();
    let server = shelf.serve(OPEN);
    add(&server, "?name=three", THREE);
    let body =
        json!({"collections": ["three"], "request": {"goal": "pushes"}, "seconds": [1, 2], "jobs": 1, "name": "first"});
    let id = start(&server, &body);
    // A stream ends by itself when the run does.
    let events = server.get(&format!("/api/v1/library/runs/{id}/events")).body;
    assert!(events.contains("event: done") && events.contains(r#""state":"ended""#), "{events}");
    let ended = run(&server, &id);
    assert_eq!((&ended["levels"], &ended["open"], &ended["solved"]), (&json!(2), &json!(2), &json!(0)));
    let report = server.get(&format!("/api/v1/library/runs/{id}/report")).json();
    let headings: Vec<_> = report["sections"].as_array().unwrap().iter().map(|part| &part["heading"]).collect();
    assert_eq!(headings, ["Overview", "Solved by time", "By collection", "Unsolved"]);
    assert_eq!(
        report["sections"][3]["boards"][2]["board"], "#######\n#. $ @#\n#######\n",
        "as its collection draws it"
    );
    // It is the same thing that the command leads.
    let library = shelf.library();
    let row = library.run("first").unwrap();
    let options: Value = serde_json::from_str(&row.run.options).unwrap();
    assert_eq!(options["request"], json!({"goal": "pushes"}));
    assert_eq!(options["ladder"], json!([1.0, 2.0]));
    assert_eq!(library.run_entries(row.id).unwrap()[0].results.len(), 2, "both rounds");
    // Files are those of the command, and are saved, not shown.
    for (form, start) in
        [("html", "<!doctype html>"), ("csv", "collection,level"), ("json", "{"), ("md", "# Run first")]
    {
        let file = server.get(&format!("/api/v1/library/runs/{id}/report/{form}"));
        assert!(file.body.starts_with(start), "{form}: {}", &file.body[..80.min(file.body.len())]);
        assert!(file.head.contains("content-disposition: attachment"), "{form}");
    }
    let taken = server.post("/api/v1/library/runs", &body.to_string());
    assert_eq!((taken.status, taken.sentence().contains("there is a run `first` already")), (409, true));
    let over = server.post(&format!("/api/v1/library/runs/{id}/resume"), "{}");
    assert_eq!((over.status, over.sentence().contains("has ended")), (409, true));

    let second = start(&server, &json!({"filter": {"text": "two"}, "seconds": [1]}));
    assert!(eventually(Duration::from_secs(20), || run(&server, &second)["state"] == "ended"));
    assert_eq!(run(&server, &second)["levels"], 1);
    let pair = format!("a={id}&b={second}");
    let comparison = server.get(&format!("/api/v1/library/comparison?{pair}")).json();
    assert_eq!(comparison["sections"][0]["table"]["rows"][0], json!(["solved", "0", "0", "1.0000"]));
    let csv = server.get(&format!("/api/v1/library/comparison/csv?{pair}")).body;
    assert_eq!(csv.lines().count(), 2, "{csv}");
    let level = found(&server, "?text=two")["levels"][0]["key"].as_str().unwrap().to_owned();
    assert_eq!(server.get(&format!("/api/v1/library/levels/{level}")).json()["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn a_run_stops_and_goes_on_and_ends_with_the_server() {
    let shelf = Shelf::new();
    let mut server = shelf.serve(ENDLESS);
    add(&server, "?name=three", THREE);
    let id = start(&server, &json!({"collections": ["three"], "seconds": [600]}));
    assert_eq!(run(&server, &id)["state"], "running");
    let other = server.post("/api/v1/library/runs", r#"{"collections":["three"]}"#);
    assert_eq!((other.status, other.sentence().contains("one at a time")), (409, true));
    let stopped = server.post(&format!("/api/v1/library/runs/{id}/stop"), "").json();
    assert_eq!((&stopped["state"], &stopped["why_not"]), (&json!("interrupted"), &Value::Null));
    let again = server.post(&format!("/api/v1/library/runs/{id}/stop"), "");
    assert_eq!((again.status, again.sentence().contains("does not lead")), (409, true));
    let resumed = server.post(&format!("/api/v1/library/runs/{id}/resume"), "{}");
    assert_eq!((resumed.status, &resumed.json()["state"]), (200, &json!("running")));
    server.end();
    // Its lock is free, so nothing of it goes on.
    assert!(!lurd_batch::is_led(&shelf.path, &id));
    let server = shelf.serve(OPEN);
    assert_eq!(run(&server, &id)["state"], "interrupted");
    server.post(&format!("/api/v1/library/runs/{id}/resume"), "{}");
    assert!(eventually(Duration::from_secs(20), || run(&server, &id)["state"] == "ended"));
}

#[test]
fn a_run_of_another_process_is_told_and_left_alone() {
    let shelf = Shelf::new();
    let mut server = shelf.serve(ENDLESS);
    add(&server, "?name=three", THREE);
    let id = start(&server, &json!({"collections": ["three"], "seconds": [600]}));
    server.end();
    let server = shelf.serve_within(OPEN, Limits { time: Duration::from_secs(60), ..Limits::default() });
    {
        let _lock = lurd_batch::RunLock::take(&shelf.path, &id, "x").unwrap();
        assert_eq!(run(&server, &id)["state"], "elsewhere");
    }
    let refused = server.post(&format!("/api/v1/library/runs/{id}/resume"), "{}");
    assert_eq!((refused.status, refused.sentence().contains("longer than the 60 s")), (422, true), "{}", refused.body);
}

#[test]
fn a_file_that_is_no_library_is_told_and_left_alone() {
    let shelf = Shelf::new();
    let server = shelf.serve(OPEN);
    std::fs::create_dir_all(shelf.path.parent().unwrap()).unwrap();
    let damaged = vec![7; 5000];
    std::fs::write(&shelf.path, &damaged).unwrap();
    for answer in [server.get("/api/v1/library/levels"), add(&server, "?name=x", THREE)] {
        assert_eq!((answer.status, answer.sentence().contains("damaged")), (503, true), "{}", answer.body);
    }
    assert_eq!(std::fs::read(&shelf.path).unwrap(), damaged);
    // One that comes into its place is used at once.
    std::fs::remove_file(&shelf.path).unwrap();
    assert_eq!(add(&server, "?name=x", THREE).status, 201);
    assert_eq!(found(&server, "")["total"], 2);
}
