//! Proofs that are kept, taken up and done again: the same layers, whatever happens on the way.

use crate::*;
use lurd_level::Map;
use lurd_search::random::SplitMix64;
use lurd_search::{Cancel, Limits, Stop};
use std::fs;
use std::path::{Path, PathBuf};

/// Many positions below the fewest pushes.
const LARGE: &str = "###########\n#  #  # # #\n#  $   .. #\n#    $ .$ #\n# $# # .$ #\n#  @   #. #\n#  $# .$$ #\n#   $ ... #\n#   ##    #\n###########";

/// Fewer of them.
const SMALL: &str = "#############\n#         # #\n# #   $$$.. #\n#     $ ... #\n## $#   .#.##\n##$$  $#..$ #\n#@  ##      #\n#############";

/// Less memory than the proof of the larger one would like.
const SHORT: usize = 5 << 18;

/// No tables, so that the layers are large.
fn plain(threads: usize) -> Options {
    Options {
        pairs: false,
        triples: false,
        fours: false,
        dead_sets: false,
        check_every: 0,
        strict: true,
        two_sided: false,
        ..Options::new(threads)
    }
}

/// The same from both ends.
fn both(threads: usize) -> Options {
    Options { two_sided: true, ..plain(threads) }
}

/// What a proof comes to.
#[derive(Debug)]
struct Ran {
    found: ProofOutcome,
    records: Vec<LimitRecord>,
    told: Vec<String>,
    peak: usize,
    expanded: u64,
}

impl Ran {
    /// The length of the solution and the records: what must be the same every time.
    fn result(&self) -> (usize, &[LimitRecord]) {
        match &self.found {
            ProofOutcome::Shortest(pushes) => (pushes.len(), &self.records),
            other => panic!("{other:?}"),
        }
    }
}

/// Proves a level, `pause` expansions at a time.
fn prove(text: &str, options: Options, limits: Limits, pause: u64, disk: Option<(&Path, u64)>) -> Ran {
    let board = Board::new(&Map::from_xsb(text).unwrap()).unwrap();
    let budget = Budget::new(limits, Cancel::new());
    let control = Control::new(&budget);
    let mut prover = prover(&board, options, &budget).unwrap().expect("it fits");
    if let Some((folder, limit)) = disk {
        let (mut journal, found) = Journal::open(folder, Some(limit), rows(text), true).unwrap();
        journal.hurry();
        prover.keep(journal, found, &control);
    }
    let found = loop {
        match prover.prove(pause, &control, &mut || ()) {
            ProofOutcome::Capped => {}
            found => break found,
        }
    };
    Ran {
        found,
        records: prover.records().to_vec(),
        told: control.take_told(),
        peak: control.peak(),
        expanded: control.expanded(),
    }
}

fn rows(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("lurd-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Threads, pauses and want of memory change nothing, as long as there is a disk.
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
        let ran = prove(LARGE, plain(threads), short, 50_000, Some((&folder, u64::MAX)));
        assert_eq!(ran.result(), free.result());
        assert!(ran.peak <= SHORT, "{}", ran.peak);
        assert!(ran.told.is_empty(), "{:?}", ran.told);
        fs::remove_dir_all(&folder).unwrap();
    }
    assert_eq!(prove(LARGE, plain(1), short, u64::MAX, None).found, ProofOutcome::Halted(Halt::Stop(Stop::Memory)));
    // A little disk is not enough: that is said, and it ends.
    let ran = prove(LARGE, plain(1), short, u64::MAX, Some((&folder, 100_000)));
    assert_eq!(ran.found, ProofOutcome::Halted(Halt::Stop(Stop::Disk)));
    assert!(ran.told.iter().any(|told| told.contains("disk limit")), "{:?}", ran.told);
    fs::remove_dir_all(&folder).unwrap();
}

/// Where layers were let go on the way, they are made again for the way back.
#[test]
fn the_way_back_is_found_again() {
    let free = prove(LARGE, plain(1), Limits::default(), u64::MAX, None);
    let loose = Options { strict: false, ..plain(1) };
    let mut again = 0;
    for quarters in 3..9 {
        let memory = Some(quarters << 18);
        let ran = prove(LARGE, loose, Limits { memory, ..Limits::default() }, u64::MAX, None);
        assert!(ran.peak <= quarters << 18);
        match ran.found {
            ProofOutcome::Shortest(pushes) => {
                assert_eq!(pushes.len(), free.result().0);
                again += usize::from(ran.peak < free.peak);
            }
            found => assert_eq!(found, ProofOutcome::Halted(Halt::Stop(Stop::Memory))),
        }
    }
    println!("{again} times within less memory");
    assert!(again > 0);
}

/// A record is confirmed by any number of threads, and nothing else is.
#[test]
fn records_are_confirmed_and_every_change_is_found() {
    for two_sided in [false, true] {
        confirmed_and_changed(&|threads| Options { pairs: true, dead_sets: true, two_sided, ..plain(threads) });
    }
}

