//! What an environment asks and rewards: actions, rewards, the end of an episode.

use lurd_level::Direction;

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing; it counts as a step.
    Stay,
    /// A step of the player, pushing a box if one is there and can move.
    Go(Direction),
    /// A step of the player onto a free square only.
    Walk(Direction),
}

/// What is rewarded. The parts are added in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards {
    /// Every step.
    pub step: f64,
    /// More boxes are on goals than before the step.
    pub box_on_goal: f64,
    /// Fewer are.
    pub box_off_goal: f64,
    /// All are: the episode ends.
    pub solved: f64,
    /// The episode ends unsolved.
    pub timeout: f64,
    /// `box_on_goal` is paid when a goal gets its first box of the episode, whatever the number of boxes on goals, and not
    /// when that number rises.
    pub first_box_only: bool,
    /// An episode begins as if no box were on a goal: boxes that stand on goals at the start are paid with the first step.
    pub counts_from_zero: bool,
}

/// Actions, rewards and the length of an episode.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// What each action does, by its number.
    pub actions: Vec<Action>,
    /// What is rewarded.
    pub rewards: Rewards,
    /// An unsolved episode ends after this many steps. Each episode draws its number from `min_steps` to `max_steps`.
    pub max_steps: u32,
    /// See `max_steps`.
    pub min_steps: u32,
    /// Whether an episode that ends unsolved is told as terminated, and not as truncated.
    pub timeout_terminates: bool,
}
