//! Charts to files.

use crate::{failure::Failure, report::Format, whole_file::write_whole};
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

    /// Is it to be drawn with characters, between the lines of text?
    pub(crate) fn is_in_text(&self) -> bool {
        self.plot.as_deref() == Some(Path::new(CHARACTERS))
    }

    /// Refuses a chart that could not be shown, before anything is computed.
    pub(crate) fn check(&self, format: Format) -> Result<(), Failure> {
        match self.plot.as_deref() {
            Some(_) if self.is_in_text() && format != Format::Text => Err(Failure::Request(
                "--plot - draws between lines of text; leave out --format, or draw into a .svg or .png file"
                    .to_owned(),
            )),
            Some(path) if !self.is_in_text() => Picture::of(path).map(|_| ()),
            Some(_) | None => Ok(()),
        }
    }

    /// Draws the chart where it was asked for, and returns what is to be shown with the answer. The chart is made only if
    /// somebody wants it.
    pub(crate) fn draw(
        &self,
        chart: impl FnOnce() -> Result<Chart, Failure>,
    ) -> Result<Option<String>, Failure> {
        match self.plot.as_deref() {
            None => Ok(None),
            Some(_) if self.is_in_text() => Ok(Some(chart()?.terminal(COLUMNS, ROWS))),
            Some(path) => write(path, chart).map(|()| None),
        }
    }
}

/// What is written into a file.
#[derive(Clone, Copy, Debug)]
enum Picture {
    Svg,
    Png,
}

impl Picture {
    fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some(_) | None => Err(failure(
                path,
                "charts are written to .svg or .png files; give the plot such a name".to_owned(),
            )),
        }
    }
}

fn write(path: &Path, chart: impl FnOnce() -> Result<Chart, Failure>) -> Result<(), Failure> {
    let picture = Picture::of(path)?;
    let chart = chart()?;
    let bytes = match picture {
        Picture::Svg => chart.svg().into_bytes(),
        Picture::Png => chart.png().map_err(|error| failure(path, error.to_string()))?,
    };
    write_whole(path, &bytes).map_err(|error| failure(path, format!("cannot be written: {error}")))
}

fn failure(path: &Path, message: String) -> Failure {
    Failure::File { name: path.display().to_string(), message }
}
