//! `lurd generate`.

use super::{Folder, objects, text};
use predicates::str::contains;

const SMALL: &str = "generate --boxes 2 --size 7x7 --count 3 --seed 5 --grade 1-4";

/// The same seed gives the same levels on one thread and on two; another seed gives others.
#[test]
fn a_seed_repeats_whatever_the_threads() {
    let folder = Folder::new();
    let printed = |more: &str| text(&folder.lurd(&format!("{SMALL} {more}")).success()).to_owned();
    let one = printed("--threads 1");
    assert_eq!(one, printed("--threads 2"));
    assert_ne!(one, text(&folder.lurd(&SMALL.replace("--seed 5", "--seed 6"))));
}

/// Generates levels into a file and has A* of the classic engine prove each optimum again. Returns how many there are.
fn proved_again(line: &str) -> usize {
    let folder = Folder::new();
    folder.lurd(&format!("{line} -o made.xsb")).success();
    let file = std::fs::read_to_string(folder.path().join("made.xsb")).unwrap();
    let written: Vec<u64> =
        file.lines().filter_map(|line| line.strip_prefix("Pushes: ")).map(|n| n.parse().unwrap()).collect();
    let proved = folder.lurd("solve made.xsb --json --goal pushes --algorithm a-star").success();
    let proved: Vec<u64> = objects(&proved).iter().map(|object| object["pushes"].as_u64().unwrap()).collect();
    assert_eq!(written, proved);
    for key in ["Title: ", "Grade: ", "Moves: ", "Seed: 5", "Generator: lurd "] {
        assert_eq!(file.matches(key).count(), written.len(), "{key} in\n{file}");
    }
    let maps = lurd::parse(&file).unwrap().levels.into_iter().map(|level| level.map.canonical().0);
    assert_eq!(maps.collect::<std::collections::HashSet<_>>().len(), written.len(), "no two levels are equal");
    written.len()
}

#[test]
fn levels_are_proved_again_by_another_engine_and_different() {
    assert_eq!(proved_again(SMALL), 3);
}

/// The same for many. Run by test-long.sh.
#[test]
#[ignore = "takes long"]
fn ten_thousand_levels_are_proved_again_and_different() {
    let line = "generate --boxes 1-3 --size 6x6..8x8 --count 10000 --seed 5";
    assert_eq!(proved_again(line), 10_000);
}

#[test]
fn json_tells_everything_about_a_level() {
    let run = Folder::new().lurd(&format!("{SMALL} --json")).success();
    let object = &objects(&run)[0];
    assert_eq!((object["seed"].as_u64(), object["as_wished"].as_bool()), (Some(5), Some(true)));
    assert_eq!(object["boxes"], object["boxes_pushed"], "every box has to be pushed");
    assert!(object["board"].as_array().unwrap().len() >= 3);
}

#[test]
fn impossible_wishes_are_sentences() {
    let fails = |line: &str, sentence: &str| {
        Folder::new().lurd(&format!("generate {line}")).code(2).stderr(contains(sentence));
    };
    fails("--boxes 0", "a level needs a box");
    fails("--size 3x3 --boxes 6", "6 boxes do not fit into 3x3");
    fails("--size 3x3 --boxes 9", "1 to 6 boxes");
    fails("--size 40x9", "a side of 40 squares");
    fails("--grade 11", "grades are 1 to 10");
    fails("--boxes 5-3", "ends before it begins");
    fails("--boxes many", "is no range");
    fails("--like missing.xsb", "there is no such file");
    fails("--style baroque", "rooms");
}

/// A wish that no board meets: the best found, said as such.
#[test]
fn the_best_found_is_said_as_such() {
    Folder::new()
        .lurd("generate --boxes 1 --size 6x6 --grade 10 --boards 20")
        .code(1)
        .stdout(contains("Title: "))
        .stderr(contains("is the nearest to the wish on 20 boards"));
}

#[test]
fn time_that_is_up_is_said() {
    Folder::new().lurd("generate --count 2 --time-limit 0").code(1).stderr(contains("the time was up before 2 more"));
}

/// With boards without end the time decides: what was found by then is cleaned up and proved in the rest of it.
#[test]
fn the_longest_level_takes_the_time_it_is_given() {
    let line = "generate --longest --boxes 2 --size 7x7 --boards 1000000000 --time-limit 4 --json";
    let run = Folder::new().lurd(line).success();
    let made: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert!(made["pushes"]["best"].as_u64() > Some(10), "{made}");
}

#[test]
fn variations_of_a_level_differ_from_it() {
    let folder = Folder::new();
    folder.file("one.xsb", "########\n#   .  #\n# @$   #\n#  $ . #\n#      #\n########\n");
    let run = folder.lurd("generate --like one.xsb --grade 1-9 --count 2 --seed 1 --json").success();
    let boards: Vec<_> = objects(&run).iter().map(|object| object["board"].clone()).collect();
    assert_eq!(boards.len(), 2);
    assert_ne!(boards[0], boards[1]);
    folder.lurd("generate --like one.xsb --level 7").code(2).stderr(contains("has no level 7"));
}
