//! The likely outcomes of binomial noise, from the mode outwards.

use super::{coordinate, log_mass, mode};
use crate::pair::{
    Atom, LikelyOutcomes, Listing, RatioLaw,
    shape::{DiscretePair, Listed},
};
use hockeystick_numerics::ball::Ball;

/// The largest shift, in standard deviations: the masses of an outcome under both laws are then of comparable size.
pub(super) const LONGEST_SHIFT: f64 = 2.0;
/// Less likely outcomes than this are better listed by their logarithms: products of ratios have lost digits there.
const LEAST: f64 = -320.0;

/// The noise of `n` coins against the same with a shift.
#[derive(Debug)]
pub(super) struct Coins {
    pub(super) n: u64,
    pub(super) chance: f64,
    pub(super) shift: u64,
}

impl Listed for Coins {
    fn all(&self) -> DiscretePair {
        coordinate(self.n, self.chance, self.shift).unwrap_or_else(|_| DiscretePair::unknown())
    }

    /// With `m(k)/m(k+1) = r(k) = (k + 1)(1 − p)/((n − k)p)` the masses are products of ratios on the way out from the mode, and the loss at
    /// `x` is the logarithm of `m(x − s)/m(x)`: for a shift of 1 that of a ratio.
    ///
    /// # Guarantee
    /// In 106 bits, a thousand steps leave all digits of a double. On the way out ratios of neighbours fall: what is beyond the last is at most a
    /// geometric series.
    fn likely(&self, least: f64) -> Option<LikelyOutcomes> {
        let Self { n, chance, shift } = *self;
        if least < LEAST {
            return None;
        }
        let odds = (Ball::ONE - Ball::from(chance)) / Ball::from(chance);
        let ratio = |k: u64| Ball::from(k + 1) * odds / Ball::from(n - k);
        let (mode, smallest) = (mode(n, chance), least.exp());
        let at_mode = log_mass(n, chance, mode).exp();
        // Downwards, from the mode − 1 on.
        let mut below: Vec<(Ball, Ball)> = Vec::new();
        let (mut mass, mut lowest, mut left_out) = (at_mode, mode, 0.0);
        for k in (0..mode).rev() {
            let ratio = ratio(k);
            if lowest == k + 1 && mass.approximate() < smallest {
                left_out += beyond(mass, ratio)?;
            } else if lowest == k + 1 {
                lowest = k;
            }
            if k + shift < lowest {
                break;
            }
            mass = mass * ratio;
            below.push((mass, ratio));
        }
        let first = mode - below.len() as u64;
        below.reverse();
        // Each with the ratio to the next.
        let mut known = below;
        let (mut mass, mut highest) = (at_mode, mode);
        for k in mode..n {
            let ratio = ratio(k);
            known.push((mass, ratio));
            if highest == k && mass.approximate() < smallest {
                left_out += beyond(mass, Ball::ONE / ratio)?;
            } else if highest == k {
                highest = k + 1;
            }
            if k + 1 > highest + shift {
                break;
            }
            mass = mass / ratio;
        }
        if first == 0 || first + known.len() as u64 >= n {
            return None;
        }
        let at = |k: u64| known[(k - first) as usize];
        let atom = |x: u64| {
            let ((p, ratio), (q, _)) = (at(x - shift), at(x));
            let loss = if chance == 0.5 && 2 * x == n + shift {
                Ball::ZERO
            } else if shift == 1 {
                Ball::from(ratio.ln_enclosure())
            } else {
                Ball::from((p / q).ln_enclosure())
            };
            Atom { loss, p: p.enclosure().clamp(0.0, 1.0), q: q.enclosure().clamp(0.0, 1.0) }
        };
        let atoms = (lowest.max(shift)..=(highest + shift).min(first + known.len() as u64 - 1)).map(atom);
        let law = RatioLaw { atoms: atoms.collect(), listing: Listing::Nothing, ..RatioLaw::default() };
        Some(LikelyOutcomes { laws: vec![law], missing_p: left_out, missing_q: left_out })
    }
}

/// At least the sum of all masses beyond one, if ratios fall from this one on.
fn beyond(mass: Ball, ratio: Ball) -> Option<f64> {
    let ratio = ratio.enclosure().clamp(0.0, f64::INFINITY);
    (ratio.upper() < 1.0).then(|| (mass.enclosure() * ratio / ratio.one_minus()).upper() * (1.0 + 1e-9))
}
