//! Steps a second of each preset: `cargo bench -p lurd-env`. 200 boards, random actions, 1,000 rooms of 10 by 10.

use lurd_base::random::SplitMix64;
use lurd_env::{Autoreset, Batch, Buffers, LevelSet, Order, Preset, Rooms};
use std::hint::black_box;
use std::time::Instant;

const BOARDS: usize = 200;
const CALLS: usize = 20_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rooms = Rooms::new(10, 10, 4, 1)?;
    let began = Instant::now();
    let maps: Vec<_> = (0..1000).map(|_| rooms.room()).collect();
    println!("{:<18} {:>8.3} ms a room", "rooms", began.elapsed().as_secs_f64());
    for &preset in Preset::ALL {
        let set = LevelSet::new(&maps, None)?;
        let mut batch = Batch::new(set, preset.rules(), preset.view(), BOARDS, Order::Random, Autoreset::NextStep, 2)?;
        let mut observations = vec![0; BOARDS * batch.observation_len()];
        let mut rewards = [0.0_f64; BOARDS];
        let (mut terminated, mut truncated) = ([false; BOARDS], [false; BOARDS]);
        let mut buffers = Buffers {
            observations: &mut observations,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            last_observations: None,
        };
        batch.reset(Some(1), None, &mut buffers)?;
        let mut random = SplitMix64::new(2);
        let actions: Vec<[i64; BOARDS]> =
            (0..64).map(|_| std::array::from_fn(|_| random.below(preset.rules().actions.len()) as i64)).collect();
        let began = Instant::now();
        for call in 0..CALLS {
            batch.step(&actions[call % actions.len()], &mut buffers)?;
        }
        let seconds = began.elapsed().as_secs_f64();
        black_box(buffers.observations);
        println!("{:<18} {:>8.2} million steps a second", preset.name(), (BOARDS * CALLS) as f64 / seconds / 1e6);
    }
    Ok(())
}
