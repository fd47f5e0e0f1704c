//! Every special function against reference values of 50 digits: the stated bounds hold, and the worst error
//! is printed so that the documentation can quote it.

#![allow(clippy::print_stdout, missing_docs)]

use hockeystick_golden::decimal::{Decimal, Error, complex_error, error, error_against};
use hockeystick_golden::{cell, rows};
use hockeystick_numerics::quadrature::gauss_legendre::{
    GAUSS_LEGENDRE_ERROR_UNITS, GaussLegendre, MAX_POINTS,
};
use hockeystick_numerics::special::*;
use num_complex::Complex;

/// Collects the errors of one function.
struct Sweep {
    name: &'static str,
    bound: f64,
    worst: f64,
    worst_at: String,
    count: usize,
}

impl Sweep {
    fn new(name: &'static str, bound: f64) -> Self {
        Self { name, bound, worst: 0.0, worst_at: String::new(), count: 0 }
    }

    fn record(&mut self, at: &str, error: Error) {
        assert!(error.is_within(self.bound), "{}({at}): {error:?}, the bound is {} u", self.name, self.bound);
        self.count += 1;
        // Below the smallest normal number the error is measured by the floor, not in units of the value.
        if error.floors > 1.0 && error.units > self.worst {
            (self.worst, self.worst_at) = (error.units, at.to_owned());
        }
    }

    fn report(self) {
        let Self { name, bound, worst, worst_at, count } = self;
        println!("{name:20} worst {worst:.4} u of {bound} u, at {worst_at}, {count} references");
    }
}

