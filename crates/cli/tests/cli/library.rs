//! `lurd library`, and what other commands put into the library.

use super::{EASY, Folder, LEVELS, lurd, objects, text};
use predicates::str::contains;
use serde_json::Value;

/// `LEVELS` mirrored and turned.
const MIRRORED: &str =
    "; Easy\n#####\n#.$@#\n#####\n\n; Twice\n######\n#. $@#\n######\n\n; Dead\n#####\n# $@#\n# . #\n#####\n";
const TURNED: &str = "; Easy\n###\n#@#\n#$#\n#.#\n###\n\n; Twice\n###\n#@#\n#$#\n# #\n#.#\n###\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    folder.file("mirrored.xsb", MIRRORED);
    folder.file("turned.xsb", TURNED);
    folder
}

fn stats(folder: &Folder) -> Value {
    objects(&folder.lurd("library stats --library own.db --json").success()).remove(0)
}

#[test]
fn mirrored_and_turned_copies_are_the_same_levels_with_the_same_solutions() {
    let folder = folder();
    let added = folder.lurd("library add --library own.db levels.xsb levels.xsb mirrored.xsb turned.xsb").success();
    assert_eq!(
        text(&added),
        "levels: 3 levels, 3 new\nlevels (2): 3 levels, 0 new\nmirrored: 3 levels, 0 new\nturned: 2 levels, 0 new\n"
    );
    assert_eq!((&stats(&folder)["levels"], &stats(&folder)["entries"]), (&3.into(), &11.into()));
    folder.lurd("solve levels.xsb --goal pushes --library own.db").code(3);
    assert_eq!(stats(&folder)["optimal_pushes"], 2);
    assert_eq!(stats(&folder)["unsolvable"], 1);
    for (collection, solution) in [("levels", "RR"), ("mirrored", "LL"), ("turned", "DD")] {
        let best =
            objects(&folder.lurd(&format!("library best {collection} --library own.db --level 2 --json")).success());
        assert_eq!(best[0]["solutions"][0]["solution"], solution);
        assert_eq!(best[0]["proof_pushes"], "optimal-pushes");
        folder.lurd(&format!("library export {collection} {collection}.sok --library own.db")).success();
    }
    folder.lurd("check turned.xsb turned.sok").success();
    folder.lurd("library verify --library own.db").success().stdout(contains("all right"));
    folder.lurd("library remove mirrored --library own.db").success();
    folder.lurd("library list --library own.db").success().stdout(contains("levels (2)"));
    folder.lurd("library list turned --library own.db").success().stdout(contains("Twice"));
}

#[test]
fn levels_are_found_by_title_boxes_and_solutions() {
    let folder = folder();
    folder.lurd("library add --library own.db levels.xsb").success();
    folder.lurd("library find twice --library own.db").success().stdout(contains("levels 2 Twice"));
    folder.lurd("library find --boxes 2-9 --library own.db").success().stdout(contains("0 levels found"));
    folder
        .lurd("library find --unsolved --most 1 --boards --library own.db")
        .success()
        .stdout(contains("3 levels found, 1 shown"));
    let hits = objects(&folder.lurd("library find --squares 3 --json --library own.db").success());
    assert_eq!(hits.len(), 1);
    let key = hits[0]["key"].as_str().unwrap();
    folder.lurd(&format!("library best {key} --library own.db")).code(1).stdout(contains("no solution yet"));
    folder.lurd("library find --boxes 5-3 --library own.db").code(2).stderr(contains("ends before it begins"));
}

#[test]
fn what_commands_find_goes_in_unless_told_otherwise() {
    let folder = folder();
    folder.file("clumsy.txt", "lrR");
    folder.file("easy.xsb", "######\n# @$.#\n######\n");
    let own = folder.path().join("data");
    // Without any flag it is the library in the data folder.
    let lurd_at_home =
        |line: &str| lurd().current_dir(folder.path()).env("LURD_DATA", &own).args(line.split_whitespace()).assert();
    lurd_at_home("solve levels.xsb --no-library").code(3);
    lurd_at_home("improve easy.xsb clumsy.txt --node-limit 1000 --no-library").success();
    assert!(!own.exists());
    lurd_at_home("library stats").code(2).stderr(contains("there is no library here yet"));
    lurd_at_home("solve easy.xsb").success();
    assert!(own.join("library.db").exists());
    folder.lurd("improve easy.xsb clumsy.txt --node-limit 1000 --library own.db").success();
    let best = objects(&folder.lurd("library best easy.xsb --library own.db --json").success());
    assert_eq!(
        (&best[0]["solutions"][0]["solution"], &best[0]["solutions"][0]["origin"]["method"]),
        (&"R".into(), &"improve".into())
    );
}

#[test]
fn a_search_may_begin_from_what_is_known() {
    let folder = folder();
    folder.file("room.xsb", "########\n#      #\n# @$ . #\n#      #\n########\n\nSolution\nudRR\n");
    folder.lurd("library add room.xsb --library own.db").success().stdout(contains("1 solution better"));
    folder.file("turned.xsb", "#####\n#   #\n# @ #\n# $ #\n#   #\n# . #\n#   #\n#####\n");
    let known = objects(&folder.lurd("solve turned.xsb --known --library own.db --json").success());
    assert_eq!((&known[0]["solution"], &known[0]["expanded"]), (&"lrDD".into(), &0.into()));
    let proved = objects(&folder.lurd("solve turned.xsb --known --goal moves --library own.db --json").success());
    assert_eq!((&proved[0]["solution"], &proved[0]["proof"]), (&"DD".into(), &"optimal-moves".into()));
    folder.lurd("solve levels.xsb --known --no-library").code(2);
}

#[test]
fn a_library_that_cannot_be_used_is_a_sentence_and_nothing_is_lost() {
    let folder = folder();
    folder.file("damaged.db", "this is no database ".repeat(100));
    folder.lurd("library stats --library damaged.db").code(2).stderr(contains("the library is damaged"));
    folder.lurd("library add levels.xsb --library damaged.db").code(2).stderr(contains("the library is damaged"));
    folder.lurd("library add levels.xsb --library new/own.db").success();
    folder.lurd("library add levels.xsb --library levels.xsb/own.db").code(2).stderr(contains("cannot be opened"));
    folder.lurd("library add levels.xsb --library .").code(2).stderr(contains("it is a folder"));
    folder.lurd("library add missing.xsb --library own.db").code(2).stderr(contains("there is no such file"));
    folder
        .lurd("library add levels.xsb mirrored.xsb --name x --library own.db")
        .code(2)
        .stderr(contains("--name is for one file"));
    folder.lurd("library list nothing --library own.db").code(2).stderr(contains("there is no collection `nothing`"));
    // A search does not depend on it.
    let solved = folder.lurd("solve levels.xsb --library damaged.db").code(3);
    assert!(text(&solved).contains("2 of 3 levels solved"));
    solved.stderr(contains("the library is damaged"));
}

#[test]
fn broken_levels_of_a_file_are_told_and_the_others_added() {
    let folder = Folder::new();
    folder.file("half.xsb", format!("{EASY}\n####\n#@$#\n####\n"));
    folder
        .lurd("library add half.xsb --library own.db")
        .code(2)
        .stdout(contains("half: 1 level, 1 new"))
        .stderr(contains("goals"));
}
