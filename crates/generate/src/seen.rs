//! Levels that were met: no two equal up to rotation and reflection.

use lurd::Map;
use std::collections::HashSet;

/// The normal forms of levels.
#[derive(Clone, Debug, Default)]
pub struct Seen(HashSet<Map>);

impl Seen {
    /// Nothing met yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a level in; false where it was met before, as it is or turned or reflected.
    pub fn insert(&mut self, map: &Map) -> bool {
        self.0.insert(map.canonical().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lurd::Symmetry;

    #[test]
    fn images_of_a_level_are_the_same_level() {
        let map = Map::from_xsb("######\n#@$ .#\n#  ###\n####").unwrap();
        let mut seen = Seen::new();
        assert!(seen.insert(&map));
        assert!(Symmetry::ALL.iter().all(|image| !seen.insert(&image.apply(&map))));
        assert!(seen.insert(&Map::from_xsb("######\n#@ $.#\n######").unwrap()));
    }
}
