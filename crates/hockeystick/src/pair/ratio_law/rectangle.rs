//! Rectangles around a piece of the real line.

/// `|Re x − middle| ≤ reach`, `|Im x| ≤ height`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rectangle {
    pub(crate) middle: f64,
    pub(crate) reach: f64,
    pub(crate) height: f64,
}

impl Rectangle {
    /// A bound of |x|.
    pub(crate) fn radius(self) -> f64 {
        self.middle.abs() + self.reach + self.height
    }

    /// A bound of `|x − middle|`.
    pub(crate) fn extent(self) -> f64 {
        self.reach + self.height
    }
}
