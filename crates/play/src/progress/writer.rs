//! The thread that writes records to disk.

use super::record::{self, Record};
use lurd_base::sync::lock;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

enum Order {
    Write(PathBuf, Box<Record>),
    Flush(Sender<()>),
}

/// Writes records in the background, the newest of each file only. Dropping it waits for the rest.
#[derive(Debug)]
pub(super) struct Writer {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    trouble: Arc<Mutex<Option<String>>>,
}

impl Writer {
    pub(super) fn start() -> io::Result<Self> {
        let (orders, inbox) = channel();
        let trouble = Arc::new(Mutex::new(None));
        let shared = trouble.clone();
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || work(&inbox, &shared))?;
        Ok(Self { orders: Some(orders), thread: Some(thread), trouble })
    }

    pub(super) fn write(&self, path: PathBuf, record: Record) {
        self.send(Order::Write(path, Box::new(record)));
    }

    pub(super) fn flush(&self) {
        let (done, wait) = channel();
        self.send(Order::Flush(done));
        // An error means that the thread is gone, and then there is nothing to wait for.
        let _ = wait.recv();
    }

    pub(super) fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone()
    }

    fn send(&self, order: Order) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Closing the channel lets the thread finish what is left and end.
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(inbox: &Receiver<Order>, trouble: &Mutex<Option<String>>) {
    while let Ok(first) = inbox.recv() {
        // Whatever has piled up meanwhile is written once, in its newest form.
        let mut newest: HashMap<PathBuf, Box<Record>> = HashMap::new();
        let mut waiting = Vec::new();
        for order in std::iter::once(first).chain(inbox.try_iter()) {
            match order {
                Order::Write(path, record) => {
                    newest.insert(path, record);
                }
                Order::Flush(done) => waiting.push(done),
            }
        }
        for (path, record) in newest {
            let result = replace(&path, *record);
            let text = result.err().map(|error| format!("progress is not kept: {}: {error}", path.display()));
            *lock(trouble) = text;
        }
        for done in waiting {
            let _ = done.send(());
        }
    }
}

/// Replaces a record as a whole: a reader, or the next start after a crash, sees the old one or
/// the new one. Best solutions that another program wrote meanwhile are taken over.
fn replace(path: &Path, mut record: Record) -> io::Result<()> {
    if let Ok(bytes) = fs::read(path)
        && let Ok(found) = record::parse(&bytes, &record.board)
    {
        record.merge(&found);
    }
    lurd::files::replace(path, &serde_json::to_vec_pretty(&record)?)
}
