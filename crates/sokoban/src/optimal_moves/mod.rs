//! Fewest moves, proved: exact search over boxes and the player's square, with bounds that count his walks.
//!
//! A position is known by its boxes and the player's zone; inside the zone, by the squares where pushes left him
//! ([`store`]). One walk from all of them at once ([`wave`]) makes every push of a zone at its least cost. The
//! bound that carries the search counts the ways back as well as the pushes ([`potential`]); another looks at each
//! box alone ([`lone`]); what two boxes cost each other is added ([`excess`]).

mod excess;
mod lone;
mod potential;
mod search;
mod store;
#[cfg(test)]
mod tests;
mod wave;

pub(crate) use search::{Ended, Prover, Settings, prover};
