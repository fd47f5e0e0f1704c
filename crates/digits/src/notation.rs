//! Decimals as text: plain where that is short, scientific elsewhere.

use crate::exact::Exact;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Notation {
    /// `0.0012`, and `1.2e-9` where that is shorter.
    Plain,
    /// `1.2e-3`.
    Scientific,
}

/// More zeros in a row than this nobody counts.
const MOST_ZEROS: i32 = 7;

impl Notation {
    /// All digits down to that of `last`.
    pub(crate) fn write(self, number: &Exact, last: i32) -> String {
        // Plain digits beyond the last one would have to be zeros that nobody knows to be zeros.
        if self.is_plain_for(number) && last <= 0 { number.plain(last) } else { number.scientific(last) }
    }

    /// All digits of a number that has few. Zeros at its end would say nothing: a bound claims no precision.
    pub(crate) fn write_bound(self, number: &Exact) -> String {
        let last = number.trailing_power().unwrap_or(0);
        if self.is_plain_for(number) && last < MOST_ZEROS {
            number.plain(last.min(0))
        } else {
            number.scientific(last)
        }
    }

    fn is_plain_for(self, number: &Exact) -> bool {
        self == Self::Plain && number.leading_power().is_none_or(|first| (-4..15).contains(&first))
    }
}
