//! Balls `mid ± rad` with a 106-bit midpoint: enclosures thirty digits wide.
//!
//! The inclusion principle of [`crate::enclosure`] holds here too: for all `a ∈ A`, `b ∈ B`, `a ∘ b ∈ A ∘ B`. The
//! radius is an ordinary double, always rounded up; it costs little and starts near 10⁻³² relative, so that
//! cancellation by a factor of 10¹² still leaves an answer good to the last bit of a double.

use crate::double_double::DoubleDouble;
use crate::enclosure::Enclosure;
use crate::rounding::{add_down, add_up, div_down, div_up, mul_up, sub_down, sub_up};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number known to lie within `rad` of `mid`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    mid: DoubleDouble,
    rad: f64,
}

/// Outside these magnitudes an intermediate result may underflow or overflow, and the 106-bit error bounds are void;
/// double-precision bounds are used instead.
const FULL_PRECISION: std::ops::RangeInclusive<f64> = 1e-120..=1e120;
/// Relative error where full precision is not assured: a few roundings of doubles.
const COARSE_ERROR: f64 = 1.7763568394002505e-15; // 2^-49
/// Absolute error where full precision is not assured: partial underflow of a few operations.
const UNDERFLOW: f64 = 1e-320;

/// Is the 106-bit error bound good for an operation on `x`? For *operands*: a result of 0 may have underflowed, and is not exact.
fn is_full_precision(x: f64) -> bool {
    x == 0.0 || FULL_PRECISION.contains(&x.abs())
}

/// Below this, `|e^x − 1 − x|` and `|ln(1 + x) − x|` are at most `x² ≤ 10⁻¹²⁰|x|`: both functions are their argument.
const LINEAR: f64 = 1e-120;
/// The relative error of that.
const LINEAR_ERROR: f64 = 1e-119;

/// A double ≥ `e^t − 1` for |t| < 1, where `t ≤ e^t − 1 ≤ t + t²`.
#[inline]
fn small_exp_m1_up(t: f64) -> f64 {
    add_up(t, mul_up(t, t))
}

/// `x` rounded up past the roundings that made it: at most eight of relative size u, or underflow.
#[inline]
fn inflated(x: f64) -> f64 {
    (x * (1.0 + 16.0 * f64::EPSILON)).next_up()
}

impl Ball {
    /// Exactly 0.
    pub const ZERO: Self = Self { mid: DoubleDouble::ZERO, rad: 0.0 };
    /// Exactly 1.
    pub const ONE: Self = Self { mid: DoubleDouble::ONE, rad: 0.0 };

    /// π.
    pub fn pi() -> Self {
        Self::new(DoubleDouble::from_sum(std::f64::consts::PI, 1.2246467991473532e-16), 3e-33)
    }

    /// `mid ± rad`; a radius that is negative or `NaN` makes it unbounded.
    pub fn new(mid: DoubleDouble, rad: f64) -> Self {
        Self { mid, rad: if rad >= 0.0 { rad } else { f64::INFINITY } }
    }

    /// `a · b` for two doubles: exact where no part of the product underflows.
    pub fn product_of(a: f64, b: f64) -> Self {
        Self::from(a) * Self::from(b)
    }

    /// Is every number inside finite?
    pub fn is_finite(self) -> bool {
        self.mid.hi().is_finite() && self.rad.is_finite()
    }

    /// The double nearest to the midpoint.
    #[inline]
    pub fn approximate(self) -> f64 {
        self.mid.hi()
    }

    /// The midpoint, to 106 bits.
    #[inline]
    pub fn midpoint(self) -> DoubleDouble {
        self.mid
    }

    /// The radius.
    #[inline]
    pub fn radius(self) -> f64 {
        self.rad
    }

    /// A double ≥ every |number| inside.
    #[inline]
    fn magnitude(self) -> f64 {
        inflated(self.mid.hi().abs() + self.rad)
    }

    /// Round-off of an operation with result `mid`, when its operands were (not) in the range of full precision.
    #[inline]
    fn roundoff(mid: DoubleDouble, full_precision: bool, relative: f64) -> f64 {
        if full_precision { mid.hi().abs() * relative } else { mid.hi().abs() * COARSE_ERROR + UNDERFLOW }
    }

