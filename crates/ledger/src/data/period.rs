//! Periods after which a budget is full again.

use super::{InvalidData, Time, time::civil};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A period of the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Period {
    /// From midnight to midnight.
    Day,
    /// From Monday on.
    Week,
    /// A month of the calendar.
    Month,
    /// A year of the calendar.
    Year,
}

impl Period {
    const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// The number of the period that a moment lies in: it never falls as time goes on.
    pub fn term(self, at: Time) -> i64 {
        let (year, month, _) = civil(at.day());
        match self {
            Self::Day => at.day(),
            // 1970-01-01 was a Thursday.
            Self::Week => (at.day() + 3).div_euclid(7),
            Self::Month => year * 12 + month - 1,
            Self::Year => year,
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Period {
    type Err = InvalidData;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|period| period.name() == text)
            .ok_or_else(|| InvalidData::of("a period", text, "day, week, month or year"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_begin_where_the_calendar_says() {
        let at = |text: &str| text.parse::<Time>().unwrap();
        let (sunday, monday) = (at("2024-03-31T23:59:59.999Z"), at("2024-04-01T00:00:00.000Z"));
        for period in Period::ALL {
            let differ = period.term(sunday) != period.term(monday);
            assert_eq!(differ, period != Period::Year, "{period}");
        }
        assert_eq!(Period::Month.term(monday), 2024 * 12 + 3);
        assert_ne!(
            Period::Year.term(at("2024-12-31T23:59:59.999Z")),
            Period::Year.term(at("2025-01-01T00:00:00.000Z"))
        );
    }
}
