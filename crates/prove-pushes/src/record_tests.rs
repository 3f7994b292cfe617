//! Records, checkpoints and certificates: the same layers, whatever happens on the way.

use crate::disk::tests::{folder, names};
use crate::tests::engine;
use crate::*;
use lurd_base::random::SplitMix64;
use lurd_base::{Cancel, Limits, Stop};
use lurd_level::Map;
use std::fs;
use std::path::Path;

/// A level with many positions below the fewest pushes.
const LARGE: &str = "###########\n#  #  # # #\n#  $   .. #\n#    $ .$ #\n# $# # .$ #\n#  @   #. #\n#  $# .$$ #\n#   $ ... #\n#   ##    #\n###########";

/// A level with fewer of them.
const SMALL: &str = "#############\n#         # #\n# #   $$$.. #\n#     $ ... #\n## $#   .#.##\n##$$  $#..$ #\n#@  ##      #\n#############";

/// Less memory than the proof of the larger level uses.
const SHORT: usize = 5 << 18;

/// No tables, so that the layers are large.
fn plain(threads: usize) -> Options {
    Options {
        pairs: false,
        triples: false,
        fours: false,
        dead_sets: false,
        check_every: 0,
        reproducible: true,
        bidirectional: false,
        ..Options::new(threads)
    }
}

/// The same, bidirectional.
fn both(threads: usize) -> Options {
    Options { bidirectional: true, ..plain(threads) }
}

/// The result of a proof.
#[derive(Debug)]
struct Run {
    outcome: ProofOutcome,
    records: Vec<LimitRecord>,
    notes: Vec<String>,
    peak: usize,
    expanded: u64,
}

impl Run {
    fn new(outcome: ProofOutcome, prover: &dyn Prover, control: &Control<'_>) -> Self {
        let (peak, expanded) = (control.peak(), control.expanded());
        Self { outcome, records: prover.records().to_vec(), notes: control.take_notes(), peak, expanded }
    }

    /// The length of the solution and the records, which must be the same every time.
    fn result(&self) -> (usize, &[LimitRecord]) {
        match &self.outcome {
            ProofOutcome::Optimal(pushes) => (pushes.len(), &self.records),
            other => panic!("{other:?}"),
        }
    }
}

/// Proves a level, `pause` expansions at a time.
fn prove(text: &str, options: Options, limits: Limits, pause: u64, disk: Option<(&Path, u64)>) -> Run {
    let board = Board::new(&Map::from_xsb(text).unwrap()).unwrap();
    let budget = Budget::new(limits, Cancel::new());
    let control = Control::new(&budget);
    let mut prover = prover(&board, options, &budget).unwrap().expect("it fits");
    if let Some((folder, limit)) = disk {
        let (mut journal, found) = Journal::open(folder, Some(limit), rows(text), true).unwrap();
        journal.write_always();
        prover.resume(journal, found, &control);
    }
    let outcome = loop {
        match prover.prove(pause, &control, &mut || ()) {
            ProofOutcome::ExpansionLimit => {}
            outcome => break outcome,
        }
    };
    Run::new(outcome, &*prover, &control)
}

