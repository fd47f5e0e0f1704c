//! The contour engine: δ as an integral of the moment generating function over a vertical line in the complex plane.
//!
//! In: pairs with their counts. Out: a privacy profile of ten digits and more, at any δ and any count.
//!
//! ```text
//! δ(ε) = P(L = ∞) + (1/2πi) ∫ M(z) e^{−εz} dz/(z(z + 1)),   Re z = c > 0,   M = Π Mᵢ^{kᵢ}
//! ```
//!
//! This is the characteristic function of [Zhu22, Thm 19] moved to where it is best behaved: near the saddle point the integrand is of
//! the size of δ itself, so that δ = 10⁻³⁰⁰ costs the same as 10⁻⁵. The trapezoidal rule on the line converges
//! geometrically, and its error has one sign. Where δ is above a half, `1 − δ` is integrated on a line between the poles. Next to the total variation the contour of few
//! uses bends to the right.
//!
//! # Guarantee
//! The truth is enclosed: aliasing raises the sum by a bounded amount, what lies beyond the last point is bounded for all larger t, and
//! round-off is carried along. A line that does not decay gives a wide interval.

mod bent;
mod beside;
mod between;
mod calm;
mod certain;
mod chernoff;
mod complement;
mod course;
mod cumulants;
mod decay;
mod factors;
mod fixed_lines;
mod flat;
mod hits;
mod ladder;
mod large_losses;
mod line;
mod moments;
mod plan;
mod rough;
mod saddle;
mod small_losses;
mod sorted;
mod tilted;
mod wide_moments;
mod wide_terms;

pub use chernoff::{Chernoff, chernoff};
pub use fixed_lines::{FixedLines, FixedProfile};
pub use line::LinePlan;

use crate::{
    curve::{Evaluation, PrivacyProfile, mirrored},
    engine::Goal,
    pair::SharedPair,
};
use complement::Complement;
use course::{Course, NOT_FAR_OFF, Settling};
use factors::Factors;
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability, special::ln};
use saddle::Saddle;
use std::sync::{Arc, Mutex};

/// A composition whose `M` is integrated on vertical lines, one for each neighbourhood of ε that is asked for.
#[derive(Debug)]
pub struct Contour {
    factors: Factors,
    infinite: Probability,
    largest: Enclosure,
    /// The smallest finite loss, and what is infinite for the dual.
    smallest: Enclosure,
    vanishing: Probability,
    lines: Mutex<Vec<Known>>,
    plan: LinePlan,
    /// The ε that the first question is about, roughly.
    center: f64,
    /// So many lines are kept. If it is one, no more are drawn.
    most_lines: usize,
    /// What `1 − δ` is taken from where it is the smaller one.
    complement: Complement,
}

/// A line, and what part of δ it may leave at an ε to be good there.
#[derive(Clone, Debug)]
struct Known {
    line: Arc<Course>,
    good: f64,
}

impl Known {
    /// A line made for `epsilon`: where it is hardly worse than there, another one would not be better either.
    fn new(line: Arc<Course>, epsilon: f64) -> Self {
        let good = GOOD.max(WORSE * line.integral(epsilon).relative_width());
        Self { line, good }
    }
}

/// A line that leaves no more than this part of δ is good, or no more than [`WORSE`] times what it leaves where it was made for.
const GOOD: f64 = 1e-11;
const WORSE: f64 = 4.0;
/// Lines that are drawn to find the ε of a δ, after the first.
const SETTLING_LINES: usize = 4;
/// A δ that falls more slowly than this, against how ε grows, is asked of the swapped pair.
const FLAT: f64 = 1.0;
/// Within this part of it, a line for another ε is as good.
const NEAR: f64 = 1e-4;
/// An ε that is below the largest loss by no more than the first part of it is taken to be between that and the second.
const NEXT_TO_LARGEST: f64 = 2e-10;
const A_LITTLE_BELOW: f64 = 3e-10;
/// There δ is so far above what is asked for that its first digit is enough.
const FAR_ABOVE: f64 = 0.5;
/// Lines that are kept.
const MOST_LINES: usize = 64;
/// A δ that is known to this part is not bounded otherwise.
const SHARP: f64 = 1e-6;
/// A δ above this is asked for its complement, which is smaller.
const HALF: f64 = 0.5;

