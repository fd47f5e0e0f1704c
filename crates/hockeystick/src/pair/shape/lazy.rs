//! Pairs on many outcomes, all of which are listed only when somebody asks for all.

use super::{DiscretePair, mixed_loss};
use crate::pair::{DominatingPair, LikelyOutcomes, LossLaw, RatioLaw, SharedPair, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{
    fmt,
    ops::RangeInclusive,
    sync::{Arc, OnceLock},
};

/// Outcomes that can be listed.
pub(in crate::pair) trait Listed: fmt::Debug + Send + Sync {
    /// All of them.
    fn all(&self) -> DiscretePair;

    /// Those that have about `e^least` or more of either law; `None` if that is as good as all.
    fn likely(&self, least: f64) -> Option<LikelyOutcomes>;
}

/// What is known without a list: of the pair that [`Listed::all`] would make.
#[derive(Clone, Copy, Debug)]
pub(in crate::pair) struct Known {
    /// `P(L = ∞)` and `Q(L = −∞)`, what is not listed included.
    pub(in crate::pair) infinite: Probability,
    pub(in crate::pair) vanishing: Probability,
    /// The smallest and the largest loss.
    pub(in crate::pair) losses: (Enclosure, Enclosure),
    pub(in crate::pair) self_dual: bool,
}

/// A [`DiscretePair`] that is not made before it is needed. Whoever puts thousands of them on a lattice needs the likely outcomes only, a
/// third of all, and no sums over them.
///
/// # Guarantee
/// That of the discrete pair.
#[derive(Clone, Debug)]
pub struct LazyPair {
    outcomes: Arc<dyn Listed>,
    known: Known,
    all: Arc<OnceLock<DiscretePair>>,
}

impl LazyPair {
    pub(in crate::pair) fn new(outcomes: Arc<dyn Listed>, known: Known) -> Self {
        Self { outcomes, known, all: Arc::default() }
    }

    /// The list.
    fn all(&self) -> &DiscretePair {
        self.all.get_or_init(|| {
            let all = self.outcomes.all();
            if self.known.self_dual { all.declared_self_dual() } else { all }
        })
    }

    /// As [`DiscretePair::sampled`].
    #[must_use]
    pub fn sampled(&self, rate: f64) -> Self {
        if rate == 1.0 {
            return self.clone();
        }
        let weight = Ball::from(rate);
        let rest = Ball::ONE - weight;
        let Known { infinite, vanishing, losses: (lowest, highest), .. } = self.known;
        let loss = |loss: Enclosure| mixed_loss(weight, rest, Ball::from(loss)).enclosure();
        let bottom = (-weight).ln_1p().enclosure();
        let lowest = if vanishing.value().upper() > 0.0 { bottom } else { loss(lowest) };
        let share = weight.enclosure();
        let infinite = Probability::from_both(
            share * infinite.value(),
            rest.enclosure() + share * infinite.complement(),
        );
        let known = Known {
            infinite,
            vanishing: Probability::ZERO,
            losses: (lowest, loss(highest)),
            self_dual: false,
        };
        Self::new(Arc::new(Sampled { base: self.clone(), rate }), known)
    }
}

/// A Poisson sample of outcomes.
#[derive(Debug)]
struct Sampled {
    base: LazyPair,
    rate: f64,
}

impl Listed for Sampled {
    fn all(&self) -> DiscretePair {
        self.base.all().sampled(self.rate)
    }

    fn likely(&self, least: f64) -> Option<LikelyOutcomes> {
        let likely = self.base.outcomes.likely(least)?;
        if likely.laws.iter().any(|law| law.swapped) {
            return None;
        }
        let vanishing = self.base.known.vanishing.value();
        Some(likely.sampled(Ball::from(self.rate), vanishing))
    }
}

/// `P` and `Q` swapped.
#[derive(Debug)]
struct Swapped {
    base: LazyPair,
}

impl Listed for Swapped {
    fn all(&self) -> DiscretePair {
        self.base.all().swapped()
    }

    fn likely(&self, least: f64) -> Option<LikelyOutcomes> {
        self.base.outcomes.likely(least).map(LikelyOutcomes::swapped)
    }
}

impl DominatingPair for LazyPair {
    fn delta(&self, epsilon: Ball) -> Probability {
        self.all().delta(epsilon)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        self.all().tails(epsilon)
    }

    fn infinite_mass(&self) -> Probability {
        self.known.infinite
    }

    fn vanishing_mass(&self) -> Probability {
        self.known.vanishing
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let (lowest, highest) = self.known.losses;
        lowest..=highest
    }

    fn ratio_law(&self) -> RatioLaw {
        self.all().ratio_law()
    }

    fn likely_outcomes(&self, least: f64) -> LikelyOutcomes {
        self.outcomes.likely(least).unwrap_or_else(|| self.all().likely_outcomes(least))
    }

    fn dual(&self) -> SharedPair {
        let Known { infinite, vanishing, losses: (lowest, highest), self_dual } = self.known;
        let known =
            Known { infinite: vanishing, vanishing: infinite, losses: (-highest, -lowest), self_dual };
        Arc::new(Self::new(Arc::new(Swapped { base: self.clone() }), known))
    }

    fn loss_law(&self) -> Option<LossLaw> {
        None
    }

    fn is_self_dual(&self) -> bool {
        self.known.self_dual
    }

    fn as_discrete(&self) -> Option<&DiscretePair> {
        Some(self.all())
    }

    fn as_lazy(&self) -> Option<&LazyPair> {
        Some(self)
    }
}
