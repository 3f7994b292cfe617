//! The whole program in a real (pseudo) terminal: played, watched, killed, started again.

#![cfg(unix)]
// A helper of a test that fails is a test that fails.
#![allow(clippy::unwrap_used)]

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);
const RIGHT: &str = "\x1b[C";

/// What has come out of the program: the screen it makes, and the bytes themselves.
struct Output {
    screen: vt100::Parser,
    bytes: Vec<u8>,
}

struct Arcade {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Arc<Mutex<Output>>,
}

impl Arcade {
    fn start(data: &Path, argument: Option<&str>, environment: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        let mut command = CommandBuilder::new(program());
        command.args(argument);
        command.env_clear();
        for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8")].iter().chain(environment) {
            command.env(name, value);
        }
        command.env("LURD_DATA", data);
        command.cwd(data);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let output = Arc::new(Mutex::new(Output { screen: vt100::Parser::new(24, 80, 0), bytes: Vec::new() }));
        let (mut reader, sink) = (pair.master.try_clone_reader().unwrap(), output.clone());
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                let mut output = sink.lock().unwrap();
                output.screen.process(&chunk[..count]);
                output.bytes.extend_from_slice(&chunk[..count]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Self { master: pair.master, keys, child, output }
    }

    fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn seen(&self) -> String {
        self.output.lock().unwrap().screen.screen().contents()
    }

    #[track_caller]
    fn expect(&self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.seen().contains(text) {
            assert!(Instant::now() < until, "{text:?} does not appear on\n{}", self.seen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends keys and waits for a text.
    #[track_caller]
    fn type_and_expect(&mut self, keys: &str, text: &str) {
        self.send(keys);
        self.expect(text);
    }

    fn resize(&self, width: u16, height: u16) {
        self.output.lock().unwrap().screen.screen_mut().set_size(height, width);
        self.master.resize(size(width, height)).unwrap();
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        let line = format!("kill -{name} {id}");
        assert!(Command::new("/bin/sh").args(["-c", &line]).status().unwrap().success());
    }

    /// Waits for the end; returns the exit code.
    #[track_caller]
    fn ended(&mut self) -> u32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                // What was written last may still be on its way.
                std::thread::sleep(Duration::from_millis(100));
                return status.exit_code();
            }
            assert!(Instant::now() < until, "it does not end:\n{}", self.seen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    fn assert_restored(&self) {
        let output = self.output.lock().unwrap();
        let screen = output.screen.screen();
        assert!(!screen.alternate_screen(), "the first screen is back");
        assert!(!screen.hide_cursor(), "the cursor is back");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is free");
    }
}

impl Drop for Arcade {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let _ = self.child.kill();
        }
    }
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

/// The example `arcade`, which `cargo test -p lurd-play` builds beside the tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().parent().unwrap().join("examples/arcade");
    assert!(path.exists(), "{} is missing: run `cargo build -p lurd-play --example arcade`", path.display());
    path
}

#[test]
fn a_level_is_played_and_found_again() {
    let data = tempfile::tempdir().unwrap();
    let mut arcade = Arcade::start(data.path(), None, &[]);
    arcade.expect("First push");
    arcade.type_and_expect(RIGHT, "Solved with 1 move and 1 push, your best yet!");
    arcade.type_and_expect("n", "Round the corner");
    arcade.type_and_expect("l", "1 move · 1 push");
    arcade.type_and_expect("u", "0 moves · 0 pushes");
    arcade.type_and_expect("i", "Hint: look at the");
    arcade.type_and_expect("i", "Hint: the marked box");
    arcade.type_and_expect("i", "Hint: push the marked box");
    arcade.type_and_expect(" ", "1 push");
    arcade.type_and_expect("x", "playback");
    arcade.expect("1/1 home");
    arcade.type_and_expect("\x1b", "2/4");
    arcade.type_and_expect("?", "Help: Sokoban");
    arcade.type_and_expect("?", "Round the corner");
    arcade.send("q");
    assert_eq!(arcade.ended(), 0);
    arcade.assert_restored();

    let mut again = Arcade::start(data.path(), Some("levels"), &[]);
    again.expect("1/4 solved");
    again.expect("✓ 1 First push");
    again.expect("~ 2 Round the corner");
    again.type_and_expect("/corner\r", "Welcome back");
    again.send("q");
    assert_eq!(again.ended(), 0);
}

#[test]
fn a_killed_game_is_found_again() {
    let data = tempfile::tempdir().unwrap();
    let mut arcade = Arcade::start(data.path(), None, &[]);
    arcade.expect("First push");
    arcade.type_and_expect(RIGHT, "Solved");
    for round in 0..6 {
        arcade.send("n");
        arcade.expect("Round the corner");
        // Killed in the middle of many changes, at a different moment each time.
        arcade.send(&"wsadwwssaadd".repeat(20));
        std::thread::sleep(Duration::from_millis(7 * round));
        arcade.signal("KILL");
        arcade.ended();
        arcade = Arcade::start(data.path(), Some("levels"), &[]);
        arcade.expect("1/4 solved");
        arcade.expect("✓ 1 First push");
        assert!(!arcade.seen().contains("damaged"), "{}", arcade.seen());
        arcade.type_and_expect("/1\r", "Solved");
    }
    let levels = std::fs::read_dir(data.path().join("levels")).unwrap();
    let names: Vec<_> = levels.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| !name.contains("damaged")), "{names:?}");
}

