//! An integral along a hyperbola that opens to the right, for a single pair whose losses are rare and of many scales, next to ε = 0.
//!
//! In: the law of the rise of its losses above the smallest, how often it is used, and how exact δ has to be. Out: δ of the swapped pair to twenty digits, at every ε from a little below 0 to a little above.
//!
//! ```text
//! g′(ε) = E_Q[(1 − e^{ε+L})₊] = (1/2πi) ∫ M e^{εy} dy/(y(y − 1)),   M = ((1 − w)^y N(y))^k,   N(y) = E_Q[e^{yY}]
//! ```
//!
//! left of both poles; in terms of the orders z of moments that is `y = 1 + z`, and δ of the pair itself is `1 − e^ε + e^ε g′(−ε)`. On a vertical line nothing falls but N, and it falls slowly where losses are of many scales: that takes
//! thousands of points. With the smallest loss taken out there is `e^{−y(T − ε)}`, which falls to the right, where T is all that losses can take away; and N does not grow if the rise Y of a loss above the smallest is turned against
//! y: `|e^{yY}| ≤ 1` on a ray where the angles of both together exceed π/2. So on `y(s) = m(cosh(s + iψ) − 1)` some dozens of points are enough for ten digits, and a hundred or two for twenty. It is the inverse of a Laplace transform at T − ε, by Talbot's idea.
//!
//! Losses that exceed T are no part of it: such outcomes have `e^{ε+L} > 1`, however large they are. So rays may end anywhere beyond T.
//!
//! # Guarantee
//! Enclosed between two ε, by the sum of
//!
//! | what is left out, or put in | bounded by | |
//! | --- | --- | --- |
//! | the end of the rays, which is not on the real line | the way there | `closing.rs` |
//! | the trapezoidal rule in s | all of the integrand on two other hyperbolas | `paths.rs` |
//! | points far out | all of the integrand on the hyperbola itself | `paths.rs` |
//! | the trapezoidal rule in log Y | all of its integrand on two other rays | `ray_rule.rs` |
//! | roundings | one by one | `ray_sums.rs` |

mod closing;
mod estimate;
mod hyperbola;
mod paths;
mod ray_rule;
mod ray_sums;

use super::{
    line::{Integral, LinePlan},
    wide_moments::{Power, power},
};
use crate::{curve::Budget, pair::RiseLaw, two_threads::mapped};
pub(in crate::engine::contour) use estimate::AtZero;
use hockeystick_numerics::{
    ball::Ball, double_double::DoubleDouble, enclosure::Enclosure, rounding::SQUARED_ROUNDOFF as UNIT,
    special::exp, vectorised::vectorised, wide_array::WideComplexArray, wide_complex::WideComplex,
};
use hyperbola::{Hyperbola, POINT_ERROR, Point};
use paths::{Paths, SEGMENT};
use ray_rule::RayRule;
use ray_sums::{INVERSES, RaySums};

/// Points of a hyperbola are a few times a unit of s apart, and nodes of a ray a few times the same unit of log Y: then products of both are exponentials of few numbers.
#[derive(Clone, Copy, Debug)]
struct Grid {
    unit: f64,
    of_points: usize,
    of_nodes: usize,
}

/// How many units points and nodes may be apart.
const UNITS: [(usize, usize); 5] = [(1, 1), (1, 2), (2, 3), (3, 4), (4, 5)];
/// Units have so many bits less than doubles, so that multiples of them are exact.
const LAST_BITS: u32 = 12;

impl Grid {
    /// The one with the fewest products of points and nodes that are not farther apart than said.
    fn new(point_step: f64, node_step: f64) -> Self {
        let grid = |(of_points, of_nodes): (usize, usize)| {
            let unit = (point_step / of_points as f64).min(node_step / of_nodes as f64);
            Self { unit: f64::from_bits(unit.to_bits() >> LAST_BITS << LAST_BITS), of_points, of_nodes }
        };
        let [first, others @ ..] = UNITS.map(grid);
        others
            .into_iter()
            .fold(first, |best, grid| if grid.coarseness() > best.coarseness() { grid } else { best })
    }

    fn coarseness(self) -> f64 {
        self.point_step() * self.node_step()
    }

    fn point_step(self) -> f64 {
        self.unit * self.of_points as f64
    }

    fn node_step(self) -> f64 {
        self.unit * self.of_nodes as f64
    }
}

