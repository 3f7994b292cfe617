//! `lurd search-job`, which `batch` and `worker` start for each search: one job from standard input, one record to
//! standard output. When its input ends, whoever started it is gone, and it leaves.

use crate::exit::{Ending, Exit, Failure};
use crate::output::json_line;
use crate::refused;
use clap::Args;
use lurd::{Cancel, Level, Record};
use lurd_batch::{Fault, Job};
use std::io::{self, BufRead, Read};
use std::time::Duration;

/// Search one level for a batch
#[derive(Args, Debug)]
pub struct SearchJobArguments {}

/// Reads the job, searches, answers.
pub fn run() -> Ending {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let job: Job = serde_json::from_str(&line).map_err(|error| Failure::usage(format!("this is no job: {error}")))?;
    // Where the system has no memory left, this process is the one to go.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    std::thread::spawn(|| {
        let _ = io::stdin().lock().read_to_end(&mut Vec::new());
        std::process::exit(Exit::Interrupted.code().into());
    });
    misbehave(job.fault);
    let answer = search(&job)?;
    json_line(&mut io::stdout().lock(), &answer)?;
    // The thread that waits for the end of the input is not waited for.
    std::process::exit(0);
}

fn search(job: &Job) -> Result<Record, Failure> {
    let level = Level::parse(&job.form).map_err(|error| Failure::usage(error.to_string()))?;
    let report = lurd::solve_with(&level, &job.request, &Cancel::new(), &mut |_| ())
        .map_err(|error| Failure::usage(refused::sentence(&error)))?;
    Ok(report.record(&level))
}

/// Does what a test asks for.
fn misbehave(fault: Option<Fault>) {
    match fault {
        Some(Fault::Crash) => std::process::abort(),
        Some(Fault::Memory) => {
            let mut taken: Vec<Vec<u8>> = Vec::new();
            loop {
                // Written to, because memory that nobody has written to is not taken.
                taken.push(vec![1; 16 << 20]);
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        Some(Fault::Endless) => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        Some(Fault::Worker) | None => {}
    }
}