impl Contour {
    /// Prepares a composition for a question.
    ///
    /// `None` if `M` of a pair is not known to exist right of 0, or has no rule.
    pub fn compose(pairs: &[(SharedPair, u64)], goal: Goal) -> Option<Self> {
        let infinite = super::masses::infinite_mass(pairs);
        let largest = super::masses::largest_finite_loss(pairs);
        let smallest = super::masses::smallest_finite_loss(pairs);
        let goal = match goal {
            Goal::Delta { .. } => goal,
            Goal::Epsilon { delta } => {
                let finite = delta - infinite.value().midpoint();
                Goal::Epsilon { delta: if finite > 0.0 { finite } else { delta } }
            }
        };
        let lines = Mutex::new(Vec::new());
        let factors = Factors::new(pairs);
        if !factors.are_known() {
            return None;
        }
        let (line, center) = match goal {
            Goal::Delta { epsilon } => (Arc::new(course::find(&factors, goal, None)?.0), epsilon),
            Goal::Epsilon { delta } => match flat::first(&factors, delta) {
                Some((course, center)) => (Arc::new(course), center),
                None => {
                    let saddle = saddle::find(&factors, goal)?;
                    match next_to_largest(&factors, delta, largest, &saddle) {
                        Some(found) => found,
                        None => settled(&factors, delta, saddle)?,
                    }
                }
            },
        };
        let plan = line.plan();
        lines.lock().ok()?.push(Known::new(line, center));
        Some(Self {
            factors,
            infinite,
            largest,
            smallest,
            vanishing: super::masses::vanishing_mass(pairs),
            lines,
            plan,
            center,
            most_lines: MOST_LINES,
            complement: Complement::default(),
        })
    }

    /// The line of the first question.
    pub fn plan(&self) -> LinePlan {
        self.plan
    }

    /// The same without further lines: where the first is wide, others would be, and each takes its time.
    pub fn with_one_line(self) -> Self {
        Self { most_lines: 1, ..self }
    }

    /// The relative width that the first question will see, roughly.
    pub fn width(&self, goal: Goal) -> f64 {
        if let Goal::Epsilon { delta } = goal
            && delta > HALF
            && let Some((epsilon, slope)) = self.complement.epsilon_of(&self.factors, 1.0 - delta)
        {
            let epsilon = epsilon.max(0.0);
            let missing = self.complement.at(&self.factors, epsilon, true);
            return missing.relative_width() / (slope * epsilon).clamp(1e-3, 1e6);
        }
        if matches!(goal, Goal::Epsilon { delta } if self.center == 0.0 && self.is_at_most(0.0, delta)) {
            return 0.0;
        }
        if let Goal::Epsilon { delta } = goal
            && self.center >= (1.0 - A_LITTLE_BELOW - NEXT_TO_LARGEST) * self.largest.upper()
            && self.center < self.largest.upper()
            && self.delta(self.center).delta.is_certainly_above(delta)
        {
            return (self.largest.upper() - self.center) / self.center;
        }
        let delta = self.delta(self.center).delta.value();
        let relative = delta.width() / delta.upper().max(f64::MIN_POSITIVE);
        match goal {
            Goal::Delta { .. } => relative,
            // d log δ/dε is about −c, as long as δ is known at all.
            Goal::Epsilon { .. } if relative < 0.1 => {
                relative / (self.plan.tilt * self.center).clamp(1e-3, 1e6)
            }
            Goal::Epsilon { .. } => f64::INFINITY,
        }
    }

    /// What the errors of the lines at hand leave of δ at least, without adding any of them up. If more can be drawn, nothing is known.
    pub fn least_width(&self, epsilon: f64) -> f64 {
        if self.most_lines > 1 || epsilon >= self.largest.upper() {
            return 0.0;
        }
        let width = |lines: &[Known]| {
            lines.iter().map(|known| known.line.least_width(epsilon)).fold(f64::INFINITY, f64::min)
        };
        self.lines.lock().map_or(0.0, |lines| width(&lines))
    }

