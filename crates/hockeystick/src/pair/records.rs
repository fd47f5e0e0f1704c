//! Several records of one person in a Poisson sample.

use super::{SharedPair, gaussian_mixture};
use crate::{
    error::Error,
    mechanism::{Mechanism, Poisson},
};
use hockeystick_numerics::ball::Ball;

/// `Σⱼ Bin(m, q)(j) N(js, σ²)` against `N(0, σ²)`: a person with m records, each in the sample with probability q ([Ganesh 2024, arXiv 2401.10294]).
///
/// *Proof.* Which records are in the sample moves the sum by a random vector v of length at most js, j of them with probability `Bin(m, q)(j)`. The ratio to the law without the person is
/// `Σ p_v e^{⟨v,z⟩/σ² − |v|²/2σ²}` of a normal z, and both divergences are expectations of a convex function of it. By Kahane's convexity inequality they grow with the covariances ⟨v, w⟩, which are at
/// most `jk·s²`: that is all vectors along one line, as long as they may be. Each step is such a pair whatever the steps before published, so that steps may be adaptive.
pub(super) fn pair(sampled: &Poisson) -> Result<SharedPair, Error> {
    let Mechanism::Gaussian(gaussian) = sampled.mechanism() else {
        return Err(Error::NotProven {
            what: "several records of one person in a sample, with anything but one Gaussian",
            reason: "the theorem is about the sum of records with Gaussian noise",
            instead: "use poisson(gaussian(…), rate=…, records=…), or a mechanism whose sensitivity covers all records of a person",
        });
    };
    let shift = Ball::from(gaussian.sensitivity()) / Ball::from(gaussian.sigma());
    let (records, rate) = (sampled.records(), Ball::from(sampled.rate()));
    if sampled.rate() == 1.0 {
        return Ok(gaussian_mixture::of_terms(vec![(Ball::ONE, shift * Ball::from(records))]));
    }
    let other = Ball::ONE - rate;
    let mut weight = (0..records).fold(Ball::ONE, |product, _| product * other);
    let mut terms = Vec::with_capacity(records as usize + 1);
    for number in 0..=records {
        if weight.approximate() < SMALLEST {
            return Err(Error::NotProven {
                what: "so many records of one person at so extreme a rate",
                reason: "the probability that all of them are in the sample, or none, is below what doubles can hold",
                instead: "give fewer records, or a rate that is less extreme",
            });
        }
        terms.push((weight, shift * Ball::from(number)));
        weight = weight * Ball::from(records - number) / Ball::from(number + 1) * rate / other;
    }
    Ok(gaussian_mixture::of_terms(terms))
}

/// Weights are normal doubles, with room for products.
const SMALLEST: f64 = 1e-280;

/// Why all records of a person cannot be replaced.
pub(super) fn not_replaced() -> Error {
    Error::NotProven {
        what: "a Poisson sample of several records if they are replaced by others",
        reason: "the theorem is about records that are there or not",
        instead: "use the relation add-remove",
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };
    use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

    fn delta(text: &str, direction: Direction, epsilon: f64) -> Enclosure {
        let mechanism: Mechanism = text.parse().unwrap();
        dominating_pair(&mechanism, direction).unwrap().delta(Ball::from(epsilon)).value()
    }

    #[test]
    fn weights_are_binomial() {
        let text = "poisson(gaussian(sigma=2, sensitivity=3), rate=0.25, records=2)";
        let mixture = "gaussian_mixture(sigma=2, shifts=\"0,3,6\", weights=\"0.5625,0.375,0.0625\")";
        for direction in [Direction::Remove, Direction::Add] {
            for epsilon in [-0.2, 0.0, 0.3, 2.0] {
                let (here, there) = (delta(text, direction, epsilon), delta(mixture, direction, epsilon));
                assert!(here.overlaps(there) && here.width() < 1e-12, "{epsilon}: {here:?} {there:?}");
            }
        }
    }

    /// One record is the sample, more of them spend more, and no more than m sensitivities at once.
    #[test]
    fn records_spend_between_one_and_all_at_once() {
        for direction in [Direction::Remove, Direction::Add] {
            for epsilon in [0.0, 0.1, 1.0] {
                let mut before = delta("poisson(gaussian(sigma=3), rate=0.01)", direction, epsilon);
                for records in [2, 5, 64] {
                    let text = format!("poisson(gaussian(sigma=3), rate=0.01, records={records})");
                    let here = delta(&text, direction, epsilon);
                    let rate = 1.0 - 0.99f64.powi(records);
                    let group = format!("poisson(gaussian(sigma=3, sensitivity={records}), rate={rate})");
                    let group = delta(&group, direction, epsilon);
                    assert!(before.lower() <= here.upper(), "{text}: {here:?} {before:?}");
                    assert!(here.lower() <= group.upper() * (1.0 + 1e-12), "{text}: {here:?} {group:?}");
                    before = here;
                }
            }
        }
    }

    #[test]
    fn other_noise_and_replacement_are_refused() {
        for (text, direction) in [
            ("poisson(laplace(scale=1), rate=0.1, records=2)", Direction::Remove),
            ("poisson(gaussian(sigma=1), rate=0.1, records=2)", Direction::Replace),
            ("poisson(gaussian(sigma=1), rate=1e-100, records=3)", Direction::Remove),
        ] {
            assert!(dominating_pair(&text.parse::<Mechanism>().unwrap(), direction).is_err(), "{text}");
        }
    }
}
