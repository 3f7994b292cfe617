//! Opens a file of levels from inside the program.

use lurd::Level;
use lurd::formats::{self, MAX_BYTES};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf, is_separator};

/// What was found in a file.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) title: String,
    pub(crate) levels: Vec<Level>,
    /// How many levels of the file are broken and were left out.
    pub(crate) broken: usize,
}

/// Reads the levels of a file in any supported format.
///
/// # Errors
/// A sentence that names the file and what is wrong.
pub(crate) fn open(typed: &str) -> Result<Opened, String> {
    let path = expand(typed.trim());
    let fail = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
    let kind = std::fs::metadata(&path).map_err(|error| fail(&error))?;
    // A pipe or a device could keep the screen waiting for ever.
    if !kind.is_file() {
        return Err(fail(&"this is not a file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(&path).map_err(|error| fail(&error))?;
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| fail(&error))?;
    let collection = formats::read(&bytes, None).map_err(|error| fail(&error))?;
    let name = || path.file_stem().map_or_else(|| typed.to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok(Opened {
        title: collection.title.unwrap_or_else(name),
        levels: collection.levels,
        broken: collection.defects.len(),
    })
}

/// `~` means the home folder, as in a shell.
fn expand(typed: &str) -> PathBuf {
    let rest = typed.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(is_separator));
    match (rest, etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest.trim_start_matches(is_separator)),
        _ => Path::new(typed).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_folder() {
        let home = etcetera::home_dir().unwrap();
        for (typed, path) in [("~", home.clone()), ("~/", home.clone()), ("~/a/b.xsb", home.join("a/b.xsb"))] {
            assert_eq!(expand(typed), path, "{typed}");
        }
        for typed in ["~somebody/a", "a~", "./~"] {
            assert_eq!(expand(typed), Path::new(typed), "{typed}");
        }
    }

    #[test]
    fn files_are_opened_or_the_reason_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tiny.xsb");
        std::fs::write(&file, "First\n#####\n#@$.#\n#####\n\nSecond\n######\n#@ $.#\n######\n").unwrap();
        let opened = open(file.to_str().unwrap()).unwrap();
        assert_eq!((opened.levels.len(), opened.broken), (2, 0));
        assert!(open(folder.path().to_str().unwrap()).unwrap_err().contains("not a file"));
        assert!(open("/no/such/file").unwrap_err().starts_with("/no/such/file: "));
        std::fs::write(&file, "no level here").unwrap();
        assert!(open(file.to_str().unwrap()).is_err());
    }
}