    /// The best that the lines at hand, or a new one, give.
    fn integral(&self, epsilon: f64) -> line::Integral {
        let mut best =
            line::Integral { bounds: Enclosure::new(0.0, 1.0), budget: crate::curve::Budget::default() };
        // The line that was good last is so for the neighbouring question.
        let latest = self.lines.lock().ok().and_then(|lines| lines.last().cloned());
        if let Some(Known { line, good }) = &latest {
            best = line.integral(epsilon);
            if best.relative_width() < *good {
                return best;
            }
        }
        let known: Vec<Known> = self.lines.lock().map(|lines| lines.clone()).unwrap_or_default();
        for Known { line, good } in known.iter().rev().skip(1) {
            let integral = line.integral(epsilon);
            if integral.relative_width() < *good {
                self.prefer(line);
                return integral;
            }
            if integral.bounds.width() < best.bounds.width() {
                best = integral;
            }
        }
        if self.most_lines > 1
            && let Some((line, _)) = course::find(&self.factors, Goal::Delta { epsilon }, None)
        {
            let integral = line.integral(epsilon);
            if integral.bounds.width() < best.bounds.width() {
                best = integral;
            }
            if let Ok(mut lines) = self.lines.lock() {
                if lines.len() >= self.most_lines {
                    lines.remove(0);
                }
                lines.push(Known::new(Arc::new(line), epsilon));
            }
        }
        best
    }

    /// Puts a line where the next question looks first.
    fn prefer(&self, line: &Arc<Course>) {
        if let Ok(mut lines) = self.lines.lock()
            && let Some(at) = lines.iter().position(|known| Arc::ptr_eq(&known.line, line))
        {
            lines[at..].rotate_left(1);
        }
    }
}

impl PrivacyProfile for Contour {
    fn delta(&self, epsilon: f64) -> Evaluation {
        if epsilon >= self.largest.upper() {
            return Evaluation::exact(self.infinite, 0.0);
        }
        if let Some(missing) = self.complement.at_hand(epsilon)
            && missing.bounds.upper() < HALF
        {
            let delta = Probability::from_complement(missing.bounds);
            return Evaluation { delta, budget: missing.budget };
        }
        let integral = self.integral(epsilon);
        // Both are masses of disjoint events: they add.
        let value = (self.infinite.value() + integral.bounds).clamp(0.0, 1.0);
        let is_above_half = value.midpoint() > HALF
            || value.upper() > HALF && self.complement.bound(&self.factors, epsilon) < HALF;
        if !is_above_half {
            return Evaluation { delta: Probability::from_value(value), budget: integral.budget };
        }
        let missing = self.complement.at(&self.factors, epsilon, self.most_lines > 1);
        let delta = Probability::from_both(value, missing.bounds);
        let is_narrower = missing.bounds.width() < value.width();
        Evaluation { delta, budget: if is_narrower { missing.budget } else { integral.budget } }
    }

