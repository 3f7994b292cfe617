//! The CSE letter game.
