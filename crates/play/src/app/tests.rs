//! Every screen as it looks at 80x24 and at 40x12, and the ways between them.

use super::*;
use crate::progress::Store;
use crate::theme::{Colours, Theme};
use crate::{First, TilesOptions};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use lurd::{Level, Map};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

const SIZES: [(u16, u16); 2] = [(80, 24), (40, 12)];

const LEVELS: [(&str, &str); 4] = [
    ("First push", "#####\n#@$.#\n#####"),
    ("Room", "########\n#      #\n#  $ $ #\n# .@.* #\n#      #\n########"),
    ("No way out", "####\n#@$#\n####"),
    ("Corner", "######\n#    #\n# @$ #\n#  . #\n######"),
];

fn levels() -> Vec<Level> {
    let level = |&(title, text): &(&str, &str)| {
        let mut level = Level::new(Map::from_xsb(text).unwrap());
        level.title = Some(title.to_owned());
        level.author = Some("A. Author".to_owned());
        level
    };
    LEVELS.iter().map(level).collect()
}

fn app_of(levels: Vec<Level>, store: Store, theme: Theme, first: First) -> App {
    App::new(Shared::new("Test set".into(), levels, store, theme, 7), first).unwrap()
}

fn app_with(levels: Vec<Level>, first: First) -> App {
    app_of(levels, Store::forgetful(), Theme::new(Colours::None, true), first)
}

fn app(first: First) -> App {
    app_with(levels(), first)
}

fn look(app: &App, (width, height): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| app.draw(frame.area(), frame.buffer_mut())).unwrap();
    terminal.backend().to_string()
}

/// Compares a screen with its pictures at both sizes.
fn check(name: &str, app: &App) {
    for size in SIZES {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), look(app, size));
        });
    }
}

fn press(app: &mut App, code: KeyCode) {
    app.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), Rect::new(0, 0, 80, 24));
}

/// Clicks at a place on the screen.
fn click(app: &mut App, column: u16, row: u16) {
    let kind = MouseEventKind::Down(MouseButton::Left);
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    app.event(&Event::Mouse(event), Rect::new(0, 0, 80, 24));
}

fn keys(app: &mut App, keys: &str) {
    keys.chars().for_each(|key| press(app, KeyCode::Char(key)));
}