    /// Where δ is far below what is asked for, any line proves it: none is drawn. δ falls, so where the first line is best a
    /// bound holds for every larger ε too.
    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        let known = self.lines.lock().ok().and_then(|lines| lines.last().map(|known| known.line.clone()));
        let is_clear = known.is_some_and(|line| {
            let bound = |at: f64| (line.integral(at).bounds + self.infinite.value()).upper();
            bound(epsilon) <= delta || (self.center < epsilon && bound(self.center) <= delta)
        });
        if is_clear || delta > HALF {
            return is_clear || self.delta(epsilon).delta.is_certainly_at_most(delta);
        }
        self.above(epsilon, delta).upper() <= 0.0
    }

    /// From the line that was drawn last, if that has more digits than doubles do.
    fn above(&self, epsilon: f64, delta: f64) -> Enclosure {
        let latest = self.lines.lock().ok().and_then(|lines| lines.last().cloned());
        if let Some(Known { line, good }) = latest
            && line.is_wide()
            && epsilon < self.largest.upper()
            && self.infinite.value() == Enclosure::ZERO
        {
            let above = line.above(epsilon, delta);
            if above.width() < good * delta {
                return above;
            }
        }
        self.delta(epsilon).delta.value() - delta
    }

    /// From the line that was drawn last: for small ε it serves 0 and −ε as well. At 0 the dual has the same curve.
    fn dual_at_hand(&self, epsilon: f64) -> Option<f64> {
        let line = self.lines.lock().ok()?.last()?.line.clone();
        let most = |integral: line::Integral| (integral.bounds + self.infinite.value()).upper();
        let behind = line.integral(-epsilon);
        let image = mirrored(most(behind), epsilon);
        if behind.relative_width() < SHARP {
            return Some(image);
        }
        let (largest, infinite) = (-self.smallest.lower(), self.vanishing.value().upper());
        Some(image.min(below_chord(most(line.integral(0.0)), (largest, infinite), epsilon)))
    }

    fn mass_at_infinity(&self) -> Probability {
        self.infinite
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }

    fn near(&self, delta: f64) -> Option<f64> {
        if delta > HALF {
            return self.complement.epsilon_of(&self.factors, 1.0 - delta).map(|(epsilon, _)| epsilon);
        }
        self.center.is_finite().then_some(self.center)
    }
}

/// What a curve has at ε, if it has at most `at_zero` at 0 and no finite loss above `largest`, where it is down to `infinite`: it is convex
/// in `e^ε`, so that it lies below its chord.
///
/// # Guarantee
/// No less, if these are no less; 1 where that says nothing.
fn below_chord(at_zero: f64, (largest, infinite): (f64, f64), epsilon: f64) -> f64 {
    let is_between = 0.0 <= epsilon && epsilon < largest && largest.is_finite();
    if !is_between || at_zero.is_nan() {
        return 1.0;
    }
    let way = |to: f64| Enclosure::point(to).exp_m1();
    let part = (way(epsilon) / way(largest)).clamp(0.0, 1.0);
    let bound = (part.one_minus() * at_zero + part * infinite).upper();
    if bound < 1.0 { bound } else { 1.0 }
}

/// Where the finite losses reach δ so close to their largest that the way there is less than anyone asks for: a line a little below, and
/// the ε of that. What is above it is as much as can be.
fn next_to_largest(
    factors: &Factors,
    delta: f64,
    largest: Enclosure,
    expected: &Saddle,
) -> Option<(Arc<Course>, f64)> {
    let below = |part: f64| largest.lower() * (1.0 - part);
    if largest.upper() == f64::INFINITY || expected.epsilon < below(NEXT_TO_LARGEST) {
        return None;
    }
    let epsilon = below(A_LITTLE_BELOW);
    let known = Settling { log_delta: expected.log_delta, allowed: FAR_ABOVE };
    let (line, _) = course::find(factors, Goal::Delta { epsilon }, Some(known))?;
    (line.integral(epsilon).bounds.lower() > delta).then(|| (Arc::new(line), epsilon))
}

/// A line at the ε where the finite losses reach δ, and that ε.
///
/// The saddle for a given δ is a guess that may be far off where the law of the loss has a gap: then the line found tells
/// where to look, and the next is drawn there.
fn settled(factors: &Factors, delta: f64, saddle: Saddle) -> Option<(Arc<Course>, f64)> {
    let goal = Goal::Epsilon { delta };
    let first = course::find_at(factors, goal, None, saddle)?;
    let is_known = |(line, center): &(Course, f64)| {
        line.width(goal, *center) < NOT_FAR_OFF * line.allowed(goal, *center)
    };
    let shared = |(line, center): (Course, f64)| (Arc::new(line), center);
    if is_known(&first) {
        return Some(shared(first));
    }
    let settled = settled_lines(factors, delta, first);
    if is_known(&settled) || settled.1 <= 0.0 {
        return Some(shared(settled));
    }
    // Where δ hardly falls, lines may have to be too long, and the swapped pair may have some that are not.
    let (line, center) = &settled;
    let mirror = factors.mirrored().filter(|_| line.log_fall(*center) < FLAT);
    let found = mirror
        .and_then(|mirror| course::of_mirror(&mirror, delta, (*center, line.allowed(goal, *center)), FLAT))
        .filter(|(other, at)| other.width(goal, *at) < line.width(goal, *center));
    Some(shared(found.unwrap_or(settled)))
}

