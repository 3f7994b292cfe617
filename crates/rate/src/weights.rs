//! The weights of the grade, as `fit weigh examples/figures.csv` prints them (`examples/fit.rs`).

/// Weight, mean and standard deviation of each feature, in the order of [`FEATURES`](crate::FEATURES).
pub(crate) const WEIGHTS: [[f64; 3]; crate::grade::COUNT] = [
    [0.0000, 3.7097, 1.1649], // pushes
    [0.7328, 5.0373, 1.1769], // moves
    [0.2066, 3.1855, 0.8993], // box lines
    [0.0000, 2.6636, 0.6686], // box changes
    [0.0391, 2.1499, 0.8141], // box changes beyond one for each box
    [0.1639, 1.6094, 0.9425], // counterintuitive pushes
    [0.0000, 1.5467, 0.5101], // switches between halves
    [0.0187, 1.4956, 0.5715], // choice at a push
    [0.0906, 0.5755, 0.1220], // share of live squares
    [0.0000, 3.4483, 1.2331], // traps
    [1.2494, 1.7954, 0.5994], // boxes
    [1.1576, 3.7491, 0.6595], // floor squares
];

/// The scores at which grades 2 to 10 begin.
pub(crate) const BORDERS: [f64; 9] = [-3.5498, -2.6642, -1.9248, -1.3484, -0.7331, -0.0123, 0.9825, 3.3704, 5.5728];
