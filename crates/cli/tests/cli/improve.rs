//! `lurd improve`.

use super::{EASY, Folder, LEVELS, WIDE, objects};
use predicates::str::contains;

/// A room with two boxes, and a solution that pushes the first to and fro and walks about.
pub(crate) const ROOM: &str = "########\n#      #\n#@ $  .#\n# $ .  #\n########\n";
const CLUMSY: &str = "urdRurrdLulldRRRulldlldRR";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("room.xsb", ROOM);
    folder.file("clumsy.txt", CLUMSY);
    folder
}

#[test]
fn a_clumsy_solution_becomes_the_best_one() {
    let folder = folder();
    let run =
        |goal: &str| objects(&folder.lurd(&format!("improve room.xsb clumsy.txt --json {goal}")).success()).remove(0);
    let pushes = run("");
    assert_eq!((pushes["pushes_before"].as_u64(), pushes["pushes"].as_u64()), (Some(7), Some(5)));
    assert_eq!(pushes["exhausted"], true);
    let best = folder.lurd("solve room.xsb --json --goal moves");
    let moves = run("--goal moves");
    assert_eq!(moves["moves"], objects(&best)[0]["moves"]);
}

#[test]
fn figures_before_and_after_are_printed_and_summed() {
    let folder = folder();
    let output = folder.lurd("improve room.xsb clumsy.txt").success();
    output
        .stdout(contains("7 pushes, 25 moves -> 5 pushes, "))
        .stdout(contains("1 of 1 solution better; 7 -> 5 pushes, 25 -> "));
}

/// What is written can be checked and improved again, in every form.
#[test]
fn results_are_written_as_other_programs_read_them() {
    let folder = folder();
    for file in ["out.sok", "out.lurd", "out.xsb", "out.txt", "out.rle"] {
        folder.lurd(&format!("improve room.xsb clumsy.txt -o {file}")).success();
        let check = folder.lurd(&format!("check room.xsb {file}")).success();
        check.stdout(contains("5      ")).stdout(contains("1 of 1 right"));
        let again = folder.lurd(&format!("improve room.xsb {file} --json")).success();
        assert_eq!(objects(&again)[0]["pushes_before"], 5);
    }
    let json = folder.lurd("improve out.sok --json").success();
    folder.file("out.json", &json.get_output().stdout);
    folder.lurd("check room.xsb out.json").success();
}

/// The solutions that a format has no place for stand beside it.
#[test]
fn a_format_that_loses_solutions_says_so() {
    let folder = folder();
    let output = folder.lurd("improve room.xsb clumsy.txt -o out.slc").success();
    output.stderr(contains("out.slc: the format slc has no place for solutions; 1 solution is in out.slc.lurd"));
    folder.lurd("check out.slc out.slc.lurd").success().stdout(contains("1 of 1 right"));
}

/// Solutions as other programs write them: below the board, under a heading, on the line of a key.
#[test]
fn solutions_of_other_programs_are_read() {
    let folder = folder();
    let board = ROOM.trim_end();
    let files = [
        ("yasc.sok", format!(":: Sokoban (Text) File Format\n\nOne\n\n{board}\n\nAuthor: Me\n\nSolution\n{CLUMSY}\n")),
        (
            "jsoko.txt",
            format!("Level 1\n{board}\nTitle: One\nAuthor: Me\n\nSolution (Moves: 25, Pushes: 7)\n{CLUMSY}\n"),
        ),
        ("festival.sok", format!("{board}\nTitle: One\n\nSolution\n{CLUMSY}\n\n")),
        ("key.xsb", format!("{board}\nTitle: One\nSolution: {CLUMSY}\n")),
        ("heading.txt", format!("; 1\n{CLUMSY}\n")),
        ("halves.txt", format!("{}\n{}\n", &CLUMSY[..9], &CLUMSY[9..])),
    ];
    for (name, text) in files {
        folder.file(name, &text);
        let object = &objects(&folder.lurd(&format!("improve room.xsb {name} --json")).success())[0];
        assert_eq!((object["pushes_before"].as_u64(), object["pushes"].as_u64()), (Some(7), Some(5)), "{name}");
    }
}

/// Two threads share the one level; what they find is right and no longer.
#[test]
fn threads_share_a_level() {
    let object = &objects(&folder().lurd("improve room.xsb clumsy.txt --json --threads 2").success())[0];
    assert_eq!((object["pushes"].as_u64(), object["exhausted"].as_bool()), (Some(5), Some(true)));
}

#[test]
fn full_memory_is_said() {
    let folder = Folder::new();
    folder.file("wide.xsb", WIDE);
    let solved = folder.lurd("solve wide.xsb --json").success();
    folder.file("solved.json", &solved.get_output().stdout);
    let line = "improve wide.xsb solved.json --memory-limit 64KiB --node-limit 30000 --threads 1";
    let run = |more: &str| folder.lurd(&format!("{line} {more}")).success();
    run("").stdout(contains("memory was full"));
    let object = &objects(&run("--json"))[0];
    assert_eq!((object["memory_full"].as_bool(), object["exhausted"].as_bool()), (Some(true), Some(false)));
}

#[test]
fn the_same_work_gives_the_same_result() {
    let folder = Folder::new();
    folder.file("wide.xsb", WIDE);
    let solved = folder.lurd("solve wide.xsb --json").success();
    folder.file("solved.json", &solved.get_output().stdout);
    let run = || {
        let line = "improve wide.xsb solved.json --json --node-limit 20000 --threads 1";
        let mut object = objects(&folder.lurd(line).success()).remove(0);
        object["seconds"] = 0.into();
        object
    };
    let first = run();
    assert!(first["generated"].as_u64().unwrap() >= 20000);
    assert!(first["pushes"].as_u64() <= first["pushes_before"].as_u64());
    assert_eq!(first, run());
}

#[test]
fn levels_without_a_solution_are_left_and_counted() {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    folder.file("one.json", "{\"level\":1,\"solution\":\"R\"}\n");
    let output = folder.lurd("improve levels.xsb one.json").code(1);
    output.stdout(contains("2 levels without a solution"));
    // Lines of moves name their levels where some have none.
    folder.lurd("improve levels.xsb one.json -o out.lurd").code(1);
    assert_eq!(std::fs::read_to_string(folder.path().join("out.lurd")).unwrap(), "1: R\n");
    folder.lurd("check levels.xsb out.lurd --level 1").success();
}

#[test]
fn bad_input_is_a_sentence() {
    let folder = folder();
    folder.file("easy.xsb", EASY);
    folder.file("wall.txt", "u");
    folder.file("short.txt", "");
    folder.file("words.txt", "hello");
    let fails = |files: &str, sentence: &str| {
        folder.lurd(&format!("improve {files}")).code(2).stderr(contains(sentence));
    };
    fails("easy.xsb wall.txt", "walks into a wall");
    fails("easy.xsb short.txt", "leaves 1 box off the goals");
    fails("easy.xsb words.txt", "is no move");
    fails("easy.xsb missing.txt", "there is no such file");
    fails("missing.xsb", "there is no such file");
    fails("easy.xsb", "no right solution in it");
    fails("easy.xsb clumsy.txt", "walks into a wall");
    fails("easy.xsb clumsy.txt --goal best", "best");
    // A file of solutions to other levels: as moves they break the rules, as boards they are not there.
    folder.file("other.sok", format!("{ROOM}\nSolution\n{CLUMSY}\n"));
    fails("easy.xsb other.sok", "no level asked for has such a board");
}
