//! The profile of the normal law of a privacy loss class, with or without a bound of its distance.

use super::{ComposedClass, Distance};
use crate::{
    curve::{Budget, Evaluation, PrivacyProfile},
    pair::loss_law::normal,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `δ ≈ p∞ + (1 − p∞)·E[(1 − e^{ε−Z})₊]` for `Z ~ N(mean, variance)` ([Sommer19, Thm 4 and Thm 6, Δ]).
///
/// Integrated by parts, `E[(1 − e^{ε−L})₊] = ∫_ε^∞ e^{ε−y} P(L > y) dy`: a distance of the tails that is at most `β` on
/// `[ε, ∞)` changes it by at most `β`.
#[derive(Clone, Copy, Debug)]
pub struct NormalLimit {
    class: ComposedClass,
    distance: Option<Distance>,
    largest_loss: f64,
}

impl NormalLimit {
    /// The law of the limit itself. Its values are **estimates** of the δ of the composition.
    pub fn estimate(class: ComposedClass) -> Self {
        Self { class, distance: None, largest_loss: f64::INFINITY }
    }

    /// The interval around it that contains the δ of the composition, whose finite losses are at most `largest_loss`.
    pub fn with_distance(class: ComposedClass, distance: Distance, largest_loss: f64) -> Self {
        Self { class, distance: Some(distance), largest_loss }
    }

    /// `(ε − mean)/√variance`.
    fn standardised(&self, epsilon: f64) -> Enclosure {
        (Enclosure::point(epsilon) - self.class.mean) / self.class.variance.sqrt()
    }

    /// `E[(1 − e^{ε−Z})₊]`: that of a loss `N(s²/2, s²)` at `ε − mean + s²/2`.
    fn of_normal(&self, epsilon: f64) -> Probability {
        let class = &self.class;
        if class.variance.upper() <= 0.0 {
            let all = -(Enclosure::point(epsilon) - class.mean).exp_m1();
            return Probability::from_value(all.clamp(0.0, 1.0));
        }
        if class.variance.lower() <= 0.0 {
            return Probability::UNKNOWN;
        }
        let variance = Ball::from(class.variance);
        let at = Ball::from(epsilon) - Ball::from(class.mean) + variance * Ball::from(0.5);
        normal::delta(variance.sqrt(), at)
    }
}

impl PrivacyProfile for NormalLimit {
    fn delta(&self, epsilon: f64) -> Evaluation {
        let infinite = self.class.infinite_mass;
        let limit = infinite.or(self.of_normal(epsilon));
        let Some(distance) = self.distance else { return Evaluation::exact(limit, 0.0) };
        if epsilon >= self.largest_loss {
            return Evaluation::exact(infinite, 0.0);
        }
        let beta = distance.bound(&self.class, self.standardised(epsilon));
        let reach = (infinite.complement() * beta).upper();
        let value = limit.value() + Enclosure::new(-reach, reach);
        let bounds = Enclosure::new(
            value.lower().clamp(infinite.value().lower(), 1.0),
            value.upper().clamp(infinite.value().upper(), 1.0),
        );
        // What is not round-off is the distance from the limit.
        let half = 0.5 * bounds.width();
        let roundoff = (0.5 * limit.value().width()).min(half);
        let budget = Budget { truncation: half - roundoff, roundoff, ..Budget::default() };
        Evaluation { delta: Probability::from_value(bounds), budget }
    }

    fn mass_at_infinity(&self) -> Probability {
        self.class.infinite_mass
    }

    fn largest_finite_loss(&self) -> Enclosure {
        Enclosure::point(self.largest_loss)
    }
}
