//! Scripts see the truth: which limit ended a proof, what is proved, and why a search ended.

use super::proof::LONG;
use super::{EASY, Folder, LEVELS, WIDE, objects, ran, text};
use predicates::str::contains;
use serde_json::Value;

/// Eight boxes in a room: solved at once, and the fewest moves are proved by no search of a few million positions.
const ROOM: &str = "############\n#          #\n# $ $ $ $  #\n#          #\n# $ $ $ $  #\n#     @    #\n#.......   #\n#.         #\n############\n";

const AT_START: &str = "#####\n#@* #\n#####\n";

fn object(line: &str, level: &str, code: i32) -> Value {
    objects(&ran(line, level).code(code)).remove(0)
}

#[test]
fn a_limit_that_ends_a_proof_is_named() {
    for (goal, limit, name, level) in
        [("pushes", "--node-limit 300000", "nodes", LONG), ("moves", "--node-limit 400000", "nodes", ROOM)]
    {
        let line = format!("solve - --json --threads 1 --goal {goal} {limit}");
        let answer = object(&line, level, 0);
        assert_eq!((answer["outcome"].as_str(), answer["stopped_by"].as_str()), (Some("solved"), Some(name)), "{line}");
        assert_eq!(
            (answer["goal_proof"].as_str(), answer["then_proof"].as_str()),
            (Some("unfinished"), None),
            "{line}"
        );
        assert!(answer["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains("limit on")));
        object(&format!("{line} --require-proof"), level, 1);
    }
}

#[test]
fn a_second_goal_that_is_cut_off_is_named() {
    let line = "solve - --json --threads 1 --goal pushes --then moves";
    let whole = object(line, LEVELS, 3);
    assert_eq!((whole["goal_proof"].as_str(), whole["then_proof"].as_str()), (Some("finished"), Some("finished")));
    assert!(whole["stopped_by"].is_null());
    // The fewest pushes are proved by few positions, the fewest moves among them by many more.
    let level = "##########\n#        #\n# $ $ $  #\n#   @    #\n#  ...   #\n##########\n";
    let all = object(line, level, 0);
    assert_eq!(all["then_proof"], "finished");
    let generated = all["generated"].as_u64().unwrap();
    let pushes = object("solve - --json --threads 1 --goal pushes", level, 0)["generated"].as_u64().unwrap();
    assert!(generated > pushes + 1_000, "{pushes} of {generated}");
    let cut = object(&format!("{line} --node-limit {}", pushes + 200), level, 0);
    assert_eq!((cut["goal_proof"].as_str(), cut["then_proof"].as_str()), (Some("finished"), Some("unfinished")));
    assert_eq!(cut["stopped_by"], "nodes");
    object(&format!("{line} --node-limit {} --require-proof", pushes + 200), level, 1);
}

/// What is on standard input is read where - says so, and somebody who forgot it is told.
#[test]
fn a_file_on_standard_input_that_nobody_reads_is_told() {
    let folder = Folder::new();
    let input = || std::fs::File::open(folder.file("level.xsb", EASY)).unwrap();
    let run = |words: &str| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("lurd"));
        command.args(words.split(' ')).stdin(input()).output().unwrap()
    };
    let told = |words: &str| String::from_utf8(run(words).stderr).unwrap().contains("write - for it");
    let here = cfg!(unix);
    assert_eq!(told("solve --level 1 --no-library --json"), here);
    assert!(!told("solve - --no-library --json"));
}

#[test]
fn proof_can_be_required() {
    ran("solve - --goal pushes --require-proof --level 1-2", LEVELS).code(0);
    ran("solve - --goal pushes --require-proof", LEVELS).code(3);
    ran("solve - --require-proof", EASY).code(2).stderr(contains("--goal pushes"));
    let (line, room) = ("solve - --goal pushes --algorithm depth-first --require-proof", super::improve::ROOM);
    assert_eq!(object(&format!("{line} --json"), room, 1)["goal_proof"], "unfinished");
    ran(line, room).code(1).stdout(contains("1 not proved"));
}

#[test]
fn a_level_that_is_solved_at_the_start_is_optimal_with_0() {
    for line in [
        "",
        "--goal pushes",
        "--goal moves",
        "--goal pushes --then moves --require-proof",
        "--goal moves --then pushes --require-proof",
        "--algorithm greedy",
        "--algorithm breadth-first --formulation move",
        "--time-limit 0",
        "--goal pushes --time-limit 0",
    ] {
        let answer = object(&format!("solve - --json {line}"), AT_START, 0);
        assert_eq!((answer["outcome"].as_str(), answer["solution"].as_str()), (Some("solved"), Some("")), "{line}");
        assert_eq!((answer["pushes"].as_u64(), answer["lower_bound"].as_u64()), (Some(0), Some(0)), "{line}");
        let proof = if line.contains("--goal moves") { "optimal-moves" } else { "optimal-pushes" };
        assert_eq!((answer["proof"].as_str(), &answer["stopped_by"]), (Some(proof), &Value::Null), "{line}");
    }
}

/// Thousands of boxes far from their goals, for which a gigabyte is not enough.
#[test]
fn a_search_that_runs_out_of_memory_says_so() {
    let side = 40;
    let wall = "#".repeat(2 * side + 3);
    let row =
        |squares: &str| format!("#{}#\n", squares.repeat(side + 1).chars().take(2 * side + 1).collect::<String>());
    let boxes = format!("{}{}", row(" $"), row("  ")).repeat(side);
    let goals = format!("{}{}", row("  "), row(" .")).repeat(side);
    let level = format!("{wall}\n{}{boxes}{goals}{wall}\n", row("  ").replacen(' ', "@", 1));
    let answer = object("solve - --json --threads 1 --memory-limit 20MiB --time-limit 60", &level, 1);
    let reason = answer["stopped_by"].as_str();
    assert!(matches!(reason, Some("memory" | "time")), "{}", answer["notes"]);
}

