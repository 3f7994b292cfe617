//! `lurd solve`: levels in, solutions out, in order, several searches side by side.

mod print;
mod tally;

use crate::command::play;
use crate::exit::{Ending, Failure, complain};
use crate::flags::{CallerFlags, LimitFlags, ProofFlags, SearchFlags};
use crate::input::Source;
use crate::output::{Answer, Answers, Target, json_line};
use crate::progress::Line;
use crate::saver::{Saver, SolvedFile};
use crate::selection::Selection;
use crate::shelf::{Keeper, LibraryFlags};
use crate::{idle, interrupt, pool, refused, replace, units};
use clap::Args;
use lurd::{Certificate, Forecast, Goal, Level, Progress, Proof, Report, Request, Solution, SolveError, Watch};
use print::Printer;
use std::collections::HashMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use tally::Tally;

/// Solve levels
///
/// Every solution is replayed by an independent referee before it is printed. "unsolvable" is
/// said only when everything was searched; a search that a limit ended says which limit.
#[derive(Args, Debug)]
pub struct SolveArguments {
    #[command(flatten)]
    source: Source,

    /// Which levels: 3, 2-5, 7-, 1,5-9 or all
    #[arg(long, value_name = "N|A-B|A-|all", default_value = "all")]
    level: Selection,

    /// Threads: several levels are solved side by side, a single one by all [default: as many as the machine has processors]
    #[arg(long, value_name = "N", value_parser = units::parse_threads)]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object a line for each level
    #[arg(long)]
    json: bool,

    /// Print every board of each solution with its cost so far g, estimate h and f = g + h
    #[arg(long, conflicts_with = "json")]
    steps: bool,

    /// Play each solution on the terminal once all are found
    #[arg(long, conflicts_with = "json")]
    play: bool,

    /// Write the levels with their solutions to FILE as they are found, in the format its ending names; the ending
    /// .lurd writes lines of moves instead
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// End with exit code 1 if an answer is not proved: with --goal pushes or moves, and for --then too
    #[arg(long)]
    require_proof: bool,

    #[command(flatten)]
    search: SearchFlags,

    #[command(flatten)]
    limits: LimitFlags,

    #[command(flatten)]
    proof: ProofFlags,

    #[command(flatten)]
    caller: CallerFlags,

    #[command(flatten)]
    library: LibraryFlags,

    /// Begin from the best solution in the library: it is the answer where any will do, and where the fewest are to be
    /// proved, the bound from above
    #[arg(long, conflicts_with = "no_library", help_heading = "Library")]
    known: bool,
}

/// Solves the chosen levels.
pub fn run(arguments: &SolveArguments) -> Ending {
    if arguments.require_proof && arguments.search.request.goal == Goal::Any {
        return Err(Failure::usage(
            "--goal any takes any solution, so nothing is proved; --require-proof needs --goal pushes or --goal moves",
        ));
    }
    let target = arguments.output.as_deref().map(Target::by_ending).transpose()?;
    let source = Source { ends_at_mark: arguments.caller.attached, ..arguments.source.clone() };
    let collection = source.read()?;
    let (levels, exit) = source.choose(&collection, &arguments.level)?;
    if let (Some(flag), true) = (arguments.proof.for_one_level(), levels.len() > 1) {
        return Err(Failure::usage(format!("{flag} is for one level; choose it with --level N")));
    }
    if let Some(target) = &target {
        target.check(&collection, &levels, &source)?;
    }
    if let Some(certificate) = &arguments.proof.certificate {
        replace::check(certificate)?;
    }
    idle::tell(&idle::of_solve(&arguments.search, &arguments.source, arguments.threads, levels.len()));
    let threads = threads(arguments.threads);
    let side_by_side = threads.min(levels.len()).max(1);
    let mut config = arguments.search.within(arguments.limits.limits(side_by_side));
    config.threads = threads / side_by_side;
    arguments.proof.apply(&mut config);

    let saver = target.map(|target| {
        let chosen = levels.iter().map(|level| level.number).collect();
        let file = SolvedFile { target, source: source.clone(), collection: collection.clone(), chosen };
        Saver::start(file, Answers::new())
    });
    let saver = saver.transpose()?;
    let known = if arguments.known { arguments.library.known(&config, &levels)? } else { HashMap::new() };
    let cancel = interrupt::watch();
    arguments.caller.watch(&cancel);
    let display = arguments.caller.display();
    let work = |level: &&Level| {
        if cancel.is_cancelled() {
            return None;
        }
        let config = Request { known: known.get(&level.number).cloned(), ..config.clone() };
        let line = display.level(level.number);
        let mut watcher = Watcher { line, forecast: String::new(), certificate: None };
        let result = lurd::watch(level, &config, &cancel, &mut watcher);
        if let (Some(saver), Ok(Report { solution: Some(solution), proof, .. })) = (&saver, &result) {
            let fewest_pushes = *proof == Proof::OptimalPushes;
            saver.found(level.number, Answer { solution: solution.clone(), fewest_pushes });
        }
        Some((result, watcher.certificate))
    };

    let mut session = Session::new(arguments, &config, &levels);
    let ran = pool::in_order(
        &levels,
        side_by_side,
        work,
        || cancel.cancel(),
        |level, result| display.aside(|| session.take(level, result)),
    );
    // What was found is kept whatever became of the printing.
    if let Some(keeper) = session.keeper.take() {
        keeper.finish();
    }
    if let Some(saver) = saver {
        saver.finish()?;
    }
    ran?;
    let (tally, solved) = session.end(cancel.is_cancelled())?;
    if arguments.play {
        for (level, solution) in &solved {
            if let Some(solution) = solution {
                play::watch(level, &solution.lurd, &arguments.source)?;
            }
        }
    }
    Ok(exit.max(tally.exit(arguments.require_proof)))
}

