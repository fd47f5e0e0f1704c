//! Questions that many figures ask.

use crate::{Failure, panel::Sample};
use hockeystick::{
    Query,
    engine::{
        Goal,
        lattice::{Discretisation, Lattice, Options, Stages, TooLarge},
    },
    mechanism::{Mechanism, Relation},
    pair::{Direction, SharedPair, dominating_pair},
    query::{Guarantee, Method, Reading},
};
use hockeystick_numerics::enclosure::Enclosure;

pub(crate) fn mechanism(text: &str) -> Result<Mechanism, Failure> {
    Ok(text.parse()?)
}

/// The pair of one use, with the record against without it.
pub(crate) fn removal(text: &str) -> Result<SharedPair, Failure> {
    Ok(dominating_pair(&mechanism(text)?, Direction::Remove)?)
}

/// How a question is asked.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) method: Method,
    pub(crate) relation: Relation,
}

impl How {
    pub(crate) const BEST: Self = Self::by(Method::Auto);

    pub(crate) const fn by(method: Method) -> Self {
        Self { method, relation: Relation::AddRemove }
    }

    /// In the direction that most of the papers look at.
    pub(crate) const fn removing(method: Method) -> Self {
        Self { method, relation: Relation::Remove }
    }

    fn query(self, mechanism: &Mechanism) -> Query<'_> {
        Query::new(mechanism).method(self.method).relation(self.relation)
    }
}

fn sample(x: f64, reading: Reading) -> Sample {
    match reading.guarantee {
        Guarantee::Estimate => Sample::plain(x, reading.upper),
        Guarantee::UpperBound => Sample::upper(x, reading.upper),
        Guarantee::Certified => {
            Sample { x, y: reading.upper, lower: reading.lower, upper: Some(reading.upper) }
        }
    }
}

/// δ at each ε, from one composition.
pub(crate) fn deltas(mechanism: &Mechanism, how: How, epsilons: &[f64]) -> Result<Vec<Sample>, Failure> {
    let mut prepared = how.query(mechanism).prepare();
    epsilons.iter().map(|&epsilon| Ok(sample(epsilon, prepared.delta(epsilon)?))).collect()
}

/// ε of each mechanism at δ; `x` goes with it.
pub(crate) fn epsilons(
    mechanisms: &[(f64, Mechanism)],
    how: How,
    delta: f64,
) -> Result<Vec<Sample>, Failure> {
    mechanisms
        .iter()
        .map(|(x, mechanism)| Ok(Sample::answer(*x, &how.query(mechanism).epsilon(delta)?)))
        .collect()
}

/// δ of each mechanism at ε; `x` goes with it.
pub(crate) fn deltas_of(
    mechanisms: &[(f64, Mechanism)],
    how: How,
    epsilon: f64,
) -> Result<Vec<Sample>, Failure> {
    mechanisms
        .iter()
        .map(|(x, mechanism)| Ok(Sample::answer(*x, &how.query(mechanism).delta(epsilon)?)))
        .collect()
}

/// The same mechanism, as often as each count says.
pub(crate) fn repeated(text: &str, counts: &[u64]) -> Result<Vec<(f64, Mechanism)>, Failure> {
    counts.iter().map(|&count| Ok((count as f64, mechanism(&format!("{text} * {count}"))?))).collect()
}

/// A lattice of the multiples of this spacing, for one δ: as published, its points are not moved to where they cost less.
pub(crate) fn lattice(
    pair: &SharedPair,
    count: u64,
    delta: f64,
    discretisation: Discretisation,
    spacing: f64,
) -> Result<Lattice, Failure> {
    let options =
        Options { discretisation, spacing: Some(spacing), most_points: 1 << 24, ..Options::default() };
    let parts = [(pair.clone(), count)];
    let steps = Stages::planned(&parts, Goal::Epsilon { delta }, options);
    let composed = steps.and_then(|steps| steps.composed(&steps.discretised()?));
    Ok(composed.ok_or(TooLarge { most_points: options.most_points })?)
}

/// ε between the optimistic and the pessimistic law of such a lattice.
pub(crate) fn lattice_epsilon(
    pair: &SharedPair,
    count: u64,
    delta: f64,
    discretisation: Discretisation,
    spacing: f64,
) -> Result<Enclosure, Failure> {
    Ok(lattice(pair, count, delta, discretisation, spacing)?.epsilon(delta))
}

/// About `count` whole numbers from `from` to `to`, in equal ratios, each once.
pub(crate) fn whole_ratios(from: u64, to: u64, count: usize) -> Vec<u64> {
    let grid = hockeystick::query::geometric_grid(from as f64, to as f64, count);
    let mut whole: Vec<u64> = grid.into_iter().map(|x| x.round() as u64).collect();
    whole.dedup();
    whole
}
