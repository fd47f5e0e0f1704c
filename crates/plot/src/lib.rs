//! Charts for papers and terminals: curves with bands, on linear or logarithmic axes. No word of privacy.
//!
//! A [`Chart`] is data. It becomes a scene once: axes as long as the numbers that were given, and marks between them, with gaps where nothing is
//! known. [`Chart::svg`] and [`Chart::png`] draw the same shapes, so that the two look alike, and [`Chart::terminal`] the same scene in
//! characters. Nothing is asked of the system: the letters come with the program.
//!
//! A [`Sheet`] holds several charts side by side. A legend that would hide a curve stands below its chart.
//!
//! Colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart; lines differ in their
//! dashes too, for printers without colour.

mod axis;
mod chart;
mod drawn;
mod layout;
mod letters;
mod palette;
mod png;
mod scene;
mod shape;
mod sheet;
mod svg;
mod terminal;

pub use axis::{Axis, Scale};
pub use chart::{Chart, Look, Pen, Series};
pub use png::NotDrawn;
pub use sheet::Sheet;
