//! The options of a search, as Python gives them.

use crate::errors::Class;
use lurd::{Choices, Config, DetectorName, Goal, Limits, PlayerTerm};
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

/// A choice by name.
pub(crate) fn named<T: FromStr<Err = String>>(name: &str) -> PyResult<T> {
    name.parse().map_err(|sentence: String| Class::Config.error(sentence))
}

fn optional<T: FromStr<Err = String>>(name: Option<&str>) -> PyResult<Option<T>> {
    name.map(named).transpose()
}

/// Limits on seconds, bytes and nodes.
pub(crate) fn limits(time: Option<f64>, memory: Option<usize>, nodes: Option<u64>) -> PyResult<Limits> {
    let time = match time {
        Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
            Class::Config.error(format!("a time limit is a number of seconds from 0 on, and {seconds} is not"))
        })?),
        None => None,
    };
    Ok(Limits { time, memory, nodes })
}

/// The options that choose a search.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    goal: String,
    then: Option<String>,
    time_limit: Option<f64>,
    memory_limit: Option<usize>,
    node_limit: Option<u64>,
    threads: usize,
    algorithm: Option<String>,
    formulation: Option<String>,
    heuristic: Option<String>,
    deadlocks: Option<Vec<String>>,
    tie_break: Option<String>,
    reverse: bool,
    weight: f64,
    depth_limit: u32,
}

/// A number of threads that can be started.
pub(crate) fn threads(wanted: usize) -> PyResult<NonZeroUsize> {
    if wanted > Config::MOST_THREADS {
        let most = Config::MOST_THREADS;
        return Err(Class::Config.error(format!("{wanted} threads are more than are started; give {most} or fewer")));
    }
    NonZeroUsize::new(wanted).ok_or_else(|| Class::Config.error("a search needs at least one thread"))
}

impl Options {
    pub(crate) fn config(&self) -> PyResult<Config> {
        let (estimate, player_term) = match self.heuristic.as_deref() {
            Some(name) => match name.split_once('+') {
                Some((estimate, term)) => (Some(named(estimate)?), Some(named::<PlayerTerm>(term)?)),
                None => (Some(named(name)?), None),
            },
            None => (None, None),
        };
        let detectors = match &self.deadlocks {
            Some(names) => Some(names.iter().map(|name| named::<DetectorName>(name)).collect::<PyResult<Vec<_>>>()?),
            None => None,
        };
        let classic = Choices {
            algorithm: optional(self.algorithm.as_deref())?,
            formulation: optional(self.formulation.as_deref())?,
            estimate,
            player_term,
            detectors,
            tie_break: optional(self.tie_break.as_deref())?,
            reverse: self.reverse,
            fallback_after: None,
            weight: self.weight,
            depth_limit: self.depth_limit,
        };
        Ok(Config {
            goal: named::<Goal>(&self.goal)?,
            then: optional(self.then.as_deref())?,
            classic,
            limits: limits(self.time_limit, self.memory_limit, self.node_limit)?,
            threads: threads(self.threads)?.get(),
            ..Config::default()
        })
    }
}
