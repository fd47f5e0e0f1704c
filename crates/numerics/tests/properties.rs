//! What must hold for every input: invariants of searches, bounds of sums.

#![allow(missing_docs)]

use hockeystick_numerics::minimize::{MinimizeError, minimize};
use hockeystick_numerics::quadrature::gauss_legendre::{GaussLegendre, QuadratureError};
use hockeystick_numerics::roots::{RootError, Tolerance, bracketed_root};
use hockeystick_numerics::special::{
    LOG_SUM_EXP_ERROR_UNITS, UNDERFLOW_FLOOR, UNIT_ROUNDOFF, complex_expm1, complex_log1p, exp, ln,
    log_sum_exp, log1mexp, normal_cdf, normal_log_cdf, normal_quantile,
};
use hockeystick_numerics::summation::CompensatedSum;
use num_complex::Complex;
use proptest::prelude::*;

/// Numbers m·2^e with |m| < 2⁵³: sums of a hundred fit into an `i128` after scaling by 2³⁰.
fn terms() -> impl Strategy<Value = Vec<(i64, i32)>> {
    prop::collection::vec((-(1_i64 << 53)..1 << 53, -30..30_i32), 0..100)
}

/// A number of any size, of either sign.
fn any_size() -> impl Strategy<Value = f64> {
    (-300.0..300.0_f64, prop::bool::ANY)
        .prop_map(|(e, negative)| 10_f64.powf(e) * if negative { -1.0 } else { 1.0 })
}

