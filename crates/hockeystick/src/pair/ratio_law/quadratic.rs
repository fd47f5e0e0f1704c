//! Values and sizes of a quadratic exponent.

use super::{Quadratic, rectangle::Rectangle};

impl Quadratic {
    /// Its value at `x`, by Horner's rule.
    ///
    /// # Guarantee
    /// Off by at most `4u · magnitude(|x|)`, the coefficients counting as exact: four operations, two of which are exact if there is no
    /// square. (Not fused: where a machine does that by calling a function, it takes longer than all else.)
    #[inline(always)]
    pub(crate) fn at(self, x: f64) -> f64 {
        (self.square * x + self.linear) * x + self.constant
    }

    /// Its derivative at `x`, in plain floats.
    #[inline]
    pub(crate) fn slope(self, x: f64) -> f64 {
        2.0 * self.square * x + self.linear
    }

    /// `|c| + |l|r + |s|r²`: relative errors of η in the coefficients move the value by at most η times this for |x| ≤ r,
    /// x real or complex.
    #[inline(always)]
    pub(crate) fn magnitude(self, radius: f64) -> f64 {
        (self.square.abs() * radius + self.linear.abs()) * radius + self.constant.abs()
    }

    /// `|l| + 2|s|r ≥ |slope|` for |x| ≤ r.
    #[inline(always)]
    pub(crate) fn steepness(self, radius: f64) -> f64 {
        2.0 * self.square.abs() * radius + self.linear.abs()
    }

    /// `self + factor · other`, in plain floats.
    #[inline]
    pub(crate) fn plus(self, factor: f64, other: Self) -> Self {
        Self {
            constant: factor * other.constant + self.constant,
            linear: factor * other.linear + self.linear,
            square: factor * other.square + self.square,
        }
    }

    /// The quadratic in `x − middle`, in plain floats.
    #[inline]
    pub(crate) fn around(self, middle: f64) -> Self {
        Self { constant: self.at(middle), linear: self.slope(middle), square: self.square }
    }

    /// The largest value of the quadratic for `|x| ≤ reach`, in plain floats.
    pub(crate) fn supremum(self, reach: f64) -> f64 {
        let ends = self.at(reach).max(self.at(-reach));
        let vertex = -0.5 * self.linear / self.square;
        if self.square < 0.0 && vertex.abs() < reach { ends.max(self.at(vertex)) } else { ends }
    }

    /// The largest real part on a rectangle, in plain floats: at `x + iy` it is the value at x less `square · y²`.
    pub(crate) fn real_supremum(self, Rectangle { middle, reach, height }: Rectangle) -> f64 {
        self.around(middle).supremum(reach) + (-self.square).max(0.0) * height * height
    }

    /// The largest `|slope|` for real `|x − middle| ≤ reach`, in plain floats.
    pub(crate) fn steepest(self, Rectangle { middle, reach, .. }: Rectangle) -> f64 {
        self.slope(middle - reach).abs().max(self.slope(middle + reach).abs())
    }
}
