//! δ of one use to thirty digits, for a law of which the coefficients are known as well.
//!
//! Next to ε = 0 it is the total variation but for as little as one likes, which is what makes ε.

use super::{NormalRatio, RatioLaw};
use hockeystick_numerics::{ball::Ball, double_double::DoubleDouble, wide_array::WideArray};

impl RatioLaw {
    /// `δ(ε)` of the pair whose only law this is, if the outcomes are normal and coefficients are known to thirty digits.
    ///
    /// # Guarantee
    /// Enclosed. Under Q outcomes are standard normal and the ratio is `r(x) = 1 + w(e^{μx − μ²/2} − 1)`, which grows, and P is a mixture. With
    /// Φ̄ the normal tail and `r(t) = e^ε`,
    ///
    /// ```text
    /// E_Q[(r − e^ε)₊] = w Φ̄(t − μ) − (w + e^ε − 1) Φ̄(t)
    /// ```
    ///
    /// and if P and Q are swapped, with `r(t) = e^{−ε}` and Φ = 1 − Φ̄,
    ///
    /// ```text
    /// E_Q[(1 − e^ε r)₊] = (1 − e^ε(1 − w)) Φ(t) − e^ε w Φ(t − μ)
    /// ```
    pub fn single_delta(&self, epsilon: f64) -> Option<Ball> {
        let NormalRatio { weight, mu } = self.checked_normal()?;
        let loss = Ball::from(if self.swapped { -epsilon } else { epsilon });
        let growth = loss.exp_m1() / weight;
        if growth.enclosure().lower() <= LEAST_GROWTH {
            return None;
        }
        let at = growth.ln_1p() / mu + mu / Ball::from(2.0);
        let delta = if self.swapped {
            let factor = Ball::from(epsilon).exp();
            // 1 − e^ε(1 − w), of which the digits of 1 are nothing.
            let rest = weight - Ball::from(epsilon).exp_m1() * (Ball::ONE - weight);
            rest * normal_tail(-at)? - factor * weight * normal_tail(mu - at)?
        } else {
            weight * normal_tail(at - mu)? - (weight + loss.exp_m1()) * normal_tail(at)?
        };
        delta.is_finite().then_some(delta)
    }
}

/// `(e^ε − 1)/w` must not come closer to −1, where the ratio is its smallest.
const LEAST_GROWTH: f64 = -0.999;

/// `Φ̄(y) = erfc(y/√2)/2`; `None` where next to nothing is left on one side.
///
/// # Guarantee
/// Enclosed: the slope of `erfc(u)/2` is at most `1/√π`, and for u ≥ 0 that of its logarithm at most `2u + 1.2`.
pub(super) fn normal_tail(y: Ball) -> Option<Ball> {
    let place = y / Ball::from(2.0).sqrt();
    let distance = if place.approximate() < 0.0 { -place } else { place };
    if distance.approximate() > WideArray::LARGEST_ERFC || !distance.is_finite() {
        return None;
    }
    let mut one = WideArray::default();
    one.push(if distance.approximate() == 0.0 { DoubleDouble::ZERO } else { distance.midpoint() });
    let tail = one.half_erfc().at(0);
    let relative = WideArray::half_erfc_error(distance.approximate());
    let off = distance.radius() + if distance.approximate() == 0.0 { f64::MIN_POSITIVE } else { 0.0 };
    let of_log = (2.0 * distance.approximate() + 1.3) * off;
    // e^t − 1 ≤ 1.01 t for small t.
    let is_small = of_log < 1e-3 && off < distance.approximate();
    let of_place = if is_small { (1.02 * of_log * tail.hi()).min(0.57 * off) } else { 0.57 * off };
    let tail = Ball::new(tail, (relative * tail.hi() + of_place) * (1.0 + 1e-9));
    Some(if place.approximate() < 0.0 { Ball::ONE - tail } else { tail })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        curve::{PairProfile, PrivacyProfile},
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };
    use proptest::prelude::*;

    /// The smallest double that is not below the total variation is granted for ε = 0.
    #[test]
    fn the_total_variation_itself_costs_nothing() {
        for expression in
            ["poisson(gaussian(sigma=1), rate=0.1)", "poisson(gaussian(sigma=0.5377), rate=0.01234)"]
        {
            let mechanism: Mechanism = expression.parse().unwrap();
            let pair = dominating_pair(&mechanism, Direction::Remove).unwrap();
            let at_zero = pair.ratio_laws()[0].single_delta(0.0).unwrap().enclosure();
            let profile = PairProfile::new(pair);
            assert!(profile.is_at_most(0.0, at_zero.upper()), "{expression}");
            assert!(!profile.is_at_most(0.0, at_zero.lower().next_down()), "{expression}");
        }
    }

    /// Far out a tail is known to as large a part of it as its place allows.
    #[test]
    fn small_tails_keep_their_digits() {
        for y in [-3.0, 0.0, 1e-12, 0.7, 5.0, 12.5, 30.0] {
            let tail = normal_tail(Ball::new(DoubleDouble::from(y), 1e-30 * y.abs())).unwrap();
            let expected = 0.5 * hockeystick_numerics::special::erfc(y / 2f64.sqrt());
            assert!((tail.approximate() - expected).abs() <= 1e-12 * expected, "{y}");
            assert!(tail.radius() <= 1e-25 * tail.approximate(), "{y}: {tail:?}");
        }
        // Of a place that is hardly known little is said.
        let wide = normal_tail(Ball::new(DoubleDouble::from(3.0), 0.5)).unwrap().enclosure();
        for y in [2.5, 3.5] {
            assert!(wide.contains(0.5 * hockeystick_numerics::special::erfc(y / 2f64.sqrt())), "{y}");
        }
    }

    proptest! {
        /// Against what the pair says in doubles, and next to 0 to far more digits.
        #[test]
        fn one_use_has_the_delta_of_its_pair(
            log_sigma in -0.5f64..2.0,
            log_rate in -6f64..-0.01,
            log_epsilon in -12f64..1.0,
            swapped in any::<bool>(),
        ) {
            let (sigma, rate, epsilon) = (10f64.powf(log_sigma), 10f64.powf(log_rate), 10f64.powf(log_epsilon));
            let mechanism: Mechanism = format!("poisson(gaussian(sigma={sigma}), rate={rate})").parse().unwrap();
            let direction = if swapped { Direction::Add } else { Direction::Remove };
            let pair = dominating_pair(&mechanism, direction).unwrap();
            let [law] = <[RatioLaw; 1]>::try_from(pair.ratio_laws()).unwrap();
            let Some(delta) = law.single_delta(epsilon) else { return Ok(()) };
            let doubles = pair.delta(Ball::from(epsilon)).value();
            let found = delta.enclosure();
            prop_assert!(found.lower() <= doubles.upper() && doubles.lower() <= found.upper(), "{found:?} {doubles:?}");
            prop_assert!(log_epsilon > -1.0 || delta.radius() <= 1e-22 * rate, "{delta:?}");
        }
    }
}
