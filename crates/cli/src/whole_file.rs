//! Files that are written whole or not at all.
//!
//! In: a path and bytes. Out: the file with these bytes, or an error and the file as it was.
//!
//! # Guarantee
//! At no moment is there part of a file under the path: bytes go to a file beside it, which takes its name when all of them are on the
//! disk. A process that is ended before leaves the old file, and perhaps one whose name begins with `.hockeystick-`.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};
use tempfile::Builder;

const PREFIX: &str = ".hockeystick-";
const SUFFIX: &str = ".part";

/// Writes a file, new or in place of another.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link, to a new file.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&path).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        // A pipe or a device has no other name.
        return fs::write(&path, bytes);
    }
    let folder = folder_of(&path);
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    let mut file = with_usual_permissions(&mut builder).tempfile_in(&folder)?;
    file.write_all(bytes)?;
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    // The new name is on the disk when its folder is. Not every system lets folders be opened.
    File::open(&folder).and_then(|folder| folder.sync_all()).or(Ok(()))
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        Some(_) | None => PathBuf::from("."),
    }
}

/// Files that others may read, as far as the user lets them: those of a temporary folder are private.
#[cfg(unix)]
fn with_usual_permissions<'a, 'b, 'c>(builder: &'a mut Builder<'b, 'c>) -> &'a mut Builder<'b, 'c> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn with_usual_permissions<'a, 'b, 'c>(builder: &'a mut Builder<'b, 'c>) -> &'a mut Builder<'b, 'c> {
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_and_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for content in ["first", "second, and longer", ""] {
            write_whole(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_whole(&folder.path().join("no/such/folder.txt"), b"").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.txt"), folder.path().join("link.txt"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
