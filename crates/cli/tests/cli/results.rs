//! What is found leaves the program whole: in every format, and whatever ends the program.

use super::{EASY, Folder, LEVELS, lurd, objects, ran, text};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

/// Two levels with a solution each.
const SOLVED: &str =
    "#####\n#@$.#\n#####\nTitle: Easy\n\nSolution\nR\n\n######\n#@$ .#\n######\nTitle: Twice\n\nSolution\nRR\n";

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_default()
}

#[test]
fn solutions_survive_a_conversion_into_every_format() {
    let folder = Folder::new();
    folder.file("solved.sok", SOLVED);
    for name in ["out.xsb", "out.rle", "out.sok", "out.ssx"] {
        folder.lurd(&format!("convert solved.sok {name}")).code(0).stderr("");
        folder.lurd(&format!("check {name}")).code(0).stdout(contains("2 of 2 right"));
    }
    for format in ["digits", "mf8"] {
        folder.lurd(&format!("convert solved.sok out.{format} --to {format}")).code(0).stderr("");
        folder.lurd(&format!("check out.{format}")).code(0).stdout(contains("2 of 2 right"));
    }
    let said = folder.lurd("convert solved.sok out.slc").code(0);
    said.stderr(contains("out.slc: the format slc has no place for solutions; 2 solutions are in out.slc.lurd"));
    assert_eq!(read(&folder, "out.slc.lurd"), "R\nRR\n");
    folder.lurd("check out.slc out.slc.lurd").code(0).stdout(contains("2 of 2 right"));
    folder.lurd("convert solved.sok out.lurd").code(0);
    folder.lurd("check solved.sok out.lurd").code(0).stdout(contains("2 of 2 right"));
    // Beside standard output there is no place.
    let printed = folder.lurd("convert solved.sok - --to slc").code(0);
    printed.stderr(contains("2 solutions and saved games were left out; write xsb, rle, sok"));
    assert!(!folder.path().join("-.lurd").exists());
}

#[test]
fn what_is_solved_survives_too() {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    folder.lurd("solve levels.xsb -o solved.slc").code(3).stderr(contains("2 solutions are in solved.slc.lurd"));
    assert_eq!(read(&folder, "solved.slc.lurd"), "1: R\n2: RR\n");
    folder.lurd("check solved.slc solved.slc.lurd --level 1-2").code(0);
    folder.lurd("solve levels.xsb -o solved.lurd").code(3).stderr("");
    assert_eq!(read(&folder, "solved.lurd"), "1: R\n2: RR\n");
    folder.lurd("check levels.xsb solved.lurd --level 1-2").code(0);
    folder.lurd("improve levels.xsb solved.lurd --level 1-2 -o better.lurd").code(0);
    folder.lurd("check levels.xsb better.lurd --level 1-2").code(0);
}

#[test]
fn figures_of_sokobot_go_in_and_out() {
    let folder = Folder::new();
    folder.file(
        "one.json",
        r#"{"content":[["W","W","W","W","W"],["W","S","B","G","W"],["W","W","W","W","W"]],"bestSolution":3,"minPushes":1}"#,
    );
    let level = &objects(&folder.lurd("levels one.json --json").code(0))[0];
    assert_eq!((level["pushes"].as_u64(), level["moves"].as_u64()), (Some(1), Some(3)));
    let table = folder.lurd("levels one.json").code(0);
    assert!(text(&table).lines().nth(1).unwrap().ends_with("1       1      3"), "{}", text(&table));
    folder.lurd("convert one.json two.json").code(0);
    assert!(read(&folder, "two.json").contains("\"bestSolution\": 3,\n  \"minPushes\": 1"));
    // A shorter solution lowers the figure; what is proved is stated.
    folder.file("easy.xsb", EASY);
    folder.lurd("solve easy.xsb --goal pushes -o easy.json").code(0);
    let json = read(&folder, "easy.json");
    assert!(json.contains("\"bestSolution\": 1") && json.contains("\"minPushes\": 1"), "{json}");
    folder.lurd("solve easy.xsb -o any.json").code(0);
    assert!(read(&folder, "any.json").contains("\"bestSolution\": 1"));
    assert!(!read(&folder, "any.json").contains("minPushes"), "any solution proves nothing");
    folder.lurd("check easy.json easy.json.lurd").code(0);
    // The figures that the embedded levels state are stated again.
    folder.file("figures.xsb", format!("{EASY}Title: Easy\nPushes: 1\nMoves: 1\n"));
    folder.lurd("convert figures.xsb figures.json").code(0);
    assert!(read(&folder, "figures.json").contains("\"minPushes\": 1"));
}