/// What was asked for, or what the machine has.
pub(crate) fn threads(asked: Option<NonZeroUsize>) -> usize {
    asked.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Shows how far a search is, and keeps the certificate of its proof.
struct Watcher<'a> {
    line: Line<'a>,
    forecast: String,
    certificate: Option<Certificate>,
}

impl Watch for Watcher<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.line.show_with(progress, &self.forecast);
    }

    fn forecast(&mut self, forecast: &Forecast) {
        self.forecast = forecast.to_string();
    }

    fn certified(&mut self, certificate: Certificate) {
        self.certificate = Some(certificate);
    }
}

/// What a search comes to, with its certificate if there is one.
type Found = (Result<Report, SolveError>, Option<Certificate>);

/// A level that was searched, with what was found.
type Searched<'a> = (&'a Level, Option<Solution>);

/// The results as they come in.
struct Session<'a> {
    arguments: &'a SolveArguments,
    config: &'a Request,
    printer: Printer,
    tally: Tally,
    searched: Vec<Searched<'a>>,
    chosen: usize,
    refusals: Vec<String>,
    keeper: Option<Keeper>,
}

impl<'a> Session<'a> {
    fn new(arguments: &'a SolveArguments, config: &'a Request, levels: &[&Level]) -> Self {
        Self {
            arguments,
            config,
            printer: Printer::new(levels),
            tally: Tally::default(),
            searched: Vec::new(),
            chosen: levels.len(),
            refusals: Vec::new(),
            keeper: arguments.library.keeper(),
        }
    }

    fn take(&mut self, level: &'a Level, searched: Found) -> Result<(), Failure> {
        let (result, certificate) = searched;
        if let (Some(path), Some(certificate)) = (&self.arguments.proof.certificate, certificate) {
            replace::write(path, certificate.text().as_bytes())?;
        }
        let report = match result {
            Ok(report) => report,
            Err(error) => {
                self.refuse(level, refused::sentence(&error));
                return Ok(());
            }
        };
        self.tally.add(&report);
        if let Some(keeper) = &mut self.keeper {
            keeper.keep_report(&level.map, &report);
        }
        let mut out = io::stdout().lock();
        if self.arguments.json {
            json_line(&mut out, &report.record(level))?;
        } else {
            self.printer.people(&mut out, level, &report)?;
        }
        if let (true, Some(solution)) = (self.arguments.steps, &report.solution) {
            match lurd::steps(level, self.config, &solution.lurd) {
                Ok(steps) => print::steps(&mut out, &steps)?,
                Err(error) => self.refuse(level, refused::sentence(&error)),
            }
        }
        self.searched.push((level, report.solution));
        out.flush()?;
        Ok(())
    }

    /// Says why a level was not searched; choices that do not go together are not repeated for
    /// every level of a file.
    fn refuse(&mut self, level: &Level, reason: String) {
        self.tally.refused += 1;
        if !self.refusals.contains(&reason) {
            complain(&format!("level {}: {reason}", level.number));
            self.refusals.push(reason);
        }
    }

    fn end(mut self, interrupted: bool) -> Result<(Tally, Vec<Searched<'a>>), Failure> {
        self.tally.interrupted = interrupted;
        self.tally.untried = self.chosen.saturating_sub(self.tally.seen());
        if !self.arguments.json && self.tally.seen() > self.tally.refused {
            let mut out = io::stdout().lock();
            writeln!(out, "\n{}", self.tally)?;
            out.flush()?;
        }
        Ok((self.tally, self.searched))
    }
}
