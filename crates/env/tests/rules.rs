//! Rules of the presets, written down by hand: rewards and ends of episodes, resets, errors.

use lurd_env::{Autoreset, Batch, BatchError, Buffers, LevelSet, Order, Preset, Rooms};
use lurd_level::Map;

/// One or more boards with buffers of their own.
struct Play {
    batch: Batch,
    observations: Vec<u8>,
    last: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

impl Play {
    fn new(preset: Preset, maps: &[Map], boards: usize, autoreset: Autoreset, threads: usize) -> Self {
        let set = LevelSet::new(maps, None).expect("the levels can be played");
        let batch = Batch::new(set, preset.rules(), preset.view(), boards, Order::Sequential, autoreset, threads)
            .expect("the rules of presets are sound");
        let bytes = boards * batch.observation_len();
        Self {
            batch,
            observations: vec![0; bytes],
            last: vec![0; bytes],
            rewards: vec![0.0; boards],
            terminated: vec![false; boards],
            truncated: vec![false; boards],
        }
    }

    fn call(
        &mut self,
        call: impl FnOnce(&mut Batch, &mut Buffers<'_, f64>) -> Result<(), BatchError>,
    ) -> Result<(), BatchError> {
        let mut buffers = Buffers {
            observations: &mut self.observations,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            last_observations: Some(&mut self.last),
        };
        call(&mut self.batch, &mut buffers)
    }

    fn reset(&mut self) {
        self.call(|batch, buffers| batch.reset(Some(1), None, buffers)).expect("a reset takes every board");
    }

    fn step(&mut self, actions: &[i64]) -> Result<(), BatchError> {
        self.call(|batch, buffers| batch.step(actions, buffers))
    }
}

fn map(text: &str) -> Map {
    Map::from_xsb(text).expect("a board")
}

/// A box is pushed onto a goal and off it again.
#[test]
fn rewards_of_a_box_on_and_off_a_goal() {
    let level = map("########\n#@ $.  #\n#    $.#\n########");
    let table: [(Preset, &[(i64, f64)]); 4] = [
        (Preset::GymSokoban, &[(0, -0.1), (8, -0.1), (8, -0.1), (4, 0.9), (4, -1.1)]),
        (Preset::Jumanji, &[(1, -0.1), (1, 0.9), (1, -1.1)]),
        (Preset::EnvPool, &[(3, -0.1), (3, 0.9), (3, -1.1)]),
        (Preset::PufferLib, &[(0, 0.0), (4, 0.0), (4, 0.1), (4, -0.5)]),
    ];
    for (preset, steps) in table {
        let mut play = Play::new(preset, std::slice::from_ref(&level), 1, Autoreset::Disabled, 1);
        play.reset();
        for &(action, reward) in steps {
            play.step(&[action]).unwrap();
            assert!((play.rewards[0] - reward).abs() < 1e-9, "{preset}: {action} gives {}", play.rewards[0]);
        }
    }
}

/// PufferLib pays for a goal once, also when the number of boxes on goals stays.
#[test]
fn pufferlib_pays_each_goal_once() {
    let level = map("#########\n#@$..  $#\n#########");
    let mut play = Play::new(Preset::PufferLib, &[level], 1, Autoreset::Disabled, 1);
    play.reset();
    let mut rewards = Vec::new();
    for _ in 0..3 {
        play.step(&[4]).unwrap();
        rewards.push(play.rewards[0]);
    }
    assert_eq!(rewards, [0.1, 0.1, -0.5]);
}

/// gym-sokoban begins as if no box were on a goal.
#[test]
fn gym_sokoban_pays_boxes_that_begin_on_goals() {
    let level = map("########\n#@ *   #\n#  $ . #\n########");
    for (preset, reward) in [(Preset::GymSokobanTiny, 0.9), (Preset::EnvPoolNoop, -0.1)] {
        let mut play = Play::new(preset, std::slice::from_ref(&level), 1, Autoreset::Disabled, 1);
        play.reset();
        play.step(&[0]).unwrap();
        assert!((play.rewards[0] - reward).abs() < 1e-9, "{preset}");
    }
}

#[test]
fn episodes_end_after_their_steps() {
    let level = map("#######\n#@ $ .#\n#######");
    for (&preset, (steps, terminated)) in
        Preset::ALL.iter().zip([(120, false), (120, false), (120, true), (60, false), (60, false), (500, true)])
    {
        let mut play = Play::new(preset, std::slice::from_ref(&level), 1, Autoreset::NextStep, 1);
        play.reset();
        for step in 1..=steps {
            play.step(&[0]).unwrap();
            assert_eq!(play.terminated[0] || play.truncated[0], step == steps, "{preset}");
        }
        assert_eq!((play.terminated[0], play.truncated[0]), (terminated, !terminated), "{preset}");
        play.step(&[0]).unwrap();
        assert_eq!((play.terminated[0], play.truncated[0], play.rewards[0]), (false, false, 0.0), "{preset}");
    }
}

#[test]
fn a_reset_in_the_same_step_keeps_the_last_observation() {
    let levels = [map("#####\n#@$.#\n#####"), map("#####\n#.$@#\n#####")];
    let mut play = Play::new(Preset::Jumanji, &levels, 1, Autoreset::SameStep, 1);
    play.reset();
    let first = play.observations.clone();
    play.step(&[1]).unwrap();
    assert!(play.terminated[0]);
    assert_ne!(play.observations, first, "the second level is shown");
    let (at, channels) = (5 + 3, 2);
    assert_eq!(play.last[at * channels..][..channels], [4, 2], "a box on the goal");
    assert_eq!(play.batch.level(0), 1);
}

#[test]
fn what_is_wrong_changes_nothing() {
    let mut play = Play::new(Preset::Jumanji, &[map("#####\n#@$.#\n#####")], 2, Autoreset::Disabled, 1);
    assert!(matches!(play.step(&[0, 0]), Err(BatchError::Over(0))), "nothing has begun");
    play.reset();
    let before = play.observations.clone();
    assert!(matches!(play.step(&[1, 4]), Err(BatchError::Action { board: 1, action: 4, last: 3 })));
    assert!(matches!(play.step(&[1, -1]), Err(BatchError::Action { board: 1, .. })));
    assert!(matches!(play.step(&[1]), Err(BatchError::Length { wanted: 2, given: 1, .. })));
    let level = play.call(|batch, buffers| batch.reset(None, Some(&[0, 1]), buffers));
    assert!(matches!(level, Err(BatchError::Level { level: 1, last: 0 })));
    play.rewards.pop();
    assert!(matches!(play.step(&[0, 0]), Err(BatchError::Length { .. })));
    assert_eq!(play.observations, before);
}

/// Two threads give what one gives, and incremental drawing what drawing from nothing gives.
#[test]
fn threads_and_incremental_drawing_change_nothing() {
    let mut rooms = Rooms::new(10, 10, 4, 3).unwrap();
    let maps: Vec<Map> = (0..10).map(|_| rooms.room()).collect();
    // Enough for threads to share them.
    let boards = 4_000;
    let preset = Preset::GymSokobanTiny;
    let mut plays = [1, 2].map(|threads| Play::new(preset, &maps, boards, Autoreset::NextStep, threads));
    let mut random = lurd_base::random::SplitMix64::new(9);
    plays.iter_mut().for_each(Play::reset);
    for _ in 0..130 {
        let actions: Vec<i64> = (0..boards).map(|_| random.below(9) as i64).collect();
        plays.iter_mut().for_each(|play| play.step(&actions).unwrap());
        assert_eq!(plays[0].rewards, plays[1].rewards);
    }
    assert_eq!(plays[0].observations, plays[1].observations);
    for board in (0..boards).step_by(7) {
        let shown = map(&plays[0].batch.text(board));
        let mut fresh = Play::new(preset, &[shown], 1, Autoreset::Disabled, 1);
        fresh.reset();
        let bytes = fresh.observations.len();
        assert_eq!(plays[0].observations[board * bytes..][..bytes], fresh.observations);
    }
}
