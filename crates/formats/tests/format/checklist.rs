//! Common parser bugs: one test per point.

use crate::boards::{TINY, good, map, sentence, titles};
use lurd_formats::{DefectKind, Format, MAX_SIDE, WarningKind, read};
use lurd_level::Place;
use lurd_level::validity::{FlawKind, check};

#[test]
fn point_01_trim_only_the_right_and_the_common_margin() {
    let wanted = map("  ####\n###@.#\n# $  #\n######");
    assert_eq!(good("  ####   \n###@.#\n# $  #\n######  \n").levels[0].map, wanted);
    assert_eq!(good("     ####\n   ###@.#\n   # $  #\n   ######\n").levels[0].map, wanted);
    assert_eq!(good("     ####\n   ###@.#\n   # $  #\n   ######\n").levels[0].place, Place { line: 1, column: 6 });
}

#[test]
fn point_02_tabs_are_expanded_with_a_warning() {
    let collection = good("\t######\n        #@ $.#\n\t######\n");
    assert_eq!(collection.levels[0].map, map("######\n#@ $.#\n######"));
    assert_eq!(collection.warnings.len(), 1);
    assert_eq!((collection.warnings[0].place.line, &collection.warnings[0].kind), (1, &WarningKind::Tabs));
}

#[test]
fn point_03_line_ends_of_every_system() {
    for end in ["\n", "\r\n", "\r"] {
        let collection = good(format!("; one\n{TINY}\n; two\n{TINY}").replace('\n', end));
        assert_eq!(titles(&collection), ["one", "two"], "{end:?}");
        assert_eq!(collection.levels[1].place.line, 7);
    }
}

