//! A probability known from both sides: the number and its complement, each with relative accuracy.

use crate::enclosure::Enclosure;

/// Enclosures of `p` and of `1 − p`.
///
/// Near 1 a double cannot tell `1 − 10⁻¹⁷` from 1, near 0 the complement has the same trouble; keeping both keeps all
/// digits at either end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probability {
    value: Enclosure,
    complement: Enclosure,
}

impl Probability {
    /// Certainly 0.
    pub const ZERO: Self = Self { value: Enclosure::ZERO, complement: Enclosure::ONE };
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { value: Enclosure::UNIT_INTERVAL, complement: Enclosure::UNIT_INTERVAL };

    /// From an enclosure of `p` alone.
    pub fn from_value(value: Enclosure) -> Self {
        let value = value.clamp(0.0, 1.0);
        Self { value, complement: value.one_minus().clamp(0.0, 1.0) }
    }

    /// From an enclosure of `1 − p` alone.
    pub fn from_complement(complement: Enclosure) -> Self {
        Self::from_value(complement).opposite()
    }

    /// From enclosures of `p` and of `1 − p`, each sharpened by the other.
    pub fn from_both(value: Enclosure, complement: Enclosure) -> Self {
        let (from_value, from_complement) = (Self::from_value(value), Self::from_complement(complement));
        Self {
            value: from_value.value.intersection(from_complement.value),
            complement: from_value.complement.intersection(from_complement.complement),
        }
    }

    /// The probability of the opposite event.
    pub fn opposite(self) -> Self {
        Self { value: self.complement, complement: self.value }
    }

    /// For a probability that is one of the two, it is not known which.
    pub fn hull(self, other: Self) -> Self {
        Self::from_both(self.value.hull(other.value), self.complement.hull(other.complement))
    }

    /// The enclosure of `p`.
    pub fn value(self) -> Enclosure {
        self.value
    }

    /// The enclosure of `1 − p`.
    pub fn complement(self) -> Enclosure {
        self.complement
    }

    /// The probability that two independent events both happen: `pq`, and `1 − pq = (1 − p) + p(1 − q)`.
    pub fn and(self, other: Self) -> Self {
        Self::from_both(self.value * other.value, self.complement + self.value * other.complement)
    }

    /// The probability that at least one of two independent events happens.
    pub fn or(self, other: Self) -> Self {
        self.opposite().and(other.opposite()).opposite()
    }

    /// Is `p ≤ bound` proven? The complement is asked too, which decides near 1.
    pub fn is_certainly_at_most(self, bound: f64) -> bool {
        self.value.upper() <= bound || self.complement.lower() >= Enclosure::point(bound).one_minus().upper()
    }

    /// Is `p > bound` proven?
    pub fn is_certainly_above(self, bound: f64) -> bool {
        self.value.lower() > bound || self.complement.upper() < Enclosure::point(bound).one_minus().lower()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digits_survive_at_both_ends() {
        let nearly_one = Probability::from_complement(Enclosure::point(1e-30));
        assert!(!nearly_one.is_certainly_at_most(1.0f64.next_down()));
        assert!(nearly_one.is_certainly_above(1.0f64.next_down()));
        assert_eq!(nearly_one.and(nearly_one).complement().midpoint(), 2e-30);
        let nearly_zero = nearly_one.opposite();
        assert_eq!(nearly_zero.or(nearly_zero).value().midpoint(), 2e-30);
    }

    #[test]
    fn a_hull_contains_both() {
        let (small, large) =
            (Probability::from_value(1e-30.into()), Probability::from_complement(1e-30.into()));
        assert_eq!(small.hull(small), small);
        let both = small.hull(large);
        assert_eq!((both.value().lower(), both.value().upper()), (1e-30, 1.0));
        assert_eq!((both.complement().lower(), both.complement().upper()), (1e-30, 1.0));
    }

    proptest! {
        #[test]
        fn events_obey_de_morgan(p in 0f64..1.0, q in 0f64..1.0) {
            let (a, b) = (Probability::from_value(p.into()), Probability::from_value(q.into()));
            let both = a.and(b);
            prop_assert!(both.value().contains(p * q));
            prop_assert!(both.value().overlaps(both.complement().one_minus()));
            prop_assert!(a.or(b).value().overlaps((a.value() + b.value()) - both.value()));
            prop_assert!(both.is_certainly_at_most((p * q).next_up().next_up().min(1.0)));
            prop_assert!(!both.is_certainly_above((p * q).next_up()));
        }
    }
}
