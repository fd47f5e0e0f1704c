//! δ and ε from both characteristic functions: [Zhu22, Alg. 1], with bisection for ε.

use super::{
    composed::{ComposedPhi, moments},
    inversion::{DECAYED, Inversion, InversionPlan, highest},
    source::Source,
};
use crate::{curve::Budget, engine::masses, pair::SharedPair};

/// A composition in one direction, by its two characteristic functions.
///
/// # Guarantee
/// None: values are estimates, and so is [`Estimated::error`]. The paper bounds neither quadrature nor truncation.
#[derive(Clone, Debug)]
pub struct CharacteristicEstimate {
    pairs: Vec<(SharedPair, u64)>,
    /// The same pairs swapped; none if that makes no difference.
    duals: Option<Vec<(SharedPair, u64)>>,
    source: Source,
    infinite: f64,
    largest: f64,
    /// Mean and variance of the loss under `P`, and of its negative under `Q`.
    moments: [(f64, f64); 2],
}

/// A value with an estimate of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated {
    /// The estimate.
    pub value: f64,
    /// An estimate of the error and its sources. Not a bound.
    pub error: Budget,
    /// The parameters of the integral.
    pub plan: InversionPlan,
}

/// Why there is no estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoEstimate {
    /// The law of a loss is not listed, or it has no moments: there is no characteristic function to evaluate.
    NoCharacteristicFunction,
    /// δ is below the resolution of the integrals, or their value is no probability.
    BelowError {
        /// The estimated error of δ.
        error: f64,
    },
    /// Losses are infinite with a larger probability than δ.
    Unreachable {
        /// That probability.
        at_least: f64,
    },
}

/// The most values of a characteristic function, and of terms all together.
const MOST_NODES: usize = 20_000;
const MOST_TERMS: usize = 1_500_000;
/// A rule with more nodes than this is not extended to higher frequencies.
const LONG_RULE: usize = 1500;
/// Frequencies per factor e at which the decay is evaluated.
const LOOKS: f64 = 6.0;
/// Enough from the smallest double to the largest.
const MOST_LOOKS: usize = 10_000;
/// `φ` must stay small up to so many times the cutoff.
const BEYOND: f64 = 4.0;
/// An estimate is given if its own error is below this part of δ.
const VISIBLE: f64 = 0.5;
/// Bisections for ε.
const BISECTIONS: usize = 60;
/// The range of ε grows by this, so many times at most: δ must be seen at its end.
const GROWTH: f64 = 1.2;
const STEPS: usize = 100;

impl CharacteristicEstimate {
    /// Prepares a composition.
    pub fn compose(pairs: &[(SharedPair, u64)], source: Source) -> Result<Self, NoEstimate> {
        let is_self_dual = pairs.iter().all(|(pair, _)| pair.is_self_dual());
        let swapped = || pairs.iter().map(|(pair, count)| (pair.dual(), *count)).collect();
        let duals: Option<Vec<_>> = if is_self_dual { None } else { Some(swapped()) };
        let both = moments(pairs).zip(moments(duals.as_deref().unwrap_or(pairs)));
        let both = both.ok_or(NoEstimate::NoCharacteristicFunction)?;
        Ok(Self {
            pairs: pairs.to_vec(),
            source,
            infinite: masses::infinite_mass(pairs).value().midpoint(),
            largest: masses::largest_finite_loss(pairs).upper(),
            moments: [both.0, both.1],
            duals,
        })
    }

    /// An estimate of `δ(ε)`.
    pub fn delta(&self, epsilon: f64) -> Result<Estimated, NoEstimate> {
        let found = self.prepared(epsilon)?.delta(epsilon);
        let is_visible = found.error.total() <= VISIBLE * found.value.min(1.0);
        if !is_visible {
            return Err(NoEstimate::BelowError { error: found.error.total() });
        }
        Ok(found)
    }

