//! Runs with scripts in the place of lurd.exe.

use super::*;
use crate::metric::wanted;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

/// A host that asks for a stop after some tellings.
struct Caller {
    told: Vec<Status>,
    stop_after: usize,
    terminated: bool,
    adopted: usize,
}

impl Caller {
    fn patient() -> Self {
        Self { told: Vec::new(), stop_after: usize::MAX, terminated: false, adopted: 0 }
    }
}

impl Host for Caller {
    fn tell(&mut self, status: &Status) -> bool {
        self.told.push(status.clone());
        self.told.len() > self.stop_after
    }

    fn is_stopped(&self) -> bool {
        self.terminated
    }

    fn adopt(&mut self, _: &Child) {
        self.adopted += 1;
    }
}

/// A script that stands for lurd.exe; the folder has to live as long as it runs.
fn script(body: &str) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lurd.exe");
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    (folder, path)
}

fn solve() -> Task {
    Task::solve("#####\n#@$.#\n#####\n".into(), wanted(0).unwrap())
}

fn ran(body: &str, host: &mut Caller) -> Answer {
    let (_folder, path) = script(body);
    run(&path, &solve(), &Settings::default(), host)
}

const SOLVED: &str = r#"echo '{"outcome":"solved","solution":"R","moves":1,"pushes":1,"proof":"none","generated":7}'"#;

#[test]
fn a_result_comes_back_and_progress_is_told() {
    let mut host = Caller::patient();
    let progress = r#"echo '{"generated":1234,"lower_bound":9}' >&2; sleep 0.5"#;
    let answer = ran(&format!("{progress}; {SOLVED}"), &mut host);
    assert_eq!((answer.code, answer.game.as_deref()), (ReturnCode::Success, Some("R")));
    assert_eq!(host.adopted, 1);
    assert!(host.told.iter().any(|status| status.text == "1,234 positions, no solution is below 9"), "{:?}", host.told);
}

/// The level arrives whole and the input stays open behind its mark.
#[test]
fn the_level_is_handed_over() {
    let body = format!("level=$(dd bs=1 count=18 2>/dev/null); case $level in '#####'*'#####') {SOLVED} ;; esac");
    assert_eq!(ran(&body, &mut Caller::patient()).code, ReturnCode::Success);
}

#[test]
fn a_stop_closes_the_input_and_takes_what_is_printed_then() {
    let mut host = Caller { stop_after: 1, ..Caller::patient() };
    let answer = ran(&format!("cat >/dev/null; {SOLVED}; exit 130"), &mut host);
    assert_eq!(answer.code, ReturnCode::Success);
    let mut host = Caller { terminated: true, ..Caller::patient() };
    assert_eq!(ran("cat >/dev/null; exit 130", &mut host).code, ReturnCode::Stopped);
    assert!(host.told.is_empty());
}

#[test]
fn a_process_that_does_not_listen_is_killed() {
    let mut host = Caller { stop_after: 0, ..Caller::patient() };
    let began = Instant::now();
    assert_eq!(ran("exec sleep 60", &mut host).code, ReturnCode::Stopped);
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn endings_without_a_result_are_told_apart() {
    let code = |body: &str| {
        let answer = ran(body, &mut Caller::patient());
        (answer.code, answer.text)
    };
    assert_eq!(code("echo 'lurd: there is no box' >&2; exit 2"), (ReturnCode::InvalidLevel, "there is no box".into()));
    assert_eq!(code("exit 0"), (ReturnCode::Failure, "lurd.exe ended without a result (exit code 0)".into()));
    assert_eq!(code("kill -9 $$"), (ReturnCode::Failure, "lurd.exe was killed".into()));
    assert_eq!(code("echo nonsense; exit 1").0, ReturnCode::Failure);
}

#[test]
fn a_program_that_is_missing_is_named() {
    let answer = run(Path::new("/nowhere/lurd.exe"), &solve(), &Settings::default(), &mut Caller::patient());
    assert_eq!(answer.code, ReturnCode::Failure);
    assert!(answer.text.contains("/nowhere/lurd.exe"), "{}", answer.text);
}

#[test]
fn a_process_that_closes_its_outputs_and_stays_is_killed() {
    assert_eq!(ran("exec >/dev/null 2>&1; exec sleep 60", &mut Caller::patient()).code, ReturnCode::Failure);
}

/// Another process holds the outputs open, as the server of a console may.
#[test]
fn a_call_ends_with_its_process_whoever_holds_its_pipes() {
    let began = Instant::now();
    assert_eq!(ran(&format!("sleep 60 & {SOLVED}"), &mut Caller::patient()).code, ReturnCode::Success);
    assert!(began.elapsed() < Duration::from_secs(30));
}

/// The limit is lurd's own business; this is for a process that forgets it.
#[test]
fn overtime_ends_a_call() {
    let (_folder, path) = script("exec sleep 60");
    let mut settings = Settings::default();
    settings.request.limits.time = Some(Duration::from_secs(1));
    assert_eq!(run(&path, &solve(), &settings, &mut Caller::patient()).code, ReturnCode::Timeout);
}
