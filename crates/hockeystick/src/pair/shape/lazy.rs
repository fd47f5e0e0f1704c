//! Pairs on many outcomes, all of which are listed only when somebody asks for all.

use super::{DiscretePair, mixed_loss};
use crate::pair::{Atom, Details, DominatingPair, LikelyOutcomes, RatioLaw, SharedPair, Tails};
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
pub(in crate::pair) struct LazyPair {
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
    fn sampled(&self, rate: f64) -> Self {
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

    fn dual(&self) -> SharedPair {
        let Known { infinite, vanishing, losses: (lowest, highest), self_dual } = self.known;
        let known =
            Known { infinite: vanishing, vanishing: infinite, losses: (-highest, -lowest), self_dual };
        Arc::new(Self::new(Arc::new(Swapped { base: self.clone() }), known))
    }

    fn is_self_dual(&self) -> bool {
        self.known.self_dual
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for LazyPair {
    fn likely_outcomes(&self, least: f64) -> LikelyOutcomes {
        self.outcomes.likely(least).unwrap_or_else(|| self.all().likely_outcomes(least))
    }

    fn all_outcomes(&self) -> Option<&[Atom]> {
        Some(self.all().atoms())
    }

    fn sampled(&self, rate: f64) -> Option<SharedPair> {
        Some(Arc::new(Self::sampled(self, rate)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Atom, Direction, dominating_pair};

    fn is_lazy(pair: &SharedPair) -> bool {
        format!("{pair:?}").starts_with("LazyPair")
    }

    /// What is listed of likely outcomes is in the list of all, with the same loss and masses; what is not is missing, and no more.
    fn compare(text: &str, direction: Direction, least: f64) -> usize {
        let pair = dominating_pair(&text.parse().unwrap(), direction).unwrap();
        assert!(is_lazy(&pair), "{text} is listed at once");
        let (all, likely) = (pair.all_outcomes().unwrap(), pair.likely_outcomes(least));
        let law = &likely.laws[0];
        let mut listed: Vec<Atom> = law.atoms.clone();
        if law.swapped {
            listed = listed.iter().rev().map(|a| Atom { loss: -a.loss, p: a.q, q: a.p }).collect();
        }
        listed.sort_by(|a, b| a.loss.approximate().total_cmp(&b.loss.approximate()));
        listed.retain(|atom| atom.p.upper().max(atom.q.upper()) > 1e-300);
        let overlap = |a: &Atom, b: &Atom| {
            (a.loss - b.loss).enclosure().contains(0.0) && a.p.overlaps(b.p) && a.q.overlaps(b.q)
        };
        let first = all.iter().position(|atom| overlap(atom, &listed[0])).unwrap();
        for (known, found) in all[first..].iter().zip(&listed) {
            assert!(overlap(known, found), "{text} {direction:?}: {known:?} {found:?}");
            for (mass, size) in [(found.p, known.p), (found.q, known.q)] {
                assert!(mass.width() <= 4e-15 * size.upper() + 1e-120, "{text} {direction:?}: {found:?}");
            }
            assert!(
                found.loss.radius() <= 2e-15 * (1e-4 + found.loss.approximate().abs()),
                "{text} {found:?}"
            );
        }
        let others = || all[..first].iter().chain(&all[first + listed.len()..]);
        let missing =
            |mass: &dyn Fn(&Atom) -> Enclosure| others().map(|atom| mass(atom).lower()).sum::<f64>();
        let (missing_p, missing_q) = (missing(&|atom| atom.p), missing(&|atom| atom.q));
        assert!(missing_p <= likely.missing_p && missing_q <= likely.missing_q, "{text} {direction:?}");
        assert!(likely.missing_p <= 1e6 * least.exp(), "{text} {direction:?}: {}", likely.missing_p);
        // What is known without a list is true of it: tails beyond all losses are asked of the list.
        let [infinite, vanishing] =
            [pair.tails(Ball::from(1e9)).p, pair.tails(Ball::from(-1e9)).q.opposite()];
        assert!(pair.infinite_mass().value().overlaps(infinite.value()), "{text}");
        assert!(pair.vanishing_mass().value().overlaps(vanishing.value()), "{text}");
        let (lowest, highest) = pair.finite_losses().into_inner();
        let [first, last] = [all[0].loss, all[all.len() - 1].loss].map(|loss| loss.enclosure());
        assert!(lowest.overlaps(first) && highest.overlaps(last), "{text}: {first:?} {last:?}");
        all.len() - listed.len()
    }

    #[test]
    fn likely_outcomes_are_those_of_the_list_of_all() {
        let mut left_out = 0;
        for text in [
            "skellam(variance=120)",
            "skellam(variance=7477.315798)",
            "skellam(variance=500, sensitivity=2)",
            "skellam(variance=500, sensitivity=31)",
            "skellam(variance=40000, sensitivity=5)",
            "binomial(n=3000)",
            "binomial(n=3001, sensitivity=2)",
            "binomial(n=20000, p=0.137, sensitivity=17)",
            "binomial(n=20000, p=0.9)",
            "binomial(n=1000000, p=0.002, sensitivity=3)",
            "poisson(binomial(n=5000, p=0.3), rate=0.01)",
            "poisson(skellam(variance=900, sensitivity=3), rate=1e-6)",
        ] {
            for (direction, least) in
                [(Direction::Remove, -40.0), (Direction::Add, -90.0), (Direction::Add, -290.0)]
            {
                left_out += compare(text, direction, least);
            }
        }
        assert!(left_out > 50_000, "{left_out}");
    }

    /// Few outcomes, and those of which none is negligible, are listed at once; questions far out are answered from all of them.
    #[test]
    fn lists_are_whole_where_that_is_as_good() {
        for text in [
            "skellam(variance=3)",
            "binomial(n=100)",
            "binomial(n=100000, p=1e-7)",
            "binomial(n=5000, sensitivity=4000)",
        ] {
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            assert!(!is_lazy(&pair), "{text}");
        }
        for text in ["skellam(variance=900)", "binomial(n=9000)"] {
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            assert_eq!(pair.likely_outcomes(-740.0).laws, pair.ratio_laws());
        }
    }

    /// Regression: a wrong exponential far out made every mass of this pair unknown, one variance in some hundreds; and from 20 000 on
    /// ratios of Bessel functions were.
    #[test]
    fn every_variance_has_a_pair() {
        for variance in [7477.315798f64, 26271.3, 90000.0] {
            let text = format!("skellam(variance={variance})");
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            let delta = pair.delta(Ball::ZERO).value();
            // Next to that of a Gaussian, 1/(σ√(2π)).
            let near = 0.3989422804014327 / variance.sqrt();
            assert!(
                (delta.midpoint() / near - 1.0).abs() < 1e-3 && delta.width() < 1e-12 * near,
                "{delta:?}"
            );
        }
    }
}