/// What all factors of a term but N are off, and for every unit of `|y|` times all that losses take away: besides what a [point](POINT_ERROR) is off, which is in the slope, twice in the kernel, for `|y − 1| ≥ |y|/1.5`,
/// and in the exponent, 256u² for the inverse, as much for the exponential, and 230u² for products and the scale.
const FACTOR_ERROR: f64 = 742.0 * UNIT + 3.5 * POINT_ERROR;
const EXPONENT_ERROR: f64 = 5.0 * UNIT + POINT_ERROR;
/// What terms are off at an ε besides that, each, for every one there is, and for every unit of `|εy|`: by 256u² for an exponential and what its sum is off, or by powers, of which the p-th has p
/// factors with 72u² each and steps of 8u², and three for every term that is added; these are `e^{1.5}` times as large, and p is 1.5 on the average.
const TERM_ERROR: f64 = 600.0 * UNIT;
const ADDED_ERROR: f64 = 24.0 * UNIT;
const TURNED_ERROR: f64 = 5.0 * UNIT + POINT_ERROR;
/// More than all underflows.
const UNDERFLOW: f64 = 1e-250;
/// How many parts the errors are shared by, as a logarithm.
const LOG_SHARES: f64 = 2.1;
/// More uses are not looked at.
const MOST_USES: f64 = 1e6;
/// Up to this `ε|z|` the sum is one over powers of ε, of which there are so many: `1.5^{34}/34! < 4 · 10⁻³³`.
const SMALL: f64 = 1.5;
const POWERS: usize = 34;
const LEFT_OF_POWERS: f64 = 5e-33;
/// Smaller exponents are taken for this.
const LEAST_EXPONENT: f64 = -600.0;

/// Why there is no such integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine::contour) enum Unfit {
    /// Rises that are turned less may do.
    TurnedTooFar,
    /// That would not help.
    InAnyCase,
}

/// The integral of a pair used so many times, as a sum over the points of a hyperbola.
#[derive(Clone, Debug)]
pub(in crate::engine::contour) struct Bent {
    /// y.
    points: WideComplexArray,
    /// What they add at ε = 0, as imaginary parts.
    terms: WideComplexArray,
    /// The largest |y|, and `Σ terms (y/|y|)^p/p!` with it.
    largest: f64,
    powers: Vec<DoubleDouble>,
    /// The sum of their moduli where these are largest, and of these times |y|.
    mass: f64,
    spread: f64,
    /// What they may be off together there, and what the rule may be off.
    quadrature: f64,
    truncation: f64,
    /// How far left of 0 the hyperbola crosses the real line.
    crossing: f64,
    /// Between which ε all that holds.
    range: [f64; 2],
}

impl Bent {
    /// Of a law that is used so many times, to about `e^{log_target}` between two ε of the swapped pair, with rises turned by an angle at the end.
    pub(in crate::engine::contour) fn new(
        law: RiseLaw,
        count: f64,
        range: [f64; 2],
        log_target: f64,
        turn: f64,
    ) -> Result<Self, Unfit> {
        if !(1.0..=MOST_USES).contains(&count) || count.fract() != 0.0 {
            return Err(Unfit::InAnyCase);
        }
        let taken = -(Ball::from(count) * (-law.weight()).ln_1p());
        let log_each = log_target - LOG_SHARES;
        let paths = Paths::new(law, count, (taken.approximate(), range), log_each, turn)?;
        let hyperbola = Hyperbola::new(&paths, log_each)?;
        let rule = RayRule::new(&paths, &hyperbola, log_each)?;
        let grid = Grid::new(hyperbola.largest_step, rule.largest_step);
        let hyperbola = hyperbola.with_step(&paths, grid.point_step(), log_each).ok_or(Unfit::InAnyCase)?;
        let rule = rule.with_step(&paths, grid.node_step()).ok_or(Unfit::InAnyCase)?;
        let sums = RaySums::new(&law, &rule, &hyperbola, grid).ok_or(Unfit::InAnyCase)?;
        let exponent_error = EXPONENT_ERROR + 1.01 * taken.radius() / taken.approximate();
        let taken = taken.midpoint();
        let scale = DoubleDouble::from(hyperbola.step) / Ball::pi().midpoint();
        let term = |j: usize| -> Option<(WideComplex, WideComplex, f64)> {
            let Point { y, slope } = hyperbola.points[j];
            let segment = (hyperbola.step * j as f64 / SEGMENT) as usize;
            let left = rule.errors[segment.min(rule.errors.len() - 1)];
            let Power { value, error } = power(sums.at(j, y, left), count)?;
            vectorised(
                #[inline(always)]
                || {
                    let fall = y.times_real(-taken).exp()?;
                    let share = if j == 0 { scale.halved() } else { scale };
                    let kernel = (y * (y - WideComplex::ONE)).inverse();
                    let factor = (slope * kernel * fall).times_real(share);
                    let term = factor * value;
                    let relative = FACTOR_ERROR + 1.01 * y.modulus() * taken.hi() * exponent_error;
                    let off = error + relative * value.modulus();
                    Some((y, term, factor.modulus() * off * (1.0 + 1e-6) + UNDERFLOW))
                },
            )
        };
        let numbers: Vec<usize> = (0..hyperbola.points.len()).collect();
        let mut bent = Self {
            points: WideComplexArray::default(),
            terms: WideComplexArray::default(),
            largest: 0.0,
            powers: vec![],
            mass: 0.0,
            spread: 0.0,
            quadrature: 0.0,
            truncation: hyperbola.left,
            crossing: hyperbola.crossing,
            range,
        };
        for made in mapped(&numbers, 2, |j| term(*j)) {
            let (y, term, error) = made.ok_or(Unfit::InAnyCase)?;
            bent.points.push(y);
            bent.terms.push(term);
            bent.largest = bent.largest.max(y.modulus() * (1.0 + 1e-12));
            let growth = exp(range.map(|epsilon| epsilon * y.re.hi()).into_iter().fold(0.0, f64::max));
            let growth = growth * (1.0 + 1e-9);
            bent.mass += term.modulus() * growth;
            bent.spread += term.modulus() * growth * y.modulus();
            bent.quadrature += error * growth;
        }
        bent.sum_powers();
        let is_known = bent.quadrature.is_finite() && bent.truncation.is_finite();
        is_known.then_some(bent).ok_or(Unfit::InAnyCase)
    }

