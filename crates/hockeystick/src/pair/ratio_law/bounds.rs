//! Bounds of the integrand on a rectangle: by its largest term, or by a cone that holds the arguments of all.

use super::{
    cone,
    dominated::Dominated,
    integrand::{Integrand, SLACK},
    rectangle::Rectangle,
};

impl Integrand {
    /// What must be added to logarithms of terms of the ratio on `|x| ≤ radius` to make up for rounding.
    fn ratio_slack(&self, radius: f64) -> f64 {
        let largest = self.ratio.terms.iter().map(|term| term.magnitude(radius)).fold(0.0, f64::max);
        SLACK * (2.0 + largest)
    }

    /// The logarithm of a bound of `|e^{log_q} r^w|` on a rectangle; infinite where r is not known to have no zero in it.
    pub(crate) fn log_bound(&self, rectangle: Rectangle) -> f64 {
        let dominated = Dominated::new(self, rectangle, 2.0 * self.ratio_slack(rectangle.radius()));
        let one = dominated.map_or(f64::INFINITY, |largest| largest.log_bound(self, rectangle));
        let all = if self.ratio.terms.len() > 1 { cone::log_bound(self, rectangle) } else { f64::INFINITY };
        let log = one.min(all) + self.slack(rectangle.radius());
        if log.is_nan() { f64::INFINITY } else { log }
    }

    /// A bound of `|log r(x) − center|` on a rectangle where [`log_bound`](Self::log_bound) is finite.
    pub(crate) fn distance(&self, center: f64, rectangle: Rectangle) -> f64 {
        let slack = 2.0 * self.ratio_slack(rectangle.radius());
        let dominated = Dominated::new(self, rectangle, slack);
        let one = dominated.map_or(f64::INFINITY, |largest| largest.distance(center, rectangle));
        let bound = one.min(cone::distance(self, center, rectangle));
        // A lone term has no rounded weight, only its exponent.
        let rounding = if self.ratio.terms.len() > 1 {
            slack
        } else {
            SLACK * self.ratio.terms[0].magnitude(rectangle.radius())
        };
        (bound + SLACK * center.abs()) * (1.0 + SLACK) + rounding + f64::MIN_POSITIVE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Panel, Quadratic};
    use num_complex::Complex;
    use proptest::prelude::*;

    fn panel(terms: &[(f64, f64, f64)], square: f64) -> Panel {
        let ratio = terms
            .iter()
            .map(|&(weight, linear, square)| (weight, Quadratic { constant: -0.3 * linear, linear, square }));
        let log_q = Quadratic { constant: 0.2, linear: 0.1, square };
        Panel { from: f64::NEG_INFINITY, to: f64::INFINITY, log_q, ratio: ratio.collect() }
    }

    fn quadratic(l: Quadratic, x: Complex<f64>) -> Complex<f64> {
        (x * l.square + l.linear) * x + l.constant
    }

    /// `(log e^{log_q} r^w, log r)` at a complex point, on the branch that is real on the real line: relative to the largest
    /// term in the middle, the sum of the others turns by less than half a turn.
    fn logarithms(integrand: &Integrand, middle: f64, x: Complex<f64>) -> (Complex<f64>, Complex<f64>) {
        let terms = &integrand.ratio.terms;
        let largest = terms[integrand.ratio.largest(middle).0];
        let first = quadratic(largest.exponent, x) + largest.log_weight;
        let sum: Complex<f64> =
            terms.iter().map(|term| (quadratic(term.exponent, x) + term.log_weight - first).exp()).sum();
        let log_ratio = first + sum.ln();
        (quadratic(integrand.log_q, x) + integrand.power * log_ratio, log_ratio)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// What every certificate here rests on: the integrand stays below its bound everywhere in the rectangle.
        #[test]
        fn bounds_hold(
            terms in prop::collection::vec((1e-6f64..1.0, 0f64..4.0, -0.8f64..0.8), 1..4),
            square in -2f64..0.0,
            power in (-6f64..8.0, -40f64..40.0),
            (middle, reach, height) in (-3f64..3.0, 1e-3f64..2.0, 1e-3f64..2.0),
            at in prop::collection::vec((-1f64..=1.0, -1f64..=1.0), 20),
            center in -2f64..2.0,
        ) {
            let integrand = Integrand::new(&panel(&terms, square), Complex::new(power.0, power.1));
            let rectangle = Rectangle { middle, reach, height };
            let bound = integrand.log_bound(rectangle);
            prop_assume!(bound.is_finite());
            let distance = integrand.distance(center, rectangle);
            // Corners first: most suprema are there.
            for (s, t) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)].into_iter().chain(at) {
                let x = Complex::new(middle + s * reach, t * height);
                let (log, log_ratio) = logarithms(&integrand, middle, x);
                prop_assert!(log.re <= bound, "{} above {bound} at {x}", log.re);
                prop_assert!((log_ratio - center).norm() <= distance);
            }
        }

        #[test]
        fn bounds_on_the_line_hold(
            terms in prop::collection::vec((1e-6f64..1.0, 0f64..4.0, -0.8f64..0.8), 1..4),
            square in -2f64..0.0,
            power in -6f64..8.0,
            (middle, reach) in (-3f64..3.0, 1e-3f64..5.0),
            at in prop::collection::vec(-1f64..=1.0, 20),
        ) {
            let integrand = Integrand::new(&panel(&terms, square), Complex::new(power, 0.0));
            let bound = integrand.log_bound(Rectangle { middle, reach, height: 0.0 });
            for s in at {
                prop_assert!(integrand.log_modulus(middle + s * reach)[0] <= bound);
            }
        }
    }
}
