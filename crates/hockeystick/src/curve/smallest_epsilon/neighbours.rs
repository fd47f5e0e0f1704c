//! Questions in order: the root of one is extrapolated from those before, and proven.

use super::{
    root::{Found, Root},
    search::{NoEpsilon, smallest_epsilon_near},
};
use crate::curve::PrivacyProfile;
use hockeystick_numerics::{enclosure::Enclosure, special::ln};

/// Roots from which the next one is extrapolated.
const REMEMBERED: usize = 4;
/// A part of ε that no root is known to.
const CLOSE: f64 = 1e-13;

/// The latest roots of a profile, and its latest answer: a δ with the interval of its ε.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    roots: Vec<Root>,
    latest: Option<(f64, Enclosure)>,
}

impl Neighbours {
    /// As [`smallest_epsilon`](super::smallest_epsilon), from what was found before, all of it of the same profile.
    pub(crate) fn smallest_epsilon(
        &mut self,
        profile: &dyn PrivacyProfile,
        delta: f64,
    ) -> (Enclosure, Option<NoEpsilon>) {
        if let Some(bounds) = self.latest_that_holds(profile, delta) {
            self.latest = Some((delta, bounds));
            return (bounds, None);
        }
        let found = extrapolated(profile, delta, &self.roots)
            .map(|(bounds, root)| Found { bounds, root: Some(root) });
        let (Found { bounds, root }, why) = found.map_or_else(
            || smallest_epsilon_near(profile, delta, self.guess(delta).or_else(|| profile.near(delta))),
            |found| (found, None),
        );
        match root {
            Some(root) => {
                let root = self.roots.last().map_or(root, |last| root.with_slope_from(*last));
                if self.roots.len() == REMEMBERED {
                    self.roots.remove(0);
                }
                self.roots.push(root);
            }
            None => self.roots = Root::at(profile, bounds.midpoint()).into_iter().collect(),
        }
        self.latest = Some((delta, bounds)).filter(|_| why.is_none());
        (bounds, why)
    }

    /// From the last root along its slope; that of the latest answer without one.
    fn guess(&self, delta: f64) -> Option<f64> {
        let along = self.roots.last().map(|last| last.epsilon + (ln(delta) - last.log_delta) / last.slope);
        let latest = || self.latest.map(|(_, bounds)| bounds.midpoint());
        along.filter(|guess| *guess > 0.0).or_else(latest).filter(|guess| guess.is_finite())
    }

    /// The latest interval, if it is one for this δ as well: where δ is known to few digits, neighbouring questions have the same
    /// answer.
    ///
    /// # Guarantee
    /// ε falls as δ rises. For a larger δ the upper end stays proven, for a smaller one the lower end; the other is proven here.
    fn latest_that_holds(&self, profile: &dyn PrivacyProfile, delta: f64) -> Option<Enclosure> {
        let (known, bounds) = self.latest?;
        let step = (ln(delta) - ln(known)).abs();
        if self.roots.last().is_some_and(|root| step > root.half_width) || bounds.lower() <= 0.0 {
            return None;
        }
        let holds = if delta >= known {
            profile.delta(bounds.lower()).delta.is_certainly_above(delta)
        } else {
            profile.is_at_most(bounds.upper(), delta)
        };
        holds.then_some(bounds)
    }
}

impl Root {
    /// A point of the curve with its slope, by a difference.
    fn at(profile: &dyn PrivacyProfile, epsilon: f64) -> Option<Self> {
        let step = 1e-6 * epsilon;
        let (log_delta, half_width) = log(profile, epsilon)?;
        let slope = (log(profile, epsilon + step)?.0 - log_delta) / step;
        (epsilon > 0.0 && slope < 0.0 && slope.is_finite()).then_some(Self {
            log_delta,
            epsilon,
            slope,
            half_width,
        })
    }

    /// The slope of the chord from another root, unless they are so close that it is all round-off.
    fn with_slope_from(self, other: Self) -> Self {
        let step = self.epsilon - other.epsilon;
        let slope = (self.log_delta - other.log_delta) / step;
        if step.abs() > 1e-7 * self.epsilon && slope < 0.0 { Self { slope, ..self } } else { self }
    }
}

/// `ln δ(ε)` at the midpoint, and the relative half-width of δ.
fn log(profile: &dyn PrivacyProfile, epsilon: f64) -> Option<(f64, f64)> {
    let delta = profile.delta(epsilon).delta.value();
    let middle = delta.midpoint();
    (middle > 0.0).then(|| (ln(middle), 0.5 * delta.width() / middle))
}

/// The root from several others by the polynomial through them, with both ends proven; `None` if that fails.
fn extrapolated(profile: &dyn PrivacyProfile, target: f64, roots: &[Root]) -> Option<(Enclosure, Root)> {
    let last = roots.last().filter(|_| roots.len() == REMEMBERED && target <= 0.5)?;
    let wanted = ln(target);
    // Neville's scheme for ε as a function of ln δ.
    let mut values: [f64; REMEMBERED] = std::array::from_fn(|i| roots[i].epsilon);
    for order in 1..REMEMBERED {
        for i in 0..REMEMBERED - order {
            let (left, right) = (roots[i].log_delta, roots[i + order].log_delta);
            values[i] = ((wanted - right) * values[i] - (wanted - left) * values[i + 1]) / (left - right);
        }
    }
    proven(profile, target, Root { log_delta: wanted, epsilon: values[0], ..*last })
}

/// Ends around a root as far out as it seems, if δ is proven to be where it should at both.
fn proven(profile: &dyn PrivacyProfile, target: f64, root: Root) -> Option<(Enclosure, Root)> {
    // As far as the width of δ reaches, and a few units in the last place of ε and of the logarithms.
    let doubt = root.half_width + 4.0 * f64::EPSILON * (1.0 + root.log_delta.abs());
    let margin = 1.5 * doubt / -root.slope + 2.0 * CLOSE * root.epsilon;
    let (lower, upper) = (root.epsilon - margin, root.epsilon + margin);
    if !(lower > 0.0 && profile.is_at_most(upper, target)) {
        return None;
    }
    let below = profile.delta(lower).delta;
    if !below.is_certainly_above(target) {
        return None;
    }
    // The next root is extrapolated from this one, so it has to be better than proven.
    let middle = below.value().midpoint();
    let epsilon = lower + (root.log_delta - ln(middle)) / root.slope;
    let half_width = 0.5 * below.value().width() / middle;
    Some((Enclosure::new(lower, upper), Root { epsilon, half_width, ..root }))
}
