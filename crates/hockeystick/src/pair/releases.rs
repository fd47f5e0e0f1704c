//! What is released: mechanisms, and worst-case pairs of one's own, each as often as it is used.

use super::{
    Direction, PairMoments, SharedMoments, SharedPair, Sides, Slack, composed,
    composer::{Composer, NoComposer},
    has_moments_only, log_moments, pair_by,
    replaced::replacing,
};
use crate::{
    composition::{self, MAX_COUNT},
    error::Error,
    mechanism::Mechanism,
    two_threads::mapped,
};
use std::sync::{Arc, OnceLock};

/// From this many parts on a second thread is worth it.
const MANY_PARTS: usize = 64;

/// The parts of a composition. The worst-case pair of each is made when it is first asked for, and once for each relation: adding
/// a record is the dual of removing it.
///
/// Pairs of your own stand beside mechanisms, and [`Query::of`](crate::Query::of) asks about all of them:
///
/// ```
/// use hockeystick::{Query, mechanism::{Gaussian, Mechanism}, pair::{Bound, PiecewisePair, Releases}};
/// use std::sync::Arc;
///
/// // All that is known of the mechanism: it is (0.1, 1e-9)-DP and (0.05, 1e-6)-DP.
/// let known = PiecewisePair::new(&[Bound::new(0.1, 1e-9)?, Bound::new(0.05, 1e-6)?]);
/// let training: Mechanism = Gaussian::new(10.0)?.into();
/// let releases = Releases::of(&training)?.with("my mechanism", Arc::new(known), 20)?;
/// let answer = Query::of(&releases).epsilon(1e-4)?;
/// assert!(answer.upper() < 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Releases<'a> {
    parts: Vec<Release<'a>>,
    /// The pair of all parts together, for each direction.
    whole: [OnceLock<Option<SharedPair>>; 3],
}

/// A composition that is known by another one that dominates it and one that it dominates.
pub(crate) struct Bounding<'a> {
    pub(crate) above: Releases<'a>,
    pub(crate) below: Releases<'a>,
    /// Of all uses together.
    pub(crate) slack: Slack,
}

/// One part, its number of uses, and its pair for each direction.
#[derive(Clone, Debug)]
pub(crate) struct Release<'a> {
    what: What<'a>,
    pub(crate) count: u64,
    /// What makes pairs of compositions that are sampled.
    composer: OnceLock<&'static dyn Composer>,
    pairs: [OnceLock<Result<SharedPair, Box<Error>>>; 3],
}

#[derive(Clone, Debug)]
enum What<'a> {
    Mechanism(&'a Mechanism),
    /// Its name, and its pair for removing a record.
    Pair(String, SharedPair),
}

impl<'a> Releases<'a> {
    /// The parts of a mechanism.
    pub fn of(mechanism: &'a Mechanism) -> Result<Self, Error> {
        let parts = composition::parts(mechanism)?;
        let release = |part: composition::Part<'a>| Release::new(What::Mechanism(part.mechanism), part.count);
        Ok(Self { parts: parts.into_iter().map(release).collect(), whole: Default::default() })
    }

    /// So many uses of what has this worst-case pair: `P` is the law of the output with the record, `Q` the law without it. Messages
    /// call it by the name.
    ///
    /// The swapped pair stands for adding a record. For replacing one, the pair has to dominate that in both orders, and so to be its
    /// own dual.
    pub fn of_pair(name: impl Into<String>, pair: SharedPair, count: u64) -> Result<Self, Error> {
        Self { parts: Vec::new(), whole: Default::default() }.with(name, pair, count)
    }

    /// These pairs, each with its number of uses.
    pub(crate) fn of_pairs(pairs: &[(SharedPair, u64)]) -> Self {
        let release = |(pair, count): &(SharedPair, u64)| {
            Release::new(What::Pair("a part".to_owned(), SharedPair::clone(pair)), *count)
        };
        Self { parts: pairs.iter().map(release).collect(), whole: Default::default() }
    }

    /// These, and so many uses of what has this worst-case pair, as in [`Releases::of_pair`].
    pub fn with(self, name: impl Into<String>, pair: SharedPair, count: u64) -> Result<Self, Error> {
        if !(1..=MAX_COUNT).contains(&count) {
            return Err(Error::Argument {
                argument: "count",
                value: count as f64,
                allowed: "a whole number from 1 to 10^15",
                cure: "say how often the mechanism is used",
            });
        }
        let mut parts = self.parts;
        parts.push(Release::new(What::Pair(name.into(), pair), count));
        Ok(Self { parts, whole: Default::default() })
    }

    /// The same, with one who makes pairs of compositions that are sampled.
    pub(super) fn composed_by(self, composer: &'static dyn Composer) -> Self {
        self.compose_by(composer);
        self
    }

    /// Whoever asks first brings one who makes pairs of compositions that are sampled.
    pub(crate) fn compose_by(&self, composer: &'static dyn Composer) {
        for part in &self.parts {
            part.composer.get_or_init(|| composer);
        }
    }

