//! δ of the pair of clones: a sum over the number of clones, each term from the one before.

use hockeystick_numerics::{
    limits,
    rounding::UNIT_ROUNDOFF,
    special::{LOG_BINOMIAL_ERROR_UNITS, exp, expm1, ln, ln_1p, log_binomial},
};
use std::f64::consts::LN_2;

/// n users with ε₀.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clones {
    local: f64,
    users: u64,
    /// The numbers of clones that count: others have a probability below [`RARE`], each side.
    least: u64,
    most: u64,
}

/// The mass of the numbers of clones that are left out on each side.
const RARE: f64 = 1e-60;

impl Clones {
    pub(super) fn new(local: f64, users: u64) -> Self {
        let trials = users - 1;
        let rate = exp(-local);
        let log_rare = ln(RARE);
        // Chernoff: P(C ≤ c), or P(C ≥ c), is at most e^{−n KL(c/n ‖ q)}.
        let is_rare = |count: u64| log_chernoff(trials, rate, count) < log_rare;
        let mean = (trials as f64 * rate).floor() as u64;
        let least = boundary(0, mean, |count| !is_rare(count));
        let most = if mean >= trials { trials } else { boundary(mean + 1, trials, is_rare) };
        Self { local, users, least, most }
    }

    /// An upper bound of δ(ε), 0 ≤ ε < ε₀.
    ///
    /// # Guarantee
    /// At least the truth, round-off included. Going down in c, all recursions but `T(c) = T(c + 1) − ½B` multiply or add positive numbers; what that one may be off is kept beside it.
    pub(super) fn delta(&self, epsilon: f64) -> f64 {
        let alpha = exp(epsilon);
        let odds = exp(-self.local);
        let p = 1.0 / (1.0 + odds);
        let other = odds * p;
        let gain = p - alpha * other;
        let trials = self.users - 1;
        // Larger numbers of clones spend less than fewer: more clones are noise that is added to the outcome.
        let without_clones = (gain + 8.0 * UNIT_ROUNDOFF).max(0.0);
        // θ of the threshold k > θ(c + 1).
        let share = (alpha * p - other) / ((p - other) * (1.0 + alpha));
        let first = |count: u64| (share * (count + 1) as f64).floor() as u64 + 1;
        let mut count = self.most;
        let mut k = first(count).min(count + 2);
        let mut term = Term::new(count, k);
        let mut log_weight = LogWeight::new(trials, self.local, count);
        let mut sum = 0.0;
        let mut beyond = f64::INFINITY;
        loop {
            if count.is_multiple_of(4096) {
                limits::check();
            }
            let (value, error) = term.value(gain, expm1(epsilon));
            if beyond.is_infinite() {
                beyond = (value + error).max(0.0);
            }
            sum += log_weight.upper() * (value + error).max(0.0);
            if count == self.least {
                break;
            }
            count -= 1;
            term.fewer(count);
            log_weight.fewer(count);
            let next = first(count).min(count + 2);
            while k > next {
                k -= 1;
                term.lower(k);
            }
        }
        let left_out = if self.least > 0 { RARE * without_clones } else { 0.0 }
            + if self.most < trials { RARE * beyond } else { 0.0 };
        let steps = (self.most - self.least + 2) as f64;
        ((sum * (1.0 + 4.0 * steps * UNIT_ROUNDOFF) + left_out) * (1.0 + 1e-14)).min(without_clones)
    }
}

/// The probability of a number of clones, relative error kept.
struct LogWeight {
    trials: u64,
    odds: f64,
    value: f64,
    error: f64,
}

impl LogWeight {
    fn new(trials: u64, local: f64, count: u64) -> Self {
        // q^c (1 − q)^{n−c}, q = e^{−ε₀}.
        let missing = -expm1(-local);
        let absent = if trials == count { 0.0 } else { (trials - count) as f64 * ln(missing) };
        let logs = [log_binomial(trials, count), -local * count as f64, absent];
        let size: f64 = logs.iter().map(|log| log.abs()).sum();
        let value = exp(logs.iter().sum());
        let error = (size + 1.0) * (LOG_BINOMIAL_ERROR_UNITS + 8.0) * UNIT_ROUNDOFF * 1.01;
        Self { trials, odds: exp(local) * missing, value, error }
    }

    /// `P(C = c)` from `P(C = c + 1)`.
    fn fewer(&mut self, count: u64) {
        self.value *= (count + 1) as f64 / (self.trials - count) as f64 * self.odds;
        self.error += 12.0 * UNIT_ROUNDOFF;
    }

