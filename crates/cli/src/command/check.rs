//! `lurd check`: solutions replayed by the referee, and proofs done again.

use crate::command::levels::TITLE;
use crate::command::solve::threads;
use crate::exit::{Ending, Exit, Failure};
use crate::flags::LimitFlags;
use crate::input::{self, Source};
use crate::output::json_line;
use crate::progress::Display;
use crate::selection::Selection;
use crate::table::Table;
use crate::{idle, interrupt, refused, units};
use clap::Args;
use lurd::notation::LurdError;
use lurd::{Certificate, Claim, Level, Recheck};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Replay solutions by the bare rules, or do a proof again
///
/// Ends with 0 only if every level has a solution and every solution is right. The certificate of a proof, as
/// `solve --certificate` writes it, is recognised: then the solution in it is replayed, the work behind it is
/// done again, and it ends with 0 only if every layer is the same and the claim follows.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// The levels, in any supported format, or a certificate; - is standard input
    #[arg(value_name = "LEVELS|CERTIFICATE")]
    levels: PathBuf,

    /// The solutions: a line of moves per level, the output of `solve --json`, a level file with
    /// solutions, or the solution.txt of `sokoban -s` [default: the solutions LEVELS itself holds]
    #[arg(value_name = "SOLUTIONS")]
    solutions: Option<PathBuf>,

    /// Which levels: 3, 2-5, 7-, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|A-|all", default_value = "all")]
    level: Selection,

    /// Threads for a proof [default: as many as the machine has processors]
    #[arg(long, value_name = "N", value_parser = units::parse_threads)]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object a line for each solution, or one for a certificate
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitFlags,
}

/// What is said of one solution, as `--json` prints it.
#[derive(Serialize)]
struct Record<'a> {
    level: usize,
    title: &'a str,
    right: bool,
    pushes: Option<usize>,
    moves: Option<usize>,
    verdict: &'a str,
}

/// What is said of a certificate, as `--json` prints it.
#[derive(Serialize)]
struct CertificateRecord<'a> {
    certificate: &'a str,
    /// `confirmed`, `wrong`, `stopped` or `cancelled`.
    outcome: &'static str,
    stopped_by: Option<&'static str>,
    positions: Option<u64>,
    layers: Option<usize>,
    verdict: &'a str,
}

/// Checks.
pub fn run(arguments: &CheckArguments) -> Ending {
    if let Some(certificate) = certificate(&arguments.levels)? {
        return prove_again(&certificate, arguments);
    }
    idle::tell(&idle_without_certificate(arguments));
    let source = Source::file(&arguments.levels);
    let collection = source.read()?;
    let (levels, exit) = source.choose(&collection, &arguments.level)?;
    let solutions = input::solutions(arguments.solutions.as_deref(), &collection.levels, false)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut table = Table::new(">level|title|>pushes|>moves|verdict");
    let (mut right, mut judged) = (0, 0);
    for level in levels {
        let answers = solutions.of(level.number);
        let judgements: Vec<Judgement> = if answers.is_empty() {
            vec![Judgement::wrong("no solution given")]
        } else {
            answers.iter().map(|answer| judge(level, answer)).collect()
        };
        judged += judgements.len();
        for judgement in judgements {
            right += usize::from(judgement.right);
            if arguments.json {
                let title = level.title.as_deref().unwrap_or_default();
                let Judgement { right, pushes, moves, sentence } = &judgement;
                let (right, pushes, moves) = (*right, *pushes, *moves);
                json_line(&mut out, &Record { level: level.number, title, right, pushes, moves, verdict: sentence })?;
                continue;
            }
            table.row(vec![
                level.number.to_string(),
                units::shortened(&input::title(level), TITLE),
                units::optional(judgement.pushes),
                units::optional(judgement.moves),
                judgement.sentence,
            ]);
        }
    }
    if !arguments.json {
        table.print(&mut out)?;
        writeln!(out, "\n{right} of {judged} right")?;
    }
    out.flush()?;
    Ok(if right == judged { exit } else { exit.max(Exit::Incomplete) })
}

/// The options that matter to a proof only.
fn idle_without_certificate(arguments: &CheckArguments) -> Vec<String> {
    let limits = &arguments.limits;
    let given = [
        ("--threads", arguments.threads.is_some()),
        ("--time-limit", limits.has("time_limit")),
        ("--memory-limit", limits.has("memory_limit")),
        ("--node-limit", limits.has("node_limit")),
    ];
    let idle = given.iter().filter(|(_, is_given)| *is_given);
    idle.map(|(flag, _)| format!("{flag} has no effect: it is for the check of a certificate")).collect()
}

