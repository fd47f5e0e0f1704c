//! Bounds of the integrand along hyperbolas, by paths of the rises that are turned against them.

use super::Unfit;
use crate::pair::{Bulk, Cell, LARGEST_TURN, Ray, RiseLaw, largest, log_bound};
use hockeystick_numerics::special::{exp, expm1, ln};
use num_complex::Complex;
use std::sync::OnceLock;

/// Angles are in units of `μs`, the spread of the cut as a part of the length on which the ratio grows by e. These are of the rays that bounds are looked for on, and
/// where all of them end.
const TURNS: [f64; 7] = [0.0, 0.8, 1.6, 2.2, 2.8, 3.4, 4.0];
pub(super) const END: f64 = 3.2;
/// The last of all.
pub(super) const HIGH_RAY: f64 = 4.4;
/// The ray that is turned against all of a hyperbola far out.
const FAR_RAY: usize = 5;
/// How many spreads beyond the cut rays end: the first of these that is enough.
const SPREADS: [f64; 12] = [7.5, 8.0, 8.5, 8.75, 9.0, 9.25, 9.5, 9.75, 10.0, 10.5, 11.0, 12.0];
/// What is on the way between their ends must be less than what is wanted by this much, and part of what `e^{cY}` has gained there at the crossing, as a logarithm.
const LOG_BEYOND: f64 = 7.0;
/// And by this much more for a rise that is larger than the second.
const MORE_BEYOND: f64 = 20.0;
const LARGE_RISE: f64 = 0.55;
const PART_OF_GAIN: f64 = 0.8;
/// It has not gained more than this there, nor is the crossing farther than this part of the most that all losses take away.
const MOST_GAIN: f64 = 35.0;
const FARTHEST_CROSSING: f64 = 0.75;
const LEFT_OF_SADDLE: f64 = 0.5;
/// Cuts that are sharper than this, in the same units, are not looked at.
const SHARPEST: f64 = 0.085;
/// Less than this is not taken away, as a logarithm: tilts are of the size of its inverse.
const MOST_LOG: f64 = 50.0;
/// Larger rises are turned too far from the real line there.
const MOST_RISE: f64 = 1.2;
/// How much of a hyperbola one bound is for, and how many there are at most.
pub(super) const SEGMENT: f64 = 0.2;
const MOST_SEGMENTS: usize = 90;
/// Farther on a hyperbola is next to its asymptotes.
const LEAST_TAIL: f64 = 2.0;
/// Where the turned part of a path begins, as a part of `1/|y|`.
const TURNING: f64 = 0.5;
/// Rays that are looked at from there on begin at this part of the most that all losses take away.
const LEAST_PART: f64 = 5e-4;

/// A law below its cut, used many times, with paths along which it is bounded.
pub(super) struct Paths {
    pub(super) law: RiseLaw,
    /// k.
    pub(super) count: f64,
    /// `−k log(1 − w)`, the most that all losses take away.
    pub(super) taken: f64,
    /// That and the least ε, for which all bounds are: `e^{−εz}` grows where ε is below 0.
    pub(super) fall: f64,
    /// How many spreads beyond the cut rays end.
    pub(super) spreads: f64,
    /// The logarithm of the rise there.
    pub(super) log_end: f64,
    rays: Vec<Ray>,
    /// All of the ray that is turned against a hyperbola far out.
    far: Ray,
    /// The ways from their ends to that of the nodes.
    ends: Vec<Vec<Cell>>,
    /// What is before every piece of them.
    turnings: Vec<OnceLock<Turning>>,
}

/// All outcomes below a rise, and the way from the real line to the rays there.
struct Turning {
    bulk: Bulk,
    arc: Vec<Cell>,
    /// Where that meets the rays.
    ends: Vec<usize>,
}

impl Turning {
    fn new(law: &RiseLaw, log_rise: f64, rays: &[Ray]) -> Self {
        let (mut arc, mut ends, mut angle) = (vec![], vec![], 0.0);
        for ray in rays {
            arc.extend(law.arc(log_rise, [angle, ray.angle]));
            ends.push(arc.len());
            angle = ray.angle;
        }
        Self { bulk: law.bulk(log_rise), arc, ends }
    }
}

/// A path that stays on the real line up to a rise and is then turned.
struct Path<'a> {
    bulk: Bulk,
    arc: &'a [Cell],
    beyond: &'a [Cell],
    end: &'a [Cell],
}

