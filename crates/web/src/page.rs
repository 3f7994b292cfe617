//! The page: files of `page/`, compiled in. Nothing is read from disk while serving.

use crate::error::Refused;
use axum::extract::Request;
use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct File {
    path: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(File { path: concat!("/", $path), bytes: include_bytes!(concat!("../page/", $path)) },)*]
    };
}

const FILES: &[File] = files![
    "app.js",
    "icon.svg",
    "index.html",
    "manifest.webmanifest",
    "store.js",
    "style.css",
    "sw.js",
    "lib/api.js",
    "lib/chart.js",
    "lib/connection.js",
    "lib/core.js",
    "lib/dialog.js",
    "lib/dom.js",
    "lib/errand.js",
    "lib/finds.js",
    "lib/format.js",
    "lib/gif.js",
    "lib/hand.js",
    "lib/history.js",
    "lib/keep.js",
    "lib/merge.js",
    "lib/refusal.js",
    "lib/save.js",
    "lib/server.js",
    "lib/shelf.js",
    "lib/stepper.js",
    "lib/theme.js",
    "lib/transport.js",
    "lib/tree.js",
    "lib/worker.js",
    "lib/workers.js",
    "library/add.js",
    "library/browse.js",
    "library/compare.js",
    "library/level.js",
    "library/picture.js",
    "library/place.js",
    "library/report.js",
    "library/run.js",
    "library/runs.js",
    "library/words.js",
    "sokoban/admissibility.js",
    "sokoban/board.js",
    "sokoban/comparison.js",
    "sokoban/config.js",
    "sokoban/contract.js",
    "sokoban/desk.js",
    "sokoban/drawing.js",
    "sokoban/exports.js",
    "sokoban/game.js",
    "sokoban/games.js",
    "sokoban/gestures.js",
    "sokoban/grade.js",
    "sokoban/hint.js",
    "sokoban/levelbar.js",
    "sokoban/live.js",
    "sokoban/newlevels.js",
    "sokoban/outcome.js",
    "sokoban/overlays.js",
    "sokoban/paint.js",
    "sokoban/palette.js",
    "sokoban/playback.js",
    "sokoban/position.js",
    "sokoban/presets.js",
    "sokoban/race.js",
    "sokoban/reading.js",
    "sokoban/searches.js",
    "sokoban/searchpicture.js",
    "sokoban/share.js",
    "sokoban/solutions.js",
    "sokoban/why.js",
    "sokoban/wishes.js",
    "tiles/board.js",
    "tiles/racer.js",
    "views/compare.js",
    "views/cse.js",
    "views/draw.js",
    "views/inspect.js",
    "views/learn.js",
    "views/library.js",
    "views/play.js",
    "views/solve.js",
    "views/tiles.js",
];

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    }
}

/// Answers with a file of the page, or says that there is none.
pub(crate) async fn file(request: Request) -> Response {
    let asked = match request.uri().path() {
        "/" => "/index.html",
        path => path,
    };
    match FILES.iter().find(|file| file.path == asked) {
        Some(file) => {
            ([(header::CONTENT_TYPE, kind(file.path)), (header::CACHE_CONTROL, "no-cache")], file.bytes).into_response()
        }
        None => Refused::not_found("there is no such page; the workbench is at /").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn found(folder: &Path, root: &Path, into: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found(&path, root, into);
            } else if !path.to_string_lossy().ends_with(".d.ts") {
                into.insert(format!("/{}", path.strip_prefix(root).unwrap().display()));
            }
        }
    }

    /// A file that is forgotten in the list would be missing in the browser only. Types are for those who write the page.
    #[test]
    fn every_file_of_the_page_is_compiled_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut on_disk = BTreeSet::new();
        found(&root, &root, &mut on_disk);
        let compiled: BTreeSet<String> = FILES.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(compiled, on_disk);
    }
}
