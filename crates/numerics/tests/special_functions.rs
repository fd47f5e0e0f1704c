//! Every special function against reference values of 50 digits: the stated bounds hold, and the worst error is
//! printed so that the documentation can quote it.

#![allow(clippy::print_stdout, missing_docs)]

mod support;

use hockeystick_numerics::quadrature::gauss_legendre::{GAUSS_LEGENDRE_ERROR_UNITS, GaussLegendre, MAX_POINTS};
use hockeystick_numerics::special::*;
use num_complex::Complex;
use support::decimal::{Error, complex_error, error};
use support::golden::{cell, rows};

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
    for row in rows("special/gauss_legendre") {
        let (n, i): (usize, usize) = (cell(&row[0]), cell(&row[1]));
        if n <= MAX_POINTS {
            let rule = GaussLegendre::new(n).unwrap();
            let at = format!("{n}, {i}");
            nodes.record(&at, error(rule.nodes()[i], &row[2]));
            weights.record(&at, error(rule.weights()[i], &row[3]));
        }
    }
    nodes.report();
    weights.report();
}
