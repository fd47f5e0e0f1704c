//! A mechanism that hockeystick has never heard of: the time that a service takes to answer.
//!
//!     cargo run --example custom_pair
//!
//! Whoever knows the worst-case pair of a mechanism can account for it: implement [`DominatingPair`], and ask about
//! [`Releases`] of it. Answers are as certain as those of the mechanisms that are built in.

#![allow(clippy::print_stdout, reason = "this is what an example is for")]

use hockeystick::{
    Query,
    mechanism::Mechanism,
    pair::{Direction, DominatingPair, Panel, Quadratic, RatioLaw, Releases, SharedPair, Tails, poisson},
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// An exponentially distributed time: at the rate `a` if the record is in the data, at a larger rate `b` without it.
///
/// With the densities `ae^{−ax}` of `P` and `be^{−bx}` of `Q` the loss is `L = ln(a/b) + (b − a)x`. So it exceeds ε after the time
/// `t = (ε − ln(a/b))/(b − a)`, and
///
/// ```text
/// P(L > ε) = e^{−at},   Q(L > ε) = e^{−bt},   δ(ε) = P(L > ε) − e^ε·Q(L > ε) = (1 − a/b)·e^{−at},   t ≥ 0
/// ```
///
/// Swapped, losses have the other sign: `P` and `Q` change roles, and the loss exceeds ε *before* the time `t` of −ε.
#[derive(Clone, Copy, Debug)]
struct WaitingTime {
    /// Balls carry what rounding may have changed, some thirty digits behind the point.
    slow: Ball,
    fast: Ball,
    is_swapped: bool,
}

impl WaitingTime {
    fn new(rate_with: f64, rate_without: f64) -> Self {
        assert!(0.0 < rate_with && rate_with < rate_without, "the record slows the service down");
        Self { slow: Ball::from(rate_with), fast: Ball::from(rate_without), is_swapped: false }
    }

    /// `ln(a/b)`, the smallest loss.
    fn smallest(self) -> Ball {
        (self.slow / self.fast).ln()
    }

    /// When the loss of the pair that is not swapped passes a number: at the start, if it is smaller than all losses.
    fn time(self, loss: Ball) -> Ball {
        let time = (loss - self.smallest()) / (self.fast - self.slow);
        if time.enclosure().lower() > 0.0 {
            time
        } else {
            Ball::from(time.enclosure().clamp(0.0, f64::INFINITY))
        }
    }
}

/// A number in [0, 1] and what it lacks of 1: each keeps its digits, however small.
fn probability(value: Ball) -> Probability {
    let within = |value: Ball| value.enclosure().clamp(0.0, 1.0);
    Probability::from_both(within(value), within(Ball::ONE - value))
}

impl DominatingPair for WaitingTime {
    /// Below the smallest loss there is no more to `P(L > ε) − e^ε·Q(L > ε)` than `1 − e^ε`.
    fn delta(&self, epsilon: Ball) -> Probability {
        let Tails { p, q } = self.tails(epsilon);
        if self.is_swapped {
            let (slow, fast) = (self.slow, self.fast);
            let time = self.time(-epsilon);
            return probability((-(-fast * time).exp_m1()) + epsilon.exp() * (-slow * time).exp_m1());
        }
        if epsilon.enclosure().lower() > self.smallest().enclosure().upper() {
            return probability(
                (Ball::ONE - self.slow / self.fast) * (-self.slow * self.time(epsilon)).exp(),
            );
        }
        Probability::from_value((p.value() - epsilon.exp_enclosure() * q.value()).clamp(0.0, 1.0))
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let (slow, fast) = (self.slow, self.fast);
        if self.is_swapped {
            let time = self.time(-epsilon);
            return Tails {
                p: probability(-(-fast * time).exp_m1()),
                q: probability(-(-slow * time).exp_m1()),
            };
        }
        let time = self.time(epsilon);
        Tails { p: probability((-slow * time).exp()), q: probability((-fast * time).exp()) }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let smallest = self.smallest().enclosure();
        if self.is_swapped {
            Enclosure::point(f64::NEG_INFINITY)..=-smallest
        } else {
            smallest..=Enclosure::point(f64::INFINITY)
        }
    }

    /// From this law engines have moments, lines and cells. The density of `Q` is `e^{ln b − bx}`, and the ratio is one exponential. (A
    /// ratio of another kind is none of this: return [`RatioLaw::unknown`], and answers rest on `delta` and `tails`.)
    fn ratio_law(&self) -> RatioLaw {
        let ratio = Quadratic {
            constant: self.smallest().approximate(),
            linear: (self.fast - self.slow).approximate(),
            square: 0.0,
        };
        let panel = Panel {
            from: 0.0,
            to: f64::INFINITY,
            log_q: Quadratic {
                constant: self.fast.ln().approximate(),
                linear: -self.fast.approximate(),
                square: 0.0,
            },
            ratio: vec![(1.0, ratio)],
        };
        let law = RatioLaw { panels: vec![panel], ..RatioLaw::default() };
        if self.is_swapped { law.swapped() } else { law }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self { is_swapped: !self.is_swapped, ..*self })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiting: SharedPair = Arc::new(WaitingTime::new(1.0, 1.1));

    // The larger of both directions, by whichever engine is best: the swapped pair stands for adding the record.
    let often = Releases::of_pair("waiting time", Arc::clone(&waiting), 200)?;
    let answer = Query::of(&often).epsilon(1e-6)?;
    println!("200 answers:              ε between {:?} and {}", answer.lower(), answer.upper());

    // Together with mechanisms that are built in.
    let noise: Mechanism = "gaussian(sigma=2) * 10".parse()?;
    let both = Releases::of(&noise)?.with("waiting time", Arc::clone(&waiting), 200)?;
    let answer = Query::of(&both).epsilon(1e-6)?;
    println!("with Gaussian noise, too: ε between {:?} and {}", answer.lower(), answer.upper());

    // Of a Poisson sample of the records.
    let sample = Releases::of_pair("sampled time", poisson(waiting, 0.01, Direction::Remove)?, 200)?;
    let answer = Query::of(&sample).epsilon(1e-6)?;
    println!("sampled with rate 0.01:   ε between {:?} and {}", answer.lower(), answer.upper());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick::{mechanism::Relation, query::Method};
    use num_complex::Complex;

    #[test]
    fn the_example_runs() {
        main().unwrap();
    }

    const RATES: (f64, f64) = (1.0, 1.1);

    fn waiting() -> SharedPair {
        Arc::new(WaitingTime::new(RATES.0, RATES.1))
    }

    /// `P(X ≤ x)` for the sum of `k` exponential times of rate 1, with its complement: `e^{−x} Σ_{j<k} x^j/j!`.
    fn sum_of_times(k: i32, x: f64) -> (f64, f64) {
        let mut terms = vec![(-x).exp()];
        for j in 1..400 {
            terms.push(terms[j - 1] * x / j as f64);
        }
        (terms[k as usize..].iter().sum(), terms[..k as usize].iter().sum())
    }

    /// `δ(ε)` of `k` waiting times in closed form: their sum decides. It is a gamma variable under either law.
    fn closed_form(k: i32, relation: Relation, epsilon: f64) -> f64 {
        let (slow, fast) = RATES;
        let smallest = f64::from(k) * (slow / fast).ln();
        let time = |loss: f64| ((loss - smallest) / (fast - slow)).max(0.0);
        match relation {
            Relation::Remove => {
                let time = time(epsilon);
                sum_of_times(k, slow * time).1 - epsilon.exp() * sum_of_times(k, fast * time).1
            }
            Relation::Add => {
                let time = time(-epsilon);
                sum_of_times(k, fast * time).0 - epsilon.exp() * sum_of_times(k, slow * time).0
            }
            Relation::AddRemove | Relation::Replace => unreachable!("one direction at a time"),
        }
    }

    #[test]
    fn engines_agree_with_the_closed_form_in_both_directions() {
        for (k, epsilon) in [(1, 0.02), (1, 0.05), (20, 0.5), (20, 1.5), (100, 1.0), (100, 3.0)] {
            let releases = Releases::of_pair("waiting time", waiting(), k as u64).unwrap();
            for relation in [Relation::Remove, Relation::Add] {
                let truth = closed_form(k, relation, epsilon);
                let query = Query::of(&releases).relation(relation);
                for method in [Method::Auto, Method::Contour, Method::Lattice] {
                    let answer = query.method(method).delta(epsilon).unwrap();
                    let slack = 1e-11 * truth + 1e-13;
                    assert!(
                        answer.lower().unwrap() <= truth + slack && truth - slack <= answer.upper(),
                        "{k} times at {epsilon}, {relation}, by {method}: {answer:?}, not {truth:e}"
                    );
                    assert!(answer.upper() <= truth * 1.01 + 1e-12, "{answer:?}, not {truth:e}");
                }
                let bound = query.method(Method::RdpOptimal).delta(epsilon).unwrap();
                assert!(
                    bound.upper() >= truth && bound.upper() <= 5.0 * truth + 1e-3,
                    "{bound:?}, not {truth:e}"
                );
            }
        }
    }

    /// Both directions are asked for, and the larger counts; ε is the inverse of δ.
    #[test]
    fn the_larger_direction_counts() {
        let releases = Releases::of_pair("waiting time", waiting(), 20).unwrap();
        let answer = Query::of(&releases).epsilon(1e-4).unwrap();
        let worse = |epsilon: f64| {
            [Relation::Add, Relation::Remove]
                .map(|one| closed_form(20, one, epsilon))
                .into_iter()
                .fold(0.0, f64::max)
        };
        assert!(
            worse(answer.upper() * (1.0 + 1e-9)) <= 1e-4
                && worse(answer.lower().unwrap() * (1.0 - 1e-9)) >= 1e-4
        );
        assert!(answer.upper() - answer.lower().unwrap() <= 1e-8 * answer.upper());
    }

    /// Nothing is claimed for replacing a record, as for every mechanism whose pair is not its own dual.
    #[test]
    fn replacing_is_refused() {
        let releases = Releases::of_pair("waiting time", waiting(), 20).unwrap();
        let refused = Query::of(&releases).relation(Relation::Replace).epsilon(1e-4).unwrap_err();
        assert!(refused.to_string().contains("replacing a record"), "{refused}");
    }

    /// The laws of pairs: `δ = P(L > ε) − e^ε Q(L > ε)`, and `M(z) = (a/b)^z·a/(a − z(b − a))`.
    #[test]
    fn the_parts_fit_together() {
        for pair in [waiting(), waiting().dual()] {
            for step in -15..=15 {
                let epsilon = Ball::from(0.1 * f64::from(step));
                let tails = pair.tails(epsilon);
                let from_tails = tails.p.value() - epsilon.exp_enclosure() * tails.q.value();
                let delta = pair.delta(epsilon).value();
                assert!(delta.overlaps(from_tails), "at {epsilon:?}: {delta:?} {from_tails:?}");
                assert!(delta.width() < 1e-14);
            }
        }
        let (slow, fast) = RATES;
        for z in [Complex::new(0.0, 0.0), Complex::new(0.5, 3.0), Complex::new(-1.0, 0.0)] {
            let truth = (z * (slow / fast).ln()).exp() * slow / (slow - z * (fast - slow));
            let found = waiting().mgf(z).unwrap();
            assert!((found.center() - truth).norm() < 1e-12, "{found:?} {truth}");
        }
    }
}