    /// What messages call it.
    pub(crate) fn names(&self) -> String {
        let name = |part: &Release<'_>| {
            if part.count == 1 { part.name() } else { format!("{} * {}", part.name(), part.count) }
        };
        self.parts.iter().map(name).collect::<Vec<_>>().join(" + ")
    }

    pub(crate) fn parts(&self) -> &[Release<'a>] {
        &self.parts
    }

    /// The pairs of all parts, each with its number of uses.
    pub fn pairs(&self, direction: Direction) -> Result<Vec<(SharedPair, u64)>, Error> {
        let pair = |part: &Release<'a>| Ok((part.pair(direction)?, part.count));
        mapped(&self.parts, MANY_PARTS, pair).into_iter().collect()
    }

    /// The one pair of all parts together, if they have one in a form of its own.
    pub(crate) fn whole(&self, direction: Direction) -> Result<Option<SharedPair>, Error> {
        let pairs = self.pairs(direction)?;
        Ok(self.whole[direction as usize].get_or_init(|| composed::product(&pairs)).clone())
    }

    /// If parts are known by pairs above and below, once those that are known by their curve are `enclosed`: the composition of those above, and of
    /// those below, in this direction. One use is known as well as its pair is; whoever needs the law of its loss asks for its bounds all the same.
    pub(crate) fn bounding(
        &self,
        direction: Direction,
        even_once: bool,
        enclosed: impl Fn(Vec<(SharedPair, u64)>) -> Result<Vec<(SharedPair, u64)>, Error>,
    ) -> Result<Option<Bounding<'a>>, Error> {
        if let [Release { count: 1, .. }] = self.parts.as_slice()
            && !even_once
        {
            return Ok(None);
        }
        let Some(Sides { above, below, slack }) = Sides::of(&enclosed(self.pairs(direction)?)?) else {
            return Ok(None);
        };
        let given = |pairs| Self::given(&self.parts, direction, pairs);
        Ok(Some(Bounding { above: given(above), below: given(below), slack }))
    }

    /// Parts of the same names with other pairs in this direction.
    fn given(parts: &[Release<'a>], direction: Direction, pairs: Vec<(SharedPair, u64)>) -> Self {
        let part = |(part, (pair, count)): (&Release<'a>, (SharedPair, u64))| {
            let release = Release::new(What::Pair(part.name(), SharedPair::clone(&pair)), count);
            release.pairs[direction as usize].get_or_init(|| Ok(pair));
            release
        };
        Self { parts: parts.iter().zip(pairs).map(part).collect(), whole: Default::default() }
    }

    /// The moments of all parts, each with its number of uses.
    pub(crate) fn moments(&self, direction: Direction) -> Result<Vec<(SharedMoments, u64)>, Error> {
        self.parts.iter().map(|part| Ok((part.moments(direction)?, part.count))).collect()
    }

    /// The first part of which nothing is known but its moments.
    pub(crate) fn known_by_moments(&self) -> Option<&Release<'a>> {
        self.parts.iter().find(|part| part.has_moments_only())
    }
}

impl<'a> Release<'a> {
    fn new(what: What<'a>, count: u64) -> Self {
        Self { what, count, composer: OnceLock::new(), pairs: Default::default() }
    }

    /// Its worst-case pair.
    pub(crate) fn pair(&self, direction: Direction) -> Result<SharedPair, Error> {
        let make = || self.made(direction).map_err(Box::new);
        self.pairs[direction as usize].get_or_init(make).clone().map_err(|error| *error)
    }

    fn made(&self, direction: Direction) -> Result<SharedPair, Error> {
        match (&self.what, direction) {
            (_, Direction::Add) => Ok(self.pair(Direction::Remove)?.dual()),
            (What::Mechanism(mechanism), _) => {
                pair_by(mechanism, direction, self.composer.get().copied().unwrap_or(&NoComposer))
            }
            (What::Pair(_, pair), Direction::Remove) => Ok(Arc::clone(pair)),
            (What::Pair(_, pair), Direction::Replace) => replacing(pair),
        }
    }

    /// Its moments: those of the pair, or all that is known of it.
    pub(crate) fn moments(&self, direction: Direction) -> Result<SharedMoments, Error> {
        match self.what {
            What::Mechanism(mechanism) if has_moments_only(mechanism) => log_moments(mechanism, direction),
            What::Mechanism(_) | What::Pair(..) => Ok(Arc::new(PairMoments::new(self.pair(direction)?))),
        }
    }

    /// Is nothing but its moments known of it?
    pub(crate) fn has_moments_only(&self) -> bool {
        matches!(self.what, What::Mechanism(mechanism) if has_moments_only(mechanism))
    }

    /// The mechanism, unless it is a pair of one's own.
    pub(crate) fn mechanism(&self) -> Option<&Mechanism> {
        match self.what {
            What::Mechanism(mechanism) => Some(mechanism),
            What::Pair(..) => None,
        }
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        match &self.what {
            What::Mechanism(mechanism) => mechanism.to_string(),
            What::Pair(name, _) => name.clone(),
        }
    }
}
