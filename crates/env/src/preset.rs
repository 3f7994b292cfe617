//! The rules and observations of published environments.
//!
//! The facts are from their sources; docs/python.md has them as a table.

use crate::rules::{Action, Rewards, Rules};
use crate::view::View;
use lurd_level::Direction::{self, Down, Left, Right, Up};

/// The reward that gym-sokoban introduced and others took over.
const CLASSIC: Rewards = Rewards {
    step: -0.1,
    box_on_goal: 1.0,
    box_off_goal: -1.0,
    solved: 10.0,
    timeout: 0.0,
    first_box_only: false,
    counts_from_zero: false,
};

lurd_base::choices! {
    /// A published environment.
    Preset {
        GymSokoban = "gym-sokoban": "gym-sokoban: pictures of 16 pixels a square, nine actions, 120 steps",
        GymSokobanTiny = "gym-sokoban-tiny": "gym-sokoban with a pixel a square",
        Jumanji = "jumanji": "Jumanji: boxes and player, walls and goals as two numbers a square, four actions, 120 steps",
        EnvPool = "envpool": "EnvPool with Sokoban by FAR AI: a pixel a square, colours first, four actions, 60 steps",
        EnvPoolNoop = "envpool-noop": "EnvPool with Sokoban by FAR AI with a first action that does nothing",
        PufferLib = "pufferlib": "PufferLib's boxoban: four planes of bits, five actions, 500 steps",
    }
}

fn go<const N: usize>(directions: [Direction; N]) -> impl Iterator<Item = Action> {
    directions.into_iter().map(Action::Go)
}

impl Preset {
    /// Its actions, rewards and episodes.
    pub fn rules(self) -> Rules {
        let stay = || std::iter::once(Action::Stay);
        let compass = [Up, Down, Left, Right];
        let (actions, max_steps): (Vec<Action>, u32) = match self {
            Self::GymSokoban | Self::GymSokobanTiny => {
                (stay().chain(go(compass)).chain(compass.map(Action::Walk)).collect(), 120)
            }
            Self::Jumanji => (go([Up, Right, Down, Left]).collect(), 120),
            Self::EnvPool => (go(compass).collect(), 60),
            Self::EnvPoolNoop => (stay().chain(go(compass)).collect(), 60),
            Self::PufferLib => (stay().chain(go([Down, Up, Left, Right])).collect(), 500),
        };
        let rewards = match self {
            Self::GymSokoban | Self::GymSokobanTiny => Rewards { counts_from_zero: true, ..CLASSIC },
            Self::Jumanji | Self::EnvPool | Self::EnvPoolNoop => CLASSIC,
            Self::PufferLib => Rewards {
                step: 0.0,
                box_on_goal: 0.1,
                box_off_goal: -0.5,
                solved: 1.0,
                timeout: -1.0,
                first_box_only: true,
                counts_from_zero: false,
            },
        };
        let timeout_terminates = matches!(self, Self::Jumanji | Self::PufferLib);
        Rules { actions, rewards, max_steps, min_steps: max_steps, timeout_terminates }
    }

    /// What its observations look like.
    pub fn view(self) -> View {
        match self {
            Self::GymSokoban => View::pictures(),
            Self::GymSokobanTiny => View::tiny_pictures(),
            Self::Jumanji => View::two_grids(),
            Self::EnvPool | Self::EnvPoolNoop => View::tiny_pictures().planar(),
            Self::PufferLib => View::bit_planes(),
        }
    }

    /// Whether its rewards are numbers of 32 bits.
    pub fn single_precision(self) -> bool {
        !matches!(self, Self::GymSokoban | Self::GymSokobanTiny)
    }
}
