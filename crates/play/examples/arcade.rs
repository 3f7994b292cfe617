//! The three games with a few tiny levels: `cargo run -p lurd-play --example arcade`.
//!
//! `arcade` begins at the first level, `arcade menu|levels|tiles|cse|watch` elsewhere.
//! The test of the whole program in a real terminal runs this; `arcade panic` shows that
//! the terminal is given back even then.

use lurd::{Level, Map};
use lurd_play::{CseOptions, First, PlayOptions, TilesOptions};

const LEVELS: [(&str, &str); 4] = [
    ("First push", "#####\n#@$.#\n#####"),
    ("Round the corner", "#######\n#     #\n# @$  #\n#   . #\n#######"),
    ("Two of a kind", "########\n#      #\n# $$   #\n#  @ ..#\n#      #\n########"),
    ("The long hall", "####################\n#@ $              .#\n####################"),
];

fn main() {
    if std::env::args().nth(1).as_deref() == Some("panic") {
        let _screen = lurd_play::Screen::open();
        panic!("on purpose");
    }
    let levels: Vec<Level> = LEVELS
        .iter()
        .filter_map(|(title, text)| {
            let mut level = Level::new(Map::from_xsb(text)?);
            level.title = Some((*title).to_owned());
            Some(level)
        })
        .collect();
    let first = match std::env::args().nth(1).as_deref() {
        None => First::Level(0),
        Some("levels") => First::Picker,
        Some("tiles") => First::Tiles(TilesOptions::default()),
        Some("cse") => First::Cse(CseOptions::default()),
        Some("watch") => First::Watch(Box::new(levels[3].clone()), "rRRRRRRRRRRRRRRR".to_owned()),
        Some(_) => First::Menu,
    };
    let options = PlayOptions { title: "Arcade".to_owned(), levels, first, ..PlayOptions::default() };
    if let Err(error) = lurd_play::run(options) {
        eprintln!("arcade: {error}");
        std::process::exit(2);
    }
}
