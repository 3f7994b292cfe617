//! Watches a game for deadlocks on a thread of its own: on large boards the tables take
//! longer to prepare than a key press may wait.

use lurd::{Bits, Board, Deadlock, Deadlocks, Square};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

struct Question {
    serial: u64,
    boxes: Bits,
    /// The box that was pushed; `None` asks about the whole position.
    pushed: Option<Square>,
    player: Square,
}

/// Boards with more squares times goals than this go unwatched: the tables of push distances
/// would take more than about half a gigabyte.
const MOST_ENTRIES: usize = 60_000_000;

/// What became of a question: the serial that was asked with, and the deadlock if there is one.
pub(crate) type Finding = (u64, Option<Deadlock>);

/// A deadlock watch. Dropping it ends its thread.
#[derive(Debug)]
pub(crate) struct Watch {
    questions: Sender<Question>,
    findings: Receiver<Finding>,
    open: usize,
    gone: Arc<AtomicBool>,
}

impl Watch {
    /// Starts watching a board.
    pub(crate) fn start(board: Arc<Board>) -> Self {
        let (questions, inbox) = channel::<Question>();
        let (sender, findings) = channel();
        let gone = Arc::new(AtomicBool::new(false));
        let stop = gone.clone();
        std::thread::spawn(move || {
            if board.len() * (board.goals().len() + 1) > MOST_ENTRIES {
                return;
            }
            // A fault in a rule must not take the player's game with it: he then plays unwarned.
            let _ = catch_unwind(AssertUnwindSafe(|| {
                let distances = Deadlocks::distances(&board);
                let mut deadlocks = Deadlocks::new(&board, &distances);
                for Question { serial, boxes, pushed, player } in inbox {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let deadlock = match pushed {
                        Some(pushed) => deadlocks.after_push(&boxes, pushed, player),
                        None => deadlocks.anywhere(&boxes, player),
                    };
                    if sender.send((serial, deadlock)).is_err() {
                        return;
                    }
                }
            }));
        });
        Self { questions, findings, open: 0, gone }
    }

    /// Asks whether a push lost the level, or, without a push, whether a position is lost.
    pub(crate) fn ask(&mut self, serial: u64, boxes: &Bits, pushed: Option<Square>, player: Square) {
        if self.questions.send(Question { serial, boxes: boxes.clone(), pushed, player }).is_ok() {
            self.open += 1;
        }
    }

    /// Whether questions are still open.
    pub(crate) fn is_busy(&self) -> bool {
        self.open > 0
    }

    /// The next finding, without waiting.
    pub(crate) fn poll(&mut self) -> Option<Finding> {
        match self.findings.try_recv() {
            Ok(finding) => {
                self.open -= 1;
                Some(finding)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.open = 0;
                None
            }
        }
    }

    /// The next finding; waits for it, but not for ever.
    pub(crate) fn wait(&mut self) -> Option<Finding> {
        if self.open == 0 {
            return None;
        }
        self.open -= 1;
        self.findings.recv_timeout(Duration::from_secs(10)).ok()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, drawn};
    use lurd::Direction;

    #[test]
    fn a_lost_push_is_reported_with_the_box_at_fault() {
        let mut game = drawn("#####\n#   #\n#@$ #\n# . #\n#####");
        let mut watch = Watch::start(game.board().clone());
        watch.ask(Game::START, game.boxes(), None, game.player());
        assert_eq!(watch.wait(), Some((Game::START, None)), "the level can be solved");
        let stepped = game.step(Direction::Right).unwrap();
        watch.ask(stepped.serial, game.boxes(), stepped.pushed, game.player());
        let (serial, deadlock) = watch.wait().unwrap();
        assert_eq!(serial, stepped.serial);
        assert_eq!(deadlock.unwrap().boxes, [stepped.pushed.unwrap()]);
        assert_eq!(watch.wait(), None, "nothing was asked");
    }
}