    #[inline]
    fn with_error(mid: DoubleDouble, propagated: f64, roundoff: f64) -> Self {
        let rad = propagated + roundoff;
        Self::new(mid, if rad == 0.0 { 0.0 } else { inflated(rad) })
    }

    /// `√self`; numbers below 0 are cut off, for a number known to be ≥ 0.
    pub fn sqrt(self) -> Self {
        let low = self.mid.hi() - self.rad;
        if low <= 0.0 {
            // √ is monotone: [0, √upper].
            let upper = Enclosure::point(add_up(self.mid.hi().max(0.0), inflated(self.rad))).sqrt().upper();
            return Self::new(DoubleDouble::from(upper / 2.0), inflated(upper / 2.0));
        }
        let mid = self.mid.sqrt();
        let full = is_full_precision(self.mid.hi());
        // |√a − √b| ≤ |a − b| / (√a + √b) ≤ rad / √mid.
        let propagated = if self.rad == 0.0 { 0.0 } else { inflated(self.rad / mid.hi()) };
        Self::with_error(mid, propagated, Self::roundoff(mid, full, DoubleDouble::ARITHMETIC_ERROR))
    }

    /// Would the exponential of the midpoint leave the range of doubles, or say little about the ball?
    fn is_extreme_exponent(self) -> bool {
        !(self.mid.hi().abs() <= 700.0 && self.rad <= 1.0)
    }

    /// `e^self`.
    pub fn exp(self) -> Self {
        if self.is_extreme_exponent() {
            return Self::from(self.enclosure().exp());
        }
        let mid = self.mid.exp();
        let spread = Enclosure::point(self.rad).exp_m1().upper();
        let full = is_full_precision(mid.hi()) && mid.hi() != 0.0;
        Self::with_error(
            mid,
            inflated(mid.hi() * spread),
            Self::roundoff(mid, full, DoubleDouble::FUNCTION_ERROR),
        )
    }

    /// `e^self` as an enclosure of doubles, in a fraction of the time.
    pub fn exp_enclosure(self) -> Enclosure {
        let leading = Enclosure::point(self.mid.hi()).exp();
        let (low, high) = (add_down(self.mid.lo(), -self.rad), add_up(self.mid.lo(), self.rad));
        if low.abs().max(high.abs()) < 1e-8 {
            return leading * Enclosure::new(add_down(1.0, low), add_up(1.0, small_exp_m1_up(high)));
        }
        // Both hold; the ends alone do not overflow where e^hi underflows and the rest is large.
        (leading * Enclosure::new(low, high).exp()).intersection(self.enclosure().exp())
    }

    /// `e^self − 1` as an enclosure of doubles, with relative accuracy near 0, in a fraction of the time.
    pub fn exp_m1_enclosure(self) -> Enclosure {
        let (low, high) = (add_down(self.mid.lo(), -self.rad), add_up(self.mid.lo(), self.rad));
        if low.abs().max(high.abs()) < 1e-8 {
            // e^{h+t} − 1 = (e^h − 1) + e^h (e^t − 1).
            let leading = Enclosure::point(self.mid.hi()).exp_m1();
            return leading + (leading + 1.0) * Enclosure::new(low, small_exp_m1_up(high));
        }
        self.enclosure().exp_m1()
    }

    /// `e^self − 1`, with relative accuracy near 0.
    pub fn exp_m1(self) -> Self {
        if self.is_extreme_exponent() {
            return Self::from(self.enclosure().exp_m1());
        }
        let spread = Enclosure::point(self.rad).exp_m1().upper();
        // An exact 0 stays exact, so that a loss of 0 does.
        let propagated = |mid: DoubleDouble| match self.rad {
            0.0 => 0.0,
            _ => inflated(inflated(mid.hi() + 1.0 + f64::EPSILON) * spread),
        };
        if self.mid.hi().abs() < LINEAR {
            return Self::with_error(self.mid, propagated(self.mid), self.linear_error());
        }
        let mid = self.mid.exp_m1();
        let full = is_full_precision(mid.hi());
        Self::with_error(mid, propagated(mid), Self::roundoff(mid, full, DoubleDouble::FUNCTION_ERROR))
    }

