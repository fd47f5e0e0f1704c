//! How far the law of a sum is from the normal one of the same mean and variance.

use super::ComposedClass;
use hockeystick_numerics::{enclosure::Enclosure, rounding::mul_up};

/// Which bound of `sup_{y ≥ ε} |P(L > y) − P(Z > y)|` is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// The same at every point: `c·r` with the Lyapunov ratio `r`.
    BerryEsseen,
    /// Falling with the cube of the distance `z` from the mean: `c·r/(1 + z³)`.
    Nagaev,
}

/// Berry–Esseen, equal summands: 0.4748 (Shevtsova, "On the absolute constants in the Berry–Esseen type inequalities for
/// identically distributed summands", 2011), as in [Sommer19, Lemma 13].
const UNIFORM_IDENTICAL: f64 = 0.4748;
/// Berry–Esseen, different summands: 0.5600 (Shevtsova, Doklady Mathematics 82, 2010).
const UNIFORM_DIFFERENT: f64 = 0.5600;
/// Nagaev, equal summands: 25.80 (Nefedova and Shevtsova 2011), as in [Sommer19, Lemma 13].
const NON_UNIFORM_IDENTICAL: f64 = 25.80;
/// Nagaev–Bikelis, different summands: 31.935 (Paditz, Statistics 20, 1989).
const NON_UNIFORM_DIFFERENT: f64 = 31.935;

impl Distance {
    /// A bound of the distance on `[ε, ∞)`, where `z = (ε − mean)/√variance` at ε is at least the lower end of `z`.
    ///
    /// [Sommer19, Lemma 13] compares the sum with `nσz` and Theorem 6 takes `z = (ε − nμ)/(√n σ²)`; it is `√n σz`. Nagaev's bound
    /// falls for `z ≥ 0`, so its largest value on `[ε, ∞)` is the one at ε, or the one at the mean if that is to the right.
    ///
    /// # Guarantee
    /// At least the distance, for losses of the class given that they are finite.
    pub fn bound(self, class: &ComposedClass, z: Enclosure) -> f64 {
        let ratio = class.lyapunov_ratio();
        if !ratio.is_finite() {
            return 1.0;
        }
        let constant = match (self, class.is_identical) {
            (Self::BerryEsseen, true) => UNIFORM_IDENTICAL,
            (Self::BerryEsseen, false) => UNIFORM_DIFFERENT,
            (Self::Nagaev, true) => NON_UNIFORM_IDENTICAL,
            (Self::Nagaev, false) => NON_UNIFORM_DIFFERENT,
        };
        // The constants are decimals: the doubles may be below them.
        let whole = mul_up(constant.next_up(), ratio);
        let bound = match self {
            Self::BerryEsseen => whole,
            Self::Nagaev => {
                let z = Enclosure::point(z.lower().max(0.0));
                (Enclosure::point(whole) / (z * z * z + 1.0)).upper()
            }
        };
        bound.min(1.0)
    }
}
