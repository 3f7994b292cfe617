//! The extension module of the wheel `lurd`. It translates: levels, searches and environments are those of the crates
//! below, and what Python shows to people is in `python/lurd`.
//!
//! Searches run on a thread of their own without the interpreter's lock; the calling thread waits, looks for signals and
//! calls back (`search_thread`). Searches that ask Python for estimates run on the calling thread (`supplied`, `problem`).
#![allow(missing_docs, reason = "the documentation of this module is for Python: docstrings and the stubs")]

mod batch;
mod board;
mod config;
mod errors;
mod estimate;
mod level;
mod oracle;
mod problem;
mod progress;
mod search_thread;
mod solve;
mod space;
mod supplied;

#[pyo3::pymodule]
mod _lurd {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::batch::{Batch, generate_rooms, preset_rules};
    #[pymodule_export]
    use crate::board::{Board, Boards, Deadlock, Push, boards};
    #[pymodule_export]
    use crate::level::{Level, read_levels, write_levels};
    #[pymodule_export]
    use crate::oracle::Oracle;
    #[pymodule_export]
    use crate::problem::search;
    #[pymodule_export]
    use crate::progress::Progress;
    #[pymodule_export]
    use crate::search_thread::Cancel;
    #[pymodule_export]
    use crate::solve::{check, improve, solve};
    #[pymodule_export]
    use crate::space::{Space, explore};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let algorithms: Vec<_> = lurd::AlgorithmName::ALL.iter().map(|name| name.name()).collect();
        let heuristics: Vec<_> = lurd::EstimateName::ALL.iter().map(|name| name.name()).collect();
        let detectors: Vec<_> = lurd::DetectorName::ALL.iter().map(|name| name.name()).collect();
        let presets: Vec<_> = lurd_env::Preset::ALL.iter().map(|name| name.name()).collect();
        module.add("ALGORITHMS", algorithms)?;
        module.add("HEURISTICS", heuristics)?;
        module.add("DEADLOCK_RULES", detectors)?;
        module.add("PRESETS", presets)?;
        module.add("EMBEDDED", include_str!("../../../levels/lurd.xsb"))
    }
}
