//! Each format by itself: how it is recognised, and which data of a level it holds.

use crate::boards::{TINY, good, map, sentence, titles};
use lurd_formats::{Collection, Format, WarningKind, WriteError, read, write};
use lurd_level::Level;

#[test]
fn titles_before_and_after_and_both() {
    assert_eq!(titles(&good(format!("; 1\n\n{TINY}\n; 2\n\n{TINY}"))), ["1", "2"], "a blank line below");
    assert_eq!(titles(&good(format!("{TINY}Title: a\n\n{TINY}Title: b\n"))), ["a", "b"]);
    assert_eq!(titles(&good(format!("Title: a\n\n{TINY}\nTitle: b\n\n{TINY}"))), ["a", "b"]);
    assert_eq!(titles(&good(format!("a\n\n{TINY}\nb\n\n{TINY}"))), ["a", "b"]);
    assert_eq!(titles(&good(format!("{TINY}a\n\n{TINY}b\n"))), ["a", "b"]);
    assert_eq!(titles(&good(format!("% capability1\n{TINY}\n% two\n{TINY}"))), ["capability1", "two"]);
    let both = good(format!("; above\n{TINY}Title: below\nAuthor: me\n"));
    assert_eq!(titles(&both), ["below"], "the key wins");
    assert_eq!(
        (both.levels[0].author.as_deref(), both.levels[0].notes.as_slice()),
        (Some("me"), &["above".to_owned()][..])
    );
}

#[test]
fn the_head_of_a_file_is_about_the_collection() {
    let text = format!("Collection: Set\nAuthor: A\nSource: somewhere\n\n; 1\n{TINY}Author: B\n\n; 2\n{TINY}");
    let collection = good(text);
    assert_eq!((collection.title.as_deref(), collection.author.as_deref()), (Some("Set"), Some("A")));
    assert_eq!(collection.notes, ["Source: somewhere"]);
    assert_eq!(titles(&collection), ["1", "2"]);
    assert_eq!(collection.levels[0].author.as_deref(), Some("B"));
    assert_eq!(collection.levels[1].author, None);
}

#[test]
fn comment_blocks_hide_boards_and_moves() {
    for end in ["Comment-End:", "comment_end:", "Comment-end"] {
        let collection = good(format!("{TINY}Title: a\nComment:\n{TINY}rrr\n{end}\n\n{TINY}Title: b\n"));
        assert_eq!(titles(&collection), ["a", "b"], "{end}");
        assert_eq!(collection.levels[0].notes.len(), 4);
        assert_eq!(collection.levels[0].games, []);
    }
    let one_line = good(format!("{TINY}Comment: nice\n\n{TINY}"));
    assert_eq!((one_line.levels.len(), one_line.warnings.len()), (2, 0));
}

#[test]
fn sok_games_are_distinguished_by_replay() {
    let text = format!(
        ":: never shown\nCollection: My set\nAuthor: Me\n\nFirst one\n\n6#\n#p-b.#\n6#\n\nAuthor: You\na free note\n\nSolution\nrR\nfine\n\nSnapshot 1\nr*\nsaved on Monday\n\nSecond\n\n{TINY}\nSolution 1\n2(R)\n\nlurd\n"
    );
    let collection = good(text);
    assert_eq!(collection.format, Format::Sok);
    assert_eq!((collection.title.as_deref(), collection.author.as_deref()), (Some("My set"), Some("Me")));
    assert_eq!(titles(&collection), ["First one", "Second"]);
    let first = &collection.levels[0];
    assert_eq!((first.author.as_deref(), first.notes.as_slice()), (Some("You"), &["a free note".to_owned()][..]));
    assert_eq!(first.games.len(), 2);
    assert_eq!(
        (first.games[0].title.as_str(), first.games[0].moves.as_str(), first.games[0].solves),
        ("Solution", "rR", true)
    );
    assert_eq!(first.games[0].notes, ["fine"]);
    assert_eq!((first.games[1].moves.as_str(), first.games[1].mark, first.games[1].solves), ("r", Some(1), false));
    assert_eq!(first.games[1].notes, ["saved on Monday"]);
    assert_eq!(collection.levels[1].games, [], "two pushes do not go");
    assert!(matches!(collection.warnings[0].kind, WarningKind::IllegalGame { number: 2, .. }));
}

