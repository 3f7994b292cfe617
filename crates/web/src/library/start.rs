//! What a batch run is to be, as the page asks for it.

use super::filter::Filter;
use super::runs::{Led, Runs, within};
use super::{LibraryAccess, name, unprocessable};
use crate::error::Refused;
use crate::limits::Limits;
use lurd::Request;
use lurd_batch::{RunOptions, VERSION, free_name, new_token};
use lurd_library::{NewRun, Query, RunRow};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Rounds of a ladder of limits.
const ROUNDS: usize = 8;

/// The seconds of one search where nobody says.
const USUAL: f64 = 10.0;

/// A run to be started. Its levels are those of collections or those that a filter finds.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = StartRun)]
#[serde(deny_unknown_fields)]
pub(super) struct Starting {
    name: Option<String>,
    collections: Option<Vec<String>>,
    filter: Option<Filter>,
    /// What is asked of every search; the time limits are the rounds'.
    #[serde(default)]
    request: Request,
    /// The time limits of the rounds, in seconds.
    seconds: Option<Vec<f64>>,
    jobs: Option<usize>,
}

/// Which levels.
enum Chosen {
    Collections(Vec<String>),
    Found(Box<Query>),
}

impl Starting {
    /// Makes the run and leads it.
    pub(super) fn start(self, access: &LibraryAccess, limits: &Limits, runs: &Arc<Runs>) -> Result<Arc<Led>, Refused> {
        runs.is_free()?;
        let options = self.options(limits)?;
        let jobs = within(&options, limits, self.jobs)?;
        let chosen = match (self.collections, self.filter) {
            (Some(names), None) if !names.is_empty() => Chosen::Collections(names),
            (None, Some(filter)) => Chosen::Found(Box::new(filter.query()?)),
            _ => return Err(unprocessable("say what to search: the names of collections, or a filter")),
        };
        let wanted = self.name.as_deref().map(|text| name("run", text)).transpose()?;
        let count = |library: &lurd_library::Library| -> Result<usize, Refused> {
            match &chosen {
                Chosen::Found(query) => Ok(library.find(&Query { most: 1, ..(**query).clone() })?.total),
                Chosen::Collections(names) => {
                    let mut levels = 0;
                    for name in names {
                        let collection = Some(name.clone());
                        levels += library.find(&Query { collection, most: 1, ..Query::default() })?.total;
                    }
                    Ok(levels)
                }
            }
        };
        if access.read(count)? == 0 {
            return Err(unprocessable("there is nothing to search: no level of the library fits"));
        }
        let mut library = access.write()?;
        let name = match wanted {
            Some(name) => name,
            None => free_name(&library)?,
        };
        let run = NewRun {
            name,
            token: new_token(),
            options: serde_json::to_string(&options).map_err(|error| unprocessable(error.to_string()))?,
            rungs: options.ladder.len(),
            version: VERSION.to_owned(),
            machine: access.machine.clone(),
        };
        let row = match &chosen {
            Chosen::Collections(names) => library.create_run(&run, names)?,
            Chosen::Found(query) => library.create_run_of(&run, query)?,
        };
        runs.lead(access, library, row, options, jobs)
    }

    fn options(&self, limits: &Limits) -> Result<RunOptions, Refused> {
        lurd::explain(&self.request).map_err(|error| unprocessable(error.to_string()))?;
        if self.request.limits.time.is_some() || self.request.known.is_some() {
            return Err(unprocessable(
                "the time limits of a run are its `seconds`, and a known solution is of one level",
            ));
        }
        let usual = || vec![USUAL.min(limits.time.as_secs_f64())];
        let seconds = self.seconds.clone().unwrap_or_else(usual);
        let rises = seconds.windows(2).all(|pair| pair[0] < pair[1]);
        let most = limits.time.as_secs_f64();
        if seconds.is_empty() || seconds.len() > ROUNDS || !rises || !seconds.iter().all(|&s| s >= 0.01 && s <= most) {
            return Err(unprocessable(format!(
                "seconds are 1 to {ROUNDS} time limits, each longer than the one before, from 0.01 to {most}"
            )));
        }
        // Where it names no memory limit, it is what this server gives one search; another day that may be more or less.
        Ok(RunOptions {
            request: self.request.clone(),
            ladder: seconds.into_iter().map(Some).collect(),
            faults: Vec::new(),
        })
    }
}

/// A run to go on with.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[schema(as = ResumeRun)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Resuming {
    jobs: Option<usize>,
}

impl Resuming {
    /// Goes on with a run that was stopped or killed.
    pub(super) fn resume(
        self,
        access: &LibraryAccess,
        limits: &Limits,
        runs: &Arc<Runs>,
        row: RunRow,
    ) -> Result<Arc<Led>, Refused> {
        runs.is_free()?;
        let options = RunOptions::to_resume(&row)?;
        let jobs = within(&options, limits, self.jobs)?;
        runs.lead(access, access.write()?, row, options, jobs)
    }
}
