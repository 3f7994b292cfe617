//! Refusals: a kind and a sentence that says why and what to do.

/// Why a request is not answered as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Refusal {
    kind: RefusalKind,
    sentence: String,
}

/// Refusals as a program tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// What was sent cannot be read.
    Malformed,
    /// The request is understood, and what it asks cannot be done.
    Unprocessable,
    /// What was sent is too large.
    TooLarge,
    /// What is asked for by its name does not exist.
    NotFound,
    /// The program is at fault.
    Fault,
}

impl RefusalKind {
    /// The status of HTTP for it.
    pub fn status(self) -> u16 {
        match self {
            Self::Malformed => 400,
            Self::NotFound => 404,
            Self::TooLarge => 413,
            Self::Unprocessable => 422,
            Self::Fault => 500,
        }
    }
}

impl Refusal {
    /// A refusal of a kind.
    pub(crate) fn new(kind: RefusalKind, sentence: impl Into<String>) -> Self {
        Self { kind, sentence: sentence.into() }
    }

    /// The request is understood, and what it asks cannot be done.
    pub(crate) fn unprocessable(why: impl ToString) -> Self {
        Self::new(RefusalKind::Unprocessable, why.to_string())
    }

    /// What is asked for by its name does not exist.
    pub(crate) fn not_found(why: impl ToString) -> Self {
        Self::new(RefusalKind::NotFound, why.to_string())
    }

    /// Its kind.
    pub fn kind(&self) -> RefusalKind {
        self.kind
    }
}
