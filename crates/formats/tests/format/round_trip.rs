//! A written collection is read back with the same levels, titles and authors, as far as the format holds them.

use crate::boards::{TINY, good, map};
use lurd_formats::{Collection, Format, read, write};
use lurd_level::{Level, Map, SavedGame};

/// Boards with the difficult cases of the formats: ragged, indented, on goals, decoration, gaps, size.
pub(crate) fn boards() -> Vec<Map> {
    let mut boards: Vec<Map> = [
        "#####\n#@$.#\n#####",
        "  ####\n###@.#\n# $  #\n######",
        "#####\n#+$ #\n#####",
        "#####\n#@* #\n#####",
        "##### ***\n#@$.#\n#####\n\n  *",
        " ###\n##.##\n#.$.#\n#$@$#\n#   #\n#####",
        "########\n#  ##  #\n#@$  . #\n####  ##\n   ####",
    ]
    .iter()
    .map(|text| map(text))
    .collect();
    let wide = format!("{0}\n#@$.{1}#\n{0}", "#".repeat(60), " ".repeat(55));
    boards.push(map(&wide));
    boards
}

fn through(collection: &Collection, format: Format) -> Option<Collection> {
    let bytes = write(collection, format).ok()?;
    let hint = (format == Format::Digits).then_some(format);
    let again =
        read(&bytes, hint).unwrap_or_else(|error| panic!("{format}: {error}\n{}", String::from_utf8_lossy(&bytes)));
    assert_eq!(again.defects, [], "{format}\n{}", String::from_utf8_lossy(&bytes));
    Some(again)
}

/// Sends a collection through every format that can hold it; returns the number of such formats.
pub(crate) fn all_formats(collection: &Collection) -> usize {
    let mut held = 0;
    for &format in Format::ALL {
        let Some(again) = through(collection, format) else { continue };
        held += 1;
        assert_eq!(again.levels.len(), collection.levels.len(), "{format}");
        for (is, was) in again.levels.iter().zip(&collection.levels) {
            assert_eq!(is.map.normalized(), was.map.normalized(), "{format}");
            if matches!(format, Format::Xsb | Format::Rle | Format::Sok | Format::Slc | Format::Mf8 | Format::Ssx) {
                assert_eq!(is.map.trimmed(), was.map.trimmed(), "{format}: decoration too");
            }
            if !matches!(format, Format::SokoBot | Format::Course | Format::Boxoban) && was.title.is_some() {
                assert_eq!((&is.title, &is.author), (&was.title, &was.author), "{format}");
            }
        }
    }
    held
}

#[test]
fn boards_survive_every_format_that_can_hold_them() {
    for board in boards() {
        assert!(all_formats(&Collection::new(vec![Level::new(board)])) >= 8);
    }
    let all = Collection::new(boards().into_iter().map(Level::new).collect());
    assert_eq!(all_formats(&all), 7);
}

#[test]
fn titles_of_every_kind_survive() {
    let names = [
        "1",
        "12",
        "# 1",
        "lurd",
        "Title: x",
        "; half",
        "a: b",
        "Fish & <chips> \"'",
        "Peña",
        "####",
        "#@$.#",
        "Comment:",
        "rR",
        "-",
        ":: x",
    ];
    let levels = names.iter().zip(boards().into_iter().cycle()).map(|(name, board)| Level {
        title: Some((*name).to_owned()),
        author: Some(format!("by {name}")),
        ..Level::new(board)
    });
    assert_eq!(all_formats(&Collection::new(levels.collect())), 7);
}

#[test]
fn titles_notes_and_games_survive_sok() {
    let game = |title: &str, moves: &str, mark, solves| SavedGame {
        title: title.into(),
        moves: moves.into(),
        notes: vec!["a note on it".into()],
        mark,
        solves,
    };
    let level = Level {
        title: Some("One".into()),
        notes: vec!["#####".into(), "rrr".into(), "Difficulty: 3".into(), "comment-end: no".into()],
        games: vec![game("Solution", "R", None, true), game("Saved", "R", Some(0), true)],
        ..Level::new(boards()[0].clone())
    };
    let mut collection = Collection::new(vec![level.clone(), Level { title: Some("Two".into()), ..level }]);
    collection.title = Some("A set".into());
    collection.author = Some("Somebody".into());
    collection.notes = vec!["about the set".into()];
    let again = through(&collection, Format::Sok).unwrap();
    assert_eq!((&again.title, &again.author, &again.notes), (&collection.title, &collection.author, &collection.notes));
    for (is, was) in again.levels.iter().zip(&collection.levels) {
        assert_eq!((&is.title, &is.games), (&was.title, &was.games));
        assert_eq!(is.notes[..3], was.notes[..3]);
        assert_eq!(is.notes[3], "; comment-end: no", "a note that would end the block is marked");
    }
}

