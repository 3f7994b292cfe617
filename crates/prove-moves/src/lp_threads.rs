//! The threads that solve linear programs: owned, bounded and counted by the process.
//!
//! Clarabel calls back only between two iterations. Its setup and each of its iterations take a few milliseconds on small
//! levels, but up to about 0.7 s on the largest for which programs are made: longer than a limit may be overrun. So a search
//! that reaches a limit does not wait. It *abandons* its threads to a list of the process, and each of them ends with the
//! iteration it is in, because its budget has ended. Three rules keep them in check:
//!
//! * Every thread is joined: by the search that started it or, if abandoned, as soon as it has ended and anybody asks.
//! * No search starts a thread while an abandoned one is left, but waits for it within its own limits. So abandoned threads
//!   never accumulate: there are at most as many as the searches that were running at one time have threads.
//! * Abandoned threads count as memory of every search until they end ([`bytes`]): a memory limit holds with them.
//!
//! A process that exits ends them: they hold nothing but memory. Where no thread can be started, its program is skipped; the
//! search is correct without. Where there are no threads at all, programs run one after the other and a limit waits for an
//! iteration.

use lurd_base::Budget;
use lurd_base::clock::HAS_THREADS;
use lurd_base::sync::lock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

/// How often the limits are checked while threads work.
const POLL: Duration = Duration::from_millis(10);

/// A thread whose search has ended, and the bytes it may hold.
struct Abandoned {
    thread: JoinHandle<()>,
    bytes: usize,
}

static ABANDONED: Mutex<Vec<Abandoned>> = Mutex::new(Vec::new());

/// The abandoned threads that are still running; joins the others.
fn abandoned() -> MutexGuard<'static, Vec<Abandoned>> {
    let mut list = lock(&ABANDONED);
    for ended in list.extract_if(.., |abandoned| abandoned.thread.is_finished()) {
        // A program whose thread panicked has no result, as one that was not solved.
        let _ = ended.thread.join();
    }
    list
}

/// Bytes that abandoned threads may hold.
pub(crate) fn bytes() -> usize {
    abandoned().iter().map(|abandoned| abandoned.bytes).sum()
}

/// Runs tasks, each on a thread of its own that may hold so many bytes, until all are done or the budget ends. Returns the
/// results, in the order of the tasks, of those that were done.
pub(crate) fn run<T: Send + 'static>(
    tasks: impl Iterator<Item = impl FnOnce() -> T + Send + 'static>,
    bytes: usize,
    budget: &Budget,
) -> Vec<T> {
    let ended = || budget.is_over();
    if !HAS_THREADS {
        return tasks.take_while(|_| !ended()).map(|task| task()).collect();
    }
    while !abandoned().is_empty() {
        if ended() {
            return Vec::new();
        }
        sleep(POLL);
    }
    let (sender, receiver) = channel();
    let mut threads = Vec::new();
    for (number, task) in tasks.enumerate() {
        let sender = sender.clone();
        // Sending fails only where the thread was abandoned.
        let thread = Builder::new().name("flow-lp".into()).spawn(move || _ = sender.send((number, task())));
        threads.extend(thread.ok());
    }
    drop(sender);
    let mut results = Vec::new();
    let all_done = loop {
        if ended() {
            break false;
        }
        match receiver.recv_timeout(POLL) {
            Ok(result) => results.push(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break true,
        }
    };
    for thread in threads {
        if all_done {
            let _ = thread.join();
        } else {
            lock(&ABANDONED).push(Abandoned { thread, bytes });
        }
    }
    results.sort_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results come in the order of the tasks, whichever ends first; a task that panics has none.
    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        let tasks = (0..4u64).map(|number| {
            move || {
                sleep(Duration::from_millis(20 * (4 - number)));
                assert_ne!(number, 1, "this panic is part of the test");
                number
            }
        });
        assert_eq!(run(tasks, 0, &Budget::unlimited()), [0, 2, 3]);
    }
}
