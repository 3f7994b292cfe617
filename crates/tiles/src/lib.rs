//! Sliding tiles.
