//! Work on several things side by side, with the results handed over in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Stack of a worker. Searches keep their own stacks on the heap; this is room to spare.
const STACK: usize = 16 << 20;

/// Runs `work` on every item on up to `threads` threads and gives the results to `take` on
/// the calling thread, in the order of the items. `work` says `None` to skip an item.
///
/// When `take` fails, `stop` is called, no new item is begun, and its error is returned.
///
/// # Errors
/// What `take` returned.
pub fn in_order<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Option<R> + Sync,
    stop: impl Fn(),
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let halted = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let (sender, next, halted, work) = (sender.clone(), &next, &halted, &work);
            let worker = move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if halted.load(Ordering::Relaxed) || sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            };
            if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).is_err() {
                // The system gives no more threads: those that run do all the work, and
                // if there is none at all the channel closes below with nothing taken.
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&due) {
                if let Some(result) = result
                    && let Err(error) = take(&items[due], result)
                {
                    halted.store(true, Ordering::Relaxed);
                    stop();
                    return Err(error);
                }
                due += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_order_whatever_is_ready_first() {
        let items: Vec<u64> = (0..20).collect();
        let mut taken = Vec::new();
        let work = |&n: &u64| {
            thread::sleep(Duration::from_millis((20 - n) % 7));
            (n % 5 != 3).then_some(n)
        };
        in_order(
            &items,
            4,
            work,
            || (),
            |_, n| {
                taken.push(n);
                Ok::<_, ()>(())
            },
        )
        .unwrap();
        let expected: Vec<u64> = (0..20).filter(|n| n % 5 != 3).collect();
        assert_eq!(taken, expected);
    }

    #[test]
    fn a_failure_stops_the_work() {
        let items: Vec<u32> = (0..1000).collect();
        let done = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let work = |&n: &u32| {
            done.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(1));
            Some(n)
        };
        let take = |_: &u32, n| if n == 3 { Err("enough") } else { Ok(()) };
        let ended = in_order(&items, 2, work, || stopped.store(true, Ordering::Relaxed), take);
        assert_eq!(ended, Err("enough"));
        assert!(stopped.load(Ordering::Relaxed));
        assert!(done.load(Ordering::Relaxed) < 900);
    }
}
