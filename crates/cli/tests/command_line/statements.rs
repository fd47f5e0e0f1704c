//! Sentences that people quote, held against the definition: which probability is at most e^ε times which, plus δ.
//!
//! One step of DP-SGD is known in closed form: with the example the sum of a batch is (1 − q)·N(0, σ²) + q·N(1, σ²), without it
//! N(0, σ²). Whatever is printed is compared with integrals of these densities, by a quadrature of this file.

use crate::run::run;
use serde_json::Value;
use std::f64::consts::TAU;

const NOISE: f64 = 0.8;
const RATE: f64 = 0.3;
const DELTA: f64 = 1e-3;

fn normal(mean: f64, x: f64) -> f64 {
    (-((x - mean) / NOISE).powi(2) / 2.0).exp() / (NOISE * TAU.sqrt())
}

fn with(x: f64) -> f64 {
    (1.0 - RATE) * normal(0.0, x) + RATE * normal(1.0, x)
}

fn without(x: f64) -> f64 {
    normal(0.0, x)
}

/// No outcome with a chance of 1e-30 is outside.
const OUTCOMES: (f64, f64) = (-11.0, 12.0);

/// The midpoint rule over all outcomes.
fn integral(f: impl Fn(f64) -> f64) -> f64 {
    integral_over(f, OUTCOMES)
}

fn integral_over(f: impl Fn(f64) -> f64, (from, to): (f64, f64)) -> f64 {
    let cells = 100_000;
    let width = (to - from) / f64::from(cells);
    (0..cells).map(|cell| f(from + (f64::from(cell) + 0.5) * width)).sum::<f64>() * width
}

/// The largest `P(S) − factor·Q(S)` of all events S.
fn excess(p: fn(f64) -> f64, q: fn(f64) -> f64, factor: f64) -> f64 {
    integral(|x| (p(x) - factor * q(x)).max(0.0))
}

/// The largest `P(S)` of all events on one side of a threshold with `Q(S) = 1/100`: the likelihood ratio is monotone.
fn detected(p: fn(f64) -> f64, q: fn(f64) -> f64, is_above: bool) -> f64 {
    let share = |f, at: f64| integral_over(f, if is_above { (at, OUTCOMES.1) } else { (OUTCOMES.0, at) });
    let (mut low, mut high) = OUTCOMES;
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        let is_too_large = share(q, middle) > 0.01;
        if is_too_large == is_above {
            low = middle;
        } else {
            high = middle;
        }
    }
    share(p, low)
}

/// All words on one line.
fn statement(relation: &str) -> String {
    let arguments = ["dpsgd", "--examples", "10", "--batch", "3", "--steps", "1", "--noise", "0.8"];
    let asked = ["--delta", "1e-3", "--statement", "--relation", relation];
    let text = run(&[&arguments[..], &asked].concat()).answered();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands between two pieces of text.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after:?} in {rest}")).0
}

/// The densities that a statement speaks of.
fn density(words: &str) -> fn(f64) -> f64 {
    match words {
        "with the example" | "with it" | "used" | "with these data" | "with them" => with,
        "without the example" | "without it" | "unused" | "without these data" | "without them" => without,
        other => panic!("which dataset is {other:?}?"),
    }
}

/// The probability that is bounded, the factor, the probability that bounds it, and what follows.
fn promise(statement: &str) -> (&str, f64, &str, &str) {
    let sentence = between(statement, "because of the model, its probability ", ".");
    let rest = &statement[statement.find(sentence).unwrap()..];
    let (bounded, rest) = rest.split_once(" is at most ").unwrap();
    let (factor, rest) = rest.split_once(" times its probability ").unwrap();
    let (bounding, rest) = rest.split_once(", plus 0.001").unwrap();
    (bounded, factor.parse().unwrap(), bounding, rest.split_once('.').unwrap().0)
}

