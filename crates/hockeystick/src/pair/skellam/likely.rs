//! The likely outcomes of Skellam noise, and what is known of the others without listing them.

use super::listed::{depth, listed, reach};
use crate::pair::{
    Atom, LikelyOutcomes, Listing, RatioLaw,
    shape::{DiscretePair, INVISIBLE, Known, Listed, logarithm, neighbours, product_error},
};
use hockeystick_numerics::{
    ball::Ball, bessel::bessel_ratios, double_double::DoubleDouble, enclosure::Enclosure,
    probability::Probability,
};
use pulp::Arch;

/// From this variance on there are outcomes that are not likely enough to be listed.
const SMALLEST_VARIANCE: f64 = 100.0;
/// The largest shift, in standard deviations: the masses of an outcome under both laws are then of comparable size.
const LONGEST_SHIFT: f64 = 2.0;
/// Less likely outcomes than this are better listed by their logarithms: products of ratios have lost digits there.
const LEAST: f64 = -320.0;
/// At least `2e^{−740}`, what is beyond the reach, with room for the rounding of the depth.
const LEFT_OUT: f64 = 1e-317;
/// At least the relative error of a depth and what follows from it for its exponential.
const ROUNDED: f64 = 1.0 + 1e-6;

/// The noise, `f(k) = e^{−μ}I_{|k|}(μ)`, against the same with a shift.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) variance: f64,
    pub(super) shift: usize,
    /// As far as outcomes are listed.
    pub(super) reach: usize,
}

impl Difference {
    /// What the list of all outcomes will say of the pair; `None` if it is short.
    ///
    /// The losses at its ends are sums of logarithms of ratios `r_k = I_{k+1}(μ)/I_k(μ)`, which lie between
    /// `μ/(k + 1 + √((k + 1)² + μ²))` and `μ/(k + √(k² + μ²))`, as [`bessel_ratios`] proves.
    pub(super) fn known(&self) -> Option<Known> {
        let Self { variance, shift, reach } = *self;
        if variance < SMALLEST_VARIANCE || shift as f64 > LONGEST_SHIFT * variance.sqrt() {
            return None;
        }
        let largest = (reach..reach + shift).fold(Enclosure::ZERO, |sum, k| {
            // −log r = asinh(ν/μ) for either bound. asinh is off by some units, the sum of positive terms by as many as there are.
            let [low, high] = [0.0, 1.0].map(|part| ((k as f64 + part) / variance).asinh());
            sum + Enclosure::new(low * (1.0 - 1e-14), high * (1.0 + 1e-14))
        });
        let beyond = Probability::from_value(Enclosure::new(0.0, LEFT_OUT));
        Some(Known { infinite: beyond, vanishing: beyond, losses: (-largest, largest), self_dual: true })
    }
}

impl Listed for Difference {
    fn all(&self) -> DiscretePair {
        listed(self.variance, self.reach, self.shift).unwrap_or_else(|_| DiscretePair::unknown())
    }

    /// Masses are products of ratios on the way out from 0, and for a shift of 1 losses are logarithms of ratios.
    ///
    /// # Guarantee
    /// In 106 bits, a thousand steps leave all digits of a double. Beyond the reach there is no more than `2e^{−depth}`, by Chernoff's bound.
    fn likely(&self, least: f64) -> Option<LikelyOutcomes> {
        let Self { variance, shift, .. } = *self;
        let reach = reach(variance, -least) as usize;
        if least < LEAST || reach >= self.reach {
            return None;
        }
        // Next to e^{−320} a depth is below 330, and off by a part in 10¹³.
        let missing = 2.0 * (-depth(variance, reach as f64)).exp() * ROUNDED;
        if missing > 0.25 {
            return None;
        }
        let ratios = bessel_ratios(variance, reach + shift);
        // Each ratio is a ball with the radius of a few roundings, more than those of the product.
        let error = product_error(ratios.len())
            + ratios.iter().fold(0.0, |sum, ratio| sum + 1.1 * ratio.radius() / ratio.approximate());
        let weights = Arch::new().dispatch(|| products(&ratios));
        if error.is_nan() || error > INVISIBLE {
            return None;
        }
        let one_side = weights[1..=reach].iter().rev().fold(DoubleDouble::ZERO, |sum, weight| sum + *weight);
        let listed = DoubleDouble::ONE + one_side + one_side;
        // f(0) times the listed sum is 1 but for what is beyond, at most `missing`.
        let share = neighbours(DoubleDouble::ONE / listed) * Enclosure::new(0.0, missing).one_minus();
        let masses: Vec<Enclosure> =
            weights.iter().map(|weight| (neighbours(*weight) * share).clamp(0.0, 1.0)).collect();
        // log f(near)/f(far).
        let loss = |near: usize, far: usize| match shift {
            1 => -logarithm(ratios[near].midpoint(), error),
            _ => logarithm(weights[near] / weights[far], 3.0 * error),
        };
        // Outcomes x above s/2, and by reflection x ↦ s − x those below, with P and Q exchanged.
        let above = (shift / 2 + 1..=reach + shift).map(|x| {
            let near = x.abs_diff(shift);
            Atom { loss: loss(near, x), p: masses[near], q: masses[x] }
        });
        let above: Vec<Atom> = above.collect();
        let middle = shift.is_multiple_of(2).then(|| {
            let mass = masses[shift / 2];
            Atom { loss: Ball::ZERO, p: mass, q: mass }
        });
        let below = above.iter().rev().map(|atom| Atom { loss: -atom.loss, p: atom.q, q: atom.p });
        let atoms: Vec<Atom> = below.chain(middle).chain(above.iter().copied()).collect();
        let law = RatioLaw { atoms, listing: Listing::Nothing, ..RatioLaw::default() };
        Some(LikelyOutcomes { laws: vec![law], missing_p: missing, missing_q: missing })
    }
}

/// The products of the first 0, 1, 2, … ratios.
#[inline(always)]
fn products(ratios: &[Ball]) -> Vec<DoubleDouble> {
    let mut product = DoubleDouble::ONE;
    let mut products = Vec::with_capacity(ratios.len() + 1);
    products.push(product);
    products.extend(ratios.iter().map(|ratio| {
        product = product * ratio.midpoint();
        product
    }));
    products
}
