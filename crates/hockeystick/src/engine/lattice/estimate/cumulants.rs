//! Cumulants of the composition under a tilt, in plain floats.

use super::super::tuning::TUNING;
use super::point_masses::PointMasses;
use std::{cell::RefCell, collections::BTreeMap};

/// `K(c) = Σ k log E[e^{cL}; L < ∞]`.
pub(crate) struct Cumulants {
    laws: Vec<(PointMasses, f64)>,
}

impl Cumulants {
    pub(crate) fn new(laws: Vec<(PointMasses, f64)>) -> Self {
        Self { laws }
    }

    pub(crate) fn laws(&self) -> impl Iterator<Item = &PointMasses> {
        self.laws.iter().map(|(law, _)| law)
    }

    /// `K` at an order and its first two derivatives.
    pub(crate) fn at(&self, order: f64) -> [f64; 3] {
        self.laws.iter().fold([0.0; 3], |sum, (law, count)| {
            let one = law.log_moment(order);
            std::array::from_fn(|i| sum[i] + one[i] * count)
        })
    }
}

/// `K` by cubic interpolation between cached orders: for searches over many orders of many laws.
pub(crate) struct Interpolated<'a> {
    cumulants: &'a Cumulants,
    /// `K` and `K'` at powers of the order ratio.
    nodes: RefCell<BTreeMap<i32, [f64; 2]>>,
}

impl<'a> Interpolated<'a> {
    pub(crate) fn new(cumulants: &'a Cumulants) -> Self {
        Self { cumulants, nodes: RefCell::default() }
    }

    fn node(&self, power: i32) -> (f64, [f64; 2]) {
        let order = TUNING.order_ratio.powi(power);
        let value = *self.nodes.borrow_mut().entry(power).or_insert_with(|| {
            let [value, mean, _] = self.cumulants.at(order);
            [value, mean]
        });
        (order, value)
    }

    /// `K` at a positive order, by Hermite interpolation.
    pub(crate) fn at(&self, order: f64) -> f64 {
        let power = (order.ln() / TUNING.order_ratio.ln()).floor();
        if self.cumulants.laws.len() < TUNING.many_parts || power.is_nan() || power.abs() > 1e3 {
            return self.cumulants.at(order)[0];
        }
        let (low, [at_low, slope_low]) = self.node(power as i32);
        let (high, [at_high, slope_high]) = self.node(power as i32 + 1);
        let (step, t) = (high - low, (order - low) / (high - low));
        let chord = (at_high - at_low) / step;
        let (bend_low, bend_high) = (slope_low - chord, slope_high - chord);
        at_low + step * t * (chord + (1.0 - t) * (bend_low * (1.0 - t) - bend_high * t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::lattice::outcomes::Outcomes,
        pair::{Direction, dominating_pair},
    };

    /// Where the largest losses take over, about the order 8, `K` bends most. Aliasing bounds only need `K` within a small error.
    #[test]
    fn interpolated_cumulants_are_close() {
        let law = |sigma: f64| {
            let text = format!("poisson(gaussian(sigma={sigma}), rate=0.01)");
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            (PointMasses::of_outcomes(&Outcomes::of(&pair, -200.0).unwrap(), -200.0, 1), 20.0)
        };
        let cumulants = Cumulants::new((0..50).map(|i| law(1.0 + 0.01 * f64::from(i))).collect());
        let interpolated = Interpolated::new(&cumulants);
        for i in 0..200 {
            let order = 0.05 * 1.03f64.powi(i);
            let [exact, ..] = cumulants.at(order);
            let off = (interpolated.at(order) - exact).abs();
            assert!(off <= 1.0 + 0.05 * exact.abs(), "{order}: {exact} off by {off}");
        }
        assert!(interpolated.nodes.borrow().len() < 80);
    }
}