/// Lines that are drawn again where the last ones say, until they are good there.
fn settled_lines(factors: &Factors, delta: f64, (mut line, mut center): (Course, f64)) -> (Course, f64) {
    let goal = Goal::Epsilon { delta };
    for _ in 0..SETTLING_LINES {
        let allowed = line.allowed(goal, center);
        if line.width(goal, center) < NOT_FAR_OFF * allowed {
            break;
        }
        let known = Settling { log_delta: ln(delta), allowed };
        let Some((next, _)) = course::find(factors, Goal::Delta { epsilon: center }, Some(known)) else {
            break;
        };
        if next.width(Goal::Delta { epsilon: center }, center) >= line.width(goal, center) {
            break;
        }
        let last = center;
        center = next.center(goal, center);
        line = next;
        let lacks_digits =
            line.is_wide() && line.width(goal, center) >= NOT_FAR_OFF * line.allowed(goal, center);
        if (center - last).abs() <= NEAR * center && !lacks_digits {
            break;
        }
    }
    (line, center)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };

    /// Two outcomes, one of them rare: the curve is its chord.
    #[test]
    fn chords_are_above_curves() {
        let (p, q) = (0.3, 0.1);
        let curve = |epsilon: f64| p - epsilon.exp() * q;
        let largest = (p / q).ln();
        for part in [0.0, 0.2, 0.7, 0.99] {
            let bound = below_chord(curve(0.0), (largest * (1.0 + 1e-15), 0.0), part * largest);
            assert!(
                bound >= curve(part * largest) - 1e-16 && bound <= curve(part * largest) + 1e-15,
                "{part}"
            );
        }
        for at in [-0.1, largest + 0.1, f64::NAN] {
            assert_eq!(below_chord(0.2, (largest, 0.0), at), 1.0);
        }
        assert_eq!(below_chord(f64::NAN, (largest, 0.0), 0.1), 1.0);
        assert_eq!(below_chord(0.2, (f64::INFINITY, 0.0), 0.1), 1.0);
    }

    #[test]
    fn far_below_the_mean_delta_is_all_nines() {
        let step: Mechanism = "poisson(gaussian(sigma=0.5), rate=0.5)".parse().unwrap();
        let pair = dominating_pair(&step, Direction::Remove).unwrap();
        let contour = Contour::compose(&[(pair, 10_000)], Goal::Delta { epsilon: 1.0 }).unwrap();
        let delta = contour.delta(1.0).delta;
        assert!(delta.value().lower() > 1.0 - 1e-15 && delta.value().lower() < 1.0);
        assert!(delta.complement().upper() > 0.0 && delta.complement().upper() < 1e-300);
    }

    /// A sweep over δ once drew a line at every question for the direction that spends less.
    #[test]
    fn what_is_clearly_smaller_is_proven_without_another_line() {
        let step: Mechanism = "poisson(gaussian(sigma=0.5), rate=0.001)".parse().unwrap();
        let pair = dominating_pair(&step, Direction::Add).unwrap();
        let contour = Contour::compose(&[(pair, 10_000)], Goal::Epsilon { delta: 1e-10 }).unwrap();
        for epsilon in [2.5, 5.0, 9.0, 10.6] {
            assert!(contour.is_at_most(epsilon, 1e-6));
        }
        // The largest loss is −10⁴·log(0.999) = 10.005: beyond it nothing is left.
        assert_eq!(contour.delta(10.6).delta.value().upper(), 0.0);
        assert_eq!(contour.lines.lock().unwrap().len(), 1);
        assert!(!contour.is_at_most(2.0, 1e-6));
    }
}