impl Path<'_> {
    /// The logarithm of a bound of |N| at z, next to `about`.
    fn log_bound(&self, z: Complex<f64>, about: Complex<f64>) -> f64 {
        let y = z + 1.0;
        let bulk = self.bulk.log_bound(y.re, 1.0 + about.re);
        log_bound(self.arc.iter().chain(self.beyond).chain(self.end), y, bulk)
    }
}

/// A piece of a hyperbola.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The logarithms of bounds of the integrand, and of N.
    pub(super) log_most: f64,
    pub(super) log_moment: f64,
    /// Three points of which it is within the triangle.
    pub(super) corners: [Complex<f64>; 3],
}

/// All pieces of a hyperbola that matter, and what is beyond them at most, as a logarithm.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub(super) segments: Vec<Segment>,
    log_tail: f64,
}

impl Bounds {
    /// The logarithm of the sum of all bounds from a segment on, each times a length.
    pub(super) fn log_total(&self, from: usize, length: f64) -> f64 {
        let some = &self.segments[from..];
        let logs: Vec<f64> = some.iter().map(|segment| segment.log_most).chain([self.log_tail]).collect();
        let most = largest(&logs);
        let sum: f64 = some.iter().map(|segment| length * exp(segment.log_most - most)).sum();
        most + ln(sum + exp(self.log_tail - most)) + 1e-9
    }
}

impl Paths {
    /// With rays that end where nothing is left.
    pub(super) fn new(
        law: RiseLaw,
        count: f64,
        (taken, least): (f64, f64),
        log_target: f64,
    ) -> Result<Self, Unfit> {
        let (at, spread) = law.cut();
        let log_end_at = |spreads: f64| law.log_rise(spreads * spread + at);
        let unit = law.unit();
        let is_enough = |spreads: &f64| {
            let rise = exp(log_end_at(*spreads));
            let gain = (FARTHEST_CROSSING * rise / taken).min(MOST_GAIN);
            // How far the outcome at the end of the last ray is from the real line, in spreads.
            let turn = (HIGH_RAY * unit).min(LARGEST_TURN);
            let off = turn * rise / -expm1(-rise) / unit;
            let beyond = LOG_BEYOND + MORE_BEYOND * (rise - LARGE_RISE).max(0.0);
            spreads * spreads > beyond + PART_OF_GAIN * gain + off * off + ln(taken) - log_target
        };
        let spreads = SPREADS.into_iter().find(is_enough).ok_or(Unfit::TooSmooth)?;
        let log_end = log_end_at(spreads);
        let first = Self::first_outcome(count, log_target);
        let log_first = ln(LEAST_PART * taken).max(law.log_rise(first));
        // Far below the cut nothing is cut off, on turned paths either.
        if unit < SHARPEST || at < 0.0 || !(ln(taken).is_finite() && -ln(taken) < MOST_LOG) {
            return Err(Unfit::InAnyCase);
        }
        if exp(log_end) > MOST_RISE {
            return Err(Unfit::TooSmooth);
        }
        let rays: Vec<Ray> = TURNS.iter().map(|turn| law.ray(turn * unit, log_first, log_end)).collect();
        let far = law.ray(TURNS[FAR_RAY] * unit, law.log_rise(first), log_end);
        let ends = rays.iter().map(|ray| law.arc(log_end, [ray.angle, END * unit])).collect();
        let turnings = (0..=rays[0].pieces()).map(|_| OnceLock::new()).collect();
        Ok(Self { law, count, taken, fall: taken + least, spreads, log_end, rays, far, ends, turnings })
    }

    /// Outcomes below this have less than `e^{log_target}` together, and than that in N.
    pub(super) fn first_outcome(count: f64, log_target: f64) -> f64 {
        -(2.0 * (10.0 + ln(count) - log_target)).sqrt()
    }

