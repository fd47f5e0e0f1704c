//! Losses on a common progression, found among the outcomes of pairs.

use super::{
    Effort, ExactKind, ExactPlan,
    convolution::TiltedLaw,
    sums::{Sums, SumsOf},
    tilt::{few_bits, saddle},
};
use crate::{
    engine::Goal,
    pair::{Atom, Listing, RatioLaw, SharedPair},
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{EXP_ERROR_UNITS, exp, ln},
};

/// If so many pairs have no common step, all have none.
const FIRST_ASKED: [usize; 2] = [2, 16];
/// More outcomes than this are left to other engines.
const MOST_OUTCOMES: usize = 20_000;
/// No law spans more steps than this.
const MOST_INDEX: i64 = 1 << 18;
/// No sum is farther from the first than this many steps: they are counted by integers, and numbers times a tilt are exact.
const FARTHEST: f64 = (1u64 << 40) as f64;
/// A step is at least this part of the range of a pair's losses.
const SMALLEST_STEP: f64 = 1e-5;
/// Losses are on the progression if all uses together are off by at most this part of a step.
const TOLERANCE: f64 = 1e-13;
/// Remainders below this part of the largest loss are 0.
const ZERO: f64 = 1e-24;
/// Probabilities below this have lost digits.
const SMALLEST_MASS: f64 = 1e-306;
/// What outcomes that are not listed have of either law, see [`Listing`].
const UNLISTED: f64 = 1e-315;
/// Tilts beyond this per step leave nothing but the largest loss.
const LARGEST_TILT: f64 = 40.0;
/// Sums with a larger relative error are left to other engines.
const MOST_RELATIVE: f64 = 1e-6;
/// How many standard deviations the law of a sum is wide.
const WIDTH: f64 = 28.0;

/// The outcomes of one pair: `loss = offset + index·step`.
#[derive(Clone, Debug)]
struct Listed {
    count: u64,
    offset: Ball,
    outcomes: Vec<(i64, Enclosure)>,
    /// About the logarithms of their probabilities.
    logarithms: Vec<f64>,
}

/// Several pairs with a common step.
#[derive(Clone, Debug)]
pub(super) struct Progression {
    step: Ball,
    laws: Vec<Listed>,
    /// How far the loss of all uses together can be from the progression.
    blur: f64,
    /// How likely some use has an outcome that is not listed.
    unlisted: f64,
}

impl Progression {
    /// The common progression of all losses, if there is one. It need not be exact: how far losses are from it is known.
    pub(super) fn of(pairs: &[(SharedPair, u64)]) -> Option<Self> {
        // Before very many pairs are listed, some of them are asked.
        for some in FIRST_ASKED.into_iter().filter(|some| 2 * some < pairs.len()) {
            Self::of(&pairs[..some])?;
        }
        let mut all = Vec::new();
        let mut unlisted = 0.0;
        for (pair, count) in pairs {
            let mut laws = pair.ratio_laws();
            let law = if laws.len() == 1 { laws.pop()? } else { return None };
            unlisted += match law.listing {
                Listing::Everything => 0.0,
                Listing::UpToPower(_) => UNLISTED * *count as f64,
                Listing::Nothing => return None,
            };
            all.push((outcomes(law)?, *count));
        }
        let gaps = all.iter().flat_map(|(atoms, _)| atoms.windows(2).map(|two| two[1].loss - two[0].loss));
        let step = refined(common_divisor(gaps)?, &all);
        let mut blur = 0.0;
        let mut laws = Vec::new();
        for (atoms, count) in all {
            let offset = atoms[0].loss;
            let index = |atom: &Atom| ((atom.loss - offset) / step).approximate().round();
            let off = |atom: &Atom| {
                let apart = (atom.loss - offset - step * Ball::from(index(atom))).enclosure();
                apart.upper().max(-apart.lower())
            };
            blur += 1.01 * count as f64 * atoms.iter().map(off).fold(0.0, f64::max);
            let outcomes: Vec<_> = atoms.iter().map(|atom| (index(atom) as i64, atom.p)).collect();
            if outcomes.last()?.0 > MOST_INDEX {
                return None;
            }
            let logarithms = atoms.iter().map(|atom| ln(atom.p.midpoint())).collect();
            laws.push(Listed { count, offset, outcomes, logarithms });
        }
        (blur <= TOLERANCE * step.approximate()).then_some(Self { step, laws, blur, unlisted })
    }

