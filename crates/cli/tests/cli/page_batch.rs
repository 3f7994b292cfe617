//! Batch runs that are started from the page: the same runs that `lurd batch` knows, and no less safe.
#![cfg(unix)]

use super::{Folder, objects, press_control_c, spawn, text};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// A server that is killed where a test forgets it.
pub(crate) struct Served {
    pub(crate) child: Child,
    address: String,
}

impl Served {
    pub(crate) fn start(folder: &Path) -> Self {
        let limits = ["--jobs", "2", "--memory-limit", "4GiB"];
        let arguments = [&["serve", "--no-open", "--port", "0", "--library", "library.db"][..], &limits].concat();
        let mut child = spawn("lurd", folder, &arguments);
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
        Self { child, address }
    }

    /// Asks something of the library.
    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        self.request(method, &format!("/library{path}"), body)
    }

    /// Asks something of the API.
    pub(crate) fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} /api/v1{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {head} {body}"))
    }

    fn wait_for(&self, run: &str, what: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_secs(120);
        loop {
            let state = self.ask("GET", &format!("/runs/{run}"), "");
            if what(&state) {
                return state;
            }
            assert!(Instant::now() < until, "{state}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Searches that somebody started and nobody ended, among those of a folder.
fn searches(folder: &Path) -> usize {
    let is_search = |process: &Path| {
        std::fs::read(process.join("cmdline")).is_ok_and(|words| words.ends_with(b"search-job\0"))
            && std::fs::read_link(process.join("cwd")).is_ok_and(|place| place == folder)
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.filter(|process| is_search(&process.path())).count()
}

/// A folder with a library of lurd's own levels and one that no search ends.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("own.xsb", include_str!("../../../../levels/lurd.xsb"));
    folder.file("wide.xsb", super::WIDE);
    folder.lurd("library add own.xsb wide.xsb --library library.db").success();
    folder
}

/// When each result of a run was stored, by level.
fn results(folder: &Folder, run: &str) -> BTreeMap<String, String> {
    let report = folder.lurd(&format!("batch report {run} --json --library library.db"));
    let report: Value = serde_json::from_str(text(&report)).unwrap();
    let tried = |row: &&Value| row["end"] != "untried";
    let row = |row: &Value| (format!("{} {}", row["collection"], row["level"]), row.to_string());
    report["results"].as_array().unwrap().iter().filter(tried).map(row).collect()
}

#[test]
fn a_server_killed_in_a_batch_resumes_it_and_does_nothing_twice() {
    let folder = folder();
    let mut served = Served::start(folder.path());
    let body =
        json!({"collections": ["own"], "request": {"goal": "pushes"}, "seconds": [20], "jobs": 2, "name": "page"});
    let id = served.ask("POST", "/runs", &body.to_string())["id"].as_str().unwrap().to_owned();
    served.wait_for(&id, |run| run["solved"].as_u64() >= Some(5));
    // No word of farewell: SIGKILL.
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    let before = results(&folder, "page");
    assert!(before.len() >= 5 && before.len() < 53, "{} levels were done", before.len());

    let served = Served::start(folder.path());
    let found = served.ask("GET", &format!("/runs/{id}"), "");
    assert_eq!((&found["state"], &found["why_not"]), (&json!("interrupted"), &Value::Null), "{found}");
    let resumed = served.ask("POST", &format!("/runs/{id}/resume"), "{}");
    assert_eq!(resumed["state"], "running", "{resumed}");
    let ended = served.wait_for(&id, |run| run["state"] == "ended");
    assert_eq!(ended["solved"], 53, "{ended}");
    let after = results(&folder, "page");
    assert_eq!(after.len(), 53);
    // A level that was searched again would have another time.
    for (level, result) in &before {
        assert_eq!(after.get(level), Some(result), "{level}");
    }
    let listed = objects(&folder.lurd("batch list --json --library library.db"));
    assert_eq!((listed.len(), &listed[0]["name"], &listed[0]["solved"]), (1, &json!("page"), &json!(53)));
    folder.lurd("library verify --library library.db").success();
}

#[test]
fn a_batch_of_the_page_ends_with_the_server_and_goes_on_by_the_command() {
    let folder = folder();
    let mut served = Served::start(folder.path());
    let body = json!({"filter": {"collection": "wide"}, "request": {"algorithm": "breadth-first"}, "seconds": [900], "name": "long"});
    let id = served.ask("POST", "/runs", &body.to_string())["id"].as_str().unwrap().to_owned();
    served.wait_for(&id, |_| searches(folder.path()) == 1);
    // While the page leads it, the command does not.
    let taken = folder.lurd("batch resume long --library library.db").code(2);
    let said = String::from_utf8_lossy(&taken.get_output().stderr).into_owned();
    assert!(said.contains("under way in another process"), "{said}");
    press_control_c(&served.child);
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    assert_eq!(searches(folder.path()), 0, "no search outlives its server");

    // A run that the command began is found, led and stopped by the page.
    let mut command = spawn("lurd", folder.path(), &["batch", "resume", "long", "--library", "library.db"]);
    let served = Served::start(folder.path());
    served.wait_for(&id, |run| run["state"] == "elsewhere");
    press_control_c(&command);
    command.wait().unwrap();
    served.wait_for(&id, |run| run["state"] == "interrupted");
    served.ask("POST", &format!("/runs/{id}/resume"), "{}");
    served.wait_for(&id, |_| searches(folder.path()) == 1);
    let stopped = served.ask("POST", &format!("/runs/{id}/stop"), "");
    assert_eq!(stopped["state"], "interrupted", "{stopped}");
    assert_eq!(searches(folder.path()), 0);
}
