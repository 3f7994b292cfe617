//! The commands of `lurd`, one file each.

pub mod batch;
pub mod bench;
pub mod check;
pub mod compare;
pub mod convert;
pub mod cse;
pub mod generate;
pub mod improve;
pub mod levels;
pub mod library;
pub mod manual;
pub mod play;
pub mod rate;
pub mod search_job;
pub mod serve;
pub mod solve;
pub mod tiles;
pub mod worker;
