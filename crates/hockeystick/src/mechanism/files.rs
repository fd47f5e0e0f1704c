//! Where the files are that expressions name.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// How names of files in expressions are understood, and which files may be read.
///
/// Without anything set, a name is a path from the working folder, and every file may be read.
///
/// ```
/// use hockeystick::mechanism::Files;
///
/// let files = Files::default().within("uploads");
/// let mechanism = files.mechanism(r#"pair(file="/etc/passwd")"#)?;
/// let refused = hockeystick::epsilon(&mechanism, 1e-6).unwrap_err();
/// assert!(refused.to_string().contains("is not inside of the folder"));
/// # Ok::<(), hockeystick::mechanism::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    base: Option<PathBuf>,
    within: Option<Arc<Path>>,
}

impl Files {
    /// Names are paths from this folder. Expressions are then printed with the whole path, so that they mean the same elsewhere.
    #[must_use]
    pub fn relative_to(self, folder: impl Into<PathBuf>) -> Self {
        Self { base: Some(folder.into()), ..self }
    }

    /// Only files inside of this folder may be read.
    ///
    /// # Guarantee
    /// Neither `..` nor a link leads out of it: the place of a file is what the system says it is when the file is opened. Only
    /// ordinary files are read.
    #[must_use]
    pub fn within(self, folder: impl AsRef<Path>) -> Self {
        Self { within: Some(folder.as_ref().into()), ..self }
    }

    /// The same limits for names that have their folder already.
    #[must_use]
    pub fn with_paths_as_written(self) -> Self {
        Self { base: None, ..self }
    }

    /// The file that a name stands for.
    pub(super) fn named(&self, name: String) -> FileName {
        let name = match &self.base {
            Some(base) if !name.is_empty() => base.join(&name).to_string_lossy().into_owned(),
            Some(_) | None => name,
        };
        FileName { name, within: self.within.clone() }
    }
}

/// The name of a file, and the folder that it must be in, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    name: String,
    within: Option<Arc<Path>>,
}

impl FileName {
    /// The name, as it is printed.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The folder that the file must be in.
    pub fn within(&self) -> Option<&Path> {
        self.within.as_deref()
    }
}

impl From<String> for FileName {
    fn from(name: String) -> Self {
        Self { name, within: None }
    }
}

impl From<&str> for FileName {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

impl From<&String> for FileName {
    fn from(name: &String) -> Self {
        name.clone().into()
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
