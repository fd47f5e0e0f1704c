//! Gaussian noise on the integers.
//!
//! In: σ and a whole sensitivity. Out: the pair of the noise around both answers.
//!
//! # Guarantee
//! Masses and tails on the integers are enclosed with relative accuracy, however far out. Wide noise is enclosed by two Gaussians.

mod lattice;
mod runs;
mod threshold;

use super::{
    Atom, Between, Bounds, Details, DominatingPair, LatticeNormal, LikelyOutcomes, Listing, Merging, Moments,
    NoPair, RatioLaw, SharedPair, Slack, Tails,
    log_concave::{self, Curvature},
    ratio_law::{Unlisted, moments},
};
use crate::{error::Error, mechanism::DiscreteGaussian};
use hockeystick_numerics::{
    ball::Ball, enclosure::Enclosure, limits, probability::Probability, rounding::UNIT_ROUNDOFF,
};
use lattice::{Lattice, whole};
use std::{ops::RangeInclusive, sync::Arc};
use threshold::Threshold;

/// From this σ on Gaussians on both sides tell more of compositions than lists of outcomes do in reasonable time: ε is known to `1.7/σ²` of itself.
const WIDE: f64 = 1000.0;
/// From this σ on they tell enough of single uses, too.
const VERY_WIDE: f64 = 8000.0;
/// Up to here `log σ` is nothing beside σ.
const LARGEST_SIGMA: f64 = 1e18;
/// So many outcomes take some tenths of a millisecond.
const MANY: i64 = 1024;
/// Below this σ, `1/σ²` leaves the range in which balls keep their digits.
const SMALLEST_SIGMA: f64 = 1e-50;
/// `√(2·ln 10³²⁰)`, rounded up: beyond this many σ the probabilities are below 10⁻³²⁰.
const NEGLIGIBLE_BEYOND: f64 = 38.4;
/// With `t = θs/σ ≤ 17` the outcomes `x > s + 38.4σ`, which [`DominatingPair::ratio_law`] leaves out, add at most
/// `e^{t(t − s/σ)/2 − (38.4 − t + s/σ)²/2}·(1 + 1.3σ) ≤ e^{−84}·(1 + 1.3σ) < 10⁻³⁰` to `E_Q[r^θ]`; with `1 − θ` for θ those
/// `x < −38.4σ`.
const LARGEST_TILT: f64 = 17.0;

/// The noise around `s` against the noise around 0, both `∝ e^{−x²/2σ²}` on the integers.
///
/// The loss at `x` is `s(2x − s)/(2σ²)`. Both directions agree by reflection, so that
/// `δ(ε) = 1 − e^ε + e^ε δ(−ε)`: for negative ε two positive terms.
///
/// # Guarantee
/// Sums start at the threshold, or at the largest term if that is above, and what is left out is bounded by a geometric
/// series. The enclosures are relative at any size; below 10⁻³⁰⁸ doubles lose their digits.
#[derive(Clone, Debug)]
struct DiscreteGaussianPair {
    shift: u64,
    lattice: Lattice,
    bounds: Option<Bounds>,
}

/// The pair of the discrete Gaussian mechanism.
pub(super) fn pair(gaussian: &DiscreteGaussian) -> Result<SharedPair, Error> {
    let (sigma, shift) = (gaussian.sigma(), gaussian.sensitivity());
    if !(SMALLEST_SIGMA..=LARGEST_SIGMA).contains(&sigma) {
        let (smallest, largest) = (SMALLEST_SIGMA, LARGEST_SIGMA);
        return Err(NoPair::NoiseOutOfRange { parameter: "sigma", value: sigma, smallest, largest }.into());
    }
    // log f is a quadratic, whose second differences are all −1/σ².
    let variance = Ball::product_of(sigma, sigma);
    let curvature = Curvature { least_variance: variance, most_variance: variance, slack: Slack::NONE };
    let bounds = log_concave::bounds(curvature, shift, 1);
    if sigma >= VERY_WIDE {
        return Ok(Arc::new(Between(bounds?)));
    }
    let bounds = bounds.ok().filter(|_| sigma >= WIDE);
    Ok(Arc::new(DiscreteGaussianPair { shift, lattice: Lattice::new(sigma), bounds }))
}

/// A positive number too small for doubles.
fn below_doubles() -> Enclosure {
    Enclosure::new(0.0, f64::MIN_POSITIVE)
}

impl DiscreteGaussianPair {
    /// `s(2x − s)/(2σ²)`.
    fn loss(&self, x: i64) -> Ball {
        let shift = Ball::from(self.shift);
        shift * (whole(2 * x) - shift) / self.lattice.two_variance()
    }

    fn threshold(&self, epsilon: Ball) -> Threshold {
        let variance = self.lattice.two_variance().approximate() / 2.0;
        Threshold::of(epsilon, self.shift as f64, variance, |x| self.loss(x))
    }

