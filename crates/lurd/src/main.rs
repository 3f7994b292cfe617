//! The command `lurd`.

fn main() {}
