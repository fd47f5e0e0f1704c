//! Discrete noise that is too wide to be listed: between two Gaussians, against references, and next to what lists say.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    query::Method,
};
use hockeystick_golden::rows;
use proptest::prelude::*;

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn references_are_enclosed() {
    let mut widths = Vec::new();
    for row in rows("composition/large_noise") {
        let mechanism = parsed(row.text("expression"));
        let relation: Relation = row.text("direction").parse().unwrap();
        let epsilon: f64 = row.number("epsilon");
        let answer = Query::new(&mechanism).relation(relation).delta(epsilon).unwrap();
        let (lower, upper) = (answer.lower().unwrap(), answer.upper());
        let truth = row.reference("delta");
        assert!(
            truth.is_at_least(lower) && truth.is_at_most(upper),
            "{mechanism} {relation} at ε = {epsilon}: [{lower:e}, {upper:e}] misses {}",
            row.text("delta")
        );
        // In ε the width is the smaller the farther out: dδ/δ = (1 + log 1/δ)·dε/ε, about.
        let width = (upper - lower) / upper / (1.0 - 2.0 * upper.min(0.9).ln());
        assert!(width < 1e-4, "{mechanism} {relation} at ε = {epsilon}: [{lower:e}, {upper:e}]");
        widths.push(width);
    }
    widths.sort_by(f64::total_cmp);
    assert!(widths.len() > 80);
    println!(
        "{} references, widths up to {:.1e}, median {:.1e}",
        widths.len(),
        widths[widths.len() - 1],
        widths[widths.len() / 2]
    );
}

/// What Gaussians say of the noise is not refuted by lists of its outcomes, sampled or not.
#[test]
fn bounds_and_lists_overlap() {
    for (wide, text) in [
        (
            "discrete_gaussian(sigma=1000, sensitivity=3) * 2",
            "discrete_gaussian(sigma=999.9999999, sensitivity=3) * 2",
        ),
        (
            "poisson(discrete_gaussian(sigma=1000), rate=0.1) * 3",
            "poisson(discrete_gaussian(sigma=999.9999999), rate=0.1) * 3",
        ),
        ("skellam(variance=1e7) * 2", "skellam(variance=9999999.99) * 2"),
        ("binomial(n=40000000) * 2", "binomial(n=39999999) * 2"),
        (
            "binomial(n=111111112, p=0.1, sensitivity=10) * 2",
            "binomial(n=111111110, p=0.1, sensitivity=10) * 2",
        ),
    ] {
        let ask = |text: &str| Query::new(&parsed(text)).epsilon(1e-9).unwrap();
        let (bounded, listed) = (ask(wide), ask(text));
        let (low, high) = (bounded.lower().unwrap(), bounded.upper());
        // Parameters differ by less than 10⁻⁷ of each other.
        let apart = |end: f64| end * (1.0 + 1e-7);
        assert!(
            low <= apart(listed.upper()) && listed.lower().unwrap() <= apart(high),
            "{wide}: {bounded:?} {listed:?}"
        );
        assert!(high - low <= 1e-2 * high, "{wide}: {bounded:?}");
    }
}

/// Integer noise is continuous noise as it grows, whatever the composition and the method.
#[test]
fn wide_noise_is_about_normal() {
    for (discrete, normal, tolerance) in [
        (
            "discrete_gaussian(sigma=1e9, sensitivity=1000000000) * 9",
            "gaussian(sigma=1e9, sensitivity=1e9) * 9",
            1e-9,
        ),
        (
            "poisson(discrete_gaussian(sigma=1e5, sensitivity=100000), rate=0.01) * 1000",
            "poisson(gaussian(sigma=1), rate=0.01) * 1000",
            1e-7,
        ),
        (
            "subset(discrete_gaussian(sigma=1e5, sensitivity=100000), rate=0.01) * 100",
            "subset(gaussian(sigma=1), rate=0.01) * 100",
            1e-7,
        ),
        (
            "poisson(discrete_gaussian(sigma=1e6, sensitivity=1000000) * 5, rate=0.01) * 100",
            "poisson(gaussian(sigma=1) * 5, rate=0.01) * 100",
            1e-7,
        ),
        (
            "skellam(variance=1e16, sensitivity=100000000) * 3 + laplace(scale=4)",
            "gaussian(sigma=1) * 3 + laplace(scale=4)",
            1e-3,
        ),
        (
            "binomial(n=1000000000000000, sensitivity=10000000, dimension=10)",
            "gaussian(sigma=1.5811388300841898, sensitivity=3.1622776601683795)",
            1e-7,
        ),
        ("discrete_laplace(scale=1e8, sensitivity=100000000) * 20", "laplace(scale=1) * 20", 1e-3),
    ] {
        let ask = |text: &str| Query::new(&parsed(text)).epsilon(1e-8).unwrap();
        let (found, expected) = (ask(discrete), ask(normal));
        let ends = |answer: &hockeystick::query::Answer| (answer.lower().unwrap(), answer.upper());
        let ((low, high), (least, most)) = (ends(&found), ends(&expected));
        assert!(
            low <= most * (1.0 + tolerance) && least <= high * (1.0 + tolerance),
            "{discrete}: {found:?} {expected:?}"
        );
        assert!(high - low <= (most - least) + tolerance * high, "{discrete}: {found:?} {expected:?}");
    }
}

/// Every method by name, for a single use, too.
#[test]
fn methods_asked_for_by_name_answer() {
    let mechanism = parsed("discrete_gaussian(sigma=1e5, sensitivity=100000)");
    let whole = Query::new(&mechanism).epsilon(1e-6).unwrap();
    for method in [Method::ClosedForm, Method::Contour, Method::Lattice, Method::RdpOptimal, Method::Kov] {
        let answer = Query::new(&mechanism).method(method).epsilon(1e-6).unwrap();
        assert!(answer.upper() >= whole.lower().unwrap(), "{method}: {answer:?} {whole:?}");
        assert!(answer.lower().is_none_or(|lower| lower <= whole.upper()), "{method}: {answer:?} {whole:?}");
        assert!(answer.upper() < 2.0 * whole.upper(), "{method}: {answer:?} {whole:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// k uses at once spend what one use with σ/√k would, in the limit; and more noise never spends more.
    #[test]
    fn more_noise_spends_no_more(log_sigma in 7.0f64..20.0, relative in 0.01f64..3.0, count in 1u64..1000, log_delta in -200.0f64..-1.0) {
        let ask = |sigma: f64, shift: u64| {
            let text = format!("discrete_gaussian(sigma={sigma:?}, sensitivity={shift}) * {count}");
            Query::new(&parsed(&text)).epsilon(log_delta.exp()).unwrap()
        };
        let sigma = log_sigma.exp();
        let shift = (relative * sigma / (count as f64).sqrt()).ceil() as u64;
        let (less, more) = (ask(sigma, shift), ask(1.01 * sigma, shift));
        prop_assert!(more.lower().unwrap() <= less.upper(), "{less:?} {more:?}");
        prop_assert!(less.lower().unwrap() <= less.upper());
        let width = less.upper() - less.lower().unwrap();
        prop_assert!(width <= 1e-4 * less.upper() + 1e-9, "{less:?}");
    }
}