fn confirmed_and_changed(options: &dyn Fn(usize) -> Options) {
    let ran = prove(LARGE, options(1), Limits::default(), u64::MAX, None);
    let board = Board::new(&Map::from_xsb(LARGE).unwrap()).unwrap();
    let budget = Budget::unlimited();
    let confirm = |records: &[LimitRecord], threads: usize| {
        let control = Control::new(&budget);
        let mut prover = prover(&board, options(threads), &budget).unwrap().unwrap();
        records.iter().try_for_each(|record| prover.confirm(record, &control, &mut || ()))
    };
    let (_, records) = ran.result();
    assert!(!records.is_empty() && !records[0].tables.is_empty(), "{records:?}");
    assert_eq!(confirm(records, 1), Ok(()));
    assert_eq!(confirm(records, 2), Ok(()));
    let last = records.len() - 1;
    let changes: [&dyn Fn(&mut LimitRecord); 13] = [
        &|record| record.limit += 2,
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

/// Left at any moment, a proof goes on from its checkpoints and ends as if nothing had happened; damage to
/// any of its files costs time and nothing else.
#[test]
fn a_proof_that_is_left_is_taken_up() {
    left_and_taken_up("left", SMALL, 30, &plain);
    left_and_taken_up("left-both", LARGE, 12, &both);
}

fn left_and_taken_up(name: &str, text: &str, rounds: usize, options: &dyn Fn(usize) -> Options) {
    let whole = prove(text, options(1), Limits::default(), u64::MAX, None);
    let expanded = whole.expanded;
    println!("{} limits, {expanded} positions", whole.records.len());
    let folder = folder(name);
    let board = Board::new(&Map::from_xsb(text).unwrap()).unwrap();
    let budget = Budget::unlimited();
    let mut dice = SplitMix64::new(21);
    let (mut taken_up, mut damaged) = (0, 0);
    for round in 0..rounds {
        let mut stretches = 0;
        loop {
            let control = Control::new(&budget);
            let mut prover = prover(&board, options(1 + round % 2), &budget).unwrap().expect("it fits");
            let (mut journal, found) = Journal::open(&folder, None, rows(text), true).unwrap();
            journal.hurry();
            let notes = prover.keep(journal, found, &control);
            taken_up += usize::from(notes.iter().any(|note| note.contains("after layer")));
            damaged += usize::from(notes.iter().any(|note| note.contains("damaged") || note.contains("cannot be")));
            let found = prover.prove(1 + dice.below(expanded as usize / 2) as u64, &control, &mut || ());
            if found != ProofOutcome::Capped {
                let ran = Ran { found, records: prover.records().to_vec(), told: Vec::new(), peak: 0, expanded: 0 };
                assert_eq!(ran.result(), whole.result());
                break;
            }
            // Gone without a word; every other round something happens to a file.
            drop(prover);
            stretches += 1;
            assert!(stretches < 500, "it does not come to an end");
            if round % 2 == 1 && dice.below(3) == 0 {
                let files = files(&folder);
                if !files.is_empty() {
                    let file = &files[dice.below(files.len())];
                    let mut bytes = fs::read(file).unwrap();
                    let place = dice.below(bytes.len().max(1));
                    match dice.below(3) {
                        0 => bytes.truncate(place),
                        1 => bytes[place] ^= 1 << dice.below(8),
                        _ => bytes.clear(),
                    }
                    fs::write(file, bytes).unwrap();
                }
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    println!("taken up {taken_up} times, damaged {damaged} times");
    assert!(taken_up > rounds && damaged > rounds / 6, "{taken_up} {damaged}");
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let folder = folder("other");
    prove(SMALL, plain(1), Limits::default(), u64::MAX, Some((&folder, u64::MAX)));
    let open = |text: &str, resume| Journal::open(&folder, None, rows(text), resume).map(|_| ());
    assert!(open(SMALL, true).is_ok());
    assert!(open(SMALL, false).unwrap_err().to_string().contains("resume it"));
    assert!(open(LARGE, true).unwrap_err().to_string().contains("another level"));
    let [first, ..] = &files(&folder)[..] else { panic!("nothing was kept") };
    let text = fs::read_to_string(first).unwrap();
    fs::write(first, text.replacen("\"rules\":", "\"rules\":9", 1)).unwrap();
    // Its checksum is wrong now: it is passed over, as any damaged one.
    let (_, found) = Journal::open(&folder, None, rows(SMALL), true).unwrap();
    assert!(found.notes.iter().any(|note| note.contains("damaged")));
    fs::remove_dir_all(&folder).unwrap();
}

/// Where checkpoints cannot be written, that is said, and the proof goes on.
#[test]
fn a_full_disk_costs_the_checkpoints_only() {
    let free = prove(SMALL, plain(1), Limits::default(), u64::MAX, None);
    let folder = folder("full");
    let ran = prove(SMALL, plain(1), Limits::default(), u64::MAX, Some((&folder, 2_000)));
    assert_eq!(ran.result(), free.result());
    assert!(ran.told.iter().any(|told| told.contains("without new checkpoints")), "{:?}", ran.told);
    fs::remove_dir_all(&folder).unwrap();
}
