//! Many boards stepped by one call.

use crate::episode::{Episode, Game};
use crate::level_set::{LevelSet, Order};
use crate::rules::Rules;
use crate::tile::{BOX, GOAL, PLAYER, Tile, tile};
use crate::view::View;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// A batch is divided between threads where a step takes about this many nanoseconds: below it a thread takes longer to
/// wake up than to work.
const WORK_FOR_THREADS: usize = 100_000;
/// Nanoseconds of a board's step beside drawing, about.
const STEP: usize = 30;
/// Bytes drawn in a nanosecond, about.
const BYTES_A_NANOSECOND: usize = 20;

/// When a board whose episode is over begins the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// The next step begins it, whatever its action; it has reward 0.
    NextStep,
    /// The step that ends an episode begins the next one: its observation is the first of that.
    SameStep,
    /// Only [`Batch::reset`] begins it.
    Disabled,
}

/// Why a batch cannot be made or stepped.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// Rules that contradict themselves.
    #[error("{0}")]
    Rules(&'static str),
    /// An action that does not exist.
    #[error("action {action} of board {board} does not exist; actions are numbers from 0 to {last}")]
    Action {
        /// The board, from 0.
        board: usize,
        /// Its action.
        action: i64,
        /// The last action there is.
        last: usize,
    },
    /// A level that does not exist.
    #[error("there is no level {level}; the set has the levels 0 to {last}")]
    Level {
        /// The level asked for.
        level: u32,
        /// The last level there is.
        last: usize,
    },
    /// A list with an entry for each board that is too short or too long.
    #[error("{what} must have {wanted} entries, and this one has {given}")]
    Length {
        /// What it is.
        what: &'static str,
        /// How many it should have.
        wanted: usize,
        /// How many it has.
        given: usize,
    },
    /// A step after the end of an episode, or before the first.
    #[error("the episode of board {0} is over or has not begun; reset it first")]
    Over(usize),
    /// Threads that cannot be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

/// A number that rewards are written as.
pub trait Reward: Copy + Send {
    /// The nearest number.
    fn of(reward: f64) -> Self;
}

impl Reward for f64 {
    fn of(reward: f64) -> Self {
        reward
    }
}

impl Reward for f32 {
    fn of(reward: f64) -> Self {
        reward as Self
    }
}

/// Where a batch writes, one entry for each board.
pub struct Buffers<'a, R> {
    /// The observations one after the other. A step writes the squares that changed, so these must be the bytes that the
    /// call before left.
    pub observations: &'a mut [u8],
    /// Rewards.
    pub rewards: &'a mut [R],
    /// Episodes that ended for good.
    pub terminated: &'a mut [bool],
    /// Episodes that ended because they were too long.
    pub truncated: &'a mut [bool],
    /// With [`Autoreset::SameStep`], the last observations of episodes that end; other places are left as they are.
    pub last_observations: Option<&'a mut [u8]>,
}

/// Boards in play.
pub struct Batch {
    game: Game,
    autoreset: Autoreset,
    episodes: Vec<Episode>,
    squares: Vec<u8>,
    observation_len: usize,
    pool: Option<ThreadPool>,
}

/// The part of a batch that one thread steps.
struct Share<'a, R> {
    actions: &'a [i64],
    episodes: &'a mut [Episode],
    squares: &'a mut [u8],
    buffers: Buffers<'a, R>,
}

impl Batch {
    /// A batch of boards, stepped by so many threads. No episode has begun.
    ///
    /// # Errors
    /// When the rules contradict themselves, there is no board, or threads cannot be started.
    pub fn new(
        set: LevelSet,
        rules: Rules,
        view: View,
        boards: usize,
        order: Order,
        autoreset: Autoreset,
        threads: usize,
    ) -> Result<Self, BatchError> {
        if boards == 0 {
            return Err(BatchError::Rules("there must be at least one board"));
        }
        if rules.actions.is_empty() {
            return Err(BatchError::Rules("there must be at least one action"));
        }
        if rules.max_steps == 0 || rules.min_steps > rules.max_steps {
            return Err(BatchError::Rules(
                "an episode must have at least one step, and its least length must not be above its greatest",
            ));
        }
        let observation_len = view.shape(set.height(), set.width()).iter().product();
        let squares = vec![0; boards * set.area()];
        // The player's square, the one it left and that of a box change in a step.
        let work = boards * (STEP + 3 * view.bytes_a_square() / BYTES_A_NANOSECOND);
        let threads = threads.min(boards);
        let pool = (threads > 1 && work >= WORK_FOR_THREADS)
            .then(|| ThreadPoolBuilder::new().num_threads(threads).build())
            .transpose()?;
        let episodes = (0..boards).map(Episode::new).collect();
        Ok(Self { game: Game { set, rules, view, order, boards }, autoreset, episodes, squares, observation_len, pool })
    }

