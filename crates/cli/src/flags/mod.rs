//! The flags that describe a search, made from the contract's table of options for every command that runs one.

mod caller;
mod choice;
mod table;

pub use caller::CallerFlags;
pub use choice::choice;
pub use table::{Flags, Limiting, Part, Searching, Tuning};

use crate::{memory, units};
use clap::Args;
use lurd::{Disk, Limits, Request};
use std::path::PathBuf;

/// What to search for and how.
pub type SearchFlags = Flags<Searching>;

/// Finer choices.
pub type TuningFlags = Flags<Tuning>;

/// When to give up.
pub type LimitFlags = Flags<Limiting>;

/// What a proof leaves behind.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Proof")]
pub struct ProofFlags {
    /// Write what the proof of one level rests on to FILE, for `lurd check` to do again; with --goal pushes
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Keep checkpoints of one level in FOLDER, and what does not fit into memory; with --goal pushes
    #[arg(long, value_name = "FOLDER")]
    pub disk: Option<PathBuf>,

    /// The most that FOLDER may hold, such as 100GiB [default: until the disk is full]
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size, requires = "disk")]
    pub disk_limit: Option<usize>,

    /// Go on with the proof that an earlier run left in FOLDER
    #[arg(long, requires = "disk")]
    pub resume: bool,
}

impl ProofFlags {
    /// The flag that was given and works on one level only.
    pub fn for_one_level(&self) -> Option<&'static str> {
        self.disk.as_ref().map(|_| "--disk").or(self.certificate.as_ref().map(|_| "--certificate"))
    }

    /// Puts the choices into a request.
    pub fn apply(&self, request: &mut Request) {
        request.certify = self.certificate.is_some();
        request.disk = self.disk.as_ref().map(|folder| Disk {
            folder: folder.clone(),
            limit: self.disk_limit.map(|limit| limit as u64),
            resume: self.resume,
        });
    }
}

impl LimitFlags {
    /// The limits of one of `side_by_side` searches that share the memory evenly.
    pub fn limits(&self, side_by_side: usize) -> Limits {
        let given = self.request.limits;
        let memory = given.memory.unwrap_or_else(memory::default_limit) / side_by_side.max(1);
        Limits { memory: Some(memory), ..given }
    }
}

impl SearchFlags {
    /// The request under these limits.
    pub fn within(&self, limits: Limits) -> Request {
        Request { limits, ..(*self.request).clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use lurd::{AlgorithmName, DetectorName, EstimateName, FormulationName, Goal, PlayerTerm, TieBreakName};
    use std::time::Duration;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        search: SearchFlags,
        #[command(flatten)]
        limits: LimitFlags,
    }

    fn request(line: &str) -> Result<Request, clap::Error> {
        let line = Line::try_parse_from(line.split_whitespace())?;
        Ok(line.search.within(line.limits.limits(2)))
    }

    #[test]
    fn nothing_said_leaves_everything_to_the_goal() {
        let request = request("x").unwrap();
        assert!(request.limits.memory.is_some() && request.limits.time.is_none());
        assert_eq!(Request { limits: Limits::default(), ..request }, Request::default());
    }

    #[test]
    fn every_flag_arrives_in_the_request() {
        let request = request(
            "x --goal moves --then pushes --algorithm weighted-a-star --formulation move --heuristic nearest-push+player-bfs \
             --deadlocks corner,freeze --tie-break fifo --reverse --fallback-after 10 --weight 2.5 --depth-limit 7 \
             --time-limit 1.5 --memory-limit 2MB --node-limit 9",
        )
        .unwrap();
        assert_eq!((request.goal, request.then), (Goal::Moves, Some(Goal::Pushes)));
        let classic = &request.classic;
        assert_eq!(classic.algorithm, Some(AlgorithmName::WeightedAStar));
        assert_eq!(classic.formulation, Some(FormulationName::Move));
        assert_eq!(classic.estimate, Some(EstimateName::NearestPush));
        assert_eq!(classic.player_term, Some(PlayerTerm::Bfs));
        assert_eq!(classic.detectors, Some(vec![DetectorName::Corner, DetectorName::Freeze]));
        assert_eq!(classic.tie_break, Some(TieBreakName::Fifo));
        assert!(classic.reverse);
        assert_eq!((classic.fallback_after, classic.weight, classic.depth_limit), (Some(10), 2.5, 7));
        assert_eq!(request.limits.time, Some(Duration::from_millis(1500)));
        assert_eq!((request.limits.memory, request.limits.nodes), (Some(1_000_000), Some(9)));
    }

    #[test]
    fn nonsense_is_refused_with_the_flag() {
        let flags = ["goal best", "weight 0.5", "weight NaN", "heuristic best", "deadlocks corner,x", "time-limit -1"];
        for flag in flags {
            let error = request(&format!("x --{flag}")).unwrap_err().to_string();
            let name = flag.split(' ').next().unwrap();
            assert!(error.contains(&format!("--{name}")), "{error}");
        }
    }
}
