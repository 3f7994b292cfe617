//! The champion engine: any solution, soon, on every kind of level.

mod perimeter;
mod strategy;