    /// How far from 0 and from `s` probabilities are negligible.
    fn farthest(&self) -> i64 {
        (NEGLIGIBLE_BEYOND * self.lattice.sigma()).ceil() as i64 + 1
    }

    /// Every outcome within 38.4 σ of 0 or of `s`. What is left out has less than 10⁻³¹⁸ of either law.
    fn listed(&self) -> RatioLaw {
        let listing = Listing::UpToPower(LARGEST_TILT * self.lattice.sigma() / self.shift as f64);
        RatioLaw { atoms: self.atoms_within(self.farthest()), listing, ..RatioLaw::default() }
    }

    /// The outcomes at most so far from 0 or from `s`.
    fn atoms_within(&self, reach: i64) -> Vec<Atom> {
        let shift = self.shift as i64;
        // Dropped when the list is made: whoever keeps lists claims them.
        let _claim = limits::claim::<Atom>(4 * reach.unsigned_abs() as usize);
        let outcomes = (-reach..=reach).chain((reach + 1).max(shift - reach)..=shift + reach);
        // Both laws have the same probabilities, and those of x and −x are the same.
        let near: Vec<Enclosure> = (0..=reach + shift.min(reach))
            .map(|x| {
                if x % MANY == 0 {
                    limits::check();
                }
                self.lattice.probability(x)
            })
            .collect();
        let probability = |x: i64| match near.get(x.unsigned_abs() as usize) {
            Some(probability) => *probability,
            None => self.lattice.probability(x),
        };
        let per_step = Ball::from(self.shift) / self.lattice.two_variance();
        let loss = |x: i64| whole(2 * x - shift) * per_step;
        outcomes.map(|x| Atom { loss: loss(x), p: probability(x - shift), q: probability(x) }).collect()
    }

    /// `δ(ε)` for `ε ≥ 0`, where the threshold is above `s/2`.
    fn delta_of_positive(&self, epsilon: Ball, above: i64, undecided: i64) -> Probability {
        let lattice = &self.lattice;
        let shift = self.shift as i64;
        let anchor = above.max(shift);
        let gap = epsilon - self.loss(anchor);
        let step = Ball::from(2.0) * Ball::from(self.shift) / lattice.two_variance();
        let upward = lattice.weighted_above(anchor - shift, gap, step);
        let downward = lattice.weighted_below((shift - above).max(0) as u64, gap, step);
        let scale = lattice.probability(anchor - shift);
        let beside = (1..=undecided).fold(Enclosure::ZERO, |sum, k| {
            let gain = -(epsilon - self.loss(above - k)).exp_m1_enclosure();
            sum + lattice.probability(above - k - shift) * gain.clamp(0.0, 1.0)
        });
        let value = scale * (upward + downward) + beside;
        if value.upper() <= 0.5 {
            return Probability::from_value(value);
        }
        // 1 − δ = P(L ≤ ε) + e^ε Q(L > ε).
        let below = lattice.tail(shift + 1 - above).value();
        let complement = below + lattice.scaled_tail(above, epsilon) - beside;
        Probability::from_both(value, complement)
    }
}

/// What is true of a probability that does not grow with ε, from its values at both ends of a ball of ε.
fn between(at_lower: Probability, at_upper: Probability) -> Probability {
    Probability::from_both(
        Enclosure::new(at_upper.value().lower(), at_lower.value().upper()),
        Enclosure::new(at_lower.complement().lower(), at_upper.complement().upper()),
    )
}

/// Is the ball so wide that its midpoint does not stand for all of it?
fn is_wide(epsilon: Ball) -> bool {
    epsilon.radius() > 1e-12 * (1.0 + epsilon.approximate().abs())
}

