//! `erfc(x)/2` of many numbers with 106 bits: what is left of a normal law, a vector at once.
//!
//! ```text
//! erfc(x) = (x/π) e^{−x²} ∫ e^{−t²}/(t² + x²) dt = (2hx/π) e^{−x²} Σ e^{−tₙ²}/(tₙ² + x²) + 2/(e^{2πx/h} + 1),   tₙ = (n + ½)h
//! ```
//!
//! This is the trapezoidal rule with its nodes on both sides of 0 and the residue of the pole at `ix`, which is left out where the pole is far
//! away. Every term is positive, so that no digit is lost for any x ≥ 0.

use crate::{ball::Ball, double_double::DoubleDouble, wide_array::WideArray};
use std::sync::LazyLock;

/// The step h of the rule, and how many nodes it has right of 0.
const STEP: f64 = 0.34375;
const NODES: usize = 25;
/// Up to here the pole is below the path that the rule is compared with.
const LAST_RESIDUE: f64 = 8.0;

/// A node of the rule.
#[derive(Clone, Copy)]
struct Node {
    /// `tₙ²`, exactly.
    square: f64,
    /// `e^{−tₙ²}`.
    weight: DoubleDouble,
}

static RULE: LazyLock<[Node; NODES]> = LazyLock::new(|| {
    std::array::from_fn(|n| {
        let t = (n as f64 + 0.5) * STEP;
        Node { square: t * t, weight: DoubleDouble::from(-t * t).exp() }
    })
});

impl WideArray {
    /// From here on [`half_erfc`](Self::half_erfc) says nothing; it is below 10⁻²⁷³.
    pub const LARGEST_ERFC: f64 = 25.0;

    /// `erfc(x)/2` for `0 ≤ x ≤ 25`; beyond, nothing is said.
    ///
    /// # Guarantee
    /// Off by at most [`half_erfc_error`](Self::half_erfc_error) of itself. Relative to erfc(x), which is at least `2e^{−x²}/(√π(x + √(x² + 2)))`:
    /// - The rule is off by `x(x + √(x² + 2)) e^{a² − 2πa/h}/|a² − x²|`, but for a part of `e^{−100}` of that, on a path moved by a: with the
    ///   residue for `x ≤ 8 < a = π/h`, which is below `10⁻³⁵`, and without it for `x > 8 > a = 7.5`, below `2 · 10⁻³⁴`.
    /// - Left out are nodes with `tₙ > 8.76`, less than `10⁻³³` of the sum.
    /// - With the errors U and F of operations and of functions: quotients are off by F and 3U, their sum by 24U more, the exponential by F and
    ///   `Ux²`, the factors by 6U; and the residue, with `y = 2πx/h`, by F and `4Uy`, of which it has a part below `1/y`.
    #[must_use]
    pub fn half_erfc(self) -> Self {
        let squares = self.clone().map(
            #[inline(always)]
            |x| x * x,
        );
        let mut sum = Self::zeros(self.len());
        for Node { square, weight } in *RULE {
            let square = DoubleDouble::from(square);
            sum = sum.zip(
                &squares,
                #[inline(always)]
                |sum, x_squared| sum + weight / (x_squared + square),
            );
        }
        let falls = squares
            .map(
                #[inline(always)]
                |square| -square,
            )
            .exp();
        let pi = Ball::pi().midpoint();
        let scale = DoubleDouble::from(STEP) / pi;
        let frequency = pi / DoubleDouble::from(0.5 * STEP);
        let growths = self.clone().map(
            #[inline(always)]
            |x| x * frequency,
        );
        let residues = growths.exp().zip(
            &self,
            #[inline(always)]
            |growth, x| {
                let residue = DoubleDouble::ONE / (growth + DoubleDouble::ONE);
                if x.hi() > LAST_RESIDUE { DoubleDouble::ZERO } else { residue }
            },
        );
        let of_rule = sum.zip(
            &falls,
            #[inline(always)]
            |sum, fall| sum * scale * fall,
        );
        let of_rule = of_rule.zip(
            &self,
            #[inline(always)]
            |sum, x| sum * x,
        );
        of_rule.zip(
            &residues,
            #[inline(always)]
            |sum, residue| sum + residue,
        )
    }

    /// What [`half_erfc`](Self::half_erfc) is off at x at most, as a part of it.
    #[inline(always)]
    #[must_use]
    pub fn half_erfc_error(x: f64) -> f64 {
        3.0 * DoubleDouble::FUNCTION_ERROR + DoubleDouble::ARITHMETIC_ERROR * (1.01 * x * x + 64.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(x: DoubleDouble) -> DoubleDouble {
        let mut one = WideArray::default();
        one.push(x);
        one.half_erfc().at(0)
    }

    #[test]
    fn half_of_all_is_right_of_the_middle() {
        assert_eq!(at(DoubleDouble::ZERO), DoubleDouble::from(0.5));
        assert!(at(DoubleDouble::from(WideArray::LARGEST_ERFC)).hi() < 1e-273);
    }

    proptest! {
        /// Its derivative is `−e^{−x²}/√π`: by the rule of Simpson over a short way, of which `h⁵/90` times the fourth derivative is left.
        #[test]
        fn it_falls_like_the_normal_density(x in 0f64..24.9) {
            let h = 1e-4;
            let to = DoubleDouble::from_sum(x, 2.0 * h);
            let fall = at(DoubleDouble::from(x)) - at(to);
            let density = |x: DoubleDouble| (-(x * x)).exp() / Ball::pi().midpoint().sqrt();
            let middle = density(DoubleDouble::from_sum(x, h));
            let sum = density(DoubleDouble::from(x)) + middle * DoubleDouble::from(4.0) + density(to);
            let simpson = sum * (DoubleDouble::from(h) / DoubleDouble::from(3.0));
            let fourth = density(DoubleDouble::from(x)).hi() * 16.0 * (x + 1.0).powi(4);
            let off = (fall - simpson).hi().abs();
            prop_assert!(off <= h.powi(5) / 90.0 * fourth + 1e-28 * at(to).hi(), "{off:e}");
        }
    }
}
