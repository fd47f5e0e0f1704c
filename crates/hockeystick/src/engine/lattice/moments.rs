//! The logarithm of the composed moments, in plain floats. Nothing is proven with it.

use super::sketch::Sketch;

/// `K(c) = Σ k log E[e^{cL}; L < ∞]`.
pub(super) struct Moments {
    sketches: Vec<(Sketch, f64)>,
}

impl Moments {
    pub(super) fn new(sketches: Vec<(Sketch, f64)>) -> Self {
        Self { sketches }
    }

    pub(super) fn sketches(&self) -> impl Iterator<Item = &Sketch> {
        self.sketches.iter().map(|(sketch, _)| sketch)
    }

    /// `K` at an order and its first two derivatives.
    pub(super) fn at(&self, order: f64) -> [f64; 3] {
        self.sketches.iter().fold([0.0; 3], |sum, (sketch, count)| {
            let one = sketch.log_moment(order);
            std::array::from_fn(|i| sum[i] + one[i] * count)
        })
    }
}
