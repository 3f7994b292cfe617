//! What the fuzzer once found stays fixed: every file of `regressions/TARGET/` goes through its target.

use lurd_fuzz::TARGETS;
use std::fs;
use std::path::Path;

#[test]
fn what_was_found_stays_fixed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    for folder in
        fs::read_dir(&root).expect("the folder of regressions").flatten().filter(|entry| entry.path().is_dir())
    {
        let name = folder.file_name();
        let target = TARGETS.iter().find(|(target, _)| *target == name).expect("a folder is named after a target");
        for file in fs::read_dir(folder.path()).expect("a folder").flatten() {
            println!("{}", file.path().display());
            (target.1)(&fs::read(file.path()).expect("a file"));
        }
    }
}
