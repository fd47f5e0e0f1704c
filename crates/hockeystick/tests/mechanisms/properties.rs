//! Properties of all mechanisms and all texts: round trips, and that nothing panics.

use hockeystick::mechanism::{
    Algebra, ApproximateDp, Binomial, DiscreteGaussian, DiscreteLaplace, Exponential, Gaussian,
    GaussianMixture, GaussianVariance, Gdp, KRandomizedResponse, Laplace, MAX_COUNT, Mechanism, PairFile,
    PermuteAndFlip, ProfileFile, RandomizedResponse, RenyiFile, ReportNoisyMax, Skellam, SparseVector,
    Stability, Staircase, Template, Tree, TruncatedGaussian, TruncatedLaplace, Uniform, Zcdp, catalogue,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::HashSet;

fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::MIN_POSITIVE),
        Just(5e-324),
        Just(f64::MAX),
        Just(1e15),
        Just(1e-4),
        Just(1.0),
        0.0001..100.0f64,
        (1..=f64::MAX.to_bits()).prop_map(f64::from_bits),
    ]
}

fn fraction() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.5), Just(5e-324), 0.001..0.999f64, (1..1f64.to_bits()).prop_map(f64::from_bits)]
}

fn whole() -> impl Strategy<Value = u64> {
    prop_oneof![Just(1), Just(MAX_COUNT), 1..100u64, 1..=MAX_COUNT]
}

fn file() -> impl Strategy<Value = String> {
    let character = prop_oneof![any::<char>(), (0..128u8).prop_map(char::from), Just('"'), Just('\\')];
    vec(character, 1..12).prop_map(|characters| characters.into_iter().collect())
}

fn mixture() -> impl Strategy<Value = GaussianMixture> {
    (positive(), vec((positive(), 1..1000u32), 1..5)).prop_map(|(sigma, parts)| {
        let total: u32 = parts.iter().map(|(_, weight)| weight).sum();
        let (shifts, weights): (Vec<_>, Vec<_>) =
            parts.iter().map(|(shift, weight)| (*shift, f64::from(*weight) / f64::from(total))).unzip();
        GaussianMixture::new(sigma, shifts, weights).unwrap()
    })
}

macro_rules! one_of {
    ($($strategy:expr => $make:expr),* $(,)?) => {
        prop_oneof![$($strategy.prop_map(|input| Mechanism::from($make(input).unwrap()))),*]
    };
}

fn leaf() -> impl Strategy<Value = Mechanism> {
    let noise = one_of![
        (positive(), positive()) => |(a, s)| Gaussian::new(a)?.with_sensitivity(s),
        (positive(), positive()) => |(a, s)| Laplace::new(a)?.with_sensitivity(s),
        (positive(), whole()) => |(a, s)| DiscreteGaussian::new(a)?.with_sensitivity(s),
        (positive(), whole()) => |(a, s)| DiscreteLaplace::new(a)?.with_sensitivity(s),
        (positive(), whole()) => |(a, s)| Skellam::new(a)?.with_sensitivity(s),
        (positive(), whole(), positive()) => |(a, n, s)| Tree::new(a, n)?.with_sensitivity(s),
        (positive(), positive(), positive()) => |(a, b, s)| TruncatedGaussian::new(a, b)?.with_sensitivity(s),
        (positive(), positive(), positive()) => |(a, b, s)| TruncatedLaplace::new(a, b)?.with_sensitivity(s),
        (positive(), positive()) => |(a, s)| Uniform::new(a)?.with_sensitivity(s),
        (positive(), positive()) => |(a, b)| GaussianVariance::new(a, b),
    ];
    let binomial = (whole(), fraction(), whole(), whole()).prop_map(|(n, p, s, d)| {
        let binomial = Binomial::new(n).unwrap().with_probability(p).unwrap();
        Mechanism::from(binomial.with_sensitivity(s).unwrap().with_dimension(d).unwrap())
    });
    let counting = (positive(), whole(), any::<u64>())
        .prop_map(|(factor, n, m)| Exponential::counting_query(factor, n, m % (n + 1)).unwrap().into());
    let others = one_of![
        fraction() => RandomizedResponse::new,
        positive() => RandomizedResponse::from_epsilon,
        (whole(), positive()) => |(k, epsilon): (u64, f64)| KRandomizedResponse::new(k.max(2), epsilon),
        (positive(), fraction()) => |(epsilon, delta)| ApproximateDp::new(epsilon, delta),
        positive() => |epsilon| ApproximateDp::new(epsilon, 0.0),
        positive() => Exponential::new,
        (positive(), fraction()) => |(epsilon, delta)| Stability::new(epsilon, delta),
        (positive(), fraction()) => |(epsilon, gamma)| Staircase::new(epsilon, gamma),
        positive() => Zcdp::new,
        positive() => ReportNoisyMax::new,
        positive() => PermuteAndFlip::new,
        positive() => SparseVector::new,
        Just(0.0) => Gdp::new,
    ];
    let files = one_of![file() => PairFile::new, file() => ProfileFile::new, file() => RenyiFile::new];
    prop_oneof![8 => noise, 1 => binomial, 1 => counting, 9 => others, 2 => files, 1 => mixture().prop_map_into()]
}

