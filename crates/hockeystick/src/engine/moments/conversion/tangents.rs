//! The dual of [Asoodeh21, Thm 3], in which every parameter gives a valid bound.
//!
//! For `t = dP/dQ`, whatever `c t^α + b t + a ≥ (t − e^ε)₊` for all `t ≥ 0` proves `δ(ε) ≤ a + b + c·e^k`, `k = λD_α`, because
//! `E_Q t = 1` and `E_Q t^α = e^k`. Such a function is convex; let it touch 0 at `t₁ = e^{−u}` and `t − e^ε` at `t₂ = e^τ`, a
//! distance `D = τ + u` apart on the logarithmic scale. Four equations leave one parameter:
//!
//! ```text
//! ε = τ + log(λ/α) + log(1 − e^{−αD}) − log(1 − e^{−λD})
//! δ = G(u) / (α e^{λτ} (1 − e^{−λD})),    G(u) = e^k − α e^{−λu} + λ e^{−αu}
//! ```
//!
//! `u → ∞` is the standard conversion. The least value over the parameter is the value of the theorem: the binary pair with
//! likelihood ratios `t₁` and `t₂` attains it. It is quasi-convex in either parameter: the feasible `(a, b, c)` of a given
//! cost form a convex set, and `t₁^λ = −b/(αc)` and `e^{λD} = (1 − b)/(−b)` are quotients of linear functions on it.

use hockeystick_numerics::{
    ball::Ball,
    double_double::DoubleDouble,
    special::{exp, expm1, ln, ln_1p, log1mexp},
};

/// Above this `e^k` is taken out of `G` as a factor.
const LARGE: f64 = 1.0;
/// Below this the logarithms of the overshoot cancel, and a series takes their place.
const SMALL: f64 = 1e-3;

/// `log G(u)`.
pub(super) fn log_gap(lambda: Ball, k: Ball, u: Ball) -> Ball {
    let alpha = lambda + Ball::ONE;
    let (once, more) = (-(lambda * u), -(alpha * u));
    if k.approximate() > LARGE {
        let rest = lambda * more.exp() - alpha * once.exp();
        return k + ((-k).exp() * rest).ln_1p();
    }
    // 1 − α + λ = 0: the three constants leave nothing.
    (k.exp_m1() - alpha * once.exp_m1() + lambda * more.exp_m1()).ln()
}

pub(super) fn rough_log_gap(lambda: f64, k: f64, u: f64) -> f64 {
    let alpha = lambda + 1.0;
    if k > LARGE {
        return k + ln_1p(exp(-k) * (lambda * exp(-alpha * u) - alpha * exp(-lambda * u)));
    }
    let spread = if alpha * u < 1e-4 {
        0.5 * alpha * lambda * u * u * (1.0 - (alpha + lambda) * u / 3.0)
    } else {
        lambda * expm1(-alpha * u) - alpha * expm1(-lambda * u)
    };
    ln(expm1(k) + spread)
}

/// `τ − ε = −log(λ/α) − log(1 − e^{−αD}) + log(1 − e^{−λD})`.
pub(super) fn overshoot(lambda: Ball, distance: Ball) -> Ball {
    let alpha = lambda + Ball::ONE;
    if (alpha * distance).approximate() < SMALL {
        return log_mean_decay(lambda * distance) - log_mean_decay(alpha * distance);
    }
    let part = |order: Ball| -(-(order * distance)).exp_m1();
    alpha.ln() - lambda.ln() - part(alpha).ln() + part(lambda).ln()
}

/// `log((1 − e^{−y})/y) = −y/2 + y²/24 − y⁴/2880 + y⁶/181440 − …` for `0 < y < SMALL`: the series alternates, so what is left
/// out is at most `y⁸/9676800`.
fn log_mean_decay(y: Ball) -> Ball {
    let square = y * y;
    let fourth = square * square;
    let rest = (fourth * fourth).enclosure().upper() / 9_676_000.0;
    let sum = -(y * Ball::from(0.5)) + square / Ball::from(24.0) - fourth / Ball::from(2880.0)
        + fourth * square / Ball::from(181_440.0);
    sum + Ball::new(DoubleDouble::ZERO, rest)
}

pub(super) fn rough_overshoot(lambda: f64, distance: f64) -> f64 {
    let alpha = lambda + 1.0;
    lambda.recip().ln_1p() - log1mexp(alpha * distance) + log1mexp(lambda * distance)
}

/// `log δ` at ε for the parameter `D`, and the `u` that goes with it.
pub(super) fn log_delta(lambda: f64, k: f64, epsilon: Ball, distance: f64) -> Ball {
    let (order, distance) = (Ball::from(lambda), Ball::from(distance));
    let tau = epsilon + overshoot(order, distance);
    let share = -(-(order * distance)).exp_m1();
    log_gap(order, Ball::from(k), distance - tau) - (order + Ball::ONE).ln() - order * tau - share.ln()
}

pub(super) fn rough_log_delta(lambda: f64, k: f64, epsilon: f64, distance: f64) -> f64 {
    let tau = epsilon + rough_overshoot(lambda, distance);
    let u = distance - tau;
    if u <= 0.0 {
        return f64::INFINITY;
    }
    rough_log_gap(lambda, k, u) - ln_1p(lambda) - lambda * tau - log1mexp(lambda * distance)
}

/// `ε` at δ for the parameter `u`: `e^{λD} = 1 + G e^{λu}/(αδ)`.
pub(super) fn epsilon(lambda: f64, k: f64, delta: f64, u: f64) -> Ball {
    let (order, u) = (Ball::from(lambda), Ball::from(u));
    let gap =
        log_gap(order, Ball::from(k), u) - (order + Ball::ONE).ln() - Ball::from(delta).ln() + order * u;
    let grown = if gap.approximate() > 0.0 { gap + (-gap).exp().ln_1p() } else { gap.exp().ln_1p() };
    let distance = grown / order;
    distance - u - overshoot(order, distance)
}

pub(super) fn rough_epsilon(lambda: f64, k: f64, delta: f64, u: f64) -> f64 {
    let gap = rough_log_gap(lambda, k, u) - ln_1p(lambda) - ln(delta) + lambda * u;
    let grown = if gap > 0.0 { gap + ln_1p(exp(-gap)) } else { ln_1p(exp(gap)) };
    let distance = grown / lambda;
    distance - u - rough_overshoot(lambda, distance)
}

/// `k` for which the parameter `D` proves exactly δ at ε: every pair with a smaller moment has a smaller δ.
pub(super) fn moment(lambda: f64, epsilon: f64, delta: f64, distance: f64) -> Ball {
    let (order, distance) = (Ball::from(lambda), Ball::from(distance));
    let alpha = order + Ball::ONE;
    let tau = Ball::from(epsilon) + overshoot(order, distance);
    let u = distance - tau;
    let share = -(-(order * distance)).exp_m1();
    let log_cost = Ball::from(delta).ln() + alpha.ln() + order * tau + share.ln();
    let (once, more) = (-(order * u), -(alpha * u));
    if log_cost.approximate() > LARGE {
        let rest = alpha * once.exp() - order * more.exp();
        return log_cost + ((-log_cost).exp() * rest).ln_1p();
    }
    (log_cost.exp() + alpha * once.exp_m1() - order * more.exp_m1()).ln_1p()
}
