//! `lurd serve`: the workbench in the browser.

use crate::command::batch::{launcher, machine};
use crate::exit::{Ending, Exit, Failure, complain};
use crate::input::Source;
use crate::shelf::{Keeper, LibraryFlags};
use crate::{memory, units};
use clap::Args;
use lurd_web::{LibraryAccess, Limits, Options, Server};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Open the workbench in the browser: solve, watch, compare, play and draw
///
/// The page is inside the program and needs no internet. It listens on this machine alone unless
/// --address says otherwise, and answers nobody but its own page and programs that call its API
/// (described at /api/v1/openapi.json). Ctrl-C ends it.
#[derive(Args, Debug)]
pub struct ServeArguments {
    #[command(flatten)]
    source: Source,

    /// The port to listen on; another one is taken if it is in use, 0 takes any
    #[arg(long, value_name = "PORT", default_value_t = 7373)]
    port: u16,

    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,

    /// A name other machines may call this server by, where --address lets them in
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,

    /// Print the address and leave the browser alone
    #[arg(long)]
    no_open: bool,

    /// Searches that run side by side [default: one for each core, at least 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,

    /// The most seconds one search may ask for
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = units::parse_seconds)]
    time_limit: Duration,

    /// Memory for all searches that run side by side, such as 4GiB [default: 80 % of what is available]
    #[arg(long, value_name = "SIZE", value_parser = units::parse_memory)]
    memory_limit: Option<usize>,

    /// Seconds that a search goes on after its page was closed
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = units::parse_seconds)]
    grace: Duration,

    #[command(flatten)]
    library: LibraryFlags,
}

/// Serves until Ctrl-C.
pub fn run(arguments: &ServeArguments) -> Ending {
    let mut limits = Limits { time: arguments.time_limit, grace: arguments.grace, ..Limits::default() };
    if let Some(jobs) = arguments.jobs {
        limits.running = jobs.into();
    }
    limits.memory = arguments.memory_limit.unwrap_or_else(memory::default_limit) / limits.running;
    let keeper = keeper(arguments).map(Keeper::shared);
    let library = match &keeper {
        Some(keeper) => {
            let path = arguments.library.file.path()?;
            Some(LibraryAccess::new(path, keeper.recorder.clone(), launcher(Some(limits.memory), 1)?, machine()))
        }
        None => None,
    };
    let options = Options {
        library,
        address: arguments.address,
        port: arguments.port,
        names: arguments.host.clone(),
        limits,
        ..Options::new(arguments.source.read()?)
    };
    let server = Server::bind(options).map_err(|error| {
        Failure::usage(format!("cannot listen on {}: {error}; choose another --address or --port", arguments.address))
    })?;
    if arguments.port != 0 && server.address().port() != arguments.port {
        complain(&format!("port {} is taken; another one is used", arguments.port));
    }
    if !arguments.address.is_loopback() {
        complain("other machines can reach this server, and it asks nobody for a password");
    }
    let mut out = io::stdout();
    writeln!(out, "lurd serves at {} (Ctrl-C ends it)", server.url())?;
    out.flush()?;
    if !arguments.no_open {
        open(&server.url());
    }
    let ran = server.run().map_err(|error| Failure::usage(format!("the server failed: {error}")));
    if let Some(keeper) = keeper {
        keeper.finish();
    }
    ran.map(|()| Exit::Success)
}

/// Keeps what is found. Strangers fill no library unless one is named for it.
fn keeper(arguments: &ServeArguments) -> Option<Keeper> {
    let is_own = arguments.address.is_loopback() || arguments.library.file.library.is_some();
    arguments.library.keeper().filter(|_| is_own)
}

/// Asks the desktop to show the page. Where there is none, the printed address has to do.
fn open(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let started = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if started.is_err() {
        complain("no browser could be opened; open the address yourself");
    }
}
