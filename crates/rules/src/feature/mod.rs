//! The feature board: a level as arrays by square, for searches that evaluate few positions in depth (FESS: Shoham and
//! Schaeffer 2020).

pub mod articulation;
pub mod board;
pub mod corral_search;
pub mod dead_ends;
pub mod endgame;
pub mod freeze;
pub mod learned;
pub mod lone_box;
pub mod pi_corral;
pub mod position;
pub mod subproblem;
