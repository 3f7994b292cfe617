//! The 4x4 tables: built once for all that need the same ones, cached in folders of their own.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use lurd_base::{Budget, Cancel, Limits};
use lurd_search::{Silent, TieBreak};
use lurd_tiles::{Board, Estimator, HeuristicKind, Method, MoveSet, Origin, PatternDatabase, PatternError, Problem};
use lurd_tiles::{BuildProgress, Report, random_board, scramble, solve};
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A fresh folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tiles-test-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    /// The tables for the standard goal as a file of this folder.
    fn with_tables(name: &str) -> (Self, PathBuf) {
        let folder = Self::new(name);
        fs::create_dir_all(&folder.0).unwrap();
        let file = folder.0.join(PatternDatabase::file_name(&goal()).unwrap());
        fs::write(&file, &shared().1).unwrap();
        (folder, file)
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).map(|entries| entries.flatten().collect()).unwrap_or(vec![]);
        entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn goal() -> Board {
    Board::standard_goal(4)
}

fn go_on(_: BuildProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The tables, built once, and their file.
fn shared() -> &'static (Arc<PatternDatabase>, Vec<u8>) {
    static SHARED: OnceLock<(Arc<PatternDatabase>, Vec<u8>)> = OnceLock::new();
    SHARED.get_or_init(|| {
        let folder = Folder::new("shared");
        let mut last = BuildProgress { done: 0, total: 0 };
        let mut calls = 0;
        let (database, origin) = PatternDatabase::load_or_build(&goal(), &folder.0, &mut |progress| {
            assert!(progress.done >= last.done && progress.done <= progress.total);
            (last, calls) = (progress, calls + 1);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(origin, Origin::Built { refused: None, not_saved: None });
        assert!(calls > 20 && last.done == last.total, "{calls} calls, last {last:?}");
        assert_eq!(folder.files(), [PatternDatabase::file_name(&goal()).unwrap()], "no unfinished file stays");
        let file = fs::read(folder.0.join(&folder.files()[0])).unwrap();
        (Arc::new(database), file)
    })
}

fn run(problem: &Problem, method: Method, estimator: &mut Estimator) -> Report {
    solve(problem, method, TieBreak::default(), estimator, &Budget::unlimited(), &mut Silent)
}

/// The same search with the estimate that needs no tables.
fn by_conflict(problem: &Problem, method: Method) -> Report {
    run(problem, method, &mut Estimator::new(problem, HeuristicKind::LinearConflict).unwrap())
}

fn problem(start: Board) -> Problem {
    Problem::new(start, goal(), MoveSet::Classic).unwrap()
}

fn patterns(problem: &Problem) -> Estimator {
    Estimator::with_patterns(problem, shared().0.clone()).unwrap()
}

/// One test, because each may run in a process of its own and would build the tables again.
#[test]
fn the_tables_of_the_standard_goal() {
    the_tables_find_what_linear_conflict_finds();
    boards_of_published_depth_take_that_many_moves();
    estimates_never_exceed_the_truth_along_a_solution_and_dominate_distance();
    one_set_of_tables_serves_every_goal_with_the_blank_in_a_corner();
    a_good_file_is_loaded_and_gives_the_same_estimates();
    damaged_truncated_and_foreign_files_are_refused();
    a_damaged_file_is_rebuilt_and_then_loads();
    an_unfinished_file_of_a_killed_process_is_not_taken_for_tables();
    limits_and_cancel_end_the_search();
}

fn the_tables_find_what_linear_conflict_finds() {
    for seed in 0..30 {
        let problem = problem(scramble(&goal(), MoveSet::Classic, 12 + seed as usize, seed));
        let truth = by_conflict(&problem, Method::A_STAR);
        assert_eq!(truth.proof.as_deref(), Some("optimal"));
        let mut tables = patterns(&problem);
        assert!(tables.value(problem.start()) <= truth.cost.unwrap());
        for method in [Method::IDA_STAR, Method::A_STAR, Method::Bidirectional] {
            let report = run(&problem, method, &mut tables);
            assert_eq!((report.cost, report.proof.as_deref()), (truth.cost, Some("optimal")), "{method} seed {seed}");
            assert_eq!(report.boards().last(), Some(&goal()), "{method}");
            assert_eq!(report.lower_bound, truth.cost, "{method}");
        }
    }
}

fn boards_of_published_depth_take_that_many_moves() {
    // The first three of the hundred boards of Korf (1985), whose goal has the blank first.
    let published = [
        ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 57),
        ("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", 55),
        ("14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", 59),
    ];
    for (start, moves) in published {
        let problem = Problem::new(start.parse().unwrap(), Board::blank_first_goal(4), MoveSet::Classic).unwrap();
        let report = run(&problem, Method::IDA_STAR, &mut patterns(&problem));
        assert_eq!((report.cost, report.proof.as_deref()), (Some(moves), Some("optimal")), "{start}");
    }
}

fn estimates_never_exceed_the_truth_along_a_solution_and_dominate_distance() {
    let mut stronger = 0;
    for seed in 100..110 {
        let problem = problem(random_board(&goal(), MoveSet::Classic, seed));
        let tables = patterns(&problem);
        let manhattan = Estimator::new(&problem, HeuristicKind::Manhattan).unwrap();
        let report = run(&problem, Method::IDA_STAR, &mut tables.clone());
        let cost = report.cost.unwrap();
        for (g, board) in report.boards().enumerate() {
            let value = tables.value(board);
            assert!(value + g as u32 <= cost, "seed {seed}, after {g} moves");
            assert!(value >= manhattan.value(board));
            stronger += u32::from(value > manhattan.value(board));
        }
    }
    assert!(stronger > 300, "{stronger}");
}

fn one_set_of_tables_serves_every_goal_with_the_blank_in_a_corner() {
    for (blank, seed) in [(0, 1), (3, 2), (12, 3), (15, 4)] {
        // Any tiles in any order, with the blank in this corner.
        let mut tiles: Vec<usize> =
            random_board(&goal(), MoveSet::Diagonal, seed).tiles().iter().map(|&t| t.into()).collect();
        let at = tiles.iter().position(|&tile| tile == 0).unwrap();
        tiles.swap(at, blank);
        let goal = Board::new(&tiles).unwrap();
        let start = scramble(&goal, MoveSet::Classic, 30, seed);
        let problem = Problem::new(start, goal, MoveSet::Classic).unwrap();
        assert!(shared().0.serves(&goal));
        let report = run(&problem, Method::IDA_STAR, &mut patterns(&problem));
        assert_eq!(report.cost, by_conflict(&problem, Method::IDA_STAR).cost);
    }
    let edge: Board = "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15".parse().unwrap();
    let problem = Problem::new(edge, edge, MoveSet::Classic).unwrap();
    assert!(!shared().0.serves(&edge) && Estimator::with_patterns(&problem, shared().0.clone()).is_err());
}

fn a_good_file_is_loaded_and_gives_the_same_estimates() {
    let (folder, _) = Folder::with_tables("load");
    let unasked = &mut |_| panic!("a good file needs no build");
    let (loaded, origin) = PatternDatabase::load_or_build(&goal(), &folder.0, unasked).unwrap();
    assert_eq!(origin, Origin::Loaded);
    let loaded = Arc::new(loaded);
    for seed in 0..50 {
        let problem = problem(random_board(&goal(), MoveSet::Classic, seed));
        let again = Estimator::with_patterns(&problem, loaded.clone()).unwrap();
        assert_eq!(again.value(problem.start()), patterns(&problem).value(problem.start()));
    }
}

/// Tries to load; the build that follows a refusal is broken off to save time.
fn refused(folder: &Folder) -> bool {
    let mut asked = false;
    let result = PatternDatabase::load_or_build(&goal(), &folder.0, &mut |_| {
        asked = true;
        ControlFlow::Break(())
    });
    match result {
        Ok((_, Origin::Loaded)) => false,
        Err(PatternError::Interrupted) => {
            assert!(asked);
            true
        }
        other => panic!("{other:?}"),
    }
}

fn damaged_truncated_and_foreign_files_are_refused() {
    let (folder, file) = Folder::with_tables("damage");
    let good = shared().1.clone();
    let flip = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let longer = [&good[..], &[0]].concat();
    let cases = [
        ("magic", flip(0)),
        ("version", flip(8)),
        ("layout", flip(14)),
        ("a cost", flip(good.len() / 2)),
        ("the checksum", flip(good.len() - 1)),
        ("half", good[..good.len() / 2].to_vec()),
        ("one byte short", good[..good.len() - 1].to_vec()),
        ("one byte long", longer),
        ("empty", Vec::new()),
    ];
    assert!(!refused(&folder));
    for (what, bytes) in cases {
        fs::write(&file, bytes).unwrap();
        assert!(refused(&folder), "{what}");
    }
}

fn a_damaged_file_is_rebuilt_and_then_loads() {
    let (folder, file) = Folder::with_tables("rebuild");
    let mut bytes = shared().1.clone();
    bytes[1_000_000] ^= 1;
    fs::write(&file, bytes).unwrap();
    let (_, origin) = PatternDatabase::load_or_build(&goal(), &folder.0, &mut go_on).unwrap();
    let Origin::Built { refused: Some(why), not_saved: None } = origin else { panic!("{origin:?}") };
    assert!(why.contains("checksum"), "{why}");
    assert_eq!(fs::read(&file).unwrap(), shared().1);
}

#[test]
fn an_interrupted_build_leaves_nothing_behind() {
    let folder = Folder::new("interrupt");
    let mut calls = 0;
    let result = PatternDatabase::load_or_build(&goal(), &folder.0, &mut |_| {
        calls += 1;
        if calls == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(result, Err(PatternError::Interrupted)) && calls == 5);
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}

fn an_unfinished_file_of_a_killed_process_is_not_taken_for_tables() {
    let folder = Folder::new("killed");
    fs::create_dir_all(&folder.0).unwrap();
    let name = PatternDatabase::file_name(&goal()).unwrap();
    fs::write(folder.0.join(format!("{name}.12345.tmp")), &shared().1[..1_000]).unwrap();
    assert!(refused(&folder));
}

fn limits_and_cancel_end_the_search() {
    // One of the hardest boards there are: 80 moves.
    let start: Board = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0".parse().unwrap();
    let problem = Problem::new(start, Board::blank_first_goal(4), MoveSet::Classic).unwrap();
    let end = |limits: Limits, cancel: Cancel| {
        let budget = Budget::new(limits, cancel);
        let report =
            solve(&problem, Method::IDA_STAR, TieBreak::default(), &mut patterns(&problem), &budget, &mut Silent);
        assert!(report.lower_bound.is_some_and(|bound| (50..=80).contains(&bound)) && report.cost.is_none());
        (report.outcome, report.stopped_by)
    };
    let nodes = Limits { nodes: Some(1_000), ..Limits::default() };
    assert_eq!(end(nodes, Cancel::new()), ("stopped", Some("nodes")));
    let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(end(time, Cancel::new()), ("stopped", Some("time")));
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(end(Limits::default(), cancel), ("cancelled", None));
}

#[test]
fn goals_with_the_blank_on_an_edge_or_inside_agree_with_linear_conflict() {
    for blank in [11, 9] {
        let mut tiles: Vec<usize> = (1..16).rev().collect();
        tiles.insert(blank, 0);
        let goal = Board::new(&tiles).unwrap();
        let database = Arc::new(PatternDatabase::build(&goal, &mut go_on).unwrap());
        for seed in 0..20 {
            let start = scramble(&goal, MoveSet::Classic, 30 + seed as usize, seed);
            let problem = Problem::new(start, goal, MoveSet::Classic).unwrap();
            let mut tables = Estimator::with_patterns(&problem, database.clone()).unwrap();
            let truth = by_conflict(&problem, Method::A_STAR).cost;
            assert_eq!(run(&problem, Method::IDA_STAR, &mut tables).cost, truth, "blank {blank}, seed {seed}");
            assert_eq!(run(&problem, Method::A_STAR, &mut tables).cost, truth, "blank {blank}, seed {seed}");
        }
    }
}
