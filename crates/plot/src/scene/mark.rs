//! What a scene is made of.

use super::clip::{Place, Rectangle};

/// A part of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A line through neighbouring points.
    Line(Vec<Place>),
    /// A point.
    Dot(Place),
    /// What is between the ends of a band.
    Band(Vec<Place>),
    /// What is below a line.
    Shade(Vec<Place>),
    /// A bar.
    Bar(Rectangle),
    /// A line up to a point: the foot, the head, and which of how many that stand side by side.
    Stem { foot: Place, head: Place, lane: (usize, usize) },
}
