//! Checks shared by the constructors.

use super::decimal::Shortest;
use super::{Described, Entry, InvalidParameter, MAX_COUNT, Parameter};

/// What a whole parameter may be, where its own range is not known.
pub(super) const WHOLE: &str = "a whole number up to 10^15";

/// The parameter under check: whose it is, and what it means.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub(super) mechanism: &'static str,
    pub(super) parameter: &'static str,
    pub(super) meaning: &'static str,
}

impl Subject {
    pub(super) fn described(entry: &Entry, parameter: &Parameter) -> Self {
        Self { mechanism: entry.name, parameter: parameter.name, meaning: parameter.meaning }
    }

    pub(super) fn refuse(self, value: impl ToString, allowed: impl ToString) -> InvalidParameter {
        InvalidParameter {
            mechanism: self.mechanism,
            parameter: self.parameter,
            value: value.to_string(),
            allowed: allowed.to_string(),
            cure: format!("give the {}", self.meaning),
        }
    }

    fn demand(self, holds: bool, value: f64, allowed: &str) -> Result<f64, InvalidParameter> {
        // Adding zero turns -0 into 0, so that equal mechanisms print alike.
        if holds { Ok(value + 0.0) } else { Err(self.refuse(Shortest(value), allowed)) }
    }

    pub(super) fn positive(self, value: f64) -> Result<f64, InvalidParameter> {
        self.demand(value > 0.0 && value.is_finite(), value, "a finite number above 0")
    }

    pub(super) fn finite(self, value: f64) -> Result<f64, InvalidParameter> {
        self.demand(value.is_finite(), value, "finite numbers")
    }

    pub(super) fn not_negative(self, value: f64) -> Result<f64, InvalidParameter> {
        self.demand(value >= 0.0 && value.is_finite(), value, "a finite number, 0 or above")
    }

    pub(super) fn above_zero_below_one(self, value: f64) -> Result<f64, InvalidParameter> {
        self.demand(value > 0.0 && value < 1.0, value, "above 0 and below 1")
    }

    pub(super) fn not_negative_below_one(self, value: f64) -> Result<f64, InvalidParameter> {
        self.demand((0.0..1.0).contains(&value), value, "0 or above, and below 1")
    }

    pub(super) fn zero_to_one(self, value: f64) -> Result<f64, InvalidParameter> {
        self.demand((0.0..=1.0).contains(&value), value, "from 0 to 1")
    }

    pub(super) fn above_zero_to_one(self, value: f64) -> Result<f64, InvalidParameter> {
        self.demand(value > 0.0 && value <= 1.0, value, "above 0 and at most 1")
    }

    pub(super) fn whole(self, value: u64, least: u64, most: u64) -> Result<u64, InvalidParameter> {
        if (least..=most).contains(&value) {
            Ok(value)
        } else {
            let most = if most == MAX_COUNT { "10^15".to_owned() } else { most.to_string() };
            Err(self.refuse(value, format!("a whole number from {least} to {most}")))
        }
    }
}

/// The parameter of a described mechanism.
pub(super) fn of<T: Described>(parameter: &'static str) -> Subject {
    let described = T::PARAMETERS.iter().find(|described| described.name == parameter);
    Subject { mechanism: T::NAME, parameter, meaning: described.map_or("", |described| described.meaning) }
}

/// The double as a whole number, if it is one that a parameter can hold.
pub(super) fn whole_from_double(value: f64) -> Option<u64> {
    // Up to 10^15 the conversion is exact.
    (value.fract() == 0.0 && (0.0..=MAX_COUNT as f64).contains(&value)).then_some(value as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: Subject =
        Subject { mechanism: "gaussian", parameter: "sigma", meaning: "standard deviation" };

    #[test]
    fn not_a_number_passes_no_check() {
        let checks = [
            Subject::positive,
            Subject::not_negative,
            Subject::above_zero_below_one,
            Subject::not_negative_below_one,
            Subject::above_zero_to_one,
        ];
        for check in checks {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0] {
                assert!(check(SUBJECT, value).is_err(), "{value}");
            }
        }
    }

    #[test]
    fn negative_zero_becomes_zero() {
        assert!(SUBJECT.not_negative(-0.0).unwrap().is_sign_positive());
        assert!(SUBJECT.positive(-0.0).is_err());
    }

    #[test]
    fn the_message_names_value_range_and_cure() {
        assert_eq!(
            SUBJECT.positive(-1.5).unwrap_err().to_string(),
            "gaussian: sigma is -1.5, but must be a finite number above 0; give the standard deviation"
        );
    }

    #[test]
    fn whole_doubles() {
        assert_eq!(whole_from_double(1e15), Some(MAX_COUNT));
        for value in [1e15 + 1.0, 0.5, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(whole_from_double(value), None, "{value}");
        }
    }
}
