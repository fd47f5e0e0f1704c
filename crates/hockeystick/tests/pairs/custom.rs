//! Pairs of one's own: whatever is asked of them, and by whichever method, the answers are those of the mechanism that they stand for.

use hockeystick::{
    Answer, Error, Query,
    composition::parts,
    mechanism::{Mechanism, Relation},
    pair::{
        Direction, DominatingPair, RatioLaw, Releases, SharedPair, Tails, dominating_pair, poisson, subset,
    },
    query::Method,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// A pair of the library, without what it alone can know: closed forms and lists.
#[derive(Clone, Debug)]
struct Stranger(SharedPair);

impl DominatingPair for Stranger {
    fn delta(&self, epsilon: Ball) -> Probability {
        self.0.delta(epsilon)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        self.0.tails(epsilon)
    }

    fn infinite_mass(&self) -> Probability {
        self.0.infinite_mass()
    }

    fn vanishing_mass(&self) -> Probability {
        self.0.vanishing_mass()
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        self.0.finite_losses()
    }

    fn ratio_law(&self) -> RatioLaw {
        self.0.ratio_law()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self(self.0.dual()))
    }

    fn is_self_dual(&self) -> bool {
        self.0.is_self_dual()
    }
}

/// The same composition, of strangers only.
fn strangers(mechanism: &Mechanism) -> Releases<'static> {
    let mut releases: Option<Releases<'static>> = None;
    for part in parts(mechanism).unwrap() {
        let pair = Arc::new(Stranger(dominating_pair(part.mechanism, Direction::Remove).unwrap()));
        releases = Some(match releases {
            Some(releases) => releases.with("a stranger", pair, part.count).unwrap(),
            None => Releases::of_pair("a stranger", pair, part.count).unwrap(),
        });
    }
    releases.unwrap()
}

const RELEASES: [&str; 5] = [
    "gaussian(sigma=2) * 3",
    "poisson(gaussian(sigma=1), rate=0.1) * 20",
    "laplace(scale=3) * 4 + gaussian(sigma=4)",
    "poisson(laplace(scale=2), rate=0.2) * 5",
    "exponential(epsilon=0.3) * 10",
];

fn overlap(known: &Answer, found: &Answer) -> bool {
    let lower = |answer: &Answer| answer.lower().unwrap_or(f64::NEG_INFINITY);
    lower(found) <= known.upper() && lower(known) <= found.upper()
}

#[test]
fn every_method_answers_as_for_the_mechanism() {
    let mut answered = 0;
    for text in RELEASES {
        let mechanism: Mechanism = text.parse().unwrap();
        let releases = strangers(&mechanism);
        for relation in [Relation::Remove, Relation::Add, Relation::AddRemove] {
            for method in Method::all().filter(|method| !method.only_estimates()) {
                let known = Query::new(&mechanism).relation(relation).method(method);
                let found = Query::of(&releases).relation(relation).method(method);
                let pairs = [
                    ("δ(0.7)", known.delta(0.7), found.delta(0.7)),
                    ("ε(1e-4)", known.epsilon(1e-4), found.epsilon(1e-4)),
                    ("ε(0)", known.epsilon(0.0), found.epsilon(0.0)),
                ];
                for (name, known, found) in pairs {
                    // A method that rests on closed forms may have nothing to say to a stranger.
                    if let (Ok(known), Ok(found)) = (known, found) {
                        answered += 1;
                        assert!(
                            overlap(&known, &found),
                            "{text}, {relation}, {name} by {method}: {known:?} {found:?}"
                        );
                    } else {
                        assert!(method != Method::Auto, "{text}, {relation}: {name} has no answer");
                    }
                }
            }
        }
    }
    assert!(answered > 300, "{answered}");
}

#[test]
fn curves_and_moments_are_those_of_the_mechanism() {
    for text in RELEASES {
        let mechanism: Mechanism = text.parse().unwrap();
        let releases = strangers(&mechanism);
        let (known, found) = (Query::new(&mechanism), Query::of(&releases));
        let divergences = (known.renyi(3.0).unwrap(), found.renyi(3.0).unwrap());
        assert!(divergences.0.overlaps(divergences.1), "{text}: {divergences:?}");
        let curves = (known.curves().unwrap(), found.curves().unwrap());
        let rates = (curves.0.trade_off(0.1).unwrap().value(), curves.1.trade_off(0.1).unwrap().value());
        assert!(rates.0.overlaps(rates.1), "{text}: {rates:?}");
        let readings = (known.prepare().epsilon(1e-5).unwrap(), found.prepare().epsilon(1e-5).unwrap());
        assert!(
            readings.0.lower.unwrap() <= readings.1.upper && readings.1.lower.unwrap() <= readings.0.upper
        );
    }
}

/// Samples of a stranger are those of the mechanism, for the relations that a theorem covers.
#[test]
fn strangers_are_sampled_like_mechanisms() {
    let base: Mechanism = "gaussian(sigma=1)".parse().unwrap();
    let stranger =
        |direction| -> SharedPair { Arc::new(Stranger(dominating_pair(&base, direction).unwrap())) };
    type Sampler = fn(SharedPair, f64, Direction) -> Result<SharedPair, Error>;
    for (text, sampler, of) in [
        ("poisson(gaussian(sigma=1), rate=0.1) * 20", poisson as Sampler, Direction::Remove),
        ("subset(gaussian(sigma=1), rate=0.1) * 20", subset as Sampler, Direction::Replace),
    ] {
        let mechanism: Mechanism = text.parse().unwrap();
        let known = Query::new(&mechanism).epsilon(1e-5).unwrap();
        let sampled = sampler(stranger(of), 0.1, Direction::Remove).unwrap();
        let releases = Releases::of_pair("a sample", sampled, 20).unwrap();
        let found = Query::of(&releases).epsilon(1e-5).unwrap();
        assert!(
            overlap(&known, &found) && found.upper() < 1.001 * known.upper(),
            "{text}: {known:?} {found:?}"
        );
        for rate in [0.0, -0.1, 1.5, f64::NAN] {
            let refused = sampler(stranger(of), rate, Direction::Remove).unwrap_err();
            assert!(refused.to_string().contains("rate"), "{refused}");
        }
    }
    // Under replace-one one use is attained by removing, and the worst case must not depend on the direction.
    let replaced = poisson(stranger(Direction::Remove), 0.1, Direction::Replace).unwrap();
    let removed = poisson(stranger(Direction::Remove), 0.1, Direction::Remove).unwrap();
    for epsilon in [0.0, 0.5, 2.0].map(Ball::from) {
        assert!(replaced.delta(epsilon).value().overlaps(removed.delta(epsilon).value()));
    }
    let skew =
        dominating_pair(&"gaussian_variance(sigma1=1, sigma2=1.1)".parse().unwrap(), Direction::Remove);
    assert!(poisson(skew.unwrap(), 0.1, Direction::Replace).is_err());
}

#[test]
fn counts_out_of_range_are_refused() {
    let pair = dominating_pair(&"gaussian(sigma=1)".parse().unwrap(), Direction::Remove).unwrap();
    for count in [0, 1_000_000_000_000_001] {
        let refused = Releases::of_pair("a pair", Arc::clone(&pair), count).unwrap_err();
        assert!(refused.to_string().contains("count"), "{refused}");
    }
}