#[test]
fn a_solution_key_and_moves_on_several_lines() {
    let room = "#######\n#@    #\n# $ . #\n#     #\n#######\n";
    for text in [format!("{room}Solution: dRR\n"), format!("{room}Solution:\nd\nRR\n"), format!("{room}d\nRR\n")] {
        let collection = good(&text);
        assert_eq!(collection.levels[0].games[0].moves, "dRR", "{text}");
        assert!(collection.levels[0].games[0].solves);
    }
    let word = good(format!("{room}\ndull\n\n{room}"));
    assert_eq!(titles(&word), ["-", "dull"], "a word of move letters is a title still");
}

#[test]
fn other_variants_are_rejected() {
    let text = format!("{TINY}\n{TINY}Variant: Octoban\n\n{TINY}Variant: Sokoban\n");
    let collection = good(text);
    assert_eq!((collection.levels.len(), collection.defects.len()), (2, 1));
    assert!(
        collection.defects[0].to_string().starts_with("line 8, column 1: level 2: the level is of the variant Octoban")
    );
    assert!(sentence(format!("Tessellation: Hexoban\n\n{TINY}")).contains("variant Hexoban"));
    assert!(sentence(format!("{TINY}Comment:\nboxorder 1\nComment-End:\n")).contains("Sokoban+"));
}

#[test]
fn slc_keeps_spaces_empty_rows_and_letters() {
    let text = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE SokobanLevels SYSTEM \"SokobanLev.dtd\">\n<SokobanLevels>\n<Title>Caf\xe9 &#x26; more</Title>\n<Description>\n words &amp; words\n</Description>\n<Email>me@example.org</Email>\n<LevelCollection Copyright=\"Me\" MaxWidth=\"1\" MaxHeight=\"1\">\n<Level Id=\"Fish &#38; chips\" Width=\"2\" Height=\"2\" Copyright=\"You\">\n<L>  ####</L>\n<L>###@.#</L>\n<L># $  #</L>\n<L>######</L>\n<L/>\n<L></L>\n<L>  *</L>\n</Level></LevelCollection></SokobanLevels>";
    let collection = good(text);
    assert_eq!(collection.format, Format::Slc);
    assert_eq!(collection.title.as_deref(), Some("Café & more"));
    assert_eq!(collection.author.as_deref(), Some("Me"));
    assert_eq!(collection.notes, ["words & words", "Email: me@example.org"]);
    let level = &collection.levels[0];
    assert_eq!((level.title.as_deref(), level.author.as_deref()), (Some("Fish & chips"), Some("You")));
    assert_eq!(level.map, map("  ####\n###@.#\n# $  #\n######\n\n\n  *"));
    assert_eq!((level.place.line, level.place.column), (11, 6));
}

#[test]
fn slc_without_a_declared_encoding() {
    let text = b"<SokobanLevels><LevelCollection><Level Id=\"Pe\xf1a\"><L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>";
    assert_eq!(titles(&good(text)), ["Peña"]);
}

