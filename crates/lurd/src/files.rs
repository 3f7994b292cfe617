//! Writing a file so that it is either the old one or the new one, never half of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` to `path`: into a new file beside it, which then takes its name. What stood
/// there before is lost only when the new file is complete, so a program may read and write the
/// same file. Pipes and devices are written directly.
///
/// # Errors
/// When the file cannot be written; what stood there before is untouched.
///
/// ```no_run
/// lurd::files::replace("best.sok".as_ref(), b"rrUU")?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_file() => {
            // Through a symbolic link the file it points to is replaced, not the link.
            let target = fs::canonicalize(path)?;
            into_place(&target, bytes, Some(old.permissions()))
        }
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => into_place(path, bytes, None),
        Err(error) => Err(error),
    }
}

fn into_place(target: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let (mut file, beside) = create_beside(target)?;
    let written = (|| {
        file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        fs::rename(&beside, target)?;
        sync_folder(target)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A new file in the folder of `target`, under a name nothing else has.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
    let mut attempt = 0;
    loop {
        let beside = target.with_file_name(format!(".{name}.{}.{attempt}.new", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((file, beside)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

/// A renamed file survives a power cut only when its folder is synced too.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent().filter(|folder| cfg!(unix) && !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_file_takes_the_place_of_the_old_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        replace(&path, b"old").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.txt"), folder.path().join("link"));
        replace(&path, b"old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(replace(folder.path(), b"x").is_err());
        assert!(replace(&folder.path().join("missing/a.txt"), b"x").is_err());
    }
}
