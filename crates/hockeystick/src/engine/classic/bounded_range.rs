//! Optimal non-adaptive composition of mechanisms of bounded range, such as exponential mechanisms.

use hockeystick_numerics::{
    ball::Ball, enclosure::Enclosure, log_factorial::log_factorial, probability::Probability, special::exp,
};

/// Candidates whose rough value is this close to the largest are computed with a proof.
const CLOSE: f64 = 1e-9;
/// Terms with a smaller logarithm than this, relative to the largest, do not count in a rough sum.
const NEGLIGIBLE: f64 = -60.0;

/// `δ(ε)` of `count` mechanisms of bounded range `r`, chosen beforehand (Dong, Durfee and Rogers 2020, Thm 2).
///
/// The worst are equal generalised randomised responses with losses `t` and `t − r`, `0 < t < r`. Of `k` uses, `i` have the
/// smaller loss with probability `C(k, i) p^{k−i}(1 − p)^i`, `p = (1 − e^{t−r})/(1 − e^{−r})`, and then the sum of losses is
/// `kt − ir`. While `i ≤ ℓ` are the ones that count, δ is stationary in `t` at `t_ℓ = (ε + (ℓ + 1)r)/(k + 1)` only, so the
/// largest δ is at one of these. Adaptive choices can spend more: `exponential(epsilon=r) * k` covers those too.
///
/// # Guarantee
/// Encloses the theorem's δ for `range > 0`, `count ≥ 1` and `epsilon ≥ 0`.
pub fn bounded_range_delta(range: f64, count: u64, epsilon: f64) -> Probability {
    let ways: Vec<Ball> = log_ways(count);
    let rough_ways: Vec<f64> = ways.iter().map(|ways| ways.approximate()).collect();
    let candidates: Vec<(u64, f64)> = (0..count)
        .filter_map(|l| {
            Some((l, rough(&rough_ways, range, count, epsilon, place(range, count, epsilon, l)?)))
        })
        .collect();
    let largest = candidates.iter().map(|(_, delta)| *delta).fold(0.0, f64::max);
    let mut proven = Enclosure::ZERO;
    for (l, _) in candidates.iter().filter(|(_, delta)| *delta >= largest * (1.0 - CLOSE)) {
        proven = proven.max(exact(&ways, range, count, epsilon, *l));
    }
    // What was not computed with a proof is smaller by more than plain floats can err.
    Probability::from_value(proven.clamp(0.0, 1.0))
}

/// `log C(k, i)` for all i.
fn log_ways(count: u64) -> Vec<Ball> {
    let factorials: Vec<Ball> = (0..=count).map(log_factorial).collect();
    let all = factorials[count as usize];
    (0..=count as usize).map(|i| all - factorials[i] - factorials[count as usize - i]).collect()
}

/// `t_ℓ`, if it is inside the range.
fn place(range: f64, count: u64, epsilon: f64, l: u64) -> Option<f64> {
    let t = (epsilon + (l + 1) as f64 * range) / (count + 1) as f64;
    (t > 0.0 && t < range).then_some(t)
}

/// δ of the responses with the larger loss `t`, in plain floats: logarithms of about 10⁴ at most are off by 10⁻¹² or less.
fn rough(ways: &[f64], range: f64, count: u64, epsilon: f64, t: f64) -> f64 {
    let whole = -(-range).exp_m1();
    let high = (-(t - range).exp_m1() / whole).ln();
    let low = t - range + (-(-t).exp_m1() / whole).ln();
    let k = count as f64;
    let last = (((k * t - epsilon) / range).floor().min(k)).max(-1.0) as i64;
    let term = |i: usize| ways[i] + high * (k - i as f64) + low * i as f64;
    let peak = (0..=last).map(|i| term(i as usize)).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = (0..=last as usize)
        .filter(|_| last >= 0)
        .map(|i| (i, term(i) - peak))
        .filter(|(_, log)| *log > NEGLIGIBLE)
        .map(|(i, log)| exp(log) * -(epsilon - k * t + i as f64 * range).exp_m1())
        .sum();
    sum * exp(peak.max(-740.0))
}

/// The same with a proof, at `t_ℓ`.
fn exact(ways: &[Ball], range: f64, count: u64, epsilon: f64, l: u64) -> Enclosure {
    let (r, at, k) = (Ball::from(range), Ball::from(epsilon), Ball::from(count));
    let t = (at + Ball::from(l + 1) * r) / (k + Ball::ONE);
    let whole = -(-r).exp_m1();
    let high = (-(t - r).exp_m1() / whole).ln();
    let low = t - r + (-(-t).exp_m1() / whole).ln();
    (0..=count).fold(Enclosure::ZERO, |sum, i| {
        let few = Ball::from(i);
        let excess = k * t - few * r - at;
        if excess.enclosure().upper() <= 0.0 {
            return sum;
        }
        let mass = (ways[i as usize] + high * (k - few) + low * few).exp_enclosure();
        let share = (-(-excess).exp_m1().enclosure()).clamp(0.0, 1.0);
        sum + mass * share
    })
}
