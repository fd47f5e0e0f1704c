//! Runs of neighbouring outcomes, added up in closed form.

use super::{DiscreteGaussianPair, whole};
use crate::pair::{Atom, LikelyOutcomes, Listing, Merging, RatioLaw};
use hockeystick_numerics::{
    ball::Ball, double_double::DoubleDouble, enclosure::Enclosure, limits::check, rounding::UNIT_ROUNDOFF,
    special::exp,
};
use std::array;

/// Powers of `(ah)²` in the sum over a run.
const TERMS: usize = 8;
/// The largest `ah`: then `(A + B)^8/8!` of the sum is left out, which is below `10⁻¹⁸`.
const LARGEST_SLOPE: f64 = 0.14;
/// Down to here probabilities are normal doubles, for the longest shift, too.
const LEAST: f64 = -600.0;
/// Up to here `B` is nothing beside `A`.
const MOST: f64 = -8.0;
/// The largest shift, in units of σ.
const LONGEST_SHIFT: f64 = 2.0;

/// Probabilities of the noise, and their sums over runs of `2h + 1` outcomes.
///
/// `Σ_{|j|≤h} e^{−(x+j)²/2σ²} = e^{−x²/2σ²} Σ_j cosh(aj)e^{−bj²}` with `a = x/σ²`, `b = 1/2σ²`. In powers of `j²`, with `A = (ah)²`, `B = bh²` and `μₙ` the
/// mean of `(j/h)^{2n}`, the last sum is `2h + 1` times `Σᵢ Aⁱ/(2i)! Σₖ (−B)ᵏ/k! μᵢ₊ₖ`.
///
/// # Guarantee
/// The terms of the `n`th power of `j²` add up to at most `(A + B)ⁿ/n!`, for `1/(2i)! ≤ 1/i!`. All that are left out, and all roundings, are in
/// the relative error.
#[derive(Clone, Debug)]
struct Runs {
    half: i64,
    /// `1/2σ²`.
    rate: DoubleDouble,
    /// One over the sum of all weights.
    share: f64,
    /// `Σₖ (−B)ᵏ/k! μᵢ₊ₖ / (2i)!`.
    coefficients: [f64; TERMS],
    error: f64,
}

impl Runs {
    fn new(pair: &DiscreteGaussianPair, half: i64) -> Self {
        let normaliser = pair.lattice.normaliser();
        let share = 1.0 / normaliser.midpoint();
        let rate = (Ball::ONE / pair.lattice.two_variance()).midpoint();
        let h = half as f64;
        let means: [f64; 2 * TERMS] = array::from_fn(|n| {
            if half == 0 {
                return if n == 0 { 1.0 } else { 0.0 };
            }
            let sum: f64 = (1..=half).map(|j| (j as f64 / h).powi(2 * n as i32)).sum();
            (2.0 * sum + f64::from(u8::from(n == 0))) / (2.0 * h + 1.0)
        });
        let b = rate.hi() * h * h;
        let coefficients = array::from_fn(|i| {
            let (mut term, mut sum) = (1.0, 0.0);
            for k in 0..TERMS - i {
                sum += term * means[i + k];
                term *= -b / (k + 1) as f64;
            }
            sum / (1..=2 * i).map(|factor| factor as f64).product::<f64>()
        });
        // exp, 1 − lo, the share and its rounding, three products, and the constant coefficient: 12 units with room. The others are at most 0.02 of the
        // sum; their means are sums of h terms, with powers that take up to 30 roundings, and `a` is rounded thrice.
        let units = 12.0 + 0.03 * (h + 120.0);
        let error = units * UNIT_ROUNDOFF + normaliser.width() / normaliser.lower() + 1e-18;
        Self { half, rate, share, coefficients, error: error * (1.0 + 1e-9) }
    }

    /// The probability of the run with the middle `x`.
    #[inline]
    fn probability(&self, x: i64) -> Enclosure {
        // Exact below 2²⁶.
        let square = (x * x) as f64;
        let depth = square * self.rate.hi();
        let rest = square.mul_add(self.rate.hi(), -depth) + square * self.rate.lo();
        let weight = exp(-depth) * (1.0 - rest) * self.share;
        let slope = 2.0 * x as f64 * self.half as f64 * self.rate.hi();
        let a = slope * slope;
        let sum = self.coefficients.iter().rev().fold(0.0, |sum, c| sum * a + c);
        let value = weight * sum * (2 * self.half + 1) as f64;
        Enclosure::new(value * (1.0 - self.error), value * (1.0 + self.error))
    }
}