#[test]
fn the_terminal_is_given_back_whatever_happens() {
    let data = tempfile::tempdir().unwrap();
    let mut interrupted = Arcade::start(data.path(), None, &[]);
    interrupted.expect("First push");
    interrupted.send("\x03");
    assert_eq!(interrupted.ended(), 0);
    interrupted.assert_restored();

    let mut terminated = Arcade::start(data.path(), Some("watch"), &[]);
    terminated.expect("playback");
    terminated.signal("TERM");
    assert_eq!(terminated.ended(), 0);
    terminated.assert_restored();

    let mut panicked = Arcade::start(data.path(), Some("panic"), &[]);
    assert_eq!(panicked.ended(), 101);
    panicked.assert_restored();
    assert!(panicked.seen().contains("on purpose"), "{}", panicked.seen());
}

#[test]
fn windows_change_their_size() {
    let data = tempfile::tempdir().unwrap();
    let mut arcade = Arcade::start(data.path(), Some("menu"), &[]);
    arcade.expect("Sliding tiles");
    arcade.resize(40, 12);
    arcade.type_and_expect("4", "Sliding tiles 3x3");
    arcade.resize(30, 8);
    arcade.expect("This window is 30x8");
    arcade.resize(100, 40);
    arcade.expect("Sliding tiles 3x3");
    arcade.type_and_expect("m5", "the letter game");
    arcade.send("q");
    assert_eq!(arcade.ended(), 0);
}

#[test]
fn no_key_is_lost_while_the_window_changes() {
    let data = tempfile::tempdir().unwrap();
    let mut arcade = Arcade::start(data.path(), None, &[]);
    arcade.expect("First push");
    arcade.type_and_expect("nnn", "The long hall");
    for made in 1..=15 {
        arcade.resize(80 + made, 24);
        arcade.type_and_expect("l", &format!("{made} move"));
    }
    arcade.send("q");
    assert_eq!(arcade.ended(), 0);
}

/// The numbers of all sequences that set colours or styles.
fn styles(arcade: &Arcade) -> Vec<String> {
    let bytes = arcade.output.lock().unwrap().bytes.clone();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let style = |code: &str| Some(code.split_once('m')?.0.to_owned());
    text.split("\x1b[")
        .skip(1)
        .filter_map(style)
        .filter(|it| it.chars().all(|c| c == ';' || c.is_ascii_digit()))
        .collect()
}

#[test]
fn colours_are_those_the_terminal_has() {
    let data = tempfile::tempdir().unwrap();
    let with = |environment: &[(&str, &str)]| {
        let mut arcade = Arcade::start(data.path(), None, environment);
        arcade.expect("First push");
        arcade.send("q");
        arcade.ended();
        styles(&arcade)
    };
    let any = |styles: &[String], wanted: &str| styles.iter().any(|style| style.contains(wanted));
    let many = with(&[]);
    assert!(any(&many, "38;5;") && !any(&many, "38;2;"), "{many:?}");
    assert!(any(&with(&[("COLORTERM", "truecolor")]), "38;2;"));
    let sixteen = with(&[("TERM", "xterm")]);
    assert!(any(&sixteen, "34") && !any(&sixteen, "38;"), "{sixteen:?}");
    let none = with(&[("NO_COLOR", "1")]);
    assert!(!any(&none, "38;") && !any(&none, "34"), "{none:?}");
}

#[test]
fn a_dumb_terminal_is_played_line_by_line() {
    let data = tempfile::tempdir().unwrap();
    let mut arcade = Arcade::start(data.path(), None, &[("TERM", "dumb")]);
    arcade.expect("sokoban>");
    arcade.type_and_expect("r\n", "Solved, and it is your best yet.");
    arcade.send("quit\n");
    assert_eq!(arcade.ended(), 0);
    assert!(!arcade.output.lock().unwrap().bytes.contains(&0x1b), "no escape sequences");
}
