//! Options without effect on what was asked. Each is told on standard error, so that nobody credits it with a result.

use crate::exit::complain;
use crate::flags::{Flags, Part, SearchFlags};
use crate::input::Source;
use lurd::AlgorithmName;
use lurd::contract::{OPTIONS, RequestOption};
use std::num::NonZeroUsize;

/// Says which options have no effect.
pub fn tell(sentences: &[String]) {
    sentences.iter().for_each(|sentence| complain(sentence));
}

/// The options of `solve` that have no effect on so many levels.
pub fn of_solve(search: &SearchFlags, source: &Source, threads: Option<NonZeroUsize>, levels: usize) -> Vec<String> {
    // Choices without an algorithm run A*; without any choice the goal's own search runs.
    let classic = &search.request.classic;
    let algorithm = classic.algorithm.or((!classic.are_open()).then_some(AlgorithmName::AStar));
    let mut idle = of_tuning(search, algorithm.as_slice());
    if let (Some(threads), Some(algorithm), 1) = (threads.filter(|threads| threads.get() > 1), algorithm, levels) {
        idle.push(format!("--threads {threads} has no effect: {algorithm} runs on one thread, and there is one level"));
    }
    idle.extend(of_source(source));
    idle.extend(of_input(source));
    idle
}

/// The finer choices that have no effect on any of these algorithms. None means that the search of the goal runs.
pub fn of_tuning<P: Part>(flags: &Flags<P>, algorithms: &[AlgorithmName]) -> Vec<String> {
    let runs = |name: &str| algorithms.iter().any(|algorithm| algorithm.name() == name);
    let mut idle = of_parameters(&|name| flags.has(name), runs);
    if flags.has("tie_break") && !algorithms.iter().any(|&algorithm| breaks_ties(algorithm)) {
        let why = match algorithms {
            [] => "the search that the goal chooses breaks ties by rules of its own; name an --algorithm".to_owned(),
            [algorithm, ..] => format!("{algorithm} has no ties to break"),
        };
        idle.push(format!("--tie-break has no effect: {why}"));
    }
    idle
}

/// The parameters of algorithms that do not run.
pub fn of_parameters(is_given: &dyn Fn(&str) -> bool, runs: impl Fn(&str) -> bool) -> Vec<String> {
    let owned = OPTIONS.iter().filter(|option| !option.concerns.is_empty() && option.concerns != "a-star");
    let idle = owned.filter(|option| is_given(option.name) && !runs(option.concerns));
    let sentence = |option: &RequestOption| {
        format!("--{} has no effect: it belongs to --algorithm {}", option.flag(), option.concerns)
    };
    idle.map(sentence).collect()
}

/// A format named for levels that are read from no file.
pub fn of_source(source: &Source) -> Option<String> {
    let idle = source.format.is_some() && source.file.is_none();
    idle.then(|| "--format has no effect: the levels inside the program are taken, as no FILE is named".into())
}

/// A file on standard input that nobody reads.
pub fn of_input(source: &Source) -> Option<String> {
    // Pipes are left alone: many programs are started with one that they do not mind.
    let is_file = || std::fs::metadata("/dev/stdin").is_ok_and(|input| input.is_file() && input.len() > 0);
    (source.file.is_none() && is_file()).then(|| {
        "standard input is not read, as no FILE is named; write - for it (the levels inside the program are taken)"
            .into()
    })
}

/// Whether an algorithm has an open list with ties.
fn breaks_ties(algorithm: AlgorithmName) -> bool {
    use AlgorithmName::{AStar, Greedy, MemoryBoundedAStar, UniformCost, WeightedAStar};
    matches!(algorithm, AStar | Greedy | MemoryBoundedAStar | UniformCost | WeightedAStar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        search: SearchFlags,
        #[command(flatten)]
        source: Source,
    }

    fn idle(line: &str, threads: usize, levels: usize) -> String {
        let line = Line::try_parse_from(line.split_whitespace()).unwrap();
        of_solve(&line.search, &line.source, NonZeroUsize::new(threads), levels).join("\n")
    }

    #[test]
    fn what_has_an_effect_is_not_told() {
        for line in [
            "x",
            "x --goal pushes --then moves",
            "x --algorithm weighted-a-star --weight 2 --tie-break fifo",
            "x --algorithm depth-limited --depth-limit 9",
            "x --heuristic matching --tie-break fifo",
            "x levels.txt --format digits",
        ] {
            assert_eq!(idle(line, 1, 1), "", "{line}");
        }
        assert_eq!(idle("x --algorithm a-star", 2, 2), "");
        assert_eq!(idle("x", 2, 1), "");
    }

    #[test]
    fn what_has_none_is_told_with_what_it_belongs_to() {
        for (line, sentence) in [
            ("x --weight 2", "--weight has no effect: it belongs to --algorithm weighted-a-star"),
            ("x --algorithm a-star --weight 2", "--weight has no effect"),
            ("x --depth-limit 9", "--depth-limit has no effect"),
            ("x --tie-break fifo", "--tie-break has no effect"),
            ("x --algorithm ida-star --tie-break fifo", "ida-star has no ties to break"),
            ("x --format xsb", "--format has no effect"),
        ] {
            assert!(idle(line, 1, 1).contains(sentence), "{line}: {}", idle(line, 1, 1));
        }
        assert!(idle("x --algorithm a-star", 2, 1).contains("--threads 2 has no effect"));
    }
}
