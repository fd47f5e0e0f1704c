//! Charts to files.

use crate::{failure::Failure, whole_file::write_whole};
use hockeystick_plot::Chart;
use std::path::{Path, PathBuf};

/// The argument that stands for characters on standard output.
const CHARACTERS: &str = "-";
const COLUMNS: usize = 72;
const ROWS: usize = 18;

/// Where a chart goes.
#[derive(Debug, clap::Args)]
pub(crate) struct PlotFile {
    /// Draw a chart into this file, .svg or .png; - draws it with characters
    #[arg(long, short = 'p', value_name = "FILE", help_heading = "Output")]
    plot: Option<PathBuf>,
}

impl PlotFile {
    /// How many points of a curve are computed, if it was not said: a chart wants more than a table.
    pub(crate) fn points(&self, asked: Option<u16>) -> usize {
        let usual = if self.plot.is_some() { 101 } else { 21 };
        asked.map_or(usual, usize::from)
    }

    /// Draws the chart where it was asked for, and returns what is to be shown with the answer. The chart is made only if
    /// somebody wants it.
    pub(crate) fn draw(
        &self,
        chart: impl FnOnce() -> Result<Chart, Failure>,
    ) -> Result<Option<String>, Failure> {
        match self.plot.as_deref() {
            None => Ok(None),
            Some(path) if path == Path::new(CHARACTERS) => Ok(Some(chart()?.terminal(COLUMNS, ROWS))),
            Some(path) => write(path, chart).map(|()| None),
        }
    }
}

fn write(path: &Path, chart: impl FnOnce() -> Result<Chart, Failure>) -> Result<(), Failure> {
    let failure = |message: String| Failure::File { name: path.display().to_string(), message };
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    let bytes = match extension.as_deref() {
        Some("svg") => chart()?.svg().into_bytes(),
        Some("png") => chart()?.png().map_err(|error| failure(error.to_string()))?,
        Some(_) | None => {
            return Err(failure(
                "charts are written to .svg or .png files; give the plot such a name".to_owned(),
            ));
        }
    };
    write_whole(path, &bytes).map_err(|error| failure(format!("cannot be written: {error}")))
}
