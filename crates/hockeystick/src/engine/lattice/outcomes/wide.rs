//! `log ∫ e^{l(x)} dx` over an interval that is long compared to the features of the exponent.

use super::exponent::{size, value};
use crate::pair::Quadratic;
use hockeystick_numerics::special::{erf, erfc, expm1, ln};
use std::f64::consts::PI;

/// A logarithm, and its error in units of roundoff.
pub(crate) struct LogIntegral {
    pub(crate) log: f64,
    pub(crate) error_units: f64,
}

/// By the error function for `l″ < 0`, by the exponential function for `l″ = 0`. `None` if `l″ > 0`, or the difference of two values would cancel,
/// or the integral underflows.
///
/// Errors in units: 8 times the size of the exponent for its coefficients; with `r = √−s` and the vertex `m`, the exponent there, four
/// roundings of numbers of size `|c| + |s|m²`; the arguments `r(x − m)` with an error of `3u·r(|x| + |m|)`, which changes erfc by a relative
/// error of at most `2z + 2` times that; the functions themselves (tested, not proven: the worst error found plus a margin), at most 1.6 times 1.05
/// because the difference keeps 0.63 of the larger.
pub(crate) fn log_integral(l: Quadratic, low: f64, high: f64) -> Option<LogIntegral> {
    let reach = low.abs().max(high.abs());
    if l.square == 0.0 {
        let rise = l.linear * (high - low);
        if rise.abs() < 1.0 {
            return None;
        }
        // From the higher end: (1 − e^{−|rise|})/|slope|.
        let end = if rise > 0.0 { high } else { low };
        let log = value(l, end) + ln(-expm1(-rise.abs()) / l.linear.abs());
        return Some(LogIntegral { log, error_units: 16.0 * size(l, reach) + 2.0 * log.abs() + 16.0 });
    }
    if l.square > 0.0 {
        return None;
    }
    let root = (-l.square).sqrt();
    let vertex = -0.5 * l.linear / l.square;
    let (near, far) = (root * (low - vertex), root * (high - vertex));
    let difference = if near > 0.0 {
        tail_difference(near, far)?
    } else if far < 0.0 {
        tail_difference(-far, -near)?
    } else if far - near >= 0.5 {
        erf(far) + erf(-near)
    } else {
        return None;
    };
    if difference < 1e-290 {
        return None;
    }
    let at_vertex = 0.5 * l.linear * vertex;
    let log = l.constant + at_vertex + ln(0.5 * PI.sqrt() / root * difference);
    let largest = near.abs().max(far.abs()).min(30.0);
    let moved = 3.0 * root * (reach + vertex.abs()) * (2.0 * largest + 2.0);
    let error_units =
        10.0 * size(l, reach) + 6.0 * (l.constant.abs() + at_vertex.abs()) + moved + 3.0 * log.abs() + 24.0;
    Some(LogIntegral { log, error_units })
}

/// `erfc(a) − erfc(b)` for `0 < a < b`, if that does not cancel.
fn tail_difference(a: f64, b: f64) -> Option<f64> {
    ((b - a) * (b + a) >= 1.0).then(|| erfc(a) - erfc(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::special::normal_cdf;

    #[test]
    fn normal_tails_are_met() {
        let density = Quadratic { constant: -0.5 * (2.0 * PI).ln(), linear: 0.0, square: -0.5 };
        for (low, high) in [(-12.0, -3.0), (-3.0, 4.0), (2.0, 9.0), (-38.0, -30.0)] {
            let exact = if high > 0.0 && low > 0.0 {
                normal_cdf(-low) - normal_cdf(-high)
            } else {
                normal_cdf(high) - normal_cdf(low)
            };
            let found = log_integral(density, low, high).unwrap();
            assert!((found.log - exact.ln()).abs() <= found.error_units * f64::EPSILON, "{low} {high}");
            assert!(found.error_units < 1e5);
        }
        assert!(log_integral(density, 5.0, 5.01).is_none());
    }

    #[test]
    fn exponentials_are_met() {
        let decay = Quadratic { constant: 1.0, linear: -2.0, square: 0.0 };
        let found = log_integral(decay, -1.0, 3.0).unwrap();
        let exact: f64 = (3.0f64.exp() - (-5.0f64).exp()) / 2.0;
        assert!((found.log - exact.ln()).abs() <= found.error_units * f64::EPSILON);
    }
}
