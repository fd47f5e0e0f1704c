//! Composition outcome by outcome, where there are few: no grid, no discretisation.

use super::outcomes::Outcomes;
use hockeystick_numerics::{
    enclosure::Enclosure,
    limits::check,
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln},
    summation::CompensatedSum,
};

/// An outcome of the composition: its loss and probability.
#[derive(Clone, Copy, Debug)]
struct JointOutcome {
    loss: f64,
    log_mass: f64,
}

/// An outcome and the tail sums from it upwards.
#[derive(Clone, Copy, Debug)]
struct TailPoint {
    loss: f64,
    mass: f64,
    /// `Σ p_m e^{−(x_m − x_n)}` over this and all larger losses.
    weight: f64,
    /// `Σ p_m (1 − e^{−(x_m − x_n)})` over them, accumulated without a subtraction.
    excess: f64,
}

/// The law of a sum of finitely many losses.
///
/// # Guarantee
/// Losses are within `slip` and masses within a factor `e^{±error}` of the truth. Outcomes that underflowed or are not listed have a total
/// probability of at most `lost`.
#[derive(Clone, Debug)]
pub(crate) struct Enumerated {
    /// In the order of losses.
    steps: Vec<TailPoint>,
    slip: f64,
    error: f64,
    lost: f64,
}

/// Outcomes with a smaller log probability are dropped; `lost` accounts for them.
const LEAST: f64 = -700.0;

/// The number of outcomes of a composition, `Π C(k + n − 1, n − 1)`, without merging equal losses. `None` if a part has a density.
pub(crate) fn count(parts: &[(&Outcomes, u64)]) -> Option<f64> {
    let mut product = 1.0;
    for (outcomes, count) in parts {
        if !outcomes.stretches.is_empty() || outcomes.atoms.is_empty() {
            return None;
        }
        for i in 1..outcomes.atoms.len() {
            product *= (*count as f64 + i as f64) / i as f64;
            if product > 1e15 {
                return None;
            }
        }
        // (A part with one atom has one outcome, but the table of factorials is as long as its count.)
        product = product.max(*count as f64);
    }
    Some(product)
}

impl Enumerated {
    /// Composes each part as often as its count says; about [`count`] outcomes.
    ///
    /// `missing` bounds the probability of all outcomes that are not listed.
    pub(crate) fn compose(parts: &[(&Outcomes, u64)], missing: f64) -> Self {
        let mut drawn = vec![JointOutcome { loss: 0.0, log_mass: 0.0 }];
        let (mut slip, mut error) = (0.0, 0.0);
        for (outcomes, count) in parts {
            let part = Repeated::new(outcomes, *count);
            slip += part.slip;
            error += part.error;
            check();
            let own = part.outcomes();
            drawn = drawn.iter().flat_map(|first| own.iter().map(|second| first.and(*second))).collect();
        }
        drawn.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        let reach = drawn.iter().fold(0.0f64, |most, one| most.max(one.loss.abs()));
        let deepest = drawn.iter().fold(0.0f64, |most, one| most.max(one.log_mass.abs().min(-LEAST)));
        let sums = parts.len() as f64 + 2.0;
        slip += sums * UNIT_ROUNDOFF * reach;
        // Sums of logarithms, the exponential, and the running sums: three roundings each, and an exponential of a rounded difference.
        let running = drawn.len() as f64 * 6.0 * UNIT_ROUNDOFF;
        error += sums * UNIT_ROUNDOFF * deepest + 4.0 * UNIT_ROUNDOFF + running * (1.0 + 1e-6);
        let lost = drawn.len() as f64 * exp(LEAST) * 2.0 + missing;
        let mut steps: Vec<TailPoint> = Vec::with_capacity(drawn.len());
        for JointOutcome { loss, log_mass } in drawn {
            let mass = if log_mass < LEAST { 0.0 } else { exp(log_mass) };
            let (weight, excess) = steps.last().map_or((0.0, 0.0), |above| {
                let gap = above.loss - loss;
                (above.weight * (-gap).exp(), above.excess - above.weight * (-gap).exp_m1())
            });
            steps.push(TailPoint { loss, mass, weight: mass + weight, excess });
        }
        steps.reverse();
        Self { steps, slip: slip * (1.0 + 1e-9), error, lost }
    }

