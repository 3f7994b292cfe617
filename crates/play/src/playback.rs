//! A solution played back: forwards, backwards, at any speed, from any point.

use crate::game::Game;
use lurd::Board;
use std::sync::Arc;
use std::time::Duration;

/// Moves a second, slowest first.
const SPEEDS: [u32; 9] = [1, 2, 4, 8, 15, 30, 60, 120, 250];

/// A solution played back.
#[derive(Clone, Debug)]
pub(crate) struct Playback {
    game: Game,
    length: usize,
    playing: bool,
    speed: usize,
    /// Time that has passed since the last move.
    waited: Duration,
}

impl Playback {
    /// A playback that stands at move `from` and is paused. Moves after the first impossible
    /// one are left out.
    pub(crate) fn new(board: Arc<Board>, lurd: &str, from: usize) -> Self {
        let mut game = Game::new(board);
        let length = game.play(lurd);
        game.seek(from.min(length));
        Self { game, length, playing: false, speed: 3, waited: Duration::ZERO }
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn position(&self) -> usize {
        self.game.moves()
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.playing
    }

    pub(crate) fn speed(&self) -> u32 {
        SPEEDS[self.speed]
    }

    /// Starts or stops. Started at the end, it begins again.
    pub(crate) fn toggle(&mut self) {
        if !self.playing && self.position() == self.length {
            self.game.seek(0);
        }
        self.playing = !self.playing;
        self.waited = Duration::ZERO;
    }

    /// Goes `moves` forwards or backwards and pauses.
    pub(crate) fn step(&mut self, moves: isize) {
        self.seek(self.position().saturating_add_signed(moves));
    }

    /// Goes to the next or the previous push and pauses.
    pub(crate) fn step_push(&mut self, forwards: bool) {
        self.playing = false;
        if forwards {
            self.game.redo_push();
        } else {
            self.game.undo_push();
        }
    }

    /// Goes to a move and pauses.
    pub(crate) fn seek(&mut self, position: usize) {
        self.playing = false;
        self.game.seek(position.min(self.length));
    }

    /// Goes to a fraction of the whole and pauses.
    pub(crate) fn scrub(&mut self, part: usize, whole: usize) {
        self.seek((part * self.length + whole / 2) / whole.max(1));
    }

    pub(crate) fn faster(&mut self) {
        self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
    }

    pub(crate) fn slower(&mut self) {
        self.speed = self.speed.saturating_sub(1);
    }

    /// Lets time pass; says whether anything moved.
    pub(crate) fn tick(&mut self, passed: Duration) -> bool {
        if !self.playing {
            return false;
        }
        self.waited += passed;
        let between = Duration::from_secs(1) / self.speed();
        let mut moved = false;
        while self.waited >= between && self.game.redo() {
            self.waited -= between;
            moved = true;
        }
        if self.position() == self.length {
            self.playing = false;
            return true;
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playback(from: usize) -> Playback {
        Playback::new(crate::game::drawn("#########\n#@ $   .#\n#########").board().clone(), "rRRRR", from)
    }

    #[test]
    fn time_moves_it_and_the_end_stops_it() {
        let mut playback = playback(0);
        assert!(!playback.tick(Duration::from_secs(9)), "it is paused");
        playback.toggle();
        let between = Duration::from_secs(1) / playback.speed();
        assert!(!playback.tick(between / 2));
        assert!(playback.tick(between / 2));
        assert_eq!(playback.position(), 1);
        assert!(playback.tick(between * 2));
        assert_eq!(playback.position(), 3);
        assert!(playback.tick(between * 100));
        assert!(playback.game().is_solved() && !playback.is_playing());
        playback.toggle();
        assert_eq!(playback.position(), 0, "it begins again");
    }

    #[test]
    fn it_can_be_stepped_and_scrubbed() {
        let mut playback = playback(2);
        assert_eq!(playback.position(), 2);
        playback.step(1);
        playback.step(-2);
        assert_eq!(playback.position(), 1);
        playback.step(-5);
        assert_eq!(playback.position(), 0);
        playback.step_push(true);
        assert_eq!(playback.position(), 2);
        playback.scrub(1, 1);
        assert_eq!(playback.position(), 5);
        playback.scrub(0, 10);
        assert_eq!(playback.position(), 0);
        playback.seek(99);
        playback.step_push(false);
        assert_eq!(playback.position(), 4);
    }

    #[test]
    fn speeds_have_ends() {
        let mut playback = playback(0);
        (0..50).for_each(|_| playback.faster());
        assert_eq!(playback.speed(), 250);
        (0..50).for_each(|_| playback.slower());
        assert_eq!(playback.speed(), 1);
    }
}
