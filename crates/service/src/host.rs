//! What a page without a server is willing to do: it knows the machine, and this module does not.

use crate::routes::parsed;
use crate::{Allowance, Refusal};
use serde::Deserialize;
use std::time::Duration;

/// The page's limits, in the words of `GET /about`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    running: usize,
    waiting: usize,
    seconds: u32,
    mebibytes: usize,
    grace_seconds: u32,
}

impl Host {
    /// Reads the page's JSON.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn parse(json: &str) -> Result<Self, Refusal> {
        parsed(json.as_bytes())
    }

    /// The same for the functions of the service.
    pub fn allowance(&self) -> Allowance {
        Allowance {
            running: self.running,
            waiting: self.waiting,
            time: Duration::from_secs(self.seconds.into()),
            // Addresses have 32 bits.
            memory: self.mebibytes.saturating_mul(1 << 20),
            grace: Duration::from_secs(self.grace_seconds.into()),
        }
    }
}
