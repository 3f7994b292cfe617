//! The options of a search, as Python gives them.

use crate::errors::Class;
use lurd::{Limits, MOST_THREADS, Request};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use serde_json::Value;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

/// A choice by name.
pub(crate) fn named<T: FromStr<Err = String>>(name: &str) -> PyResult<T> {
    name.parse().map_err(|sentence: String| Class::Config.error(sentence))
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

/// A number of threads that can be started.
pub(crate) fn threads(wanted: usize) -> PyResult<NonZeroUsize> {
    if wanted > MOST_THREADS {
        let most = MOST_THREADS;
        return Err(Class::Config.error(format!("{wanted} threads are more than are started; give {most} or fewer")));
    }
    NonZeroUsize::new(wanted).ok_or_else(|| Class::Config.error("a search needs at least one thread"))
}

/// What is asked of a search, by the names of the contract.
pub(crate) fn request(options: &Bound<'_, PyDict>) -> PyResult<Request> {
    let mut request = Request::default();
    for (name, value) in options {
        let name: String = name.extract()?;
        request.set(&name, &json(&value)?).map_err(|error| Class::Config.error(error))?;
    }
    Ok(request)
}

/// A value of Python as one of JSON: what is none of its kinds goes by its text, and is refused with it.
fn json(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        Ok(Value::Null)
    } else if let Ok(text) = value.extract::<String>() {
        Ok(text.into())
    } else if let Ok(switch) = value.cast::<PyBool>() {
        Ok(switch.is_true().into())
    } else if let Ok(list) = value.extract::<Vec<Bound<'_, PyAny>>>() {
        list.iter().map(json).collect()
    } else {
        // Numbers of any size, and of NumPy: the contract reads digits.
        Ok(value.str()?.to_string().into())
    }
}
