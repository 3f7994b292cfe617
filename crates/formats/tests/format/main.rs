//! Level files, end to end: the checklist of where parsers break, round trips through every
//! format, a gallery of hostile files, and any bytes at all.

mod boards;
mod checklist;
mod formats;
mod hostile;
mod properties;
mod round_trip;
mod shared;
