//! The rows of a sweep that is not finished, in a file beside the one that they are for.
//!
//! In: answers in the order of the grid. Out: the same answers, when the sweep is run again after it was ended.
//!
//! # Guarantee
//! Rows are only taken up again by the same sweep of the same version: the first line says which. A line that was not written to its
//! end is left out, and answered again.

use super::row::{Reading, read, record};
use crate::failure::Failure;
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The file of kept rows.
pub(super) struct Kept {
    path: PathBuf,
    file: File,
}

/// `rows.csv.part` for `rows.csv`.
fn beside(out: &Path) -> PathBuf {
    let mut name = OsString::from(out);
    name.push(".part");
    name.into()
}

fn failure(path: &Path, message: impl Into<String>) -> Failure {
    Failure::File { name: path.display().to_string(), message: message.into() }
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| failure(path, format!("cannot be written: {error}"))
}

impl Kept {
    /// Begins to keep rows for `out`, and returns those that are kept already, if the sweep is to be resumed.
    pub(super) fn open(
        out: &Path,
        digest: &str,
        is_resumed: bool,
    ) -> Result<(Self, Vec<Result<Reading, String>>), Failure> {
        let path = beside(out);
        let title = format!("hockeystick sweep {digest}\n");
        if !path.exists() {
            let file = OpenOptions::new().create_new(true).append(true).open(&path);
            let mut file = file.map_err(unwritable(&path))?;
            file.write_all(title.as_bytes()).map_err(unwritable(&path))?;
            return Ok((Self { path, file }, vec![]));
        }
        if !is_resumed {
            return Err(failure(
                &path,
                "holds the rows of a sweep that was not finished; add --resume to go on with it, or remove the file",
            ));
        }
        let text = fs::read(&path).map_err(|error| failure(&path, format!("cannot be read: {error}")))?;
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.split_inclusive('\n');
        // A title that was not written to its end is one of no rows.
        let first = lines.next().unwrap_or_default();
        if !title.starts_with(first) {
            return Err(failure(
                &path,
                "holds rows of another sweep, or of another version; remove it, or choose another --out",
            ));
        }
        let mut length = first.len();
        let mut answers = vec![];
        for line in lines {
            let Some(answer) = line.strip_suffix('\n').and_then(read) else { break };
            length += line.len();
            answers.push(answer);
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(unwritable(&path))?;
        file.set_len(length as u64).map_err(unwritable(&path))?;
        let mut kept = Self { path, file };
        if first.len() < title.len() {
            kept.write(&title[first.len()..])?;
        }
        Ok((kept, answers))
    }

    /// Keeps the next answer. It is in the file when this returns.
    pub(super) fn keep(&mut self, answer: &Result<Reading, String>) -> Result<(), Failure> {
        self.write(&(record(answer) + "\n"))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.file.write_all(text.as_bytes()).map_err(unwritable(&self.path))
    }

    /// The sweep is finished, and its rows are where they were to go.
    pub(super) fn remove(self) -> Result<(), Failure> {
        fs::remove_file(&self.path)
            .map_err(|error| failure(&self.path, format!("cannot be removed: {error}")))
    }
}
