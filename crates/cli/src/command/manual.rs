//! `lurd completions` and `lurd man`: what shells and `man` want to know, made from the flags.

use crate::cli::Cli;
use crate::exit::{Ending, Exit};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use std::io::{self, Write};

/// Print the completion script of a shell
///
/// For instance: lurd completions bash > ~/.local/share/bash-completion/completions/lurd
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page (for instance: lurd man | man -l -)
#[derive(Args, Debug)]
pub struct Man {}

/// The variables that the program obeys.
const ENVIRONMENT: [(&str, &str); 9] = [
    ("LURD_DATA", "The folder of the library, and of saved games of `lurd play`, in place of the platform's."),
    ("LURD_CACHE", "The folder of tables of tile boards, in place of the platform's for caches."),
    ("LURD_NATS_USER, LURD_NATS_PASSWORD", "User and password at a NATS server."),
    ("LURD_NATS_TOKEN", "The token at a NATS server."),
    ("LURD_NATS_SEED", "The seed of an NKey at a NATS server."),
    ("LURD_NATS_CREDENTIALS", "A file of credentials at a NATS server."),
    ("LURD_NATS_CA", "Certificates of the authority behind a NATS server with TLS, in PEM."),
    ("NO_COLOR", "Where it is set, `lurd play` draws without colours."),
    ("TERM", "Where it is `dumb`, `lurd play` asks for lines of text."),
];

/// Prints a completion script.
pub fn completions(arguments: &Completions) -> Ending {
    // Made in memory first: the generator panics where its output is a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "lurd", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Success)
}

/// Prints the manual page: the overview, then every command with its flags.
pub fn man() -> Ending {
    let mut command = Cli::command();
    command.build();
    let mut overview = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut overview)?;
    // The commands are described on this page, not on pages of their own.
    let mut page = String::from_utf8_lossy(&overview).replace(".SH EXTRA", ".SH LEVELS AND EXIT CODES");
    for command in command.get_subcommands() {
        page = page.replace(&format!("lurd\\-{}(1)", command.get_name()), &format!("lurd {}", command.get_name()));
    }
    let mut page = page.into_bytes();
    for command in command.get_subcommands() {
        describe(&mut page, command, "LURD")?;
    }
    writeln!(page, ".SH ENVIRONMENT")?;
    for (name, about) in ENVIRONMENT {
        writeln!(page, ".TP\n{name}\n{about}")?;
    }
    io::stdout().lock().write_all(&page)?;
    Ok(Exit::Success)
}

/// The sections of a command and of the commands inside it, under the name `above` and its own.
fn describe(page: &mut Vec<u8>, command: &Command, above: &str) -> io::Result<()> {
    if command.get_name() == "help" || command.is_hide_set() {
        return Ok(());
    }
    let name = format!("{above} {}", command.get_name().to_uppercase());
    let man = clap_mangen::Man::new(command.clone());
    let mut sections = Vec::new();
    man.render_synopsis_section(&mut sections)?;
    man.render_description_section(&mut sections)?;
    man.render_options_section(&mut sections)?;
    // Sections of a page of its own become subsections of the one page.
    let sections = String::from_utf8_lossy(&sections).replace(".SH ", ".SS ");
    write!(page, ".SH {name}\n{sections}")?;
    command.get_subcommands().try_for_each(|inner| describe(page, inner, &name))
}
