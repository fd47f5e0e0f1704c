//! Directed rounding: the four operations and the square root, rounded to the side that is asked for.
//!
//! The hardware rounds to nearest. The sign of the exact rounding error, from an error-free transform, says on which
//! side of the truth the rounded result lies; where it lies on the wrong one, the neighbouring double is returned.

use crate::error_free::two_sum;

/// `u = 2^-53`: rounding to nearest commits a relative error of at most `u` in the normal range.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// `u²`, in which errors of 106-bit numbers are counted.
pub const SQUARED_ROUNDOFF: f64 = UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// Results of a product or quotient with a magnitude in this range have an exact residual.
const EXACT_RESIDUAL: std::ops::Range<f64> = 1e-290..1e300;

/// The neighbour of `nearest` on the asked side, unless `residual = truth − nearest` shows that `nearest` is there.
#[inline]
fn up(nearest: f64, residual: f64) -> f64 {
    if residual > 0.0 { nearest.next_up() } else { nearest }
}

#[inline]
fn product_residual(a: f64, b: f64, p: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        0.0
    } else if EXACT_RESIDUAL.contains(&p.abs()) {
        a.mul_add(b, -p)
    } else {
        f64::NAN
    }
}

/// Smallest double ≥ a + b, or `NaN` for ∞ − ∞.
#[inline]
pub fn add_up(a: f64, b: f64) -> f64 {
    let (s, e) = two_sum(a, b);
    if s.is_finite() {
        up(s, e)
    } else if s == f64::NEG_INFINITY && a.is_finite() && b.is_finite() {
        f64::MIN
    } else {
        s
    }
}

/// Largest double ≤ a + b, or `NaN` for ∞ − ∞.
#[inline]
pub fn add_down(a: f64, b: f64) -> f64 {
    -add_up(-a, -b)
}

/// Smallest double ≥ a − b.
#[inline]
pub fn sub_up(a: f64, b: f64) -> f64 {
    add_up(a, -b)
}

/// Largest double ≤ a − b.
#[inline]
pub fn sub_down(a: f64, b: f64) -> f64 {
    add_down(a, -b)
}

/// A double ≥ a · b: the smallest, except that near underflow it may be one step larger. 0 · ∞ is `NaN`.
#[inline]
pub fn mul_up(a: f64, b: f64) -> f64 {
    let p = a * b;
    match product_residual(a, b, p) {
        residual if residual.is_nan() => {
            // Overflow to −∞ from finite factors: the truth is above −∞ but below −MAX; next_up gives −MAX.
            if a.is_infinite() || b.is_infinite() { p } else { p.next_up() }
        }
        residual => up(p, residual),
    }
}

/// A double ≤ a · b.
#[inline]
pub fn mul_down(a: f64, b: f64) -> f64 {
    -mul_up(-a, b)
}

/// A double ≥ a / b: the smallest, except that near under- or overflow it may be one step larger.
#[inline]
pub fn div_up(a: f64, b: f64) -> f64 {
    let q = a / b;
    if a == 0.0 || b.is_infinite() || a.is_infinite() || b == 0.0 || q.is_nan() {
        return q;
    }
    if EXACT_RESIDUAL.contains(&q.abs()) && EXACT_RESIDUAL.contains(&a.abs()) {
        // a − q·b is exact; divided by b it is the residual of q.
        let remainder = (-q).mul_add(b, a);
        up(q, if b > 0.0 { remainder } else { -remainder })
    } else {
        q.next_up()
    }
}

/// A double ≤ a / b.
#[inline]
pub fn div_down(a: f64, b: f64) -> f64 {
    -div_up(-a, b)
}

/// Smallest double ≥ √a, for a ≥ 0.
#[inline]
pub fn sqrt_up(a: f64) -> f64 {
    let s = a.sqrt();
    if a == 0.0 || a.is_infinite() {
        s
    } else if EXACT_RESIDUAL.contains(&a) {
        up(s, (-s).mul_add(s, a))
    } else {
        s.next_up()
    }
}

/// Largest double ≤ √a, for a ≥ 0.
#[inline]
pub fn sqrt_down(a: f64) -> f64 {
    let s = a.sqrt();
    if a == 0.0 || a.is_infinite() {
        s
    } else if EXACT_RESIDUAL.contains(&a) {
        if (-s).mul_add(s, a) < 0.0 { s.next_down() } else { s }
    } else {
        s.next_down()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_double() -> impl Strategy<Value = f64> {
        prop_oneof![-1e3f64..1e3, any::<f64>().prop_filter("finite", |x| x.is_finite())]
    }

    proptest! {
        #[test]
        fn directed_results_are_ordered_and_adjacent(a in any_double(), b in any_double()) {
            for (down, nearest, up) in [
                (add_down(a, b), a + b, add_up(a, b)),
                (sub_down(a, b), a - b, sub_up(a, b)),
                (mul_down(a, b), a * b, mul_up(a, b)),
            ] {
                prop_assert!(down <= nearest && nearest <= up, "{down} {nearest} {up}");
                prop_assert!(up <= down.next_up().next_up());
            }
            if b != 0.0 {
                prop_assert!(div_down(a, b) <= a / b && a / b <= div_up(a, b));
            }
        }

        #[test]
        fn integer_products_are_bracketed_exactly(a in 1u64..(1 << 53), b in 1u64..(1 << 53)) {
            let truth = u128::from(a) * u128::from(b);
            let (down, up) = (mul_down(a as f64, b as f64), mul_up(a as f64, b as f64));
            prop_assert!(down as u128 <= truth && truth <= up as u128);
            prop_assert!(up <= down.next_up());
        }

        #[test]
        fn square_roots_bracket(a in 0f64..1e300) {
            let (down, up) = (sqrt_down(a), sqrt_up(a));
            prop_assert!(mul_down(down, down) <= a && a <= mul_up(up, up));
        }
    }

    #[test]
    fn exact_results_are_not_widened() {
        assert_eq!((add_down(1.0, 2.0), add_up(1.0, 2.0)), (3.0, 3.0));
        assert_eq!((mul_down(3.0, 5.0), mul_up(3.0, 5.0)), (15.0, 15.0));
        assert_eq!((div_down(1.0, 4.0), div_up(1.0, 4.0)), (0.25, 0.25));
        assert_eq!((sqrt_down(9.0), sqrt_up(9.0)), (3.0, 3.0));
        assert_eq!((mul_down(0.0, -7.0), mul_up(0.0, -7.0)), (0.0, 0.0));
    }

    #[test]
    fn overflow_keeps_the_safe_side() {
        assert_eq!(add_up(f64::MAX, f64::MAX), f64::INFINITY);
        assert_eq!(add_down(f64::MAX, f64::MAX), f64::MAX);
        assert_eq!(mul_down(1e200, 1e200), f64::MAX);
        assert_eq!(mul_up(-1e200, 1e200), f64::MIN);
        assert!(mul_up(1e-200, 1e-200) > 0.0);
        assert!(mul_down(1e-200, 1e-200) <= 0.0);
        assert!(div_up(1e-200, 1e200) > 0.0);
    }
}
