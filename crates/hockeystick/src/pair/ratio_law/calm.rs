//! What is next to the largest loss, where a law that is swapped has one: outcomes at which the moving term of the ratio is hardly there.

use super::{Cut, Portion, Quadratic, RatioLaw, portion::WholeLine};
use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{LOG_ERFC_ERROR_UNITS, exp, expm1, ln, ln_1p, log_erfc},
};

/// What laws have below a cut, in closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalmPart {
    /// `log M(0)`: what `P` has.
    pub log_mass: Enclosure,
    /// `log M(−1)/M(0)`, and `M(−1)` is what `Q` has.
    pub log_drop: Enclosure,
}

/// Where a list of outcomes begins, how dense it is, and how long at most.
const LISTED_DEVIATIONS: f64 = 9.0;
const LISTED_STEP: f64 = 0.12;
const MOST_LISTED: f64 = 400.0;
/// Coefficients of a law are within 4 units of roundoff.
const COEFFICIENT: f64 = 4.0 * UNIT_ROUNDOFF;

fn coefficient(value: f64) -> Enclosure {
    Enclosure::relative(value, COEFFICIENT)
}

impl RatioLaw {
    /// The largest loss; `None` unless `L = −log(1 − γ + γe^{l})` with a growing `l`, for then it is `−log(1 − γ)`.
    pub fn largest_calm_loss(&self) -> Option<Enclosure> {
        Some(-(-coefficient(self.rare()?.0)).ln_1p())
    }

    /// The outcome at which the loss is below the largest by `way`, and by how much outcomes grow for that to grow by e, as long as it is
    /// small; in plain floats.
    pub fn place_below_largest(&self, way: f64) -> Option<(f64, f64)> {
        let ((rate, exponent), WholeLine { slope, .. }) = (self.rare()?, self.whole_line()?);
        // The ratio is `(1 − γ)e^{way}`.
        let log = ln(expm1(way)) + ln_1p(-rate) - ln(rate);
        log.is_finite().then_some(((log - exponent.constant) / slope, 1.0 / slope))
    }

    /// How far the loss at an outcome is below the largest; in plain floats.
    pub fn way_to_largest(&self, x: f64) -> Option<f64> {
        let (rate, exponent) = self.rare()?;
        Some(ln_1p(rate / (1.0 - rate) * exp(exponent.at(x))))
    }

    /// How far losses are below the largest at equal distances of the outcome, up to a way, with `log p` of a portion; in plain floats.
    pub fn ways_up_to(&self, way: f64, portion: Portion) -> Option<Vec<(f64, f64)>> {
        let ((to, growth), deviation) = (self.place_below_largest(way)?, self.deviation()?);
        let log_q = self.panels[0].log_q;
        let from = (-0.5 * log_q.linear / log_q.square - LISTED_DEVIATIONS * deviation).min(to - growth);
        let count = ((to - from) / (LISTED_STEP * growth.min(deviation))).ceil().clamp(8.0, MOST_LISTED);
        let step = (to - from) / count;
        let log_step = ln(step);
        let at = |i: usize| {
            let x = step.mul_add(i as f64, from);
            Some((self.way_to_largest(x)?, log_q.at(x) + log_step + portion.log_weight_roughly(x)))
        };
        (0..=count as usize).map(at).collect()
    }

    /// The slope of `l`.
    pub fn whole_slope(&self) -> Option<f64> {
        self.rare()?;
        self.whole_line().map(|line| line.slope)
    }

    /// The deviation of the outcomes, in plain floats.
    pub fn deviation(&self) -> Option<f64> {
        self.whole_line().map(|WholeLine { bend, .. }| 1.0 / (2.0 * bend).sqrt())
    }

