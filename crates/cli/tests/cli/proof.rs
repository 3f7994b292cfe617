//! Proofs that last: certificates, checkpoints, and what happens when a run is killed or the disk is full.

use super::{EASY, Folder, LEVELS, spawn};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A level whose proof takes some seconds.
pub(crate) const LONG: &str = "############\n#    #    ##\n#    #$  . #\n# #$##  .. #\n# $ $   .$ #\n#   #  #.$ #\n# $   # #. #\n##  $## .. #\n#@     #   #\n############\n";

/// A level with layers of tens of thousands of positions.
const WIDE: &str = "#############\n#@          #\n# #$ $ . .# #\n#   $  .. # #\n## # $ .### #\n#  $     # ##\n#  $$$      #\n#  # $ . . ##\n##   #  ..  #\n#           #\n#############\n";

/// One whose proof is quick and needs a limit all the same.
const QUICK: &str = "#############\n#         # #\n# #   $$$.. #\n#     $ ... #\n## $#   .#.##\n##$$  $#..$ #\n#@  ##      #\n#############\n";

/// Six boxes and no solution.
const DEAD: &str =
    "#############\n#     #     #\n# $ $ #  .. #\n#  $ @   .. #\n# $ $ #  .. #\n#   $ #     #\n#############\n";

fn certificate(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What must be the same however a proof came about; its solution may be another of the same length.
fn essence(path: &Path) -> Value {
    let mut value = certificate(path);
    let object = value.as_object_mut().unwrap();
    let pushes = object["solution"]["pushes"].clone();
    object.insert("solution".into(), pushes);
    object.remove("checksum");
    value
}

fn start(folder: &Folder, line: &str) -> Child {
    spawn("lurd", folder.path(), &line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn a_certificate_is_confirmed_on_any_number_of_threads() {
    let folder = Folder::new();
    folder.file("level", QUICK);
    let [one, two] = [1, 2].map(|threads| {
        let line = format!("solve level --goal pushes --threads {threads} --certificate proof-{threads}.json");
        folder.lurd(&line).code(0).stdout(contains("optimal-pushes"));
        folder.path().join(format!("proof-{threads}.json"))
    });
    assert_eq!(essence(&one), essence(&two));
    assert_eq!(certificate(&one)["claim"], "optimal");
    for threads in 1..=3 {
        folder.lurd(&format!("check proof-1.json --threads {threads}")).code(0).stdout(contains("confirmed: "));
    }
    folder.lurd("check proof-1.json --time-limit 0").code(1).stdout(contains("limit on time"));
    folder.lurd("check proof-1.json proof-2.json").code(2).stderr(contains("SOLUTIONS"));
}

#[test]
fn an_unsolvable_level_and_a_lower_bound_have_certificates_too() {
    let folder = Folder::new();
    folder.file("dead", DEAD);
    folder.file("long", LONG);
    folder.lurd("solve dead --goal pushes --certificate proof.json").code(3);
    folder.lurd("check proof.json").code(0).stdout(contains("confirmed: the level has no solution"));
    let line = "solve long --goal pushes --node-limit 300000 --certificate proof.json";
    folder.lurd(line).stdout(contains("in progress"));
    assert_eq!(certificate(&folder.path().join("proof.json"))["claim"], "lower-bound");
    folder.lurd("check proof.json").code(0).stdout(contains("confirmed: no solution has fewer than"));
}

#[test]
fn a_damaged_certificate_is_told() {
    let folder = Folder::new();
    folder.file("level", QUICK);
    folder.lurd("solve level --goal pushes --certificate proof.json").code(0);
    let text = std::fs::read_to_string(folder.path().join("proof.json")).unwrap();
    let damages = [
        text.replacen("\"lower_bound\": ", "\"lower_bound\": 1", 1),
        text.replacen("\"positions\": 1,", "\"positions\": 2,", 1),
        text.replacen("\"version\": 1", "\"version\": 2", 1),
        text[..text.len() / 2].to_owned(),
    ];
    for damaged in damages {
        assert_ne!(damaged, text);
        folder.file("damaged.json", damaged);
        folder.lurd("check damaged.json").code(2).stderr(contains("damaged.json: "));
    }
}

#[test]
fn choices_that_leave_no_proof_are_refused() {
    let folder = Folder::new();
    folder.file("levels", LEVELS);
    folder.file("easy", EASY);
    for (choices, sentence) in [
        ("levels --goal pushes", "--level N"),
        ("easy", "--goal pushes"),
        ("easy --goal pushes --algorithm a-star", "everything else open"),
        ("easy --goal pushes --resume", "--disk"),
    ] {
        folder.lurd(&format!("solve --certificate proof.json {choices}")).code(2).stderr(contains(sentence));
    }
    assert!(!folder.path().join("proof.json").exists());
}

/// Kills runs at random moments until `kills` have been killed. Every proof that ends in spite of it must be
/// the one that a run which nobody disturbed comes to.
fn kill(kills: usize) {
    let folder = Folder::new();
    folder.file("level", LONG);
    let begun = Instant::now();
    let run = start(&folder, "solve level --goal pushes --threads 1 --certificate whole.json");
    assert!(run.wait_with_output().unwrap().status.success());
    let whole = begun.elapsed();
    let expected = essence(&folder.path().join("whole.json"));
    let (mut killed, mut proofs, mut resumed, mut dice) = (0, 0, 0, 0x6C75_7264u64);
    while killed < kills {
        let threads = 1 + proofs % 2;
        let disk = format!("--disk disk-{proofs} --resume --certificate proof.json");
        let line = format!("solve level --goal pushes --threads {threads} {disk}");
        let output = loop {
            let mut run = start(&folder, &line);
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Mostly long before its end.
            let end = Instant::now() + whole.mul_f64(0.6 * (dice >> 33) as f64 / f64::from(1u32 << 31));
            while Instant::now() < end && run.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(5));
            }
            if run.try_wait().unwrap().is_some() {
                break run.wait_with_output().unwrap();
            }
            run.kill().unwrap();
            run.wait().unwrap();
            killed += 1;
        };
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        resumed += usize::from(said.contains("resumed from a checkpoint"));
        assert_eq!(essence(&folder.path().join("proof.json")), expected, "proof {proofs}");
        proofs += 1;
    }
    println!("{killed} killed, {proofs} proofs, {resumed} of them ended from a checkpoint; undisturbed {whole:?}");
    assert!(resumed > 0);
}

#[test]
fn killed_proofs_go_on_and_end_the_same() {
    kill(20);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_killed_proofs_go_on_and_end_the_same() {
    kill(200);
}

/// How far a proof is, by its newest checkpoint: the positions of all complete layers, which no two layers have in common, and
/// the last key that is done within the next.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Standing {
    checkpoint: u64,
    layer: u64,
    done: Option<u128>,
}

fn standing(disk: &Path) -> Option<Standing> {
    let number = |name: &str| name.strip_prefix("checkpoint-")?.strip_suffix(".json")?.parse::<u64>().ok();
    let files = std::fs::read_dir(disk).ok()?.flatten();
    let checkpoint = files.filter_map(|file| number(&file.file_name().to_string_lossy())).max()?;
    // It may be replaced by a newer one while it is read.
    let text = std::fs::read_to_string(disk.join(format!("checkpoint-{checkpoint}.json"))).ok()?;
    let value: Value = serde_json::from_str(&text).ok()?;
    let search = value["under_way"].as_object()?;
    let done = |side: &str| u128::from_str_radix(search[side]["pending"]["done"].as_str()?, 16).ok();
    let layer = value["spent"].as_u64()?;
    Some(Standing { checkpoint, layer, done: done("forward").or_else(|| done("backward")) })
}

/// Kills every run as soon as it has written a checkpoint within a layer, `kills` of them at most. Then no run completes a large
/// layer, and the proof must end all the same, with the certificate of one that nobody disturbed. Returns the most runs that
/// one layer took.
fn kill_within_layers(text: &str, kills: usize) -> usize {
    let folder = Folder::new();
    folder.file("level", text);
    let whole = start(&folder, "solve level --goal pushes --threads 1 --certificate whole.json");
    assert!(whole.wait_with_output().unwrap().status.success());
    let disk = folder.path().join("disk");
    let (mut killed, mut longest, mut same): (usize, usize, usize) = (0, 0, 0);
    let mut before: Option<Standing> = None;
    loop {
        let threads = 1 + killed % 2;
        let line =
            format!("solve level --goal pushes --threads {threads} --disk disk --resume --certificate proof.json");
        let mut run = start(&folder, &line);
        let last = before.as_ref().map_or(0, |standing| standing.checkpoint);
        let is_within = || standing(&disk).is_some_and(|now| now.checkpoint > last && now.done.is_some());
        while killed < kills && run.try_wait().unwrap().is_none() && !is_within() {
            std::thread::sleep(Duration::from_millis(5));
        }
        if killed == kills || run.try_wait().unwrap().is_some() {
            let output = run.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            break;
        }
        run.kill().unwrap();
        run.wait().unwrap();
        killed += 1;
        // None if it came to the end of a push limit before it was killed.
        let now = standing(&disk);
        match (&before, &now) {
            (Some(before), Some(now)) if before.layer == now.layer => {
                assert!(now.done >= before.done, "positions are not done again: {before:?}, {now:?}");
                same += 1;
            }
            _ => same = 0,
        }
        longest = longest.max(same + 1);
        before = now.or(before);
    }
    println!("{killed} runs killed within a layer; the longest layer took {longest} of them");
    let proof = |name: &str| essence(&folder.path().join(name));
    assert_eq!(proof("proof.json"), proof("whole.json"));
    assert!(killed > 0, "no run was killed within a layer");
    longest
}

#[test]
fn a_proof_killed_within_a_layer_goes_on_there() {
    kill_within_layers(LONG, 6);
}

#[test]
#[ignore = "takes minutes"]
fn a_proof_that_no_run_completes_a_layer_of_ends_the_same() {
    let longest = kill_within_layers(WIDE, 5_000);
    assert!(longest >= 2, "its layers must be longer than the runs: {longest}");
}

#[cfg(unix)]
#[test]
fn control_c_leaves_a_checkpoint() {
    let folder = Folder::new();
    folder.file("long", LONG);
    let mut run = start(&folder, "solve long --goal pushes --disk disk");
    // The folder is made when the proof begins.
    while !folder.path().join("disk").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(run.try_wait().unwrap(), None, "the proof takes long enough to be interrupted");
    super::press_control_c(&run);
    assert_eq!(run.wait_with_output().unwrap().status.code(), Some(130));
    let run = |more: &str| folder.lurd(&format!("solve --goal pushes --disk disk {more}"));
    run("long --resume --time-limit 1").stdout(contains("resumed from a checkpoint"));
    run("long --time-limit 1").code(2).stderr(contains("--resume"));
    folder.file("quick", QUICK);
    run("quick --resume").code(2).stderr(contains("another level"));
}

#[test]
fn a_folder_is_locked_while_a_proof_works_in_it() {
    let folder = Folder::new();
    folder.file("long", LONG);
    let mut first = start(&folder, "solve long --goal pushes --disk disk --threads 1");
    while !folder.path().join("disk").join("lock").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = folder.lurd("solve long --goal pushes --disk disk --resume --time-limit 1");
    assert_eq!(first.try_wait().unwrap(), None, "the proof takes long enough");
    second.code(2).stderr(contains("disk: another run works in this folder"));
    first.kill().unwrap();
    first.wait().unwrap();
    // A lock ends with its run.
    folder.lurd("solve long --goal pushes --disk disk --resume --node-limit 1000").stderr("");
}

#[test]
fn a_finished_proof_leaves_no_layers() {
    let folder = Folder::new();
    folder.file("long", LONG);
    folder.lurd("solve long --goal pushes --disk disk --node-limit 400000");
    let keys = || {
        std::fs::read_dir(folder.path().join("disk"))
            .unwrap()
            .flatten()
            .filter(|file| file.path().extension().is_some_and(|ending| ending == "keys"))
            .count()
    };
    assert!(keys() > 0, "an unfinished proof keeps its layers");
    folder.lurd("solve long --goal pushes --disk disk --resume").code(0).stdout(contains("optimal-pushes"));
    assert_eq!(keys(), 0);
    // What is proved is there still.
    folder
        .lurd("solve long --goal pushes --disk disk --resume --node-limit 1")
        .code(0)
        .stdout(contains("optimal-pushes"));
}

#[test]
fn damaged_checkpoints_are_told_and_cost_nothing_proved() {
    let folder = Folder::new();
    folder.file("long", LONG);
    let run = |more: &str| folder.lurd(&format!("solve long --goal pushes --disk disk {more}"));
    run("--node-limit 400000");
    let bound = |path: &str| certificate(&folder.path().join(path))["lower_bound"].as_u64().unwrap();
    run("--resume --node-limit 1 --certificate before.json");
    let names = || -> Vec<_> {
        std::fs::read_dir(folder.path().join("disk")).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let with =
        |ending: &str| names().into_iter().filter(|path| path.to_string_lossy().ends_with(ending)).collect::<Vec<_>>();
    // Layers damaged: the current push limit is restarted.
    for path in with(".keys") {
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    }
    run("--resume --node-limit 1 --certificate after.json").stdout(contains("damaged").and(contains("restarted")));
    assert_eq!(bound("before.json"), bound("after.json"));
    // The newest checkpoint damaged: the one before it is taken.
    let mut checkpoints = with(".json");
    checkpoints.sort_by_key(|path| std::fs::metadata(path).unwrap().modified().unwrap());
    assert_eq!(checkpoints.len(), 2);
    std::fs::write(&checkpoints[1], "{").unwrap();
    run("--resume --node-limit 1 --certificate after.json").stdout(contains("damaged").and(contains("skipped")));
    assert_eq!(bound("before.json"), bound("after.json"));
}

#[test]
fn a_disk_that_is_full_or_no_disk_is_told() {
    let folder = Folder::new();
    folder.file("long", LONG);
    let solve = "solve long --goal pushes --node-limit 300000 --disk";
    let run = |more: &str| folder.lurd(&format!("{solve} {more}"));
    run("long").code(2).stderr(contains("long: the folder cannot be used"));
    run("limited --disk-limit 1KiB").stdout(contains("disk limit").and(contains("without new checkpoints")));
    // What is proved takes no room to speak of and is kept all the same.
    run("limited --resume").stdout(contains("resumed from a checkpoint"));
    if cfg!(unix) {
        // No file may be larger than some blocks, which is what a full disk looks like.
        let line = format!("trap '' XFSZ; ulimit -f 2; exec \"$0\" {solve} tiny");
        let program = assert_cmd::cargo::cargo_bin("lurd");
        let mut shell = Command::new("/bin/sh");
        shell.env("LURD_DATA", super::data()).args(["-c", &line]).arg(program).current_dir(folder.path());
        let output = shell.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("the disk is full") && said.contains("without new checkpoints"), "{said}");
    }
}