    /// An estimate of the smallest `ε ≥ 0` with `δ(ε) ≤ δ`, by bisection.
    pub fn epsilon(&self, delta: f64) -> Result<Estimated, NoEstimate> {
        if self.infinite >= delta {
            return Err(NoEstimate::Unreachable { at_least: self.infinite });
        }
        let [(mean, variance), _] = self.moments;
        // Where a normal loss would reach δ, or a little above.
        let beyond = (-2.0 * delta.ln() * variance.max(0.0)).sqrt();
        let mut high = (mean.max(0.0) + beyond).min(self.largest).max(f64::MIN_POSITIVE);
        let mut prepared = self.prepared(high)?;
        if prepared.inversion.value(0.0) <= delta {
            return Ok(Estimated { value: 0.0, error: Budget::default(), plan: prepared.inversion.plan });
        }
        for _ in 0..STEPS {
            let there = prepared.delta(high);
            if there.value <= delta || high >= self.largest {
                break;
            }
            if there.error.total() > VISIBLE * delta {
                return Err(NoEstimate::BelowError { error: there.error.total() });
            }
            high = (GROWTH * high).min(self.largest);
            prepared = self.prepared(high)?;
        }
        let (mut low, mut high) = (0.0, high);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if prepared.inversion.value(middle) <= delta { high = middle } else { low = middle }
        }
        let value = 0.5 * (low + high);
        let there = prepared.delta(value);
        let is_visible = there.error.total() <= VISIBLE * delta;
        if !is_visible {
            return Err(NoEstimate::BelowError { error: there.error.total() });
        }
        let error = there
            .error
            .scaled_to(there.error.total() / prepared.inversion.slope(value).max(f64::MIN_POSITIVE));
        Ok(Estimated { value, error, ..there })
    }

    /// The integrals for all ε up to this one.
    fn prepared(&self, epsilon: f64) -> Result<Prepared, NoEstimate> {
        let one = self.inverted(self.source, epsilon).ok_or(NoEstimate::NoCharacteristicFunction)?;
        let coarser = match self.source {
            Source::Symbols => None,
            Source::Quadrature { points } => {
                self.inverted(Source::Quadrature { points: points * 5 / 7 }, epsilon)
            }
        };
        Ok(Prepared { inversion: one, coarser })
    }

    fn inverted(&self, source: Source, epsilon: f64) -> Option<Inversion> {
        let [p, q] = self.moments.map(|(mean, variance)| (mean, variance.max(0.0).sqrt()));
        let sides = |height: f64| {
            let p = ComposedPhi::new(&self.pairs, self.moments[0], source, height)?;
            let q = match &self.duals {
                Some(duals) => Some(ComposedPhi::new(duals, self.moments[1], source, height)?),
                None => None,
            };
            Some((p, q))
        };
        let most = highest(p, q, epsilon, MOST_NODES);
        // A constant loss has no scale.
        let deviation = p.1.max(q.1).max(64.0 / most);
        let mut height = (64.0 / deviation).min(most);
        let (mut known, mut known_height) = (sides(height)?, height);
        loop {
            if let Some(cutoff) = decayed(&known.0, known.1.as_ref(), 1.0 / deviation, height) {
                return Inversion::new(&known.0, known.1.as_ref(), self.infinite, epsilon, cutoff, true);
            }
            if height >= most || terms(&known) > LONG_RULE {
                break;
            }
            height = (2.0 * height).min(most);
            let Some(next) = sides(height) else { break };
            (known, known_height) = (next, height);
        }
        let nodes = MOST_TERMS / terms(&known).max(1);
        let cutoff = known_height.min(highest(p, q, epsilon, nodes));
        Inversion::new(&known.0, known.1.as_ref(), self.infinite, epsilon, cutoff, false)
    }
}

fn terms((p, q): &(ComposedPhi, Option<ComposedPhi>)) -> usize {
    p.terms() + q.as_ref().map_or(0, ComposedPhi::terms)
}

/// The frequency from which both are negligible, as far as evaluated up to `height`.
fn decayed(p: &ComposedPhi, q: Option<&ComposedPhi>, from: f64, height: f64) -> Option<f64> {
    let is_large = |t: f64| p.log_envelope(t) > DECAYED || q.is_some_and(|q| q.log_envelope(t) > DECAYED);
    let factor = LOOKS.recip().exp();
    let (mut cutoff, mut t) = (from, from);
    for _ in 0..MOST_LOOKS {
        if t.is_nan() || t > height {
            break;
        }
        if is_large(t) {
            cutoff = t * factor;
        }
        if t >= BEYOND * cutoff {
            return Some(cutoff);
        }
        t *= factor;
    }
    None
}

/// Integrals, and coarser ones to compare with.
struct Prepared {
    inversion: Inversion,
    coarser: Option<Inversion>,
}

impl Prepared {
    fn delta(&self, epsilon: f64) -> Estimated {
        let (value, mut error) = (self.inversion.value(epsilon), self.inversion.error(epsilon));
        if let Some(coarser) = &self.coarser {
            error.quadrature += (coarser.value(epsilon) - value).abs();
        }
        Estimated { value, error, plan: self.inversion.plan }
    }
}