    /// A path that is turned as one of the rays from about `1/|y|` on.
    fn path(&self, ray: usize, y: Complex<f64>) -> Path<'_> {
        let (number, from, beyond) = self.rays[ray].beyond(ln(TURNING / y.norm()));
        let turning = self.turnings[number].get_or_init(|| Turning::new(&self.law, from, &self.rays));
        Path { bulk: turning.bulk, arc: &turning.arc[..turning.ends[ray]], beyond, end: &self.ends[ray] }
    }

    /// The path next to one of the rays on which the bound at z is smallest, and the ray of it.
    fn best(&self, z: Complex<f64>, near: usize) -> (Path<'_>, usize) {
        let bound = |ray: usize| self.path(ray, z + 1.0).log_bound(z, z);
        let farther = |best: (f64, usize), next: &dyn Fn(usize) -> Option<usize>| {
            let mut best = best;
            while let Some(ray) = next(best.1).filter(|ray| *ray < self.rays.len()) {
                let found = bound(ray);
                if found >= best.0 {
                    break;
                }
                best = (found, ray);
            }
            best
        };
        let first = (bound(near), near);
        let up = farther(first, &|ray| Some(ray + 1));
        let best = if up.1 == near { farther(first, &|ray| ray.checked_sub(1)) } else { up };
        (self.path(best.1, z + 1.0), best.1)
    }

    /// A bound of N at a tilt, as a logarithm. It grows with the tilt.
    pub(super) fn log_real(&self, tilt: f64) -> f64 {
        let z = Complex::new(tilt, 0.0);
        self.path(0, z + 1.0).log_bound(z, z)
    }

    /// `log |M e^{−εz}|` where N is as large as this.
    pub(super) fn log_powers(&self, log_moment: f64, z: Complex<f64>) -> f64 {
        self.count * log_moment - self.taken - self.fall * z.re
    }

    /// Where a hyperbola should cross the real line: left of the tilt at which the integrand there is about smallest, and not where much is gained at the end of the rays. Which part of the former that is, too.
    pub(super) fn crossing(&self) -> (f64, f64) {
        let log = |tilt: f64| self.log_powers(self.log_real(tilt), Complex::new(tilt, 0.0)) - 2.0 * ln(tilt);
        let tilt = |i: i32| exp(0.25 * f64::from(i)) / self.taken;
        let number = (-16..=12).map(|i| (i, log(tilt(i)))).min_by(|a, b| a.1.total_cmp(&b.1));
        let saddle = tilt(number.map_or(0, |(i, _)| i));
        let most = (LEFT_OF_SADDLE * saddle).min(FARTHEST_CROSSING / self.taken);
        let crossing = most.min(MOST_GAIN / exp(self.log_end));
        (crossing, crossing / most)
    }

    /// Bounds along `m cosh(s + iψ)`, s ≥ 0, until less than `e^{log_negligible}` is left. `None` if that takes too long.
    ///
    /// # Guarantee
    /// The logarithm of each bound bends upwards as a function of z, so that on a triangle it is largest at a corner; an arc of a
    /// hyperbola is within the triangle of its ends and the point `z(mid)/cosh(Δ/2)` where its tangents meet. There `|dz/ds| ≤ m cosh s`, and |z| and |z + 1| grow with s.
    pub(super) fn along(&self, scale: f64, angle: f64, log_negligible: f64) -> Option<Bounds> {
        let at = |s: f64| Complex::new(s, angle).cosh() * scale;
        let mut segments = Vec::new();
        let mut ray = 0;
        for i in 0..MOST_SEGMENTS {
            let from = SEGMENT * i as f64;
            let (first, last, middle) = (at(from), at(from + SEGMENT), at(from + 0.5 * SEGMENT));
            let corners = [first, last, middle / (0.5 * SEGMENT).cosh()];
            let (path, found) = self.best(middle, ray);
            ray = found;
            let moments = corners.map(|z| path.log_bound(z, middle));
            let powers: [f64; 3] = std::array::from_fn(|i| self.log_powers(moments[i], corners[i]));
            let kernel = ln(scale * (from + SEGMENT).cosh()) - 2.0 * ln(first.norm());
            let log_most = largest(&powers) + kernel + 1e-6;
            segments.push(Segment { log_most, log_moment: largest(&moments), corners });
            if log_most < log_negligible && from > LEAST_TAIL {
                let log_tail = self.log_tail(last);
                if log_tail < log_negligible {
                    return Some(Bounds { segments, log_tail });
                }
            }
        }
        None
    }

    /// The logarithm of a bound of all of the integrand beyond a point of a hyperbola, and of the sum over points there that are less than 0.1 apart.
    ///
    /// # Guarantee
    /// `|dz/ds| ≤ 1.04|z|` for s > 2, where |z| grows by nearly e for every s. On a ray that is turned so far that no `|e^{yY}|` grows with s, all else falls.
    fn log_tail(&self, z: Complex<f64>) -> f64 {
        let y = z + 1.0;
        let (before, cells) = self.far.where_it_falls();
        let cells = || cells.iter().chain(&self.ends[FAR_RAY]);
        if !cells().all(|cell| cell.falls_along(y)) {
            return f64::INFINITY;
        }
        self.log_powers(log_bound(cells(), y, before), z) - ln(z.norm()) + 0.3
    }
}
