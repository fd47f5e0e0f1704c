//! The likely outcomes of binomial noise, from the mode outwards.

use super::coordinate::{coordinate, log_mass, mode};
use crate::pair::{
    Atom, LikelyOutcomes, Listing, RatioLaw,
    shape::{DiscretePair, INVISIBLE, Listed, logarithm, neighbours, product_error},
};
use hockeystick_numerics::{ball::Ball, double_double::DoubleDouble, enclosure::Enclosure};
use pulp::Arch;

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
        let at_mode = log_mass(n, chance, mode(n, chance)).exp();
        if chance == 0.5 {
            return self.likely_of_fair(at_mode, least);
        }
        let odds = (Ball::ONE - Ball::from(chance)) / Ball::from(chance);
        // (The dispatch is for fused multiplications.)
        let walk = Arch::new().dispatch(|| self.walk(at_mode.midpoint(), odds.midpoint(), least.exp()))?;
        let Walk { first, lowest, highest, known, left_out } = walk;
        let error = product_error(known.len());
        let with_mode = error + 1.1 * at_mode.radius() / at_mode.approximate();
        if with_mode.is_nan() || with_mode > INVISIBLE {
            return None;
        }
        let masses: Vec<Enclosure> = known.iter().map(|(mass, _)| neighbours(*mass)).collect();
        let atom = |x: u64| {
            let (p, q) = ((x - shift - first) as usize, (x - first) as usize);
            let loss = match shift {
                1 => logarithm(known[p].1, error),
                _ => logarithm(known[p].0 / known[q].0, 3.0 * error),
            };
            Atom { loss, p: masses[p], q: masses[q] }
        };
        let atoms = (lowest..=highest + shift).map(atom).collect();
        let law = RatioLaw { atoms, listing: Listing::Nothing, ..RatioLaw::default() };
        Some(LikelyOutcomes { laws: vec![law], missing_p: left_out, missing_q: left_out })
    }
}

/// The masses below the mode.
pub(super) struct WalkDown {
    /// From here on they are likely; a shift below they are known.
    pub(super) lowest: u64,
    /// `m(k)` and `m(k)/m(k+1)`, from the mode down.
    pub(super) known: Vec<(DoubleDouble, DoubleDouble)>,
    /// At least the mass of all that are not likely.
    pub(super) left_out: f64,
}

/// The masses next to the mode.
struct Walk {
    /// The number that the first mass is of.
    first: u64,
    /// From here to there they are likely; a shift beyond they are known.
    lowest: u64,
    highest: u64,
    /// `m(k)` and `m(k)/m(k+1)`.
    known: Vec<(DoubleDouble, DoubleDouble)>,
    /// At least the mass of all that are not likely.
    left_out: f64,
}

impl Coins {
    /// `m(k)/m(k+1)`.
    #[inline(always)]
    fn ratio(&self, k: u64, odds: DoubleDouble) -> DoubleDouble {
        DoubleDouble::from((k + 1) as f64) * odds / DoubleDouble::from((self.n - k) as f64)
    }

    /// From the mode down, until masses are smaller than the smallest, and as far as the shift beyond. `None` if that is all of them.
    #[inline(always)]
    pub(super) fn walk_down(
        &self,
        at_mode: DoubleDouble,
        odds: DoubleDouble,
        smallest: f64,
    ) -> Option<WalkDown> {
        let (mode, shift) = (mode(self.n, self.chance), self.shift);
        let mut known = Vec::with_capacity(1024);
        let (mut mass, mut lowest, mut left_out) = (at_mode, None, 0.0);
        for k in (0..mode).rev() {
            let ratio = self.ratio(k, odds);
            if lowest.is_none() && mass.hi() < smallest {
                lowest = Some(k + 1);
                left_out = beyond(mass, ratio)?;
            }
            if lowest.is_some_and(|lowest| k + shift < lowest) {
                break;
            }
            mass = mass * ratio;
            known.push((mass, ratio));
        }
        let lowest = lowest?;
        // A number below the shift would be one that only Q can produce.
        let is_known = lowest + known.len() as u64 >= mode + shift;
        is_known.then_some(WalkDown { lowest, known, left_out })
    }

    /// From the mode outwards on both sides. `None` if that is all of them.
    #[inline(always)]
    fn walk(&self, at_mode: DoubleDouble, odds: DoubleDouble, smallest: f64) -> Option<Walk> {
        let Self { n, chance, shift } = *self;
        let mode = mode(n, chance);
        let WalkDown { lowest, mut known, mut left_out } = self.walk_down(at_mode, odds, smallest)?;
        known.reverse();
        let first = mode - known.len() as u64;
        let (mut mass, mut highest) = (at_mode, None);
        for k in mode..n {
            let ratio = self.ratio(k, odds);
            known.push((mass, ratio));
            if highest.is_none() && mass.hi() < smallest {
                highest = Some(k);
                left_out += beyond(mass, DoubleDouble::ONE / ratio)?;
            }
            if let Some(highest) = highest.filter(|highest| k >= highest + shift) {
                return Some(Walk { first, lowest, highest, known, left_out });
            }
            mass = mass / ratio;
        }
        None
    }
}

/// At least the sum of all masses beyond one, if ratios fall from this one on.
fn beyond(mass: DoubleDouble, ratio: DoubleDouble) -> Option<f64> {
    let ratio = ratio.hi() * (1.0 + 1e-12);
    (ratio < 1.0).then(|| mass.hi() * ratio / (1.0 - ratio) * (1.0 + 1e-9))
}