    /// How far `e^mid − 1` or `ln(1 + mid)` is from the midpoint, if that is below [`LINEAR`]: not at all if it is 0.
    fn linear_error(self) -> f64 {
        let size = self.mid.hi().abs();
        if size == 0.0 { 0.0 } else { inflated(size * LINEAR_ERROR) }
    }

    /// `ln(1 + self)`; unbounded if −1 is not excluded.
    pub fn ln_1p(self) -> Self {
        if self.mid.hi() < -0.5 {
            // Near −1 the low half of the midpoint decides; the sum keeps it.
            return (Self::ONE + self).ln();
        }
        let lowest =
            add_down(add_down(1.0, self.mid.hi()), -inflated(self.rad + f64::EPSILON * self.mid.hi().abs()));
        if lowest <= 0.0 {
            return Self::new(self.mid, f64::INFINITY);
        }
        let propagated = if self.rad == 0.0 { 0.0 } else { inflated(self.rad / lowest) };
        if self.mid.hi().abs() < LINEAR {
            return Self::with_error(self.mid, propagated, self.linear_error());
        }
        let mid = self.mid.ln_1p();
        let full = is_full_precision(self.mid.hi());
        Self::with_error(mid, propagated, Self::roundoff(mid, full, DoubleDouble::FUNCTION_ERROR))
    }

    /// `ln self`; unbounded if 0 is not excluded.
    pub fn ln(self) -> Self {
        let mid = self.mid.ln();
        let lowest = add_down(self.mid.hi(), -inflated(self.rad + f64::EPSILON * self.mid.hi().abs()));
        if lowest <= 0.0 {
            return Self::new(mid, f64::INFINITY);
        }
        let propagated = if self.rad == 0.0 { 0.0 } else { inflated(self.rad / lowest) };
        let full = is_full_precision(self.mid.hi());
        let roundoff = Self::roundoff(mid, full, DoubleDouble::FUNCTION_ERROR);
        // Far from 1 the error of a step is not relative to the logarithm.
        let roundoff = if full { roundoff.min(DoubleDouble::ln_error(mid.hi())) } else { roundoff };
        Self::with_error(mid, propagated, roundoff)
    }

    /// `ln self` as an enclosure of doubles, with relative accuracy near 1, in a fraction of the time.
    pub fn ln_enclosure(self) -> Enclosure {
        let hi = self.mid.hi();
        let (low, high) = (add_down(self.mid.lo(), -self.rad), add_up(self.mid.lo(), self.rad));
        if hi > 0.0 && low.abs().max(high.abs()) < 1e-8 * hi {
            // ln(h + t) = ln h + ln(1 + t/h), and x − x² ≤ ln(1 + x) ≤ x.
            let (low, high) = (div_down(low, hi), div_up(high, hi));
            return Enclosure::point(hi).ln() + Enclosure::new(sub_down(low, mul_up(low, low)), high);
        }
        self.enclosure().ln()
    }

    /// The smallest interval of doubles around the ball.
    #[inline]
    pub fn enclosure(self) -> Enclosure {
        Enclosure::new(
            add_down(self.mid.hi(), add_down(self.mid.lo(), -self.rad)),
            add_up(self.mid.hi(), add_up(self.mid.lo(), self.rad)),
        )
    }
}

impl From<f64> for Ball {
    #[inline]
    fn from(x: f64) -> Self {
        Self::new(DoubleDouble::from(x), if x.is_finite() { 0.0 } else { f64::INFINITY })
    }
}

impl From<Enclosure> for Ball {
    /// The smallest ball around the enclosure that has a double in its middle.
    #[inline]
    fn from(enclosure: Enclosure) -> Self {
        let mid = enclosure.midpoint();
        Self::new(DoubleDouble::from(mid), sub_up(enclosure.upper(), mid).max(sub_up(mid, enclosure.lower())))
    }
}

impl From<u64> for Ball {
    #[inline]
    fn from(n: u64) -> Self {
        Self::new(DoubleDouble::from(n), 0.0)
    }
}

impl Neg for Ball {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { mid: -self.mid, rad: self.rad }
    }
}

