//! The real server over real sockets: what it answers, whom it refuses, what it bears.

mod client;
mod jobs;
mod load;
mod safety;