    fn sum_powers(&mut self) {
        let inverse = DoubleDouble::ONE / DoubleDouble::from(self.largest);
        let inverses = &*INVERSES;
        self.powers = vectorised(
            #[inline(always)]
            || {
                let mut powers = vec![DoubleDouble::ZERO; POWERS];
                for i in 0..self.points.len() {
                    let place = self.points.at(i).times_real(inverse);
                    let mut term = self.terms.at(i);
                    for (power, next) in powers.iter_mut().zip(inverses) {
                        *power = *power + term.im;
                        term = (term * place).times_real(*next);
                    }
                }
                powers
            },
        );
    }

    /// Where it crosses the real line and how many points it has, as a plan.
    pub(in crate::engine::contour) fn as_line(&self) -> LinePlan {
        LinePlan { tilt: self.crossing, points: self.points.len(), ..LinePlan::default() }
    }

    /// g′(ε) of the swapped pair, with as many digits as there are.
    ///
    /// # Guarantee
    /// Enclosed: `|e^{εy}|` is largest at one end of the range, for which all bounds are.
    pub(in crate::engine::contour) fn ball(&self, epsilon: f64) -> Ball {
        let unknown = Ball::from(Enclosure::new(0.0, 1.0));
        let [least, most] = self.range;
        if !(least..=most).contains(&epsilon) {
            return unknown;
        }
        let sum = if epsilon.abs() * self.largest <= SMALL {
            let at = DoubleDouble::from_product(epsilon, self.largest);
            self.powers.iter().rev().fold(DoubleDouble::ZERO, |sum, power| sum * at + *power)
        } else {
            let mut exponents = WideComplexArray::default();
            for i in 0..self.points.len() {
                let exponent = self.points.at(i).times_real(DoubleDouble::from(epsilon));
                // What is less than that is less than all roundings.
                let is_nothing = exponent.re.hi() < LEAST_EXPONENT;
                exponents.push(if is_nothing {
                    WideComplex::real(DoubleDouble::from(LEAST_EXPONENT))
                } else {
                    exponent
                });
            }
            let mut ones = WideComplexArray::default();
            (0..self.points.len()).for_each(|_| ones.push(WideComplex::ONE));
            let Some(falls) = exponents.exp() else { return unknown };
            WideComplexArray::sum_of_products([(&self.terms, 0), (&falls, 0), (&ones, 0)], self.points.len())
                .im
        };
        let count = self.points.len() as f64;
        let rounding = (TERM_ERROR + LEFT_OF_POWERS + count * ADDED_ERROR) * self.mass
            + TURNED_ERROR * epsilon.abs() * self.spread;
        let off = (self.quadrature + self.truncation + rounding) * (1.0 + 1e-6);
        Ball::new(sum, off)
    }

