//! The dense board: a level as bit sets of a fixed number of words, with every push and pull of a box in a table.

pub mod board;
pub mod capacity;
pub mod corral;
pub mod dead_set_tables;
pub mod dead_sets;
pub mod frozen_walls;
pub mod learned_index;
pub mod matching;
pub mod pair_interaction;
pub mod retrograde;
pub mod set;
mod words;
