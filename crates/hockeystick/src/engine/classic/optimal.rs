//! Optimal composition of (ε₀, δ₀) guarantees: what Kairouz, Oh and Viswanath (2015) prove.

use super::{DpPart, Guarantee, basic};
use crate::{
    engine::closed_form::{ClosedForm, NoClosedForm},
    pair::LossLaw,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// The exact δ(ε) of the worst mechanisms with these guarantees: approximate randomised response, which dominates them all
/// ([KOV15, Thm 3.3]). Equal guarantees are a binomial sum; different ones a product of such sums, while there are few.
///
/// # Guarantee
/// At every ε the profile is at least the δ of the composition, and for some composition equal to it.
pub fn optimal(parts: &[DpPart]) -> Result<ClosedForm, NoClosedForm> {
    ClosedForm::compose(parts.iter().map(|part| {
        let Guarantee { epsilon, delta } = part.guarantee;
        (LossLaw::TwoPoint { xi: Ball::from(epsilon), at_infinity: delta }, part.count)
    }))
}

/// The bound for different guarantees ([KOV15, Thm 3.5]): with `m = Σ kε(e^ε − 1)/(e^ε + 1)` and `v = Σ kε²`,
/// `ε = min(Σ kε, m + √(2v log(1/δ̃)), m + √(2v log(e + √v/δ̃)))` and `δ = 1 − (1 − δ̃) Π (1 − δ)^k`.
///
/// # Guarantee
/// The composition is (ε, δ)-DP for `0 < slack < 1`, round-off included.
pub fn heterogeneous(parts: &[DpPart], slack: f64) -> Guarantee {
    let Sums { mean, squares, log_finite } = sums(parts);
    let twice = squares * 2.0;
    let slack = Enclosure::point(slack);
    let tail = (-slack.ln() * twice).sqrt();
    let other = (twice * (Enclosure::ONE.exp() + squares.sqrt() / slack).ln()).sqrt();
    let epsilon = (mean + tail).upper().min((mean + other).upper()).min(basic(parts).epsilon);
    let delta = -((-slack).ln_1p() + log_finite).exp_m1();
    Guarantee { epsilon, delta: delta.upper().clamp(0.0, 1.0) }
}

/// The smallest δ for which [`heterogeneous`] gives at most ε; 1 if there is none.
///
/// # Guarantee
/// The composition is (ε, δ)-DP, round-off included.
pub fn heterogeneous_delta(parts: &[DpPart], epsilon: f64) -> f64 {
    let at = |log_slack: f64| heterogeneous(parts, log_slack.exp());
    let is_enough = |log_slack: f64| at(log_slack).epsilon <= epsilon;
    let (mut too_small, mut enough) = (-700.0, -1e-12);
    if is_enough(too_small) {
        return at(too_small).delta;
    }
    if !is_enough(enough) {
        return 1.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (too_small + enough);
        if is_enough(middle) { enough = middle } else { too_small = middle }
    }
    at(enough).delta
}

struct Sums {
    mean: Enclosure,
    squares: Enclosure,
    log_finite: Enclosure,
}

fn sums(parts: &[DpPart]) -> Sums {
    let nothing = Sums { mean: Enclosure::ZERO, squares: Enclosure::ZERO, log_finite: Enclosure::ZERO };
    parts.iter().fold(nothing, |sum, part| {
        let (epsilon, count) = (Enclosure::point(part.guarantee.epsilon), part.count as f64);
        // (e^ε − 1)/(e^ε + 1) = (1 − e^{−ε})/(1 + e^{−ε}).
        let drift = -(-epsilon).exp_m1() / ((-epsilon).exp() + 1.0);
        Sums {
            mean: sum.mean + epsilon * drift * count,
            squares: sum.squares + epsilon * epsilon * count,
            log_finite: sum.log_finite + Enclosure::point(-part.guarantee.delta).ln_1p() * count,
        }
    })
}
