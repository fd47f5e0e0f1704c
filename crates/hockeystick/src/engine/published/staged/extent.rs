//! Where the sum of some uses lies under a tilt, in plain floats.

use crate::engine::lattice::PointMasses;

/// The range that holds a sum but for a small share of its tilted mass on either side, and the orders of the Chernoff bounds that say so.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine::published) struct Extent {
    pub(in crate::engine::published) bottom: f64,
    pub(in crate::engine::published) top: f64,
    pub(in crate::engine::published) orders: [f64; 2],
}

/// The law of one use under a tilt, at orders on either side of it.
pub(in crate::engine::published) struct Extents {
    /// Orders `c − s` and `c + s`, and `K` there less `K(c)`.
    below: Vec<Rise>,
    above: Vec<Rise>,
    deviation: f64,
    /// The logarithm of the share of one use that may be left out.
    log_share: f64,
}

#[derive(Clone, Copy, Debug)]
struct Rise {
    order: f64,
    step: f64,
    value: f64,
}

/// The ratio of neighbouring steps. (K may bend twice, where large losses are rare: a search would find the wrong end.)
const STEPS: f64 = 1.2;
/// The first and the last step, in those of a normal law.
const NEAREST: f64 = 0.05;
const FARTHEST: f64 = 20.0;

impl Extents {
    /// For a share of one use that may be left out of its tilted mass, and sums of up to so many uses.
    pub(in crate::engine::published) fn new(law: &PointMasses, tilt: f64, share: f64, uses: u64) -> Self {
        let [at_tilt, _, variance] = law.log_moment(tilt);
        let deviation = variance.sqrt().max(1e-9);
        let log_share = share.max(1e-300).ln();
        let natural = (-2.0 * log_share).max(1.0).sqrt() / deviation;
        let (first, last) = (NEAREST * natural / (uses as f64).sqrt(), FARTHEST * natural);
        let count = ((last / first).ln() / STEPS.ln()).ceil() as i32;
        let rises = |sign: f64| {
            let rise = |i: i32| {
                let step = first * STEPS.powi(i);
                let order = tilt + sign * step;
                Rise { order, step, value: law.log_moment(order)[0] - at_tilt }
            };
            (0..=count).map(rise).filter(|rise| rise.value.is_finite()).collect()
        };
        Self { below: rises(-1.0), above: rises(1.0), deviation, log_share }
    }

    /// The standard deviation of one use under the tilt.
    pub(in crate::engine::published) fn deviation(&self) -> f64 {
        self.deviation
    }

    /// The length of the window that holds some uses.
    pub(in crate::engine::published) fn length(&self, uses: u64) -> f64 {
        let extent = self.of(uses);
        extent.top - extent.bottom
    }

    /// `min_{λ > c} (g(K(λ) − K(c)) − log η)/(λ − c)`, and the same below.
    pub(in crate::engine::published) fn of(&self, uses: u64) -> Extent {
        let g = uses as f64;
        let log_share = (self.log_share + g.ln()).min(-1.0);
        let end = |rises: &[Rise]| {
            let reach = |rise: &Rise| ((g * rise.value - log_share) / rise.step, rise.order);
            rises
                .iter()
                .map(reach)
                .fold((f64::INFINITY, 0.0), |best, one| if one.0 < best.0 { one } else { best })
        };
        let ((top, above), (bottom, below)) = (end(&self.above), end(&self.below));
        Extent { bottom: -bottom, top, orders: [below, above] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::lattice::Outcomes,
        pair::{Direction, dominating_pair},
    };

    /// Of normal losses, in closed form: `g(μ²/2 + cμ²) ± μ√(2g log(1/η))` with μ = 1/σ. A sampled loss is no wider than all uses together.
    #[test]
    fn extents_are_those_of_chernoff_bounds() {
        let extent = |text: &str, is_cut: bool, tilt: f64, uses: u64| {
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            let law = PointMasses::of_outcomes(&Outcomes::of(&pair, -740.0).unwrap(), -740.0, 1);
            let law = if is_cut { law.within(-10.0, law.top(1e-14)) } else { law };
            Extents::new(&law, tilt, 1e-14, 1 << 16).of(uses)
        };
        for (tilt, uses) in [(0.0, 1), (0.0, 64), (3.0, 1000)] {
            let found = extent("gaussian(sigma=10)", false, tilt, uses);
            let g = uses as f64;
            let (mean, reach) = (g * 0.01 * (0.5 + tilt), 0.1 * (-2.0 * g * (1e-14 * g).ln()).sqrt());
            assert!((found.top - mean - reach).abs() < 1e-2 * reach, "{found:?} {mean} {reach}");
            assert!((found.bottom - mean + reach).abs() < 1e-2 * reach, "{found:?} {mean} {reach}");
        }
        // The largest loss that is left is 0.054 to 0.058. (K bends twice: a search would find 0.22.)
        let found = extent("poisson(gaussian(sigma=4), rate=0.01)", true, 0.0, 1);
        assert!((0.053..0.06).contains(&found.top) && (found.bottom + 0.0087).abs() < 5e-4, "{found:?}");
        let mut before = 0.0;
        for j in 0..17 {
            let found = extent("poisson(gaussian(sigma=4), rate=0.01)", true, 0.0, 1 << j);
            let length = found.top - found.bottom;
            assert!(before < length && length < 10.0, "{j}: {found:?}");
            before = length;
        }
    }
}
