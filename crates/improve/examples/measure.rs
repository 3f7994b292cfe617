//! Improves solutions for so many processor seconds each, on one thread: figures on a machine that does other work too.
//!
//! `measure LEVELS.xsb STARTS.lurd SECONDS moves|pushes [NUMBER ...]`; the solutions stand under lines `Level N`. For
//! `100000n` instead of the seconds the limit is on nodes.

use lurd_base::{Budget, Cancel, Limits};
use lurd_improve::Metric;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The processor time of the main thread in seconds, as Linux counts it.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [levels, starts, seconds, goal, numbers @ ..] = arguments.as_slice() else {
        return Err("usage: measure LEVELS.xsb STARTS.lurd SECONDS moves|pushes [NUMBER ...]".into());
    };
    let metric = if goal == "moves" { Metric::Moves } else { Metric::Pushes };
    let nodes: Option<u64> = seconds.strip_suffix('n').map(str::parse).transpose()?;
    let seconds: f64 = if nodes.is_some() { f64::MAX } else { seconds.parse()? };
    let numbers: Vec<usize> = numbers.iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
    let levels = std::fs::read_to_string(levels)?;
    let starts = std::fs::read_to_string(starts)?;
    let mut maps: Vec<String> = Vec::new();
    for line in levels.lines() {
        let is_row = line.trim_start().starts_with('#');
        if is_row && maps.last().is_none_or(|map| map.ends_with("\n\n")) {
            maps.push(String::new());
        }
        if let Some(map) = maps.last_mut() {
            if is_row {
                map.push_str(line.trim_end());
                map.push('\n');
            } else if !map.ends_with("\n\n") {
                map.push('\n');
            }
        }
    }
    let mut number = 0;
    let (mut moves, mut pushes) = (0, 0);
    for line in starts.lines() {
        if let Some(title) = line.strip_prefix("Level ") {
            number = title.trim().parse()?;
            continue;
        }
        if line.is_empty() || !(numbers.is_empty() || numbers.contains(&number)) {
            continue;
        }
        let map = lurd_level::Map::from_xsb(maps[number - 1].trim_end()).ok_or("a map cannot be read")?;
        let cancel = Cancel::new();
        let memory = Some(2 << 30);
        let budget = Budget::new(Limits { memory, nodes, time: None }, cancel.clone());
        let end = processor_seconds() + seconds;
        let begun = processor_seconds();
        let better = std::thread::scope(|scope| {
            let (done, over) = channel::<()>();
            scope.spawn(move || {
                while over.recv_timeout(Duration::from_millis(2)) == Err(RecvTimeoutError::Timeout) {
                    if processor_seconds() >= end {
                        cancel.cancel();
                    }
                }
            });
            let better = lurd_improve::shorten(&map, line, metric, &budget, &mut |_| ());
            drop(done);
            better
        })?;
        moves += better.moves;
        pushes += better.pushes;
        println!(
            "{number},{},{},{},{},{:.2},{},{}",
            better.moves_before,
            better.pushes_before,
            better.moves,
            better.pushes,
            processor_seconds() - begun,
            better.peak_bytes >> 20,
            better.expanded >> 20,
        );
    }
    println!("sum,,,{moves},{pushes}");
    Ok(())
}
