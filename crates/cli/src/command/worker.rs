//! `lurd worker`: takes jobs from a NATS server, on any machine.

use crate::command::batch::{NatsFlags, launcher, machine};
use crate::exit::{Ending, Exit, Failure, complain};
use crate::{interrupt, units};
use clap::Args;
use lurd_batch::VERSION;
use lurd_batch::nats::{Worker, serve};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Duration;

/// Work for batch runs elsewhere: take jobs from a NATS server until Ctrl-C
///
/// Every search runs in a process of its own. Ctrl-C gives jobs under way back. Start the server with JetStream
/// (nats-server -js).
#[derive(Args, Debug)]
pub struct WorkerArguments {
    #[command(flatten)]
    nats: NatsFlags,

    /// Searches side by side [default: as many as the machine has processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Memory of one search whose run does not say [default: 80 % of what is available, shared by the jobs]
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size)]
    memory_limit: Option<usize>,

    /// What results call this worker [default: the name of the machine and the process]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Be another version, for tests
    #[arg(long, value_name = "VERSION", hide = true)]
    pretend_version: Option<String>,

    /// Seconds of silence after which a job goes to another worker, for tests
    #[arg(long, value_name = "SECONDS", hide = true, value_parser = units::parse_seconds)]
    ack_wait: Option<Duration>,
}

/// Works until Ctrl-C.
pub fn run(arguments: &WorkerArguments) -> Ending {
    let access = arguments
        .nats
        .access()
        .ok_or_else(|| Failure::usage("a worker needs a server; name it by --nats nats://host:4222"))?;
    let slots = crate::command::solve::threads(arguments.jobs);
    let worker = Worker {
        access,
        slots,
        launcher: launcher(arguments.memory_limit, slots)?,
        name: arguments.name.clone().unwrap_or_else(|| format!("{} {}", machine(), std::process::id())),
        version: arguments.pretend_version.clone().unwrap_or_else(|| VERSION.to_owned()),
        ack_wait: arguments.ack_wait,
    };
    let cancel = interrupt::watch();
    let served = serve(&worker, &cancel, complain).map_err(|error| Failure::usage(error.to_string()))?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} done, {} given back",
        units::plural(served.done, "job", "jobs"),
        units::plural(served.given_back, "job", "jobs")
    )?;
    Ok(Exit::Interrupted)
}
