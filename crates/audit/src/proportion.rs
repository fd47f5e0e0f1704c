//! One-sided ends of an unknown chance, from how often it came true ([Clopper, Pearson 1934]).
//!
//! The end is sought on plain floats, then moved outward until the tail there is proven.

use crate::binomial::{Binomial, log_tail};
use hockeystick_numerics::{
    roots::{Tolerance, bracketed_root},
    special::ln,
};

/// The first step outward, as a part of the end: far less than what one trial more or less changes. Each further one is four times as long.
const STEP: f64 = 1e-13;
const STEPS: i32 = 24;
/// The chances between which the end is sought.
const SMALLEST: f64 = 1e-300;
const LARGEST: f64 = 1.0 - f64::EPSILON;

/// About the largest `p` with `P(Binomial(n, p) ≥ successes) ≤ error`, on its lower side.
///
/// # Guarantee
/// A chance that came true `successes` of `n` times by independent trials is below the result with probability at most `error`: the
/// inequality is proven at the result, and the tail grows with `p`.
pub(crate) fn at_least(successes: u64, trials: u64, error: f64) -> f64 {
    if successes == 0 {
        return 0.0;
    }
    let about = sought(|p| log_tail(trials, p, successes..=trials) - ln(error));
    let is_proven = |p: &f64| *p > 0.0 && Binomial::new(trials, *p).at_least(successes).upper() <= error;
    outward().map(|step| about * (1.0 - step)).find(is_proven).unwrap_or(0.0)
}

/// About the smallest `p` with `P(Binomial(n, p) ≤ successes) ≤ error`, on its upper side.
///
/// # Guarantee
/// The chance is above the result with probability at most `error`.
pub(crate) fn at_most(successes: u64, trials: u64, error: f64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    let about = sought(|p| log_tail(trials, p, 0..=successes) - ln(error));
    let is_proven = |p: &f64| *p < 1.0 && Binomial::new(trials, *p).at_most(successes).upper() <= error;
    outward().map(|step| about * (1.0 + step)).find(is_proven).unwrap_or(1.0)
}

/// Where a function of the chance changes its sign, roughly.
fn sought(excess: impl Fn(f64) -> f64) -> f64 {
    let at_logarithm = |log: f64| excess(log.exp());
    bracketed_root(at_logarithm, ln(SMALLEST), ln(LARGEST), Tolerance::relative(1e-15))
        .map_or(f64::NAN, |bracket| (0.5 * (bracket.lower + bracket.upper)).exp())
}

fn outward() -> impl Iterator<Item = f64> {
    (0..STEPS).map(|i| STEP * 4f64.powi(i))
}

#[cfg(test)]
mod tests {
    use super::{at_least, at_most};
    use hockeystick_golden::{Decimal, rows};

    /// Beyond the reference on the safe side, and hardly.
    #[test]
    fn ends_are_those_of_the_references() {
        const TIGHT: f64 = 1e-10;
        for row in rows("audit/clopper_pearson") {
            let (successes, trials, error): (u64, u64, f64) =
                (row.number("successes"), row.number("trials"), row.number("error"));
            let (low, high) = (at_least(successes, trials, error), at_most(successes, trials, error));
            let one = Decimal::exactly(1.0);
            let (lower, upper) = (row.reference("lower"), one.minus(&row.reference("upper_from_one")));
            assert!(lower.is_at_least(low) && lower.is_at_most(low * (1.0 + TIGHT)), "{row:?}: {low}");
            assert!(upper.is_at_most(high) && upper.is_at_least(high * (1.0 - TIGHT)), "{row:?}: {high}");
        }
    }

    #[test]
    fn many_trials_take_no_time_and_no_trial_says_nothing() {
        assert_eq!((at_least(0, 10, 0.05), at_most(10, 10, 0.05)), (0.0, 1.0));
        let (low, high) = (at_least(500_000, 1_000_000, 0.025), at_most(500_000, 1_000_000, 0.025));
        assert!(0.499 < low && low < 0.49903 && 0.50097 < high && high < 0.501, "{low} {high}");
        // Rule of three: −ln 0.05 of a million.
        let rare = at_most(0, 1_000_000, 0.05);
        assert!((rare / 2.995_727_8e-6 - 1.0).abs() < 1e-5, "{rare}");
        // An error next to 1, and next to 0.
        assert!(at_least(3, 5, 1.0 - 1e-9) > 0.99 && at_most(3, 5, 1.0 - 1e-9) < 0.01);
        assert!(at_least(3, 5, 1e-300) < 1e-99 && at_most(3, 5, 1e-300) == 1.0);
    }
}
