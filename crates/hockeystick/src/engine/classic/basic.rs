//! Basic composition: everything adds.

use super::{DpPart, Guarantee};
use hockeystick_numerics::rounding::{add_up, mul_up};

/// `(Σ kε, Σ kδ)` (Dwork et al. 2006).
///
/// # Guarantee
/// The composition is (ε, δ)-DP, round-off included.
pub fn basic(parts: &[DpPart]) -> Guarantee {
    let sum = |of: fn(&Guarantee) -> f64| {
        parts.iter().fold(0.0, |sum, part| add_up(sum, mul_up(of(&part.guarantee), part.count as f64)))
    };
    Guarantee { epsilon: sum(|one| one.epsilon), delta: sum(|one| one.delta).min(1.0) }
}
