//! `lurd compare`, `completions` and `man`.

use super::{EASY, Folder, LEVELS, objects, ran, text};
use predicates::str::contains;

#[test]
fn detectors_are_compared_off_alone_and_together() {
    let output = ran("compare - --level 2 --preset detectors --json", LEVELS).code(0);
    let rows = objects(&output);
    assert_eq!(rows.first().unwrap()["deadlocks"], serde_json::json!([]));
    assert!(rows.len() > 3 && rows.iter().all(|row| row["comparison"] == "detectors"));
    let expanded = |row: &serde_json::Value| row["expanded"].as_u64().unwrap();
    assert!(expanded(rows.last().unwrap()) <= expanded(&rows[0]));
}

#[test]
fn both_ways_to_the_players_share_expand_the_same_nodes() {
    let level = "#######\n#     #\n# $@$ #\n#.   .#\n#######\n";
    let output = ran("compare - --preset player-term --json", level).code(0);
    let rows = objects(&output);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["expanded"], rows[1]["expanded"]);
    assert_eq!(rows[0]["moves"], rows[1]["moves"]);
    assert!(rows[0]["heuristic_bytes"].as_u64().unwrap() < rows[1]["heuristic_bytes"].as_u64().unwrap());
}

#[test]
fn all_presets_run_by_default() {
    ran("compare - --time-limit 2", EASY)
        .code(0)
        .stdout(contains("algorithms, level 1"))
        .stdout(contains("heuristics, level 1"))
        .stdout(contains("detectors, level 1"))
        .stdout(contains("player-term, level 1"));
}

#[test]
fn lists_are_combined_and_written_as_csv() {
    let folder = Folder::new();
    folder.file("easy", EASY);
    let lists = "--algorithms a-star,greedy --heuristics zero,matching --deadlocks none;corner,freeze;all";
    folder.lurd(&format!("compare easy {lists} --csv rows.csv")).code(0).stdout(contains("listed, level 1"));
    let text = std::fs::read_to_string(folder.path().join("rows.csv")).unwrap();
    assert_eq!(text.lines().count(), 1 + 2 * 2 * 3);
    assert!(text.contains("\"corner,freeze\""));
    ran(&format!("compare - {lists} --csv -"), EASY).code(0).stdout(contains("comparison,level,title"));
}

#[test]
fn shells_and_the_manual_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        ran(&format!("completions {shell}"), "").code(0).stdout(contains("compare"));
    }
    let page = ran("man", "").code(0);
    let page = text(&page);
    for text in [
        ".TH lurd",
        ".SH LURD SOLVE",
        ".SH LURD CONVERT",
        ".SH LEVELS AND EXIT CODES",
        "lurd solve",
        "memory\\-limit",
        "Exit codes",
    ] {
        assert!(page.contains(text), "{text}");
    }
}
