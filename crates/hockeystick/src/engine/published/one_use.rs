//! The discretisation of one use, before composition: its effect on a hockey-stick curve.

use crate::{
    engine::lattice::{Discretisation, Grid, LatticeLaw, LossRange, Optimistic, Outcomes, Pessimistic},
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, rounding::UNIT_ROUNDOFF};

/// The tilt for which edges are placed.
const TILT: f64 = 1.0;

/// The laws above and below a pair on a lattice ([Doroshenko22, Sec. 4 and 5]).
#[derive(Clone, Debug)]
pub struct OneUse {
    upper: LatticeLaw<Pessimistic>,
    lower: LatticeLaw<Optimistic>,
}

impl OneUse {
    /// On multiples of `spacing` from about `bottom` to about `top`. `None` if those are too many.
    pub fn new(
        pair: &SharedPair,
        discretisation: Discretisation,
        spacing: f64,
        (bottom, top): (f64, f64),
    ) -> Option<Self> {
        let outcomes = Outcomes::of(pair, -740.0);
        let grid = Grid::covering(&pair.finite_losses(), &LossRange::plain(bottom, top), spacing, TILT)?;
        Some(Self {
            upper: discretisation.pessimistic(pair, outcomes.as_ref(), grid),
            lower: discretisation.optimistic(pair, outcomes.as_ref(), grid),
        })
    }

    /// `δ(ε)` of both laws, for any real `ε`.
    ///
    /// # Guarantee
    /// The upper end is at least, the lower end at most the δ of the pair.
    pub fn delta(&self, epsilon: f64) -> Enclosure {
        let upper = curve(&self.upper, epsilon).upper();
        Enclosure::new(curve(&self.lower, epsilon).lower().clamp(0.0, upper), upper.min(1.0))
    }

    /// The losses of the pessimistic law with their masses, in plain floats, for plots.
    pub fn losses(&self) -> Vec<(f64, f64)> {
        let point = |index: usize| (self.upper.first + index as i64) as f64 * self.upper.spacing;
        self.upper.masses.iter().enumerate().map(|(i, mass)| (point(i) + self.upper.offset, *mass)).collect()
    }
}

/// `Σ P(y)(1 − e^{ε−y})₊ + P(∞)`.
fn curve<Side>(law: &LatticeLaw<Side>, epsilon: f64) -> Enclosure {
    let epsilon = Enclosure::point(epsilon);
    let error = Enclosure::new(-law.error, law.error) + 1.0;
    let rounded = |loss: f64| {
        let slack = 4.0 * UNIT_ROUNDOFF * (loss.abs() + law.offset.abs());
        Enclosure::new(loss - slack, loss + slack)
    };
    (law.masses.iter().zip(law.first..)).fold(Enclosure::point(law.infinite), |sum, (&mass, index)| {
        let loss = rounded(index as f64 * law.spacing + law.offset);
        let share = (-(epsilon - loss).exp_m1()).clamp(0.0, 1.0);
        sum + share * mass * error
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{lattice::CONNECT_THE_DOTS, published::BUCKETS},
        pair::{Direction, dominating_pair},
    };
    use hockeystick_numerics::ball::Ball;

    /// The dots are on the curve, buckets are above them, and both ends enclose the curve between the points, too.
    #[test]
    fn curves_are_in_their_order() {
        for text in ["gaussian(sigma=1)", "laplace(scale=0.5)", "poisson(gaussian(sigma=1), rate=0.2)"] {
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            let law = |discretisation| OneUse::new(&pair, discretisation, 0.5, (-20.0, 20.0)).unwrap();
            let (dots, buckets) = (law(CONNECT_THE_DOTS), law(BUCKETS));
            for i in -16..16 {
                let epsilon = 0.125 * f64::from(i);
                let truth = pair.delta(Ball::from(epsilon)).value();
                let (near, far) = (dots.delta(epsilon), buckets.delta(epsilon));
                assert!(near.lower() <= truth.upper() && truth.lower() <= near.upper(), "{text} {epsilon}");
                assert!(far.lower() <= truth.upper() && truth.lower() <= far.upper(), "{text} {epsilon}");
                if i % 4 == 0 && text.starts_with("gauss") {
                    assert!((near.upper() - truth.upper()).abs() < 1e-9, "{text} {epsilon}: {near:?}");
                    assert!(far.upper() > near.upper() + 1e-4, "{text} {epsilon}: {far:?}");
                }
            }
        }
    }
}