impl Add for Ball {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let mid = self.mid + other.mid;
        // Sums do not lose bits to underflow: the relative bound holds at any magnitude short of overflow. The sum of two
        // doubles is a 106-bit number: no rounding at all.
        let exact = (self.mid.lo() == 0.0 && other.mid.lo() == 0.0)
            || self.mid == DoubleDouble::ZERO
            || other.mid == DoubleDouble::ZERO;
        let roundoff = if exact { 0.0 } else { mid.hi().abs() * DoubleDouble::ARITHMETIC_ERROR };
        Self::with_error(mid, self.rad + other.rad, roundoff)
    }
}

impl Sub for Ball {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Ball {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        if self == Self::ZERO || other == Self::ZERO {
            return Self::ZERO;
        }
        let (a, b) = (self.mid.hi().abs(), other.mid.hi().abs());
        let mid = self.mid * other.mid;
        let full = is_full_precision(a) && is_full_precision(b);
        // |ab − āb̄| ≤ |ā| rad_b + (|b̄| + rad_b) rad_a.
        // Rounded up even from 0, to which the products may have underflowed.
        let propagated = if self.rad == 0.0 && other.rad == 0.0 {
            0.0
        } else {
            inflated(a * other.rad + other.magnitude() * self.rad)
        };
        // The product of two doubles is a 106-bit number: no rounding at all.
        let exact = full && self.mid.lo() == 0.0 && other.mid.lo() == 0.0;
        let roundoff = if exact { 0.0 } else { Self::roundoff(mid, full, DoubleDouble::ARITHMETIC_ERROR) };
        Self::with_error(mid, propagated * (1.0 + 4.0 * f64::EPSILON), roundoff)
    }
}

