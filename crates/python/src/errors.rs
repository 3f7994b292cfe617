//! Errors as exceptions. The classes are Python's, in `lurd.errors`, so that they can have two parents.

use pyo3::prelude::*;
use pyo3::types::PyType;
use std::fmt::Display;

/// A class of `lurd.errors`.
#[derive(Clone, Copy)]
pub(crate) enum Class {
    /// A text or file that is no level.
    Level,
    /// Choices that do not exist or do not go together.
    Config,
    /// Moves that break the rules.
    Move,
    /// A problem, heuristic or rule of the caller that breaks its contract.
    Problem,
    /// Something that ended before it was done.
    Limit,
    /// An error in lurd itself.
    Internal,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::Level => "LevelError",
            Self::Config => "ConfigError",
            Self::Move => "MoveError",
            Self::Problem => "ProblemError",
            Self::Limit => "LimitError",
            Self::Internal => "LurdError",
        }
    }

    /// The exception of this class with a sentence.
    pub(crate) fn error(self, sentence: impl Display) -> PyErr {
        Python::attach(|py| {
            let class = py.import("lurd.errors").and_then(|module| module.getattr(self.name()));
            match class.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
                Ok(class) => PyErr::from_type(class, (sentence.to_string(),)),
                Err(error) => error,
            }
        })
    }
}
