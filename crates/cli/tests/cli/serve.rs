//! `lurd serve` as a command: its address, its port, its end.
#![cfg(unix)]

use super::{press_control_c, spawn};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// Starts it and reads the address it prints.
fn serve(arguments: &[&str]) -> (Child, String) {
    let mut child = spawn("lurd", Path::new("."), &[&["serve", "--no-open"], arguments].concat());
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    (child, address)
}

fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{request}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn it_prints_its_address_takes_another_port_and_ends_cleanly_with_jobs_running() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let (mut child, address) = serve(&["--port", &port.to_string()]);
    assert_ne!(address, format!("127.0.0.1:{port}"));
    let page = ask(&address, &format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("lurd workbench"));
    let board = "##############\\n#            #\\n# $ $ $ $ $  #\\n#     @      #\\n#  .....     #\\n##############";
    let body = format!(
        r#"{{"kind":"sokoban","board":"{board}","request":{{"algorithm":"ida-star","formulation":"move","deadlocks":[]}}}}"#
    );
    let head =
        format!("POST /api/v1/jobs HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json");
    let started = ask(&address, &format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()));
    assert!(started.starts_with("HTTP/1.1 201"), "{started}");
    press_control_c(&child);
    let asked = Instant::now();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(10));
    let mut said = String::new();
    child.stderr.unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("is taken"), "{said}");
}
