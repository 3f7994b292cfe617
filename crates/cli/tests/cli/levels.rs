//! `lurd levels`, `convert` and `check`.

use super::{EASY, Folder, LEVELS, ran, text};
use predicates::str::{contains, is_match};

#[test]
fn levels_are_listed_and_shown() {
    ran("levels", "").code(0).stdout(contains("First Push"));
    ran("levels -", LEVELS).code(0).stdout(is_match(r"(?m)^ +2  Twice +6x3 +1$").unwrap());
    ran("levels - --show 2", LEVELS).code(0).stdout(contains("Level 2  Twice\n\n######\n#@$ .#\n"));
}

#[test]
fn a_round_trip_through_other_formats_loses_no_level() {
    let folder = Folder::new();
    folder.file("start.xsb", LEVELS);
    for pair in ["start.xsb", "a.sok", "b.slc", "c.rle", "d.xsb"].windows(2) {
        folder.lurd(&format!("convert {} {}", pair[0], pair[1])).code(0);
    }
    let boards = |name: &str| -> Vec<String> {
        let listing = folder.lurd(&format!("levels {name} --show all")).code(0);
        text(&listing).lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(boards("start.xsb"), boards("d.xsb"));
}

#[test]
fn a_file_can_be_converted_onto_itself_and_through_pipes() {
    let folder = Folder::new();
    folder.file("a.xsb", EASY);
    folder.lurd("convert a.xsb a.xsb --to rle").code(0);
    folder.lurd("convert a.xsb -").code(0).stdout(contains("#@$.#"));
    ran("convert - - --to sok", EASY).code(0).stdout(contains("#@$.#"));
}

#[test]
fn a_failed_conversion_leaves_the_old_file() {
    let folder = Folder::new();
    folder.file("broken", "no level");
    let old = folder.file("old.xsb", EASY);
    folder.lurd("convert broken old.xsb").code(2);
    assert_eq!(std::fs::read_to_string(old).unwrap(), EASY);
    folder.lurd("convert old.xsb x.unknown").code(2).stderr(contains("--to"));
}

#[test]
fn writing_over_the_source_loses_no_level() {
    let folder = Folder::new();
    let broken = folder.file("broken.xsb", format!("{EASY}\n#####\n# $.#\n#####\n"));
    let before = std::fs::read(&broken).unwrap();
    folder.lurd("convert broken.xsb broken.xsb").code(2).stderr(contains("would lose its broken levels"));
    assert_eq!(std::fs::read(&broken).unwrap(), before);
    folder.file("sound.sok", LEVELS);
    folder.lurd("solve sound.sok --level 2 -o sound.sok").code(0);
    folder.lurd("levels sound.sok").code(0).stdout(contains("Easy")).stdout(contains("Dead"));
    folder.lurd("check sound.sok --level 2").code(0);
}

#[test]
fn levels_can_be_made_rectangular() {
    ran("convert - - --rectangular", "  ####\n###@.#\n# $  #\n######\n")
        .code(0)
        .stdout(contains("######\n###@.#\n# $  #\n######\n"));
}

#[test]
fn an_open_level_is_walled_in() {
    let open = "###\n#@$.\n###\n";
    ran("convert - -", open).code(2).stderr(contains("walk off the board"));
    ran("convert - - --rectangular", open).code(0).stdout(contains("##@$.#\n"));
}

#[test]
fn right_and_wrong_solutions_are_told_apart() {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    let check = |solutions: &str| {
        folder.file("solutions.txt", solutions);
        folder.lurd("check levels.xsb solutions.txt --level 1-2")
    };
    check("R\nRR\n").code(0).stdout(contains("2 of 2 right"));
    check("R\n2R\n").code(0);
    check("r\nRR\n").code(0).stdout(contains("wrong letter case"));
    check("R\nR\n").code(1).stdout(contains("not solved, 1 box not on goals"));
    check("R\nRRR\n").code(1).stdout(contains("move 3, `R`, pushes a box into a wall"));
    check("R\n").code(1).stdout(contains("no solution given"));
    check("R\nRx\n").code(1).stdout(contains("is no move"));
    check("{\"level\":1,\"solution\":\"R\"}\n{\"level\":2,\"solution\":\"RR\"}\n").code(0);
    check("{\"level\":7,\"solution\":\"R\"}\n").code(2);
    check("{nonsense\n").code(2);
}

#[test]
fn what_solve_prints_as_json_can_be_checked() {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    let json = folder.lurd("solve levels.xsb --json --level 1-2").code(0);
    folder.file("solutions.json", text(&json));
    folder.lurd("check levels.xsb solutions.json --level 1-2").code(0);
    folder.lurd("check levels.xsb solutions.json").code(1);
}