#[test]
fn point_04_byte_order_marks_utf16_and_latin1() {
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(TINY.bytes());
    assert_eq!(good(marked).levels[0].map, map(TINY));
    for big in [false, true] {
        let mut wide = if big { vec![0xfe, 0xff] } else { vec![0xff, 0xfe] };
        for unit in format!("; Peña\n{TINY}").encode_utf16() {
            wide.extend(if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
        }
        assert_eq!(titles(&good(wide)), ["Peña"]);
    }
    let mut latin: Vec<u8> = TINY.bytes().collect();
    latin.extend(b"Author: Garc\xeda\n");
    assert_eq!(good(latin).levels[0].author.as_deref(), Some("García"));
}

#[test]
fn point_05_nul_and_form_feed_separate_levels() {
    for separator in ["\0", "\u{c}", "\0\n", " \n"] {
        let collection = good(format!("{TINY}{separator}{TINY}"));
        assert_eq!(collection.levels.len(), 2, "{separator:?}");
    }
}

#[test]
fn point_06_dashes_and_underscores_are_floor() {
    let collection = good("__#####__\n__#@-$.#_\n__######_\n".replace("__#####__", "__######_"));
    assert_eq!(collection.levels[0].map, map("######\n#@ $.#\n######"));
    let mixed = good("-######\n-#@_ $.#\n-#- -  #\n-#######\n".replace("-######\n-#@", "-#######\n-#@"));
    assert_eq!(mixed.levels[0].map, map("#######\n#@  $.#\n#     #\n#######"));
}

#[test]
fn point_07_empty_rows_inside_and_decoration_on_top() {
    let collection = good(format!("{TINY}--\n * \n-_-\n###\n###\n"));
    assert_eq!(collection.levels.len(), 1);
    assert_eq!(collection.levels[0].map.height(), 8);
    let topped = good(format!(" * *\n{TINY}"));
    assert_eq!(topped.levels[0].map, map(&format!(" * *\n{TINY}")));
    assert_eq!(topped.levels[0].title, None);
}

#[test]
fn point_08_blanks_and_dashes_of_web_pages() {
    let collection = good("######\n#@\u{a0}$.#\n#\u{2013}\u{3000}\u{2212} #\n######\n");
    assert_eq!(collection.levels[0].map, map("######\n#@ $.#\n#    #\n######"));
    assert_eq!(collection.warnings.len(), 1);
    assert_eq!(collection.warnings[0].kind, WarningKind::WebCharacters);
}

#[test]
fn point_09_text_that_looks_like_a_board() {
    let text = format!("-----\n\n....\n\n# 1\n\n{TINY}....\n\n***\n# 2\n{TINY}-----\nBob\n");
    let collection = good(&text);
    assert_eq!(collection.defects, []);
    assert_eq!(titles(&collection), ["# 1", "# 2"]);
    assert!(collection.levels.iter().all(|level| level.map == map(TINY)));
}

#[test]
fn point_10_a_semicolon_at_the_end_of_a_row_is_no_comment() {
    assert!(sentence("#####\n#@$.#;\n#####\n").contains("line 2, column 6"));
    assert!(sentence("#####\n#@$.#;\n#####\n").contains("';'"));
    assert_eq!(titles(&good(format!("{TINY};2\n{TINY}"))), ["-", "2"]);
}

#[test]
fn point_11_every_defect_has_its_message_and_place() {
    let defect = |text: &str| {
        let collection = read(format!("{TINY}\n{text}").as_bytes(), None).unwrap();
        assert_eq!(collection.levels.len(), 1, "{text}");
        let defect = &collection.defects[0];
        assert_eq!(defect.number, 2);
        let DefectKind::Flaw(kind) = defect.kind.clone() else { panic!("{defect}") };
        (kind, defect.place.line - 4, defect.place.column)
    };
    assert_eq!(defect("#####\n# $.#\n#####"), (FlawKind::NoPlayer, 1, 1));
    assert_eq!(defect("######\n#@$.@#\n######"), (FlawKind::SecondPlayer, 2, 5));
    assert_eq!(defect("####\n#@ #\n####"), (FlawKind::NoBox, 1, 1));
    assert_eq!(defect("######\n#@$..#\n######"), (FlawKind::Counts { boxes: 1, goals: 2 }, 1, 1));
    assert_eq!(defect(" #####\n #@$.\n #####"), (FlawKind::NotEnclosed, 2, 6));
    assert_eq!(defect("@ #####\n  # $.#\n  #####"), (FlawKind::NotEnclosed, 1, 1));
    assert_eq!(defect(" ##### $\n #@ .#\n #####"), (FlawKind::UnreachableBox, 1, 8));
    assert_eq!(defect(" ##### .\n #@$ #\n #####"), (FlawKind::UnreachableGoal, 1, 8));
}

#[test]
fn point_12_empty_files_and_a_last_line_without_a_line_end() {
    for text in ["", "\n\n", "; only a comment\n", "Title: nothing\n"] {
        assert!(sentence(text).starts_with("there is no level in the file"), "{text:?}");
    }
    assert_eq!(good(TINY.trim_end()).levels[0].map, map(TINY));
}

#[test]
fn point_13_big_boards_are_read_up_to_a_reported_limit() {
    let ring = |side: usize| {
        let inner = format!("#{}#\n", "-".repeat(side - 2)).repeat(side - 2);
        format!("{0}\n{inner}{0}\n", "#".repeat(side)).replacen("#---", "#@$.", 1)
    };
    assert_eq!(good(ring(250)).levels[0].map.width(), 250);
    assert!(sentence(ring(300)).contains("88804 squares"), "too many to play");
    assert!(sentence(ring(MAX_SIDE + 1)).contains("line 1, column 1001: level 1: the row is longer than 1000"));
    let boxes = format!("{0}\n#@ {1}#\n#  {2}#\n{0}\n", "#".repeat(503), "$".repeat(499), ".".repeat(499));
    assert_eq!(check(&good(boxes).levels[0].map).unwrap().boxes, 499);
}

#[test]
fn point_14_decoration_is_counted_apart() {
    let collection = good("##### #*#\n#@$.# #*#\n##### ###\n");
    let census = check(&collection.levels[0].map).unwrap();
    assert_eq!((census.boxes, census.goals, census.reachable_boxes), (3, 3, 1));
    assert_eq!(collection.warnings[0].kind, WarningKind::Decoration { number: 1, boxes: 2 });
    assert_eq!(collection.levels[0].map.normalized(), map(TINY));
}

#[test]
fn point_15_solved_at_the_start_is_legal() {
    assert_eq!(good("####\n#@*#\n####\n").defects, []);
    assert_eq!(good("#######\n#*@$ .#\n#######\n").defects, []);
}

#[test]
fn point_16_counts_bars_and_groups() {
    let wanted = map("#####\n# @ #\n# $ #\n# . #\n#####");
    for text in [
        "5#|#-@-#|#-$-#|#-.-#|5#",
        "5#|#-@-#|#-$-#|#-.-#|5#|",
        "5#\n#-@-#\n#-$-#\n#-.-#\n5#\n",
        "2(2#)#|#-@-#|#-b-#|#-.-#|#2(2(#))",
    ] {
        let collection = good(text);
        assert_eq!(collection.levels[0].map, wanted, "{text}");
        assert_eq!(collection.format, Format::Rle);
    }
    assert_eq!(good("12#|#@9-#|#-$.7-#|12#").levels[0].map.width(), 12, "a count of two digits");
    assert_eq!(good("#####|#@$.#|#####\n#####|#.$@#|#####\n").levels.len(), 2, "one level a line");
    assert_eq!(good("5#|#-@-#|#-$-#\n#-.-#|#3-#|5#\n").levels.len(), 1, "a level on two lines");
    assert_eq!(good("5#|#-$.#|5#\n5#|#@$.#|5#\n").levels[0].number, 2, "a bad level keeps to its line");
    assert!(sentence("5#|#@$.#|5").contains("line 1, column 10"));
    assert!(sentence("999999999#|#@$.#|5#").contains("decodes to more than"));
}

#[test]
fn point_17_titles_repeat_and_positions_count() {
    let collection = good(format!("; Room: the 2nd\n{TINY}\n; 12\n#####\n# $.#\n#####\n\n; 12\n{TINY}"));
    assert_eq!(titles(&collection), ["Room: the 2nd", "12"]);
    assert_eq!(collection.levels.iter().map(|level| level.number).collect::<Vec<_>>(), [1, 3]);
    assert_eq!((collection.defects[0].number, collection.defects[0].title.as_deref()), (2, Some("12")));
}
