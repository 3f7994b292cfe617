//! Who is refused, what is limited, what cannot be read.

use crate::client::{LONG, Running, eventually, long_body};
use lurd_web::Limits;
use serde_json::json;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn server() -> Running {
    Running::start(Limits::default())
}

#[test]
fn it_listens_on_loopback() {
    assert!(server().address.ip().is_loopback());
}

#[test]
fn other_names_are_refused() {
    let server = server();
    let port = server.address.port();
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "localhost:1", "", "127.0.0.1:80@x"] {
        for path in ["/", "/api/v1/about", "/api/v1/jobs"] {
            let answer = server.ask_with("GET", path, &[("Host", host)], "");
            assert!(matches!(answer.status, 400 | 403), "{host} {path}: {}", answer.status);
        }
    }
    let both = format!("Host: {0}\r\nHost: evil.example\r\n", server.address);
    let answer = server.whole(&format!("GET / HTTP/1.1\r\n{both}Connection: close\r\n\r\n"));
    assert!(answer.starts_with(b"HTTP/1.1 403") || answer.starts_with(b"HTTP/1.1 400"));
    let named = server.ask_with("GET", "/", &[("Host", &format!("localhost:{port}"))], "");
    assert_eq!(named.status, 200);
}

#[test]
fn a_target_with_another_name_is_refused() {
    let server = server();
    let request = format!("GET http://evil.example/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    let answer = server.whole(&request);
    assert!(answer.starts_with(b"HTTP/1.1 403"), "{}", String::from_utf8_lossy(&answer));
}

#[test]
fn pages_of_other_sites_are_refused() {
    let server = server();
    let own = format!("http://{}", server.address);
    let json = ("Content-Type", "application/json");
    for origin in
        ["http://evil.example", "https://127.0.0.1", "null", "http://127.0.0.1:1", "http://localhost.evil.example"]
    {
        let answer = server.ask_with("POST", "/api/v1/plan", &[json, ("Origin", origin)], "{}");
        assert_eq!(answer.status, 403, "{origin}");
        assert!(!answer.head.contains("access-control-allow"));
    }
    assert_eq!(server.ask_with("POST", "/api/v1/plan", &[json, ("Origin", &own)], "{}").status, 200);
    for site in ["cross-site", "same-site"] {
        let told = ("Sec-Fetch-Site", site);
        assert_eq!(server.ask_with("GET", "/api/v1/levels", &[told], "").status, 403, "{site}");
        assert_eq!(server.ask_with("GET", "/app.js", &[told, ("Sec-Fetch-Mode", "no-cors")], "").status, 403);
        // A person may follow a link to the page, but not to the API.
        let followed = [told, ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")];
        assert_eq!(server.ask_with("GET", "/", &followed, "").status, 200);
        assert_eq!(server.ask_with("GET", "/api/v1/levels", &followed, "").status, 403);
        let framed = [told, ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")];
        assert_eq!(server.ask_with("GET", "/", &framed, "").status, 403);
    }
    let preflight = server.ask_with("OPTIONS", "/api/v1/jobs", &[("Origin", "http://evil.example")], "");
    assert_eq!(preflight.status, 403);
}

#[test]
fn every_answer_carries_the_policy() {
    let server = server();
    let answers = [
        server.get("/"),
        server.get("/app.js"),
        server.get("/api/v1/about"),
        server.get("/nowhere"),
        server.ask_with("GET", "/", &[("Host", "evil.example")], ""),
    ];
    for answer in answers {
        let policy = answer.head.lines().find(|line| line.starts_with("content-security-policy:")).unwrap_or_default();
        for rule in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(rule), "{rule}: {}", answer.head);
        }
        assert!(!policy.contains("unsafe"));
        assert!(answer.head.contains("x-content-type-options: nosniff"));
    }
}

#[test]
fn no_file_of_the_machine_is_readable() {
    let server = server();
    let up = "../".repeat(12);
    let coded = "%2e%2e%2f".repeat(12);
    let paths = [
        format!("/{up}etc/passwd"),
        format!("/{coded}etc/passwd"),
        format!("/{}etc/passwd", "..%2f".repeat(12)),
        format!("/views/{up}etc/passwd"),
        format!("/api/v1/{up}etc/passwd"),
        format!("/api/v1/jobs/{coded}etc%2fpasswd"),
        "//etc/passwd".to_owned(),
        "/etc/passwd".to_owned(),
        "/index.html/../../src/lib.rs".to_owned(),
        "/Cargo.toml".to_owned(),
        "/file:///etc/passwd".to_owned(),
    ];
    for path in paths {
        let answer = server.get(&path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert!(!answer.body.contains("root:") && !answer.body.contains("[package]"), "{path}");
    }
    // An entity of XML reaches no file either.
    let xml = r#"<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><SokobanLevels><Title>&f;</Title><LevelCollection><Level Id="&f;" Width="5" Height="3"><L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>"#;
    let answer = server.ask_with("POST", "/api/v1/levels/read", &[("Content-Type", "application/octet-stream")], xml);
    assert!(!answer.body.contains("root:"), "{}", answer.body);
}

#[test]
fn bodies_and_boards_are_limited() {
    let server = server();
    let large = format!("{{\"goal\":\"{}\"}}", "x".repeat(2 << 20));
    assert_eq!(server.post("/api/v1/plan", &large).status, 413);
    let file = "#".repeat(9 << 20);
    let octets = [("Content-Type", "application/octet-stream")];
    assert_eq!(server.ask_with("POST", "/api/v1/levels/read", &octets, &file).status, 413);
    for board in ["#".repeat(1001), "#\n".repeat(1001)] {
        let answer = server.post("/api/v1/levels/check", &json!({ "board": board }).to_string());
        assert_eq!(answer.status, 413);
        assert!(answer.sentence().contains("1000"), "{}", answer.sentence());
    }
    // The worst of a body that fits: one long row and many short ones.
    let stretched = format!("{}\n{}", "#".repeat(900_000), "\n".repeat(100_000));
    assert_eq!(server.post("/api/v1/look", &json!({ "board": stretched }).to_string()).status, 413);
    let text = server.ask_with("POST", "/api/v1/plan", &[("Content-Type", "text/plain")], "{}");
    assert_eq!(text.status, 415);
}

#[test]
fn jobs_are_limited() {
    let server = Running::start(Limits { running: 1, waiting: 2, ..Limits::default() });
    let first = server.long_job();
    while server.job(&first)["status"] == "waiting" {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.long_job();
    server.long_job();
    let refused = server.post("/api/v1/jobs", &long_body());
    assert_eq!(refused.status, 429);
    assert!(refused.head.contains("retry-after:") && refused.sentence().contains("wait"), "{}", refused.sentence());
    server.cancel(&first);
}

#[test]
fn time_and_memory_over_the_limit_are_refused() {
    let server = Running::start(Limits { time: Duration::from_secs(5), memory: 64 << 20, ..Limits::default() });
    for (limits, words) in [
        (json!({"time_limit": 6}), "at most 5 seconds"),
        (json!({"time_limit": 0}), "at most 5 seconds"),
        (json!({"time_limit": -1}), "write seconds"),
        (json!({"memory_limit": "65MiB"}), "between 1 and 64 MiB"),
        (json!({"memory_limit": 0}), "less than a byte"),
        (json!({"memory_limit": u64::MAX}), "between 1 and 64 MiB"),
        (json!({"threads": 2}), "one thread here"),
    ] {
        let body = json!({"kind": "sokoban", "board": LONG, "request": limits}).to_string();
        let refused = server.post("/api/v1/jobs", &body);
        assert_eq!(refused.status, 422, "{limits}");
        assert!(refused.sentence().contains(words), "{limits}: {}", refused.sentence());
    }
}

#[test]
fn streams_are_limited() {
    let server = Running::start(Limits { streams: 3, ..Limits::default() });
    let id = server.long_job();
    let streams: Vec<_> = (0..3).map(|_| server.stream(&id)).collect();
    let path = format!("/api/v1/jobs/{id}/events");
    assert_eq!(server.get(&path).status, 429);
    drop(streams);
    // Closed streams give their places back.
    assert!(eventually(Duration::from_secs(10), || { server.listed(&id)["watchers"] == 0 }));
    drop(server.stream(&id));
}

#[test]
fn titles_are_text() {
    let server = server();
    let level = "#####\n#@$.#\n#####\nTitle: <img src=x onerror=alert(1)>\nAuthor: \"><script>alert(1)</script>\n";
    let answer = server.ask_with("POST", "/api/v1/levels/read", &[("Content-Type", "text/plain")], level);
    assert!(answer.head.contains("content-type: application/json"));
    assert_eq!(answer.json()["levels"][0]["title"], "<img src=x onerror=alert(1)>");
}

/// Numbers that look random and are the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn a_thousand_malformed_requests_leave_it_serving() {
    let server = server();
    let mut noise = Noise(0x1234_5678_9abc_def1);
    let good = format!(
        "POST /api/v1/jobs HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        server.address,
        long_body().len(),
        long_body()
    )
    .replace("\"ida-star\"", "\"no-such\"");
    for round in 0..1000u64 {
        let bytes: Vec<u8> = match round % 5 {
            // Bytes of no meaning at all.
            0 => (0..noise.next() % 600).map(|_| noise.next() as u8).collect(),
            // A request cut short.
            1 => good.as_bytes()[..(noise.next() % good.len() as u64) as usize].to_vec(),
            // A request with a few bytes changed.
            2 | 3 => {
                let mut bytes = good.clone().into_bytes();
                for _ in 0..1 + noise.next() % 8 {
                    let at = (noise.next() % bytes.len() as u64) as usize;
                    bytes[at] = noise.next() as u8;
                }
                bytes
            }
            // A sound request whose JSON nests, lies or is none.
            _ => {
                let bodies =
                    ["[".repeat(5000), "{\"kind\":".repeat(500), "nul".into(), "{\"kind\":7}".into(), "\"".into()];
                let body = &bodies[(noise.next() % 5) as usize];
                let length = body.len() as u64 + noise.next() % 3;
                format!("POST /api/v1/jobs HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}", server.address).into_bytes()
            }
        };
        if let Ok(answer) = server.raw(&bytes) {
            assert!(!answer.starts_with(b"HTTP/1.1 5"), "{}", String::from_utf8_lossy(&answer));
        }
    }
    assert_eq!(server.get("/").status, 200);
    assert_eq!(server.get("/api/v1/about").status, 200);
}

#[test]
fn connections_are_limited_and_the_next_one_is_told() {
    let server = Running::start(Limits { connections: 4, ..Limits::default() });
    let silent: Vec<_> = (0..4).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    let refused = || {
        let answer = server.get("/api/v1/about");
        (answer.status == 429).then_some(answer)
    };
    let mut answer = None;
    assert!(eventually(Duration::from_secs(10), || {
        answer = refused();
        answer.is_some()
    }));
    let answer = answer.unwrap();
    assert!(answer.sentence().contains("too many connections"), "{}", answer.sentence());
    assert!(
        answer.head.contains("retry-after:") && answer.head.contains("content-security-policy:"),
        "{}",
        answer.head
    );
    assert!(answer.head.contains("connection: close"), "{}", answer.head);
    // Other sites' pages learn no more than ever.
    assert_eq!(server.ask_with("GET", "/", &[("Host", "evil.example")], "").status, 403);
    drop(silent);
    assert!(eventually(Duration::from_secs(10), || server.get("/api/v1/about").status == 200));
}

/// More silent connections than there are places and refusals: none of them keeps the others out for long.
#[test]
fn silent_connections_give_their_places_back() {
    let server = Running::start(Limits { connections: 8, request: Duration::from_millis(400), ..Limits::default() });
    let _silent: Vec<_> = (0..100).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    assert!(eventually(Duration::from_secs(20), || server.get("/api/v1/about").status == 200));
}

/// Sends bytes one by one, slowly, and says how long the server bore it and what it said.
fn trickle(server: &Running, bytes: &[u8], pause: Duration) -> (Duration, String) {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(pause)).unwrap();
    let mut heard = Vec::new();
    let mut chunk = [0; 4096];
    for byte in bytes.iter().cycle() {
        let sent = stream.write_all(&[*byte]);
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => heard.extend_from_slice(&chunk[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) && sent.is_ok() => {}
            Err(_) => break,
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "still open: {}", String::from_utf8_lossy(&heard));
    }
    (begun.elapsed(), String::from_utf8_lossy(&heard).into_owned())
}

#[test]
fn a_head_that_trickles_is_given_up() {
    let server = Running::start(Limits { request: Duration::from_millis(500), ..Limits::default() });
    let (took, heard) = trickle(&server, b"GET / HTTP/1.1\r\nX-Slow: and-slower-and", Duration::from_millis(30));
    assert!(took >= Duration::from_millis(400), "{took:?}");
    assert!(!heard.contains("200 OK"), "{heard}");
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_body_that_trickles_is_given_up() {
    let server = Running::start(Limits { request: Duration::from_millis(500), ..Limits::default() });
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let head = format!(
        "POST /api/v1/plan HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let begun = Instant::now();
    let mut heard = Vec::new();
    // The answer comes although the body does not, and then the connection is closed.
    let _ = stream.read_to_end(&mut heard);
    let heard = String::from_utf8_lossy(&heard);
    assert!(heard.starts_with("HTTP/1.1 408") && heard.contains("took too long"), "{heard}");
    assert!(begun.elapsed() < Duration::from_secs(15));
    // An event stream may last as long as it likes.
    let id = server.long_job();
    let mut events = server.stream(&id);
    std::thread::sleep(Duration::from_millis(1200));
    let mut chunk = [0; 4096];
    assert!(events.read(&mut chunk).unwrap() > 0);
    assert_eq!(server.listed(&id)["status"], "running");
}
