//! `lurd search-job`, which `batch` and `worker` start for each search: one job from standard input, one answer to
//! standard output. When its input ends, whoever started it is gone, and it leaves.

use crate::exit::{Ending, Exit, Failure};
use crate::flags::SearchFlags;
use crate::output::json_line;
use crate::record::{self, Record};
use crate::refused;
use clap::{Args, Parser};
use lurd::{Cancel, Level, Outcome, Report};
use lurd_base::Limits;
use lurd_batch::{Answer, Fault, Job};
use lurd_library::{Finding, JobEnd};
use std::io::{self, BufRead, Read};
use std::time::Duration;

/// Search one level for a batch
#[derive(Args, Debug)]
pub struct SearchJobArguments {}

/// The choices of a job.
#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    search: SearchFlags,
}

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

fn search(job: &Job) -> Result<Answer, Failure> {
    let words = Words::try_parse_from(std::iter::once("lurd").chain(job.search.iter().map(String::as_str)));
    let words = words.map_err(|error| Failure::usage(error.to_string()))?;
    let seconds = |limit: f64| Duration::try_from_secs_f64(limit).unwrap_or(Duration::MAX);
    let limits = Limits {
        time: job.time_limit.map(seconds),
        memory: job.memory_limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        nodes: job.node_limit,
    };
    let mut config = words.search.config(limits);
    config.threads = job.threads;
    let level = Level::parse(&job.form).map_err(|error| Failure::usage(error.to_string()))?;
    let report = lurd::solve_with(&level, &config, &Cancel::new(), &mut |_| ())
        .map_err(|error| Failure::usage(refused::sentence(&error)))?;
    answer(&level, &report)
}

fn answer(level: &Level, report: &Report) -> Result<Answer, Failure> {
    let bound = Finding::of_report(report).and_then(|finding| finding.bound);
    let bound = |metric| bound.filter(|(counted, _)| *counted == metric).map(|(_, value)| value);
    let end = match report.outcome {
        _ if report.solution.is_some() => JobEnd::Solved,
        Outcome::Unsolvable => JobEnd::Unsolvable,
        _ => JobEnd::Open,
    };
    Ok(Answer {
        end,
        reason: (end == JobEnd::Open).then(|| record::in_words(report.outcome).to_owned()),
        pushes_bound: bound(lurd::improve::Metric::Pushes),
        moves_bound: bound(lurd::improve::Metric::Moves),
        record: serde_json::to_value(Record::new(level, report)).map_err(io::Error::from)?,
    })
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