#[test]
fn real_functions_of_one_variable() {
    type Row = (&'static str, fn(f64) -> f64, f64);
    let table: [Row; 12] = [
        ("exp", exp, EXP_ERROR_UNITS),
        ("expm1", expm1, EXPM1_ERROR_UNITS),
        ("log", ln, LN_ERROR_UNITS),
        ("log1p", ln_1p, LN_1P_ERROR_UNITS),
        ("log1mexp", log1mexp, LOG1MEXP_ERROR_UNITS),
        ("erfc", erfc, ERFC_ERROR_UNITS),
        ("erfcx", erfcx, ERFCX_ERROR_UNITS),
        ("log_erfc", log_erfc, LOG_ERFC_ERROR_UNITS),
        ("normal_cdf", normal_cdf, NORMAL_CDF_ERROR_UNITS),
        ("normal_log_cdf", normal_log_cdf, NORMAL_LOG_CDF_ERROR_UNITS),
        ("normal_quantile", normal_quantile, NORMAL_QUANTILE_ERROR_UNITS),
        ("log_gamma", log_gamma, LOG_GAMMA_ERROR_UNITS),
    ];
    for (name, function, bound) in table {
        let mut sweep = Sweep::new(name, bound);
        for row in rows(&format!("special/{name}")) {
            let computed = function(cell(&row[0]));
            assert!(computed.is_finite(), "{name}({}) = {computed}, should be {}", row[0], row[1]);
            sweep.record(&row[0], error(computed, &row[1]));
        }
        sweep.report();
    }
}

#[test]
fn error_function_is_one_minus_its_complement() {
    let mut sweep = Sweep::new("erf", ERF_ERROR_UNITS);
    for row in rows("special/erfc") {
        let x: f64 = cell(&row[0]);
        // The complement's 50 digits leave at least 30 of the difference.
        if x.abs() > 1e-20 {
            let exact = Decimal::parse("1").minus(&Decimal::parse(&row[1]));
            sweep.record(&row[0], error_against(erf(x), &exact));
        }
    }
    sweep.report();
}

#[test]
fn stirling_errors() {
    // From ball arithmetic (Arb, 120 digits).
    let references = [
        (1, "0.08106146679532725821967026359438236013860"),
        (2, "0.04134069595540929409382208140711750802535"),
        (3, "0.02767792568499833914878929274624466659538"),
        (4, "0.02079067210376509311152277176784865633309"),
        (5, "0.01664469118982119216319486537359339114739"),
        (6, "0.01387612882307074799874572702376290856175"),
        (7, "0.01189670994589177009505572411765943862013"),
        (8, "0.01041126526197209649747856713253462919952"),
        (9, "0.009255462182712732917728636633100136117431"),
        (10, "0.008330563433362871256469318659628552209288"),
        (11, "0.007573675487951840794972024211595083892931"),
        (12, "0.006942840107209529865664152663475362659916"),
        (13, "0.006408994188004207068439631082978312575202"),
        (14, "0.005951370112758847735624416046469458326423"),
        (15, "0.005554733551962801371038689959792284649071"),
        (16, "0.005207655919609640440717996857901898650987"),
        (17, "0.004901395948434737860716818190967554428647"),
        (18, "0.004629153749334028592427213164192323238777"),
        (19, "0.004385560249232324268287736348619465701164"),
        (20, "0.004166319691996922457462923382218316136328"),
        (21, "0.003967954218640859617287636807342814672868"),
        (22, "0.003787618068444434577866677068933492001286"),
        (23, "0.003622960224683094707381198363902854734887"),
        (24, "0.003472021382978766962945115422709529592036"),
        (25, "0.003333155636728092875807019117372710250349"),
        (26, "0.003204970228055038011184156553815417596432"),
        (27, "0.003086278682608777063256241335643979461286"),
        (28, "0.002976063983550408826021162556860803706920"),
        (29, "0.002873449362352466387552351489066722073724"),
        (30, "0.002777674929752693603594903762206672828390"),
        (33, "0.002525175249756784364002445756801401988971"),
        (50, "0.001666644446983365509949324991037502351985"),
        (100, "0.0008333305556349146833812416928146601411244"),
        (999, "8.341674729728974211651691040650545302624e-5"),
        (1000, "8.333333055555634920575396909571717819859e-5"),
        (12345, "6.750371268943404491867226408035080292607e-6"),
        (1000000, "8.333333333333055555555555634920634920575e-8"),
        (1000000000, "8.333333333333333333055555555555555555635e-11"),
        (1000000000000000, "8.333333333333333333333333333333055555556e-17"),
        (9007199254740992, "9.251858538542971170196930567423498802901e-18"),
    ];
    let mut sweep = Sweep::new("stirling_error", STIRLING_ERROR_ERROR_UNITS);
    for (n, exact) in references {
        sweep.record(&n.to_string(), error(stirling_error(n), exact));
    }
    sweep.report();
}

#[test]
fn binomial_coefficients() {
    let mut sweep = Sweep::new("log_binomial", LOG_BINOMIAL_ERROR_UNITS);
    for row in rows("special/log_binomial") {
        let at = format!("{}, {}", row[0], row[1]);
        sweep.record(&at, error(log_binomial(cell(&row[0]), cell(&row[1])), &row[2]));
    }
    sweep.report();
}

#[test]
fn complex_functions() {
    type Row = (&'static str, fn(Complex<f64>) -> Complex<f64>, f64);
    let table: [Row; 2] = [
        ("complex_expm1", complex_expm1, COMPLEX_EXPM1_ERROR_UNITS),
        ("complex_log1p", complex_log1p, COMPLEX_LOG1P_ERROR_UNITS),
    ];
    for (name, function, bound) in table {
        let mut sweep = Sweep::new(name, bound);
        for row in rows(&format!("special/{name}")) {
            let computed = function(Complex::new(cell(&row[0]), cell(&row[1])));
            let at = format!("{} + {}i", row[0], row[1]);
            sweep.record(&at, complex_error((computed.re, computed.im), (&row[2], &row[3])));
        }
        sweep.report();
    }
}

#[test]
fn gauss_legendre_nodes_and_weights() {
    let mut nodes = Sweep::new("gauss_legendre node", GAUSS_LEGENDRE_ERROR_UNITS);
    let mut weights = Sweep::new("gauss_legendre weight", GAUSS_LEGENDRE_ERROR_UNITS);
    let mut rule = GaussLegendre::new(1).unwrap();
    for row in rows("special/gauss_legendre") {
        let (n, i): (usize, usize) = (cell(&row[0]), cell(&row[1]));
        if n > MAX_POINTS {
            continue;
        }
        if rule.nodes().len() != n {
            rule = GaussLegendre::new(n).unwrap();
        }
        let at = format!("{n}, {i}");
        nodes.record(&at, error(rule.nodes()[i], &row[2]));
        weights.record(&at, error(rule.weights()[i], &row[3]));
    }
    nodes.report();
    weights.report();
}

#[test]
fn not_a_number_in_not_a_number_out() {
    let functions: [fn(f64) -> f64; 13] = [
        exp,
        expm1,
        ln,
        ln_1p,
        log1mexp,
        erf,
        erfc,
        erfcx,
        log_erfc,
        normal_cdf,
        normal_log_cdf,
        normal_quantile,
        log_gamma,
    ];
    for (i, function) in functions.into_iter().enumerate() {
        assert!(function(f64::NAN).is_nan(), "function {i}");
    }
    assert!(log_sum_exp(&[0.0, f64::NAN, f64::INFINITY]).is_nan());
    for z in [Complex::new(f64::NAN, 0.0), Complex::new(0.0, f64::NAN)] {
        assert!(complex_expm1(z).is_nan() && complex_log1p(z).is_nan(), "{z}");
    }
}

#[test]
fn domains_poles_and_limits() {
    const INF: f64 = f64::INFINITY;
    let outside = [ln(-1.0), ln_1p(-1.5), log1mexp(-1e-300), normal_quantile(-0.1), normal_quantile(1.1)];
    assert!(outside.into_iter().chain([log_gamma(-0.5), log_gamma(-1.0)]).all(f64::is_nan), "{outside:?}");

    assert_eq!([exp(INF), exp(-INF), exp(710.0), exp(-746.0)], [INF, 0.0, INF, 0.0]);
    assert_eq!([expm1(INF), expm1(-INF), ln(0.0), ln(INF)], [INF, -1.0, -INF, INF]);
    assert_eq!([ln_1p(-1.0), ln_1p(INF), log1mexp(0.0), log1mexp(INF)], [-INF, INF, -INF, 0.0]);
    assert_eq!([erfc(INF), erfc(-INF), erfc(0.0), erfc(28.0)], [0.0, 2.0, 1.0, 0.0]);
    assert_eq!([erfcx(INF), erfcx(-INF), erfcx(0.0), erfcx(-26.65)], [0.0, INF, 1.0, INF]);
    assert_eq!([log_erfc(INF), log_erfc(-INF), log_erfc(0.0)], [-INF, std::f64::consts::LN_2, 0.0]);
    assert_eq!([log_erfc(1e154), log_erfc(1.4e154), log_erfc(f64::MAX)], [-1e308, -INF, -INF]);
    assert_eq!([normal_cdf(INF), normal_cdf(-INF), normal_cdf(0.0)], [1.0, 0.0, 0.5]);
    assert_eq!([normal_cdf(f64::MAX), normal_cdf(f64::MIN)], [1.0, 0.0]);
    assert_eq!([normal_log_cdf(INF), normal_log_cdf(-INF), normal_log_cdf(f64::MIN)], [0.0, -INF, -INF]);
    assert_eq!([normal_quantile(0.0), normal_quantile(0.5), normal_quantile(1.0)], [-INF, 0.0, INF]);
    assert_eq!([log_gamma(0.0), log_gamma(1.0), log_gamma(2.0), log_gamma(INF)], [INF, 0.0, 0.0, INF]);
    assert_eq!(log_gamma(3e305), INF);
    assert_eq!(complex_expm1(Complex::new(0.0, 0.0)), Complex::new(0.0, 0.0));
    assert_eq!(complex_log1p(Complex::new(-1.0, 0.0)).re, -INF);
}

#[test]
fn scaled_complement_decays_to_the_end_of_the_range() {
    for x in [1e270, 1e271, 1e290, 1e300, 1e305] {
        let asymptotic = 0.5 * std::f64::consts::FRAC_2_SQRT_PI / x;
        assert!((erfcx(x) / asymptotic - 1.0).abs() < 4.0 * f64::EPSILON, "x = {x}");
    }
    assert!(erfcx(f64::MAX) > 0.0);
}
