//! Arrows between crates point down only: `cargo metadata` is read and held against the layers of ARCHITECTURE.md.

use std::collections::BTreeMap;
use std::process::Command;

/// The layers from the bottom up. A crate uses crates of lower layers only.
const LAYERS: &[(&str, &[&str])] = &[
    ("foundation", &["lurd-base"]),
    ("ground", &["lurd-search", "lurd-referee", "lurd-one-build"]),
    ("level", &["lurd-level"]),
    ("formats", &["lurd-formats"]),
    ("environments", &["lurd-env"]),
    ("rules", &["lurd-rules"]),
    ("engines", &["lurd-classic", "lurd-race", "lurd-prove-pushes", "lurd-prove-moves", "lurd-improve"]),
    ("contract", &["lurd-contract"]),
    ("facade", &["lurd"]),
    ("library", &["lurd-library"]),
    ("rating", &["lurd-rate"]),
    ("work", &["lurd-generate", "lurd-batch"]),
    ("other games", &["lurd-tiles", "lurd-cse"]),
    ("teaching", &["lurd-lessons"]),
    ("service", &["lurd-service"]),
    ("doors", &["lurd-play", "lurd-web", "lurd-wasm", "lurd-python", "lurd-plugin"]),
    ("commands", &["lurd-cli"]),
];

/// Arrows that are refused although they point down.
const REFUSED: &[(&str, &str, &str)] = &[
    ("lurd-rules", "lurd-formats", "no engine depends on a file format"),
    ("lurd-classic", "lurd-formats", "no engine depends on a file format"),
    ("lurd-race", "lurd-formats", "no engine depends on a file format"),
    ("lurd-prove-pushes", "lurd-formats", "no engine depends on a file format"),
    ("lurd-prove-moves", "lurd-formats", "no engine depends on a file format"),
    ("lurd-improve", "lurd-formats", "no engine depends on a file format"),
    ("lurd-tiles", "lurd", "the other games know nothing of Sokoban"),
    ("lurd-cse", "lurd", "the other games know nothing of Sokoban"),
];

/// The normal dependencies of every crate of the workspace on other crates of it.
fn arrows() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .output()
        .expect("cargo metadata runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let name = |package: &serde_json::Value| package["name"].as_str().expect("a name").to_owned();
    packages
        .iter()
        .map(|package| {
            let normal =
                |dependency: &&serde_json::Value| dependency["kind"].is_null() && dependency["path"].is_string();
            let dependencies = package["dependencies"].as_array().expect("a list of dependencies");
            (name(package), dependencies.iter().filter(normal).map(name).collect())
        })
        .collect()
}

#[test]
fn arrows_point_down() {
    let layer = |name: &str| LAYERS.iter().position(|(_, crates)| crates.contains(&name));
    let arrows = arrows();
    assert!(arrows.len() >= LAYERS.iter().map(|(_, crates)| crates.len()).sum(), "every crate is seen: {arrows:?}");
    for (from, to) in arrows.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to))) {
        let above =
            layer(from).unwrap_or_else(|| panic!("{from} has no layer; give it one here and in ARCHITECTURE.md"));
        let below = layer(to).unwrap_or_else(|| panic!("{to} has no layer; give it one here and in ARCHITECTURE.md"));
        assert!(
            below < above,
            "{from} ({}) uses {to} ({}): the arrow does not point down",
            LAYERS[above].0,
            LAYERS[below].0
        );
        if let Some((_, _, why)) = REFUSED.iter().find(|(a, b, _)| (a, b) == (&from.as_str(), &to.as_str())) {
            panic!("{from} uses {to}: {why}");
        }
    }
}
