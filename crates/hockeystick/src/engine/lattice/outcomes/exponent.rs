//! Quadratic exponents: their value, slope and size.

use crate::pair::Quadratic;

/// The value at `x`, with an error of at most `3u · size(|x|)`: three roundings of numbers no larger than that.
#[inline]
pub(crate) fn value(l: Quadratic, x: f64) -> f64 {
    l.constant + x * (l.linear + x * l.square)
}

/// The derivative at `x`.
#[inline]
pub(crate) fn slope(l: Quadratic, x: f64) -> f64 {
    l.linear + 2.0 * x * l.square
}

/// `|c| + |l||x| + |s|x²`: the scale of round-off.
#[inline]
pub(crate) fn size(l: Quadratic, x: f64) -> f64 {
    let x = x.abs();
    l.constant.abs() + x * (l.linear.abs() + x * l.square.abs())
}

/// The sum of two exponents.
pub(crate) fn sum(a: Quadratic, b: Quadratic) -> Quadratic {
    Quadratic { constant: a.constant + b.constant, linear: a.linear + b.linear, square: a.square + b.square }
}