/// Lets everything in the background come in.
fn settle(app: &mut App) {
    let place = app.place;
    while app.place == place && app.wait() < IDLE {
        app.tick(Duration::from_secs(1));
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn lurd(app: &App) -> String {
    app.sokoban.as_ref().unwrap().session().unwrap().game().lurd()
}

#[test]
fn the_menu() {
    let mut app = app(First::Menu);
    press(&mut app, KeyCode::Down);
    check("menu", &app);
    let ways =
        [('1', Place::Picker), ('2', Place::Picker), ('3', Place::School), ('4', Place::Tiles), ('5', Place::Cse)];
    for (key, place) in ways {
        keys(&mut app, &key.to_string());
        assert_eq!(app.place, place);
        press(&mut app, KeyCode::Esc);
        assert_eq!(app.place, Place::Menu);
        press(&mut app, KeyCode::Esc);
        assert_eq!(app.place, place, "back to the game");
        keys(&mut app, "m");
    }
    keys(&mut app, "7");
    assert!(!app.running);
}

#[test]
fn the_picker() {
    let mut app = app(First::Picker);
    settle(&mut app);
    press(&mut app, KeyCode::Down);
    check("picker", &app);
    press(&mut app, KeyCode::Down);
    check("picker_broken", &app);
    keys(&mut app, "/CORN");
    check("picker_search", &app);
    keys(&mut app, "x");
    assert!(look(&app, (80, 24)).contains("nothing matches"));
    press(&mut app, KeyCode::Backspace);
    press(&mut app, KeyCode::Enter);
    assert_eq!((app.place, app.sokoban.as_ref().unwrap().index()), (Place::Sokoban, 3));
    keys(&mut app, "o");
    press(&mut app, KeyCode::Esc);
    keys(&mut app, "/2");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.sokoban.as_ref().unwrap().index(), 1, "a number finds its level");
}

#[test]
fn the_picker_knows_what_is_solved() {
    let mut app = app(First::Level(0));
    press(&mut app, KeyCode::Right);
    keys(&mut app, "nl");
    settle(&mut app);
    keys(&mut app, "o");
    settle(&mut app);
    check("picker_progress", &app);
    keys(&mut app, "f");
    assert!(!look(&app, (80, 24)).contains("First push"));
    keys(&mut app, "f");
    assert!(look(&app, (80, 24)).contains("First push") && !look(&app, (80, 24)).contains("Corner"));
}

#[test]
fn a_level() {
    let mut app = app(First::Level(1));
    settle(&mut app);
    check("sokoban", &app);
    keys(&mut app, "?");
    check("help", &app);
    keys(&mut app, "jjjjjjjjjjjjjj");
    check("help_scrolled", &app);
    keys(&mut app, "x");
    assert_eq!(app.place, Place::Sokoban);
}

#[test]
fn keys_move_undo_and_go_between_levels() {
    let mut app = app(First::Level(1));
    for (pressed, made) in [("awdh", "luRl"), ("uuu", "l"), ("rr", "luR"), ("R", "")] {
        keys(&mut app, pressed);
        assert_eq!(lurd(&app), made);
    }
    press(&mut app, KeyCode::End);
    assert_eq!(lurd(&app), "luRl");
    keys(&mut app, "U");
    assert_eq!(lurd(&app), "lu");
    keys(&mut app, "bb");
    assert_eq!(app.sokoban.as_ref().unwrap().index(), 0);
    assert!(look(&app, (80, 24)).contains("This is the first level."));
    keys(&mut app, "n");
    assert_eq!(lurd(&app), "lu", "the game goes on where it was");
    keys(&mut app, "q");
    assert!(!app.running);
}

#[test]
fn a_solved_level() {
    let mut app = app(First::Level(0));
    press(&mut app, KeyCode::Right);
    settle(&mut app);
    check("sokoban_solved", &app);
    keys(&mut app, "p");
    assert_eq!(app.place, Place::Watch);
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.place, Place::Sokoban);
}

#[test]
fn a_lost_level_shows_the_box_and_the_reason() {
    let mut app = app(First::Level(3));
    press(&mut app, KeyCode::Right);
    settle(&mut app);
    check("sokoban_lost", &app);
    keys(&mut app, "xi");
    assert!(!app.sokoban.as_ref().unwrap().session().unwrap().is_busy(), "nothing is asked about a lost game");
    keys(&mut app, "u");
    assert!(!look(&app, (80, 24)).contains("Lost"));
}

#[test]
fn a_level_that_cannot_be_played() {
    let mut app = app(First::Level(2));
    press(&mut app, KeyCode::Right);
    check("sokoban_broken", &app);
    keys(&mut app, "n");
    assert_eq!(app.sokoban.as_ref().unwrap().index(), 3);
}

#[test]
fn a_hint_is_shown_and_played() {
    let mut app = app(First::Level(3));
    keys(&mut app, "i");
    settle(&mut app);
    check("sokoban_hint_where", &app);
    keys(&mut app, "i");
    assert!(look(&app, (80, 24)).contains("Hint: the marked box is the one to push. i: more."));
    keys(&mut app, "i");
    check("sokoban_hint", &app);
    keys(&mut app, " ");
    settle(&mut app);
    assert_eq!(lurd(&app), "urD");
}

