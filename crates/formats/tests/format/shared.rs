//! Public collections, if they are installed. They are not part of the project.

use crate::round_trip::all_formats;
use lurd_formats::{Collection, WarningKind, read};
use std::path::PathBuf;

fn collections() -> Option<Vec<(String, Collection)>> {
    let root = std::env::var_os("LURD_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let Ok(folder) = std::fs::read_dir(root.join("levels")) else {
        assert!(std::env::var_os("CI").is_none(), "the public collections are missing on the build server");
        println!("skipped: there is no folder {}", root.join("levels").display());
        return None;
    };
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a folder entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "xsb"));
    files.sort();
    let name = |file: &PathBuf| file.file_name().expect("a file name").to_string_lossy().into_owned();
    let open = |file: &PathBuf| read(&std::fs::read(file).expect("a file"), None).expect("levels");
    Some(files.iter().map(|file| (name(file), open(file))).collect())
}

#[test]
fn every_collection_is_read_without_a_defect() {
    let Some(collections) = collections() else { return };
    for (file, collection) in &collections {
        assert_eq!(collection.defects, [], "{file}");
        let other: Vec<_> = collection
            .warnings
            .iter()
            .filter(|warning| !matches!(warning.kind, WarningKind::Decoration { .. }))
            .collect();
        assert!(other.is_empty(), "{file}: {other:?}");
        assert!(collection.title.is_some() && collection.author.is_some(), "{file}");
        assert!(collection.levels.iter().all(|level| level.title.is_some()), "{file}");
    }
    let count = |name: &str| collections.iter().find(|(file, _)| file == name).map(|(_, set)| set.levels.len());
    for (file, levels) in
        [("Microban_I.xsb", 155), ("Boxoban_hard_100.xsb", 100), ("XSokoban_90.xsb", 90), ("SokoBOT_17.xsb", 17)]
    {
        assert!(count(file).is_none_or(|is| is == levels), "{file}: {:?}", count(file));
    }
}

#[test]
fn every_level_survives_every_format_that_can_hold_it() {
    let Some(collections) = collections() else { return };
    for (_, collection) in collections {
        assert!(all_formats(&collection) >= 6);
        for level in collection.levels {
            assert!(all_formats(&Collection::new(vec![level])) >= 8);
        }
    }
}
