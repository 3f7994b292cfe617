//! `lurd play` in a real (pseudo) terminal: an embedded level is played to the end, a move is taken
//! back, a hint asked, a solution watched, and the progress found again by the next start.

#![cfg(unix)]
// A helper of a test that fails is a test that fails.
#![allow(clippy::unwrap_used)]

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

struct Player {
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Player {
    fn start(data: &Path, arguments: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_lurd"));
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("LURD_DATA", data);
        command.cwd(data);
        let child = pair.slave.spawn_command(command).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
        let (mut reader, sink) = (pair.master.try_clone_reader().unwrap(), screen.clone());
        let keys = pair.master.take_writer().unwrap();
        std::thread::spawn(move || {
            // The terminal lives as long as it is read.
            let _master = pair.master;
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                sink.lock().unwrap().process(&chunk[..count]);
            }
        });
        Self { keys, child, screen }
    }

    #[track_caller]
    fn expect(&self, text: &str) {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let seen = self.screen.lock().unwrap().screen().contents();
            if seen.contains(text) {
                return;
            }
            assert!(Instant::now() < until, "{text:?} does not appear on\n{seen}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    fn press(&mut self, keys: &str, text: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self.expect(text);
    }

    fn leave(mut self) {
        self.keys.write_all(b"q").unwrap();
        self.keys.flush().unwrap();
        assert_eq!(self.child.wait().unwrap().exit_code(), 0);
    }
}

#[test]
fn an_embedded_level_is_played_to_the_end_and_remembered() {
    let data = tempfile::tempdir().unwrap();
    let mut player = Player::start(data.path(), &["play", "--level", "1"]);
    player.expect("First Push");
    player.press("l", "1 move · 0 pushes");
    player.press("l", "2 moves · 1 push");
    player.press("u", "1 move · 0 pushes");
    player.press("i", "Hint: look at the");
    player.press("ii", "Hint: push the marked box right");
    player.press("ll", "Solved with 3 moves and 2 pushes, your best yet!");
    player.press("p", "move ");
    player.press("\x1b", "1/48");
    player.leave();

    let again = Player::start(data.path(), &["play", "--level", "1"]);
    again.expect("best 3 moves, 2 pushes");
    again.leave();
}

#[test]
fn the_menu_leads_to_all_three_games() {
    let data = tempfile::tempdir().unwrap();
    let player = Player::start(data.path(), &["play"]);
    for game in ["Sokoban", "Sliding tiles", "CSE, the letter game", "48 levels"] {
        player.expect(game);
    }
    player.leave();
}