    /// The same in doubles.
    pub(in crate::engine::contour) fn integral(&self, epsilon: f64) -> Integral {
        let bounds = self.ball(epsilon).enclosure().clamp(0.0, 1.0);
        let [truncation, quadrature] = [self.truncation, self.quadrature].map(|off| off.min(0.25));
        let roundoff = (0.5 * bounds.width() - truncation - quadrature).max(0.0);
        Integral { bounds, budget: Budget { truncation, quadrature, roundoff, ..Budget::default() } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        composition::parts,
        engine::contour::factors::Factors,
        mechanism::Mechanism,
        pair::{Direction, SharedPair, dominating_pair},
    };
    use hockeystick_golden::{Decimal, rows};
    use hockeystick_numerics::special::ln;
    use proptest::prelude::*;

    fn pair(sigma: f64, rate: f64) -> SharedPair {
        let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
        dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap()
    }

    /// All uses of a pair, to a part of about all there is, for ε up to a part of that on both sides.
    fn integrated(pair: &SharedPair, uses: u64, turn: f64, log_part: f64, room: f64) -> Result<Bent, Unfit> {
        let factors = Factors::new(&[(pair.clone(), uses)]);
        let taken = -factors.smallest_loss().unwrap().lower();
        let (law, count) = factors.rises().unwrap();
        Bent::new(law, count, [-room * taken, room * taken], ln(taken) + log_part, turn)
    }

    /// δ of the pair itself.
    fn delta(bent: &Bent, epsilon: f64) -> Ball {
        let at = Ball::from(epsilon);
        at.exp() * bent.ball(-epsilon) - at.exp_m1()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Of one use there is a closed form.
        #[test]
        fn one_use_has_its_closed_form(
            (sigma, log_rate) in (0.3f64..3.0, -6f64..-0.5),
            (turn, part, log_part) in (0.3f64..1.0, -0.28f64..0.28, -58f64..-20.0),
        ) {
            let rate = 10f64.powf(log_rate);
            let pair = pair(sigma, rate);
            let turn = turn * (1.6 / sigma).min(1.0);
            let Ok(found) = integrated(&pair, 1, turn, log_part, 0.28) else { return Ok(()) };
            let epsilon = part * rate;
            let (known, found) = (pair.ratio_laws()[0].single_delta(epsilon).unwrap(), delta(&found, epsilon));
            let off = (known - found).approximate().abs();
            prop_assert!(off <= known.radius() + found.radius(), "{off:e} {:e}", found.radius());
            prop_assert!(found.radius() <= 3.0 * (exp(log_part) + 1e-22) * rate, "{:e}", found.radius());
        }

        /// However far rises are turned, and wherever the hyperbola crosses the real line, δ is the same.
        #[test]
        fn all_turns_agree(
            (sigma, log_rate, log_uses) in (0.3f64..3.0, -6f64..-0.5, 0.7f64..12.0),
            (turn, less, part) in (0.6f64..1.0, 0.4f64..0.9, -0.1f64..0.1),
            (log_part, digits) in (-56f64..-25.0, 0f64..12.0),
        ) {
            let rate = 10f64.powf(log_rate);
            let uses = exp(log_uses.min(ln(0.9 / rate)).max(0.7)) as u64;
            let pair = pair(sigma, rate);
            let turn = turn * (1.6 / sigma).min(1.0);
            let found = [(turn, log_part), (less * turn, log_part + digits)]
                .map(|(turn, log_part)| integrated(&pair, uses, turn, log_part, 0.1));
            let [Ok(one), Ok(other)] = found else { return Ok(()) };
            let taken = rate * uses as f64;
            for epsilon in [part * taken, 0.0] {
                let [one, other] = [&one, &other].map(|bent| delta(bent, epsilon));
                let off = (one - other).approximate().abs();
                prop_assert!(off <= one.radius() + other.radius(), "{off:e} {:e} {:e}", one.radius(), other.radius());
                prop_assert!(one.radius() <= 20.0 * (exp(log_part) + 1e-24 * uses as f64) * taken, "{:e}", one.radius() / taken);
            }
        }
    }

    /// Two to a hundred thousand uses, against convolutions and other contours that share no code with this one: to twenty digits and more.
    #[test]
    fn references_are_enclosed() {
        let mut found = 0;
        for row in rows("composition/rare_next_to_zero") {
            let mechanism: Mechanism = row.text("expression").parse().unwrap();
            let part = parts(&mechanism).unwrap()[0];
            let pair = dominating_pair(part.mechanism, Direction::Remove).unwrap();
            let law = pair.ratio_laws()[0].rises().unwrap();
            let (epsilon, count): (f64, f64) = (row.number("epsilon"), part.count as f64);
            let taken = -(count * (-law.weight()).ln_1p().approximate());
            let nearest: f64 = row.number("delta");
            let rest = row.reference("delta").minus(&Decimal::exactly(nearest));
            // References are rounded.
            let rounding = 1e-23 * nearest;
            let room = (1.5 * epsilon).max(0.01 * taken);
            for (turn, log_part) in [(1.0, -45.0), (0.8, -35.0), (0.55, -25.0), (0.9, -15.0)] {
                let turn = turn * (1.6 * law.mu()).min(1.0);
                let Ok(bent) = Bent::new(law, count, [-room, room], ln(taken) + log_part, turn) else {
                    continue;
                };
                let delta =
                    if row.text("direction") == "add" { bent.ball(epsilon) } else { delta(&bent, epsilon) };
                let bounds = (delta - Ball::from(nearest)).enclosure() + Enclosure::new(-rounding, rounding);
                assert!(
                    rest.is_at_least(bounds.lower()) && rest.is_at_most(bounds.upper()),
                    "{mechanism} at {epsilon:e}, {turn} {log_part}: {bounds:?}"
                );
                found += 1;
            }
        }
        assert!(found >= 250, "{found}");
    }

    /// Where it is meant for there is one.
    #[test]
    fn few_rare_losses_are_integrated() {
        for (sigma, rate, uses) in [
            (0.3, 1e-6, 2),
            (0.5, 1e-4, 10),
            (1.0, 1e-5, 50),
            (0.4, 1e-5, 1000),
            (1.5, 1e-3, 3),
            (0.7, 0.05, 5),
        ] {
            let bent = integrated(&pair(sigma, rate), uses, 0.8, -42.0, 0.02).unwrap();
            let points = bent.as_line().points;
            assert!((30..200).contains(&points), "{sigma} {rate} {uses}: {points}");
        }
        // Many are not.
        assert!(integrated(&pair(1.0, 1e-3), 800, 0.8, -42.0, 0.02).is_err());
        assert!(integrated(&pair(0.5, 0.4), 10, 0.8, -42.0, 0.02).is_err());
    }

    /// In doubles a step of three units is rounded, and nodes were not where the exponentials in the tables were.
    #[test]
    fn multiples_of_a_unit_are_exact() {
        for (point, node) in [(0.0245, 0.0367), (0.0103, 0.0155), (0.0191, 0.0213), (0.02, 0.05)] {
            let grid = Grid::new(point, node);
            assert!(grid.point_step() <= point && grid.node_step() <= node, "{grid:?}");
            for (step, units) in [(grid.point_step(), grid.of_points), (grid.node_step(), grid.of_nodes)] {
                assert_eq!(step / units as f64, grid.unit);
                assert_eq!(DoubleDouble::from(step), DoubleDouble::from_product(grid.unit, units as f64));
            }
        }
    }

    /// Beyond the range nothing is known, and nonsense has no integral.
    #[test]
    fn what_is_not_known_is_not_said() {
        let pair = pair(0.5, 1e-4);
        let found = integrated(&pair, 10, 1.0, -40.0, 0.25).unwrap();
        let bounds = |epsilon: f64| found.integral(epsilon).bounds;
        for epsilon in [-1e-3, 2.6e-4, 1.0, f64::NAN, f64::NEG_INFINITY, f64::INFINITY] {
            assert_eq!((bounds(epsilon).lower(), bounds(epsilon).upper()), (0.0, 1.0));
        }
        assert!(bounds(0.0).lower() > 0.0 && bounds(2.4e-4).lower() > 0.0);
        let (law, count) = Factors::new(&[(pair, 10)]).rises().unwrap();
        let made = |uses: f64, range: [f64; 2], turn: f64| Bent::new(law, uses, range, -50.0, turn).err();
        assert_eq!(made(count, [-1e-5, 1e-5], 1.0), None);
        for uses in [0.0, 1.5, 1e7, f64::NAN] {
            assert_eq!(made(uses, [-1e-5, 1e-5], 1.0), Some(Unfit::InAnyCase));
        }
        for range in
            [[f64::NAN, 1e-5], [-1e-5, f64::NAN], [0.0, 1e-3], [0.01, 0.02], [f64::NEG_INFINITY, 0.0]]
        {
            assert!(made(count, range, 1.0).is_some(), "{range:?}");
        }
        for turn in [f64::NAN, 0.0, -0.5, 1.1] {
            assert!(made(count, [-1e-5, 1e-5], turn).is_some(), "{turn}");
        }
    }
}
