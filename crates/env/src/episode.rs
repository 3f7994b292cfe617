//! One board of a batch in play.

use crate::level_set::{LevelSet, Order};
use crate::rules::{Action, Rules};
use crate::tile::{BOX, GOAL, PLAYER, VISITED, WALL, tile};
use crate::view::View;
use lurd_base::random::SplitMix64;
use lurd_level::Direction;

/// What one step of a board came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Ended {
    pub(crate) reward: f64,
    pub(crate) solved: bool,
    /// Unsolved, and out of steps.
    pub(crate) timeout: bool,
}

/// What all boards of a batch share.
pub(crate) struct Game {
    pub(crate) set: LevelSet,
    pub(crate) rules: Rules,
    pub(crate) view: View,
    pub(crate) order: Order,
    /// The boards of the batch: the stride of sequential levels.
    pub(crate) boards: usize,
}

/// The state of a board beside its squares.
#[derive(Clone, Debug)]
pub(crate) struct Episode {
    player: u32,
    boxes: u32,
    on_goals: u32,
    /// Boxes on goals as the rewards have counted them.
    counted: u32,
    steps: u32,
    limit: u32,
    pub(crate) level: u32,
    next_level: u64,
    random: SplitMix64,
    pub(crate) over: bool,
}

impl Episode {
    /// A board that has not begun.
    pub(crate) fn new(number: usize) -> Self {
        Self {
            player: 0,
            boxes: 0,
            on_goals: 0,
            counted: 0,
            steps: 0,
            limit: 0,
            level: 0,
            next_level: number as u64,
            random: SplitMix64::new(0),
            over: true,
        }
    }

    /// Makes what follows depend on the seed and the board's number alone.
    pub(crate) fn seed(&mut self, seed: u64, number: usize) {
        let mut mix = SplitMix64::new(seed);
        self.random = SplitMix64::new(mix.next_u64() ^ SplitMix64::new(number as u64).next_u64());
        self.next_level = number as u64;
    }

    /// Begins an episode on the level given, or on the next one in order.
    pub(crate) fn begin(&mut self, game: &Game, level: Option<u32>, squares: &mut [u8], observation: &mut [u8]) {
        let levels = game.set.len();
        let level = level.map_or_else(
            || match game.order {
                Order::Random => self.random.below(levels),
                Order::Sequential => {
                    let level = self.next_level % levels as u64;
                    self.next_level += game.boards as u64;
                    level as usize
                }
            },
            |level| level as usize,
        );
        let start = game.set.start(level);
        let spread = (game.rules.max_steps - game.rules.min_steps) as usize;
        self.limit = game.rules.min_steps + if spread > 0 { self.random.below(spread + 1) as u32 } else { 0 };
        self.level = level as u32;
        (self.player, self.boxes, self.on_goals) = (start.player, start.boxes, start.boxes_on_goals);
        self.counted = if game.rules.rewards.counts_from_zero { 0 } else { self.on_goals };
        (self.steps, self.over) = (0, false);
        squares.copy_from_slice(game.set.squares(level));
        let (area, width) = (game.set.area(), game.set.width());
        for (at, &square) in squares.iter().enumerate() {
            game.view.draw(observation, area, width, at, tile(square));
        }
    }

    /// Makes a step and draws the squares it changed.
    #[inline]
    pub(crate) fn step(&mut self, game: &Game, action: Action, squares: &mut [u8], observation: &mut [u8]) -> Ended {
        self.steps += 1;
        let new_goal = match action {
            Action::Stay => false,
            Action::Go(direction) => self.go(game, direction, true, squares, observation),
            Action::Walk(direction) => self.go(game, direction, false, squares, observation),
        };
        let rewards = &game.rules.rewards;
        let mut reward = rewards.step;
        if if rewards.first_box_only { new_goal } else { self.on_goals > self.counted } {
            reward += rewards.box_on_goal;
        }
        if self.on_goals < self.counted {
            reward += rewards.box_off_goal;
        }
        self.counted = self.on_goals;
        let solved = self.on_goals == self.boxes;
        let timeout = !solved && self.steps >= self.limit;
        if solved {
            reward += rewards.solved;
        } else if timeout {
            reward += rewards.timeout;
        }
        self.over = solved || timeout;
        Ended { reward, solved, timeout }
    }

    /// Moves the player, and a box before it where that is allowed. Says whether a box came to a goal that has had none in
    /// this episode.
    #[inline]
    fn go(&mut self, game: &Game, way: Direction, push: bool, squares: &mut [u8], observation: &mut [u8]) -> bool {
        let (area, width) = (game.set.area(), game.set.width());
        let from = self.player as usize;
        let stride = match way {
            Direction::Left | Direction::Right => 1,
            Direction::Up | Direction::Down => width,
        };
        let forward = matches!(way, Direction::Right | Direction::Down);
        let beside = |at: usize| if forward { at + stride } else { at - stride };
        // Levels are enclosed by walls: the square beside the player exists, and so does the one behind a box.
        let to = beside(from);
        if squares[to] & WALL != 0 {
            return false;
        }
        let mut new_goal = false;
        if squares[to] & BOX != 0 {
            let beyond = beside(to);
            if !push || squares[beyond] & (WALL | BOX) != 0 {
                return false;
            }
            squares[to] &= !BOX;
            squares[beyond] |= BOX;
            self.on_goals -= u32::from(squares[to] & GOAL != 0);
            if squares[beyond] & GOAL != 0 {
                self.on_goals += 1;
                new_goal = squares[beyond] & VISITED == 0;
                squares[beyond] |= VISITED;
            }
            game.view.draw(observation, area, width, beyond, tile(squares[beyond]));
        }
        squares[from] &= !PLAYER;
        squares[to] |= PLAYER;
        self.player = to as u32;
        game.view.draw(observation, area, width, from, tile(squares[from]));
        game.view.draw(observation, area, width, to, tile(squares[to]));
        new_goal
    }

    /// Steps made in the episode.
    pub(crate) fn steps(&self) -> u32 {
        self.steps
    }
}
