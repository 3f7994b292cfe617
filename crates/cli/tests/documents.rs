//! The code keeps what its pages promise: named files exist, names are unique, the facade explains itself by example.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), all);
        } else {
            all.push(entry.path().to_string_lossy().replace('\\', "/"));
        }
    }
}

/// The Rust files of a crate, by path and text.
fn sources(name: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    files(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &mut all);
    all.retain(|path| path.ends_with(".rs"));
    all.into_iter().map(|path| (path.clone(), fs::read_to_string(&path).expect("a source"))).collect()
}

/// A search for a name that other modules can see finds one type in a crate.
#[test]
fn visible_types_of_a_crate_have_different_names() {
    for folder in fs::read_dir(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")).expect("crates").flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        let mut seen = HashSet::new();
        for (path, text) in sources(&name) {
            for line in text.lines().filter(|line| line.trim_start().starts_with("pub")) {
                let mut words = line.split_whitespace().skip(1).skip_while(|word| word.ends_with(')'));
                let kind = words.next().unwrap_or_default();
                let own = words.next().unwrap_or_default();
                let own = own.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
                if ["struct", "enum", "trait"].contains(&kind) {
                    assert!(seen.insert(own.to_owned()), "{path}: crate {name} has two types {own}");
                }
            }
        }
    }
}

/// Every public type and function written in the facade has an example that is compiled, and run where it can be.
#[test]
fn the_facade_explains_itself_by_example() {
    let mut explained = 0;
    for (path, text) in sources("lurd") {
        let mut example = false;
        for line in text.lines().map(str::trim_start) {
            let declares =
                ["pub fn ", "pub struct ", "pub enum ", "pub trait "].iter().any(|start| line.starts_with(start));
            if declares {
                assert!(example, "{path}: no example: {line}");
                explained += 1;
            }
            example = (example || line.starts_with("/// ```")) && (line.starts_with("///") || line.starts_with("#["));
        }
    }
    assert!(explained > 40, "{explained} items");
}

/// Every `something.rs` in ARCHITECTURE.md and docs/design is the end of a path under `crates`.
#[test]
fn files_that_are_named_exist() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = Vec::new();
    files(&root.join("crates"), &mut sources);
    let mut pages: Vec<PathBuf> =
        fs::read_dir(root.join("docs/design")).expect("the design pages").flatten().map(|page| page.path()).collect();
    pages.push(root.join("ARCHITECTURE.md"));
    let mut named = 0;
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page");
        for name in text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") && !name.contains(' ')) {
            let end = format!("/{}", name.trim_start_matches("crates/"));
            assert!(sources.iter().any(|file| file.ends_with(&end)), "{} names {name}", page.display());
            named += 1;
        }
    }
    assert!(named > 100, "{named} files are named");
}
