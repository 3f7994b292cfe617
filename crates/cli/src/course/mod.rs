//! The course tool `sokoban`: the same command line, the same file of results, on our engines.
//!
//! `sokoban -s MAP` searches as the course asked: uniform cost over moves, boxes in
//! corners cut, nothing else. Unlike the tool it stands in for it always ends: it has
//! limits on time and memory, and says when one was reached.

mod solution_file;

use crate::command::play;
use crate::exit::{Ending, Exit, Failure, complain};
use crate::input::{self, Source};
use crate::progress::Display;
use crate::selection::Selection;
use crate::{interrupt, memory, refused, replace, units};
use clap::{Parser, ValueEnum};
use lurd::{self, AlgorithmName, Choices, DetectorName, EstimateName, FormulationName, Goal, Level, Outcome, Request};
use lurd_base::Limits;
use lurd_play::{First, PlayOptions};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file of results, in the working directory.
const SOLUTION_FILE: &str = "solution.txt";

/// What becomes of an earlier file of results when there is no new one.
const OLD_FILE: &str = "solution.old.txt";

/// The command line of `sokoban`.
#[derive(Debug, Parser)]
#[command(
    name = "sokoban",
    version,
    override_usage = "sokoban <-s> map <play_solution>",
    help_template = "USAGE\n    {usage}\n\nDESCRIPTION\n    Arguments within <> are optional\n\n{all-args}{after-help}",
    after_help = "Without -s the arrow keys play the map; ? shows all keys, q quits.\n\
                  With -s the solution and the figures of the search are written to solution.txt.\n\n\
                  For example:\n    sokoban -s map1 play_solution\nsolves map1 and plays the solution found.\n\n\
                  Exit codes: 0 solved, 1 stopped by a limit, 2 wrong usage or unreadable map,\n\
                  3 proved unsolvable, 130 interrupted by Ctrl-C."
)]
pub struct CourseArguments {
    /// The map; - is standard input
    #[arg(value_name = "map")]
    map: PathBuf,

    /// Play the solution once it is found
    #[arg(value_name = "play_solution", requires = "solve", hide_possible_values = true)]
    play_solution: Option<PlaySolution>,

    /// Call the solver
    #[arg(short = 's', long)]
    solve: bool,

    /// Seconds the solver may take, decimals allowed
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = units::parse_seconds)]
    time_limit: Duration,

    /// Memory the solver may take, such as 4GiB [default: 80 % of what is available]
    #[arg(long, value_name = "SIZE", value_parser = units::parse_memory)]
    memory_limit: Option<usize>,
}

/// The one word that may follow the map.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum PlaySolution {
    PlaySolution,
}

impl CourseArguments {
    /// Does what the command line asks.
    pub fn run(self) -> Ending {
        let source = Source::file(&self.map);
        let collection = source.read()?;
        let (levels, _) = source.choose(&collection, &Selection::All)?;
        let level = levels[0];
        if levels.len() > 1 {
            complain(&format!("{} holds {} levels; this is level {}", source.name(), levels.len(), level.number));
        }
        if self.solve { self.solve(level) } else { self.play(level) }
    }

    fn play(&self, level: &Level) -> Ending {
        let options = PlayOptions {
            title: input::name(&self.map),
            levels: vec![titled(level, &self.map)],
            first: First::Level(0),
            input_is_spent: Source::file(&self.map).is_standard_input(),
            ..PlayOptions::default()
        };
        play::ended(lurd_play::run(options))
    }

