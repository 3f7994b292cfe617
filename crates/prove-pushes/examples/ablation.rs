//! What each part of the engine contributes on given levels.
//!
//! ```text
//! cargo run --release -p lurd-prove-pushes --example ablation -- LEVELS 1:97,3:134 [--row NAME] [--expansions N]
//! ```
//! For each level number and its known fewest pushes, prints the bound at the start and the work that proves that no
//! solution is shorter, or how far that many expansions lead.

#![allow(missing_docs, reason = "a tool")]

use lurd_base::{Budget, Cancel, Limits};
use lurd_prove_pushes::{Control, Options, prover};
use lurd_rules::Board;
use std::error::Error;
use std::time::{Duration, Instant};

/// The time limit of a row.
const TIME: Duration = Duration::from_secs(10);

/// The same when the number of expansions is limited.
const TIME_WITH_EXPANSIONS: Duration = Duration::from_secs(300);

fn rows() -> [(&'static str, Options); 11] {
    // Tables of fours take longer than most proofs.
    let all = Options { eager: true, fours: false, ..Options::new(1) };
    let none = Options { pairs: false, triples: false, chokepoints: false, frozen_walls: false, ..all };
    [
        ("matching", none),
        ("+ pairs", Options { pairs: true, ..none }),
        ("+ triples", Options { triples: true, ..none }),
        ("+ pairs, triples", Options { pairs: true, triples: true, ..none }),
        ("+ chokepoints", Options { chokepoints: true, ..none }),
        ("+ frozen walls", Options { frozen_walls: true, ..none }),
        ("everything", all),
        ("without chokepoints", Options { chokepoints: false, ..all }),
        ("without corrals", Options { corrals: false, ..all }),
        ("without dead sets", Options { dead_sets: false, ..all }),
        ("unidirectional", Options { bidirectional: false, ..all }),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (file, wanted) = arguments.next().zip(arguments.next()).ok_or("usage: ablation LEVELS NUMBER:PUSHES,...")?;
    let (mut only, mut expansions) = (None, None);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or("an option without a value")?;
        match option.as_str() {
            "--row" => only = Some(value),
            "--expansions" => expansions = Some(value.parse::<u64>()?),
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    let time = if expansions.is_some() { TIME_WITH_EXPANSIONS } else { TIME };
    let collection = lurd_formats::read(&std::fs::read(&file)?, None)?;
    for pair in wanted.split(',') {
        let (number, best) = pair.split_once(':').ok_or("NUMBER:PUSHES")?;
        let (number, best): (usize, u32) = (number.parse()?, best.parse()?);
        let level = number.checked_sub(1).and_then(|index| collection.levels.get(index)).ok_or("no such level")?;
        let board = Board::new(&level.map)?;
        for (name, options) in rows().into_iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
            let begun = Instant::now();
            let budget = Budget::new(Limits { time: Some(time), ..Limits::default() }, Cancel::new());
            let control = Control::new(&budget);
            let Ok(Some(mut prover)) = prover(&board, options, &budget) else { continue };
            control.reduce_upper(best);
            // Builds all tables and expands hardly anything.
            let _ = prover.prove(0, &control, &mut || ());
            let (start, tables) = (prover.lower(), begun.elapsed());
            let outcome = prover.prove(expansions.unwrap_or(u64::MAX), &control, &mut || ());
            let searched = (begun.elapsed() - tables).as_secs_f64();
            let counts = control.counts();
            println!(
                "{number:3} {name:20} bound at the start {start} of {best}, {outcome:?}, at the end {}: {} expanded, {} generated, \
                 at most {} stored, {} bytes a key, tables {:.2} s, search {searched:.2} s",
                prover.lower(),
                counts.expanded,
                counts.generated,
                control.peak_stored(),
                prover.key_bytes(),
                tables.as_secs_f64(),
            );
        }
    }
    Ok(())
}