#[test]
fn the_output_is_refused_before_the_search() {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    folder.file("solved.sok", SOLVED);
    std::fs::create_dir(folder.path().join("folder.sok")).unwrap();
    for command in ["solve levels.xsb", "improve solved.sok"] {
        for (file, sentence) in [
            ("out.unknown", "its ending names no format; let the file end in .sok"),
            ("out", "its ending names no format"),
            ("missing/out.sok", "there is no such folder"),
            ("folder.sok", "this is a folder"),
            ("out.json", "holds one level"),
            ("-", "name a file"),
        ] {
            // A search that would have begun has printed something.
            folder.lurd(&format!("{command} -o {file}")).code(2).stdout("").stderr(contains(sentence));
        }
    }
    folder.lurd("convert solved.sok out.unknown").code(2).stderr(contains("its ending names no format"));
    let line = "solve levels.xsb --level 1 --goal pushes --certificate missing/proof.json";
    folder.lurd(line).code(2).stdout("").stderr(contains("there is no such folder"));
}

#[test]
fn some_levels_can_be_converted() {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    folder.lurd("convert levels.xsb some.xsb --level 2-").code(0);
    let listed = folder.lurd("levels some.xsb").code(0);
    assert!(text(&listed).contains("Twice") && text(&listed).contains("Dead") && !text(&listed).contains("Easy"));
    folder.lurd("convert levels.xsb one.json --level 1").code(0);
    folder.lurd("convert levels.xsb one.json --level 4").code(2).stderr(contains("there is no level 4"));
    folder.lurd("convert levels.xsb levels.xsb --level 1").code(2).stderr(contains("would lose the others"));
    ran("solve - --json --level 2-", LEVELS).code(3);
}

/// A title of 65,536 characters is longer than the padding of a format string can be.
#[test]
fn titles_of_any_length_are_printed() {
    let folder = Folder::new();
    let title = "x".repeat(65_536);
    folder.file("long.xsb", format!("{EASY}Title: {title}\n\nSolution\nR\n"));
    for line in [
        "levels long.xsb",
        "check long.xsb",
        "solve long.xsb",
        "improve long.xsb",
        "compare long.xsb --algorithms a-star",
    ] {
        let ran = folder.lurd(line).code(0);
        ran.stderr(contains("panicked").not());
    }
    let listed = folder.lurd("levels long.xsb").code(0);
    assert!(text(&listed).contains(&format!("{}…", "x".repeat(59))), "the table cuts it");
    let level = &objects(&folder.lurd("levels long.xsb --json").code(0))[0];
    assert_eq!(level["title"].as_str(), Some(title.as_str()));
    for format in ["xsb", "rle", "sok", "slc", "ssx", "digits", "mf8"] {
        folder.lurd(&format!("convert long.xsb out --to {format}")).code(0);
        let again = &objects(&folder.lurd("levels out --json").code(0))[0];
        assert_eq!(again["title"].as_str(), Some(title.as_str()), "{format}");
    }
}

#[cfg(unix)]
mod signals {
    use super::*;
    use crate::{WIDE, signal, spawn};
    use std::process::{Child, Command};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// Easy levels and then one that takes for ever.
    fn folder() -> Folder {
        let folder = Folder::new();
        let twice = "######\n#@$ .#\n######\n";
        folder.file("levels.xsb", format!("{EASY}\n{twice}\n{WIDE}\n"));
        folder
    }

