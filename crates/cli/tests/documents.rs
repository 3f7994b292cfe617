//! The code keeps what its pages promise: named files exist, names are unique, the facade explains itself by example.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What builds and other tests leave in the repository; some of it comes and goes while this test runs.
const MADE: [&str; 7] =
    ["target", ".git", "node_modules", "__pycache__", ".hypothesis", ".mypy_cache", ".pytest_cache"];

fn files(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if MADE.contains(&name.as_str()) {
            continue;
        }
        if entry.path().is_dir() {
            all.push(entry.path().to_string_lossy().replace('\\', "/") + "/");
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

/// The pages that describe what is there now: all but the records of experiments.
fn pages(root: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    files(root, &mut all);
    let root = root.to_string_lossy().replace('\\', "/") + "/";
    let paths = all.iter().filter_map(|path| path.strip_prefix(&root)).filter(|path| path.ends_with(".md"));
    let current = paths.filter(|path| !path.starts_with("docs/experiments/"));
    current.map(|path| (path.to_owned(), fs::read_to_string(format!("{root}{path}")).expect("a page"))).collect()
}

/// A page without its fenced blocks, and these.
fn parts(text: &str) -> (String, Vec<String>) {
    let (mut prose, mut blocks, mut fenced) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            if fenced {
                blocks.push(String::new());
            }
        } else {
            let part = if fenced { blocks.last_mut().expect("a block has begun") } else { &mut prose };
            part.push_str(line);
            part.push('\n');
        }
    }
    (prose, blocks)
}

/// What stands between single backquotes.
fn spans(prose: &str) -> impl Iterator<Item = String> + '_ {
    prose.split('`').skip(1).step_by(2).map(|span| span.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn is_path(name: &str) -> bool {
    let is_word = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-/".contains(letter));
    let endings = [".rs", ".md", ".py", ".sh", ".js", ".toml", "/"];
    is_word && endings.iter().any(|ending| name.ends_with(ending) && name.len() > ending.len())
}

/// The crates whose files a text names by path, with or without `crates/` before them.
fn crates_of(text: &str, crates: &HashSet<String>) -> BTreeSet<String> {
    let first = |name: String| match name.strip_prefix("crates/") {
        Some(rest) => rest.split('/').next().map(str::to_owned),
        None => name.split_once('/').map(|(first, _)| first.to_owned()),
    };
    spans(text).filter_map(first).filter(|name| crates.contains(name)).collect()
}

/// Every file that a page names is there. A name without a folder is a file of a crate that its line names, or else of one
/// that the page names.
#[test]
fn files_that_are_named_exist() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let mut all = Vec::new();
    files(&root, &mut all);
    let folders = fs::read_dir(root.join("crates")).expect("crates").flatten();
    let crates: HashSet<String> = folders.map(|folder| folder.file_name().to_string_lossy().into_owned()).collect();
    let mut named = 0;
    for (page, text) in pages(&root) {
        let (prose, _) = parts(&text);
        let mut own = crates_of(&prose, &crates);
        own.extend(page.strip_prefix("crates/").and_then(|rest| rest.split('/').next()).map(str::to_owned));
        own.extend(page.strip_prefix("docs/design/").map(|name| name.trim_end_matches(".md").to_owned()));
        for line in prose.lines() {
            let here = crates_of(line, &crates);
            let here = if here.is_empty() { &own } else { &here };
            for name in spans(line).filter(|name| is_path(name)) {
                let end = format!("/{}", name.trim_start_matches("./"));
                let is_bare = name.ends_with(".rs") && !name.contains('/');
                let fits = |file: &String| {
                    file.ends_with(&end)
                        && (!is_bare || here.iter().any(|own| file.contains(&format!("/crates/{own}/"))))
                };
                assert!(all.iter().any(fits), "{page} names {name}");
                named += 1;
            }
        }
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let place = root.join(&page).parent().expect("a folder").join(link);
            assert!(link.is_empty() || link.contains(':') || place.exists(), "{page} links to {link}");
        }
    }
    assert!(named > 250, "{named} files are named");
}

