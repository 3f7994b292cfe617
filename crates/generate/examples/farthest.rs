//! Measures the exact farthest start on boards of 3x3 tiles, 12x12 squares inside the walls unless a size is given.
//!
//! ```text
//! farthest BOXES [BOARDS [SIDE [THREADS]]]
//! ```

use lurd_base::Budget;
use lurd_generate::{FarBoard, Measure, Style};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let number = |index: usize, default: usize| numbers.get(index).copied().unwrap_or(default);
    let (boxes, boards, side, threads) = (number(0, 3), number(1, 10), number(2, 12), number(3, 1));
    for measure in [Measure::BoxLines, Measure::Pushes] {
        let mut times = Vec::new();
        for seed in 0..boards as u64 {
            let board = FarBoard::random(Style::Rooms, (side, side), boxes, seed)?;
            let start = Instant::now();
            let found = board.farthest(measure, threads, &Budget::unlimited())?;
            let seconds = start.elapsed().as_secs_f64();
            times.push(seconds);
            if let Some(found) = found {
                let (squares, distance, positions) = (board.squares(), found.distance, found.positions);
                println!(
                    "{measure:?} seed {seed}: {squares} squares, distance {distance}, {positions} positions, {seconds:.4} s"
                );
            }
        }
        times.sort_by(f64::total_cmp);
        println!("{measure:?}: median {:.4} s, slowest {:.4} s", times[times.len() / 2], times[times.len() - 1]);
    }
    Ok(())
}
