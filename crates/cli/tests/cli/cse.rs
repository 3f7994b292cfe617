//! `lurd cse`.

use super::{lurd, objects, ran, text};
use assert_cmd::assert::Assert;
use lurd_cse::{Advice, Ending, Move, Position, Start};
use lurd_search::game::{Side, Strategy};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::collections::HashMap;

fn play(arguments: &[&str], entries: &str) -> Assert {
    lurd().args(["cse", "play", "--start", "left"]).args(arguments).write_stdin(entries).assert()
}

/// Every entry there is, wins for a careless opponent first; those that are refused cost nothing.
fn every_entry() -> String {
    let cells = (1..=3).flat_map(|row| (1..=3).map(move |column| (row, column)));
    cells.flat_map(|(row, column)| ["C", "S", "E"].map(|letter| format!("{row} {column} {letter}\n"))).collect()
}

#[test]
fn both_starts_and_first_movers_are_solved() {
    let output = ran("cse analyse --json", "").code(0);
    let record = &objects(&output)[0];
    let cases = record["cases"].as_array().unwrap();
    let named: Vec<_> =
        cases.iter().map(|case| (case["start"].as_str().unwrap(), case["first"].as_str().unwrap())).collect();
    assert_eq!(named, [("left", "max"), ("left", "min"), ("right", "max"), ("right", "min")]);
    for case in cases {
        let nodes = |method: &str| case["nodes"][method].as_u64().unwrap();
        assert!(nodes("minimax") > nodes("alphabeta") && nodes("minimax") > nodes("memo"), "{case}");
        assert!(case["positions"].as_u64().unwrap() > 1000);
        assert_eq!(case["first_moves"].as_array().unwrap().len(), 24);
        // The value is that of the best first move.
        let values = case["first_moves"].as_array().unwrap().iter().map(|mv| mv["value"].as_i64().unwrap());
        let best = if case["first"] == "max" { values.max() } else { values.min() };
        assert_eq!(case["value"].as_i64(), best);
    }
    assert_eq!(cases[0]["value"], cases[2]["value"], "the starts mirror each other");
}

#[test]
fn people_read_the_values_the_best_play_and_the_nodes() {
    ran("cse analyse", "")
        .code(0)
        .stdout(contains("S left, MAX first: value 0, draw"))
        .stdout(contains("S right, MIN first: value 0, draw"))
        .stdout(contains("best play: MAX ").and(contains("alpha-beta+memo+ordering")))
        .stdout(contains("first moves of MIN"));
}

#[test]
fn wrong_entries_are_refused_with_the_reason_and_the_turn_stays() {
    play(&["--first", "min", "--quiet"], "9 1 C\n\n1 1\n2 1 C\n1 2 X\n1 2 S\n")
        .code(0)
        .stdout(contains("`9` is no row"))
        .stdout(contains("`1 3 C`, but found ``.").and(contains("but found `1 1`.")))
        .stdout(contains("row 2, column 1 already holds S"))
        .stdout(contains("`X` is no letter"))
        .stdout(contains("     1   2   3\n  1  .   S   .\n  2  S   .   .\n"))
        .stdout(contains("MAX plays ").and(contains("The input has ended; the game stays unfinished.")));
}

#[test]
fn the_computer_shows_what_it_thought() {
    play(&[], "")
        .code(0)
        .stdout(contains("You play MIN, the computer plays MAX; MAX moves first."))
        .stdout(contains("+n: MAX wins in n moves"))
        .stdout(contains("best play: MAX "))
        .stdout(contains("  minimax ").and(contains("  alpha-beta ")).and(contains("  memo ")));
}

#[test]
fn commands_show_values_take_back_help_and_quit() {
    play(&["--first", "min", "--quiet"], "?\nu\nv\n1 2 S\nu\nq\n1 1 C\n")
        .code(0)
        .stdout(contains("Other entries: v shows"))
        .stdout(contains("There is no move of yours to take back."))
        .stdout(contains("best play: MIN "))
        // The start, and the start again after the move was taken back.
        .stdout(predicates::function::function(|text: &str| text.matches("  1  .   .   .\n  2  S").count() == 2))
        .stdout(contains("The game stays unfinished.\n"));
}

#[test]
fn a_game_is_played_to_its_end_under_every_switch() {
    for switches in [
        &[][..],
        &["--alphabeta"],
        &["--alphabeta", "--ordering"],
        &["--alphabeta", "--ordering", "--no-memo"],
        &["--you", "max", "--first", "min"],
        &["--you", "max"],
    ] {
        let output = play(&[switches, &["--quiet"]].concat(), &every_entry()).code(0);
        let text = text(&output);
        let last = text.lines().last().unwrap();
        assert!(last.ends_with("the computer has won.") || last.ends_with("a draw."), "{switches:?}: {text}");
    }
}

#[test]
fn wrong_flags_and_endless_nonsense_end_with_code_2() {
    for wrong in [&["--first", "me"][..], &["--start", "middle"], &["--you", "both"], &["--ordering"], &["now"]] {
        let output = lurd().args(["cse", "play"]).args(wrong).assert().code(2);
        assert!(!output.get_output().stderr.is_empty() && output.get_output().stdout.is_empty(), "{wrong:?}");
    }
    play(&["--quiet"], &"\u{1b}]nonsense\n".repeat(1000))
        .code(2)
        .stderr(contains("the game is given up"))
        .stdout(contains("\u{1b}").not());
    let bytes = vec![0xffu8; 1_000_000];
    lurd().args(["cse", "play", "--quiet"]).write_stdin(bytes).assert().code(2);
}

/// What the computer plays, remembered by position: it is the same every time.
#[derive(Default)]
struct Computer(HashMap<Position, Move>);

impl Computer {
    fn reply(&mut self, position: &Position) -> Move {
        *self.0.entry(*position).or_insert_with(|| Advice::of(position, Strategy::BEST).best.unwrap().mv)
    }
}

#[test]
fn a_random_min_never_beats_max_in_10_000_games() {
    let mut dice: u64 = 1;
    let mut roll = |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % sides
    };
    let mut max = Computer::default();
    let mut wins = 0;
    for game in 0..10_000 {
        let first = if game % 2 == 0 { Side::Max } else { Side::Min };
        let mut position = Position::new(Start::ALL[game / 2 % 2], first);
        while position.ending().is_none() {
            let mv = match position.side_to_move() {
                Side::Max => max.reply(&position),
                Side::Min => {
                    let moves = position.moves();
                    moves[roll(moves.len())]
                }
            };
            position = position.play(mv).unwrap();
        }
        assert_ne!(position.ending(), Some(Ending::Won(Side::Min)), "game {game}: {}", position.board());
        wins += usize::from(position.ending() == Some(Ending::Won(Side::Max)));
    }
    assert!(wins > 5_000, "a random opponent loses most games, but MAX won {wins}");
}
