//! Hockey-stick → powers of many tests, in order.

use super::{concave::Roof, hockey_stick_to_power::power_and_points};
use crate::curve::HockeyStick;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// The slopes of the best tests that were found last, from which the next one is extrapolated.
///
/// The power of the best test that errs with probability `x` is `inf_{α ≥ 0} H_α + αx`
/// ([`hockey_stick_to_power`](super::hockey_stick_to_power)). If the best `α` is known to within `h`, three values of `H` around it prove both
/// ends: the smallest is an upper bound; `H_α + αx` is convex in `α`, so its chords, extended beyond their ends, are lower bounds between
/// and beyond the three. With the second derivative `c` in `log α`, these are within `ch²` of each other. `h` is chosen so that `ch²` is
/// a few times the width of the values.
///
/// Along a smooth curve `log α` is smooth in `x`, and `c = α/|d(log α)/dx|`, since the derivative of `H` at the best `α` is `−x`. At a kink
/// of `H` the same `α` is the best for many `x`, and the values that are known serve all of them. Elsewhere the whole axis is searched.
#[derive(Clone, Debug, Default)]
pub struct NearbyTests {
    /// `x` and the best `log α` there.
    found: Vec<(f64, f64)>,
    /// Values around the best one of the last search of the whole axis.
    known: Vec<Sample>,
}

/// The best slopes from which the next one is extrapolated.
const REMEMBERED: usize = 3;
/// How often three values are tried.
const ROUNDS: usize = 3;
/// Half of `ch²`, in units of the width of a value: the drop on either side of the best `α` is then proven.
const DROP: f64 = 4.0;
/// An enclosure of so many widths of a value is narrow.
const NARROW: f64 = 16.0;
/// Steps in `log α` below which chords are round-off, and above which three values show nothing.
const STEPS: (f64, f64) = (1e-9, 0.1);
/// How far from a kink its sides are taken, in `log α`.
const BESIDE_A_KINK: f64 = 1e-4;
/// A chance to miss that nobody tells from 0.
const NOTHING: f64 = 1e-200;
/// How far off the extrapolation may be, as a part of what its last term adds.
const DOUBT: f64 = 0.3;

/// The curve of a pair `(P, Q)`, and that of `(Q, P)`.
#[derive(Debug)]
pub struct BothWays<'a, C: ?Sized> {
    /// `H_α(P‖Q)`.
    pub curve: &'a C,
    /// `H_α(Q‖P)`.
    pub swapped: &'a C,
}

/// A value of the curve.
#[derive(Clone, Copy, Debug)]
struct Sample {
    log_alpha: f64,
    alpha: Enclosure,
    value: Value,
}

/// What is known there.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// `H_α(P‖Q)`, for α = 0 and for α ≥ 1.
    Straight(Probability),
    /// `H_{1/α}(Q‖P)`, for α < 1: `1 − H_α(P‖Q) = α(1 − H_{1/α}(Q‖P))` ([Zhu22, Lemma 46]), and what α is off cancels.
    Swapped(Probability),
}

impl Sample {
    fn of<C: HockeyStick + ?Sized>(both: &BothWays<'_, C>, log_alpha: f64) -> Self {
        if log_alpha == f64::NEG_INFINITY {
            let value = Value::Straight(Probability::from_value(Enclosure::ONE));
            return Self { log_alpha, alpha: Enclosure::ZERO, value };
        }
        let value = if log_alpha < 0.0 {
            Value::Swapped(both.swapped.hockey_stick(Ball::from(-log_alpha)))
        } else {
            Value::Straight(both.curve.hockey_stick(Ball::from(log_alpha)))
        };
        Self { log_alpha, alpha: Enclosure::point(log_alpha).exp(), value }
    }