    fn start(folder: &Folder, line: &str) -> Child {
        spawn("lurd", folder.path(), &line.split_whitespace().collect::<Vec<_>>())
    }

    const ENDLESS: &str = "--algorithm breadth-first --formulation move --deadlocks none --memory-limit 2GiB";

    fn wait_for(folder: &Folder, name: &str, words: &str) {
        let until = Instant::now() + Duration::from_secs(60);
        while !read(folder, name).contains(words) {
            assert!(Instant::now() < until, "{name}: {}", read(folder, name));
            sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_killed_run_loses_the_level_under_way_and_nothing_else() {
        let folder = folder();
        // In a file of their own the chosen levels count from 1.
        for (output, name, words, check) in [
            ("out.sok", "out.sok", "RR", "levels.xsb out.sok --level 1-2"),
            ("out.lurd", "out.lurd", "2: RR", "levels.xsb out.lurd --level 1-2"),
            ("out.slc", "out.slc.lurd", "3: RR", "out.slc out.slc.lurd --level 2-3"),
        ] {
            // The endless level comes first, and a thread goes on with the others meanwhile.
            let line = format!("solve levels.xsb --level 3,1,2 --threads 2 {ENDLESS} -o {output}");
            let mut run = start(&folder, &line);
            wait_for(&folder, name, words);
            signal(&run, "KILL");
            run.wait().unwrap();
            folder.lurd(&format!("check {check}")).code(0).stdout(contains("2 of 2 right"));
        }
    }

    #[test]
    fn a_killed_improvement_keeps_the_best_so_far() {
        let folder = Folder::new();
        folder.file("wide.xsb", WIDE);
        let solved = folder.lurd("solve wide.xsb --json --algorithm greedy").code(0);
        folder.file("solved.json", text(&solved));
        let line = "improve wide.xsb solved.json --goal moves --time-limit 600 -o better.sok";
        let mut run = start(&folder, line);
        wait_for(&folder, "better.sok", "Solution");
        signal(&run, "KILL");
        run.wait().unwrap();
        folder.lurd("check wide.xsb better.sok").code(0);
    }

    #[test]
    fn termination_and_hang_up_end_like_control_c() {
        for name in ["TERM", "HUP", "INT"] {
            let folder = folder();
            let run = start(&folder, &format!("solve levels.xsb --json --threads 1 {ENDLESS} -o out.sok"));
            wait_for(&folder, "out.sok", "RR");
            // The last level is under way now, or soon.
            sleep(Duration::from_millis(200));
            signal(&run, name);
            let output = run.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(130), "{name}");
            let printed = String::from_utf8(output.stdout).unwrap();
            assert_eq!(printed.lines().count(), 3, "{name}: {printed}");
            assert!(printed.lines().last().unwrap().contains("\"outcome\":\"cancelled\""), "{name}: {printed}");
            folder.lurd("check out.sok --level 1-2").code(0);
        }
    }

    #[test]
    fn a_hang_up_that_is_to_be_ignored_is_ignored() {
        let folder = folder();
        let program = assert_cmd::cargo::cargo_bin("lurd");
        let line = format!("trap '' HUP; exec \"$0\" solve levels.xsb --level 3 --time-limit 2 {ENDLESS}");
        let mut run =
            Command::new("/bin/sh").args(["-c", &line]).arg(program).current_dir(folder.path()).spawn().unwrap();
        crate::wait_until_it_searches(&run);
        signal(&run, "HUP");
        assert_eq!(run.wait().unwrap().code(), Some(1), "the time limit ends it");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_the_search_goes_on() {
    // A file that cannot be replaced, though its folder can be written to when the search begins.
    let folder = Folder::new();
    folder.file("easy.xsb", EASY);
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    std::os::unix::fs::symlink("/dev/full", folder.path().join("full.sok")).unwrap();
    lurd()
        .current_dir(folder.path())
        .args(["solve", "easy.xsb", "-o", "full.sok"])
        .assert()
        .code(2)
        .stdout(contains("solved"))
        .stderr(contains("full.sok: the file cannot be written"));
}
