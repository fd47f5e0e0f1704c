//! Rectangles around a piece of the real line.

/// `|Re x − middle| ≤ reach`, `|Im x| ≤ height`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rectangle {
    pub(super) middle: f64,
    pub(super) reach: f64,
    pub(super) height: f64,
}

impl Rectangle {
    /// A bound of |x|.
    pub(super) fn radius(self) -> f64 {
        self.middle.abs() + self.reach + self.height
    }

    /// A bound of `|x − middle|`.
    pub(super) fn extent(self) -> f64 {
        self.reach + self.height
    }
}