/// Solutions of levels with and without titles are read again from every format that has a place for them.
#[test]
fn games_survive_every_format_that_holds_them() {
    let game = |moves: &str, notes: &[&str]| SavedGame {
        title: "Solution".into(),
        moves: moves.into(),
        notes: notes.iter().map(|&note| note.into()).collect(),
        mark: None,
        solves: true,
    };
    let corridor = |floor: usize| map(&format!("{0}\n#@${1}.#\n{0}", "#".repeat(floor + 5), " ".repeat(floor)));
    let levels = |titled: bool| {
        (0..6usize)
            .map(|floor| Level {
                title: titled.then(|| format!("Level {floor}")),
                games: match floor % 3 {
                    0 => vec![game(&"R".repeat(floor + 1), &[])],
                    1 => vec![game(&"R".repeat(floor + 1), &["a few pushes, a few moves"])],
                    _ => Vec::new(),
                },
                ..Level::new(corridor(floor))
            })
            .collect()
    };
    for titled in [true, false] {
        let collection = Collection::new(levels(titled));
        for format in Format::ALL.iter().copied().filter(|format| format.holds_games()) {
            let again = through(&collection, format).unwrap();
            for (is, was) in again.levels.iter().zip(&collection.levels) {
                // A level of `ssx` has a title.
                if was.title.is_some() || format != Format::Ssx {
                    assert_eq!(is.title, was.title, "{format}");
                }
                assert_eq!((&is.games, &is.notes), (&was.games, &was.notes), "{format}");
            }
        }
    }
}

#[test]
fn reading_and_writing_gives_the_same_text() {
    let text = "Collection: Set\n\n#####\n#@$.#\n#####\nTitle: a\n\n";
    assert_eq!(String::from_utf8(write(&good(text), Format::Xsb).unwrap()).unwrap(), text);
    let counted = "5#|#@$.#|5#\nTitle: a\n\n";
    assert_eq!(String::from_utf8(write(&good(counted), Format::Rle).unwrap()).unwrap(), counted);
}

/// Found by fuzzing: what is a note in one format was a level of its own, or a key, in another.
#[test]
fn notes_of_games_stay_notes_in_every_format() {
    let game = |board: &str, note: &str| format!("{board}Title: a\n\nSolution\nR\nA note\n{note}\n");
    let digits = "#####\n#10$#\n#####\n";
    let files = [
        (Format::Xsb, game(TINY, "1 0 $")),
        (Format::Xsb, game(TINY, "[soko=5,3]\n[/soko]")),
        (Format::Digits, game(digits, "#####\n#@$.#\n#####")),
        (Format::Digits, game(digits, "5#|#@$.#|5#")),
        (Format::Xsb, game(TINY, "// Variant: Hexoban")),
        (Format::Xsb, game(TINY, "; Author: nobody\n; Comment: nothing\n; rR")),
    ];
    for (from, text) in files {
        let collection = read(text.as_bytes(), Some(from)).unwrap();
        let (levels, notes) = (collection.levels.len(), collection.levels[0].games[0].notes.len());
        assert_eq!((levels, notes > 1), (1, true), "{text}");
        for to in [Format::Xsb, Format::Sok, Format::Rle, Format::Digits, Format::Mf8] {
            let again = read(&write(&collection, to).unwrap(), Some(to)).unwrap();
            assert_eq!((again.levels.len(), again.levels[0].games[0].notes.len()), (1, notes), "{to} of {text}");
        }
    }
}

#[test]
fn titles_of_games_stay_titles_in_every_format() {
    for title in ["Variant: Hexoban", "Comment: nothing", "Title: another", "#####", "1 0 $", "[soko=5,3]", "'quoted'"]
    {
        let collection = read(format!("{TINY}Title: a\n\n; {title}\nR\n").as_bytes(), Some(Format::Xsb)).unwrap();
        assert_eq!(collection.levels[0].games[0].title, title);
        for to in [Format::Xsb, Format::Sok, Format::Rle, Format::Digits, Format::Mf8] {
            let again = read(&write(&collection, to).unwrap(), Some(to)).unwrap();
            assert_eq!(again.levels.len(), 1, "{to}: {title}");
            assert_eq!(again.levels[0].title.as_deref(), Some("a"), "{to}: {title}");
            assert_eq!(again.levels[0].games[0].title, title, "{to}");
        }
    }
}

/// A title that is a remark would leave the moves to be taken for the title of the next level.
#[test]
fn a_short_game_between_two_levels_keeps_a_title_in_brackets() {
    let text = format!("######\n#@$ .#\n######\nTitle: a\n\n(Snapshot)\nR\n\n{TINY}Title: b\n");
    let collection = read(text.as_bytes(), Some(Format::Xsb)).unwrap();
    assert_eq!(collection.levels[0].games[0].title, "(Snapshot)");
    let again = read(&write(&collection, Format::Xsb).unwrap(), Some(Format::Xsb)).unwrap();
    assert_eq!((again.levels.len(), again.levels[0].games.len()), (2, 1));
    assert_eq!(again.levels[0].games[0].title, "(Snapshot)");
    assert_eq!(again.levels[1].title.as_deref(), Some("b"));
}
