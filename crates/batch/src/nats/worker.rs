//! A worker: takes jobs from a server, runs each by [`execute`], writes the report, acknowledges the job.

use super::access::{Notice, reasons};
use super::queue::runtime;
use super::streams::{ACK_WAIT, Streams, is_there, report_subject};
use super::{Access, NatsError, TRIES};
use crate::execute::{Launcher, execute};
use crate::job::{Job, JobReport};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::{AckKind, Message};
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use futures_util::StreamExt;
use lurd_base::Cancel;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a request for a job waits on the server.
const REQUEST: Duration = Duration::from_secs(5);

/// How often the cancel flag is looked at.
const POLL: Duration = Duration::from_millis(100);

/// The pause after an error of the server.
const PAUSE: Duration = Duration::from_millis(500);

/// How long a worker that was told to stop tries to get rid of a report.
const LAST_CHANCE: Duration = Duration::from_secs(10);

/// What a worker is.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The server.
    pub access: Access,
    /// Jobs side by side.
    pub slots: usize,
    /// How searches are started.
    pub launcher: Launcher,
    /// What reports call it.
    pub name: String,
    /// Its version; jobs of another are not for it.
    pub version: String,
    /// How long it may be silent before its job goes to another; three beats fit in.
    pub ack_wait: Option<Duration>,
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// Jobs it has reported on.
    pub done: usize,
    /// Jobs it gave back because it was told to stop.
    pub given_back: usize,
}

/// Works until the flag is raised. `notice` is told what happens in sentences. Jobs under way are then given back.
///
/// # Errors
/// When the server cannot be reached at the beginning, refuses, or has jobs of another version.
pub fn serve(
    worker: &Worker,
    cancel: &Cancel,
    notice: impl Fn(&str) + Send + Sync + 'static,
) -> Result<Served, NatsError> {
    let notice: Notice = Arc::new(notice);
    let runtime = runtime()?;
    runtime.block_on(async {
        let streams = Streams::open(&worker.access, "lurd worker", &worker.version, notice.clone()).await?;
        let site = Site {
            worker,
            streams,
            cancel,
            notice: notice.clone(),
            done: AtomicUsize::new(0),
            given_back: AtomicUsize::new(0),
        };
        notice(&format!("{} waits for jobs at {}", worker.name, worker.access.address()));
        let slots = (0..worker.slots.max(1)).map(|_| site.slot());
        let ends = futures_util::future::join_all(slots).await;
        ends.into_iter().collect::<Result<Vec<()>, _>>()?;
        Ok(Served { done: site.done.into_inner(), given_back: site.given_back.into_inner() })
    })
}

/// A job that is done, with the message that asked for it.
struct Finished {
    job: Job,
    report: JobReport,
    message: Message,
}

/// What all slots of a worker share.
struct Site<'a> {
    worker: &'a Worker,
    streams: Streams,
    cancel: &'a Cancel,
    notice: Notice,
    done: AtomicUsize,
    given_back: AtomicUsize,
}