impl DiscreteGaussianPair {
    /// The outcomes within `√(2 log 1/least)` σ of 0 or of `s`, in runs. `None` where the list of all, one by one, does as well.
    pub(super) fn runs(&self, least: f64, merging: Merging) -> Option<LikelyOutcomes> {
        let (sigma, shift) = (self.lattice.sigma(), self.shift as f64);
        if !(LEAST..MOST).contains(&least) || shift > LONGEST_SHIFT * sigma || sigma < 8.0 {
            return None;
        }
        let reach = ((-2.0 * least).sqrt() * sigma).ceil() + 1.0;
        // Both ends of a run are 2hs/σ² apart.
        let half_of = |width: f64| 0.5 * width * sigma * sigma / shift;
        let outcomes = 2.0 * reach + shift + 1.0;
        let wanted = |x: f64| match merging {
            Merging::Nothing => 0.0,
            Merging::Within(widths) => half_of(widths.at(shift * (x - 0.5 * shift) / (sigma * sigma))),
            Merging::Into(count) if outcomes <= 2.0 * count as f64 => 0.0,
            Merging::Into(count) => (0.5 * outcomes / count as f64).ceil(),
        };
        // The last run may end a little beyond the reach: h(R + 2h) ≤ 0.14 σ² holds for this h.
        let farthest = reach + shift + 1.0;
        let most = LARGEST_SLOPE * sigma * sigma / farthest;
        let most = most / (1.0 + 2.0 * most / farthest);
        let half_at = |x: i64| {
            let half = wanted(x as f64).min(most);
            if half >= 1.0 { half as i64 } else { 0 }
        };
        let per_step = Ball::from(self.shift) / self.lattice.two_variance();
        let (reach, shift) = (reach as i64, self.shift as i64);
        let mut lengths: Vec<(Runs, Ball)> = Vec::new();
        let (mut atoms, mut start, mut known) = (Vec::new(), -reach, 0);
        while start <= reach + shift {
            check();
            let half = half_at(start);
            if lengths.get(known).is_none_or(|(runs, _)| runs.half != half) {
                known = lengths.iter().position(|(runs, _)| runs.half == half).unwrap_or(lengths.len());
            }
            if known == lengths.len() {
                let spread = 2.0 * half as f64 * per_step.enclosure().upper() * (1.0 + 1e-15);
                lengths.push((Runs::new(self, half), Ball::new(DoubleDouble::ZERO, spread)));
            }
            let (runs, spread) = &lengths[known];
            let x = start + half;
            let loss = whole(2 * x - shift) * per_step;
            let loss = if half == 0 { loss } else { loss + *spread };
            atoms.push(Atom { loss, p: runs.probability(x - shift), q: runs.probability(x) });
            start = x + half + 1;
        }
        // On either side a geometric series: ratios fall.
        let next = self.lattice.probability(reach + 1).upper();
        let ratio = -(-2.0 * (reach + 1) as f64 / self.lattice.two_variance().approximate()).exp_m1();
        let missing = 2.0 * next / ratio * (1.0 + 1e-9);
        let law = RatioLaw { atoms, listing: Listing::Nothing, ..RatioLaw::default() };
        Some(LikelyOutcomes { laws: vec![law], missing_p: missing, missing_q: missing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Widths, ZONES};

    /// The sums of runs are those of their outcomes, all losses are in their balls, and nothing is listed twice or left out.
    #[test]
    fn runs_are_sums_of_outcomes() {
        let far = (f64::NEG_INFINITY, f64::INFINITY, 1.0);
        for (sigma, shift, least, merging) in [
            (9.0, 1, -30.0, Merging::Nothing),
            (500.0, 1, -80.0, Merging::Into(1200)),
            (500.0, 990, -300.0, Merging::Into(300)),
            (3000.0, 7, -600.0, Merging::Into(100)),
            (2000.0, 1, -90.0, Merging::Within(Widths { width: 2e-5, zones: [far; ZONES] })),
            (
                800.0,
                2,
                -90.0,
                Merging::Within(Widths { width: 1e-5, zones: [(-3e-3, 4e-3, 9.0), (-6e-3, 6e-3, 65.0)] }),
            ),
        ] {
            let mechanism =
                crate::mechanism::DiscreteGaussian::new(sigma).unwrap().with_sensitivity(shift).unwrap();
            let pair = DiscreteGaussianPair {
                shift: mechanism.sensitivity(),
                lattice: super::super::Lattice::new(sigma),
                bounds: None,
            };
            let likely = pair.runs(least, merging).unwrap();
            let atoms = &likely.laws[0].atoms;
            let reach = ((-2.0 * least).sqrt() * sigma).ceil() as i64 + 1;
            let mut next = -reach;
            let shift = shift as i64;
            let mut longest = 0;
            for atom in atoms {
                // As long as losses are inside.
                let ball = atom.loss.enclosure();
                let (first, mut p, mut q) = (next, Ball::ZERO, Ball::ZERO);
                while next == first || pair.loss(next).enclosure().lower() <= ball.upper() {
                    let loss = pair.loss(next).enclosure();
                    assert!(loss.upper() >= ball.lower() && loss.lower() <= ball.upper());
                    p = p + Ball::from(pair.lattice.probability(next - shift));
                    q = q + Ball::from(pair.lattice.probability(next));
                    next += 1;
                }
                longest = longest.max(next - first);
                assert!(p.enclosure().overlaps(atom.p) && q.enclosure().overlaps(atom.q), "{sigma} {atom:?}");
                assert!(atom.p.width() <= 1e-14 * atom.p.upper() && atom.q.width() <= 1e-14 * atom.q.upper());
            }
            assert!(next > reach + shift && next <= reach + shift + longest);
            assert_eq!(longest > 1, merging != Merging::Nothing, "{sigma}");
            let beyond = pair.lattice.tail(reach + 1).value();
            assert!(likely.missing_p >= 2.0 * beyond.lower() && likely.missing_p <= 4.0 * beyond.upper());
        }
    }
}