    /// `H_α + αx`, a bound of the power, and one minus it.
    fn line(&self, x: f64) -> [Enclosure; 2] {
        let x = Enclosure::point(x);
        match self.value {
            Value::Straight(stick) => {
                let errors = self.alpha * x;
                [stick.value() + errors, stick.complement() - errors]
            }
            Value::Swapped(stick) => {
                let missing = Enclosure::point(self.log_alpha).exp_m1();
                [self.alpha * (stick.value() + x) - missing, self.alpha * (stick.complement() - x)]
            }
        }
    }
}

/// The power, or the chance to miss: what is known to more digits.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Power,
    Missed,
}

impl Side {
    fn sharper(at: &Sample, x: f64) -> Self {
        let [power, missed] = at.line(x);
        if missed.width() < power.width() { Self::Missed } else { Self::Power }
    }

    /// What is to be as large as possible.
    fn objective(self, at: &Sample, x: f64) -> Enclosure {
        let [power, missed] = at.line(x);
        match self {
            Self::Power => -power,
            Self::Missed => missed,
        }
    }

    fn probability(self, objective: Enclosure) -> Probability {
        match self {
            Self::Power => Probability::from_value(-objective),
            Self::Missed => Probability::from_complement(objective),
        }
    }
}

impl NearbyTests {
    /// The power of the best test of `P` against `Q` that takes `Q` for `P` with probability at most `x`; its complement is `T[Q, P](x)`.
    /// All calls must be about the same curves. Places in order are found fastest. Where the whole axis is searched, `missed` says what it knows
    /// of the complement.
    ///
    /// # Guarantee
    /// Encloses the truth, whatever was found before, if `missed` encloses the complement.
    pub fn power<C: HockeyStick + ?Sized>(
        &mut self,
        both: &BothWays<'_, C>,
        x: f64,
        missed: impl FnOnce() -> Enclosure,
    ) -> Probability {
        if let Some(found) = self.at_a_kink(both.curve, x) {
            return found;
        }
        if let Some((found, log_alpha)) = self.extrapolated(both, x) {
            self.remember(x, log_alpha);
            return found;
        }
        let (power, points) = power_and_points(both.curve, x);
        self.know(both, &points);
        self.remember(x, self.known.get(self.known.len() / 2).map_or(0.0, |best| best.log_alpha));
        Probability::from_both(power, missed())
    }

    /// Values around the best one of a search, as if it were a kink: on either side two that lie on a line, if no other kink is near.
    fn know<C: HockeyStick + ?Sized>(&mut self, both: &BothWays<'_, C>, points: &[f64]) {
        let best =
            points.get(points.len() / 2).copied().filter(|_| points.first() != Some(&f64::NEG_INFINITY));
        let around = best.map(|best| [-2.0, -1.0, 0.0, 1.0, 2.0].map(|steps| best + steps * BESIDE_A_KINK));
        let known = around.as_ref().map_or(points, |around| around.as_slice());
        self.known = known.iter().map(|&log_alpha| Sample::of(both, log_alpha)).collect();
    }

    fn remember(&mut self, x: f64, log_alpha: f64) {
        if self.found.len() == REMEMBERED {
            self.found.remove(0);
        }
        self.found.push((x, log_alpha));
    }

    /// From the values at hand alone.
    fn at_a_kink(&self, curve: &(impl HockeyStick + ?Sized), x: f64) -> Option<Probability> {
        let side = Side::sharper(self.known.get(self.known.len() / 2)?, x);
        narrow(&self.known, curve.support().largest, side, x)
    }

