//! Moments and spans of time, in milliseconds.

use super::InvalidData;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr, time::SystemTime};

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A moment: milliseconds since 1970, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub i64);

/// A span of time in milliseconds: `90s`, `30m`, `24h`, `7d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub i64);

/// Year, month and day of a day, counted from 1970-01-01.
pub(super) fn civil(day: i64) -> (i64, i64, i64) {
    // Years that begin in March end with the leap day; 719468 days lie between March 1 of year 0 and 1970.
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day_of_month)
}

/// The day of a date, counted from 1970-01-01: the inverse of [`civil`].
fn day_of(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month_from_march = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

impl Time {
    /// The clock of this machine.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// Days since 1970-01-01.
    pub(super) fn day(self) -> i64 {
        self.0.div_euclid(DAY)
    }

    /// Later by a span.
    #[must_use]
    pub fn after(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.day());
        let of_day = self.0.rem_euclid(DAY);
        let (hour, minute, second) = (of_day / HOUR, of_day % HOUR / MINUTE, of_day % MINUTE / SECOND);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", of_day % SECOND)
    }
}

impl FromStr for Time {
    type Err = InvalidData;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = || {
            let digits = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
            let day = day_of(digits(0..4)?, digits(5..7)?, digits(8..10)?);
            let time = Self(
                day * DAY
                    + digits(11..13)? * HOUR
                    + digits(14..16)? * MINUTE
                    + digits(17..19)? * SECOND
                    + digits(20..23)?,
            );
            // One moment has one text.
            (time.to_string() == text).then_some(time)
        };
        parsed().ok_or_else(|| InvalidData::of("a time", text, "like 2031-05-17T08:30:00.000Z"))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl FromStr for Span {
    type Err = InvalidData;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = || {
            let unit = match text.chars().last()? {
                's' => SECOND,
                'm' => MINUTE,
                'h' => HOUR,
                'd' => DAY,
                _ => return None,
            };
            let number: i64 = text[..text.len() - 1].parse().ok()?;
            Some(Self(number.checked_mul(unit)?)).filter(|span| (1..=MOST).contains(&span.0))
        };
        parsed()
            .ok_or_else(|| InvalidData::of("a span of time", text, "like 90s, 30m, 24h or 7d, at most 3650d"))
    }
}

/// Ten years: what is set aside for longer is spent.
const MOST: i64 = 3650 * DAY;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_printed_as_calendars_do() {
        for (milliseconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
        ] {
            assert_eq!(Time(milliseconds).to_string(), text);
            assert_eq!(text.parse(), Ok(Time(milliseconds)));
        }
        for text in [
            "",
            "2023-02-30T00:00:00.000Z",
            "2023-11-14",
            "2023-11-14T22:13:20.123+01:00",
            "2023-11-14T22:13:20.1234Z",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }

    #[test]
    fn spans_have_a_unit() {
        assert_eq!("24h".parse(), Ok(Span(86_400_000)));
        assert_eq!("90s".parse(), Ok(Span(90_000)));
        for text in ["24", "0s", "-1h", "h", "1y", "99999d", "é"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
