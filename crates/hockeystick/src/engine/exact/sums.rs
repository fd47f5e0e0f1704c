//! Sums over a composed law, from every knot on: a question then takes a search, not a sum.

use super::{
    convolution::TiltedLaw,
    pieces::{Part, Pieces, Whole},
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    rounding::{UNIT_ROUNDOFF, add_up},
    special::{exp, expm1, ln},
};

/// What underflows may add to a sum, or take from it.
const UNDERFLOWS: f64 = 1e-295;
/// Newton's rule doubles the digits: more than this it never takes.
const NEWTON_STEPS: usize = 12;

/// How the losses of a law lie: `loss(j) = offset + step·j`, within `blur`; masses are weights times `e^{−φj}` and a scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct SumsOf {
    pub(super) step: Ball,
    pub(super) offset: Ball,
    /// The tilt per step.
    pub(super) phi: f64,
    /// How far a loss of the sum can be from its knot.
    pub(super) blur: f64,
    /// The probability that something happened that no weight accounts for.
    pub(super) unlisted: f64,
}

/// What is known of the finite losses at an ε.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finite {
    /// `E[(1 − e^{ε−L})₊; L < ∞]`.
    pub(super) value: Enclosure,
    /// `E[min(1, e^{ε−L}); L < ∞]`, where it is known better than as what is missing to 1.
    pub(super) complement: Option<Enclosure>,
    /// The part of the width of the value that comes from what is missing.
    pub(super) truncation: f64,
}

/// The sums from one knot `j` on, in units of `e^{log_scale − φj}`.
#[derive(Clone, Copy, Debug, Default)]
struct FromKnot {
    /// `Σ p`, the knot included.
    mass: f64,
    /// `Σ p(1 − e^{loss(j) − L})`.
    excess: f64,
    /// `Σ p·e^{loss(j) − L}`, the knot included.
    shrunk: f64,
    /// What the pieces between knots may make each of these off.
    mass_doubt: f64,
    excess_doubt: f64,
    shrunk_doubt: f64,
    /// `Σ p` up to the knot, which is included, and what it may be off; only without a tilt.
    through: f64,
    through_doubt: f64,
}

/// A composed law with its sums.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    of: SumsOf,
    log_scale: Ball,
    first: i64,
    knots: Vec<FromKnot>,
    /// About `ln Σ p(1 − e^{loss(j) − L})` at each knot.
    logarithms: Vec<f64>,
    pieces: Option<Pieces>,
    relative: f64,
    missing: f64,
}

impl Sums {
    /// Over atoms alone.
    pub(super) fn over_atoms(of: SumsOf, law: TiltedLaw) -> Self {
        Self::over(of, law, None)
    }

    /// Over atoms and what is between them.
    ///
    /// With `s = loss(j+1) − loss(j)` the sums from `j` on are those from `j + 1` on, times `e^{−φ}`, with
    /// `1 − e^{−x−s} = (1 − e^{−s}) + e^{−s}(1 − e^{−x})`, and what is between: all terms are positive.
    pub(super) fn over(of: SumsOf, law: TiltedLaw, pieces: Option<Pieces>) -> Self {
        let step = of.step.approximate();
        let (fall, kept, lost) = (exp(-of.phi), exp(-step), -expm1(-step));
        let mut knots = vec![FromKnot::default(); law.weights.len()];
        let mut above = FromKnot::default();
        let between = |j: usize| pieces.as_ref().map_or_else(Whole::default, |pieces| pieces.whole(j));
        for (j, &weight) in law.weights.iter().enumerate().rev() {
            let between = between(j);
            above = FromKnot {
                mass: weight + between.mass + fall * above.mass,
                excess: between.excess + fall * (lost * above.mass + kept * above.excess),
                shrunk: weight + between.shrunk + fall * kept * above.shrunk,
                mass_doubt: between.mass_doubt + fall * above.mass_doubt,
                excess_doubt: between.excess_doubt
                    + fall * (lost * above.mass_doubt + kept * above.excess_doubt),
                shrunk_doubt: between.shrunk_doubt + fall * kept * above.shrunk_doubt,
                ..FromKnot::default()
            };
            knots[j] = above;
        }
        let (mut below, mut doubt) = (0.0, 0.0);
        for (j, (knot, weight)) in knots.iter_mut().zip(&law.weights).enumerate() {
            let between = between(j);
            (knot.through, knot.through_doubt) = (below + weight, doubt);
            below = knot.through + between.mass;
            doubt += between.mass_doubt;
        }
        let log_scale = law.log_scale.approximate();
        let logarithm = |(j, knot): (usize, &FromKnot)| {
            ln(knot.excess) + log_scale - of.phi * (law.first + j as i64) as f64
        };
        Self {
            logarithms: knots.iter().enumerate().map(logarithm).collect(),
            // Six roundings a step, and a step that was rounded.
            relative: law.relative + ((12.0 + 4.0 * step) * knots.len() as f64 + 50.0) * UNIT_ROUNDOFF,
            missing: law.missing,
            log_scale: law.log_scale,
            first: law.first,
            of,
            knots,
            pieces,
        }
    }

    /// `loss(j) − ε`, with the blur.
    fn ahead(&self, j: i64, epsilon: Ball) -> Ball {
        let knot = self.of.offset + self.of.step * Ball::from(j as f64);
        let ahead = knot - epsilon;
        Ball::new(ahead.midpoint(), add_up(ahead.radius(), self.of.blur))
    }

