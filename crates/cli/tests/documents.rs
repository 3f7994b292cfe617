//! The maps of the code name files that exist.

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
