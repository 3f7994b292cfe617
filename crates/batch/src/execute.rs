//! One search in a child process: it may crash, take all memory or never end, and the others go on.
//!
//! The child reads the job as a line of JSON from its standard input and prints its [`Record`] as another. Its input stays
//! open for as long as it may live: when this process ends, however it ends, the child sees the end of its input and
//! leaves.

use crate::job::{Fault, Job, JobReport};
use lurd::{Ending, Record};
use lurd_base::Cancel;
use lurd_library::JobEnd;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often limits and the cancel flag are looked at. The end of the search itself is noticed at once.
const POLL: Duration = Duration::from_millis(50);

/// What a search may take beyond its time limit before it is ended from outside.
const GRACE: Duration = Duration::from_secs(5);

/// What a process takes beside the tables of its search.
const OVERHEAD: u64 = 192 << 20;

/// The most that is kept of what a child prints on standard error.
const COMPLAINT: usize = 4096;

/// How a search process is started.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Bytes of a search whose job does not say.
    pub memory: u64,
}

/// Runs a job in a child process. `None` if it was cancelled.
pub fn execute(launcher: &Launcher, job: &Job, worker: &str, cancel: &Cancel) -> Option<JobReport> {
    if job.fault == Some(Fault::Worker) {
        // What a test asks for: the worker is gone, as if the machine were.
        std::process::abort();
    }
    let begun = Instant::now();
    let failed = |reason: String| Some(JobReport::failed(job, reason, begun.elapsed().as_secs_f64(), worker));
    let limits = job.request.limits;
    let memory = limits.memory.map_or(launcher.memory, |memory| memory as u64);
    let mut job_with_memory = job.clone();
    job_with_memory.request.limits.memory = Some(usize::try_from(memory).unwrap_or(usize::MAX));
    let mut process = match Process::start(launcher, &job_with_memory) {
        Ok(process) => process,
        Err(error) => return failed(format!("the search could not be started: {error}")),
    };
    let deadline =
        limits.time.and_then(|limit| begun.checked_add(limit.saturating_add(limit / 4).saturating_add(GRACE)));
    let most = memory.saturating_add(memory / 4).saturating_add(OVERHEAD);
    loop {
        match process.output.recv_timeout(POLL) {
            Ok(Spoken::Answer(text)) => {
                let status = process.child.wait();
                return Some(report(job, &text, status, &process.complaint(), begun.elapsed(), worker));
            }
            Ok(Spoken::Complaint(text)) => process.complaint = Some(text),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return failed("the search ended without a word".into()),
        }
        if cancel.is_cancelled() {
            return None;
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            let limit = limits.time.unwrap_or_default().as_secs_f64();
            return failed(format!(
                "it did not end in time: it was stopped from outside, long after its limit of {limit} s"
            ));
        }
        if resident(process.child.id()).is_some_and(|bytes| bytes > most) {
            let limit = memory >> 20;
            return failed(format!(
                "it took too much memory: it was stopped from outside, far above its limit of {limit} MiB"
            ));
        }
    }
}

/// What a child says.
enum Spoken {
    Answer(Vec<u8>),
    Complaint(Vec<u8>),
}

/// A child that does not outlive this value.
struct Process {
    child: Child,
    output: Receiver<Spoken>,
    /// What the child printed on standard error, once it has closed it.
    complaint: Option<Vec<u8>>,
}

