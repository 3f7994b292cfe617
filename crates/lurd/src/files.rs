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
    match place(path)? {
        Place::File(target, permissions) => into_place(&target, bytes, permissions, true),
        Place::Device => OpenOptions::new().write(true).open(path)?.write_all(bytes),
    }
}

/// As [`replace`] for a file that is written again and again while a program works: it survives the end of the program,
/// but is not forced to the disk each time. Pipes and devices are left alone: they take what is complete.
///
/// # Errors
/// As [`replace`].
///
/// ```no_run
/// lurd::files::replace_for_now("best.sok".as_ref(), b"rrUU")?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace_for_now(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match place(path)? {
        Place::File(target, permissions) => into_place(&target, bytes, permissions, false),
        Place::Device => Ok(()),
    }
}

/// Whether [`replace`] can be expected to succeed: before hours of work is the time to find out.
///
/// # Errors
/// When the folder is not there or cannot be written to.
///
/// ```
/// assert!(lurd::files::check_writable("missing/folder/best.sok".as_ref()).is_err());
/// ```
pub fn check_writable(path: &Path) -> io::Result<()> {
    match place(path)? {
        Place::File(target, _) => create_beside(&target).and_then(|(_, beside)| fs::remove_file(beside)),
        Place::Device => OpenOptions::new().write(true).open(path).map(drop),
    }
}

/// What a path leads to.
enum Place {
    /// A file, or where one can be made, and what it permits.
    File(PathBuf, Option<fs::Permissions>),
    /// A pipe or a device.
    Device,
}

fn place(path: &Path) -> io::Result<Place> {
    match fs::metadata(path) {
        // Through a symbolic link the file it points to is replaced, not the link.
        Ok(old) if old.is_file() => Ok(Place::File(fs::canonicalize(path)?, Some(old.permissions()))),
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(Place::Device),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Place::File(path.to_owned(), None)),
        Err(error) => Err(error),
    }
}

/// Writes a new file and gives it the name of the old one; if it must be `durable`, it is on the disk afterwards.
fn into_place(target: &Path, bytes: &[u8], permissions: Option<fs::Permissions>, durable: bool) -> io::Result<()> {
    let (mut file, beside) = create_beside(target)?;
    let written = (|| {
        file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        if durable {
            file.sync_all()?;
        }
        fs::rename(&beside, target)?;
        if durable { sync_folder(target) } else { Ok(()) }
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
        for path in [folder.path().to_owned(), folder.path().join("missing/a.txt")] {
            assert!(replace(&path, b"x").is_err());
            assert!(replace_for_now(&path, b"x").is_err());
            assert!(check_writable(&path).is_err());
        }
    }

    #[test]
    fn a_check_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        check_writable(&path).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        replace_for_now(&path, b"old").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
}