proptest! {
    // Failing cases are pinned as ordinary tests, not in files beside this one.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn compensated_sum_is_within_its_bound(terms in terms(), at in any::<prop::sample::Index>()) {
        let numbers: Vec<f64> = terms.iter().map(|&(m, e)| m as f64 * 2f64.powi(e)).collect();
        let exact: i128 = terms.iter().map(|&(m, e)| i128::from(m) << (e + 30)).sum();
        let sum: CompensatedSum = numbers.iter().copied().collect();
        let scale = 2f64.powi(30);
        // Every partial result is a multiple of 2⁻³⁰, so this conversion is exact.
        let off = ((sum.value() * scale) as i128 - exact).unsigned_abs() as f64;
        prop_assert!(off <= sum.error_bound() * scale, "off by {off}, bound {}", sum.error_bound() * scale);
        // And the bound is useful: rounding the result plus a second-order term.
        let absolute: f64 = numbers.iter().map(|x| x.abs()).sum();
        let n = numbers.len() as f64;
        let classical = UNIT_ROUNDOFF * sum.value().abs() + 2.0 * (n * UNIT_ROUNDOFF).powi(2) * absolute;
        prop_assert!(sum.error_bound() <= 1.01 * classical + f64::MIN_POSITIVE);
        // The same holds for the sum of two of them.
        let (first, second) = numbers.split_at(at.index(numbers.len() + 1));
        let mut both: CompensatedSum = first.iter().copied().collect();
        both.absorb(&second.iter().copied().collect());
        let off = ((both.value() * scale) as i128 - exact).unsigned_abs() as f64;
        prop_assert!(off <= both.error_bound() * scale, "off by {off}, bound {}", both.error_bound() * scale);
        prop_assert!(both.error_bound() <= 1.01 * classical + 4.0 * UNIT_ROUNDOFF.powi(2) * absolute + f64::MIN_POSITIVE);
    }

    #[test]
    fn a_step_is_bracketed_by_neighbours(root in any_size()) {
        let mut evaluations = 0;
        let step = |x: f64| { evaluations += 1; if x < root { -1.0 } else { 1.0 } };
        let bracket = bracketed_root(step, -1e301, 1e301, Tolerance::ADJACENT).unwrap();
        prop_assert_eq!((bracket.lower, bracket.upper), (root.next_down(), root));
        prop_assert!(evaluations <= 602, "{} evaluations", evaluations);
    }

    #[test]
    fn roots_of_powers_are_bracketed(root in -50.0..50.0_f64, power in 0..6, tolerance in -15.0..-1.0_f64) {
        let f = |x: f64| { let d = x - root; d.abs().powi(2 * power + 1).copysign(d) };
        check_root(f, root, -100.0, 80.0, Tolerance::absolute(10_f64.powf(tolerance)))?;
        check_root(|x| -f(x), root, -100.0, 80.0, Tolerance::absolute(10_f64.powf(tolerance)))?;
    }

    #[test]
    fn logarithms_are_found_relatively(root in any_size().prop_map(f64::abs), tolerance in -15.0..-2.0_f64) {
        check_root(|x| ln(x) - ln(root), root, 1e-301, 1e301, Tolerance::relative(10_f64.powf(tolerance)))?;
    }

    #[test]
    fn minima_keep_their_bracket(
        center in -10.0..10.0_f64,
        kind in 0..4,
        lower in -40.0..-11.0_f64,
        upper in 11.0..40.0_f64,
    ) {
        let f = |x: f64| {
            let d = x - center;
            match kind {
                0 => d * d,
                1 => d.abs(),
                2 => d.cosh(),
                _ => if d.abs() < 5.0 { d.abs().sqrt() } else { f64::INFINITY },
            }
        };
        let mut lowest = f64::INFINITY;
        let mut evaluations = 0;
        let recorded = |x: f64| {
            assert!((lower..=upper).contains(&x));
            evaluations += 1;
            let value = f(x);
            lowest = lowest.min(value);
            value
        };
        let tolerance = 1e-6;
        let found = minimize(recorded, lower, upper, Tolerance::absolute(tolerance)).unwrap();
        prop_assert_eq!(found.value, f(found.at));
        prop_assert_eq!(found.value, lowest);
        prop_assert!(lower <= found.lower && found.lower <= found.at);
        prop_assert!(found.at <= found.upper && found.upper <= upper);
        if kind != 3 {
            // cosh is 1 to rounding within 1.5e−8 of its minimum.
            let slack = 1e-7;
            prop_assert!(found.lower - slack <= center && center <= found.upper + slack, "{:?}", found);
            prop_assert!(found.upper - found.lower <= 4.0 * tolerance, "{:?}", found);
            prop_assert!(evaluations < 70, "{} evaluations", evaluations);
        }
    }

    #[test]
    fn log_sum_exp_is_within_its_bound(logs in prop::collection::vec(-700.0..600.0_f64, 1..50)) {
        let n = logs.len() as f64;
        let value = log_sum_exp(&logs);
        let maximum = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let bound = LOG_SUM_EXP_ERROR_UNITS * UNIT_ROUNDOFF * (1.0 + ln(n) + value.abs());
        prop_assert!(value >= maximum - bound && value <= maximum + ln(n) + bound);
        // The direct sum is accurate to 3 u here, its logarithm to 1.05 u of itself.
        let direct = ln(logs.iter().map(|&x| exp(x)).collect::<CompensatedSum>().value());
        let slack = UNIT_ROUNDOFF * (3.0 + 1.05 * direct.abs());
        prop_assert!((value - direct).abs() <= bound + slack, "{} against {}", value, direct);
        let mut reversed = logs.clone();
        reversed.reverse();
        prop_assert!((log_sum_exp(&reversed) - value).abs() <= 2.0 * bound);
    }

    #[test]
    fn a_probability_and_its_complement_sum_to_one(x in 1e-3..700.0_f64) {
        let total = log_sum_exp(&[-x, log1mexp(x)]);
        prop_assert!(total.abs() < 6.0 * UNIT_ROUNDOFF, "{}", total);
    }

    #[test]
    fn quantile_inverts_the_distribution(x in -38.0..8.0_f64) {
        let p = normal_cdf(x);
        // Φ's error of 3 u and the rounding of p move the quantile by Φ/φ times as much.
        let density = exp(-0.5 * x * x) / std::f64::consts::TAU.sqrt();
        let slack = 4.0 * UNIT_ROUNDOFF * p / density + 5.0 * UNIT_ROUNDOFF * x.abs();
        let floor = if p < 1e-307 { 2.0 * UNDERFLOW_FLOOR / density } else { 0.0 };
        let back = normal_quantile(p);
        prop_assert!((back - x).abs() <= slack * 1.001 + floor, "{} against {}", back, x);
        let from_log = exp(normal_log_cdf(x));
        let slack = (8.0 * UNIT_ROUNDOFF * (1.0 + x * x)) * p + 2.0 * UNDERFLOW_FLOOR;
        prop_assert!((from_log - p).abs() <= slack, "{} against {}", from_log, p);
    }

    #[test]
    fn complex_logarithm_inverts_the_exponential(
        re in -3.0..3.0_f64,
        im in -3.0..3.0_f64,
        scale in -12.0..0.0_f64,
    ) {
        let z = Complex::new(re, im) * 10_f64.powf(scale);
        let back = complex_log1p(complex_expm1(z));
        // d ln(1 + w) = dw/(1 + w): an error of 8 u|w| moves the logarithm by at most 8 u|w|/|1 + w|.
        let w = complex_expm1(z);
        let slack = UNIT_ROUNDOFF * (8.0 * w.norm() / (w + 1.0).norm() + 6.0 * z.norm());
        prop_assert!((back - z).norm() <= 1.001 * slack, "{} against {}", back, z);
    }

    #[test]
    fn gauss_rules_are_exact_for_polynomials(n in 1_usize..40, power in 0_usize..80, cut in -0.9..0.9_f64) {
        let power = power.min(2 * n - 1) as i32;
        let rule = GaussLegendre::new(n).unwrap();
        let integral = rule.integrate(|x| x.powi(power), &[-1.0, cut, 1.0]).unwrap();
        let exact = if power % 2 == 0 { 2.0 / f64::from(power + 1) } else { 0.0 };
        // powi errs by about `power` roundings, the node by a few more.
        let slack = f64::from(3 * power + 10) * UNIT_ROUNDOFF;
        prop_assert!((integral.value - exact).abs() <= slack * integral.absolute, "{:?}", integral);
    }
}