#[test]
fn a_solution_from_here_is_watched() {
    let mut app = app(First::Level(1));
    keys(&mut app, "a");
    keys(&mut app, "x");
    settle(&mut app);
    assert_eq!(app.place, Place::Watch);
    press(&mut app, KeyCode::End);
    assert!(look(&app, (80, 24)).contains("3/3 home"));
    press(&mut app, KeyCode::Esc);
    keys(&mut app, "v");
    assert_eq!(app.place, Place::Watch);
    keys(&mut app, "m");
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.place, Place::Sokoban);
}

#[test]
fn a_solver_is_stopped() {
    let mut app = app(First::Level(1));
    keys(&mut app, "x");
    press(&mut app, KeyCode::Esc);
    assert!(look(&app, (80, 24)).contains("The solver was stopped."));
    settle(&mut app);
    assert_eq!(app.place, Place::Sokoban);
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.place, Place::Menu);
}

#[test]
fn the_playback() {
    let level = levels().remove(3);
    let mut app = app_with(Vec::new(), First::Watch(Box::new(level), "dluurrD".into()));
    press(&mut app, KeyCode::Home);
    check("watch_start", &app);
    press(&mut app, KeyCode::End);
    keys(&mut app, "++");
    check("watch", &app);
    // A click in the middle of the bar.
    click(&mut app, 40, 21);
    assert!(look(&app, (80, 24)).contains("move 4 of 7") || look(&app, (80, 24)).contains("move 3 of 7"));
    keys(&mut app, "?");
    check("watch_help", &app);
}

#[test]
fn a_terminal_without_unicode_gets_ascii() {
    let options = TilesOptions { start: Some("1 2 3 4 5 6 0 7 8".parse().unwrap()), ..TilesOptions::default() };
    let level = levels().remove(1);
    let firsts = [
        First::Menu,
        First::Picker,
        First::Level(1),
        First::Watch(Box::new(level), "l".into()),
        First::Tiles(options),
        First::Cse(crate::CseOptions::default()),
    ];
    for first in firsts {
        let mut app = app_of(levels(), Store::forgetful(), Theme::new(Colours::Sixteen, false), first);
        for size in SIZES {
            assert!(look(&app, size).is_ascii(), "{}", look(&app, size));
        }
        keys(&mut app, "?");
        assert!(look(&app, (80, 40)).is_ascii());
    }
}

#[test]
fn a_playback_by_itself_ends_the_program() {
    let level = levels().remove(0);
    let mut app = app_with(Vec::new(), First::Watch(Box::new(level), "R".into()));
    for _ in 0..3 {
        app.tick(Duration::from_millis(500));
    }
    assert!(look(&app, (40, 12)).contains("move 1 of 1"));
    press(&mut app, KeyCode::Esc);
    assert!(!app.running);
}

#[test]
fn the_pointer_walks_and_pushes() {
    let mut app = app(First::Level(1));
    keys(&mut app, "cll");
    check("sokoban_pointer", &app);
    press(&mut app, KeyCode::Enter);
    press(&mut app, KeyCode::Esc);
    settle(&mut app);
    assert!(lurd(&app).is_empty(), "a box was chosen, and Esc let it go");
    keys(&mut app, "cjll");
    press(&mut app, KeyCode::Enter);
    settle(&mut app);
    assert_eq!(lurd(&app).len(), 3);
    keys(&mut app, "R");
}

#[test]
fn clicks_walk_and_push() {
    let mut app = app(First::Level(1));
    // The board is 8x6 and drawn 16 columns wide in the middle of the body.
    let (left, top) = (32, 2 + (19 - 6) / 2);
    let click_square = |app: &mut App, row: u16, column: u16| {
        click(app, left + 2 * column, top + row);
        settle(app);
    };
    click_square(&mut app, 4, 1);
    assert_eq!(lurd(&app).len(), 3);
    keys(&mut app, "R");
    click_square(&mut app, 2, 3);
    check("sokoban_chosen", &app);
    click_square(&mut app, 3, 2);
    let session = app.sokoban.as_ref().unwrap().session().unwrap();
    assert_eq!((session.game().pushes(), session.game().boxes_home()), (2, 2));
}

