//! The job record: everything a worker anywhere needs to search a level, and what it answers.

use lurd::{Limits, Record, Request};
use lurd_library::{Finding, JobEnd, LevelKey, PendingJob, RunRow};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::str::FromStr;
use std::time::Duration;

/// The version that jobs and workers must share: searches of another version are another experiment.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The options of a run. They are stored with it, so that it can be resumed as it began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunOptions {
    /// What is asked of every search. Its time limit is that of the rung; where it names no memory limit, the worker's
    /// machine decides.
    pub request: Request,
    /// The time limit of each rung in seconds; `None` for no limit.
    pub ladder: Vec<Option<f64>>,
    /// Searches that misbehave on purpose, by the place of their level in the run, from 1. For tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<(usize, Fault)>,
}

/// Why a run cannot go on by this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unresumable {
    /// It was begun by another version.
    #[error(
        "the run `{name}` is one of lurd {version} and this is lurd {VERSION}; results of two versions do not mix: begin a new run"
    )]
    OtherVersion {
        /// The run.
        name: String,
        /// The version that began it.
        version: String,
    },
    /// Its options are those of something else.
    #[error("the options of the run `{name}` cannot be read: {reason}")]
    Options {
        /// The run.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

impl RunOptions {
    /// The options of a run that this program can go on with.
    ///
    /// # Errors
    /// When another version began it, or its options cannot be read.
    pub fn to_resume(run: &RunRow) -> Result<Self, Unresumable> {
        let name = run.run.name.clone();
        if run.run.version != VERSION {
            return Err(Unresumable::OtherVersion { name, version: run.run.version.clone() });
        }
        serde_json::from_str(&run.run.options).map_err(|error| Unresumable::Options { name, reason: error.to_string() })
    }
}

/// How a search misbehaves on purpose, to test that the others go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The search crashes.
    Crash,
    /// The search takes memory without end.
    Memory,
    /// The search does not end.
    Endless,
    /// The worker itself ends at once.
    Worker,
}

/// A word that names no fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no fault; write crash, memory, endless or worker")]
pub struct FaultError(String);

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        match text {
            "crash" => Ok(Self::Crash),
            "memory" => Ok(Self::Memory),
            "endless" => Ok(Self::Endless),
            "worker" => Ok(Self::Worker),
            _ => Err(FaultError(text.to_owned())),
        }
    }
}

/// One search of one level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Names the job by level, options and version: equal jobs have equal results and one name.
    pub key: String,
    /// The token of the run.
    pub run: String,
    /// The key of the level.
    pub level: String,
    /// The level's normal form, which is searched.
    pub form: String,
    /// The rung of the ladder, from 0.
    pub rung: usize,
    /// What is asked.
    pub request: Request,
    /// The version that must do it.
    pub version: String,
    /// How it misbehaves, for tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

impl Job {
    /// The job of a level that is due.
    pub fn new(run: &RunRow, options: &RunOptions, rung: usize, due: &PendingJob, fault: Option<Fault>) -> Self {
        // A ladder from elsewhere may hold what is no time: such a rung ends at once.
        let seconds = |limit| Duration::try_from_secs_f64(limit).unwrap_or_default();
        let time = options.ladder.get(rung).copied().flatten().map(seconds);
        let mut job = Self {
            key: String::new(),
            run: run.run.token.clone(),
            level: due.key.to_string(),
            form: due.form.clone(),
            rung,
            request: Request { limits: Limits { time, ..options.request.limits }, ..options.request.clone() },
            version: run.run.version.clone(),
            fault,
        };
        job.key = job.name();
        job
    }

    fn name(&self) -> String {
        let parts = serde_json::json!([self.level, self.rung, self.request, self.version,]);
        let digest = Sha256::digest(parts.to_string().as_bytes());
        digest[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobReport {
    /// The name of the job.
    pub key: String,
    /// The key of the level.
    pub level: String,
    /// The rung of the ladder.
    pub rung: usize,
    /// How it ended.
    pub end: JobEnd,
    /// Why there is no answer.
    pub reason: Option<String>,
    /// Wall-clock time, the start of the process included.
    pub seconds: f64,
    /// The result; `null` where the search gave none.
    pub record: Option<Record>,
    /// Who did it.
    pub worker: String,
}

impl JobReport {
    /// A report of a search that gave no result.
    pub fn failed(job: &Job, reason: impl Into<String>, seconds: f64, worker: &str) -> Self {
        Self {
            key: job.key.clone(),
            level: job.level.clone(),
            rung: job.rung,
            end: JobEnd::Failed,
            reason: Some(reason.into()),
            seconds,
            record: None,
            worker: worker.to_owned(),
        }
    }

    /// The key of the level.
    pub fn level_key(&self) -> Option<LevelKey> {
        self.level.parse().ok()
    }

    /// The solution on the normal form.
    pub fn solution(&self) -> Option<&str> {
        self.record.as_ref()?.solution.as_deref()
    }

    /// What the library can learn from it.
    pub fn finding(&self) -> Option<Finding> {
        Finding::of_record(self.record.as_ref()?)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use lurd_library::NewRun;

    /// A job of a level of one push.
    pub(crate) fn easy(options: &RunOptions) -> Job {
        let run = NewRun {
            name: "test".into(),
            token: "token".into(),
            options: String::new(),
            rungs: 1,
            version: VERSION.into(),
            machine: String::new(),
        };
        let run = RunRow { id: 1, run, created: 0, ended: None };
        let form = lurd_library::Form::of(&lurd::Map::from_xsb("#####\n#@$.#\n#####").unwrap());
        let due = PendingJob { key: form.key, form: form.text, boxes: 1, squares: 3, seconds: None };
        Job::new(&run, options, 0, &due, None)
    }

    #[test]
    fn the_name_of_a_job_is_that_of_level_options_and_version() {
        let options = RunOptions { ladder: vec![Some(1.0)], ..RunOptions::default() };
        let job = easy(&options);
        let other = Request { threads: 2, ..Request::default() };
        assert_eq!(easy(&options).key, job.key);
        assert_ne!(easy(&RunOptions { request: other, ..options.clone() }).key, job.key);
        assert_ne!(Job { version: "0.0.1".into(), ..job.clone() }.name(), job.key);
        let text = serde_json::to_string(&job).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job);
        assert!("slow".parse::<Fault>().unwrap_err().to_string().contains("endless"));
    }
}
