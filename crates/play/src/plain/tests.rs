//! Whole conversations, as a pipe would have them.

use super::*;
use crate::progress::Store;
use crate::screens::cse::CseOptions;
use crate::screens::tiles::TilesOptions;
use crate::theme::{Colours, Theme};
use lurd::Map;
use lurd_search::game::Side;

fn shared(levels: &[&str]) -> Shared {
    let levels = levels.iter().map(|text| Level::new(Map::from_xsb(text).unwrap())).collect();
    let theme = Theme::new(Colours::None, true);
    Shared::new("Test".into(), levels, Store::forgetful(), theme, 1)
}

fn talk(levels: &[&str], first: First, input: &str) -> String {
    let mut output = Vec::new();
    run(shared(levels), first, &mut input.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

const LEVELS: [&str; 3] = ["#####\n#@$.#\n#####", "#######\n#     #\n# @$. #\n#     #\n#######", "####\n#@$#\n####"];

#[test]
fn a_level_is_played_to_its_end() {
    let said = talk(&LEVELS, First::Level(0), "help\nr\nbest\nundo\nredo\nbest\nquit\n");
    assert!(said.contains("Solved, and it is your best yet."), "{said}");
    assert!(said.contains("fewest moves: 1 move, 1 push: R"), "{said}");
}

#[test]
fn walks_pushes_hints_and_warnings() {
    let input =
        "walk 4 6\npush 3 4 3 5\nrestart\nhint\nsolve\npush 3 4 2 2\nhint\nfly\nwalk 1 1\nlevel 9\nlevels\nquit\n";
    let said = talk(&LEVELS, First::Level(1), input);
    assert!(said.contains("4 moves, 0 pushes"), "{said}");
    assert!(said.contains("Solved, and it is your best yet."));
    assert!(said.contains("Push the box at row 3, column 4: r"));
    assert!(said.contains("R (1 push)"));
    assert!(said.contains("Lost since move"), "the corner: {said}");
    assert!(said.contains("It is lost already"));
    assert!(said.contains("`fly` is no command"));
    assert!(said.contains("there is no way to walk there"));
    assert!(said.contains("`9` is no level; there are 3."));
}

#[test]
fn a_level_that_cannot_be_played_says_why() {
    let said = talk(&LEVELS, First::Level(2), "r\nnext\nprev\nquit\n");
    assert!(said.contains("as many boxes as goals"), "{said}");
    assert!(said.contains("There is no further level."));
    assert!(said.contains("Level 2 of 3"));
}

#[test]
fn a_solution_is_shown_board_by_board() {
    let level = Level::new(Map::from_xsb(LEVELS[0]).unwrap());
    let said = talk(&[], First::Watch(Box::new(level.clone()), "R".into()), "");
    assert_eq!(said, "move 0 of 1\n#####\n#@$.#\n#####\n\nmove 1 of 1 (R)\n#####\n# @*#\n#####\n\n");
    let mut output = Vec::new();
    let wrong = run(shared(&[]), First::Watch(Box::new(level), "L".into()), &mut "".as_bytes(), &mut output);
    assert!(matches!(wrong, Err(PlayError::Solution(_))));
}

#[test]
fn tiles_are_played_to_their_end() {
    let options = TilesOptions { start: Some("1 2 3 4 5 6 0 7 8".parse().unwrap()), ..TilesOptions::default() };
    let said = talk(&[], First::Tiles(options), "hint\nsolve\n1\n7\nundo\nredo\n8\nnew 4\nnew 9\nquit\n");
    assert!(said.contains("7 (2 moves to go, the shortest way)"), "{said}");
    assert!(said.contains("7 8 (2 moves to go"));
    assert!(said.contains("`1` is no tile next to the gap"));
    assert!(said.contains("Solved with 2 moves."));
    assert!(said.contains("sides are 2 to 5"));
}

#[test]
fn cse_refuses_what_is_wrong_and_answers_what_is_right() {
    let options = CseOptions { first: Side::Min, computer: Side::Max, ..CseOptions::default() };
    let said = talk(&[], First::Cse(options), "hint\n9 9 C\n1 1 C\nundo\nundo\nhelp\nnew\n");
    assert!(said.contains("Not possible"), "{said}");
    assert!(said.contains("The computer plays"));
    assert!(said.contains("There is nothing to take back."));
}

#[test]
fn lessons_are_listed_played_and_answered() {
    let input = "lessons\nlesson 99\nlesson push\nrr\nundo\nrrr\nnext\nback\nlesson a-star\n1\n2\n3\nhelp\nback\nr\n";
    let said = talk(&LEVELS, First::Level(0), input);
    assert!(said.contains("    4  Corners (corner)"), "{said}");
    assert!(said.contains("`99` is no lesson"));
    assert!(said.contains("Solved with 2 pushes. `next` goes on."));
    assert!(said.contains("Behind the box\n"), "the next lesson: {said}");
    assert!(said.contains("No: breadth-first search opens") && said.contains("Right: breadth-first search opens"));
    assert!(said.contains("pushes breadth-first search"), "the picture: {said}");
    assert!(said.contains("`3` is no move and no answer"));
    assert!(said.contains("Solved, and it is your best yet."), "back in the level: {said}");
}