#[test]
fn sokobot_letters_and_figures() {
    let text = "{ \"minPushes\": 1, \"content\": [\n[\"W\",\"W\",\"W\",\"W\",\"W\"],\n[\"W\",\"S\",\"B\",\"G\",\"W\"],\n[\"W\",\"GS\",\"BG\",\"E\",\"W\"],\n[\"W\",\"W\",\"W\",\"W\",\"W\"] ], \"bestSolution\": 1 }";
    assert!(sentence(text).contains("line 4, column 6: level 1: here is a second player"), "{}", sentence(text));
    let collection = good(text.replace("\"GS\"", "\"E\""));
    assert_eq!(collection.format, Format::SokoBot);
    assert_eq!(collection.levels[0].map, map("#####\n#@$.#\n# * #\n#####"));
    assert_eq!(collection.levels[0].notes, ["bestSolution: 1", "minPushes: 1"]);
    let again = write(&collection, Format::SokoBot).unwrap();
    assert_eq!(
        good(again).levels[0],
        Level {
            place: good(write(&collection, Format::SokoBot).unwrap()).levels[0].place,
            ..collection.levels[0].clone()
        }
    );
}

#[test]
fn digits_are_recognised_by_1_and_0_without_at() {
    let collection = good("######\n#1 0$#\n#  * #\n######\n");
    assert_eq!(collection.format, Format::Digits);
    assert_eq!(collection.levels[0].map, map("######\n#@ $.#\n#  * #\n######"));
    assert_eq!(good("10#\n#@$.6-#\n10#\n".replace(".6-", ".5-").replace("#@", "#@-")).format, Format::Rle);
    let on_goal = read(b"######\n#+ 0 #\n######\n", Some(Format::Digits)).unwrap();
    assert_eq!(on_goal.levels[0].map, map("######\n#+ $ #\n######"));
}

#[test]
fn open_digits_boards_are_walled_in_as_their_program_does() {
    let collection = read(b"1 0 $\n #\n", Some(Format::Digits)).unwrap();
    assert_eq!(collection.levels[0].map, map("#######\n#@ $ .#\n# #####\n#######"));
    assert_eq!(collection.warnings[0].kind, WarningKind::WalledIn(1));
}

#[test]
fn mf8_tags() {
    let text = "Title: One\n[soko=0,0]\nHHHHH\nHa$.H\nHHHHH\n[/soko]\n\nTitle: Two\n[SOKO=6,3]\nHHHHHH\nHx_$_H\nHHHHHH\n[/soko]\n";
    let collection = good(text);
    assert_eq!(collection.format, Format::Mf8);
    assert_eq!(titles(&collection), ["One", "Two"]);
    assert_eq!(collection.levels[1].map, map("######\n#+ $ #\n######"));
    assert_eq!(collection.levels[1].place.line, 10);
}

#[test]
fn boxoban_and_course_files_are_named() {
    let rows = "##########\n".repeat(3) + "##@$.#####\n" + &"##########\n".repeat(6);
    assert_eq!(good(format!("; 0\n{rows}\n; 1\n{rows}")).format, Format::Boxoban);
    assert_eq!(good("-#####-\n-#@$.#-\n-#---#-\n-#####-\n").format, Format::Course);
    assert_eq!(good(TINY).format, Format::Xsb);
}

#[test]
fn what_a_format_cannot_hold_is_rejected_with_the_reason() {
    let two = good(format!("{TINY}\n{TINY}"));
    for format in [Format::SokoBot, Format::Course] {
        assert_eq!(write(&two, format), Err(WriteError::OneLevel { format, levels: 2 }));
    }
    assert_eq!(write(&Collection::new(vec![]), Format::Xsb), Err(WriteError::Empty));
    let wide = good("###########\n#@$.      #\n###########\n");
    assert_eq!(write(&wide, Format::Boxoban), Err(WriteError::NotTenByTen { number: 1, width: 11, height: 3 }));
    assert_eq!(write(&good("####\n#@*#\n####\n"), Format::Boxoban), Err(WriteError::OnGoal { number: 1 }));
}

#[test]
fn names_of_formats_parse_back() {
    for &format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        assert!(!format.about().is_empty() && !format.extension().is_empty());
    }
    assert!("doc".parse::<Format>().unwrap_err().contains("choose one of xsb, rle"));
}

