//! `lurd solve`.

use super::{EASY, Folder, LEVELS, WIDE, lurd, objects};
use predicates::str::{contains, is_match};

#[test]
fn json_has_exactly_the_fields_of_the_contract_in_its_order() {
    let output = lurd().args(["solve", "-", "--json", "--goal", "pushes"]).write_stdin(EASY).assert().code(0);
    let line = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let expected = [
        "level",
        "title",
        "outcome",
        "stopped_by",
        "solution",
        "moves",
        "pushes",
        "proof",
        "lower_bound",
        "algorithm",
        "formulation",
        "heuristic",
        "deadlocks",
        "expanded",
        "generated",
        "duplicates",
        "pruned",
        "seconds",
        "peak_bytes",
    ];
    let mut rest = line.as_str();
    for field in expected {
        let at =
            rest.find(&format!("\"{field}\":")).unwrap_or_else(|| panic!("{field} is missing or out of order: {line}"));
        rest = &rest[at..];
    }
    let object = &objects(line.as_bytes())[0];
    assert_eq!(object.as_object().unwrap().len(), expected.len());
    assert_eq!(object["outcome"], "solved");
    assert_eq!(object["solution"], "R");
    assert_eq!(object["proof"], "optimal-pushes");
    assert!(object["pruned"].is_object() && object["deadlocks"].is_array() && object["stopped_by"].is_null());
}

#[test]
fn results_come_in_order_with_an_exit_code_for_the_worst() {
    let output = lurd().args(["solve", "-", "--json", "--threads", "3"]).write_stdin(LEVELS).assert().code(3);
    let objects = objects(&output.get_output().stdout);
    let outcomes: Vec<_> =
        objects.iter().map(|object| (object["level"].as_u64().unwrap(), object["outcome"].as_str().unwrap())).collect();
    assert_eq!(outcomes, [(1, "solved"), (2, "solved"), (3, "unsolvable")]);
}

#[test]
fn levels_are_chosen_by_number() {
    let output = lurd().args(["solve", "-", "--json", "--level", "2,1"]).write_stdin(LEVELS).assert().code(0);
    let numbers: Vec<_> =
        objects(&output.get_output().stdout).iter().map(|object| object["level"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [2, 1]);
    lurd()
        .args(["solve", "-", "--level", "9"])
        .write_stdin(LEVELS)
        .assert()
        .code(2)
        .stderr(contains("there is no level 9"));
    lurd().args(["solve", "-", "--level", "0"]).write_stdin(LEVELS).assert().code(2);
}

#[test]
fn people_get_a_line_the_moves_and_a_summary() {
    lurd()
        .args(["solve", "-", "--level", "1-2", "--goal", "moves"])
        .write_stdin(LEVELS)
        .assert()
        .code(0)
        .stdout(is_match(r"^1  Easy   solved +1 push +1 move +optimal-moves +\d+\.\d+ s\n   R\n").unwrap())
        .stdout(contains("2 of 2 levels solved; 3 pushes, 3 moves"));
}

#[test]
fn limits_stop_with_code_1_and_say_which() {
    for (limit, value, name) in
        [("--node-limit", "2000", "nodes"), ("--time-limit", "0.05", "time"), ("--memory-limit", "300KiB", "memory")]
    {
        let output = lurd()
            .args([
                "solve",
                "-",
                "--json",
                "--algorithm",
                "breadth-first",
                "--formulation",
                "move",
                "--deadlocks",
                "none",
            ])
            .args([limit, value])
            .write_stdin(WIDE)
            .assert()
            .code(1);
        let object = &objects(&output.get_output().stdout)[0];
        assert_eq!((object["outcome"].as_str(), object["stopped_by"].as_str()), (Some("stopped"), Some(name)));
        assert!(object["solution"].is_null());
    }
}

#[test]
fn steps_show_every_board_with_its_figures() {
    lurd()
        .args(["solve", "-", "--level", "2", "--steps", "--goal", "pushes"])
        .write_stdin(LEVELS)
        .assert()
        .code(0)
        .stdout(contains("step 0  start  g 0  h 2  f 2\n######\n#@$ .#\n"))
        .stdout(contains("step 2  R  g 2  h 0  f 2\n######\n#  @*#\n"));
}

#[test]
fn solutions_are_written_with_their_levels_and_can_be_checked() {
    let folder = Folder::new();
    let (levels, solved) = (folder.file("levels.xsb", LEVELS), folder.path().join("solved.sok"));
    lurd().arg("solve").arg(&levels).args(["--level", "1-2", "-o"]).arg(&solved).assert().code(0);
    lurd().arg("check").arg(&solved).assert().code(0).stdout(contains("2 of 2 right"));
    lurd().arg("check").arg(&levels).arg(&solved).args(["--level", "1-2"]).assert().code(0);
}

#[test]
fn every_named_choice_is_in_the_help_with_its_promise() {
    lurd()
        .args(["solve", "--help"])
        .assert()
        .code(0)
        .stdout(contains("greedy-matching"))
        .stdout(contains("inadmissible"))
        .stdout(contains("memory-bounded-a-star"))
        .stdout(contains("player-classic"))
        .stdout(contains("corral"));
}

#[test]
fn choices_that_do_not_exist_or_go_together_are_wrong_usage() {
    for wrong in [
        &["solve", "--algorithm", "magic"][..],
        &["solve", "--heuristic", "matching+magic"],
        &["solve", "--deadlocks", "corner,magic"],
        &["solve", "--time-limit", "soon"],
        &["solve", "--memory-limit", "lots"],
        &["solve", "--json", "--steps"],
        &["solve", "--threads", "0"],
        &["solve", "--nonsense"],
        &["nonsense"],
        &[],
    ] {
        let output = lurd().args(wrong).assert().code(2);
        assert!(!output.get_output().stderr.is_empty(), "{wrong:?}");
    }
    // The engine itself refuses this one: the player's share is meaningless where pushes are counted.
    lurd()
        .args(["solve", "--formulation", "push", "--heuristic", "matching+player-bfs"])
        .assert()
        .code(2)
        .stderr(is_match("^lurd: level 1: .*\n$").unwrap());
}

#[test]
fn without_a_file_the_levels_inside_are_solved_as_their_figures_say() {
    let listed = lurd().arg("levels").assert().code(0);
    let output =
        lurd().args(["solve", "--json", "--goal", "pushes", "--time-limit", "60", "--level", "1-2"]).assert().code(0);
    let listing = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    for object in objects(&output.get_output().stdout) {
        let number = object["level"].to_string();
        let row = listing.lines().find(|line| line.trim_start().starts_with(&format!("{number} "))).unwrap();
        let figures: Vec<&str> = row.split_whitespace().rev().take(2).collect();
        assert_eq!(figures[1], object["pushes"].to_string(), "{row}");
    }
}
