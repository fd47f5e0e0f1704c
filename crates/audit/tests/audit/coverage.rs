//! Attacks on mechanisms whose ε is known: an audit may exceed it as often as its confidence allows, and no more.

use hockeystick::{Query, mechanism::Mechanism};
use hockeystick_audit::{Audit, Counts, Evidence, Guesses, Scores};
use hockeystick_chance::Random;
use std::collections::HashMap;

const SIMULATED: u32 = 10_000;
const CONFIDENCE: f64 = 0.9;

/// Of so many audits at most this many may exceed the truth: the expected number and four standard deviations.
fn allowed() -> u32 {
    let expected = f64::from(SIMULATED) * (1.0 - CONFIDENCE);
    (expected + 4.0 * (expected * CONFIDENCE).sqrt()) as u32
}

fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.uniform(0.0, 1.0)).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.uniform(0.0, 1.0)).cos()
}

fn times(random: &mut Random, trials: u64, chance: f64) -> u64 {
    (0..trials).filter(|_| random.chance(chance)).count() as u64
}

/// How many of the audits exceed the truth, and the mean of what they find.
fn run(truth: f64, mut simulate: impl FnMut(&mut Random) -> f64) -> (u32, f64) {
    let mut random = Random::new(20_261_120);
    let found: Vec<f64> = (0..SIMULATED).map(|_| simulate(&mut random)).collect();
    let above = found.iter().filter(|&&epsilon| epsilon > truth).count() as u32;
    assert!(above <= allowed(), "{above} of {SIMULATED} are above {truth}");
    (above, found.iter().sum::<f64>() / f64::from(SIMULATED))
}

/// Randomised response with ε = 1 is as bad as ε = 1 allows.
#[test]
fn counts_of_randomised_response() {
    let q = 1.0 / (1.0 + (-1f64).exp());
    let mut known = HashMap::new();
    let (above, mean) = run(1.0, |random| {
        let (hits, alarms) = (times(random, 100, q), times(random, 100, 1.0 - q));
        *known.entry((hits, alarms)).or_insert_with(|| {
            let counts = Counts::new(hits, 100, alarms, 100).unwrap();
            Audit::of(Evidence::Counts(counts)).confidence(CONFIDENCE).finding().unwrap().epsilon
        })
    });
    assert!(above > 0 && mean > 0.55, "{above} {mean}");
}

/// Gaussian noise with μ = 1, at δ = 0.01, by its best attack.
#[test]
fn gaussian_counts_and_scores_of_gaussian_noise() {
    let mechanism: Mechanism = "gaussian(sigma=1)".parse().unwrap();
    let truth = Query::new(&mechanism).epsilon(0.01).unwrap().upper();
    let mut known = HashMap::new();
    let (_, mean) = run(truth, |random| {
        let hits = (0..100).filter(|_| 1.0 + normal(random) > 0.5).count() as u64;
        let alarms = (0..100).filter(|_| normal(random) > 0.5).count() as u64;
        *known.entry((hits, alarms)).or_insert_with(|| {
            let counts = Counts::new(hits, 100, alarms, 100).unwrap();
            let audit = Audit::of(Evidence::GaussianCounts(counts)).delta(0.01).confidence(CONFIDENCE);
            audit.finding().unwrap().epsilon
        })
    });
    assert!(mean > 0.4 * truth, "{mean} of {truth}");

    let (_, mean) = run(truth, |random| {
        let members = (0..40).map(|_| 1.0 + normal(random)).collect();
        let others = (0..40).map(|_| normal(random)).collect();
        let evidence = Evidence::Scores(Scores::new(members, others).unwrap());
        Audit::of(evidence).delta(0.01).confidence(CONFIDENCE).finding().unwrap().epsilon
    });
    assert!(mean > 0.05, "{mean}");
}

/// Every canary answered by randomised response, but for a chance of δ to say what is true.
#[test]
fn guesses_in_one_run() {
    const DELTA: f64 = 1e-3;
    let q = 1.0 / (1.0 + (-1f64).exp());
    let mut known = HashMap::new();
    let (above, mean) = run(1.0, |random| {
        let correct = (0..200).filter(|_| random.chance(DELTA) || random.chance(q)).count() as u64;
        *known.entry(correct).or_insert_with(|| {
            let evidence = Evidence::Guesses(Guesses::new(200, 200, correct).unwrap());
            Audit::of(evidence).delta(DELTA).confidence(CONFIDENCE).finding().unwrap().epsilon
        })
    });
    assert!(above > 0 && mean > 0.6, "{above} {mean}");
}

/// The same δ spent at once: with probability δ every canary is given away.
#[test]
fn guesses_in_a_run_that_fails_at_once() {
    const DELTA: f64 = 0.02;
    let mut known = HashMap::new();
    let _ = run(0.0, |random| {
        let correct = if random.chance(DELTA) { 50 } else { times(random, 50, 0.5) };
        *known.entry(correct).or_insert_with(|| {
            let evidence = Evidence::Guesses(Guesses::new(50, 50, correct).unwrap());
            Audit::of(evidence).delta(DELTA).confidence(CONFIDENCE).finding().unwrap().epsilon
        })
    });
}
