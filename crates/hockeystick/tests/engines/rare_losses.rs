//! Compositions of which a few rare losses decide: the contour engine cuts them into scales. Against one use in closed form, against
//! references of two uses, and against itself without a cut.

#![allow(clippy::print_stdout, reason = "what was answered is part of what the test shows")]

use hockeystick::{
    curve::{PrivacyProfile, smallest_epsilon},
    engine::{
        Goal,
        contour::{
            Accuracy, Contour,
            law::{LossRule, RuleSpec},
        },
    },
    mechanism::Mechanism,
    pair::{Cut, Direction, Portion, SharedPair, dominating_pair},
};
use hockeystick_golden::rows;
use hockeystick_numerics::{enclosure::Enclosure, special::erfc};
use num_complex::Complex;
use proptest::prelude::*;

fn sampled(sigma: f64, rate: f64, direction: Direction) -> SharedPair {
    let mechanism: Mechanism = format!("poisson(gaussian(sigma={sigma}), rate={rate})").parse().unwrap();
    dominating_pair(&mechanism, direction).unwrap()
}

fn overlap(a: Enclosure, b: Enclosure) -> bool {
    a.lower() <= b.upper() && b.lower() <= a.upper()
}

/// `M(z)` by a rule, as a midpoint and a radius.
fn moment(rule: &LossRule, z: Complex<f64>) -> (Complex<f64>, f64) {
    let mut sum = Complex::new(0.0, 0.0);
    let mut radius = rule.log_error.exp();
    for node in &rule.nodes {
        let term = (z * node.loss + node.log_p).exp();
        sum += term;
        let moved = node.relative_error + z.norm() * (node.loss_error + 4e-16 * node.loss.abs()) + 1e-14;
        radius += term.norm() * moved * 1.1;
    }
    (sum, radius)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// One use has a closed form, and is the hardest of all for a transform.
    #[test]
    fn one_use_agrees_with_its_closed_form(
        log_sigma in -1.2f64..4.0,
        log_rate in -13.8f64..-0.1,
        deviations in 0.0f64..20.0,
        remove in any::<bool>(),
    ) {
        let (sigma, rate) = (log_sigma.exp(), log_rate.exp());
        let direction = if remove { Direction::Remove } else { Direction::Add };
        let pair = sampled(sigma, rate, direction);
        let outcome = deviations * sigma;
        let loss = (rate * ((2.0 * outcome - 1.0) / (2.0 * sigma * sigma)).exp_m1()).ln_1p().abs();
        let epsilon = if remove { loss } else { 0.9 * -(-rate).ln_1p() * (1.0 - deviations / 21.0) };
        let truth = pair.delta(epsilon.into()).value();
        prop_assume!(truth.lower() > 1e-290 && epsilon > 1e-12);
        if let Some(contour) = Contour::compose(&[(pair, 1)], Goal::Delta { epsilon }, Accuracy::NARROW) {
            let bounds = contour.delta(epsilon).delta.value();
            prop_assert!(overlap(bounds, truth), "σ={sigma} q={rate} {direction:?} ε={epsilon}: {bounds:?} misses {truth:?}");
        }
    }

    /// Next to the largest loss of adding a record, where the loss is all but constant over many powers of ten of
    /// the way to it: `|M|` hardly decays, and the line encloses, wide or not. One use alone is answered by its closed form.
    #[test]
    fn one_use_next_to_its_largest_loss(
        log_sigma in -1.2f64..1.6,
        log_rate in -13.8f64..-0.05,
        deviations in 0f64..20.0,
    ) {
        let (sigma, rate) = (log_sigma.exp(), log_rate.exp());
        let pair = sampled(sigma, rate, Direction::Add);
        let growth = (-(2.0 * deviations * sigma + 1.0) / (2.0 * sigma * sigma)).exp();
        let largest = -(-rate).ln_1p();
        let epsilon = largest - (rate / (1.0 - rate) * growth).ln_1p();
        let truth = pair.delta(epsilon.into()).value();
        prop_assume!(truth.lower() > 1e-290 && epsilon > 0.0 && epsilon < largest * (1.0 - 1e-9));
        let Some(contour) = Contour::compose(&[(pair.clone(), 1)], Goal::Delta { epsilon }, Accuracy::NARROW) else {
            return Err(TestCaseError::fail(format!("σ={sigma} q={rate} ε={epsilon}: no answer")));
        };
        let bounds = contour.delta(epsilon).delta.value();
        prop_assert!(overlap(bounds, truth), "σ={sigma} q={rate} ε={epsilon}: {bounds:?} misses {truth:?}");
        let delta = truth.midpoint();
        let contour = Contour::compose(&[(pair, 1)], Goal::Epsilon { delta }, Accuracy::NARROW).unwrap();
        let (found, _) = smallest_epsilon(&contour, delta);
        // δ as rounded is off by a unit, and ε by far less.
        prop_assert!(
            found.lower() <= epsilon * (1.0 + 1e-14) && found.upper() >= epsilon * (1.0 - 1e-14),
            "σ={sigma} q={rate} δ={delta:e}: {found:?} misses {epsilon}"
        );
    }

    /// What is below a cut and what is above it is all there is, at every z.
    #[test]
    fn portions_of_a_law_add_up_to_it(
        (log_sigma, log_rate) in (-1f64..2.0, -7f64..-0.5),
        (deviations, spread, apart) in (0.5f64..6.0, 0.1f64..0.8, 3f64..8.0),
        (tilt, height) in (0.2f64..6.0, 0f64..40.0),
    ) {
        let (sigma, rate) = (log_sigma.exp(), log_rate.exp());
        let law = &sampled(sigma, rate, Direction::Remove).ratio_laws()[0];
        let line = RuleSpec {
            tilt,
            height,
            beyond: tilt + 1.0,
            log_tolerance: -34.0,
            log_tolerance_beyond: -9.0,
            direct: false,
        };
        let end = f64::INFINITY;
        let low = Cut { at: deviations * sigma, spread: spread * sigma, end };
        let high = Cut { at: low.at + apart * low.spread, spread: low.spread, end };
        let z = Complex::new(tilt, height);
        let at = |portion: Portion| law.rule(line, portion).map(|rule| (moment(&rule, z), rule));
        let parts = [Portion::Below(low), Portion::Between(low, high), Portion::Above(high)].map(at);
        if let (Some((whole, _)), [Some(below), Some(between), Some(above)]) = (at(Portion::Whole), parts) {
            let sum = below.0.0 + between.0.0 + above.0.0;
            let radius = below.0.1 + between.0.1 + above.0.1;
            prop_assert!((sum - whole.0).norm() <= radius + whole.1, "{sum} {} {radius:e}", whole.0);
            // What the first rule says is outside of it, the others hold.
            let mass = |rule: &LossRule| rule.nodes.iter().map(|node| node.log_p.exp()).sum::<f64>();
            let outside = below.1.outside.p;
            let others = mass(&between.1) + mass(&above.1);
            let slack = 1e-9 * others + between.1.p_error + above.1.p_error;
            prop_assert!(outside.lower() <= others + slack && others <= outside.upper() + slack);
            // `Q` is standard normal and has `erfc(a/D)/2` above a cut at a, `D² = s² + 2`; `P` has a share γ of what is 1/σ further.
            let reach = (low.spread * low.spread + 2.0).sqrt();
            let [here, moved] = [0.0, 1.0 / sigma].map(|by| 0.5 * rate * erfc((low.at - by) / reach));
            let (surplus, slack) = (below.1.outside.surplus, 1e-12 * (here + moved));
            prop_assert!(
                surplus.lower() <= here - moved + slack && here - moved <= surplus.upper() + slack,
                "{surplus:?} misses {}", here - moved
            );
        }
    }
}

