//! Advanced composition: the mean of the loss, and its fluctuation by Azuma's inequality.

use super::{DpPart, Guarantee, basic};
use hockeystick_numerics::{enclosure::Enclosure, rounding::add_up};

/// `ε = Σ kε(e^ε − 1) + √(2 log(1/δ′) Σ kε²)`, `δ = δ′ + Σ kδ` (Dwork, Rothblum and Vadhan 2010, Thm III.3, for different
/// mechanisms).
///
/// # Guarantee
/// The composition is (ε, δ)-DP for `0 < slack < 1`, round-off included.
pub fn advanced(parts: &[DpPart], slack: f64) -> Guarantee {
    let (mean, squares) = sums(parts);
    let fluctuation = (-Enclosure::point(slack).ln() * 2.0 * squares).sqrt();
    Guarantee { epsilon: (mean + fluctuation).upper(), delta: add_up(slack, basic(parts).delta).min(1.0) }
}

/// The same solved for δ: `δ′ = exp(−(ε − Σ kε(e^ε − 1))²/(2 Σ kε²))`, or 1 if ε is below the mean.
///
/// # Guarantee
/// The composition is (ε, δ)-DP, round-off included.
pub fn advanced_delta(parts: &[DpPart], epsilon: f64) -> f64 {
    let (mean, squares) = sums(parts);
    let excess = (Enclosure::point(epsilon) - mean).lower();
    if excess <= 0.0 {
        return 1.0;
    }
    if squares.upper() <= 0.0 {
        return basic(parts).delta;
    }
    let excess = Enclosure::point(excess);
    let slack = (-(excess * excess) / (squares * 2.0)).exp().upper();
    add_up(slack, basic(parts).delta).min(1.0)
}

/// `Σ kε(e^ε − 1)` and `Σ kε²`.
fn sums(parts: &[DpPart]) -> (Enclosure, Enclosure) {
    parts.iter().fold((Enclosure::ZERO, Enclosure::ZERO), |(mean, squares), part| {
        let (epsilon, count) = (Enclosure::point(part.guarantee.epsilon), part.count as f64);
        (mean + epsilon * epsilon.exp_m1() * count, squares + epsilon * epsilon * count)
    })
}