    /// The number of boards.
    pub fn boards(&self) -> usize {
        self.episodes.len()
    }

    /// The levels.
    pub fn set(&self) -> &LevelSet {
        &self.game.set
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.game.rules
    }

    /// What observations look like.
    pub fn view(&self) -> &View {
        &self.game.view
    }

    /// The bytes of one observation.
    pub fn observation_len(&self) -> usize {
        self.observation_len
    }

    /// The tiles of a board, row by row.
    pub fn tiles(&self, board: usize) -> impl Iterator<Item = Tile> + '_ {
        self.board(board).iter().map(|&square| tile(square))
    }

    /// A board as the rows of a level.
    pub fn text(&self, board: usize) -> String {
        let character = |square: u8| match tile(square) {
            Tile::Wall => '#',
            Tile::Floor => ' ',
            Tile::Goal => '.',
            Tile::BoxOnGoal => '*',
            Tile::Box => '$',
            Tile::Player => '@',
            Tile::PlayerOnGoal => '+',
        };
        let rows = self.board(board).chunks(self.game.set.width());
        rows.map(|row| row.iter().map(|&square| character(square)).chain(['\n']).collect::<String>()).collect()
    }

    fn board(&self, board: usize) -> &[u8] {
        let area = self.game.set.area();
        &self.squares[board * area..][..area]
    }

    /// The level that a board plays, as its place in the set.
    pub fn level(&self, board: usize) -> usize {
        self.episodes[board].level as usize
    }

    /// The steps of a board in its episode.
    pub fn steps(&self, board: usize) -> u32 {
        self.episodes[board].steps()
    }

    /// Whether the episode of a board is over, or has not begun.
    pub fn is_over(&self, board: usize) -> bool {
        self.episodes[board].over
    }

    /// Whether all boxes of a board are on goals.
    pub fn is_solved(&self, board: usize) -> bool {
        let squares = self.board(board);
        squares.iter().any(|square| square & PLAYER != 0) && squares.iter().all(|square| square & (BOX | GOAL) != BOX)
    }

    fn check_buffers<R>(&self, buffers: &Buffers<'_, R>) -> Result<(), BatchError> {
        let boards = self.boards();
        let bytes = boards * self.observation_len;
        let last = buffers.last_observations.as_ref().map_or(bytes, |last| last.len());
        for (what, wanted, given) in [
            ("the buffer of observations", bytes, buffers.observations.len()),
            ("the buffer of rewards", boards, buffers.rewards.len()),
            ("the buffer `terminated`", boards, buffers.terminated.len()),
            ("the buffer `truncated`", boards, buffers.truncated.len()),
            ("the buffer of last observations", bytes, last),
        ] {
            if wanted != given {
                return Err(BatchError::Length { what, wanted, given });
            }
        }
        Ok(())
    }

    /// Begins an episode on every board, on the levels named or on the next in order. A seed determines all that follows.
    ///
    /// # Errors
    /// When a level does not exist or a buffer has the wrong length; then nothing has changed.
    pub fn reset<R: Reward>(
        &mut self,
        seed: Option<u64>,
        levels: Option<&[u32]>,
        buffers: &mut Buffers<'_, R>,
    ) -> Result<(), BatchError> {
        self.reset_some(None, seed, levels, buffers)
    }

    /// As [`reset`](Self::reset), on the boards that are marked.
    ///
    /// # Errors
    /// As [`reset`](Self::reset), and when there is not a mark for each board.
    pub fn reset_some<R: Reward>(
        &mut self,
        marks: Option<&[bool]>,
        seed: Option<u64>,
        levels: Option<&[u32]>,
        buffers: &mut Buffers<'_, R>,
    ) -> Result<(), BatchError> {
        self.check_buffers(buffers)?;
        let (boards, last) = (self.boards(), self.game.set.len() - 1);
        for (what, given) in [("the mask", marks.map(<[bool]>::len)), ("the list of levels", levels.map(<[u32]>::len))]
        {
            if let Some(given) = given.filter(|&given| given != boards) {
                return Err(BatchError::Length { what, wanted: boards, given });
            }
        }
        if let Some(&level) = levels.unwrap_or_default().iter().find(|&&level| level as usize > last) {
            return Err(BatchError::Level { level, last });
        }
        let area = self.game.set.area();
        for (board, episode) in self.episodes.iter_mut().enumerate() {
            if marks.is_some_and(|marks| !marks[board]) {
                continue;
            }
            if let Some(seed) = seed {
                episode.seed(seed, board);
            }
            let squares = &mut self.squares[board * area..][..area];
            let observation = &mut buffers.observations[board * self.observation_len..][..self.observation_len];
            episode.begin(&self.game, levels.map(|levels| levels[board]), squares, observation);
            buffers.rewards[board] = R::of(0.0);
            (buffers.terminated[board], buffers.truncated[board]) = (false, false);
        }
        Ok(())
    }

    /// Makes one action on every board.
    ///
    /// # Errors
    /// When an action does not exist, a buffer has the wrong length, or an episode is over and
    /// [`Autoreset`] is off; then nothing has changed.
    pub fn step<R: Reward>(&mut self, actions: &[i64], buffers: &mut Buffers<'_, R>) -> Result<(), BatchError> {
        self.check_buffers(buffers)?;
        let (boards, count) = (self.boards(), self.game.rules.actions.len());
        if actions.len() != boards {
            return Err(BatchError::Length { what: "the list of actions", wanted: boards, given: actions.len() });
        }
        let is_wrong = |&action: &i64| action < 0 || action >= count as i64;
        if actions.iter().any(is_wrong)
            && let Some(board) = actions.iter().position(is_wrong)
        {
            return Err(BatchError::Action { board, action: actions[board], last: count - 1 });
        }
        if self.autoreset == Autoreset::Disabled
            && let Some(board) = self.episodes.iter().position(|episode| episode.over)
        {
            return Err(BatchError::Over(board));
        }
        let (area, bytes, game, autoreset) = (self.game.set.area(), self.observation_len, &self.game, self.autoreset);
        let Some(pool) = &self.pool else {
            let Buffers { observations, rewards, terminated, truncated, last_observations } = buffers;
            let last_observations = last_observations.as_deref_mut();
            let buffers = Buffers { observations, rewards, terminated, truncated, last_observations };
            let (episodes, squares) = (&mut self.episodes[..], &mut self.squares[..]);
            Share { actions, episodes, squares, buffers }.step(game, autoreset, bytes);
            return Ok(());
        };
        let size = boards.div_ceil(pool.current_num_threads());
        let last: Vec<Option<&mut [u8]>> = match buffers.last_observations.as_deref_mut() {
            Some(last) => last.chunks_mut(size * bytes).map(Some).collect(),
            None => (0..boards.div_ceil(size)).map(|_| None).collect(),
        };
        let parts = (self.episodes.chunks_mut(size))
            .zip(self.squares.chunks_mut(size * area))
            .zip(buffers.observations.chunks_mut(size * bytes))
            .zip(buffers.rewards.chunks_mut(size))
            .zip(buffers.terminated.chunks_mut(size).zip(buffers.truncated.chunks_mut(size)))
            .zip(actions.chunks(size).zip(last));
        let shares: Vec<Share<'_, R>> = parts
            .map(|(((((episodes, squares), observations), rewards), (terminated, truncated)), (actions, last))| {
                let buffers = Buffers { observations, rewards, terminated, truncated, last_observations: last };
                Share { actions, episodes, squares, buffers }
            })
            .collect();
        pool.install(|| shares.into_par_iter().for_each(|share| share.step(game, autoreset, bytes)));
        Ok(())
    }
}

impl<R: Reward> Share<'_, R> {
    fn step(mut self, game: &Game, autoreset: Autoreset, bytes: usize) {
        let area = game.set.area();
        let Buffers { observations, rewards, terminated, truncated, last_observations } = &mut self.buffers;
        for (board, episode) in self.episodes.iter_mut().enumerate() {
            let squares = &mut self.squares[board * area..][..area];
            let observation = &mut observations[board * bytes..][..bytes];
            if episode.over {
                episode.begin(game, None, squares, observation);
                rewards[board] = R::of(0.0);
                (terminated[board], truncated[board]) = (false, false);
                continue;
            }
            let action = game.rules.actions[self.actions[board] as usize];
            let ended = episode.step(game, action, squares, observation);
            rewards[board] = R::of(ended.reward);
            terminated[board] = ended.solved || ended.timeout && game.rules.timeout_terminates;
            truncated[board] = ended.timeout && !game.rules.timeout_terminates;
            if episode.over && autoreset == Autoreset::SameStep {
                if let Some(last) = last_observations {
                    last[board * bytes..][..bytes].copy_from_slice(observation);
                }
                episode.begin(game, None, squares, observation);
            }
        }
    }
}
