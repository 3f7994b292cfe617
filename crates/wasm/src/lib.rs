//! lurd in a browser, without a server: the questions of `lurd-service` for the workers of the static page.
//!
//! Two functions are exported. [`answer`] takes what would be an HTTP request and gives what would be its answer.
//! [`run`] runs a job, or a worker's share of its strategies, and posts the job's state to the page as it changes. A
//! worker is one instance with a memory of its own; the page (`web/page/lib/workers.js`) starts as many as it likes,
//! collects their states and terminates them.

use lurd::Share;
use lurd_base::clock::Instant;
use lurd_base::sync::lock;
use lurd_service::{Answer, Host, Job, JobHost, Question, Starting};
use serde_json::json;
use std::sync::Mutex;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

/// States of a job are posted at most this often.
const PACE: Duration = Duration::from_millis(100);

#[wasm_bindgen]
extern "C" {
    /// Sends a text from the worker to its page.
    #[wasm_bindgen(js_name = postMessage)]
    fn post(message: &str);

    /// What another worker has found since this was last asked; `worker.js` puts it there.
    #[wasm_bindgen(js_name = takeFind)]
    fn take_find() -> Option<String>;
}

/// Answers a question: the method, path, query and body of a request, without the `/api/v1` before its path. `host` is
/// the JSON of what the page is willing to do. The answer is JSON too: `{"status": 200, "body": …}`.
#[wasm_bindgen]
pub fn answer(host: &str, method: &str, path: &str, query: &str, body: &[u8]) -> String {
    let answer = match Host::parse(host) {
        Ok(host) => lurd_service::answer(&host, &Question { method, path, query, body }),
        Err(refusal) => refusal.into(),
    };
    answer.json()
}

/// Runs a job, or one share of it, to its end, and posts its states: JSON as of `GET /jobs/{id}`.
#[wasm_bindgen]
pub fn run(host: &str, id: &str, body: &[u8], index: usize, shares: usize) {
    let work = Host::parse(host).and_then(|host| {
        let starting: Starting = lurd_service::parsed(body)?;
        starting.work(&host.allowance(), Share::new(index, shares).unwrap_or_default())
    });
    let work = match work {
        Ok(work) => work,
        Err(refusal) => return post(&Answer::from(refusal).json()),
    };
    Job::new(id.to_owned(), work.kind(), Page::default()).run(work);
}

/// The page, as a job sees it.
#[derive(Default)]
struct Page {
    /// When it was last told something.
    told: Mutex<Option<Instant>>,
}

impl JobHost for Page {
    fn changed(&self, job: &Job) {
        let mut told = lock(&self.told);
        if job.has_ended() || told.is_none_or(|told| told.elapsed() >= PACE) {
            *told = Some(Instant::now());
            post(&Answer::ok(&job.view(false)).json());
        }
    }

    fn found(&self, lurd: &str) {
        post(&Answer::ok(&json!({ "find": lurd })).json());
    }

    fn told(&self) -> Option<String> {
        take_find()
    }
}