impl Div for Ball {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let smallest =
            add_down(other.mid.hi().abs(), -inflated(other.rad + f64::EPSILON * other.mid.hi().abs()));
        let mid = self.mid / other.mid;
        if smallest <= 0.0 {
            return Self::new(mid, f64::INFINITY);
        }
        if self == Self::ZERO {
            return self;
        }
        let full = is_full_precision(self.mid.hi()) && is_full_precision(other.mid.hi());
        let exact = full && self.mid.lo() == 0.0 && other.mid.lo() == 0.0 && {
            let quotient = self.mid.hi() / other.mid.hi();
            (-quotient).mul_add(other.mid.hi(), self.mid.hi()) == 0.0
        };
        // |a/b − ā/b̄| ≤ (rad_a + |ā/b̄| rad_b) / min|b|.
        let propagated = if self.rad == 0.0 && other.rad == 0.0 {
            0.0
        } else {
            inflated(inflated(self.rad + inflated(mid.hi().abs()) * other.rad) / smallest)
        };
        let roundoff = if exact { 0.0 } else { Self::roundoff(mid, full, DoubleDouble::ARITHMETIC_ERROR) };
        Self::with_error(mid, propagated, roundoff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ball() -> impl Strategy<Value = (Ball, DoubleDouble)> {
        (-1e3f64..1e3, 0f64..1.0, -1f64..1.0).prop_map(|(mid, rad, t)| {
            let rad = rad * 2f64.powi(-30);
            (Ball::new(DoubleDouble::from(mid), rad), DoubleDouble::from_sum(mid, 0.999 * t * rad))
        })
    }

    /// Is the 106-bit number inside, with room for its own round-off?
    fn holds(ball: Ball, x: DoubleDouble) -> bool {
        (ball.mid - x).hi().abs() <= ball.rad
    }

    proptest! {
        #[test]
        fn inclusion((a, x) in ball(), (b, y) in ball()) {
            prop_assert!(holds(a + b, x + y));
            prop_assert!(holds(a - b, x - y));
            prop_assert!(holds(a * b, x * y));
            prop_assume!(b.mid.hi().abs() > 1e-3);
            prop_assert!(holds(a / b, x / y));
            prop_assert!(holds((a * a).sqrt(), (x * x).sqrt()));
            let (c, z) = (a / Ball::from(4.0), x / DoubleDouble::from(4.0));
            prop_assert!(holds(c.exp(), z.exp()));
            prop_assert!(holds(c.exp_m1(), z.exp_m1()));
            prop_assert!(holds(c.exp().ln(), z));
            prop_assert!(holds(c.exp_m1().ln_1p(), z) || z.hi() < -70.0);
            let enclosure = c.exp_enclosure();
            prop_assert!(enclosure.contains(z.exp().hi()));
            prop_assert!(enclosure.width() <= 1e-8 * enclosure.upper());
            let less_one = c.exp_m1_enclosure();
            prop_assert!(less_one.contains(z.exp_m1().hi()));
            prop_assert!(less_one.width() <= 1e-8 * (2.0 + less_one.upper()));
            let logarithm = c.exp().ln_enclosure();
            prop_assert!(logarithm.contains(z.hi()));
            prop_assert!(logarithm.width() <= 2.1 * c.rad + 1e-15 * (1e-3 + z.hi().abs()));
            let around = Ball::from(enclosure).enclosure();
            prop_assert!(around.contains(enclosure.lower()) && around.contains(enclosure.upper()));
        }

        #[test]
        fn exponential_less_one_is_relative_near_zero(hi in -1e-3f64..1e-3, t in -1f64..1.0) {
            let x = DoubleDouble::from_sum(hi, t * hi * 2f64.powi(-54));
            let enclosure = Ball::new(x, 0.0).exp_m1_enclosure();
            prop_assert!(enclosure.contains(x.exp_m1().hi()));
            prop_assert!(enclosure.width() <= 2e-15 * hi.abs());
        }
    }

    #[test]
    fn exponential_of_a_wide_ball_counts_the_square() {
        // 1 + r is just below the double d, but e^r > 1 + r + r²/2 is above it.
        let d = 1.0 + 2e7 * f64::EPSILON;
        let r = 2e7 * f64::EPSILON - 1e-18;
        assert!(1.0 + r == d && r * r / 2.0 > 2e-18);
        assert!(Ball::new(DoubleDouble::ZERO, r).exp_enclosure().upper() > d);
        assert!(Ball::new(DoubleDouble::ZERO, r).exp_m1_enclosure().upper() >= r + r * r / 2.0);
    }

    #[test]
    fn cancellation_keeps_digits() {
        // (10¹² + 1/3) − 10¹² = 1/3 to 18 digits.
        let third = Ball::ONE / Ball::from(3.0);
        let back = (Ball::from(1e12) + third) - Ball::from(1e12);
        assert!(back.enclosure().width() < 1e-15);
        assert!((back - third).enclosure().contains(0.0));
    }

    #[test]
    fn sums_and_products_of_doubles_are_exact() {
        assert_eq!((Ball::from(0.1) + Ball::from(1e16)).radius(), 0.0);
        let (a, b) = (0.12121600803713745, 3.0);
        assert_eq!((Ball::product_of(a, b) - Ball::product_of(b, a)), Ball::ZERO);
        assert_eq!((Ball::product_of(a, 1.0) - Ball::from(a)).enclosure(), Enclosure::ZERO);
        assert_eq!(Ball::product_of(0.1, 0.1).radius(), 0.0);
        assert_eq!(Ball::from(3.0) / Ball::from(4.0), Ball::from(0.75));
        assert!((Ball::ONE / Ball::from(3.0)).radius() > 0.0);
        assert_eq!(Ball::ZERO.exp_m1(), Ball::ZERO);
        assert_eq!(Ball::ONE.ln(), Ball::ZERO);
    }

    #[test]
    fn logarithm_keeps_its_digits_next_to_the_pole() {
        let near_pole = Ball::from(-1.0) + Ball::from(1e-25);
        let logarithm = near_pole.ln_1p();
        assert!((logarithm.approximate() - 1e-25f64.ln()).abs() < 1e-13 && logarithm.radius() < 1e-4);
    }

    #[test]
    fn exponentials_hold_at_the_ends_of_the_range() {
        // e^{709.5 + 5·10⁻¹⁴} = 1.3549863193147006…·10³⁰⁸: the low half counts.
        let large = Ball::new(DoubleDouble::from_sum(709.5, 5e-14), 0.0).exp().enclosure();
        assert!(large.contains(1.3549863193147006e308), "{large:?}");
        // The midpoint underflows, the ball does not.
        assert!(Ball::new(DoubleDouble::from(-800.0), 100.0).exp().enclosure().upper() >= (-700f64).exp());
        assert!(Ball::new(DoubleDouble::from(0.0), 800.0).exp_m1().enclosure().upper() == f64::INFINITY);
    }

    /// `e^x − 1` of `0 < |x| < 1.3·10⁻³²¹` was exactly 0: the reduced argument underflows, and 0 passed for exact.
    #[test]
    fn functions_that_vanish_at_zero_do_so_there_only() {
        for exponent in -1074..=-380 {
            let power = f64::from_bits(1) * 2f64.powi(1074 + exponent);
            for x in [power, -1.75 * power].map(Ball::from) {
                for (name, y) in [("exp_m1", x.exp_m1()), ("ln_1p", x.ln_1p())] {
                    // Both are x(1 ± x), in real numbers: not 0, and x is as near as a double can be.
                    assert!(y.enclosure().contains(x.approximate()), "{name} of {x:?}: {y:?}");
                    assert!(y.radius() > 0.0, "{name} of {x:?} is not exact: {y:?}");
                    let relative = y.enclosure().width() / x.approximate().abs();
                    assert!(relative < 1e-15 || x.approximate().abs() < 1e-307, "{name} of {x:?}: {y:?}");
                }
                assert!(
                    x.exp_m1_enclosure().contains(x.approximate()) && x.exp_m1_enclosure() != Enclosure::ZERO
                );
            }
        }
        assert_eq!((Ball::ZERO.exp_m1(), Ball::ZERO.ln_1p()), (Ball::ZERO, Ball::ZERO));
        let wide = Ball::new(DoubleDouble::from(1e-310), 1e-5);
        assert!(
            wide.exp_m1().enclosure().contains(1e-5f64.exp_m1())
                && wide.ln_1p().enclosure().contains(1e-5f64.ln_1p())
        );
    }

    /// Whatever an operation on exact balls makes of tiny operands, only a true 0 has the radius 0.
    #[test]
    fn zero_is_exact_only_where_it_is_zero() {
        let tiny = [5e-324, 1e-320, 1e-310, 1e-200, 1e-162, 1e-120].map(Ball::from);
        for a in tiny {
            for b in tiny {
                for (name, y) in
                    [("×", a * b), ("−×", -a * b), ("÷", a / Ball::from(1e300)), ("÷", -a / (b / b / b))]
                {
                    assert!(y != Ball::ZERO, "{a:?} {name} {b:?}");
                }
            }
            assert!(a.sqrt() != Ball::ZERO && (a * a).sqrt() != Ball::ZERO);
            for y in [Ball::from(-760.0).exp(), (Ball::ONE + a).ln(), (a + a) - a] {
                assert!(y != Ball::ZERO || (Ball::ONE + a) == Ball::ONE, "{a:?}: {y:?}");
            }
        }
    }

    #[test]
    fn radii_do_not_underflow() {
        let tiny = Ball::new(DoubleDouble::ZERO, 1e-250) * Ball::from(1e-120);
        assert!(tiny.radius() > 0.0);
        assert!((Ball::new(DoubleDouble::ONE, 1e-250) * Ball::from(1e-120)).radius() > 0.0);
    }

    #[test]
    fn extremes_stay_sound() {
        assert!((Ball::from(1e-200) * Ball::from(1e-200)).enclosure().upper() > 0.0);
        assert!((Ball::from(1e-200) * Ball::from(1e-200)).enclosure().lower() <= 0.0);
        assert!(!(Ball::from(1e200) * Ball::from(1e200)).is_finite());
        assert!(!(Ball::ONE / Ball::ZERO).is_finite());
        assert!(!Ball::from(f64::NAN).is_finite());
        assert_eq!(Ball::from(-1e5).exp_enclosure().lower(), 0.0);
        let tiny_root = Ball::new(DoubleDouble::from(1e-30), 1e-29).sqrt().enclosure();
        assert!(tiny_root.lower() <= 0.0 && tiny_root.upper() >= 3.3e-15);
    }
}