    /// The law of the sum, and the sums over it.
    pub(super) fn compose(&self, goal: Goal, effort: Effort) -> Option<(Sums, ExactPlan)> {
        let last = |law: &Listed| law.outcomes.last().map_or(0.0, |outcome| outcome.0 as f64);
        if self.laws.iter().map(|law| law.count as f64 * last(law)).sum::<f64>() > FARTHEST {
            return None;
        }
        // On a line the moment generating function of a progression is periodic.
        let effort = effort.multiplications(false);
        let step = self.step.approximate();
        let tilt = saddle(goal, LARGEST_TILT / step, |tilt| self.cumulant(tilt));
        let phi = few_bits(tilt * step);
        let spread: f64 =
            self.laws.iter().map(|law| law.count as f64 * law.variance(phi)).sum::<f64>().sqrt();
        if (WIDTH * spread).powi(2) > 2.0 * effort {
            return None;
        }
        let mut work = Work(effort);
        let mut composed: Option<TiltedLaw> = None;
        for law in &self.laws {
            let power = work.power(&law.tilted(phi)?, law.count)?;
            composed = Some(match composed {
                None => power,
                Some(sum) => work.convolved(&sum, &power)?,
            });
        }
        let offset = (self.laws.iter()).fold(Ball::ZERO, |sum, law| sum + law.offset * Ball::from(law.count));
        let law = composed.filter(|law| law.relative <= MOST_RELATIVE)?;
        let plan =
            ExactPlan { kind: ExactKind::Progression, step, terms: law.weights.len(), tilt: phi / step };
        let of = SumsOf { step: self.step, offset, phi, blur: self.blur, unlisted: self.unlisted };
        Some((Sums::over_atoms(of, law), plan))
    }

    /// `K(θ)` and its slope, up to what the offsets add to `K`: about, and of the finite losses.
    fn cumulant(&self, tilt: f64) -> (f64, f64) {
        let step = self.step.approximate();
        self.laws.iter().fold((0.0, 0.0), |(value, slope), law| {
            let (log_sum, mean) = law.moments(tilt * step);
            let (count, offset) = (law.count as f64, law.offset.approximate());
            (value + count * (log_sum + tilt * offset), slope + count * (offset + mean * step))
        })
    }
}

impl Listed {
    /// About the logarithms of `p e^{φi}`, with the index.
    fn tilted_logarithms(&self, phi: f64) -> impl Iterator<Item = (f64, f64)> {
        self.outcomes.iter().zip(&self.logarithms).map(move |(outcome, log)| {
            let index = outcome.0 as f64;
            (index, log + phi * index)
        })
    }

    /// About `ln Σ p e^{φi}` and the mean of `i` under the tilt.
    fn moments(&self, phi: f64) -> (f64, f64) {
        let largest = self.tilted_logarithms(phi).map(|(_, log)| log).fold(f64::NEG_INFINITY, f64::max);
        let (mut sum, mut mean) = (0.0, 0.0);
        for (index, log) in self.tilted_logarithms(phi) {
            let weight = exp(log - largest);
            sum += weight;
            mean += weight * index;
        }
        (largest + ln(sum), mean / sum)
    }

    /// About the variance of `i` under the tilt.
    fn variance(&self, phi: f64) -> f64 {
        let (log_sum, mean) = self.moments(phi);
        self.tilted_logarithms(phi).map(|(index, log)| exp(log - log_sum) * (index - mean).powi(2)).sum()
    }

