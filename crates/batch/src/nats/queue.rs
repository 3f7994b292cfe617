//! The queue of a run whose workers are behind a server.

use super::access::Notice;
use super::streams::{Streams, is_there, job_subject};
use super::{Access, NatsError};
use crate::job::{Job, JobReport};
use crate::queue::{Delivery, Queue, QueueError};
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::{AckKind, Message};
use futures_util::StreamExt;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Jobs that are sent before their confirmations are waited for.
const WINDOW: usize = 256;

/// Reports that are asked for at once.
const BATCH: usize = 64;

/// How long the first look for reports takes: those that wait on the server must come before any job is put in.
const FIRST_LOOK: Duration = Duration::from_secs(1);

/// The pause after an error of the server.
const PAUSE: Duration = Duration::from_millis(500);

/// A run whose workers are behind a server. A server that goes away is waited for.
pub struct NatsQueue {
    runtime: Runtime,
    streams: Streams,
    run: String,
    reports: Option<pull::Stream>,
    /// Jobs that the server has not confirmed.
    unsent: VecDeque<Job>,
    is_first_look: bool,
}

impl std::fmt::Debug for NatsQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NatsQueue").field("run", &self.run).finish_non_exhaustive()
    }
}

impl NatsQueue {
    /// Connects for the run with a token. `notice` is told when the connection is lost and when it is back.
    ///
    /// # Errors
    /// When the server cannot be reached, refuses, or holds jobs of another version.
    pub fn connect(
        access: &Access,
        run: &str,
        version: &str,
        notice: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Self, NatsError> {
        let runtime = runtime()?;
        let notice: Notice = std::sync::Arc::new(notice);
        let streams = runtime.block_on(Streams::open(access, "lurd batch", version, notice))?;
        let (run, unsent) = (run.to_owned(), VecDeque::new());
        Ok(Self { runtime, streams, run, reports: None, unsent, is_first_look: true })
    }

    /// Sends what is not sent; gives up until the next call where the server does not answer.
    fn send(&mut self) {
        let (context, run) = (&self.streams.context, &self.run);
        while !self.unsent.is_empty() {
            let window = WINDOW.min(self.unsent.len());
            let jobs = self.unsent.iter().take(window);
            let confirmed = self.runtime.block_on(async {
                let mut waiting = Vec::new();
                for job in jobs {
                    let Ok(bytes) = serde_json::to_vec(job) else { continue };
                    match context.publish(job_subject(run, &job.key), bytes.into()).await {
                        Ok(confirmation) => waiting.push(confirmation),
                        Err(_) => return 0,
                    }
                }
                let mut confirmed = 0;
                for confirmation in waiting {
                    match confirmation.await {
                        Ok(_) => confirmed += 1,
                        Err(error) if is_there(&error) => confirmed += 1,
                        Err(_) => break,
                    }
                }
                confirmed
            });
            // Whatever was sent after the first failure is sent again and refused as known.
            self.unsent.drain(..confirmed);
            if confirmed < window {
                return;
            }
        }
    }

    /// The next report; `None` when the time is up or the server does not answer.
    fn next(&mut self, patience: Duration) -> Option<Message> {
        let (streams, run, reports) = (&self.streams, &self.run, &mut self.reports);
        self.runtime.block_on(async {
            if reports.is_none() {
                let opened = async {
                    let consumer = streams.report_consumer(run).await.ok()?;
                    consumer
                        .stream()
                        .max_messages_per_batch(BATCH)
                        .heartbeat(Duration::from_secs(5))
                        .messages()
                        .await
                        .ok()
                };
                *reports = opened.await;
            }
            let Some(stream) = reports else {
                tokio::time::sleep(PAUSE).await;
                return None;
            };
            match tokio::time::timeout(patience, stream.next()).await {
                Ok(Some(Ok(message))) => Some(message),
                Ok(Some(Err(_)) | None) => {
                    // The server was away: the stream is opened again at the next call.
                    *reports = None;
                    tokio::time::sleep(PAUSE).await;
                    None
                }
                Err(_) => None,
            }
        })
    }
}

impl Drop for NatsQueue {
    fn drop(&mut self) {
        // A stream that is open says good-bye on the runtime.
        let _context = self.runtime.enter();
        self.reports = None;
    }
}

/// What drives connections.
pub(super) fn runtime() -> Result<Runtime, NatsError> {
    let built = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    built.map_err(|error| NatsError::Machine(error.to_string()))
}

impl Queue for NatsQueue {
    type Receipt = Message;

    fn put(&mut self, jobs: &[Job]) -> Result<(), QueueError> {
        self.unsent.extend(jobs.iter().cloned());
        self.send();
        Ok(())
    }

    fn take(&mut self, patience: Duration) -> Result<Option<Delivery<Message>>, QueueError> {
        self.send();
        let patience = if self.is_first_look { patience.max(FIRST_LOOK) } else { patience };
        let Some(message) = self.next(patience) else {
            self.is_first_look = false;
            return Ok(None);
        };
        match serde_json::from_slice::<JobReport>(&message.payload) {
            Ok(report) => Ok(Some(Delivery { report, receipt: message })),
            Err(_) => {
                // Nobody can use it, so it must not come again.
                let _ = self.runtime.block_on(message.ack_with(AckKind::Term));
                Ok(None)
            }
        }
    }

    fn accept(&mut self, message: Message) -> Result<(), QueueError> {
        // A confirmation that gets lost brings the report again, and the library knows it already.
        let _ = self.runtime.block_on(message.ack());
        Ok(())
    }

    fn withdraw(&mut self) -> Result<(), QueueError> {
        self.unsent.clear();
        let subject = job_subject(&self.run, ">");
        // Where the server does not answer, workers go on, and their reports wait for the next leader.
        let purged = self.streams.jobs.purge().filter(subject);
        let _ = self.runtime.block_on(async { tokio::time::timeout(Duration::from_secs(5), purged).await });
        Ok(())
    }

    fn workers(&self) -> Option<usize> {
        None
    }
}
