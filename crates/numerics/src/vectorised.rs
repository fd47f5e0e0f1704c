//! Loops compiled for the widest vectors that the machine has.

use pulp::{Arch, Simd, WithSimd};

/// What `work` returns, compiled for the vectors of this machine: if it and all that it calls is `#[inline(always)]`.
///
/// Nothing is fused or reordered, so that the bits are the same on every machine.
#[inline(always)]
pub fn vectorised<R>(work: impl FnMut() -> R) -> R {
    Arch::new().dispatch(Work(work))
}

struct Work<F>(F);

impl<R, F: FnMut() -> R> WithSimd for Work<F> {
    type Output = R;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> R {
        // By reference: to be consumed, a closure goes through a function that is compiled for any machine.
        (self.0)()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_what_they_are() {
        let numbers: Vec<f64> = (0..1003).map(|i| 1.0 / (1.0 + f64::from(i))).collect();
        let mut squares = vec![0.0; numbers.len()];
        let count = vectorised(
            #[inline(always)]
            || {
                for (square, number) in squares.iter_mut().zip(&numbers) {
                    *square = number * number;
                }
                numbers.len()
            },
        );
        assert_eq!(count, 1003);
        assert!(squares.iter().zip(&numbers).all(|(square, number)| *square == number * number));
    }
}
