//! What is drawn, in pixels from the top left corner.

use crate::palette::Colour;

/// A place.
pub(crate) type Point = (f64, f64);

/// All shapes of a chart, in the order in which they are drawn.
#[derive(Debug)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) shapes: Vec<Shape>,
}

#[derive(Debug)]
pub(crate) enum Shape {
    Line { points: Vec<Point>, colour: Colour, width: f64, dashes: &'static [f32] },
    Area { points: Vec<Point>, colour: Colour, opacity: f64 },
    Dot { at: Point, radius: f64, colour: Colour },
    Text(Text),
}

/// A line of text; `^{…}` is raised.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) at: Point,
    pub(crate) text: String,
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    /// Turned to the left, reading upward.
    pub(crate) upward: bool,
}

/// Which part of a text is at its place, on the base line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Raised letters are smaller by this, and higher by that part of the size.
pub(crate) const RAISED_SIZE: f64 = 0.72;
pub(crate) const RAISED_BY: f64 = 0.38;

impl Text {
    /// The parts of the text, and whether they are raised.
    pub(crate) fn runs(&self) -> Vec<(&str, bool)> {
        let mut runs = vec![];
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once("^{") {
            let (raised, remaining) = after.split_once('}').unwrap_or((after, ""));
            runs.extend([(before, false), (raised, true)]);
            rest = remaining;
        }
        runs.push((rest, false));
        runs.retain(|(text, _)| !text.is_empty());
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_parts_are_found() {
        let text = |text: &str| Text {
            at: (0.0, 0.0),
            text: text.into(),
            size: 1.0,
            anchor: Anchor::Start,
            upward: false,
        };
        assert_eq!(text("2·10^{−5} x").runs(), [("2·10", false), ("−5", true), (" x", false)]);
        assert_eq!(text("plain").runs(), [("plain", false)]);
        assert_eq!(text("10^{5").runs(), [("10", false), ("5", true)]);
    }
}