    fn solve(&self, level: &Level) -> Ending {
        let memory = self.memory_limit.unwrap_or_else(memory::default_limit);
        let config = course_search(Limits { time: Some(self.time_limit), memory: Some(memory), nodes: None });
        let cancel = interrupt::watch();
        let display = Display::new();
        let mut line = display.line("solving".into());
        let report = lurd::solve_with(level, &config, &cancel, &mut |progress| line.show(progress))
            .map_err(|error| Failure::usage(format!("{}: {}", input::name(&self.map), refused::sentence(&error))))?;
        drop(line);

        let mut out = io::stdout().lock();
        let Some(solution) = &report.solution else {
            let (sentence, exit) = without_solution(report.outcome);
            let statistics = &report.statistics;
            let file = put_aside(Path::new(SOLUTION_FILE), Path::new(OLD_FILE))?;
            writeln!(
                out,
                "{sentence} {} nodes expanded, {}, {}. {file}",
                units::count(statistics.expanded),
                units::seconds(statistics.seconds),
                units::size(statistics.peak_bytes)
            )?;
            return Ok(exit);
        };
        let text = solution_file::text(solution, &report.statistics);
        replace::write(Path::new(SOLUTION_FILE), text.as_bytes())?;
        write!(out, "{text}")?;
        out.flush()?;
        drop(out);
        match self.play_solution {
            Some(_) => play::watch(&titled(level, &self.map), &solution.lurd, &Source::file(&self.map)),
            None => Ok(Exit::Success),
        }
    }
}

/// The search the course asked for.
fn course_search(limits: Limits) -> Request {
    Request {
        goal: Goal::Moves,
        limits,
        classic: Choices {
            algorithm: Some(AlgorithmName::UniformCost),
            formulation: Some(FormulationName::Move),
            estimate: Some(EstimateName::Zero),
            detectors: Some(vec![DetectorName::Corner]),
            ..Choices::default()
        },
        ..Request::default()
    }
}

/// Renames the results of an earlier run, so that nobody takes them for those of this one, and says so.
fn put_aside(file: &Path, aside: &Path) -> Result<String, Failure> {
    match fs::rename(file, aside) {
        Ok(()) => Ok(format!("{SOLUTION_FILE} was not written; the one of an earlier run is now {OLD_FILE}.")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(format!("{SOLUTION_FILE} was not written.")),
        Err(error) => {
            Err(Failure::usage(format!("{SOLUTION_FILE} is of an earlier run and cannot be renamed: {error}")))
        }
    }
}

fn without_solution(outcome: Outcome) -> (String, Exit) {
    match outcome {
        Outcome::Unsolvable => ("There is no solution: everything was searched.".into(), Exit::Unsolvable),
        Outcome::Cancelled => ("Interrupted.".into(), Exit::Interrupted),
        Outcome::Solved | Outcome::Exhausted => ("Nothing was found, and nothing is proved.".into(), Exit::Incomplete),
        Outcome::Stopped(stop) => {
            let flag = match stop.name() {
                limit @ ("time" | "memory") => format!("; --{limit}-limit can raise it"),
                _ => String::new(),
            };
            let limit = lurd::ending(outcome).in_words(Some(stop.name()));
            (format!("Stopped by the {limit}{flag}."), Exit::Incomplete)
        }
    }
}

/// The level under its own title, or the map's name where it has none.
fn titled(level: &Level, map: &Path) -> Level {
    let title = level.title.clone().or_else(|| Some(input::name(map)));
    Level { title, ..level.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use lurd_base::Stop;

    #[test]
    fn the_command_line_is_that_of_the_course() {
        CourseArguments::command().debug_assert();
        let parse = |line: &str| CourseArguments::try_parse_from(line.split_whitespace());
        let solve = parse("sokoban -s map play_solution").unwrap();
        assert!(solve.solve && solve.play_solution.is_some());
        assert!(!parse("sokoban map").unwrap().solve);
        for wrong in ["sokoban", "sokoban -s", "sokoban map play_solution", "sokoban -s map play", "sokoban -s map x y"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_ending_without_a_solution_has_a_sentence_and_a_code() {
        assert_eq!(without_solution(Outcome::Unsolvable).1.code(), 3);
        assert_eq!(without_solution(Outcome::Cancelled).1.code(), 130);
        let (sentence, exit) = without_solution(Outcome::Stopped(Stop::Memory));
        assert_eq!((sentence.as_str(), exit.code()), ("Stopped by the memory limit; --memory-limit can raise it.", 1));
    }
}
