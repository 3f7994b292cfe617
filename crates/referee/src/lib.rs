//! Replays a Sokoban answer by the bare rules; shares no code with the engines.
