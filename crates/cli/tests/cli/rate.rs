//! `lurd rate`.

use super::{EASY, Folder, LEVELS, WIDE, objects, ran};
use predicates::str::contains;

#[test]
fn figures_and_reasons_are_printed() {
    ran("rate -", EASY)
        .success()
        .stdout(contains("1  grade 1 of 10"))
        .stdout(contains("1 pushes (proved), 1 moves (proved)"))
        .stdout(contains("1 box line, 1 box change, 1 pushing session, 1 player line"))
        .stdout(contains("because: "));
}

#[test]
fn json_has_every_figure() {
    let run = ran("rate - --json --level 2", LEVELS).success();
    let object = &objects(&run)[0];
    assert_eq!((object["level"].as_u64(), object["title"].as_str()), (Some(2), Some("Twice")));
    assert_eq!(object["pushes"]["best"], 2);
    assert_eq!(object["grade"]["number"], 1);
    for key in
        ["box_lines", "pushing_sessions", "switches_between_halves", "choice", "traps", "dead_share", "breadth_first"]
    {
        assert!(!object[key].is_null(), "{key}");
    }
}

#[test]
fn levels_without_a_rating_say_why() {
    ran("rate -", LEVELS).code(3).stderr(contains("level 3: it is proved that the level has no solution"));
    ran("rate - --time-limit 0", WIDE).code(1).stderr(contains("within the limit on time"));
    Folder::new().lurd("rate missing.xsb").code(2).stderr(contains("there is no such file"));
}

/// Harder levels of the tour have higher grades.
#[test]
fn grades_rise_with_the_levels_inside_the_program() {
    let run = Folder::new().lurd("rate --json --level 1,12,48").success();
    let fine: Vec<f64> = objects(&run).iter().map(|object| object["grade"]["fine"].as_f64().unwrap()).collect();
    assert!(fine.is_sorted(), "{fine:?}");
}