impl Process {
    fn start(launcher: &Launcher, job: &Job) -> io::Result<Self> {
        let mut child = Command::new(&launcher.program)
            .args(&launcher.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (said, output) = channel();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let mut process = Self { child, output, complaint: None };
        let complaints = said.clone();
        if let Some(mut stderr) = stderr {
            listen(move || {
                let mut text = Vec::new();
                let _ = stderr.by_ref().take(COMPLAINT as u64).read_to_end(&mut text);
                // The rest is thrown away, so that the child never waits for a reader.
                let _ = io::copy(&mut stderr, &mut io::sink());
                let _ = complaints.send(Spoken::Complaint(text));
            })?;
        }
        if let Some(mut stdout) = stdout {
            listen(move || {
                let mut text = Vec::new();
                let _ = stdout.read_to_end(&mut text);
                let _ = said.send(Spoken::Answer(text));
            })?;
        }
        let mut line = serde_json::to_vec(job)?;
        line.push(b'\n');
        // A child that is gone already has said why, or its end says it.
        if let Some(stdin) = &mut process.child.stdin {
            let _ = stdin.write_all(&line).and_then(|()| stdin.flush());
        }
        Ok(process)
    }

    /// What the child, which has ended, printed on standard error.
    fn complaint(&mut self) -> String {
        if self.complaint.is_none()
            && let Ok(Spoken::Complaint(text)) = self.output.recv_timeout(Duration::from_secs(1))
        {
            self.complaint = Some(text);
        }
        String::from_utf8_lossy(self.complaint.as_deref().unwrap_or_default()).into_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // After its end both calls do nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().stack_size(64 << 10).spawn(work).map(drop)
}

/// The report of a child that has ended.
fn report(
    job: &Job,
    text: &[u8],
    status: io::Result<ExitStatus>,
    complaint: &str,
    elapsed: Duration,
    worker: &str,
) -> JobReport {
    let seconds = elapsed.as_secs_f64();
    let failed = |reason: String| JobReport::failed(job, reason, seconds, worker);
    let status = match status {
        Ok(status) => status,
        Err(error) => return failed(format!("the search was lost: {error}")),
    };
    if !status.success() {
        return failed(ending(status, complaint));
    }
    match serde_json::from_slice::<Record>(text) {
        Err(error) => failed(format!("the search gave no answer that can be read: {error}")),
        Ok(record) => {
            let end = match record.outcome {
                _ if record.solution.is_some() => JobEnd::Solved,
                Ending::Unsolvable => JobEnd::Unsolvable,
                _ => JobEnd::Open,
            };
            let reason = (end == JobEnd::Open).then(|| record.in_words());
            JobReport { end, reason, record: Some(record), ..failed(String::new()) }
        }
    }
}

/// Why a child that did not succeed has ended, in words.
fn ending(status: ExitStatus, complaint: &str) -> String {
    let line = |line: &&str| !line.trim().is_empty() && !line.starts_with("note: run with");
    let said = complaint.lines().rfind(line).unwrap_or_default().trim();
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let maybe = if signal == 9 { ", perhaps because the system had no memory left" } else { "" };
        return format!("the search crashed by signal {signal}{maybe}{said}");
    }
    match status.code() {
        Some(code) => format!("the search ended with code {code}{said}"),
        None => format!("the search crashed{said}"),
    }
}

/// The memory of a process that is in use, where the system says.
fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::job::RunOptions;
    use crate::job::tests::easy;

    /// A child that is a line of shell.
    fn shell(script: &str) -> Launcher {
        Launcher { program: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()], memory: 1 << 30 }
    }

    fn job() -> Job {
        easy(&RunOptions { ladder: vec![Some(0.1)], ..RunOptions::default() })
    }

    fn run(script: &str) -> JobReport {
        execute(&shell(script), &job(), "me", &Cancel::new()).unwrap()
    }

    #[test]
    fn an_answer_is_taken() {
        let answer = r#"read job; echo '{"outcome":"solved","formulation":"push","lower_bound":1,"solution":"R"}'"#;
        let report = run(answer);
        assert_eq!((report.end, report.solution()), (JobEnd::Solved, Some("R")));
        assert_eq!(report.finding().and_then(|finding| finding.bound), Some((lurd::improve::Metric::Pushes, 1)));
        assert_eq!((report.worker.as_str(), report.reason), ("me", None));
    }

    #[test]
    fn every_bad_end_is_told() {
        for (script, reason) in [
            ("kill -ABRT $$", "crashed by signal 6"),
            ("echo 'thread panicked' >&2; exit 101", "ended with code 101: thread panicked"),
            ("echo nonsense", "no answer that can be read"),
            ("yes complaint | head -c 3000000 >&2; exit 1", "ended with code 1: compla"),
        ] {
            let report = run(script);
            assert_eq!(report.end, JobEnd::Failed, "{script}");
            assert!(report.reason.as_deref().unwrap().contains(reason), "{script}: {:?}", report.reason);
        }
        let missing = Launcher { program: "/no/such/program".into(), ..shell("") };
        let report = execute(&missing, &job(), "me", &Cancel::new()).unwrap();
        assert!(report.reason.unwrap().contains("could not be started"));
    }

    #[test]
    fn one_that_does_not_end_is_ended() {
        let report = run("exec sleep 1000");
        assert!(report.reason.unwrap().contains("did not end in time"));
        assert!(report.seconds > 5.0);
    }

    #[test]
    fn a_cancelled_job_gives_nothing() {
        let cancel = Cancel::new();
        cancel.cancel();
        assert_eq!(execute(&shell("exec sleep 1000"), &job(), "me", &cancel), None);
    }
}
