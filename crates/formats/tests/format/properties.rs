//! Any bytes give levels or an error message, and any valid map survives every format.

use crate::round_trip::all_formats;
use lurd_formats::{Collection, Format, read, write};
use lurd_level::validity::check;
use lurd_level::{Cell, Level, Map, lurd, run_length};
use proptest::prelude::*;

fn everything(bytes: &[u8]) -> Result<(), TestCaseError> {
    for hint in std::iter::once(None).chain(Format::ALL.iter().copied().map(Some)) {
        match read(bytes, hint) {
            Ok(collection) => {
                prop_assert!(!collection.levels.is_empty());
                for level in &collection.levels {
                    prop_assert!(check(&level.map).is_ok());
                }
                for &format in Format::ALL {
                    let _ = write(&collection, format);
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
    Ok(())
}

fn map_strategy() -> impl Strategy<Value = Map> {
    let cell = prop_oneof![
        3 => Just(Cell::Wall),
        5 => Just(Cell::Floor),
        1 => Just(Cell::Goal),
        1 => Just(Cell::Box),
        1 => Just(Cell::BoxOnGoal),
    ];
    (2..9_usize, 2..9_usize).prop_flat_map(move |(width, height)| {
        let cells = proptest::collection::vec(cell.clone(), width * height);
        (cells, 0..width * height, any::<bool>()).prop_map(move |(mut cells, player, on_goal)| {
            cells[player] = if on_goal { Cell::PlayerOnGoal } else { Cell::Player };
            let rows: Vec<Vec<Cell>> = cells.chunks(width).map(<[Cell]>::to_vec).collect();
            Map::from_rows(&rows)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_give_levels_or_an_error_message(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        everything(&bytes)?;
    }

    #[test]
    fn any_board_like_text_does(text in "[#@$.*+ pPbBo0-9()|\n\r\t;:_-]{0,200}") {
        everything(text.as_bytes())?;
    }

    #[test]
    fn any_markup_like_text_does(text in "(<\\?xml \\?>|<SokobanLevels>|<Level Id='a'>|<L>|</L>|</Level>|#|@|\\$|\\.|&amp;|&#65;|&x;|<!--|-->|\\[soko=1,2\\]|\\[/soko\\]|H|a|\\{|\"content\"|:|\\[|\\]|\"W\"|,|\n){0,60}") {
        everything(text.as_bytes())?;
    }

    #[test]
    fn any_annotation_like_text_does(text in "(#####\n|#@\\$\\.#\n|Title: a\n|Author: b\n|Comment:\n|Comment-End:\n|Solution\n|rR\n|R\n|; c\n|:: d\n|\n|e\n|Variant: Hexoban\n){0,40}") {
        everything(text.as_bytes())?;
    }

    #[test]
    fn any_text_of_moves_is_decoded_or_rejected(text in "[lurdLURD0-9()*\\[\\]{} \n]{0,60}") {
        if let Ok(moves) = lurd::decode(&text) {
            prop_assert_eq!(lurd::decode(&run_length::compress(&moves.letters)).unwrap().letters, moves.letters);
        }
    }

    #[test]
    fn any_valid_map_survives_every_format(map in map_strategy()) {
        let walled = map.rectangular();
        prop_assert_eq!(walled.normalized(), walled.rectangular().normalized());
        if check(&walled).is_ok() {
            prop_assert!(all_formats(&Collection::new(vec![Level::new(walled)])) >= 8);
        }
    }

    #[test]
    fn normalizing_twice_is_normalizing_once(map in map_strategy()) {
        let once = map.normalized();
        prop_assert_eq!(once.normalized(), once);
    }
}