    /// One use under the tilt `e^{φi}`: relative to the likeliest outcome, so that nothing leaves the range of doubles.
    fn tilted(&self, phi: f64) -> Option<TiltedLaw> {
        let likeliest = self.tilted_logarithms(phi).map(|(_, log)| log).enumerate();
        let (at, _) = likeliest.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (centre, peak) = self.outcomes[at];
        let exponent = peak.midpoint().log2().floor() as i32;
        // Two factors, since one may leave the range of doubles.
        let powers = [2f64.powi(-(exponent / 2)), 2f64.powi(-(exponent - exponent / 2))];
        let (first, last) = (self.outcomes.first()?.0, self.outcomes.last()?.0);
        let mut weights = vec![0.0; usize::try_from(last - first).ok()? + 1];
        let (mut widest, mut missing) = (0.0f64, 0.0);
        for &(i, p) in &self.outcomes {
            // φ·(i − centre)/2 is a double.
            let half = exp(0.5 * phi * (i - centre) as f64);
            let tilted = |p: f64| ((p * powers[0]) * half) * powers[1] * half;
            if p.lower() < SMALLEST_MASS {
                missing += 1.01 * tilted(p.upper());
            } else {
                weights[(i - first) as usize] += tilted(p.midpoint());
                widest = widest.max(0.5 * p.width() / p.lower());
            }
        }
        let likeliest = weights.iter().copied().fold(0.0, f64::max);
        let in_range = likeliest.is_finite() && missing.is_finite() && likeliest > 0.0;
        in_range.then(|| {
            TiltedLaw {
                first,
                weights,
                log_scale: Ball::product_of(phi, centre as f64)
                    + Ball::from(2.0).ln() * Ball::from(f64::from(exponent)),
                relative: widest + (2.0 * EXP_ERROR_UNITS + 8.0) * UNIT_ROUNDOFF,
                // With the underflows of all weights.
                missing: missing + 1e-300,
            }
            .trimmed()
        })
    }
}

/// What is left of the effort, in multiplications.
struct Work(f64);

impl Work {
    fn convolved(&mut self, a: &TiltedLaw, b: &TiltedLaw) -> Option<TiltedLaw> {
        self.0 -= a.work(b);
        (self.0 >= 0.0).then(|| a.convolved(b))
    }

    /// The law of `count` independent numbers, from the leading bit of the count on.
    fn power(&mut self, one: &TiltedLaw, count: u64) -> Option<TiltedLaw> {
        let mut power = one.clone();
        for bit in (0..count.checked_ilog2()?).rev() {
            power = self.convolved(&power, &power)?;
            if count >> bit & 1 == 1 {
                power = self.convolved(&power, one)?;
            }
        }
        Some(power)
    }
}

/// The outcomes by increasing loss, `P`'s first, unless there are too many or a density.
fn outcomes(law: RatioLaw) -> Option<Vec<Atom>> {
    if law.atoms.is_empty() || law.atoms.len() > MOST_OUTCOMES || !law.panels.is_empty() {
        return None;
    }
    let mut atoms = law.atoms;
    if law.swapped {
        atoms.iter_mut().for_each(|atom| *atom = Atom { loss: -atom.loss, p: atom.q, q: atom.p });
    }
    atoms.sort_by(|a, b| a.loss.approximate().total_cmp(&b.loss.approximate()));
    Some(atoms)
}

/// The largest number of which all gaps are multiples, by Euclid's algorithm on what is not 0 up to round-off.
fn common_divisor(gaps: impl Iterator<Item = Ball>) -> Option<Ball> {
    let mut divisor: Option<Ball> = None;
    let mut largest = 0.0f64;
    for gap in gaps {
        largest = largest.max(gap.approximate());
        let is_zero = |x: Ball| x.approximate().abs() <= ZERO * largest + 4.0 * x.radius();
        if is_zero(gap) {
            continue;
        }
        let Some(mut smaller) = divisor else {
            divisor = Some(gap);
            continue;
        };
        let mut rest = gap;
        // Each remainder is at most half of the divisor before.
        for _ in 0..64 {
            let quotient = (rest / smaller).approximate().round();
            let remainder = rest - smaller * Ball::from(quotient);
            if is_zero(remainder) {
                break;
            }
            rest = smaller;
            smaller = if remainder.approximate() < 0.0 { -remainder } else { remainder };
        }
        if smaller.approximate() < SMALLEST_STEP * largest {
            return None;
        }
        divisor = Some(smaller);
    }
    divisor
}

/// The step from the widest range of losses, which has it more precisely than a difference of neighbours.
fn refined(step: Ball, all: &[(Vec<Atom>, u64)]) -> Ball {
    let ranges = all.iter().filter_map(|(atoms, _)| Some(atoms.last()?.loss - atoms.first()?.loss));
    let widest = ranges.max_by(|a, b| a.approximate().total_cmp(&b.approximate()));
    widest.map_or(step, |range| {
        let steps = (range / step).approximate().round();
        if steps >= 1.0 { range / Ball::from(steps) } else { step }
    })
}