/// The unit of the error was taken from what is left out, though nothing was: of masses below all doubles it was no number.
#[test]
fn errors_of_what_is_hardly_there_are_numbers() {
    let law = &sampled(6.413, 0.6, Direction::Remove).ratio_laws()[0];
    let line = RuleSpec {
        tilt: 1.0,
        height: 0.0,
        beyond: 2.0,
        log_tolerance: -34.0,
        log_tolerance_beyond: -9.0,
        direct: false,
    };
    for at in [38.0, 41.9, 60.0] {
        let above = Portion::Above(Cut { at, spread: 0.64, end: f64::INFINITY });
        let rule = law.rule(line, above).unwrap();
        assert!(!rule.log_error.is_nan() && !rule.log_error_beyond.is_nan(), "{at}: {}", rule.log_error);
    }
}

#[test]
fn two_uses_agree_with_their_references() {
    let (mut answered, mut narrow) = (0, 0);
    let rows = rows("composition/rare_losses");
    for row in &rows {
        let mechanism: Mechanism = row.text("expression").parse().unwrap();
        let direction = if row.text("direction") == "add" { Direction::Add } else { Direction::Remove };
        let parts = hockeystick::composition::parts(&mechanism).unwrap();
        let pair = dominating_pair(parts[0].mechanism, direction).unwrap();
        let epsilon: f64 = row.number("epsilon");
        let Some(contour) = Contour::compose(&[(pair, 2)], Goal::Delta { epsilon }, Accuracy::NARROW) else {
            continue;
        };
        let bounds = contour.delta(epsilon).delta.value();
        let truth = row.reference("delta");
        assert!(
            truth.is_at_least(bounds.lower()) && truth.is_at_most(bounds.upper()),
            "{mechanism} {direction:?} at ε = {epsilon}: {bounds:?} misses {}",
            row.text("delta")
        );
        answered += 1;
        narrow += usize::from(bounds.width() < 1e-8 * bounds.upper());
    }
    println!("{answered} of {} answered, {narrow} to eight digits", rows.len());
    assert!(answered * 2 > rows.len(), "the engine gives up on {} of {}", rows.len() - answered, rows.len());
}