    /// From three values around where the last ones point to, and the best `log α`.
    fn extrapolated<C: HockeyStick + ?Sized>(
        &self,
        both: &BothWays<'_, C>,
        x: f64,
    ) -> Option<(Probability, f64)> {
        let Guess { mut log_alpha, doubt, speed } = self.guess(x)?;
        let mut curvature = None;
        for round in 0..ROUNDS {
            let middle = Sample::of(both, log_alpha);
            let side = Side::sharper(&middle, x);
            let value = |at: &Sample| side.objective(at, x).midpoint();
            let sharp = (2.0 * DROP * noise(side.objective(&middle, x))
                / curvature.unwrap_or(middle.alpha.midpoint() / speed))
            .sqrt()
            .max(STEPS.0 * log_alpha.abs().max(1.0));
            let step = if round == 0 { sharp.max(doubt) } else { sharp };
            if step.is_nan() || step >= STEPS.1 {
                return None;
            }
            let [left, right] = [-step, step].map(|step| Sample::of(both, log_alpha + step));
            let [low, top, high] = [&left, &middle, &right].map(value);
            let bend = 2.0 * top - low - high;
            let vertex = 0.5 * step * (high - low) / bend;
            if !(bend > 0.0 && vertex.is_finite()) {
                return None;
            }
            if step <= 2.0 * sharp
                && let Some(found) = narrow(&[left, middle, right], f64::INFINITY, side, x)
            {
                return Some((found, log_alpha + vertex.clamp(-step, step)));
            }
            curvature = (step > sharp).then_some(bend / (step * step)).or(curvature);
            log_alpha += vertex.clamp(-8.0 * step, 8.0 * step);
        }
        None
    }

    /// The polynomial through the last ones.
    fn guess(&self, x: f64) -> Option<Guess> {
        let [(x0, y0), (x1, y1), (x2, y2)] = *self.found.as_slice() else { return None };
        let (first, second) = ((y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1));
        let bend = (second - first) / (x2 - x0);
        let linear = y2 + second * (x - x2);
        let last = bend * (x - x2) * (x - x1);
        let (log_alpha, speed) = (linear + last, second.abs());
        (log_alpha.is_finite() && speed > 0.0).then_some(Guess {
            log_alpha,
            doubt: DOUBT * last.abs(),
            speed,
        })
    }
}

/// Where the best `log α` should be, how far off that may be, and how much it moves with `x`.
struct Guess {
    log_alpha: f64,
    doubt: f64,
    speed: f64,
}

/// What a value may be off.
fn noise(value: Enclosure) -> f64 {
    value.width() + 4.0 * f64::EPSILON * value.midpoint().abs()
}

/// What some values prove, if that is hardly wider than one of them. From the loss `largest` on the curve is level.
///
/// # Guarantee
/// Encloses the truth. Between two values the objective, which is concave in `α`, lies below the chords on either side; beyond the first and
/// the last it does not rise, which is proven here.
fn narrow(samples: &[Sample], largest: f64, side: Side, x: f64) -> Option<Probability> {
    let values: Vec<Enclosure> = samples.iter().map(|sample| side.objective(sample, x)).collect();
    let last = samples.len().checked_sub(1).filter(|last| *last > 0)?;
    let gap = |i: usize| samples[i + 1].alpha - samples[i].alpha;
    let chord = |i: usize| (values[i + 1] - values[i]) / gap(i);
    let rises_first = samples[0].log_alpha == f64::NEG_INFINITY || chord(0).lower() >= 0.0;
    let falls_last = samples[last].log_alpha >= largest || chord(last - 1).upper() <= 0.0;
    if !(rises_first && falls_last) {
        return None;
    }
    let upper = (0..last).map(|i| {
        let rise = if i > 0 { chord(i - 1).upper() } else { f64::INFINITY };
        let fall = if i + 1 < last { -chord(i + 1).lower() } else { f64::INFINITY };
        Roof::over((values[i].upper(), rise), (values[i + 1].upper(), fall), gap(i).upper()).height
    });
    // What is no number is no bound.
    let upper = upper.fold(f64::NEG_INFINITY, |a, b| if b.is_nan() { f64::INFINITY } else { a.max(b) });
    let best = values.iter().max_by(|a, b| a.lower().total_cmp(&b.lower()))?;
    let is_narrow = upper - best.lower() <= NARROW * noise(*best) + NOTHING;
    is_narrow.then(|| side.probability(Enclosure::new(best.lower(), upper.max(best.lower()))))
}