/// The certificate in a file; `None` if it holds something else.
fn certificate(path: &Path) -> Result<Option<Certificate>, Failure> {
    // Standard input can be read once only, and there it is levels.
    if path == Path::new("-") {
        return Ok(None);
    }
    let bytes = input::bytes(path)?;
    let text = String::from_utf8_lossy(&bytes);
    if !Certificate::is_one(&text) {
        return Ok(None);
    }
    Certificate::read(&text).map(Some).map_err(|error| Failure::usage(format!("{}: {error}", input::name(path))))
}

/// Does a proof again.
fn prove_again(certificate: &Certificate, arguments: &CheckArguments) -> Ending {
    let name = input::name(&arguments.levels);
    if arguments.solutions.is_some() {
        return Err(Failure::usage(format!("{name}: a certificate has its solution in it; leave out SOLUTIONS")));
    }
    let cancel = interrupt::watch();
    let display = Display::new();
    let mut line = display.line(name.clone());
    let threads = threads(arguments.threads);
    let checked =
        lurd::recheck(certificate, threads, arguments.limits.limits(1), &cancel, &mut |progress| line.show(progress));
    drop(line);
    let checked = checked.map_err(|error| Failure::usage(format!("{name}: {}", refused::sentence(&error))))?;
    let (outcome, stopped_by, work) = match &checked {
        Recheck::Confirmed { positions, layers } => ("confirmed", None, Some((*positions, *layers))),
        Recheck::Differs(_) => ("wrong", None, None),
        Recheck::Stopped(stop) => ("stopped", Some(stop.name()), None),
        Recheck::Cancelled => ("cancelled", None, None),
    };
    let (sentence, exit) = match checked {
        Recheck::Confirmed { positions, layers } => {
            let work = format!(
                "{} in {} are the same",
                units::plural(usize::try_from(positions).unwrap_or(usize::MAX), "position", "positions"),
                units::plural(layers, "layer", "layers")
            );
            (format!("confirmed: {}; {work}", claim(certificate)), Exit::Success)
        }
        Recheck::Differs(sentence) => (format!("wrong: {sentence}"), Exit::Incomplete),
        Recheck::Stopped(stop) => {
            (format!("not decided: the limit on {} ended the check", stop.name()), Exit::Incomplete)
        }
        Recheck::Cancelled => ("not decided: interrupted".into(), Exit::Interrupted),
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        let (positions, layers) = work.unzip();
        let record =
            CertificateRecord { certificate: &name, outcome, stopped_by, positions, layers, verdict: &sentence };
        json_line(&mut out, &record)?;
    } else {
        writeln!(out, "{sentence}")?;
    }
    out.flush()?;
    Ok(exit)
}

/// What a certificate claims, in words.
fn claim(certificate: &Certificate) -> String {
    let pushes = |number: usize| units::plural(number, "push", "pushes");
    let lower = pushes(certificate.lower_bound.unwrap_or(0) as usize);
    match (certificate.claim, &certificate.solution) {
        (Claim::Unsolvable, _) => "the level has no solution".into(),
        (Claim::Optimal, _) => format!("no solution has fewer than {lower}, and the one given has as many"),
        (Claim::LowerBound, None) => format!("no solution has fewer than {lower}"),
        (Claim::LowerBound, Some(solution)) => {
            format!("no solution has fewer than {lower}; the one given has {}", pushes(solution.pushes))
        }
    }
}

/// What the referee says of one solution.
struct Judgement {
    right: bool,
    pushes: Option<usize>,
    moves: Option<usize>,
    sentence: String,
}

impl Judgement {
    fn wrong(sentence: impl Into<String>) -> Self {
        Self { right: false, pushes: None, moves: None, sentence: sentence.into() }
    }
}

fn judge(level: &Level, answer: &Result<String, LurdError>) -> Judgement {
    let moves = match answer {
        Ok(moves) => moves,
        Err(reason) => return Judgement::wrong(format!("wrong: {}", units::printable(&reason.to_string()))),
    };
    match lurd_referee::judge(&level.map.to_string(), moves) {
        Err(fault) => Judgement::wrong(format!("wrong: {fault}")),
        Ok(verdict) => {
            let left = verdict.boxes_off_goal.max(verdict.goals_without_box);
            let sentence = match verdict.case_mismatch {
                _ if !verdict.solved => {
                    format!("wrong: not solved, {} not on goals", units::plural(left, "box", "boxes"))
                }
                Some(number) => format!("right, though move {number} has the wrong letter case"),
                None => "right".to_owned(),
            };
            Judgement { right: verdict.solved, pushes: Some(verdict.pushes), moves: Some(verdict.moves), sentence }
        }
    }
}