/// The factor is the least that is true of the two probabilities in the order in which they are named.
#[test]
fn a_factor_is_that_of_the_direction_that_the_sentence_names() {
    let mut factors = vec![];
    for relation in ["add", "remove", "add-remove"] {
        let text = statement(relation);
        let (bounded, factor, bounding, rest) = promise(&text);
        let (p, q) = (density(bounded), density(bounding));
        assert!(excess(p, q, factor) <= DELTA * (1.0 + 1e-6), "{relation}: {text}");
        assert!(
            excess(p, q, factor * (1.0 - 1e-4)) > DELTA,
            "{relation}: the factor of another direction: {text}"
        );
        let is_mutual = rest == ", and the other way round";
        assert_eq!(is_mutual, relation == "add-remove", "{text}");
        assert!(!is_mutual || excess(q, p, factor) <= DELTA * (1.0 + 1e-6), "{text}");
        let epsilon: f64 = between(&text, "is (ε = ", ",").parse().unwrap();
        assert!((factor / epsilon.exp() - 1.0).abs() < 1e-5, "{text}");
        factors.push(factor);
    }
    assert!(factors[1] > 2.0 * factors[0], "a test at parameters that are not asymmetric: {factors:?}");
}

/// The share of those found is that of the attack which the sentence describes.
#[test]
fn an_attack_is_that_of_the_direction_that_the_sentence_names() {
    for relation in ["add", "remove", "add-remove"] {
        let text = statement(relation);
        let mistaken = between(&text, "An attack that takes one ", " example in a hundred to be ");
        let sought = between(&text, "in a hundred to be ", " recognises");
        let share: f64 = between(&text, "recognises at most a share of ", " of the").parse().unwrap();
        let truth = detected(density(sought), density(mistaken), sought == "used");
        assert!(share >= truth * (1.0 - 1e-5), "{relation}: {truth} of the {sought} ones are found: {text}");
        // Both directions together are bounded by the larger of them.
        assert!(relation == "add-remove" || share <= truth * (1.0 + 1e-4), "{relation}: {truth}, but {text}");
        let advantage: f64 = between(&text, "false positive rate) of at most ", ". An").parse().unwrap();
        let truth = excess(with, without, 1.0);
        assert!((advantage / truth - 1.0).abs() < 1e-5, "{relation}: {truth}, but {text}");
    }
}