    /// `E[(1 − e^{ε−L})₊; L < ∞]`: with the first loss `x > ε` it is `excess + (1 − e^{−(x−ε)})·weight` at that loss.
    pub(crate) fn finite(&self, epsilon: f64) -> Enclosure {
        let slip = self.slip + 2.0 * UNIT_ROUNDOFF * (epsilon.abs() + self.slip);
        let at = |epsilon: f64| {
            let next = self.steps.partition_point(|step| step.loss <= epsilon);
            self.steps
                .get(next)
                .map_or(0.0, |step| step.excess - step.weight * (epsilon - step.loss).exp_m1())
        };
        let factor = Enclosure::new(-self.error, self.error).exp();
        let bounds = Enclosure::new(at(epsilon + slip), at(epsilon - slip)) * factor;
        (bounds + Enclosure::new(0.0, self.lost)).clamp(0.0, 1.0)
    }

    /// The losses with their masses, in plain floats.
    pub(crate) fn masses(&self) -> Vec<(f64, f64)> {
        self.steps.iter().map(|step| (step.loss, step.mass)).collect()
    }

    /// The relative error of the masses.
    pub(crate) fn error(&self) -> f64 {
        self.error
    }
}

impl JointOutcome {
    fn and(self, other: Self) -> Self {
        Self { loss: self.loss + other.loss, log_mass: self.log_mass + other.log_mass }
    }
}

/// The outcomes of one part and its count.
struct Repeated {
    /// Losses and logarithms of masses.
    atoms: Vec<(f64, f64)>,
    count: u64,
    /// `log i!`
    log_factorials: Vec<f64>,
    slip: f64,
    error: f64,
}

impl Repeated {
    fn new(outcomes: &Outcomes, count: u64) -> Self {
        let k = count as f64;
        let atoms: Vec<(f64, f64)> =
            outcomes.atoms.iter().map(|atom| (atom.loss.midpoint(), ln(atom.p.midpoint()))).collect();
        let mut sum = CompensatedSum::new();
        let mut log_factorials = vec![0.0];
        for i in 1..=count {
            sum.add(ln(i as f64));
            log_factorials.push(sum.value());
        }
        let largest =
            |f: &dyn Fn(&super::outcomes::Atom) -> f64| outcomes.atoms.iter().map(f).fold(0.0, f64::max);
        let reach = largest(&|atom| atom.loss.lower().abs().max(atom.loss.upper().abs()));
        // Products of losses and counts, and their sum.
        let terms = atoms.len() as f64 + 2.0;
        let slip = k * (largest(&|atom| atom.loss.width()) + terms * UNIT_ROUNDOFF * reach);
        let width = largest(&|atom| atom.p.width() / atom.p.lower().max(f64::MIN_POSITIVE));
        let deepest = atoms.iter().fold(0.0f64, |most, (_, log_mass)| most.max(log_mass.abs()));
        // Logarithms with an error of 2 units, products, and sums whose partial sums are no larger than their terms together.
        let logs = k * deepest + 2.0 * log_factorials[count as usize];
        let error = k * width + (terms + 6.0) * UNIT_ROUNDOFF * logs;
        Self { atoms, count, log_factorials, slip, error }
    }

    /// `k!/Πjᵢ! Πpᵢ^{jᵢ}` at `Σjᵢλᵢ` for all counts `jᵢ` that add up to `k`.
    fn outcomes(&self) -> Vec<JointOutcome> {
        let start = JointOutcome { loss: 0.0, log_mass: self.log_factorials[self.count as usize] };
        let mut partial = vec![(self.count, start)];
        for (i, (loss, log_mass)) in self.atoms.iter().enumerate() {
            let is_last = i + 1 == self.atoms.len();
            let mut next = Vec::new();
            for (left, one) in partial {
                for times in if is_last { left } else { 0 }..=left {
                    let (j, log_factorial) = (times as f64, self.log_factorials[times as usize]);
                    let own = JointOutcome { loss: j * loss, log_mass: j * log_mass - log_factorial };
                    next.push((left - times, one.and(own)));
                }
            }
            partial = next;
        }
        partial.into_iter().map(|(_, drawn)| drawn).collect()
    }
}
