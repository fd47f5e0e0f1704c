//! From pairs to laws on a lattice, on either side of the truth.

mod buckets;
mod builder;
mod by_tails;
mod cells;
mod connect_the_dots;
mod grid;
mod merged;

pub(super) use grid::Grid;

use super::{
    law::{LatticeLaw, Optimistic, Pessimistic},
    outcomes::Outcomes,
};
use crate::pair::SharedPair;
use std::fmt;

/// How losses are put on the lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discretisation {
    /// Connect the dots above, merged outcomes below: errors of the order of the squared spacing.
    ConnectTheDots,
    /// Rounded up and down: errors of the order of the spacing.
    Buckets,
}

impl fmt::Display for Discretisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ConnectTheDots => "connect-the-dots",
            Self::Buckets => "buckets",
        })
    }
}

impl Discretisation {
    /// A law above the truth.
    pub(super) fn pessimistic(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> LatticeLaw<Pessimistic> {
        let by_outcomes = outcomes.and_then(|outcomes| match self {
            Self::ConnectTheDots => connect_the_dots::connect_the_dots(pair, outcomes, grid),
            Self::Buckets => buckets::buckets_up(pair, outcomes, grid),
        });
        by_outcomes.unwrap_or_else(|| match self {
            Self::ConnectTheDots => by_tails::connect_the_dots(pair, grid),
            Self::Buckets => by_tails::buckets_up(pair, grid),
        })
    }

    /// A law below the truth.
    pub(super) fn optimistic(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> LatticeLaw<Optimistic> {
        let by_outcomes = outcomes.and_then(|outcomes| match self {
            Self::ConnectTheDots => merged::merged(pair, outcomes, grid),
            Self::Buckets => buckets::buckets_down(pair, outcomes, grid),
        });
        by_outcomes.unwrap_or_else(|| match self {
            Self::ConnectTheDots => by_tails::merged(pair, grid),
            Self::Buckets => by_tails::buckets_down(pair, grid),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, dominating_pair};
    use hockeystick_numerics::ball::Ball;

    const MECHANISMS: [&str; 9] = [
        "gaussian(sigma=1)",
        "poisson(gaussian(sigma=0.7), rate=0.05)",
        "laplace(scale=2)",
        "poisson(laplace(scale=1), rate=0.3)",
        "exponential(epsilon=1)",
        "gaussian_mixture(sigma=1, shifts=\"0,1,2\", weights=\"0.5,0.25,0.25\")",
        "truncated_gaussian(sigma=1, bound=4)",
        "gaussian_variance(sigma1=1, sigma2=1.5)",
        "discrete_gaussian(sigma=3)",
    ];

    fn delta<Side>(law: &LatticeLaw<Side>, epsilon: f64) -> f64 {
        let point = |i: usize| (law.first + i as i64) as f64 * law.spacing + law.offset;
        let terms =
            law.masses.iter().enumerate().map(|(i, mass)| mass * -(epsilon - point(i)).min(0.0).exp_m1());
        law.infinite + terms.sum::<f64>()
    }

    fn grid(spacing: f64, outcomes: &Outcomes, pair: &SharedPair) -> Grid {
        let sketch = super::super::sketch::Sketch::of_outcomes(outcomes);
        super::super::composition::grid(pair, (sketch.bottom(1e-18), sketch.top(1e-18)), spacing).unwrap()
    }

    /// [Doroshenko22, Lemma 4.1, Cor. 4.3, Thm 5.4], and buckets for the last.
    #[test]
    fn laws_are_in_their_order() {
        for text in MECHANISMS {
            for direction in [Direction::Remove, Direction::Add] {
                let pair = dominating_pair(&text.parse().unwrap(), direction).unwrap();
                let outcomes = Outcomes::of(&pair, -100.0).unwrap();
                let grid = grid(0.03, &outcomes, &pair);
                let dots = Discretisation::ConnectTheDots.pessimistic(&pair, Some(&outcomes), grid);
                let rounded_up = Discretisation::Buckets.pessimistic(&pair, Some(&outcomes), grid);
                let merged = Discretisation::ConnectTheDots.optimistic(&pair, Some(&outcomes), grid);
                let rounded_down = Discretisation::Buckets.optimistic(&pair, Some(&outcomes), grid);
                for i in -40..60 {
                    let epsilon = 0.037 * f64::from(i);
                    let truth = pair.delta(Ball::from(epsilon)).value();
                    let slack = 1e-12;
                    let case = format!("{text} {direction:?} at {epsilon}");
                    assert!(delta(&dots, epsilon) >= truth.lower() - slack, "{case}");
                    assert!(delta(&merged, epsilon) <= truth.upper() + slack, "{case}");
                    assert!(delta(&rounded_down, epsilon) <= truth.upper() + slack, "{case}");
                    assert!(delta(&rounded_up, epsilon) >= truth.lower() - slack, "{case}");
                    if dots.offset.abs() < 1e-9 {
                        assert!(delta(&dots, epsilon) <= delta(&rounded_up, epsilon) + slack, "{case}");
                    }
                }
                // The dots themselves are on the curve, and the laws from tails are the same.
                let by_tails = by_tails::connect_the_dots(&pair, grid);
                for index in [grid.first + 3, (grid.first + grid.last) / 2, grid.last - 3] {
                    let at = grid.near(index) + dots.offset;
                    let truth = pair.delta(Ball::from(at)).value();
                    assert!((delta(&dots, at) - truth.upper()).abs() < 2e-9, "{text} {direction:?} {at}");
                    let same = (delta(&dots, at) - delta(&by_tails, at)).abs() < 1e-8;
                    assert!(same || dots.offset > 1e-8, "{text} {direction:?} {at}");
                }
            }
        }
    }

    /// [Doroshenko22, Alg. 1] as printed puts h(+∞) = 0 at infinity when the grid ends at ε = 1, and answers δ(1) = 0. The truth
    /// for σ = 1 is 0.1269…
    #[test]
    fn a_grid_that_ends_early_is_still_pessimistic() {
        let pair = dominating_pair(&"gaussian(sigma=1)".parse().unwrap(), Direction::Remove).unwrap();
        let outcomes = Outcomes::of(&pair, -100.0);
        let (is_cut_below, is_cut_above) = (true, true);
        let grid = Grid { spacing: 0.01, first: -500, last: 100, offset: 0.0, is_cut_below, is_cut_above };
        let law = Discretisation::ConnectTheDots.pessimistic(&pair, outcomes.as_ref(), grid);
        assert!((0.1269..0.1270).contains(&law.infinite), "{}", law.infinite);
        let total: f64 = law.masses.iter().sum::<f64>() + law.infinite;
        assert!((total - 1.0).abs() < 1e-12);
    }
}