#[test]
fn levels_are_listed_as_objects() {
    let broken = format!("{LEVELS}\n#####\n# $.#\n#####\nTitle: Nobody\n");
    let listed = objects(&ran("levels - --json", broken.clone()).code(2));
    let titles: Vec<_> = listed.iter().map(|level| level["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Easy", "Twice", "Dead", "Nobody"]);
    let first = &listed[0];
    assert_eq!([&first["width"], &first["height"], &first["boxes"]].map(Value::as_u64), [Some(5), Some(3), Some(1)]);
    assert!(first.get("board").is_none() && first["pushes"].is_null());
    assert!(listed[3]["defect"].as_str().unwrap().contains("no player"));
    assert_eq!(listed[3]["line"], 17);
    let shown = objects(&ran("levels - --json --show 2", broken).code(0));
    assert_eq!(shown[0]["board"], "######\n#@$ .#\n######\n");
    let embedded = objects(&ran("levels --json", "").code(0));
    assert!(embedded.iter().all(|level| level["pushes"].is_u64() && level["moves"].is_u64()));
}

#[test]
fn checks_are_printed_as_objects() {
    let folder = Folder::new();
    folder.file("levels.xsb", LEVELS);
    folder.file("solutions.txt", "R\nRRR\n");
    let checked = objects(&folder.lurd("check levels.xsb solutions.txt --json").code(1));
    let right: Vec<_> = checked.iter().map(|check| check["right"].as_bool().unwrap()).collect();
    assert_eq!(right, [true, false, false]);
    assert_eq!((checked[0]["pushes"].as_u64(), checked[0]["verdict"].as_str()), (Some(1), Some("right")));
    assert!(checked[1]["verdict"].as_str().unwrap().contains("pushes a box into a wall"));
    folder.lurd("solve levels.xsb --level 2 --goal pushes --certificate proof.json").code(0);
    let proof = &objects(&folder.lurd("check proof.json --json").code(0))[0];
    assert_eq!((proof["outcome"].as_str(), &proof["stopped_by"]), (Some("confirmed"), &Value::Null));
    let stopped = &objects(&folder.lurd("check proof.json --json --time-limit 0").code(1))[0];
    assert_eq!((stopped["outcome"].as_str(), stopped["stopped_by"].as_str()), (Some("stopped"), Some("time")));
}

#[test]
fn options_without_effect_are_told() {
    for (line, sentence) in [
        ("solve - --weight 2", "--weight has no effect: it belongs to --algorithm weighted-a-star"),
        ("solve - --tie-break fifo", "--tie-break has no effect"),
        ("solve - --algorithm a-star --threads 2", "--threads 2 has no effect"),
        ("solve - --algorithm a-star --depth-limit 7", "--depth-limit has no effect"),
        ("compare - --algorithms a-star --weight 2", "--weight has no effect"),
        ("check - --threads 2", "--threads has no effect: it is for the check of a certificate"),
        ("tiles solve 123456708 --weight 2", "--weight has no effect"),
        ("tiles solve 123456708 --algorithm uniform-cost --heuristic manhattan", "--heuristic has no effect"),
    ] {
        let input = if line.starts_with("check") { format!("{EASY}\nSolution\nR\n") } else { EASY.into() };
        ran(line, input).code(0).stderr(contains(sentence));
    }
    ran("solve - --algorithm weighted-a-star --weight 2", EASY).code(0).stderr("");
}

#[test]
fn limits_that_leave_no_room_get_a_sentence() {
    for (line, sentence) in [
        ("solve - --threads 0", "1 or more"),
        ("improve - --threads 0", "1 or more"),
        ("solve - --memory-limit 1", "no search fits into 1 B; give 64.0 KiB or more"),
        ("tiles solve 123456708 --memory-limit 1", "no search fits into 1 B"),
        ("compare - --memory-limit 1", "no search fits into 1 B"),
    ] {
        ran(line, EASY).code(2).stderr(contains(sentence));
    }
}

/// Tiles stop at the node; the strategies of a race stop after the expansion that reaches the limit.
#[test]
fn node_limits_hold() {
    for limit in [1, 10, 333, 5_000] {
        for algorithm in ["uniform-cost", "a-star", "ida-star", "bidirectional", "iterative-deepening", "greedy"] {
            let line = format!("tiles solve random:1 --json --algorithm {algorithm} --node-limit {limit}");
            let answer = objects(&ran(&line, "")).remove(0);
            assert!(answer["generated"].as_u64().unwrap() <= limit, "{line}: {}", answer["generated"]);
        }
        for threads in [1, 2] {
            let line = format!("solve - --json --threads {threads} --node-limit {limit}");
            let answer = objects(&ran(&line, WIDE)).remove(0);
            let expansion = 600;
            assert!(answer["generated"].as_u64().unwrap() <= limit + expansion, "{line}: {}", answer["generated"]);
        }
    }
}

#[test]
fn short_times_are_printed_in_milliseconds() {
    let printed = ran("solve - --goal pushes", EASY).code(0);
    let line = text(&printed).lines().next().unwrap().to_owned();
    assert!(line.ends_with(" ms") || line.ends_with(" s"), "{line}");
}
