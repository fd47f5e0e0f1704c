//! Error-free transforms: the rounding error of one operation, as a number.

/// `(s, e)` with `s = fl(a + b)` and `s + e = a + b` exactly ([Knuth, TAOCP 2, 4.2.2]).
///
/// # Guarantee
/// Exact for all finite `a`, `b` whose sum does not overflow, subnormal results included.
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let b_part = s - a;
    let a_part = s - b_part;
    (s, (a - a_part) + (b - b_part))
}

/// [`two_sum`] in three operations, for `|a| ≥ |b|` or `a = 0` ([Dekker 1971]).
#[inline(always)]
pub fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// `(p, e)` with `p = fl(a · b)` and `p + e = a · b` exactly.
///
/// # Guarantee
/// Exact when the product is zero or `2^-968 ≤ |a · b| < 2^1023`; below that the error term itself may underflow
/// (by at most `2^-1075`).
#[inline(always)]
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

/// `a = high + low` exactly, with 26 bits in each, so that products of such halves are exact (\[Dekker 1971\]). In plain
/// operations: where processors have no fused multiplication, products with an error term cost far less by it than by
/// [`two_product`].
///
/// # Guarantee
/// Exact for `|a| < 2^996`; not a number beyond.
#[inline]
pub fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2^27 + 1
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A double as an integer multiple of 2^-200, for values where that fits an i128.
    fn scaled(x: f64) -> i128 {
        (x * 2f64.powi(100)) as i128
    }

    proptest! {
        #[test]
        fn sum_and_error_add_up_exactly(a in -1e6f64..1e6, b in -1e-6f64..1e-6) {
            let (s, e) = two_sum(a, b);
            prop_assert_eq!(s, a + b);
            // All four are multiples of 2^-100 here, so the identity holds in integers.
            let grain = |x: f64| (x * 2f64.powi(70)).round() / 2f64.powi(70);
            let (a, b) = (grain(a), grain(b));
            let (s2, e2) = two_sum(a, b);
            prop_assert_eq!(scaled(s2) + scaled(e2), scaled(a) + scaled(b));
            prop_assert!(e.abs() <= s.abs() * f64::EPSILON);
        }

        #[test]
        fn halves_add_up_and_are_short(a in -1e300f64..1e300) {
            let (high, low) = split(a);
            prop_assert_eq!(high + low, a);
            for half in [high, low] {
                // 27 bits and a sign hold 26 bits and what rounding to nearest may carry.
                prop_assert_eq!(half.to_bits() & ((1 << 26) - 1), 0);
            }
        }

        #[test]
        fn product_and_error_multiply_exactly(a in 1u32..u32::MAX, b in 1u64..(1 << 53)) {
            let (p, e) = two_product(f64::from(a), b as f64);
            prop_assert_eq!(p as i128 + e as i128, i128::from(a) * i128::from(b));
        }
    }
}
