//! `sokoban`, the course tool.

use super::{EASY, Folder, WIDE, sokoban};
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::{contains, starts_with};

/// Solves a map that is in a folder.
fn solve(folder: &Folder, words: &str) -> Assert {
    sokoban().current_dir(folder.path()).arg("-s").args(words.split_whitespace()).assert()
}

#[test]
fn the_solution_file_has_the_form_of_the_course() {
    let folder = Folder::new();
    // Leading empty lines and trailing blanks are common in the course's maps.
    folder.file("map", "\n\n#####   \n#@$.#  \n#   #\n#####\n\n");
    solve(&folder, "map").code(0);
    let text = std::fs::read_to_string(folder.path().join("solution.txt")).unwrap();
    let form = r"^SOLUTION:\nR\nSTATS:\nExpanded nodes: \d+\nGenerated nodes: \d+\nDuplicated nodes: \d+\nSolution Length: 1\nExpanded/seconds: \d+\nTime \(seconds\): \d+\.\d{6}\n$";
    assert!(predicate::str::is_match(form).unwrap().eval(&text), "{text}");
}

#[test]
fn the_solution_is_the_shortest_in_moves() {
    let folder = Folder::new();
    // The fewest pushes are two either way; the shortest walk decides.
    let map = folder.file("map", "#######\n#     #\n# $@$ #\n#.   .#\n#######\n");
    solve(&folder, "map").code(0).stdout(contains("Solution Length: "));
    let text = std::fs::read_to_string(folder.path().join("solution.txt")).unwrap();
    let moves = text.lines().nth(1).unwrap().to_owned();
    let level = std::fs::read_to_string(map).unwrap();
    assert!(lurd_referee::judge(&level, &moves).unwrap().solved);
    assert!(text.contains(&format!("Solution Length: {}\n", moves.len())));
}

#[test]
fn without_a_terminal_the_solution_plays_as_text() {
    let folder = Folder::new();
    folder.file("map", EASY);
    solve(&folder, "map play_solution")
        .code(0)
        .stdout(starts_with("SOLUTION:\nR\n"))
        .stdout(contains("#####\n#@$.#\n#####\n\nmove 1 of 1 (R)\n#####\n# @*#\n#####\n"));
}

#[test]
fn without_a_terminal_it_is_played_line_by_line() {
    let folder = Folder::new();
    sokoban()
        .env("LURD_DATA", folder.path())
        .arg(folder.file("map", EASY))
        .write_stdin("r\nq\n")
        .assert()
        .code(0)
        .stdout(contains("1 move, 1 push, 1 of 1 boxes home"));
}

#[test]
fn limits_and_proofs_have_their_codes_and_leave_no_file() {
    let folder = Folder::new();
    folder.file("wide", WIDE);
    let stopped = solve(&folder, "wide --time-limit 0.2").code(1);
    stopped.stdout(contains("Stopped by the time limit; --time-limit can raise it."));
    folder.file("dead", "#####\n#@$ #\n# . #\n#####\n");
    solve(&folder, "dead").code(3).stdout(contains("There is no solution"));
    assert!(!folder.path().join("solution.txt").exists());
}

#[test]
fn an_earlier_solution_is_not_taken_for_this_one() {
    let folder = Folder::new();
    folder.file("map", EASY);
    solve(&folder, "map").code(0);
    folder.file("dead", "#####\n#@$ #\n# . #\n#####\n");
    solve(&folder, "dead").code(3).stdout(contains("the one of an earlier run is now solution.old.txt"));
    assert!(!folder.path().join("solution.txt").exists());
    let old = std::fs::read_to_string(folder.path().join("solution.old.txt")).unwrap();
    assert!(old.starts_with("SOLUTION:\nR\n"), "{old}");
    solve(&folder, "dead").code(3).stdout(contains("solution.txt was not written."));
}

#[test]
fn the_usage_is_that_of_the_course() {
    sokoban().arg("-h").assert().code(0).stdout(starts_with(
        "USAGE\n    sokoban <-s> map <play_solution>\n\nDESCRIPTION\n    Arguments within <> are optional\n",
    ));
    sokoban().assert().code(2);
    sokoban().args(["-s", "map", "play"]).assert().code(2).stderr(contains("play_solution"));
}