/// The flags of each command, by its words.
fn flags(words: &[&str], all: &mut HashMap<String, HashSet<String>>) {
    let help = std::process::Command::new(assert_cmd::cargo::cargo_bin("lurd")).args(words).arg("--help").output();
    let help = String::from_utf8(help.expect("help").stdout).expect("text");
    let is_flag = |word: &&str| word.starts_with("--") && word.len() > 2;
    let clean = |word: &str| flag_of(word).to_owned();
    all.insert(words.join(" "), help.split_whitespace().filter(is_flag).map(clean).collect());
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
    for line in listed.lines().take_while(|line| line.starts_with("  ")) {
        let name = line.split_whitespace().next().unwrap_or_default();
        if line.starts_with("  ") && !line.starts_with("   ") && name != "help" {
            flags(&[words, &[name]].concat(), all);
        }
    }
}

/// The flag that a word begins with: `--goal` of `--goal=any`, `--goal.` and `--goal`.
fn flag_of(word: &str) -> &str {
    let end = word.find(|letter: char| !(letter.is_ascii_lowercase() || "-0123456789".contains(letter)));
    &word[..end.unwrap_or(word.len())]
}

/// Every command and flag of lurd that a page shows or names is one, and every package `lurd-...` is there.
#[test]
fn commands_flags_and_packages_that_are_named_exist() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let mut known = HashMap::new();
    flags(&[], &mut known);
    let mut all = Vec::new();
    files(&root, &mut all);
    let manifests = all.iter().filter(|path| path.ends_with("/Cargo.toml"));
    let texts = manifests.map(|path| fs::read_to_string(path).expect("a manifest"));
    let packages: HashSet<String> =
        texts.filter_map(|text| Some(text.split_once("\nname = \"")?.1.split('"').next()?.to_owned())).collect();
    let (mut commands, mut named) = (0, 0);
    for (page, text) in pages(&root) {
        let (prose, blocks) = parts(&text);
        let shown = blocks.iter().flat_map(|block| {
            let joined = block.replace("\\\n", " ");
            let lines: Vec<String> =
                joined.lines().map(|line| line.split(" #").next().unwrap_or_default().into()).collect();
            lines.into_iter().flat_map(|line| line.split(['|', ';', '&']).map(str::to_owned).collect::<Vec<_>>())
        });
        for line in shown.chain(spans(&prose)) {
            let mut words: Vec<&str> = line.split_whitespace().skip_while(|word| word.contains('=')).collect();
            if words.starts_with(&["cargo", "run"])
                && let Some(place) = words.iter().position(|&word| word == "--")
            {
                words.splice(..=place, ["lurd"]);
            }
            for package in words.iter().filter(|word| word.starts_with("lurd-")) {
                let is_name = package.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
                if is_name && !package.ends_with('-') {
                    assert!(packages.contains(*package), "{page} names the package {package}");
                    named += 1;
                }
            }
            if words.first().is_some_and(|word| word.starts_with("--")) {
                let flag = flag_of(words[0]);
                assert!(flag == "--" || known.values().any(|flags| flags.contains(flag)), "{page} names {flag}");
            }
            // After a program's name, a command: prose that begins with the name of the program shows none.
            if words.first() != Some(&"lurd") || words.get(1).is_none_or(|word| word.starts_with("...")) {
                continue;
            }
            let is_command = |count: &usize| known.contains_key(&words[1..=*count].join(" "));
            let count = (1..words.len()).take_while(is_command).count();
            assert!(count > 0 || words[1].starts_with('-'), "{page} shows {line}");
            let command = words[1..=count].join(" ");
            for word in words[count + 1..].iter().map(|word| word.trim_start_matches('[')) {
                if word.starts_with("--") && word.len() > 2 {
                    assert!(known[&command].contains(flag_of(word)), "{page}: lurd {command} has no {word}");
                }
            }
            commands += 1;
        }
    }
    assert!(commands > 80 && named > 10, "{commands} commands and {named} packages");
}