impl Site<'_> {
    /// One job after the other until the worker is to stop.
    async fn slot(&self) -> Result<(), NatsError> {
        let ack_wait = self.worker.ack_wait.unwrap_or(ACK_WAIT);
        let mut consumer: Option<PullConsumer> = None;
        let mut finished = None;
        while !self.cancel.is_cancelled() {
            let Some(open) = &consumer else {
                match self.streams.job_consumer(ack_wait).await {
                    Ok(open) => consumer = Some(open),
                    Err(_) => tokio::time::sleep(PAUSE).await,
                }
                continue;
            };
            // The report of one job is on its way while the next job comes.
            let (next, ()) = futures_util::future::join(self.next(open), self.deliver(finished.take())).await;
            match next {
                Err(_) => {
                    // The server was away, or has forgotten the consumer.
                    consumer = None;
                    tokio::time::sleep(PAUSE).await;
                }
                Ok(None) => {}
                Ok(Some(message)) => finished = self.handle(message, ack_wait / 3).await?,
            }
        }
        self.deliver(finished).await;
        Ok(())
    }

    /// Asks for one job: jobs are long, and one that waits here would not be with a worker that has time.
    async fn next(&self, consumer: &PullConsumer) -> Result<Option<Message>, String> {
        let mut batch =
            consumer.fetch().max_messages(1).expires(REQUEST).messages().await.map_err(|error| reasons(&error))?;
        let end = Instant::now() + REQUEST * 2;
        // A request that is dropped would leave its job to wait for nothing, so it is followed to its end.
        while Instant::now() < end {
            match tokio::time::timeout(POLL, batch.next()).await {
                Ok(Some(Ok(message))) => return Ok(Some(message)),
                Ok(Some(Err(error))) => return Err(error.to_string()),
                Ok(None) => return Ok(None),
                Err(_) if self.cancel.is_cancelled() => return Ok(None),
                Err(_) => {}
            }
        }
        Err("the server is silent".into())
    }

    /// Does what a message asks for; gives the report of a job that is done.
    async fn handle(&self, message: Message, beat: Duration) -> Result<Option<Finished>, NatsError> {
        let Ok(job) = serde_json::from_slice::<Job>(&message.payload) else {
            (self.notice)("a message that is no job was thrown away");
            let _ = message.ack_with(AckKind::Term).await;
            return Ok(None);
        };
        if job.version != self.worker.version {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return Err(NatsError::Version {
                address: self.worker.access.address(),
                theirs: job.version,
                ours: self.worker.version.clone(),
            });
        }
        if self.is_reported(&job).await {
            self.acknowledge(&message).await;
            return Ok(None);
        }
        let delivered = message.info().map_or(1, |info| info.delivered);
        let report = if delivered > TRIES && self.is_hopeless(&job, delivered).await {
            let reason = format!("failed after {TRIES} tries: its worker ended or was cut off every time");
            Some(JobReport::failed(&job, reason, 0.0, &self.worker.name))
        } else {
            self.run(&job, &message, beat).await
        };
        if report.is_none() {
            // First the note that this try does not count.
            if let Err(reason) = self.streams.given_back(&job, 1).await {
                (self.notice)(&format!("a job is given back without a note, so that this counts as a try: {reason}"));
            }
            let _ = message.ack_with(AckKind::Nak(None)).await;
            let _ = self.streams.client.flush().await;
            self.given_back.fetch_add(1, Ordering::Relaxed);
        }
        Ok(report.map(|report| Finished { job, report, message }))
    }

    /// Whether somebody has reported on the job already, and only its acknowledgement got lost.
    async fn is_reported(&self, job: &Job) -> bool {
        let subject = report_subject(&job.run, &job.key);
        match self.streams.reports.get_last_raw_message_by_subject(&subject).await {
            Ok(_) => true,
            Err(error) => {
                debug_assert!(error.kind() != LastRawMessageErrorKind::InvalidSubject, "keys are hexadecimal");
                false
            }
        }
    }

    /// Whether a job was handed out too often, those tries left out that were given back on purpose.
    async fn is_hopeless(&self, job: &Job, delivered: i64) -> bool {
        delivered - 1 - self.streams.given_back(job, 0).await.unwrap_or(0) >= TRIES
    }

    /// Runs the job, with beats that say that it is under way. `None` if the worker is to stop.
    async fn run(&self, job: &Job, message: &Message, beat: Duration) -> Option<JobReport> {
        let (launcher, own, cancel, name) =
            (self.worker.launcher.clone(), job.clone(), self.cancel.clone(), self.worker.name.clone());
        let mut search = tokio::task::spawn_blocking(move || execute(&launcher, &own, &name, &cancel));
        loop {
            match tokio::time::timeout(beat, &mut search).await {
                Ok(Ok(report)) => return report,
                Ok(Err(error)) => return Some(JobReport::failed(job, error.to_string(), 0.0, &self.worker.name)),
                Err(_) => drop(message.ack_with(AckKind::Progress).await),
            }
        }
    }

    /// Writes the report, however long the server is away, and acknowledges the job then.
    async fn deliver(&self, finished: Option<Finished>) {
        let Some(Finished { job, report, message }) = finished else { return };
        let Ok(bytes) = serde_json::to_vec(&report) else { return };
        let subject = report_subject(&job.run, &job.key);
        let mut stopped = None;
        loop {
            let sent = match self.streams.context.publish(subject.clone(), bytes.clone().into()).await {
                Ok(confirmation) => confirmation.await,
                Err(error) => Err(error),
            };
            match sent {
                Ok(_) => break,
                // Another worker was sooner: its report counts.
                Err(error) if is_there(&error) => break,
                Err(_) => {}
            }
            if self.cancel.is_cancelled() && stopped.get_or_insert_with(Instant::now).elapsed() > LAST_CHANCE {
                (self.notice)("a report could not be delivered; its job goes to another worker");
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.done.fetch_add(1, Ordering::Relaxed);
        self.acknowledge(&message).await;
    }

    /// An acknowledgement that gets lost brings the job again, and its report is found.
    async fn acknowledge(&self, message: &Message) {
        let _ = tokio::time::timeout(Duration::from_secs(2), message.double_ack()).await;
    }
}