#[test]
fn the_tiles() {
    let options = TilesOptions { start: Some("1 2 3 4 5 6 0 7 8".parse().unwrap()), ..TilesOptions::default() };
    let mut app = app_with(Vec::new(), First::Tiles(options));
    keys(&mut app, "i");
    settle(&mut app);
    check("tiles", &app);
    press(&mut app, KeyCode::Left);
    press(&mut app, KeyCode::Left);
    check("tiles_solved", &app);
    keys(&mut app, "+");
    check("tiles_4x4", &app);
    keys(&mut app, "++");
    assert!(look(&app, (40, 12)).contains("5x5"));
    keys(&mut app, "---g");
    assert!(look(&app, (40, 12)).contains("diagonal"));
    keys(&mut app, "x");
    settle(&mut app);
    for _ in 0..40 {
        app.tick(Duration::from_secs(1));
    }
    assert!(look(&app, (40, 12)).contains("Solved with"));
}

#[test]
fn cse() {
    let options = crate::CseOptions { start: Some(lurd_cse::Start::Left), ..crate::CseOptions::default() };
    let mut app = app_with(Vec::new(), First::Cse(options));
    check("cse", &app);
    keys(&mut app, "s");
    settle(&mut app);
    check("cse_answered", &app);
    keys(&mut app, "s");
    assert!(look(&app, (80, 24)).contains("Not possible"));
    keys(&mut app, "u");
    keys(&mut app, "i");
    settle(&mut app);
    assert!(look(&app, (80, 24)).contains("Hint:"));
    keys(&mut app, "v");
    for size in [(80, 24), (40, 12)] {
        let seen = look(&app, size);
        assert!(seen.contains("Values of C, S, E"), "{seen}");
        // An empty cell has three values.
        assert!(seen.contains(" 0  0  0 "), "{seen}");
    }
    keys(&mut app, "v");
    assert!(!look(&app, (80, 24)).contains("Values of C, S, E"));
}

#[test]
fn small_windows_get_a_message_and_q_leaves() {
    let mut app = app(First::Level(1));
    let said = look(&app, (39, 12));
    assert!(said.contains("This window is 39x12"), "{said}");
    for size in [(1, 1), (5, 2), (40, 11), (200, 3)] {
        look(&app, size);
    }
    app.event(&Event::Key(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE)), Rect::new(0, 0, 39, 12));
    assert!(!app.running);
}

#[test]
fn every_size_can_be_drawn() {
    let mut rows = vec![vec![lurd::Cell::Floor; 150]; 90];
    rows[45][75] = lurd::Cell::Player;
    let large = Level::new(Map::from_rows(&rows));
    let mut screens = vec![app(First::Menu), app(First::Picker), app(First::Level(1))];
    screens.push(app_with(vec![large.clone()], First::Picker));
    screens.push(app_with(vec![large], First::Level(0)));
    screens.push(app(First::Cse(crate::CseOptions::default())));
    for side in 2..=5 {
        screens.push(app(First::Tiles(TilesOptions { side, ..TilesOptions::default() })));
    }
    for app in &mut screens {
        for width in (1..130).step_by(13) {
            for height in (1..50).step_by(7) {
                look(app, (width, height));
            }
        }
        app.event(&Event::Resize(40, 12), Rect::new(0, 0, 40, 12));
    }
}

#[test]
fn control_c_leaves_from_everywhere() {
    for first in [First::Menu, First::Picker, First::Level(1)] {
        let mut app = app(first);
        let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        app.event(&Event::Key(key), Rect::new(0, 0, 80, 24));
        assert!(!app.running);
    }
}

