//! How long a question may take, and how much memory it may hold.

use crate::failure::Failure;
use hockeystick::{
    Error,
    limits::{Limits, within},
};
use std::{str::FromStr, time::Duration};

/// Limits of each question.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Allowed {
    /// How long a question may take, for example 500ms, 30s or 5min, or none. What takes longer is answered by a bound, with exit
    /// code 1, or refused
    #[arg(long, value_name = "TIME", default_value = "8s")]
    timeout: Time,

    /// How much memory a question may hold, for example 500MB or 4GB, or none
    #[arg(long, value_name = "SIZE", default_value = "1GB")]
    memory: Memory,
}

impl Allowed {
    pub(super) fn limits(&self) -> Limits {
        Limits { time: self.timeout.0, memory: self.memory.0 }
    }

    /// What `work` makes, or the reason that it takes too much.
    pub(super) fn within<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        within(self.limits(), work).unwrap_or_else(|why| Err(Error::Stopped { why }.into()))
    }
}

#[derive(Clone, Copy, Debug)]
struct Time(Option<Duration>);

#[derive(Clone, Copy, Debug)]
struct Memory(Option<u64>);

impl FromStr for Time {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const COMPLAINT: &str = "this is not a time; write for example 500ms, 30s, 5min or none";
        let units = [("ms", 1e-3), ("min", 60.0), ("s", 1.0), ("h", 3600.0), ("", 1.0)];
        let seconds = measured(text, &units).ok_or(COMPLAINT)?;
        let duration = |seconds: f64| Duration::try_from_secs_f64(seconds).map_err(|_| COMPLAINT);
        Ok(Self(seconds.map(duration).transpose()?))
    }
}

impl FromStr for Memory {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const COMPLAINT: &str = "this is not an amount of memory; write for example 500MB, 4GB or none";
        let units = [("kB", 1u64 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("TB", 1 << 40), ("", 1)];
        let units = units.map(|(name, bytes)| (name, bytes as f64));
        let bytes = measured(text, &units).ok_or(COMPLAINT)?;
        Ok(Self(bytes.map(|bytes| bytes as u64)))
    }
}

/// A positive number in the first unit that the text ends with; nothing within if it says so.
fn measured(text: &str, units: &[(&str, f64)]) -> Option<Option<f64>> {
    if text == "none" {
        return Some(None);
    }
    let found = units.iter().find_map(|(name, size)| Some((text.strip_suffix(name)?, size)));
    let (number, size) = found?;
    let value: f64 = number.trim_end().parse().ok()?;
    (value > 0.0 && value.is_finite()).then_some(Some(value * size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let time = |text: &str| text.parse::<Time>().map(|time| time.0);
        for (text, millis) in
            [("500ms", 500), ("8s", 8000), ("8", 8000), ("1.5 min", 90_000), ("2h", 7_200_000)]
        {
            assert_eq!(time(text), Ok(Some(Duration::from_millis(millis))), "{text}");
        }
        assert_eq!(time("none"), Ok(None));
        for text in ["", "s", "0s", "-1s", "nan", "inf", "1e300h", "5 weeks", "None"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        let memory = |text: &str| text.parse::<Memory>().map(|memory| memory.0);
        for (text, bytes) in
            [("500MB", 500 << 20), ("1 GB", 1 << 30), ("0.5TB", 1 << 39), ("100", 100), ("2kB", 2048)]
        {
            assert_eq!(memory(text), Ok(Some(bytes)), "{text}");
        }
        assert_eq!(memory("none"), Ok(None));
        assert!(memory("-1GB").is_err() && memory("much").is_err());
    }
}
