//! Fifty searches and two hundred streams at once.

use crate::client::Running;
use lurd_web::Limits;
use serde_json::{Value, json};

/// Memory the process holds, in bytes; `None` where the system does not say.
fn held() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

#[test]
fn fifty_searches_and_two_hundred_streams() {
    let server = Running::start(Limits { running: 4, memory: 64 << 20, ..Limits::default() });
    let levels = server.get("/api/v1/levels").json();
    // A search that goes on all the while, watched by many who wait.
    let long = server.long_job();
    let before = held();
    let streams: Vec<_> = (0..200).map(|_| server.stream(&long)).collect();
    assert_eq!(server.listed(&long)["watchers"], 200);

    let level = |index: usize| -> &Value { &levels["levels"][index % 24] };
    let answers: Vec<Value> = std::thread::scope(|scope| {
        let solve = |index: usize| {
            let server = &server;
            let board = level(index)["board"].as_str().unwrap().to_owned();
            move || {
                let body = json!({"kind": "sokoban", "board": board, "request": {"goal": "pushes"}}).to_string();
                server.done(&server.start_job(&body))["result"].clone()
            }
        };
        let threads: Vec<_> = (0..50).map(|index| scope.spawn(solve(index))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (index, result) in answers.iter().enumerate() {
        let level = level(index);
        let verdict =
            lurd_referee::judge(level["board"].as_str().unwrap(), result["solution"].as_str().unwrap()).unwrap();
        assert!(verdict.solved, "level {index}");
        assert_eq!(result["proof"], "optimal-pushes");
        let optimum =
            level["notes"].as_array().unwrap().iter().find_map(|note| note.as_str()?.strip_prefix("Pushes: "));
        assert_eq!(Some(verdict.pushes.to_string().as_str()), optimum, "level {index}");
    }
    if let (Some(before), Some(after)) = (before, held()) {
        let grown = after.saturating_sub(before) >> 20;
        // Four searches of at most 64 MiB at a time, and what the streams and answers take.
        assert!(grown < 400, "{grown} MiB more than before");
    }
    assert_eq!(server.listed(&long)["status"], "running", "the long search was not disturbed");
    assert_eq!(server.listed(&long)["watchers"], 200, "no stream was lost");
    drop(streams);
}
