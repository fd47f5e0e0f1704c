//! The likely outcomes of Skellam noise, and what is known of the others without listing them.

use super::{depth, listed, reach};
use crate::pair::{
    Atom, LikelyOutcomes, Listing, RatioLaw,
    shape::{DiscretePair, Known, Listed},
};
use hockeystick_numerics::{
    ball::Ball, bessel::bessel_ratios, enclosure::Enclosure, probability::Probability,
};

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
    /// `μ/(k + 1 + √((k + 1)² + μ²))` and `μ/(k + ½ + √((k + ½)² + μ²))` (Amos 1974).
    pub(super) fn known(&self) -> Option<Known> {
        let Self { variance, shift, reach } = *self;
        if variance < SMALLEST_VARIANCE || shift as f64 > LONGEST_SHIFT * variance.sqrt() {
            return None;
        }
        let largest = (reach..reach + shift).fold(Enclosure::ZERO, |sum, k| {
            // −log r = asinh(ν/μ) for either bound. asinh is off by some units, the sum of positive terms by as many as there are.
            let [low, high] = [0.5, 1.0].map(|part| ((k as f64 + part) / variance).asinh());
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
        let mut weights = Vec::with_capacity(ratios.len() + 1);
        let mut weight = Ball::ONE;
        weights.push(weight);
        for ratio in &ratios {
            weight = weight * *ratio;
            weights.push(weight);
        }
        let one_side = weights[1..=reach].iter().rev().fold(Ball::ZERO, |sum, weight| sum + *weight);
        // The weights of what is beyond, over that of 0: its mass is at most `missing`, so that this is missing/(1 − missing) of the others.
        let listed = Ball::ONE + one_side + one_side;
        let total = listed * Ball::from(Enclosure::new(1.0, 1.0 + 2.0 * missing));
        let share = (Ball::ONE / total).enclosure();
        let masses: Vec<Enclosure> =
            weights.iter().map(|weight| (weight.enclosure() * share).clamp(0.0, 1.0)).collect();
        // log f(k)/f(k + s), and as far as both sides of 0 are concerned log f(k)/f(s − k).
        let loss = |near: usize, far: usize| {
            Ball::from(if shift == 1 { -ratios[near].ln_enclosure() } else { (weights[near] / weights[far]).ln_enclosure() })
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
