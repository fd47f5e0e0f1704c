//! A composition that answers at any ε, by a kept assembly or by a new one.

use super::{
    Accuracy, ContourPlan, assembly::Assembly, complement::Complement, factors::Factors, facts::Question,
    line::Integral, refine::refined, search::searchable, tuning::TUNING,
};
use crate::{
    curve::{Budget, Evaluation, PrivacyProfile, mirrored},
    engine::{
        Goal,
        masses::{infinite_mass, largest_finite_loss, smallest_finite_loss, vanishing_mass},
    },
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};
use std::sync::{Arc, Mutex};

/// A composition, with the assemblies that were built for it. Each serves a neighbourhood of the ε it was built for.
#[derive(Debug)]
pub struct Contour {
    factors: Factors,
    goal: Goal,
    accuracy: Accuracy,
    infinite: Probability,
    largest: Enclosure,
    /// The smallest finite loss.
    smallest: Enclosure,
    /// `Q(L = −∞)`, the infinite mass of the dual.
    vanishing: Probability,
    /// The last one is asked first.
    kept: Mutex<Vec<Kept>>,
    plan: ContourPlan,
    /// An estimate of the ε of the first question.
    center: f64,
    /// The most assemblies kept. If it is 1, no further ones are built.
    most_kept: usize,
    /// Computes `1 − δ` where it is smaller than δ.
    complement: Complement,
}

/// An assembly, and the relative width up to which it is used at another ε.
#[derive(Clone, Debug)]
struct Kept {
    assembly: Arc<Assembly>,
    good: f64,
}

impl Kept {
    /// For an assembly built for `epsilon`. Where it is little wider than there, a new one would hardly be narrower.
    fn new(assembly: Assembly, epsilon: f64) -> Self {
        let good = TUNING.good.max(TUNING.worse * assembly.integral(epsilon).relative_width());
        Self { assembly: Arc::new(assembly), good }
    }
}

/// For a δ above this, `1 − δ` is computed instead.
const HALF: f64 = 0.5;
/// If δ(−ε) has a relative width below this, the dual is not bounded by a chord as well.
const SHARP_ENOUGH: f64 = 1e-6;

impl Contour {
    /// Prepares a composition for one question, to be answered with this accuracy.
    ///
    /// `None` if `M` of a pair is not known to exist right of 0, or has no rule.
    pub fn compose(pairs: &[(SharedPair, u64)], goal: Goal, accuracy: Accuracy) -> Option<Self> {
        let (infinite, largest) = (infinite_mass(pairs), largest_finite_loss(pairs));
        let factors = searchable(Factors::new(pairs));
        if !factors.are_known() {
            return None;
        }
        let question = Question { factors: &factors, goal: of_finite_losses(goal, infinite), accuracy };
        let (assembly, center) = refined(question, largest)?;
        Some(Self {
            goal,
            accuracy,
            infinite,
            largest,
            smallest: smallest_finite_loss(pairs),
            vanishing: vanishing_mass(pairs),
            plan: assembly.plan(),
            kept: Mutex::new(vec![Kept::new(assembly, center)]),
            center,
            most_kept: TUNING.kept_lines,
            complement: Complement::default(),
            factors,
        })
    }

    /// What answers the first question.
    pub fn plan(&self) -> &ContourPlan {
        &self.plan
    }

    /// The same without further assemblies: where the first is wide, others would be, and each takes its time.
    pub fn with_one_assembly(self) -> Self {
        Self { most_kept: 1, ..self }
    }

    /// An estimate of the relative width of the first answer; 0 if its width is within the absolute tolerance of ε.
    pub fn width(&self) -> f64 {
        let Goal::Epsilon { delta } = self.goal else {
            let found = self.delta(self.center).delta.value();
            return found.width() / found.upper().max(f64::MIN_POSITIVE);
        };
        let (center, doubt) = match self.complement.epsilon_of(&self.factors, 1.0 - delta) {
            Some((epsilon, slope)) if delta > HALF => {
                let epsilon = epsilon.max(0.0);
                (epsilon, self.complement.at(&self.factors, epsilon, true).relative_width() / slope)
            }
            Some(_) | None => (self.center, self.doubt_of_epsilon(delta)),
        };
        if doubt <= self.accuracy.absolute { 0.0 } else { doubt / center }
    }

    /// How wide ε of a δ is, about.
    fn doubt_of_epsilon(&self, delta: f64) -> f64 {
        if self.center == 0.0 && self.is_at_most(0.0, delta) {
            return 0.0;
        }
        let found = self.delta(self.center).delta;
        let room = self.largest.upper() - self.center;
        if room > 0.0 && room <= 2.0 * TUNING.next_to_largest * self.center && found.is_certainly_above(delta)
        {
            return room;
        }
        if found.value().upper() < TUNING.not_less * delta {
            return f64::INFINITY;
        }
        let slope = self.latest().map_or(0.0, |assembly| assembly.slope(self.center));
        let relative = found.value().width() / found.value().upper().max(f64::MIN_POSITIVE);
        if relative < TUNING.one_digit { relative / slope.max(f64::MIN_POSITIVE) } else { f64::INFINITY }
    }

    /// The part of the width of δ(ε) that is known without summing. 0 if further assemblies may be built.
    pub fn width_without_sum(&self, epsilon: f64) -> f64 {
        if self.most_kept > 1 || epsilon >= self.largest.upper() {
            return 0.0;
        }
        self.latest().map_or(0.0, |assembly| assembly.width_without_sum(epsilon))
    }

