//! `A + B`, `A * k`, and samplers, for every mechanism.

use std::ops::AddAssign;

use super::{Allocation, Compose, InvalidParameter, Mechanism, Poisson, Repeat, Shuffle, Subset};

/// What can be done with any mechanism.
///
/// ```
/// use hockeystick::mechanism::{Algebra, Gaussian, Laplace};
///
/// # fn main() -> Result<(), hockeystick::mechanism::InvalidParameter> {
/// let training = Gaussian::new(1.0)?.poisson(0.01)?.repeat(1000);
/// let total = training + Laplace::new(5.0)? * 12;
/// assert_eq!(total.to_string(), "poisson(gaussian(sigma=1), rate=0.01) * 1000 + laplace(scale=5) * 12");
/// # Ok(())
/// # }
/// ```
pub trait Algebra: Into<Mechanism> {
    /// Runs the mechanism on a sample that holds each record independently with probability `rate`.
    fn poisson(self, rate: f64) -> Result<Mechanism, InvalidParameter> {
        Poisson::new(self, rate).map(Into::into)
    }

    /// Runs the mechanism on a sample of fixed size, drawn without replacement, that is a fraction `rate` of
    /// the records.
    fn subset(self, rate: f64) -> Result<Mechanism, InvalidParameter> {
        Subset::new(self, rate).map(Into::into)
    }

    /// Runs the mechanism in each of so many steps; a record takes part in one of them, chosen at random.
    fn allocation(self, steps: u64) -> Result<Mechanism, InvalidParameter> {
        Allocation::new(self, steps).map(Into::into)
    }

    /// Shuffles the reports of so many users, each of whom runs the mechanism on her own value.
    fn shuffle(self, users: u64) -> Result<Mechanism, InvalidParameter> {
        Shuffle::new(self, users).map(Into::into)
    }

    /// Composes the mechanism `count` times with itself.
    ///
    /// A count outside 1 to 10¹⁵ is refused by [`Mechanism::validate`] and by every query.
    fn repeat(self, count: u64) -> Mechanism {
        Repeat::new(self, count).into()
    }

    /// Composes the mechanism with another.
    fn compose(self, other: impl Into<Mechanism>) -> Mechanism {
        Compose::join(self.into(), other.into())
    }
}

impl<T: Into<Mechanism>> Algebra for T {}

/// The conversion and the operators that a type of mechanism takes part in.
macro_rules! operators {
    ($kind:ident) => {
        impl From<$kind> for Mechanism {
            fn from(mechanism: $kind) -> Self {
                Self::$kind(mechanism)
            }
        }

        super::algebra::operators!(of $kind);
    };
    (of $kind:ident) => {
        impl<Other: Into<Mechanism>> std::ops::Add<Other> for $kind {
            type Output = Mechanism;

            fn add(self, other: Other) -> Mechanism {
                super::Algebra::compose(self, other)
            }
        }

        impl std::ops::Mul<u64> for $kind {
            type Output = Mechanism;

            fn mul(self, count: u64) -> Mechanism {
                super::Algebra::repeat(self, count)
            }
        }

        impl std::ops::Mul<$kind> for u64 {
            type Output = Mechanism;

            fn mul(self, mechanism: $kind) -> Mechanism {
                super::Algebra::repeat(mechanism, self)
            }
        }
    };
}
pub(super) use operators;

operators!(of Mechanism);

impl<Other: Into<Mechanism>> AddAssign<Other> for Mechanism {
    fn add_assign(&mut self, other: Other) {
        let sum = std::mem::replace(self, Self::Compose(Compose::hollow()));
        *self = sum + other;
    }
}