#[test]
fn the_letter_w_is_read_as_a_wall() {
    let collection = good("WoW\n\nWWWWWW\nW@ $.W\nWWWWWW\n\nWWWW\n\n#####\nW@$.#\n#####\n");
    assert_eq!(titles(&collection), ["WoW", "WWWW"]);
    assert_eq!(collection.levels[0].map, map("######\n#@ $.#\n######"));
    assert_eq!(collection.levels[1].map, map("#####\n#@$.#\n#####"));
}

#[test]
fn digits_without_walls_or_without_a_player_are_recognised() {
    let open = good("1 0\n  $\n");
    assert_eq!(open.format, Format::Digits);
    assert_eq!(open.levels[0].map, map("#####\n#@ $#\n#  .#\n#####"));
    assert!(matches!(open.warnings[0].kind, WarningKind::WalledIn(1)));
    let nobody = sentence("######\n#  0$#\n######\n");
    assert!(nobody.contains("there is no player") && nobody.contains("`1` in this format"), "{nobody}");
    let on_goal = good("######\n#+ 0*#\n######\n");
    assert_eq!((on_goal.format, &on_goal.levels[0].map), (Format::Digits, &map("######\n#+ $*#\n######")));
    // Counts have digits too.
    assert_eq!(good("10#\n#@$.5-#\n#8-#\n10#\n").format, Format::Rle);
}

#[test]
fn hexagonal_boards_are_named() {
    let text = " # # # #\n#       #\n # @ $ . #\n#       #\n # # # #\n";
    assert!(sentence(text).contains("the variant Hexoban"), "{}", sentence(text));
    assert!(sentence("# # #\n # $ #\n# @ . #\n # # #\n").contains("the variant Hexoban"));
}

#[test]
fn a_library_of_sokosolve_is_read_with_its_solutions() {
    let text = "<?xml version=\"1.0\"?>\n<SokobanLibrary LibraryID=\"A\" xmlns=\"x\">\n<Details License=\"free\">\n<Name>Small &amp; easy</Name>\n<Description>words</Description>\n<Author Name=\"Me\" Email=\"\"/>\n</Details>\n<Categories><Category><CategoryDescription><Name>List</Name></CategoryDescription></Category></Categories>\n<Puzzles>\n<Puzzle Rating=\"1\">\n<PuzzleDescription><Name>First</Name><Description/></PuzzleDescription>\n<Maps><Map MapID=\"M1\">\n<Row>~#####~</Row>\n<Row>##P.O##</Row>\n<Row>#..X$.#</Row>\n<Row>#..O*.#</Row>\n<Row>#######</Row>\n</Map>\n<Map MapID=\"M2\">\n<Row>#####</Row>\n<Row>#PXO#</Row>\n<Row>#####</Row>\n<Solutions><Solution StartX=\"1\"><Steps>r</Steps><SolutionDescription><Name>By hand</Name></SolutionDescription></Solution><Solution><Steps>l</Steps></Solution></Solutions>\n</Map></Maps>\n</Puzzle>\n</Puzzles>\n</SokobanLibrary>\n";
    let collection = good(text);
    assert_eq!(collection.format, Format::Ssx);
    assert_eq!((collection.title.as_deref(), collection.author.as_deref()), (Some("Small & easy"), Some("Me")));
    assert_eq!(collection.notes, ["words"]);
    // The first map has two players.
    assert!(
        collection.defects[0].to_string().contains("line 16, column 10: level 1 (\"First\"): here is a second player")
    );
    let second = &collection.levels[0];
    assert_eq!((second.title.as_deref(), &second.map), (Some("First (2)"), &map("#####\n#@$.#\n#####")));
    let game = &second.games[0];
    assert_eq!((game.title.as_str(), game.moves.as_str(), game.solves), ("By hand", "r", true));
    assert!(matches!(collection.warnings[0].kind, WarningKind::IllegalGame { number: 2, .. }));
    assert!(sentence("<SokobanLibrary><Puzzles>").contains("the XML cannot be read"));
}