    fn latest(&self) -> Option<Arc<Assembly>> {
        self.kept.lock().ok()?.last().map(|kept| kept.assembly.clone())
    }

    /// The best that the assemblies at hand, or a new one, give.
    fn integral(&self, epsilon: f64) -> Integral {
        let mut best = Integral { bounds: Enclosure::new(0.0, 1.0), budget: Budget::default() };
        let kept = self.kept.lock().map(|kept| kept.clone()).unwrap_or_default();
        for (since, Kept { assembly, good }) in kept.iter().rev().enumerate() {
            let found = assembly.integral(epsilon);
            if found.relative_width() < *good {
                if since > 0 {
                    self.prefer(assembly);
                }
                return found;
            }
            best = best.narrower(found);
        }
        if self.most_kept > 1
            && let Some(kept) = self.made_for(epsilon)
        {
            best = best.narrower(kept.assembly.integral(epsilon));
            self.keep(kept);
        }
        best
    }

    fn made_for(&self, epsilon: f64) -> Option<Kept> {
        let question =
            Question { factors: &self.factors, goal: Goal::Delta { epsilon }, accuracy: self.accuracy };
        refined(question, self.largest).map(|(assembly, _)| Kept::new(assembly, epsilon))
    }

    fn keep(&self, new: Kept) {
        if let Ok(mut kept) = self.kept.lock() {
            if kept.len() >= self.most_kept {
                kept.remove(0);
            }
            kept.push(new);
        }
    }

    /// Puts an assembly where the next question looks first.
    fn prefer(&self, assembly: &Arc<Assembly>) {
        if let Ok(mut kept) = self.kept.lock()
            && let Some(at) = kept.iter().position(|kept| Arc::ptr_eq(&kept.assembly, assembly))
        {
            kept[at..].rotate_left(1);
        }
    }
}

/// The question about the finite losses that a question is, roughly.
fn of_finite_losses(goal: Goal, infinite: Probability) -> Goal {
    match goal {
        Goal::Delta { .. } => goal,
        Goal::Epsilon { delta } => {
            let finite = delta - infinite.value().midpoint();
            Goal::Epsilon { delta: if finite > 0.0 { finite } else { delta } }
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
        let missing = self.complement.at(&self.factors, epsilon, self.most_kept > 1);
        let delta = Probability::from_both(value, missing.bounds);
        let is_narrower = missing.bounds.width() < value.width();
        Evaluation { delta, budget: if is_narrower { missing.budget } else { integral.budget } }
    }

    /// Where δ is far below `delta`, the latest assembly proves it, and none is built. δ decreases in ε, so a bound at the `center` holds
    /// for every larger ε.
    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        let is_clear = self.latest().is_some_and(|assembly| {
            let bound = |at: f64| (assembly.integral(at).bounds + self.infinite.value()).upper();
            bound(epsilon) <= delta || (self.center < epsilon && bound(self.center) <= delta)
        });
        is_clear || self.delta(epsilon).delta.is_certainly_at_most(delta)
    }

    /// From the latest assembly: δ(−ε), mirrored. Unless that is accurate, also the chord from δ(0), which the dual shares.
    fn dual_at_hand(&self, epsilon: f64) -> Option<f64> {
        let assembly = self.latest()?;
        let most = |integral: Integral| (integral.bounds + self.infinite.value()).upper();
        let behind = assembly.integral(-epsilon);
        let image = mirrored(most(behind), epsilon);
        if behind.relative_width() < SHARP_ENOUGH {
            return Some(image);
        }
        let (largest, infinite) = (-self.smallest.lower(), self.vanishing.value().upper());
        Some(image.min(below_chord(most(assembly.integral(0.0)), (largest, infinite), epsilon)))
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

/// An upper bound of δ(ε) from δ(0) ≤ `at_zero` and δ(`largest`) = `infinite`: δ is convex in `e^ε`, so it lies below its chord.
///
/// # Guarantee
/// An upper bound if all three arguments are upper bounds; 1 where there is none.
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
        let contour =
            Contour::compose(&[(pair, 10_000)], Goal::Delta { epsilon: 1.0 }, Accuracy::NARROW).unwrap();
        let delta = contour.delta(1.0).delta;
        assert!(delta.value().lower() > 1.0 - 1e-15 && delta.value().lower() < 1.0);
        assert!(delta.complement().upper() > 0.0 && delta.complement().upper() < 1e-300);
    }

    /// A sweep over δ once drew a line at every question for the direction that spends less.
    #[test]
    fn what_is_clearly_smaller_is_proven_without_another_line() {
        let step: Mechanism = "poisson(gaussian(sigma=0.5), rate=0.001)".parse().unwrap();
        let pair = dominating_pair(&step, Direction::Add).unwrap();
        let contour =
            Contour::compose(&[(pair, 10_000)], Goal::Epsilon { delta: 1e-10 }, Accuracy::NARROW).unwrap();
        for epsilon in [2.5, 5.0, 9.0, 10.6] {
            assert!(contour.is_at_most(epsilon, 1e-6));
        }
        // The largest loss is −10⁴·log(0.999) = 10.005: beyond it nothing is left.
        assert_eq!(contour.delta(10.6).delta.value().upper(), 0.0);
        assert_eq!(contour.kept.lock().unwrap().len(), 1);
        assert!(!contour.is_at_most(2.0, 1e-6));
    }
}
