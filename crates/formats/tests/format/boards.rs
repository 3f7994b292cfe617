//! Helpers and boards of these tests.

use lurd_formats::{Collection, read};
use lurd_level::Map;

/// The smallest level.
pub(crate) const TINY: &str = "#####\n#@$.#\n#####\n";

/// Reads a text that must hold valid levels.
pub(crate) fn good(text: impl AsRef<[u8]>) -> Collection {
    let text = text.as_ref();
    read(text, None).unwrap_or_else(|error| panic!("{error}\nin\n{}", String::from_utf8_lossy(text)))
}

/// The titles of the levels, `-` for none.
pub(crate) fn titles(collection: &Collection) -> Vec<&str> {
    collection.levels.iter().map(|level| level.title.as_deref().unwrap_or("-")).collect()
}

/// The message of the error a text causes.
pub(crate) fn sentence(text: impl AsRef<[u8]>) -> String {
    read(text.as_ref(), None).expect_err("the text has no valid level").to_string()
}

/// A map drawn in XSB.
pub(crate) fn map(text: &str) -> Map {
    Map::from_xsb(text).expect("a drawn board")
}
