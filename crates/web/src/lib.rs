//! The workbench in the browser: a server for one machine, with the page inside it.
//!
//! [`Server::bind`] takes a port on loopback, [`Server::run`] serves until it is told to stop.
//! `/` is the page (`page`), `/api/v1` what it and scripts talk to (`api`): the questions of `lurd-service` over HTTP.
//! Searches are `jobs` on threads of their own; whoever wants to watch one opens its event stream. `library` is the library of
//! levels and batch runs, where there is one.
//! `guard` lets nobody in but this server's own page and programs of this machine.

mod api;
mod connections;
mod error;
mod guard;
mod job_routes;
mod jobs;
mod library;
mod limits;
mod page;
mod server;
#[cfg(test)]
mod types;

pub use library::LibraryAccess;
pub use limits::Limits;
pub use server::{Options, Server};