fn rows(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Threads, pauses and lack of memory change nothing, as long as there is a disk.
#[test]
fn layers_depend_on_the_level_alone() {
    let free = prove(LARGE, plain(1), Limits::default(), u64::MAX, None);
    let (pushes, records) = free.result();
    let largest = records.iter().flat_map(|record| &record.layers).map(|layer| layer.positions).max();
    println!("{pushes} pushes, {} limits, largest layer {largest:?}, peak {}", records.len(), free.peak);
    assert!(!records.is_empty() && largest > Some(2_000), "{largest:?}");
    assert_eq!(prove(LARGE, plain(2), Limits::default(), 10_000, None).result(), free.result());
    let ends = prove(LARGE, both(1), Limits::default(), u64::MAX, None);
    assert_eq!(ends.result().0, pushes);
    assert_eq!(prove(LARGE, both(2), Limits::default(), 300, None).result(), ends.result());
    let folder = folder("short");
    let short = Limits { memory: Some(SHORT), ..Limits::default() };
    for threads in [1, 2] {
        let run = prove(LARGE, plain(threads), short, 50_000, Some((&folder, u64::MAX)));
        assert_eq!(run.result(), free.result());
        assert!(run.peak <= SHORT, "{}", run.peak);
        assert!(run.notes.is_empty(), "{:?}", run.notes);
        fs::remove_dir_all(&folder).unwrap();
    }
    assert_eq!(prove(LARGE, plain(1), short, u64::MAX, None).outcome, ProofOutcome::Halted(Halt::Limit(Stop::Memory)));
    // A little disk is not enough: a note says so, and the proof ends.
    let run = prove(LARGE, plain(1), short, u64::MAX, Some((&folder, 100_000)));
    assert_eq!(run.outcome, ProofOutcome::Halted(Halt::Limit(Stop::Disk)));
    assert!(run.notes.iter().any(|note| note.contains("disk limit")), "{:?}", run.notes);
    fs::remove_dir_all(&folder).unwrap();
}

/// Layers freed on the way are rebuilt to reconstruct the solution.
#[test]
fn freed_layers_are_rebuilt_for_the_solution() {
    let free = prove(LARGE, plain(1), Limits::default(), u64::MAX, None);
    let options = Options { reproducible: false, ..plain(1) };
    let mut again = 0;
    for quarters in 3..9 {
        let memory = Some(quarters << 18);
        let run = prove(LARGE, options, Limits { memory, ..Limits::default() }, u64::MAX, None);
        assert!(run.peak <= quarters << 18);
        match run.outcome {
            ProofOutcome::Optimal(pushes) => {
                assert_eq!(pushes.len(), free.result().0);
                again += usize::from(run.peak < free.peak);
            }
            outcome => assert_eq!(outcome, ProofOutcome::Halted(Halt::Limit(Stop::Memory))),
        }
    }
    println!("{again} times within less memory");
    assert!(again > 0);
}

/// A record is confirmed with any number of threads, and no altered record is.
#[test]
fn records_are_confirmed_and_changes_are_detected() {
    for bidirectional in [false, true] {
        confirm_and_change(&|threads| Options { pairs: true, dead_sets: true, bidirectional, ..plain(threads) });
    }
}

fn confirm_and_change(options: &dyn Fn(usize) -> Options) {
    let run = prove(LARGE, options(1), Limits::default(), u64::MAX, None);
    let board = Board::new(&Map::from_xsb(LARGE).unwrap()).unwrap();
    let confirm = |records: &[LimitRecord], threads: usize| {
        let (mut prover, control) = engine(&board, options(threads));
        records.iter().try_for_each(|record| prover.confirm(record, &control, &mut || ()).map(|_| ()))
    };
    let (_, records) = run.result();
    assert!(!records.is_empty() && !records[0].tables.is_empty(), "{records:?}");
    assert_eq!(confirm(records, 1), Ok(()));
    assert_eq!(confirm(records, 2), Ok(()));
    let last = records.len() - 1;
    let changes: [&dyn Fn(&mut LimitRecord); 16] = [
        &|record| record.limit += 2,
        &|record| (record.limit, record.at_least) = (record.limit + 1, record.at_least + 1),
        &|record| (record.limit, record.at_least) = (record.limit - 1, record.at_least - 1),
        &|record| (record.limit, record.at_least) = (u32::MAX - record.limit % 2, 1),
        &|record| record.start -= 1,
        &|record| record.compared += 1,
        &|record| record.tables.push("pairs".into()),
        &|record| record.tables.push("fives".into()),
        &|record| record.ended = LimitEnd::Unsolvable,
        &|record| record.layers.truncate(2),
        &|record| record.layers[3].positions += 1,
        &|record| record.layers[4].xor ^= 1,
        &|record| record.at_least += 2,
        &|record| record.at_least -= 2,
        &|record| record.backward[0].sum += 1,
        &|record| record.backward.push(record.backward[0]),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut other = records.to_vec();
        change(&mut other[last]);
        assert_ne!(other, records, "change {number}");
        assert!(matches!(confirm(&other, 1), Err(Unconfirmed::Differs(_))), "change {number}");
    }
}

/// Interrupted at any moment, a proof is resumed from its checkpoints with the same result; damage to any of its files
/// costs time and nothing else.
#[test]
fn an_interrupted_proof_is_resumed() {
    interrupt_and_resume("interrupted", SMALL, 16, &plain);
    interrupt_and_resume("interrupted-both", LARGE, 6, &both);
}

fn interrupt_and_resume(name: &str, text: &str, rounds: usize, options: &dyn Fn(usize) -> Options) {
    let whole = prove(text, options(1), Limits::default(), u64::MAX, None);
    let expanded = whole.expanded;
    println!("{} limits, {expanded} positions", whole.records.len());
    let folder = folder(name);
    let board = Board::new(&Map::from_xsb(text).unwrap()).unwrap();
    let mut random = SplitMix64::new(21);
    let (mut resumed, mut within, mut damaged) = (0, 0, 0);
    for round in 0..rounds {
        let mut runs = 0;
        loop {
            let (mut prover, control) = engine(&board, options(1 + round % 2));
            let (mut journal, found) = Journal::open(&folder, None, rows(text), true).unwrap();
            journal.write_always();
            let notes = prover.resume(journal, found, &control);
            resumed += usize::from(notes.iter().any(|note| note.contains("after layer")));
            within += usize::from(notes.iter().any(|note| note.contains("within the next")));
            damaged += usize::from(notes.iter().any(|note| note.contains("damaged") || note.contains("cannot be")));
            let outcome = prover.prove(1 + random.below(expanded as usize / 2) as u64, &control, &mut || ());
            if outcome != ProofOutcome::ExpansionLimit {
                assert_eq!(Run::new(outcome, &*prover, &control).result(), whole.result());
                break;
            }
            // Dropped without a final checkpoint; in every other round a file may be damaged.
            drop(prover);
            runs += 1;
            assert!(runs < 500, "no end");
            if round % 2 == 1 && random.below(2) == 0 {
                // Old layers are hardly needed any more, so new files are damaged more often.
                let mut files = names(&folder);
                files.sort_by_key(|file| std::cmp::Reverse(disk::number(file)));
                if !files.is_empty() {
                    let newest = 1 + random.below(files.len());
                    let file = &folder.join(&files[random.below(newest)]);
                    let mut bytes = fs::read(file).unwrap();
                    let place = random.below(bytes.len().max(1));
                    match random.below(3) {
                        0 => bytes.truncate(place),
                        1 => bytes[place] ^= 1 << random.below(8),
                        _ => bytes.clear(),
                    }
                    fs::write(file, bytes).unwrap();
                }
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    println!("resumed {resumed} times, {within} of them within a layer, damaged {damaged} times");
    assert!(resumed > rounds && within > rounds / 2 && damaged > rounds / 6, "{resumed} {within} {damaged}");
}

/// A proof that is ended before any layer is complete, again and again, comes to its end all the same.
#[test]
fn a_proof_advances_within_a_layer() {
    let whole = prove(LARGE, plain(1), Limits::default(), u64::MAX, None);
    let sizes = || whole.records.iter().flat_map(|record| &record.layers).map(|layer| layer.positions);
    let turn = sizes().max().unwrap() / 3;
    let folder = folder("within");
    let board = Board::new(&Map::from_xsb(LARGE).unwrap()).unwrap();
    let (mut within, mut runs) = (0, 0);
    loop {
        let (mut prover, control) = engine(&board, plain(1 + runs % 2));
        let (mut journal, found) = Journal::open(&folder, None, rows(LARGE), true).unwrap();
        journal.write_always();
        let notes = prover.resume(journal, found, &control);
        within += usize::from(notes.iter().any(|note| note.contains("within the next")));
        let outcome = prover.prove(turn, &control, &mut || ());
        if outcome != ProofOutcome::ExpansionLimit {
            assert_eq!(Run::new(outcome, &*prover, &control).result(), whole.result());
            break;
        }
        runs += 1;
        assert!((runs as u64) < 4 * (whole.expanded / turn + 1), "no progress after {runs} runs");
    }
    println!("{runs} runs of {turn} positions, {within} resumed within a layer, {} layers", sizes().count());
    assert!(within > 3, "{within}");
    fs::remove_dir_all(&folder).unwrap();
}

/// A run that a limit ends while it resumes reports what was proved before, and leaves the checkpoints as they are.
#[test]
fn a_resume_that_is_interrupted_loses_nothing() {
    let options = |threads| Options { pairs: true, triples: true, ..both(threads) };
    let whole = prove(LARGE, options(1), Limits::default(), u64::MAX, None);
    let folder = folder("interrupted-resume");
    let board = Board::new(&Map::from_xsb(LARGE).unwrap()).unwrap();
    let open = || {
        let (mut journal, found) = Journal::open(&folder, None, rows(LARGE), true).unwrap();
        journal.write_always();
        (journal, found)
    };
    let (mut prover, control) = engine(&board, options(1));
    let (journal, found) = open();
    prover.resume(journal, found, &control);
    assert_eq!(prover.prove(whole.expanded * 3 / 4, &control, &mut || ()), ProofOutcome::ExpansionLimit);
    prover.checkpoint(false, &control);
    let (lower, start) = (prover.lower(), prover.start().clone());
    assert!(!prover.records().is_empty() && lower > start.bound.unwrap());
    drop(prover);
    let before = names(&folder);
    let cancelled = Cancel::new();
    cancelled.cancel();
    let budgets = [
        Budget::new(Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() }, Cancel::new()),
        Budget::new(Limits { memory: Some(1 << 10), ..Limits::default() }, Cancel::new()),
        Budget::new(Limits::default(), cancelled),
    ];
    for budget in budgets.iter().cycle().take(9) {
        let control = Control::new(budget);
        // The board was compiled before the limit was reached.
        let mut prover = super::prover(&board, options(1), &Budget::unlimited()).unwrap().unwrap();
        let (journal, found) = open();
        let notes = prover.resume(journal, found, &control);
        assert!(notes.iter().any(|note| note.contains(&format!("fewer than {lower} pushes"))), "{notes:?}");
        assert!(matches!(prover.prove(u64::MAX, &control, &mut || ()), ProofOutcome::Halted(_)));
        assert_eq!((prover.lower(), control.lower()), (lower, lower));
        prover.checkpoint(false, &control);
        drop(prover);
        assert_eq!(names(&folder), before);
    }
    let (mut prover, control) = engine(&board, options(1));
    let (journal, found) = open();
    let notes = prover.resume(journal, found, &control);
    assert!(notes.iter().any(|note| note.contains("after layer")), "{notes:?}");
    let outcome = prover.prove(u64::MAX, &control, &mut || ());
    assert_eq!(Run::new(outcome, &*prover, &control).result(), whole.result());
    drop(prover);
    fs::remove_dir_all(&folder).unwrap();
}

/// Whichever file of a folder is damaged, the next run says so.
#[test]
fn every_damaged_file_is_told() {
    let folder = folder("told");
    let board = Board::new(&Map::from_xsb(LARGE).unwrap()).unwrap();
    let whole = prove(LARGE, plain(1), Limits::default(), u64::MAX, None);
    let (mut prover, control) = engine(&board, plain(1));
    let (mut journal, found) = Journal::open(&folder, None, rows(LARGE), true).unwrap();
    journal.write_always();
    prover.resume(journal, found, &control);
    prover.prove(whole.expanded / 2, &control, &mut || ());
    prover.checkpoint(false, &control);
    drop((prover, control));
    let mut random = SplitMix64::new(5);
    let files: Vec<(String, Vec<u8>)> =
        names(&folder).into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect();
    assert!(files.len() > 10, "{}", files.len());
    let [mut layers, mut runs] = [0, 0];
    for (name, bytes) in files.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        for (name, bytes) in &files {
            fs::write(folder.join(name), bytes).unwrap();
        }
        let mut damaged = bytes.clone();
        let place = random.below(bytes.len());
        damaged[place] ^= 1 << random.below(8);
        fs::write(folder.join(name), damaged).unwrap();
        let (mut prover, control) = engine(&board, plain(1));
        let (journal, found) = Journal::open(&folder, None, rows(LARGE), true).unwrap();
        let notes = prover.resume(journal, found, &control);
        assert!(notes.iter().any(|note| note.contains(name)), "{name}, byte {place}: {notes:?}");
        layers += usize::from(name.starts_with("layer"));
        runs += usize::from(name.starts_with("run"));
    }
    assert!(layers > 5 && runs > 0, "{layers} {runs}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_of_another_level_is_refused() {
    let folder = folder("other");
    prove(SMALL, plain(1), Limits::default(), u64::MAX, Some((&folder, u64::MAX)));
    let open = |text: &str, resume| Journal::open(&folder, None, rows(text), resume).map(|_| ());
    assert!(open(SMALL, true).is_ok());
    assert!(open(SMALL, false).unwrap_err().to_string().contains("resume it"));
    assert!(open(LARGE, true).unwrap_err().to_string().contains("another level"));
    let [first, ..] = &names(&folder)[..] else { panic!("nothing was kept") };
    let first = &folder.join(first);
    let text = fs::read_to_string(first).unwrap();
    assert!(text.contains("\"under_way\":"), "the names of stored fields never change");
    fs::write(first, text.replacen("\"rules\":", "\"rules\":9", 1)).unwrap();
    // Its checksum is wrong now, so it is skipped as damaged.
    let (_, found) = Journal::open(&folder, None, rows(SMALL), true).unwrap();
    assert!(found.notes.iter().any(|note| note.contains("damaged")));
    fs::remove_dir_all(&folder).unwrap();
}

/// If checkpoints cannot be written, a note says so and the proof continues.
#[test]
fn a_full_disk_costs_only_the_checkpoints() {
    let free = prove(SMALL, plain(1), Limits::default(), u64::MAX, None);
    let folder = folder("full");
    let run = prove(SMALL, plain(1), Limits::default(), u64::MAX, Some((&folder, 2_000)));
    assert_eq!(run.result(), free.result());
    assert!(run.notes.iter().any(|note| note.contains("without new checkpoints")), "{:?}", run.notes);
    fs::remove_dir_all(&folder).unwrap();
}