/// A new mechanism needs a strategy above.
#[test]
fn every_mechanism_is_drawn() {
    let mut runner = TestRunner::deterministic();
    let drawn: HashSet<&str> =
        (0..3000).map(|_| mechanism().new_tree(&mut runner).unwrap().current().name()).collect();
    for entry in catalogue() {
        assert!(drawn.contains(entry.name), "{} is never drawn", entry.name);
    }
}

fn mechanism() -> impl Strategy<Value = Mechanism> {
    leaf().prop_recursive(8, 40, 4, |inner| {
        prop_oneof![
            (inner.clone(), fraction()).prop_map(|(inner, rate)| inner.poisson(rate).unwrap()),
            inner.clone().prop_map(|inner| inner.subset(1.0).unwrap()),
            (inner.clone(), 1u64..1_000_000).prop_map(|(inner, users)| inner.shuffle(users).unwrap()),
            (inner.clone(), 1u64..1_000_000).prop_map(|(inner, steps)| inner.allocation(steps).unwrap()),
            (inner.clone(), whole()).prop_map(|(inner, count)| inner.repeat(count)),
            vec(inner, 2..5).prop_map(|parts| parts.into_iter().reduce(|sum, part| sum + part).unwrap()),
        ]
    })
}

/// Pieces of expressions, in any order.
fn soup() -> impl Strategy<Value = String> {
    let names: Vec<&str> = catalogue().iter().map(|entry| entry.name).collect();
    let parameters: Vec<&str> =
        catalogue().iter().flat_map(|entry| entry.parameters).map(|parameter| parameter.name).collect();
    let symbols = vec!["(", ")", ",", "=", "+", "*", "?", " ", "\n", "\"", "\\", "-", "é"];
    let values = vec!["1", "0.5", "1e3", "1e999", "nan", "\"0,1\"", "gdp(mu=1)", "1_0", ".", "e", "0"];
    let piece = prop_oneof![
        proptest::sample::select(names),
        proptest::sample::select(parameters),
        proptest::sample::select(symbols),
        proptest::sample::select(values),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Whatever a text is, reading it ends in a mechanism that prints to the same mechanism, or in an error
/// inside it.
fn reads_or_points_into(text: &str) {
    match text.parse::<Mechanism>() {
        Ok(mechanism) => {
            let printed = mechanism.to_string();
            assert_eq!(printed.parse::<Mechanism>().unwrap().to_string(), printed);
            assert_eq!(printed.parse(), Ok(mechanism));
        }
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "{error:?}");
            assert!(!error.to_string().is_empty());
        }
    }
    if let Ok(template) = Template::parse(text) {
        for value in [1.0, 0.5, 0.0, f64::NAN] {
            let _ = template.fill(value);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn text_round_trip(mechanism in mechanism()) {
        prop_assert_eq!(mechanism.validate(), Ok(()));
        let text = mechanism.to_string();
        prop_assert_eq!(text.parse::<Mechanism>().map_err(|error| format!("{text}: {error}")), Ok(mechanism));
    }

    #[test]
    fn json_round_trip(mechanism in mechanism()) {
        let json = serde_json::to_string(&mechanism).unwrap();
        let read = serde_json::from_str::<Mechanism>(&json);
        prop_assert_eq!(read.map_err(|error| format!("{json}: {error}")), Ok(mechanism));
    }

    #[test]
    fn arbitrary_texts_do_not_panic(characters in vec(any::<char>(), 0..60)) {
        reads_or_points_into(&characters.into_iter().collect::<String>());
    }

    #[test]
    fn token_soups_do_not_panic(text in soup()) {
        reads_or_points_into(&text);
    }

    #[test]
    fn mutated_expressions_do_not_panic(
        mechanism in mechanism(),
        edits in vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), soup()), 1..4),
    ) {
        let mut characters: Vec<char> = mechanism.to_string().chars().collect();
        for (from, to, insertion) in edits {
            let (from, to) = (from.index(characters.len() + 1), to.index(characters.len() + 1));
            let short = to.clamp(from, (from + 8).min(characters.len()));
            characters.splice(from..short, insertion.chars().take(6));
        }
        reads_or_points_into(&characters.into_iter().collect::<String>());
    }

    #[test]
    fn mutated_json_does_not_panic(
        mechanism in mechanism(),
        at in any::<prop::sample::Index>(),
        insertion in soup(),
    ) {
        let mut characters: Vec<char> = serde_json::to_string(&mechanism).unwrap().chars().collect();
        let at = at.index(characters.len());
        characters.splice(at..at + 1, insertion.chars().take(3));
        let _ = serde_json::from_str::<Mechanism>(&characters.into_iter().collect::<String>());
    }
}