    fn upper(&self) -> f64 {
        self.value * (1.0 + self.error * 1.01) + f64::MIN_POSITIVE
    }
}

/// `B = P(Bin(c, ½) = k − 1)` and `T = P(Bin(c, ½) ≥ k)`.
struct Term {
    count: u64,
    k: u64,
    mass: f64,
    /// Relative.
    mass_error: f64,
    tail: f64,
    /// Absolute.
    tail_error: f64,
}

impl Term {
    fn new(count: u64, k: u64) -> Self {
        if k > count + 1 {
            return Self { count, k, mass: 0.0, mass_error: 0.0, tail: 0.0, tail_error: 0.0 };
        }
        let logs = [log_binomial(count, k - 1), -(count as f64) * LN_2];
        let size = logs[0].abs() + logs[1].abs();
        let mass = exp(logs[0] + logs[1]);
        let mass_error = (size + 1.0) * (LOG_BINOMIAL_ERROR_UNITS + 4.0) * UNIT_ROUNDOFF * 1.01;
        // T = Σ_{x ≥ k} B(x): ratios fall, so that the rest is at most geometric.
        let (mut tail, mut next, mut terms) = (0.0, mass, 0.0);
        let mut rest = 0.0;
        for x in k..=count {
            let ratio = (count - x + 1) as f64 / x as f64;
            next *= ratio;
            tail += next;
            terms += 1.0;
            let following = (count - x) as f64 / (x + 1) as f64;
            if next <= 1e-18 * tail && following < 1.0 {
                rest = next * following / (1.0 - following);
                break;
            }
        }
        let tail_error =
            tail * (mass_error + 8.0 * (terms + 1.0) * UNIT_ROUNDOFF) + 2.0 * rest + f64::MIN_POSITIVE;
        Self { count, k, mass, mass_error, tail, tail_error }
    }

    /// `gain·B − loss·T` and what it may be off; k may be off by one where the term it decides on is next to 0.
    fn value(&self, gain: f64, loss: f64) -> (f64, f64) {
        let value = gain * self.mass - loss * self.tail;
        let error = gain * self.mass * self.mass_error
            + loss * self.tail_error
            + 64.0 * UNIT_ROUNDOFF * (self.mass + self.tail * (loss + 1.0))
            + f64::MIN_POSITIVE;
        (value, error * 1.01)
    }

    /// One clone fewer: `B(c, k−1) = B(c+1, k−1)·2(c + 2 − k)/(c + 1)` and `T(c) = T(c + 1) − ½B(c, k − 1)`.
    fn fewer(&mut self, count: u64) {
        if self.k > count + 1 || self.mass == 0.0 {
            // Nothing is beyond, or it was too little for a double.
            *self = Self::new(count, self.k);
            return;
        }
        self.mass *= 2.0 * (count + 2 - self.k) as f64 / (count + 1) as f64;
        self.mass_error += 6.0 * UNIT_ROUNDOFF;
        let tail = self.tail - 0.5 * self.mass;
        self.tail_error += 0.5 * self.mass * self.mass_error * 1.01 + UNIT_ROUNDOFF * (self.tail + self.mass);
        self.tail = tail.max(0.0);
        self.count = count;
    }

    /// A smaller k: `T(k) = T(k + 1) + B(k)`, and `B(k − 1) = B(k)·k/(c − k + 1)`.
    fn lower(&mut self, k: u64) {
        if self.mass == 0.0 {
            *self = Self::new(self.count, k);
            return;
        }
        self.tail_error += self.mass * self.mass_error * 1.01 + UNIT_ROUNDOFF * (self.tail + self.mass);
        self.tail += self.mass;
        self.mass *= k as f64 / (self.count - k + 1) as f64;
        self.mass_error += 4.0 * UNIT_ROUNDOFF;
        self.k = k;
    }
}

/// `−n KL(c/n ‖ q)`, a little larger.
fn log_chernoff(trials: u64, rate: f64, count: u64) -> f64 {
    let (n, c) = (trials as f64, count as f64);
    let present = if count == 0 { 0.0 } else { c * ln(n * rate / c) };
    let absent = if count == trials { 0.0 } else { (n - c) * (ln_1p(-rate) - ln((n - c) / n)) };
    (present + absent) * (1.0 - 1e-9) + 1e-6 * n.sqrt().min(1e3)
}

/// The least number from which on a statement is true: the last one if it never is.
fn boundary(from: u64, to: u64, is_true: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_true(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
