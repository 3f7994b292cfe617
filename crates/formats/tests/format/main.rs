//! Level files end to end: a checklist of common parser bugs, round trips through every format, hostile files, and
//! random bytes.

mod boards;
mod checklist;
mod formats;
mod hostile;
mod own_levels;
mod properties;
mod round_trip;
