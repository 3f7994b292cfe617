//! The real server over real sockets: what it answers, whom it refuses, what it bears.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod client;
mod description;
mod jobs;
mod library;
mod load;
mod safety;