/// The bracket lies inside, holds the root, is as narrow as asked, and its end values have opposite signs.
fn check_root(
    f: impl Fn(f64) -> f64,
    root: f64,
    lower: f64,
    upper: f64,
    tolerance: Tolerance,
) -> Result<(), TestCaseError> {
    let mut evaluations = 0;
    let counted = |x: f64| {
        assert!((lower..=upper).contains(&x), "evaluated outside at {x}");
        evaluations += 1;
        f(x)
    };
    let bracket = bracketed_root(counted, lower, upper, tolerance).unwrap();
    // The function may vanish to rounding next to the root.
    let near = 1e-15 * root.abs();
    if bracket.lower < bracket.upper {
        prop_assert!(
            bracket.lower <= root + near && root <= bracket.upper + near,
            "{:?} misses {}",
            bracket,
            root
        );
        prop_assert!(bracket.at_lower.signum() != bracket.at_upper.signum());
        let wanted = tolerance.absolute + tolerance.relative * bracket.lower.abs().min(bracket.upper.abs());
        let closed = bracket.lower.next_up() == bracket.upper;
        prop_assert!(
            closed || bracket.upper - bracket.lower <= wanted,
            "{:?} is wider than {}",
            bracket,
            wanted
        );
    } else {
        prop_assert_eq!(f(bracket.lower), 0.0);
    }
    prop_assert_eq!((f(bracket.lower), f(bracket.upper)), (bracket.at_lower, bracket.at_upper));
    prop_assert!(evaluations <= 602);
    Ok(())
}

#[test]
fn smooth_roots_take_few_evaluations() {
    type Case = (fn(f64) -> f64, f64, f64);
    let cases: [Case; 4] = [
        (|x| exp(x) - 5.0, 0.0, 4.0),
        (|x| normal_log_cdf(x) + 50.0, -40.0, 0.0),
        (|x| x * x * x - 2.0 * x - 5.0, 2.0, 3.0),
        (|x| x.cos() - x, 0.0, 1.0),
    ];
    for (i, (f, lower, upper)) in cases.into_iter().enumerate() {
        let mut evaluations = 0;
        let counted = |x| {
            evaluations += 1;
            f(x)
        };
        bracketed_root(counted, lower, upper, Tolerance::relative(1e-13)).unwrap();
        assert!(evaluations <= 16, "case {i} took {evaluations}");
    }
}

#[test]
fn searches_refuse_what_they_cannot_do() {
    let anywhere = Tolerance::relative(1e-10);
    assert!(matches!(
        bracketed_root(|x| x * x + 1.0, -1.0, 1.0, anywhere),
        Err(RootError::NoSignChange { .. })
    ));
    assert!(matches!(bracketed_root(|x| x, 1.0, -1.0, anywhere), Err(RootError::NotAnInterval { .. })));
    assert!(matches!(
        bracketed_root(|x| x, 0.0, f64::INFINITY, anywhere),
        Err(RootError::NotAnInterval { .. })
    ));
    let hole = |x: f64| if x.abs() < 0.5 { f64::NAN } else { x };
    assert!(matches!(bracketed_root(hole, -1.0, 1.0, anywhere), Err(RootError::NotANumber { .. })));
    assert!(matches!(minimize(hole, -1.0, 1.0, anywhere), Err(MinimizeError::NotANumber { .. })));
    assert!(matches!(minimize(|x| x, 1.0, f64::NAN, anywhere), Err(MinimizeError::NotAnInterval { .. })));
    assert!(matches!(GaussLegendre::new(0), Err(QuadratureError::Points { points: 0 })));
    let rule = GaussLegendre::new(3).unwrap();
    for breakpoints in [&[0.0][..], &[1.0, 1.0], &[0.0, f64::INFINITY], &[0.0, f64::NAN]] {
        assert_eq!(rule.integrate(|x| x, breakpoints), Err(QuadratureError::Breakpoints));
    }
}

#[test]
fn infinite_values_still_have_a_sign() {
    let f = |x: f64| if x < 3.0 { f64::NEG_INFINITY } else { ln(x) - 1.0 + 1e300 };
    let bracket = bracketed_root(f, 0.0, 10.0, Tolerance::ADJACENT).unwrap();
    assert_eq!((bracket.lower, bracket.upper), (3f64.next_down(), 3.0));
}

#[test]
fn a_breakpoint_at_the_kink_restores_accuracy() {
    let rule = GaussLegendre::new(20).unwrap();
    let hinge = |x: f64| (x - 0.3).max(0.0);
    let exact = 0.5 * 0.7 * 0.7;
    let blind = rule.integrate(hinge, &[0.0, 1.0]).unwrap().value;
    let told = rule.integrate(hinge, &[0.0, 0.3, 1.0]).unwrap().value;
    assert!((blind - exact).abs() > 1e-5 && (told - exact).abs() < 1e-15, "{blind}, {told}");
}

#[test]
fn sums_that_overflow_have_no_bound() {
    let sum: CompensatedSum = [f64::MAX, f64::MAX].into_iter().collect();
    assert_eq!(sum.error_bound(), f64::INFINITY);
    assert_eq!(CompensatedSum::new().value(), 0.0);
    assert_eq!(CompensatedSum::new().error_bound(), 0.0);
}