    /// The first knot that may be above ε: those before are not.
    fn knot_above(&self, epsilon: Ball) -> i64 {
        let last = self.first + self.knots.len() as i64;
        let guess = ((epsilon - self.of.offset) / self.of.step).approximate().floor();
        // Saturating, and one less for the rounding of the guess.
        let mut j = (guess as i64).saturating_sub(1).clamp(self.first, last);
        while j < last && self.ahead(j, epsilon).enclosure().upper() <= 0.0 {
            j += 1;
        }
        j
    }

    /// What ε cuts off from the losses.
    ///
    /// # Guarantee
    /// Encloses the truth. What is missing has tilted masses of at most `missing` in total: at a loss `ε + x` each counts
    /// `e^{−θx}(1 − e^{−x}) ≤ 1/(1 + θ)` times `e^{−θε}`.
    pub(super) fn at(&self, epsilon: f64) -> Finite {
        let epsilon = Ball::from(epsilon);
        let j = self.knot_above(epsilon);
        let ahead = self.ahead(j, epsilon);
        let scale = (self.log_scale - Ball::product_of(self.of.phi, j as f64)).exp_enclosure();
        let (kept, lost) = ((-ahead).exp_enclosure(), -(-ahead).exp_m1_enclosure());
        let theta = self.of.phi / self.of.step.approximate();
        // e^{φ·ahead/step}, rounded up.
        let grown = (ahead * Ball::from(self.of.phi) / self.of.step).exp_enclosure().upper();
        let missing =
            Enclosure::new(0.0, (Enclosure::point(1.01 * self.missing) * grown).upper() / (1.0 + theta));
        let Some(knot) = (j - self.first).try_into().ok().and_then(|at: usize| self.knots.get(at)) else {
            let value = self.probability(scale * missing);
            return Finite { value, complement: None, truncation: value.upper() };
        };
        let known = |x: f64, doubt: f64| {
            Enclosure::relative(x, self.relative) + Enclosure::new(-1.0, 1.0) * (doubt + UNDERFLOWS)
        };
        let before = usize::try_from(j - self.first).ok().and_then(|at| at.checked_sub(1));
        let part = before.zip(self.pieces.as_ref()).map_or_else(Part::default, |(before, pieces)| {
            pieces.part(before, (ahead / self.of.step).enclosure().one_minus(), self.of.phi)
        });
        let sum = lost * known(knot.mass, knot.mass_doubt)
            + kept * known(knot.excess, knot.excess_doubt)
            + part.excess;
        let value = self.probability(scale * (sum.clamp(0.0, f64::INFINITY) + missing));
        let truncation = 0.5 * ((scale * missing).upper() + self.of.unlisted);
        // Under a tilt, what is missing may be where it counts for most.
        let complement = (self.of.phi == 0.0).then(|| {
            let below = before.map_or(Enclosure::ZERO, |before| {
                known(self.knots[before].through, self.knots[before].through_doubt)
            });
            let sum = below + part.rest + kept * known(knot.shrunk, knot.shrunk_doubt);
            self.probability(scale * (sum + Enclosure::new(0.0, self.missing)))
        });
        Finite { value, complement, truncation }
    }

    /// About the smallest ε at which the finite losses give this δ.
    pub(super) fn near(&self, delta: f64) -> Option<f64> {
        if delta.is_nan() || delta <= 0.0 {
            return None;
        }
        let wanted = ln(delta);
        // The sums fall from knot to knot.
        let at = self.logarithms.partition_point(|&log| log > wanted);
        let knot = self.knots.get(at)?;
        let j = (self.first + at as i64) as f64;
        let loss = (self.of.offset + self.of.step * Ball::from(j)).approximate();
        let step = self.of.step.approximate();
        let target = exp(wanted - self.log_scale.approximate() + self.of.phi * j);
        let kept = if self.pieces.is_none() {
            // δ = (1 − e^{−x})·mass + e^{−x}·excess.
            (knot.mass - target) / (knot.mass - knot.excess)
        } else {
            self.kept_near(at, target, exp(-step))
        };
        // At the largest loss there is nothing beyond to interpolate with.
        let is_at_the_end = at + 1 == self.knots.len() && kept > 1.0 - 1e-9;
        (!is_at_the_end).then(|| loss + ln(kept))
    }

    /// About the `e^{ε−loss}` below a knot at which δ is the target, in the knot's units: δ is convex and falls with it, at the
    /// rate `Σ p·e^{loss−L}` above ε, so that Newton's rule converges from where δ is too large.
    fn kept_near(&self, at: usize, target: f64, smallest: f64) -> f64 {
        let knot = self.knots[at];
        let step = self.of.step.approximate();
        let mut kept = smallest;
        for _ in 0..NEWTON_STEPS {
            let [excess, shrunk] = match (at.checked_sub(1), &self.pieces) {
                (Some(before), Some(pieces)) => pieces.rough_part(before, 1.0 + ln(kept) / step, self.of.phi),
                (Some(_) | None, Some(_) | None) => [0.0; 2],
            };
            let value = (1.0 - kept) * knot.mass + kept * knot.excess + excess;
            let next = kept + (value - target) / (knot.shrunk + shrunk / kept);
            let next = next.clamp(smallest, 1.0);
            if (next - kept).abs() <= 1e-14 * kept {
                return next;
            }
            kept = next;
        }
        kept
    }

    fn probability(&self, sum: Enclosure) -> Enclosure {
        (sum.clamp(0.0, f64::INFINITY) + Enclosure::new(0.0, self.of.unlisted)).clamp(0.0, 1.0)
    }
}