    /// What is below a cut that has no end; `None` if the law is not of the kind. It must be all of the pair: neither `P` nor `Q` may have
    /// mass elsewhere, so that `e^{l}` times the density is one as well.
    ///
    /// # Guarantee
    /// `P` is normal, and `Q` a share `1 − γ` of it and γ of another one of the same variance. Of a normal law with the log-density
    /// `A + Cx − Bx²` the cut leaves the part `erfc((C/2B − a)/√(s² + 1/B))/2`, for `w(x)` is the probability that a normal number of variance `s²/2` is
    /// below `a − x`. So `M(0) = b₀` and `M(−1) = b₀ − γ(b₀ − b₁)`.
    pub fn calm_part(&self, cut: Cut) -> Option<CalmPart> {
        let ((rate, exponent), WholeLine { bend, .. }) = (self.rare()?, self.whole_line()?);
        if cut.end < f64::INFINITY {
            return None;
        }
        let bend = coefficient(bend);
        let reach =
            (Enclosure::point(cut.spread) * Enclosure::point(cut.spread) + Enclosure::ONE / bend).sqrt();
        let linear = coefficient(self.panels[0].log_q.linear);
        let log_below = |linear: Enclosure| {
            log_half_erfc((linear / (bend * Enclosure::point(2.0)) - Enclosure::point(cut.at)) / reach)
        };
        let here = log_below(linear);
        let there = log_below(linear + coefficient(exponent.linear));
        let missing = (there - here).exp().clamp(0.0, 1.0).one_minus();
        Some(CalmPart { log_mass: here, log_drop: (-(coefficient(rate) * missing)).ln_1p() })
    }

    /// The logarithm of a bound of what `Q` has below a cut that has no end at losses that are below the largest by more than `way`.
    ///
    /// # Guarantee
    /// At u ≥ 0 spreads beyond a cut the weight falls at least like `e^{−2u/s}`, and ever faster, for `erfc(u) ≤ e^{−u²}/(u√π)`. So does the density of
    /// each normal part of `Q`, or it rises ever more slowly: the integral of the product is at most its value divided by its slope.
    pub fn log_astray(&self, cut: Cut, way: f64) -> Option<f64> {
        let ((rate, exponent), WholeLine { slope, .. }) = (self.rare()?, self.whole_line()?);
        let log = Enclosure::point(way).exp_m1().ln() + (-coefficient(rate)).ln_1p() - coefficient(rate).ln();
        let place = (log - coefficient(exponent.constant)) / coefficient(slope);
        let spreads = (place - Enclosure::point(cut.at)) / Enclosure::point(cut.spread);
        let (x, log_q) = (place.midpoint(), self.panels[0].log_q);
        if !(place.width() < 1e-12 * (1.0 + x.abs()) && spreads.lower() > 0.0) {
            return None;
        }
        // Slopes of log-densities are less than some hundreds.
        let fall = |rise: f64| 2.0 * spreads.lower() / cut.spread - rise - 1e-9 * (1.0 + rise.abs());
        let [here, there] = [0.0, 1.0].map(|moved| fall(log_q.slope(x) + moved * slope));
        if !(here > 0.0 && there > 0.0) {
            return None;
        }
        let density = (1.0 - rate) / here + rate * exp(exponent.at(x)) / there;
        let log = log_half_erfc(spreads).upper() + log_q.at(x) + ln(density);
        Some(log + 1e-6 + 1e-12 * (log_q.magnitude(x.abs()) + exponent.magnitude(x.abs())))
    }

    /// γ and `l`.
    fn rare(&self) -> Option<(f64, Quadratic)> {
        self.whole_line().filter(|_| self.swapped)?;
        let [(still, constant), (rate, exponent)] = self.still_and_moving();
        let adds_up = (still + rate - 1.0).abs() <= 6.0 * UNIT_ROUNDOFF;
        (adds_up && constant == Quadratic::default()).then_some((rate, exponent))
    }
}

