//! What each part of the engine is worth on given levels: figures for docs/experiments, not a judgement.
//!
//! `LURD_LEVELS=FILE LURD_BEST=1:97,3:134 [LURD_ROW=everything] [LURD_MOST=100000] cargo test --release -p lurd-prove-pushes --lib ablation -- --ignored --nocapture` prints, for
//! each level and its known fewest pushes, the bound at the start and what it takes to show that there is nothing shorter,
//! or how far that many expansions lead.

use crate::*;
use lurd_search::{Cancel, Limits};
use std::time::{Duration, Instant};

/// The longest a row may take.
const LONGEST: Duration = Duration::from_secs(10);

/// The same when the number of expansions is limited.
const LONGEST_TABLES: Duration = Duration::from_secs(300);

fn rows() -> [(&'static str, Options); 11] {
    // Tables of fours take longer than most proofs.
    let all = Options { eager: true, fours: false, ..Options::new(1) };
    let none = Options { pairs: false, triples: false, doors: false, walls: false, ..all };
    [
        ("matching", none),
        ("+ pairs", Options { pairs: true, ..none }),
        ("+ triples", Options { triples: true, ..none }),
        ("+ pairs, triples", Options { pairs: true, triples: true, ..none }),
        ("+ doors", Options { doors: true, ..none }),
        ("+ walls", Options { walls: true, ..none }),
        ("everything", all),
        ("without doors", Options { doors: false, ..all }),
        ("without corrals", Options { corrals: false, ..all }),
        ("without dead sets", Options { dead_sets: false, ..all }),
        ("from the start alone", Options { two_sided: false, ..all }),
    ]
}

#[test]
#[ignore = "prints figures for levels that are not part of the project"]
fn what_each_part_is_worth() {
    let file = std::env::var("LURD_LEVELS").expect("LURD_LEVELS names a file of levels");
    let wanted = std::env::var("LURD_BEST").expect("LURD_BEST lists NUMBER:PUSHES");
    let only = std::env::var("LURD_ROW").ok();
    let most: Option<u64> = std::env::var("LURD_MOST").ok().map(|most| most.parse().expect("a number"));
    let longest = if most.is_some() { LONGEST_TABLES } else { LONGEST };
    let text = std::fs::read(&file).expect("the file can be read");
    let collection = lurd_formats::read(&text, None).expect("the file holds levels");
    for pair in wanted.split(',') {
        let (number, best) = pair.split_once(':').expect("NUMBER:PUSHES");
        let (number, best): (usize, u32) = (number.parse().expect("a number"), best.parse().expect("pushes"));
        let board = Board::new(&collection.levels[number - 1].map).expect("a level with a player");
        for (name, options) in rows().into_iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
            let begun = Instant::now();
            let budget = Budget::new(Limits { time: Some(longest), ..Limits::default() }, Cancel::new());
            let control = Control::new(&budget);
            let Ok(Some(mut prover)) = prover(&board, options, &budget) else { continue };
            control.reduce(best);
            // All tables are made, and hardly anything is expanded.
            let _ = prover.prove(0, &control, &mut || ());
            let (start, tables) = (prover.lower(), begun.elapsed());
            let found = prover.prove(most.unwrap_or(u64::MAX), &control, &mut || ());
            let searched = (begun.elapsed() - tables).as_secs_f64();
            let counts = control.counts();
            println!(
                "{number:3} {name:20} at first {start} of {best}, {found:?}, at last {}: {} expanded, {} generated, {} held, {} bytes a \
                 key, tables {:.2} s, search {searched:.2} s",
                prover.lower(),
                counts.expanded,
                counts.generated,
                control.stored(),
                prover.key_bytes(),
                tables.as_secs_f64(),
            );
        }
    }
}
