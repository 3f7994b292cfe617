//! `lurd solve`.

use super::{EASY, Folder, LEVELS, WIDE, objects, ran, text};
use predicates::str::{contains, is_match};

#[test]
fn json_has_exactly_the_fields_of_the_contract_in_its_order() {
    let output = ran("solve - --json --goal pushes", EASY).code(0);
    let line = text(&output);
    let expected = "level title outcome stopped_by solution moves pushes proof lower_bound algorithm formulation \
                    heuristic deadlocks expanded generated duplicates pruned seconds peak_bytes goal_proof \
                    then_proof notes reopened peak_frontier heuristic_bytes";
    let mut rest = line;
    for field in expected.split(' ') {
        let at =
            rest.find(&format!("\"{field}\":")).unwrap_or_else(|| panic!("{field} is missing or out of order: {line}"));
        rest = &rest[at..];
    }
    let object = &objects(&output)[0];
    assert_eq!(object.as_object().unwrap().len(), expected.split(' ').count());
    assert_eq!(object["outcome"], "solved");
    assert_eq!(object["solution"], "R");
    assert_eq!(object["proof"], "optimal-pushes");
    assert!(object["pruned"].is_object() && object["deadlocks"].is_array() && object["stopped_by"].is_null());
}

#[test]
fn results_come_in_order_with_an_exit_code_for_the_worst() {
    let output = ran("solve - --json --threads 3", LEVELS).code(3);
    let objects = objects(&output);
    let outcomes: Vec<_> =
        objects.iter().map(|object| (object["level"].as_u64().unwrap(), object["outcome"].as_str().unwrap())).collect();
    assert_eq!(outcomes, [(1, "solved"), (2, "solved"), (3, "unsolvable")]);
}

#[test]
fn levels_are_chosen_by_number() {
    let output = ran("solve - --json --level 2,1", LEVELS).code(0);
    let numbers: Vec<_> = objects(&output).iter().map(|object| object["level"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [2, 1]);
    ran("solve - --level 9", LEVELS).code(2).stderr(contains("there is no level 9"));
    ran("solve - --level 0", LEVELS).code(2);
}

#[test]
fn people_get_a_line_the_moves_and_a_summary() {
    ran("solve - --level 1-2 --goal moves", LEVELS)
        .code(0)
        .stdout(is_match(r"^1  Easy   solved +1 push +1 move +optimal-moves +\d+\.\d+ m?s\n   R\n").unwrap())
        .stdout(contains("2 of 2 levels solved; 3 pushes, 3 moves"));
}

#[test]
fn limits_stop_with_code_1_and_say_which() {
    for (limit, value, name) in
        [("--node-limit", "2000", "nodes"), ("--time-limit", "0.05", "time"), ("--memory-limit", "300KiB", "memory")]
    {
        let search = "solve - --json --algorithm breadth-first --formulation move --deadlocks none";
        let output = ran(&format!("{search} {limit} {value}"), WIDE).code(1);
        let object = &objects(&output)[0];
        assert_eq!((object["outcome"].as_str(), object["stopped_by"].as_str()), (Some("stopped"), Some(name)));
        assert!(object["solution"].is_null());
    }
}

#[test]
fn steps_show_every_board_with_its_figures() {
    ran("solve - --level 2 --steps --goal pushes", LEVELS)
        .code(0)
        .stdout(contains("step 0  start  g 0  h 2  f 2\n######\n#@$ .#\n"))
        .stdout(contains("step 2  R  g 2  h 0  f 2\n######\n#  @*#\n"));
}

#[test]
fn solutions_are_written_with_their_levels_and_can_be_checked() {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    folder.lurd("solve levels.xsb --level 1-2 -o solved.sok").code(0);
    folder.lurd("check solved.sok").code(0).stdout(contains("2 of 2 right"));
    folder.lurd("check levels.xsb solved.sok --level 1-2").code(0);
}

#[test]
fn every_named_choice_is_in_the_help_with_its_promise() {
    ran("solve --help", "")
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
        "solve --algorithm magic",
        "solve --heuristic matching+magic",
        "solve --deadlocks corner,magic",
        "solve --time-limit soon",
        "solve --memory-limit lots",
        "solve --json --steps",
        "solve --threads 0",
        "solve --nonsense",
        "nonsense",
        "",
    ] {
        let output = ran(wrong, "").code(2);
        assert!(!output.get_output().stderr.is_empty(), "{wrong:?}");
    }
    // The engine itself refuses this one: the player's share is meaningless where pushes are counted.
    ran("solve --formulation push --heuristic matching+player-bfs", "")
        .code(2)
        .stderr(is_match("^lurd: level 1: .*\n$").unwrap());
}

#[test]
fn without_a_file_the_levels_inside_are_solved_as_their_figures_say() {
    let listed = ran("levels", "").code(0);
    let output = ran("solve --json --goal pushes --time-limit 60 --level 1-2", "").code(0);
    let listing = text(&listed);
    for object in objects(&output) {
        let number = object["level"].to_string();
        let row = listing.lines().find(|line| line.trim_start().starts_with(&format!("{number} "))).unwrap();
        let figures: Vec<&str> = row.split_whitespace().rev().take(2).collect();
        assert_eq!(figures[1], object["pushes"].to_string(), "{row}");
    }
}

/// The words of a line; a time is `T`, whatever it is.
fn words(line: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        match words.last_mut() {
            Some(last) if matches!(word, "s" | "ms") && last.parse::<f64>().is_ok() => *last = "T",
            _ => words.push(word),
        }
    }
    words
}

#[test]
fn the_sample_of_the_readme_is_what_the_command_prints() {
    let readme = include_str!("../../../../README.md");
    let sample = readme.split_once("```text\n").unwrap().1.split_once("```").unwrap().0;
    let output = ran("solve --threads 2", "").code(0);
    let printed: Vec<&str> = text(&output).lines().collect();
    let sample: Vec<&str> = sample.lines().collect();
    assert!(sample.len() > 4);
    for (wanted, is) in sample.iter().zip(&printed[printed.len() - sample.len()..]) {
        match wanted.trim().strip_suffix('…') {
            Some(beginning) => assert!(is.trim().starts_with(beginning), "{wanted}\n{is}"),
            None => assert_eq!(words(wanted), words(is)),
        }
    }
}
