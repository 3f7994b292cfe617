//! A server for a test, and a client that can also be rude.

use lurd_web::{Limits, Options, Server};
use serde_json::Value;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub(crate) const LEVELS: &str = include_str!("../../../../levels/lurd.xsb");

/// A level with far more positions than any test has time for.
pub(crate) const LONG: &str = "##############\n#            #\n# $ $ $ $ $  #\n#            #\n#  $ $ $ $   #\n#     @      #\n#  ......... #\n##############\n";
/// A search of it that runs for as long as it is let.
pub(crate) const LONG_CONFIG: &str =
    r#"{"algorithm":"ida-star","formulation":"move","heuristic":"nearest-manhattan","deadlocks":[]}"#;

/// A running server; it ends with the test.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(limits: Limits) -> Self {
        let levels = lurd::formats::read(LEVELS.as_bytes(), None).unwrap();
        Self::serve(Options { limits, ..Options::new(levels) })
    }

    pub(crate) fn serve(options: Options) -> Self {
        let server = Server::bind(Options { port: 0, ..options }).unwrap();
        let address = server.address();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            server
                .run_until(async {
                    let _ = stopped.await;
                })
                .unwrap();
        });
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    /// Asks it to end, waits until it has, and says how long that took.
    pub(crate) fn end(&mut self) -> Duration {
        let asked = Instant::now();
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
        asked.elapsed()
    }

    /// Sends bytes as they are, says that no more will come, and gives what comes back. A server
    /// that sees the end before it has answered may leave without a word.
    pub(crate) fn raw(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        self.send(bytes, true)
    }

    /// Sends a whole request that asks for the connection to be closed, and gives the answer.
    pub(crate) fn whole(&self, request: &str) -> Vec<u8> {
        self.send(request.as_bytes(), false).unwrap()
    }

    fn send(&self, bytes: &[u8], hang_up: bool) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.write_all(bytes)?;
        if hang_up {
            stream.shutdown(std::net::Shutdown::Write)?;
        }
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    }

    /// A request with headers of its own.
    pub(crate) fn ask_with(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        // A server that refuses a large body may close before it is all sent.
        let _ = stream.write_all(request.as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Answer::parse(&bytes)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask_with("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.ask_with("POST", path, &[("Content-Type", "application/json")], body)
    }

    /// Starts a job and gives its name.
    pub(crate) fn start_job(&self, body: &str) -> String {
        let answer = self.post("/api/v1/jobs", body);
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Starts a search of the long level and gives its name.
    pub(crate) fn long_job(&self) -> String {
        self.start_job(&long_body())
    }

    pub(crate) fn cancel(&self, id: &str) -> Value {
        self.ask_with("DELETE", &format!("/api/v1/jobs/{id}"), &[], "").json()
    }

    /// The state of a job at its end.
    pub(crate) fn done(&self, id: &str) -> Value {
        assert!(eventually(Duration::from_secs(120), || self.job(id)["status"] == "done"));
        self.job(id)
    }

    pub(crate) fn job(&self, id: &str) -> Value {
        self.get(&format!("/api/v1/jobs/{id}")).json()
    }

    /// The state of a job in the list, which does not count as interest in it.
    pub(crate) fn listed(&self, id: &str) -> Value {
        let list = self.get("/api/v1/jobs").json();
        list.as_array().unwrap().iter().find(|job| job["id"] == id).cloned().unwrap_or(Value::Null)
    }

    /// Opens an event stream and reads its first event.
    pub(crate) fn stream(&self, id: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let request = format!("GET /api/v1/jobs/{id}/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut seen = Vec::new();
        let mut chunk = [0; 4096];
        while !seen.windows(6).any(|window| window == b"event:") {
            let read = stream.read(&mut chunk).unwrap();
            assert!(read > 0, "the stream ended early: {}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&chunk[..read]);
        }
        assert!(seen.starts_with(b"HTTP/1.1 200"));
        stream
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

pub(crate) fn long_body() -> String {
    let board = Value::from(LONG);
    format!(r#"{{"kind":"sokoban","board":{board},"request":{LONG_CONFIG}}}"#)
}

/// Waits for something to come true.
pub(crate) fn eventually(most: Duration, mut true_now: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + most;
    while Instant::now() < until {
        if true_now() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {} {}", self.head, self.body))
    }

    /// The sentence of a refusal.
    pub(crate) fn sentence(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}
