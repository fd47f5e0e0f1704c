//! A family of mechanisms that is given as a function.

use super::{
    error::CalibrationError,
    family::{Family, SEEDS},
};
use crate::{
    error::Error,
    mechanism::{Hole, Mechanism},
};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// A function from numbers to mechanisms: what no expression with a `?` can say, such as a number that stands in two places.
///
/// It is called once for each number, so that what was proven of a mechanism is proven of the one that is returned, whatever the
/// function does.
///
/// ```
/// use hockeystick::{
///     Query,
///     mechanism::{Gaussian, Laplace, Relation},
///     query::{Function, Method, Target, calibrate},
/// };
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let family = Function::new(|noise| Some(Gaussian::new(noise).ok()? * 10 + Laplace::new(noise).ok()?));
/// let target = Target::Guarantee { epsilon: 1.0, delta: 1e-6 };
/// let found = calibrate(&family, target, Relation::default(), Method::Auto, None)?;
/// let granted = Query::new(found.mechanism()).delta(1.0)?;
/// assert!(granted.upper() <= 1e-6);
/// # Ok(())
/// # }
/// ```
pub struct Function<F> {
    function: F,
    whole: bool,
    known: Mutex<HashMap<u64, Option<Mechanism>>>,
}

impl<F: Fn(f64) -> Option<Mechanism> + Sync> Function<F> {
    /// A function that gives nothing for a number that is not allowed. If it takes a whole number and no fraction near it, only whole
    /// numbers are allowed.
    pub fn new(function: F) -> Self {
        let mut family = Self { function, whole: false, known: Mutex::default() };
        let taken = SEEDS.into_iter().find(|&seed| family.at(seed).is_some());
        family.whole = taken.is_some_and(|seed| {
            let near = SEEDS.into_iter().chain([seed + 0.5, seed - 0.5]);
            !near.filter(|number| number.fract() != 0.0).any(|fraction| family.at(fraction).is_some())
        });
        family
    }

    fn at(&self, value: f64) -> Option<Mechanism> {
        let key = value.to_bits();
        // The lock is not held while the function works.
        let known =
            |memory: &Self| memory.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(mechanism) = known(self) {
            return mechanism;
        }
        let made = (self.function)(value);
        let mut memory = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        memory.entry(key).or_insert(made).clone()
    }
}

impl<F: Fn(f64) -> Option<Mechanism> + Sync> Family for Function<F> {
    fn hole(&self) -> Hole {
        Hole { mechanism: "function", parameter: "value", whole: self.whole }
    }

    fn fill(&self, value: f64) -> Result<Mechanism, CalibrationError> {
        let refused = Error::Argument {
            argument: "value",
            value,
            allowed: "a number that the function gives a mechanism for",
            cure: "give mechanisms for all numbers, or whole numbers, between two ends",
        };
        Ok(self.at(value).ok_or(refused)?)
    }

    /// Who composes uses one by one needs for ever for 10¹⁵ of them.
    fn is_quick(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mechanism::{Gaussian, Relation, Template},
        query::{Method, Outcome, Query, Target, calibrate},
    };
    use std::sync::atomic::{AtomicU32, Ordering};

    const TARGET: Target = Target::Guarantee { epsilon: 1.0, delta: 1e-6 };

    fn epsilon(mechanism: &Mechanism) -> f64 {
        Query::new(mechanism).epsilon(1e-6).unwrap().upper()
    }

    #[test]
    fn a_function_is_calibrated_as_its_expression_is() {
        let family = Function::new(|sigma| format!("gaussian(sigma={sigma}) * 100").parse().ok());
        let template = Template::parse("gaussian(sigma=?) * 100").unwrap();
        let by = |family: &dyn Family| {
            calibrate(family, TARGET, Relation::default(), Method::Auto, None).unwrap().outcome()
        };
        assert_eq!(by(&family), by(&template));
    }

    #[test]
    fn a_function_of_a_count_is_one_of_whole_numbers() {
        let step = Gaussian::new(10.0).unwrap();
        let family = Function::new(|count: f64| {
            let is_count = count.fract() == 0.0 && (1.0..1e15).contains(&count);
            is_count.then(|| step * count as u64)
        });
        assert!(family.hole().whole);
        let found = calibrate(&family, TARGET, Relation::default(), Method::Auto, None).unwrap();
        let Outcome::Found { value, too_little: Some(too_little) } = found.outcome() else { panic!() };
        assert_eq!(too_little, value + 1.0);
        assert!(epsilon(found.mechanism()) <= 1.0);
    }

    /// What was proven was proven of the mechanism that is returned.
    #[test]
    fn a_function_that_changes_its_mind_is_not_asked_again() {
        let calls = AtomicU32::new(0);
        let family = Function::new(|sigma: f64| {
            let more = f64::from(calls.fetch_add(1, Ordering::Relaxed) % 7);
            Gaussian::new(sigma * (1.0 + 0.01 * more)).ok().map(Mechanism::from)
        });
        let found = calibrate(&family, TARGET, Relation::default(), Method::Auto, None).unwrap();
        if found.value().is_some() {
            assert!(epsilon(found.mechanism()) <= 1.0);
        }
    }

    /// The end of what is allowed is found on the way, and no number is tried that is far beyond the one that is looked for.
    #[test]
    fn large_counts_are_not_tried_without_need() {
        let largest = AtomicU32::new(0);
        let step = Gaussian::new(10.0).unwrap();
        let upto = |most: f64| {
            let (largest, step) = (&largest, &step);
            Function::new(move |count: f64| {
                largest.fetch_max(count as u32, Ordering::Relaxed);
                ((1.0..=most).contains(&count) && count.fract() == 0.0).then(|| *step * count as u64)
            })
        };
        let outcome = |family: &dyn Family| {
            calibrate(family, TARGET, Relation::default(), Method::Auto, None).unwrap().outcome()
        };
        assert!(matches!(outcome(&upto(1e9)), Outcome::Found { .. }));
        assert!(largest.load(Ordering::Relaxed) <= 1_000, "{largest:?}");
        // All that are allowed will do: the last of them is named.
        assert_eq!(outcome(&upto(3.0)), Outcome::EveryValue { value: 3.0 });
    }

    #[test]
    fn a_function_without_mechanisms_is_refused() {
        let family = Function::new(|_| None);
        let refused = calibrate(&family, TARGET, Relation::default(), Method::Auto, None);
        assert!(matches!(refused, Err(CalibrationError::Question(_))));
    }
}
