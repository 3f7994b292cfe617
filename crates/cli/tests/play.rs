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
        Self::spawn(data, env!("CARGO_BIN_EXE_lurd"), arguments)
    }

    fn spawn(data: &Path, program: &str, arguments: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("LURD_DATA", data);
        command.env("HOME", data);
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
    player.press("\x1b", "1/53");
    player.leave();

    let again = Player::start(data.path(), &["play", "--level", "1"]);
    again.expect("best 3 moves, 2 pushes");
    again.leave();
}

#[test]
fn the_menu_leads_to_all_three_games() {
    let data = tempfile::tempdir().unwrap();
    let player = Player::start(data.path(), &["play"]);
    for game in ["Sokoban", "Sliding tiles", "CSE, the letter game", "53 levels"] {
        player.expect(game);
    }
    player.leave();
}

/// A shell with a program of ours in it, as people have it: keys go through the terminal.
fn shell(data: &Path) -> Player {
    let mut player = Player::spawn(data, "sh", &["-i"]);
    let program = Path::new(env!("CARGO_BIN_EXE_lurd")).parent().unwrap().display().to_string();
    player.press(&format!("PATH={program}:$PATH PS1='ready> '; set -m\r"), "ready> ");
    player
}

#[test]
fn levels_from_a_pipe_are_played_on_the_terminal() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("a.xsb"), "######\n#@ $.#\n######\nTitle: Piped\n").unwrap();
    let mut player = shell(data.path());
    player.press("lurd play - < a.xsb\r", "Piped");
    player.press("l", "1 move");
    player.press("l", "Solved with 2 moves");
    player.press("q", "ready> ");
    player.press("lurd play - --plain < a.xsb\r", "sokoban> ");
    player.press("rr\r", "Solved");
    player.press("quit\r", "ready> ");
}

#[test]
fn a_game_can_be_suspended() {
    let data = tempfile::tempdir().unwrap();
    let mut player = shell(data.path());
    player.press("lurd play --level 1\r", "First Push");
    player.press("l", "1 move");
    player.press("\x1a", "ready> ");
    player.press("jobs\r", "lurd play --level 1");
    player.press("fg\r", "First Push");
    player.press("l", "2 moves");
    player.press("q", "ready> ");
}

#[test]
fn a_line_is_emptied_and_a_tilde_is_the_home_folder() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("mine.xsb"), "Title: Mine\n\n######\n#@ $.#\n######\n").unwrap();
    let mut player = Player::start(data.path(), &["play", "--level", "1"]);
    player.expect("First Push");
    player.press("o", "53 levels shown");
    player.press("O", "open the file: _");
    player.press("nonsense", "open the file: nonsense_");
    player.press("\x15", "open the file: _");
    player.press("~/mine.xsb\r", "Opened: 1 level");
    player.leave();
}

#[test]
fn the_list_knows_every_level_that_was_played() {
    let data = tempfile::tempdir().unwrap();
    let level = "#####\n#@$.#\n#####\n";
    std::fs::write(
        data.path().join("three.xsb"),
        format!("; A\n{level}\n; B\n######\n#@$ .#\n######\n\n; C\n######\n#@ $.#\n######\n"),
    )
    .unwrap();
    let mut player = Player::start(data.path(), &["play", "three.xsb"]);
    player.expect("1/3");
    // The list is seen once before anything is solved.
    player.press("o", "0/3 solved");
    player.press("\r", "1/3");
    player.press("l", "Solved with 1 move");
    player.press("n", "2/3");
    player.press("n", "3/3");
    player.press("ll", "Solved with 2 moves");
    player.press("o", "2/3 solved");
    player.leave();
}

#[test]
fn the_screen_of_the_letter_game_shows_every_value() {
    let data = tempfile::tempdir().unwrap();
    let player = Player::start(data.path(), &["cse", "play", "--screen", "--first", "min", "--start", "left"]);
    player.expect("Values of C, S, E");
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        // Eight empty cells with three values each.
        let seen = player.screen.lock().unwrap().screen().contents();
        let values = seen
            .split(|c: char| c.is_whitespace() || c == '│')
            .filter(|word| word.trim_start_matches(['+', '-']).parse::<u8>().is_ok());
        if values.count() == 24 {
            break;
        }
        assert!(Instant::now() < until, "{seen}");
        std::thread::sleep(Duration::from_millis(20));
    }
    player.leave();
}
