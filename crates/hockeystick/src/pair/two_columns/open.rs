//! Opens files, and only where they may be.

use super::FileProblem;
use crate::mechanism::FileName;
use std::{fs, fs::File, path::Path};

/// Opens the file of this name, inside of the folder that it must be in.
///
/// # Guarantee
/// What is opened is inside of the folder: its path is resolved by the system, links and `..` included, and then opened as resolved.
/// Of what is outside nothing is said, not even whether it is there.
pub(super) fn open(file: &FileName) -> Result<File, FileProblem> {
    let path = Path::new(file.as_str());
    let unreadable = |error: std::io::Error| FileProblem::Unreadable(error.to_string());
    let Some(folder) = file.within() else { return File::open(path).map_err(unreadable) };
    let outside = || FileProblem::Outside { folder: folder.display().to_string() };
    let root = fs::canonicalize(folder).map_err(|_| outside())?;
    match fs::canonicalize(path) {
        Ok(resolved) if resolved.starts_with(&root) && resolved.is_file() => {
            File::open(resolved).map_err(unreadable)
        }
        Ok(resolved) if resolved.starts_with(&root) => {
            Err(FileProblem::Unreadable("it is no ordinary file".to_owned()))
        }
        Ok(_) => Err(outside()),
        Err(error) => {
            // The nearest folder that is there says on which side of the border the file is missing.
            let is_plain = !path.components().any(|part| part == std::path::Component::ParentDir);
            let nearest = path.ancestors().skip(1).find_map(|above| {
                let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
                fs::canonicalize(above).ok()
            });
            if is_plain && nearest.is_some_and(|nearest| nearest.starts_with(&root)) {
                Err(unreadable(error))
            } else {
                Err(outside())
            }
        }
    }
}