impl DominatingPair for DiscreteGaussianPair {
    fn delta(&self, epsilon: Ball) -> Probability {
        let ends = epsilon.enclosure();
        if !epsilon.is_finite() {
            return Probability::UNKNOWN;
        }
        if ends.upper() <= 0.0 && ends.lower() < 0.0 {
            // 1 − δ(ε) = e^ε(1 − δ(−ε)).
            let mirrored = self.delta(-epsilon);
            let (odds, lost) = (epsilon.exp_enclosure(), -epsilon.exp_m1_enclosure());
            return Probability::from_both(lost + odds * mirrored.value(), odds * mirrored.complement());
        }
        let ask_both = || between(self.delta(Ball::from(ends.lower())), self.delta(Ball::from(ends.upper())));
        if ends.lower() < 0.0 || is_wide(epsilon) {
            return ask_both();
        }
        match self.threshold(epsilon) {
            // δ(ε) ≤ P(L > ε).
            Threshold::Far => Probability::from_value(below_doubles()),
            Threshold::Unknown if epsilon.radius() > 0.0 => ask_both(),
            Threshold::Unknown => Probability::UNKNOWN,
            Threshold::At { above, undecided } => self.delta_of_positive(epsilon, above, undecided),
        }
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let unknown = Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN };
        if !epsilon.is_finite() {
            return unknown;
        }
        let ends = epsilon.enclosure();
        let ask_both = || {
            let (lower, upper) = (self.tails(Ball::from(ends.lower())), self.tails(Ball::from(ends.upper())));
            Tails { p: between(lower.p, upper.p), q: between(lower.q, upper.q) }
        };
        if is_wide(epsilon) {
            return ask_both();
        }
        let (above, undecided) = match self.threshold(epsilon) {
            Threshold::At { above, undecided } => (above, undecided),
            Threshold::Far => {
                let far = Probability::from_value(below_doubles());
                let far = if epsilon.approximate() > 0.0 { far } else { far.opposite() };
                return Tails { p: far, q: far };
            }
            Threshold::Unknown if epsilon.radius() > 0.0 => return ask_both(),
            Threshold::Unknown => return unknown,
        };
        // Those near ε may all be above it, or none.
        let around = |centre: i64| {
            let least = self.lattice.tail(above - centre);
            if undecided == 0 {
                return least;
            }
            between(self.lattice.tail(above - undecided - centre), least)
        };
        Tails { p: around(self.shift as i64), q: around(0) }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        Enclosure::point(f64::NEG_INFINITY)..=Enclosure::point(f64::INFINITY)
    }

    /// Every outcome that is not negligible.
    fn ratio_law(&self) -> RatioLaw {
        self.listed()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(self.clone())
    }

    fn is_self_dual(&self) -> bool {
        true
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for DiscreteGaussianPair {
    fn bounds(&self) -> Option<&Bounds> {
        self.bounds.as_ref()
    }

    /// As a double and what it may be off: the radius of the ball, and its rest.
    fn lattice_normal(&self) -> Option<LatticeNormal> {
        let (shift, two_variance) = (Ball::from(self.shift), self.lattice.two_variance());
        let mu_squared = Ball::from(2.0) * shift * shift / two_variance;
        let period = Ball::pi() * two_variance / shift;
        let is_known = |ball: Ball| ball.radius() <= 1e-20 * ball.approximate();
        (is_known(mu_squared) && is_known(period)).then_some(LatticeNormal {
            mu_squared: mu_squared.approximate(),
            period: period.approximate(),
            relative_error: 2.0 * UNIT_ROUNDOFF,
            is_odd: self.shift % 2 == 1,
        })
    }

    /// Outcomes far out are so unlikely that every real moment exists.
    fn strip(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    fn moments(&self) -> Option<Moments> {
        let unlisted = Unlisted::of(self.infinite_mass(), self.vanishing_mass(), self.is_self_dual());
        moments(&[&self.listed()], Some(unlisted))
    }

    /// Every outcome within `√(2 log 1/least)` σ of 0 or of `s`; beyond are the tails.
    fn likely_outcomes(&self, least: f64) -> LikelyOutcomes {
        let reach = ((-2.0 * least).max(0.0).sqrt() * self.lattice.sigma()).ceil() as i64 + 1;
        if reach >= self.farthest() {
            return LikelyOutcomes::all(vec![self.ratio_law()]);
        }
        let missing = 2.0 * self.lattice.tail(reach + 1).value().upper();
        let law =
            RatioLaw { atoms: self.atoms_within(reach), listing: Listing::Nothing, ..RatioLaw::default() };
        LikelyOutcomes { laws: vec![law], missing_p: missing, missing_q: missing }
    }

    /// Runs of outcomes are added up in closed form.
    fn merged_outcomes(&self, least: f64, merging: Merging) -> LikelyOutcomes {
        self.runs(least, merging).unwrap_or_else(|| self.likely_outcomes(least).merged(merging))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left out of a list is what the whole list has besides, and no more than it says.
    #[test]
    fn likely_outcomes_are_all_but_the_missing_mass() {
        for (sigma, sensitivity, least) in [(3.0, 1, -20.0), (40.0, 2, -80.0), (0.7, 9, -5.0), (5.0, 1, -1e3)]
        {
            let mechanism = DiscreteGaussian::new(sigma).unwrap().with_sensitivity(sensitivity).unwrap();
            let pair = pair(&mechanism).unwrap();
            let (whole, likely) = (pair.ratio_law(), pair.likely_outcomes(least));
            let listed = &likely.laws[0].atoms;
            assert!(listed.iter().all(|atom| whole.atoms.contains(atom)));
            let others = whole.atoms.iter().filter(|atom| !listed.contains(atom));
            let [mut missing_p, mut missing_q] = [0.0; 2];
            for atom in others {
                missing_p += atom.p.lower();
                missing_q += atom.q.lower();
                assert!(atom.p.upper().max(atom.q.upper()) <= least.exp());
            }
            assert!(missing_p <= likely.missing_p && missing_q <= likely.missing_q);
            assert!(likely.missing_p <= 10.0 * (1.0 + sigma) * least.exp() + 1e-300, "{}", likely.missing_p);
        }
    }
}