/// `log(erfc(y)/2)`, which falls.
fn log_half_erfc(y: Enclosure) -> Enclosure {
    let at = |y: f64| Enclosure::relative(log_erfc(y), LOG_ERFC_ERROR_UNITS * UNIT_ROUNDOFF);
    let log = Enclosure::new(at(y.upper()).lower(), at(y.lower()).upper());
    log - Enclosure::point(2.0).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, dominating_pair, ratio_law::integrand::Integrand};
    use num_complex::Complex;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Against sums over the outcomes.
        #[test]
        fn what_is_calm_is_known_in_closed_form(
            (sigma, log_rate) in (0.3f64..3.0, -12f64..-0.1),
            (at, sharpness) in (-4f64..3.0, 0.05f64..0.4),
        ) {
            let text = format!("poisson(gaussian(sigma={sigma}), rate={})", exp(log_rate));
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Add).unwrap();
            let law = &pair.ratio_laws()[0];
            let deviation = law.deviation().unwrap();
            let cut = Cut { at: at * deviation, spread: sharpness * deviation, end: f64::INFINITY };
            let CalmPart { log_mass, log_drop } = law.calm_part(cut).unwrap();
            let integrand = Integrand::new(&law.panels[0], Complex::new(0.0, 0.0));
            let step = 0.1 * cut.spread;
            let steps = (16.0 / (0.1 * sharpness)) as i32;
            let (mut mass, mut drop) = (0.0, 0.0);
            for i in -steps..steps {
                let x = step * f64::from(i);
                let p = step * exp(integrand.log_q.at(x) + crate::pair::Portion::Below(cut).log_weight(x));
                mass += p;
                drop += p * expm1(integrand.ratio.derivatives(x)[0]);
            }
            let close = |bounds: Enclosure, value: f64, allowed: f64| {
                bounds.lower() <= value + allowed && value - allowed <= bounds.upper()
            };
            prop_assert!(close(log_mass, mass.ln(), 1e-10), "{log_mass:?} {}", mass.ln());
            let relative = ln_1p(drop / mass);
            prop_assert!(close(log_drop, relative, 1e-10 * relative.abs()), "{log_drop:?} {relative:e}");
            // What is astray, by the same sum.
            for spreads in [1f64, 3.0, 6.0] {
                let from = spreads.mul_add(cut.spread, cut.at);
                let way = law.largest_calm_loss().unwrap().midpoint() + integrand.ratio.derivatives(from)[0];
                let sum: f64 = (0..4 * steps)
                    .map(|i| 0.25f64.mul_add(step * (f64::from(i) + 0.5), from))
                    .map(|x| {
                        let log = integrand.log_q.at(x) + integrand.ratio.derivatives(x)[0];
                        0.25 * step * exp(log + crate::pair::Portion::Below(cut).log_weight(x))
                    })
                    .sum();
                if let Some(bound) = law.log_astray(cut, way) {
                    prop_assert!(sum.ln() <= bound + 1e-3, "{} {bound}", sum.ln());
                    // Far beyond a sharp cut it is not loose.
                    let is_far = spreads == 6.0 && sharpness < 0.2;
                    prop_assert!(!is_far || bound <= sum.ln() + 1.0, "{} {bound}", sum.ln());
                }
            }
            prop_assert!(log_mass.width() < 1e-11 * (1.0 + log_mass.upper().abs()));
            prop_assert!(log_drop.width() < 1e-11 * relative.abs());
        }
    }

    /// Where the loss is said to be below the largest by so much it is.
    #[test]
    fn places_are_where_they_are_said_to_be() {
        let pair =
            dominating_pair(&"poisson(gaussian(sigma=0.7), rate=0.01)".parse().unwrap(), Direction::Add)
                .unwrap();
        let law = &pair.ratio_laws()[0];
        let ratio = Integrand::new(&law.panels[0], Complex::new(0.0, 0.0)).ratio;
        for way in [1e-9, 1e-5, 0.1, 3.0] {
            let (x, growth) = law.place_below_largest(way).unwrap();
            let there = law.largest_calm_loss().unwrap().midpoint() + ratio.derivatives(x)[0];
            assert!((there - way).abs() <= 1e-6 * way, "{way}: {there}");
            assert!((growth - 0.7).abs() < 1e-12, "{growth}");
        }
        let removing =
            dominating_pair(&"poisson(gaussian(sigma=0.7), rate=0.01)".parse().unwrap(), Direction::Remove)
                .unwrap();
        assert!(removing.ratio_laws()[0].largest_calm_loss().is_none());
    }
}
