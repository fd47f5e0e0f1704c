//! Which hyperbola, how far apart its points are, and what they leave.

use super::{
    Unfit, closing,
    paths::{Bounds, Paths, SEGMENT, Segment},
};
use crate::two_threads::mapped;
use hockeystick_numerics::{
    double_double::DoubleDouble,
    rounding::SQUARED_ROUNDOFF,
    special::{exp, expm1},
    vectorised::vectorised,
    wide_complex::WideComplex,
};
use num_complex::Complex;
use std::f64::consts::{FRAC_PI_2, PI};

/// How far it is turned beyond the vertical, and how far its upper and its lower edge are, as parts of how far all rises are turned at the end: of the lower edges the better one is taken.
pub(super) const TURNED: f64 = 0.52;
const UPPER: f64 = 0.1;
const LOWER: [f64; 2] = [0.8, 0.9];
/// Points are not nearer to each other than the first of these, nor farther than the second, and there are not more than so many.
const LEAST_STEP: f64 = 0.007;
const LARGEST_STEP: f64 = 0.1;
const MOST_POINTS: f64 = 500.0;

/// `y = m(cosh(s + iψ) − 1)`, which crosses the real line left of 0 and opens to the right.
pub(super) struct Hyperbola {
    pub(super) scale: f64,
    pub(super) angle: f64,
    /// How far left of 0 it crosses the real line.
    pub(super) crossing: f64,
    /// How far the upper and the lower edge are turned away.
    pub(super) edges: [f64; 2],
    /// All that is on these, as logarithms.
    log_edges: [f64; 2],
    bounds: Bounds,
    /// How far points may be apart, and are.
    pub(super) largest_step: f64,
    pub(super) step: f64,
    pub(super) points: Vec<Point>,
    /// What they leave.
    pub(super) left: f64,
}

/// What points, and slopes there, are off at most, relative to themselves: 2^-97 = 512u².
///
/// Either term is off by 64u², 128u² and 20u², and they are `m cosh s` together, where `|y| = m(cosh s − cos ψ)` and `|dy/ds| ≥ m cosh s sin ψ`; as `ψ > 1`, that is no more than 2.2 times as large. The sums are off by 3u² each.
pub(super) const POINT_ERROR: f64 = 512.0 * SQUARED_ROUNDOFF;

/// y, and `dy/ds` there.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) y: WideComplex,
    pub(super) slope: WideComplex,
}

impl Hyperbola {
    /// With edges on which little enough is for `e^{log_target}`.
    pub(super) fn new(paths: &Paths, log_target: f64) -> Result<Self, Unfit> {
        let turned = TURNED * paths.turn;
        let angle = FRAC_PI_2 - turned;
        let scale = paths.crossing / (1.0 - angle.cos());
        if scale * paths.taken > MOST_GROWTH {
            return Err(Unfit::InAnyCase);
        }
        let upper = turned - UPPER * paths.turn;
        let negligible = log_target - 10.0;
        let lowers = LOWER.map(|lower| lower * paths.turn - turned);
        let turns = [0.0, upper, -lowers[0], -lowers[1]];
        let mut found = mapped(&turns, 2, |turn| paths.along(scale, angle + turn, negligible)).into_iter();
        let mut next = || found.next().flatten().ok_or(Unfit::TurnedTooFar);
        let log_all = |bounds: Bounds| bounds.log_total(0, SEGMENT);
        let (bounds, log_upper) = (next()?, log_all(next()?));
        let step = |distance: f64, log: f64| 2.0 * PI * distance / (log - log_target).max(1.0);
        let below = found.zip(lowers).filter_map(|(found, lower)| Some((lower, found.map(log_all)?)));
        let best = below.max_by(|a, b| step(a.0, a.1).total_cmp(&step(b.0, b.1)));
        let (lower, log_lower) = best.ok_or(Unfit::TurnedTooFar)?;
        let largest_step = step(upper, log_upper).min(step(lower, log_lower)).min(LARGEST_STEP);
        if largest_step < LEAST_STEP {
            return Err(Unfit::TurnedTooFar);
        }
        Ok(Self {
            scale,
            angle,
            crossing: paths.crossing,
            edges: [upper, lower],
            log_edges: [log_upper, log_lower],
            bounds,
            largest_step,
            step: largest_step,
            points: vec![],
            left: f64::INFINITY,
        })
    }

    /// With points that are so far apart.
    ///
    /// # Guarantee
    /// The sum over all points is off by what is on the edges, over `π(e^{2πd/h} − 1)` each, and what the end of the rays makes; those that are left out are within their
    /// bounds, of which there is one for every step and one more.
    pub(super) fn with_step(self, paths: &Paths, step: f64, log_target: f64) -> Option<Self> {
        let out = |from: usize| self.bounds.log_total(from, SEGMENT + step);
        let held = (1..=self.bounds.segments.len()).find(|from| out(*from) < log_target)?;
        let count = (SEGMENT * held as f64 / step).ceil();
        // What is beyond the last segment is bounded for steps up to this.
        if !(count.is_finite() && count < MOST_POINTS && step <= LARGEST_STEP) {
            return None;
        }
        let of_edge = |i: usize| exp(self.log_edges[i]) / expm1(2.0 * PI * self.edges[i] / step);
        let closing = closing::bound(paths, &self, step);
        let left = ((of_edge(0) + of_edge(1) + exp(out(held))) / PI + closing) * (1.0 + 1e-6);
        let mut bounds = self.bounds;
        bounds.segments.truncate(held);
        let (unit, turn) =
            (DoubleDouble::from(0.5 * self.scale), WideComplex::cis(DoubleDouble::from(self.angle))?);
        let whole = WideComplex::real(DoubleDouble::from(self.scale));
        let point = |j: usize| {
            let growth = DoubleDouble::from_product(step, j as f64).exp();
            let ahead = turn.times_real(unit * growth);
            let behind = WideComplex { im: -turn.im, ..turn }.times_real(unit / growth);
            Point { y: ahead + behind - whole, slope: ahead - behind }
        };
        let points = vectorised(
            #[inline(always)]
            || (0..count as usize).map(point).collect(),
        );
        left.is_finite().then_some(Self { bounds, step, points, left, ..self })
    }

    /// Its pieces, up to the last point at least.
    pub(super) fn segments(&self) -> &[Segment] {
        &self.bounds.segments
    }

    /// The least and the largest |y| of its points.
    pub(super) fn norms(&self) -> [f64; 2] {
        let at = |s: f64| ((Complex::new(s, self.angle).cosh() - 1.0) * self.scale).norm();
        [at(0.0) * (1.0 - 1e-9), at(self.step * self.points.len() as f64) * (1.0 + 1e-9)]
    }
}
/// `m` times the most that all losses take away is not larger: of that exponents are made.
const MOST_GROWTH: f64 = 90.0;
