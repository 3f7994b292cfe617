//! The 4x4 tables: built once for the whole file, in a folder of their own.

use search::{Algorithm, Budget, Silent, TieBreak};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tiles::{Board, Estimator, HeuristicKind, MoveSet, Origin, PatternDatabase, PatternError, Problem};
use tiles::{random_board, scramble, solve};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tiles-test-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn goal() -> Board {
    Board::standard_goal(4)
}

fn silent() -> impl FnMut(tiles::BuildProgress) -> ControlFlow<()> {
    |_| ControlFlow::Continue(())
}

fn database() -> Arc<PatternDatabase> {
    static DATABASE: OnceLock<Arc<PatternDatabase>> = OnceLock::new();
    DATABASE.get_or_init(|| Arc::new(PatternDatabase::build(&goal(), &mut silent()).unwrap())).clone()
}

fn by_patterns(problem: &Problem, algorithm: Algorithm) -> tiles::Report {
    let mut estimator = Estimator::with_patterns(problem, database()).unwrap();
    solve(problem, algorithm, TieBreak::default(), &mut estimator, &Budget::unlimited(), &mut Silent)
}

#[test]
#[ignore = "a measurement: run it in a release build with --nocapture"]
fn measure_random_boards() {
    let started = std::time::Instant::now();
    database();
    println!("built in {:?}, {} bytes", started.elapsed(), database().bytes());
    let (mut total, mut worst, mut expanded, mut moves) = (0.0, 0.0f64, 0, 0);
    for seed in 0..100 {
        let problem = Problem::new(random_board(&goal(), MoveSet::Classic, seed), goal(), MoveSet::Classic).unwrap();
        let report = by_patterns(&problem, Algorithm::IdaStar);
        assert_eq!(report.proof.as_deref(), Some("optimal"));
        total += report.seconds;
        worst = worst.max(report.seconds);
        expanded += report.expanded;
        moves += report.cost.unwrap();
    }
    println!("100 boards: mean {} s, worst {worst} s, {} expanded each, {} moves each", total / 100.0, expanded / 100, moves / 100);
}
