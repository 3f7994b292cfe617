//! The streams of jobs and reports, and the version they belong to.

use super::NatsError;
use super::access::{Notice, reasons};
use crate::job::Job;
use crate::nats::Access;
use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{CreateStreamErrorKind, PublishError};
use async_nats::jetstream::stream::{
    Config, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, StorageType, Stream,
};
use async_nats::jetstream::{self, Context};
use std::time::Duration;

const JOBS: &str = "LURD_JOBS";
const REPORTS: &str = "LURD_REPORTS";
const GIVEN_BACK: &str = "LURD_GIVEN_BACK";

/// Reports that nobody collects, and notes about jobs, are kept this long.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// How long a worker may be silent before its job goes to another.
pub(super) const ACK_WAIT: Duration = Duration::from_secs(45);

/// The subject of a job.
pub(super) fn job_subject(run: &str, key: &str) -> String {
    format!("lurd.job.{run}.{key}")
}

/// The subject of the report of a job.
pub(super) fn report_subject(run: &str, key: &str) -> String {
    format!("lurd.report.{run}.{key}")
}

/// A connection with its streams.
pub(super) struct Streams {
    pub(super) client: Client,
    pub(super) context: Context,
    pub(super) jobs: Stream,
    pub(super) reports: Stream,
    /// Notes about jobs that were given back: one for each job, the newest.
    notes: Stream,
}

impl Streams {
    /// Connects and makes the streams that are not there.
    pub(super) async fn open(access: &Access, name: &str, version: &str, notice: Notice) -> Result<Self, NatsError> {
        let client = access.connect(name, notice).await?;
        let context = jetstream::new(client.clone());
        let address = access.address();
        let jobs = of_version(&context, &address, version).await?;
        let reports = Config { max_age: KEPT, ..config(REPORTS, "lurd.report.>") };
        let reports = made(&context, &address, reports).await?;
        let notes = Config {
            name: GIVEN_BACK.into(),
            subjects: vec!["lurd.back.>".into()],
            max_messages_per_subject: 1,
            max_age: KEPT,
            ..Config::default()
        };
        let notes = made(&context, &address, notes).await?;
        Ok(Self { client, context, jobs, reports, notes })
    }

    /// The consumer that all workers share.
    pub(super) async fn job_consumer(&self, ack_wait: Duration) -> Result<PullConsumer, String> {
        let config = pull::Config {
            durable_name: Some("workers".into()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_ack_pending: 100_000,
            ..pull::Config::default()
        };
        self.jobs.get_or_create_consumer("workers", config).await.map_err(|error| reasons(&error))
    }

    /// The consumer of the reports of a run.
    pub(super) async fn report_consumer(&self, run: &str) -> Result<PullConsumer, String> {
        let name = format!("leader-{run}");
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: format!("lurd.report.{run}.>"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_secs(10),
            max_ack_pending: 100_000,
            // A run that nobody leads any more leaves nothing behind for ever.
            inactive_threshold: KEPT,
            ..pull::Config::default()
        };
        self.reports.get_or_create_consumer(&name, config).await.map_err(|error| reasons(&error))
    }

    /// How often a job was given back on purpose; every time the worker that gives it back adds one.
    pub(super) async fn given_back(&self, job: &Job, more: i64) -> Result<i64, String> {
        let subject = format!("lurd.back.{}.{}", job.run, job.key);
        let known = match self.notes.get_last_raw_message_by_subject(&subject).await {
            Ok(note) => std::str::from_utf8(&note.payload).ok().and_then(|count| count.parse().ok()).unwrap_or(0),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => 0,
            Err(error) => return Err(reasons(&error)),
        };
        let count: i64 = known + more;
        if more != 0 {
            let sent =
                self.context.publish(subject, count.to_string().into()).await.map_err(|error| reasons(&error))?;
            sent.await.map_err(|error| reasons(&error))?;
        }
        Ok(count)
    }
}

fn config(name: &str, subjects: &str) -> Config {
    Config {
        name: name.into(),
        subjects: vec![subjects.into()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        // A full stream refuses new messages; the default throws the oldest away without a word.
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_messages_per_subject: 1,
        ..Config::default()
    }
}

async fn made(context: &Context, address: &str, config: Config) -> Result<Stream, NatsError> {
    context.get_or_create_stream(config).await.map_err(|error| {
        let (address, reason) = (address.to_owned(), reasons(&error));
        match error.kind() {
            CreateStreamErrorKind::TimedOut | CreateStreamErrorKind::Response => {
                NatsError::Unreachable { address, reason }
            }
            _ => NatsError::NoJetStream { address, reason },
        }
    })
}

/// The stream of jobs, if its jobs are of this version or there are none. The version stands in its description.
async fn of_version(context: &Context, address: &str, version: &str) -> Result<Stream, NatsError> {
    let wanted = Config { description: Some(format!("lurd {version}")), ..config(JOBS, "lurd.job.>") };
    let mut stream = made(context, address, wanted.clone()).await?;
    let info = stream.cached_info();
    if info.config.description == wanted.description {
        return Ok(stream);
    }
    let theirs =
        info.config.description.as_deref().and_then(|text| text.strip_prefix("lurd ")).unwrap_or("?").to_owned();
    let refused = || NatsError::Version { address: address.to_owned(), theirs, ours: version.to_owned() };
    let messages = stream.info().await.map(|info| info.state.messages);
    if messages.ok() != Some(0) {
        return Err(refused());
    }
    context.update_stream(wanted.clone()).await.map_err(|_| refused())?;
    made(context, address, wanted).await
}

/// Whether a message was refused because its subject has one already.
pub(super) fn is_there(error: &PublishError) -> bool {
    reasons(error).contains("per subject")
}
