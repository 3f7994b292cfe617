//! The levels of this repository, in every format.

use crate::round_trip::all_formats;
use lurd_formats::{Collection, read};

const FILES: [(&str, &[u8], usize); 2] = [
    ("lurd.xsb", include_bytes!("../../../../levels/lurd.xsb"), 53),
    ("large.xsb", include_bytes!("../../../../levels/large.xsb"), 4),
];

#[test]
fn every_collection_is_read_without_a_defect_and_every_level_survives_every_format() {
    for (file, bytes, count) in FILES {
        let collection = read(bytes, None).expect("levels");
        assert_eq!((collection.defects.len(), collection.warnings.len()), (0, 0), "{file}");
        assert_eq!(collection.levels.len(), count, "{file}");
        assert!(collection.levels.iter().all(|level| level.title.is_some()), "{file}");
        assert!(all_formats(&collection) >= 6, "{file}");
        for level in collection.levels {
            assert!(all_formats(&Collection::new(vec![level])) >= 8, "{file}");
        }
    }
}
