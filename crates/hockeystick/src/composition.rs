//! A mechanism as a multiset: the one place that multiplies by a count.

use crate::error::Error;
use crate::mechanism::Mechanism;

pub(crate) use crate::mechanism::MAX_COUNT;

/// A mechanism that is neither a composition nor a repetition, and how often it is used in all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part<'a> {
    /// The mechanism.
    pub mechanism: &'a Mechanism,
    /// The number of uses, at most 10¹⁵.
    pub count: u64,
}

/// The parts of a composition, equal neighbours merged, with the counts of nested repetitions multiplied out.
///
/// Composition is commutative for accounting, so the order only serves the reader.
///
/// # Guarantee
/// `repeat(M, k)` and `M + M + … + M` give parts with the same totals; for an `M` that is not itself composed, the same parts.
pub fn parts(mechanism: &Mechanism) -> Result<Vec<Part<'_>>, Error> {
    #[cfg(test)]
    crate::counted::note("parts", mechanism);
    mechanism.validate()?;
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut pending = vec![Part { mechanism, count: 1 }];
    while let Some(Part { mechanism, count }) = pending.pop() {
        match mechanism {
            Mechanism::Compose(list) => {
                // Last in, first out: reversed, so that the parts come out in the order they were written.
                pending.extend(list.iter().rev().map(|part| Part { mechanism: part, count }));
            }
            Mechanism::Repeat(repeat) => {
                let inner = repeat.mechanism();
                pending.push(Part {
                    mechanism: inner,
                    count: bounded(count.checked_mul(repeat.count()), inner)?,
                });
            }
            leaf => match parts.last_mut() {
                Some(last) if last.mechanism == leaf => {
                    last.count = bounded(last.count.checked_add(count), leaf)?;
                }
                Some(_) | None => parts.push(Part { mechanism: leaf, count }),
            },
        }
    }
    Ok(parts)
}

/// The number of uses of `mechanism` when `more` are added to `count`.
pub(crate) fn sum(count: u64, more: u64, mechanism: &Mechanism) -> Result<u64, Error> {
    bounded(count.checked_add(more), mechanism)
}

fn bounded(count: Option<u64>, mechanism: &Mechanism) -> Result<u64, Error> {
    count
        .filter(|&count| count <= MAX_COUNT)
        .ok_or_else(|| Error::TooManyUses { mechanism: mechanism.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> Result<Vec<(String, u64)>, Error> {
        let mechanism: Mechanism = text.parse().unwrap();
        Ok(parts(&mechanism)?.iter().map(|part| (part.mechanism.to_string(), part.count)).collect())
    }

    #[test]
    fn counts_multiply_through_nesting() {
        assert_eq!(
            counts("((gaussian(sigma=1) * 3 + laplace(scale=2)) * 5 + gaussian(sigma=1)) * 7"),
            Ok(vec![
                ("gaussian(sigma=1)".into(), 105),
                ("laplace(scale=2)".into(), 35),
                ("gaussian(sigma=1)".into(), 7)
            ])
        );
        assert_eq!(
            counts("gaussian(sigma=1) + gaussian(sigma=1) * 2"),
            Ok(vec![("gaussian(sigma=1)".into(), 3)])
        );
    }

    #[test]
    fn a_sampler_is_a_leaf() {
        let sampled = "poisson(gaussian(sigma=1) * 3, rate=0.5)";
        assert_eq!(counts(&format!("{sampled} * 4")), Ok(vec![(sampled.into(), 4)]));
    }

    #[test]
    fn counts_beyond_measure_are_refused() {
        let error = counts("(gaussian(sigma=1) * 1e15) * 1e15").unwrap_err();
        assert_eq!(
            error.to_string(),
            "gaussian(sigma=1) is used more than 10^15 times in all; reduce the counts"
        );
        assert!(counts("gaussian(sigma=1) * 1e15 + gaussian(sigma=1)").is_err());
    }
}
