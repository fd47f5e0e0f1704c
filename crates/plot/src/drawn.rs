//! A chart in every form that it can be drawn in.

use crate::{Chart, NotDrawn, layout, png, svg, terminal};

impl Chart {
    /// As a vector drawing.
    pub fn svg(&self) -> String {
        svg::write(&layout::shapes(self))
    }

    /// As pixels, at twice the resolution of a screen.
    pub fn png(&self) -> Result<Vec<u8>, NotDrawn> {
        png::write(&layout::shapes(self))
    }

    /// As characters, `columns` wide and `rows` high, labels included, and a legend below. Where there are several series, each has a
    /// character of its own.
    pub fn terminal(&self, columns: usize, rows: usize) -> String {
        terminal::write(self, columns, rows)
    }
}
