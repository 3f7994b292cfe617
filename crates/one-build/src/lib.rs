//! Nothing: `Cargo.toml` is what matters. The commands, their tests and the Python module share one build of every dependency
//! because they ask for the same features of it (what cargo-hakari calls a workspace-hack crate).
