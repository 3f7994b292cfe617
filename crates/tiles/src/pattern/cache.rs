//! Tables on disk.
//!
//! A file is a header (magic, version, the layout it was built for), the costs of all
//! placements in a fixed order, and a checksum of everything before it. It is believed
//! only if all of that is right.

use super::PatternDatabase;
use super::build::{UNKNOWN, for_each_placement, placements};
use super::layout::Layout;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"lurd-pdb";
/// To be raised whenever the meaning of a byte changes.
const VERSION: u32 = 1;

/// Where tables came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Loaded,
    Built {
        /// Why a file that was there was not used; `None` if there was none.
        refused: Option<String>,
        /// Why they could not be saved; `None` if they were.
        not_saved: Option<String>,
    },
}

pub(super) fn file_name(layout: &Layout) -> String {
    format!("tiles-4x4-blank{}.pdb", layout.blank)
}

/// FNV-1a, 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn header(layout: &Layout) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.push(layout.blank as u8);
    for group in layout.groups {
        header.push(group.len() as u8);
        header.extend(group.iter().map(|&cell| cell as u8));
    }
    header
}

/// The tables, or why the file is refused: `None` where there is no file.
pub(super) fn load(folder: &Path, layout: &'static Layout) -> Result<PatternDatabase, Option<String>> {
    let path = folder.join(file_name(layout));
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(None),
        Err(error) => return Err(Some(format!("{} cannot be read: {error}", path.display()))),
    };
    parse(&bytes, layout).map_err(|why| Some(format!("{} {why}", path.display())))
}

fn parse(bytes: &[u8], layout: &'static Layout) -> Result<PatternDatabase, &'static str> {
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or("is cut short")?;
    let rest = body.strip_prefix(&header(layout)[..]).ok_or("has another version or layout")?;
    let expected: u64 = layout.groups.iter().map(|group| placements(group.len())).sum();
    if rest.len() as u64 != expected {
        return Err("has the wrong length");
    }
    if u64::from_le_bytes(*sum) != checksum(body) {
        return Err("is damaged: its checksum is wrong");
    }
    let mut costs = rest.iter();
    let table = |group: &&[usize]| {
        let mut table = vec![UNKNOWN; 1 << (4 * group.len())];
        for_each_placement(group.len(), &mut |packed| table[packed] = costs.next().copied().unwrap_or(UNKNOWN));
        table
    };
    Ok(PatternDatabase { layout, tables: layout.groups.iter().map(table).collect() })
}

/// Writes under another name, waits until the bytes are on disk, and renames: whoever
/// looks finds the whole file or none. A cache has no permissions or links to keep, as files of people have,
/// for which the facade of the Sokoban solver has a way of its own.
pub(super) fn save(folder: &Path, database: &PatternDatabase) -> io::Result<()> {
    let layout = database.layout;
    let mut bytes = header(layout);
    for (group, table) in layout.groups.iter().zip(&database.tables) {
        for_each_placement(group.len(), &mut |packed| bytes.push(table[packed]));
    }
    bytes.extend(checksum(&bytes).to_le_bytes());

    fs::create_dir_all(folder)?;
    let name = file_name(layout);
    // Two processes may build at the same time: each writes a file of its own.
    let unfinished = folder.join(format!("{name}.{}.tmp", std::process::id()));
    let written = File::create(&unfinished)
        .and_then(|mut file| file.write_all(&bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&unfinished, folder.join(&name)));
    if written.is_err() {
        // The error that matters is the one above.
        let _ = fs::remove_file(&unfinished);
    }
    written
}
