//! `lurd tiles`.

use super::{Folder, lurd, objects, ran, text};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_match};
use serde_json::Value;

/// One of the two 3x3 boards that are farthest from the usual goal.
const FARTHEST: &str = "8 6 7 2 5 4 3 0 1";

fn solve(arguments: &[&str], code: i32) -> Vec<Value> {
    let output = lurd().args(["tiles", "solve", "--json"]).args(arguments).assert().code(code);
    objects(&output)
}

#[test]
fn without_an_algorithm_uniform_cost_and_a_star_run_on_the_same_start() {
    let reports = solve(&[FARTHEST], 0);
    let names: Vec<_> = reports.iter().map(|report| report["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["uniform-cost", "a-star"]);
    for report in &reports {
        assert_eq!(report["outcome"], "solved");
        assert_eq!((&report["cost"], &report["depth"]), (&31.into(), &31.into()));
        assert_eq!(report["proof"], "optimal");
        assert_eq!(report["steps"].as_array().unwrap().len(), 31);
        assert_eq!(report["steps"][30]["board"], report["goal"]);
        assert!(report["seconds"].is_number());
    }
    let expanded = |report: &Value| report["expanded"].as_u64().unwrap();
    assert!(expanded(&reports[0]) > 10 * expanded(&reports[1]), "the heuristic is worth something");
}

#[test]
fn people_see_the_boards_side_by_side_and_one_table() {
    lurd()
        .args(["tiles", "solve", "1 2 3 4 5 6 0 7 8"])
        .assert()
        .code(0)
        .stdout(contains("start   goal\n1 2 3   1 2 3\n4 5 6   4 5 6\n_ 7 8   7 8 _\n"))
        .stdout(is_match(r"(?m)^uniform-cost +- +solved +2 +2 +optimal +\d+ +\d+ ").unwrap())
        .stdout(is_match(r"(?m)^a-star +linear-conflict +solved +2 +2 +optimal +2 ").unwrap())
        .stdout(contains("0       1       2\nstart   right   right\n1 2 3   1 2 3   1 2 3\n"))
        .stdout(contains("a-star: the same 2 moves as uniform-cost"));
}

#[test]
fn every_algorithm_solves_an_easy_board() {
    let help = ran("tiles solve --help", "").code(0);
    let help = text(&help);
    let algorithms = "breadth-first uniform-cost depth-first depth-limited iterative-deepening greedy a-star \
                      weighted-a-star ida-star memory-bounded-a-star bidirectional";
    for algorithm in algorithms.split(' ') {
        assert!(help.contains(&format!("- {algorithm}:")), "{algorithm} is not in the help");
        let report = &solve(&["123450786", "--algorithm", algorithm], 0)[0];
        assert_eq!((&report["algorithm"], &report["outcome"]), (&algorithm.into(), &"solved".into()));
    }
    for heuristic in ["misplaced", "manhattan", "chebyshev", "chebyshev-parity", "linear-conflict", "pattern-database"]
    {
        assert!(help.contains(&format!("- {heuristic}:")), "{heuristic} is not in the help");
    }
    assert!(help.contains("inadmissible with --diagonal"));
}

#[test]
fn manhattan_is_labelled_inadmissible_under_diagonal_moves() {
    let report =
        &solve(&["1 2 3 4 0 6 7 8 5", "--diagonal", "--algorithm", "a-star", "--heuristic", "manhattan"], 0)[0];
    assert_eq!(report["cost"], 1);
    assert_eq!(report["proof"], "none");
    assert!(report["promise"].as_str().unwrap().contains("inadmissible"));
}

#[test]
fn any_goal_and_any_size_will_do() {
    let report = &solve(&["1 2 3 8 0 4 7 6 5", "--goal", "1 2 3 8 6 4 7 0 5", "--algorithm", "a-star"], 0)[0];
    assert_eq!(report["cost"], 1);
    let five = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 0 24";
    assert_eq!(solve(&[five, "--algorithm", "a-star"], 0)[0]["cost"], 1);
    assert_eq!(solve(&["0 1 2 3", "--goal", "blank-first"], 0)[0]["cost"], 0);
    let random = |seed| solve(&[seed, "--size", "2", "--algorithm", "a-star"], 0)[0]["start"].clone();
    assert_eq!(random("random:5"), random("random:5"));
}

#[test]
fn a_board_comes_from_standard_input_too() {
    ran("tiles solve - --no-path", "1 2 3\n4 5 6\n7 _ 8\n")
        .code(0)
        .stdout(contains("a-star").and(contains("step").not()));
}

#[test]
fn steps_show_every_board_with_its_figures() {
    ran("tiles solve 123456708 --steps --algorithm a-star", "")
        .code(0)
        .stdout(contains("step 0  start  g 0  h 1  f 1\n1 2 3\n4 5 6\n7 _ 8\n"))
        .stdout(contains("step 1  blank right, tile 8  g 1  h 0  f 1\n1 2 3\n4 5 6\n7 8 _\n"));
}

#[test]
fn the_wrong_half_of_the_boards_is_told_so_at_once_with_the_reason() {
    // Exhausting half of all 4x4 boards is out of the question: this answers without a search.
    let swapped = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0";
    let record = &solve(&[swapped], 3)[0];
    assert_eq!(record["outcome"], "unsolvable");
    assert!(record["reason"].as_str().unwrap().contains("odd number of swaps"));
    lurd()
        .args(["tiles", "solve", swapped])
        .assert()
        .code(3)
        .stdout(contains("unsolvable: turning the start into the goal").and(contains("--diagonal")));
    assert_eq!(solve(&["123456870", "--diagonal"], 0)[1]["outcome"], "solved");
}

#[test]
fn wrong_boards_and_choices_get_a_sentence_and_code_2() {
    for (arguments, sentence) in [
        (&["1 2 3"][..], "found 3 numbers"),
        (&["1 2 3 4 5 6 7 8 8"], "8 occurs twice"),
        (&["1 2 3 4 5 6 7 8 9"], "out of range"),
        (&["1 2 3 4 5 6 7 8 x"], "not a number"),
        (&["\u{1b}]31m"], "`?`"),
        (&["random:x"], "no seed"),
        (&["random", "--size", "7"], "2x2 to 5x5"),
        (&["123456780", "--size", "4"], "leave --size out"),
        (&["123456780", "--goal", "1 2 3 0"], "both need the same size"),
        (&["123456780", "--goal", "1 2"], "found 2 numbers"),
        (&["123456780", "--heuristic", "pattern-database"], "4x4 boards with classic moves only"),
        (&["123456780", "--heuristic", "magic"], "linear-conflict"),
        (&["123456780", "--algorithm", "magic"], "ida-star"),
        (&["123456780", "--weight", "0.5"], "must lie between 1 and 1000"),
        (&["123456780", "--json", "--steps"], "cannot be used with"),
        (&[], "required"),
    ] {
        let output = lurd().args(["tiles", "solve"]).args(arguments).assert().code(2).stderr(contains(sentence));
        assert!(output.get_output().stdout.is_empty(), "{arguments:?}");
    }
    ran("tiles stats --size 4", "").code(2).stderr(contains("too many states"));
    ran("tiles bench --count 0", "").code(2);
    ran("tiles bench --goal 123456780", "").code(2).stderr(contains("4x4"));
    lurd().args(["tiles", "solve", "-"]).write_stdin(vec![0xff; 100_000]).assert().code(2);
}

#[test]
fn limits_stop_with_code_1_and_say_which() {
    for (limit, value, name) in
        [("--node-limit", "2000", "nodes"), ("--time-limit", "0.05", "time"), ("--memory-limit", "300KiB", "memory")]
    {
        let reports = solve(&["random:1", "--size", "5", "--algorithm", "uniform-cost", limit, value], 1);
        assert_eq!((reports[0]["outcome"].as_str(), reports[0]["stopped_by"].as_str()), (Some("stopped"), Some(name)));
    }
    let arguments = [FARTHEST, "--algorithm", "depth-limited", "--depth-limit", "5"];
    assert_eq!(solve(&arguments, 1)[0]["stopped_by"], "depth");
}

#[test]
fn the_whole_space_is_counted() {
    for (arguments, reachable) in [(&[][..], 181_440), (&["--diagonal"], 362_880)] {
        let output = lurd().args(["tiles", "stats", "--json"]).args(arguments).assert().code(0);
        let found = &objects(&output)[0];
        assert_eq!(found["reachable"], reachable);
        let histogram: Vec<u64> =
            found["histogram"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect();
        assert_eq!(histogram.iter().sum::<u64>(), reachable);
        assert_eq!(found["diameter"], histogram.len() - 1);
        let total: u64 = histogram.iter().zip(0..).map(|(count, distance)| count * distance).sum();
        assert!((found["mean"].as_f64().unwrap() - total as f64 / reachable as f64).abs() < 1e-9);
        let manhattan = found["heuristics"].as_array().unwrap().iter().find(|it| it["name"] == "manhattan").unwrap();
        assert_eq!(manhattan["admissible"], arguments.is_empty());
    }
    ran("tiles stats", "")
        .code(0)
        .stdout(contains("reachable  181,440 of 181,440 boards").not())
        .stdout(contains("reachable  181,440 of 362,880 boards\ndiameter   31 moves\n"))
        .stdout(is_match(r"(?m)^linear-conflict +consistent +yes +yes ").unwrap());
}

/// Loading a damaged file, building, saving and loading again, in one test: the tables take seconds to build.
#[test]
fn a_damaged_cache_is_noticed_built_anew_and_serves_the_next_run() {
    let folder = Folder::new();
    let file = folder.file("tiles-4x4-blank0.pdb", "lurd-pdb and then something else");
    let run = |arguments: &[&str]| {
        let mut command = lurd();
        command.env("LURD_CACHE", folder.path()).arg("tiles").args(arguments);
        command.assert().code(0)
    };
    let ida = ["solve", "random:1", "--size", "4", "--json", "--algorithm", "ida-star"];
    let first = run(&ida).stderr(contains("tiles-4x4-blank0.pdb").and(contains("built anew")));
    let report = &objects(&first)[0];
    assert_eq!((&report["heuristic"], &report["proof"]), (&"pattern-database".into(), &"optimal".into()));
    assert!(report["peak_bytes"].as_u64().unwrap() > 30_000_000, "the tables are part of the memory");
    assert!(std::fs::metadata(file).unwrap().len() > 10_000_000);

    let bench = run(&["bench", "--count", "3", "--json"]).stderr("");
    let figures = &objects(&bench)[0];
    assert_eq!((&figures["boards"], &figures["optimal"]), (&3.into(), &3.into()));
    assert_eq!(figures["tables_built"], false);
    run(&["bench", "--count", "1"]).stdout(contains("1 of 1 random 4x4 boards solved and proved optimal"));
}