#[test]
fn a_file_is_opened_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.xsb");
    // The second level has no goal: it is left out, and the third keeps its number.
    std::fs::write(&file, "#####\n#@$.#\n#####\n\n####\n#@$#\n####\n\n######\n#@ $.#\n######\n").unwrap();
    let mut app = app(First::Picker);
    keys(&mut app, "O/no/such/file");
    check("picker_open", &app);
    press(&mut app, KeyCode::Enter);
    assert!(look(&app, (80, 24)).contains("/no/such/file: "));
    keys(&mut app, "O");
    (0.."/no/such/file".len()).for_each(|_| press(&mut app, KeyCode::Backspace));
    keys(&mut app, file.to_str().unwrap());
    press(&mut app, KeyCode::Enter);
    let seen = look(&app, (80, 24));
    assert!(seen.contains("Opened: 2 levels; 1 more are broken"), "{seen}");
    keys(&mut app, "/3");
    press(&mut app, KeyCode::Enter);
    assert!(look(&app, (80, 24)).contains("level 3, 2/2"), "{}", look(&app, (80, 24)));
}

#[test]
fn the_list_begins_at_the_level_played_last() {
    let folder = tempfile::tempdir().unwrap();
    let with_store = |first| app_of(levels(), Store::open(folder.path()), Theme::new(Colours::None, true), first);
    let mut app = with_store(First::Level(3));
    keys(&mut app, "k");
    drop(app);
    let mut app = with_store(First::Picker);
    settle(&mut app);
    press(&mut app, KeyCode::Enter);
    assert_eq!(lurd(&app), "u");
    assert!(look(&app, (80, 24)).contains("Welcome back"));
}

#[test]
fn titles_cannot_upset_the_terminal() {
    let mut level = levels().remove(0);
    level.title = Some("red \x1b[31m alert".into());
    let app = app_with(vec![level], First::Level(0));
    assert!(look(&app, (80, 24)).contains("red ?[31m alert"));
}

/// What is wrong is one box in a corner: the explanation names it and says what was tried.
#[test]
fn a_lost_level_is_explained() {
    let mut app = app(First::Level(3));
    press(&mut app, KeyCode::Right);
    settle(&mut app);
    keys(&mut app, "e");
    settle(&mut app);
    check("sokoban_explained", &app);
    keys(&mut app, "u");
    assert!(!look(&app, (80, 24)).contains("Lost:"));
}

#[test]
fn lessons_are_read_answered_and_played() {
    let mut app = app(First::Menu);
    keys(&mut app, "3");
    check("school", &app);
    (0..4).for_each(|_| press(&mut app, KeyCode::Down));
    press(&mut app, KeyCode::Enter);
    check("lesson", &app);
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.place, Place::Sokoban);
    assert!(look(&app, (80, 24)).contains("Solve the level."));
    keys(&mut app, "lll");
    assert!(look(&app, (80, 24)).contains("Solved with 2 pushes."));
    keys(&mut app, "N");
    press(&mut app, KeyCode::Esc);
    (0..8).for_each(|_| press(&mut app, KeyCode::Down));
    press(&mut app, KeyCode::Enter);
    keys(&mut app, "1");
    settle(&mut app);
    assert!(look(&app, (80, 24)).contains("No: breadth-first search opens"), "{}", look(&app, (80, 24)));
    keys(&mut app, "2");
    settle(&mut app);
    assert!(look(&app, (80, 24)).contains("Right: "));
    check("lesson_picture", &app);
}

/// The series goes on from level to level, and skipped levels are followed by others.
#[test]
fn the_series_goes_on() {
    let mut app = app(First::Menu);
    keys(&mut app, "3");
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert!(look(&app, (80, 24)).contains("Making level 1 of the series, grade 1"));
    settle(&mut app);
    assert_eq!(app.place, Place::Sokoban);
    let first = app.sokoban.as_ref().unwrap().index();
    keys(&mut app, "n");
    assert_eq!(app.place, Place::School);
    settle(&mut app);
    assert_eq!(app.sokoban.as_ref().unwrap().index(), first + 1);
}
