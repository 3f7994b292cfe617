//! `lurd levels`, `convert` and `check`.

use super::{EASY, Folder, LEVELS, lurd};
use predicates::str::{contains, is_match};

#[test]
fn levels_are_listed_and_shown() {
    lurd().arg("levels").assert().code(0).stdout(contains("First Push"));
    lurd()
        .args(["levels", "-"])
        .write_stdin(LEVELS)
        .assert()
        .code(0)
        .stdout(is_match(r"(?m)^ +2  Twice +6x3 +1$").unwrap());
    lurd()
        .args(["levels", "-", "--show", "2"])
        .write_stdin(LEVELS)
        .assert()
        .code(0)
        .stdout(contains("Level 2  Twice\n\n######\n#@$ .#\n"));
}

#[test]
fn a_round_trip_through_other_formats_loses_no_level() {
    let folder = Folder::new();
    let start = folder.file("start.xsb", LEVELS);
    let listing = |path: &std::path::Path| {
        lurd().arg("levels").arg(path).args(["--show", "all"]).assert().code(0).get_output().stdout.clone()
    };
    let mut last = start.clone();
    for name in ["a.sok", "b.slc", "c.rle", "d.xsb"] {
        let next = folder.path().join(name);
        lurd().arg("convert").arg(&last).arg(&next).assert().code(0);
        last = next;
    }
    let boards = |text: Vec<u8>| -> Vec<String> {
        String::from_utf8(text).unwrap().lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(boards(listing(&start)), boards(listing(&last)));
}

#[test]
fn a_file_can_be_converted_onto_itself_and_through_pipes() {
    let folder = Folder::new();
    let file = folder.file("a.xsb", EASY);
    lurd().arg("convert").arg(&file).arg(&file).args(["--to", "rle"]).assert().code(0);
    lurd().arg("convert").arg(&file).arg("-").assert().code(0).stdout(contains("#@$.#"));
    lurd().args(["convert", "-", "-", "--to", "sok"]).write_stdin(EASY).assert().code(0).stdout(contains("#@$.#"));
}

#[test]
fn a_failed_conversion_leaves_the_old_file() {
    let folder = Folder::new();
    let (broken, old) = (folder.file("broken", "no level"), folder.file("old.xsb", EASY));
    lurd().arg("convert").arg(broken).arg(&old).assert().code(2);
    assert_eq!(std::fs::read_to_string(&old).unwrap(), EASY);
    lurd().arg("convert").arg(&old).arg(folder.path().join("x.unknown")).assert().code(2).stderr(contains("--to"));
}

#[test]
fn writing_over_the_source_loses_no_level() {
    let folder = Folder::new();
    let broken = folder.file("broken.xsb", format!("{EASY}\n#####\n# $.#\n#####\n"));
    let before = std::fs::read(&broken).unwrap();
    lurd().arg("convert").arg(&broken).arg(&broken).assert().code(2).stderr(contains("would lose its broken levels"));
    assert_eq!(std::fs::read(&broken).unwrap(), before);
    let sound = folder.file("sound.sok", LEVELS);
    lurd().arg("solve").arg(&sound).args(["--level", "2", "-o"]).arg(&sound).assert().code(0);
    lurd().arg("levels").arg(&sound).assert().code(0).stdout(contains("Easy")).stdout(contains("Dead"));
    lurd().arg("check").arg(&sound).args(["--level", "2"]).assert().code(0);
}

#[test]
fn levels_can_be_made_rectangular() {
    lurd()
        .args(["convert", "-", "-", "--rectangular"])
        .write_stdin("  ####\n###@.#\n# $  #\n######\n")
        .assert()
        .code(0)
        .stdout(contains("######\n###@.#\n# $  #\n######\n"));
}

#[test]
fn an_open_level_is_walled_in() {
    let open = "###\n#@$.\n###\n";
    lurd().args(["convert", "-", "-"]).write_stdin(open).assert().code(2).stderr(contains("walk off the board"));
    lurd().args(["convert", "-", "-", "--rectangular"]).write_stdin(open).assert().code(0).stdout(contains("##@$.#\n"));
}

#[test]
fn right_and_wrong_solutions_are_told_apart() {
    let folder = Folder::new();
    let levels = folder.file("levels.xsb", LEVELS);
    let check = |solutions: &str| {
        let file = folder.file("solutions.txt", solutions);
        lurd().arg("check").arg(&levels).arg(file).args(["--level", "1-2"]).assert()
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
    let levels = folder.file("levels.xsb", LEVELS);
    let json = lurd().args(["solve", "--json", "--level", "1-2"]).arg(&levels).assert().code(0);
    let file = folder.file("solutions.json", &json.get_output().stdout);
    lurd().arg("check").arg(&levels).arg(&file).args(["--level", "1-2"]).assert().code(0);
    lurd().arg("check").arg(&levels).arg(&file).assert().code(1);
}