/// One example in place of another in a batch of fixed size: the sum of three examples of ten, of which the others give 0, is
/// moved by 1 one way or the other. Without sampling, two are two clipping norms apart, and nothing smaller would do.
#[test]
fn a_replaced_example_is_bounded_in_both_orders() {
    let of = |batch: &str| {
        let arguments = [
            "dpsgd",
            "--examples",
            "10",
            "--batch",
            batch,
            "--steps",
            "1",
            "--noise",
            "0.8",
            "--delta",
            "1e-3",
        ];
        let asked = ["--statement", "--batches", "fixed", "--relation", "replace"];
        let text = run(&[&arguments[..], &asked].concat()).answered();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let sampled = of("3");
    let (bounded, factor, bounding, rest) = promise(&sampled);
    assert_eq!(
        [bounded, bounding, rest],
        ["with the example", "with another in its place", ", and the other way round"]
    );
    let other = |x: f64| (1.0 - RATE) * normal(0.0, x) + RATE * normal(-1.0, x);
    assert!(excess(with, other, factor) <= DELTA && excess(other, with, factor) <= DELTA, "{sampled}");
    let whole = of("10");
    let (_, factor, ..) = promise(&whole);
    let (one, another) = (|x: f64| normal(1.0, x), |x: f64| normal(-1.0, x));
    assert!(excess(one, another, factor) <= DELTA * (1.0 + 1e-6), "{whole}");
    assert!(excess(one, another, factor * (1.0 - 1e-4)) > DELTA, "{whole}");
}

const SAMPLED: &str = "poisson(gaussian(sigma=0.8), rate=0.3)";

/// The statement of any release names the probabilities and the attack of its direction, as that of a training does.
#[test]
fn a_release_is_bounded_in_the_order_that_its_sentences_name() {
    for relation in ["add", "remove", "add-remove"] {
        let arguments = ["epsilon", SAMPLED, "--delta", "1e-3", "--statement", "--relation", relation];
        let text = run(&arguments).answered().split_whitespace().collect::<Vec<_>>().join(" ");
        let bounded = between(&text, "because of the release, its probability ", " is at most ");
        let factor = between(&text, &format!("its probability {bounded} is at most "), " times");
        let factor: f64 = factor.parse().unwrap();
        let bounding = between(&text, "times its probability ", ", plus 0.001");
        let (p, q) = (density(bounded), density(bounding));
        assert!(excess(p, q, factor) <= DELTA * (1.0 + 1e-6), "{relation}: {text}");
        assert!(excess(p, q, factor * (1.0 - 1e-4)) > DELTA, "{relation}: that of another direction: {text}");
        let is_mutual = text.contains(", plus 0.001, and the other way round.");
        assert_eq!(is_mutual, relation == "add-remove", "{text}");
        assert!(is_mutual || text.contains(", plus 0.001; nothing is said the other way round."), "{text}");
        assert!(!is_mutual || excess(q, p, factor) <= DELTA * (1.0 + 1e-6), "{text}");
        let mistaken = between(&text, "Whoever takes the data set ", " for the one ");
        let sought = between(&text, " for the one ", " in one case of a hundred");
        assert!(text.contains(&format!("recognises the one {sought} in a share")), "{text}");
        let share = between(&text, "in a share of at most ", ". ").parse::<f64>().unwrap();
        let truth = detected(density(sought), density(mistaken), sought == "with these data");
        assert!(share >= truth * (1.0 - 1e-5), "{relation}: {truth} are recognised: {text}");
        assert!(relation == "add-remove" || share <= truth * (1.0 + 1e-4), "{relation}: {truth}, but {text}");
    }
}

/// What `risk` says of an attack is true of the attack that it describes.
#[test]
fn risks_name_the_attack_that_they_are_of() {
    for (relation, belief_before) in [("remove", 0.9), ("add", 0.1)] {
        let arguments = ["risk", SAMPLED, "--fpr", "0.01", "--prior", "0.9", "--relation", relation];
        let json: Value =
            serde_json::from_str(&run(&[&arguments[..], &["--format", "json"]].concat()).answered()).unwrap();
        let (tpr, belief) = (&json["attacks"][0]["tpr"]["upper"], &json["attacks"][0]["belief"]["upper"]);
        let looks_for_absent =
            json["notes"].to_string().contains("looks for records that are not in the data");
        assert_eq!(looks_for_absent, relation == "add", "{json}");
        let truth =
            if looks_for_absent { detected(without, with, false) } else { detected(with, without, true) };
        assert!((tpr.as_f64().unwrap() / truth - 1.0).abs() < 1e-5, "{relation}: {tpr}, not {truth}");
        let right = belief_before * truth;
        let believed = right / (right + (1.0 - belief_before) * 0.01);
        assert!(
            (belief.as_f64().unwrap() / believed - 1.0).abs() < 1e-5,
            "{relation}: {belief}, not {believed}"
        );
        // Whether a guess from the prior is right does not depend on who looks for what.
        let accuracy = integral(|x| (0.9 * with(x)).max(0.1 * without(x)));
        assert!((json["accuracy"]["upper"].as_f64().unwrap() - accuracy).abs() < 1e-6, "{json}");
    }
    for command in ["tradeoff", "risk"] {
        let text = run(&[command, "gaussian(sigma=1)", "--relation", "replace"]).answered();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("whether one record or another one was used"), "{text}");
    }
}

/// The columns of `losses` are those of the outputs with the record and without it, whichever direction is asked for.
#[test]
fn losses_name_the_output_that_they_are_of() {
    for relation in ["add", "remove", "add-remove"] {
        let arguments = ["losses", SAMPLED, "--points", "4", "--relation", relation, "--format", "json"];
        let json: Value = serde_json::from_str(&run(&arguments).answered()).unwrap();
        for point in json["points"].as_array().unwrap() {
            let loss = point["loss"].as_f64().unwrap();
            for (name, density) in [("with", with as fn(f64) -> f64), ("without", without)] {
                let truth = integral(|x| if (with(x) / without(x)).ln() > loss { density(x) } else { 0.0 });
                let found = point[name]["upper"].as_f64().unwrap();
                assert!((found - truth).abs() < 1e-4, "{relation}: {name} at {loss}: {found}, not {truth}");
            }
        }
    }
    let text = run(&["losses", "gaussian(sigma=1)", "--relation", "replace"]).answered();
    assert!(text.contains("with another in its place") && !text.contains("without it"), "{text}");
}
