//! Guesses in one run.
//!
//! Of an (ε, δ)-DP program, with `q = e^ε/(1 + e^ε)`, `m` canaries and `r` guesses, `r` fixed beforehand:
//!
//! ```text
//! P(at least v guesses are right) ≤ P(Bin(r, q) ≥ v) + (m/r)·(1 − q)·δ·Σ_{n < r} max_k P(Bin(n, q) = k)
//! ```
//!
//! For δ = 0 this is [Steinke, Nasr, Jagielski 2023, Sec. 5]. The proof of the second term is in `docs/design/audit.md`: it grows with `m/√r`, not with `m`.

use crate::{binomial::Binomial, data::Guesses};
use hockeystick_numerics::{enclosure::Enclosure, limits::check};

/// The search ends when its bracket is this narrow, as a part of ε.
const NARROW: f64 = 1e-12;
/// No audit shows more: some `e^ε` canaries would be needed.
const MOST: f64 = 64.0;
/// The largest probabilities fall with `n`. Those between two `n` a twentieth apart are bounded by the first.
const STEPS: u64 = 20;

/// The largest ε at which so many right guesses are proven to be so unlikely.
///
/// # Guarantee
/// If the program is (ε′, δ)-DP with ε′ at most the result, at least so many right guesses have at most the probability `error`. The bound is proven at the
/// result; it holds for all smaller ε′, of which (ε, δ)-DP follows.
pub(crate) fn of_guesses(guesses: Guesses, delta: f64, error: f64) -> f64 {
    let is_proven = |epsilon: f64| {
        check();
        likelihood(guesses, epsilon, delta).upper() <= error
    };
    if guesses.correct == 0 || !is_proven(0.0) {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, MOST);
    while high - low > NARROW * high {
        let middle = 0.5 * (low + high);
        *(if is_proven(middle) { &mut low } else { &mut high }) = middle;
    }
    low
}

/// A bound on the probability of at least so many right guesses.
fn likelihood(guesses: Guesses, epsilon: f64, delta: f64) -> Enclosure {
    let Guesses { canaries, guesses, correct } = guesses;
    let tail = Binomial::with_log_odds(guesses, epsilon).at_least(correct);
    if delta == 0.0 {
        return tail;
    }
    let wrong = Enclosure::ONE / (Enclosure::point(epsilon).exp() + 1.0);
    let per_guess = Enclosure::point(canaries as f64) / guesses as f64;
    tail + per_guess * wrong * delta * largest_probabilities(guesses, epsilon)
}

/// `Σ_{n < r} max_k P(Bin(n, q) = k)`, bounded from above.
fn largest_probabilities(r: u64, epsilon: f64) -> Enclosure {
    let mut sum = Enclosure::ZERO;
    let mut n = 0;
    while n < r {
        let next = (n + 1 + n / STEPS).min(r);
        sum = sum + largest_probability(n, epsilon) * (next - n) as f64;
        n = next;
    }
    sum
}

/// `max_k P(Bin(n, q) = k)`, bounded from above. The largest is at `⌊(n + 1)q⌋`, which a rounding moves by at most one.
fn largest_probability(n: u64, epsilon: f64) -> Enclosure {
    let law = Binomial::with_log_odds(n, epsilon);
    let near = ((n + 1) as f64 / (1.0 + (-epsilon).exp())) as u64;
    let neighbours = near.saturating_sub(1)..=(near + 1).min(n);
    neighbours.map(|k| law.probability(k)).fold(Enclosure::ZERO, Enclosure::max).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::likelihood;
    use crate::data::Guesses;
    use hockeystick_golden::rows;

    /// Exact for δ = 0; else above the bound by what grouping its terms costs.
    #[test]
    fn bounds_are_those_of_the_references() {
        const GROUPED: f64 = 1.03;
        for row in rows("audit/one_run") {
            let (epsilon, delta): (f64, f64) = (row.number("epsilon"), row.number("delta"));
            let guesses =
                Guesses::new(row.number("canaries"), row.number("guesses"), row.number("correct")).unwrap();
            let computed = likelihood(guesses, epsilon, delta);
            let bound = row.reference("likelihood");
            assert!(bound.is_at_most(computed.upper()), "{row:?}: {computed:?}");
            let allowed = if delta == 0.0 { 1.0 + 1e-12 } else { GROUPED };
            assert!(bound.is_at_least(computed.upper() / allowed), "{row:?}: {computed:?}");
        }
    }
}
