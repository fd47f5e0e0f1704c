//! Bounds of the integrand along hyperbolas, by paths of the rises that are turned against them.

use super::Unfit;
use crate::pair::{Bulk, Cell, LARGEST_TURN, Ray, RiseLaw, largest, log_bound};
use hockeystick_numerics::special::{exp, ln};
use num_complex::Complex;
use std::{f64::consts::FRAC_PI_2, sync::OnceLock};

/// The rays that bounds are looked for on, as parts of how far all of them are turned at the end, and the one that is turned against all of a hyperbola far out.
const TURNS: [f64; 8] = [0.0, 0.25, 0.45, 0.6, 0.75, 0.9, 1.0, HIGH_RAY];
const FAR_RAY: usize = 6;
/// The ray that is turned farthest, in the same terms.
pub(super) const HIGH_RAY: f64 = 1.08;
/// Where the hyperbola crosses the real line, as a part of the digits that are wanted over the most that all losses take away, and at least; how many times farther it may, and is tried to.
const CROSSING: f64 = 0.2;
/// More digits do not move it: roundings are gained there as well.
const MOST_DIGITS: f64 = 30.0;
const LEAST_CROSSING: f64 = 5.0;
const FARTHEST: f64 = 2.5;
const FARTHER: f64 = 1.12;
/// Where the integrand is smallest farther left, over the same, many losses have one scale, and a line is shorter.
const FARTHEST_SADDLE: f64 = 16.0;
/// Where it is farther left than this there are many of them, whose sum is about normal: the square of y is not to turn to the right of the imaginary line on any edge.
const MANY: f64 = 9.0;
const TURN_OF_MANY: f64 = 0.85;
/// What roundings are of all, about, as a logarithm.
const LOG_ROUNDING: f64 = -65.0;
/// How much less than wanted the ends of rays are to leave, as a logarithm.
const LOG_SPARE: f64 = 1.0;
/// Rays end at this many times the most that all losses take away and ε adds, at least: beyond that once nothing is left.
const LEAST_END: f64 = 2.0;
/// Beyond this outcome there is nothing.
const LAST_OUTCOME: f64 = 14.0;
/// Less than this is not taken away, as a logarithm: tilts are of the size of its inverse.
const MOST_LOG: f64 = 50.0;
/// Rises are not looked at farther.
const MOST_RISE: f64 = 3.0;
/// A ray has no more pieces than these.
pub(super) const MOST_PIECES: f64 = 4000.0;
/// How much of a hyperbola one bound is for, and how many there are at most.
pub(super) const SEGMENT: f64 = 0.2;
const MOST_SEGMENTS: usize = 60;
/// Farther on a hyperbola is next to its asymptotes.
const LEAST_TAIL: f64 = 2.0;
/// Where the turned part of a path begins, as a part of `1/|y|`.
const TURNING: f64 = 0.5;
/// Rays that are looked at from there on begin at this part of the most that all losses take away.
const LEAST_PART: f64 = 2e-4;

/// A law that is used many times, with paths along which it is bounded.
pub(super) struct Paths {
    pub(super) law: RiseLaw,
    /// k.
    pub(super) count: f64,
    /// `−k log(1 − w)`, the most that all losses take away.
    pub(super) taken: f64,
    /// The least and the largest ε of the swapped pair, for which all bounds are: `e^{εy}` is larger at one of them.
    pub(super) range: [f64; 2],
    /// How far rises are turned at the end.
    pub(super) turn: f64,
    /// How far left of 0 a hyperbola should cross the real line.
    pub(super) crossing: f64,
    /// The logarithm of the rise at which rays end.
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
    fn new(law: &RiseLaw, log_rise: f64, rays: &[Ray], piece: f64) -> Self {
        let (mut arc, mut ends, mut angle) = (vec![], vec![], 0.0);
        for ray in rays {
            arc.extend(law.arc(log_rise, [angle, ray.angle], piece));
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
    /// The logarithms of bounds of |N| at some y, and all between, next to `about`.
    fn log_bounds<const N: usize>(&self, all: [Complex<f64>; N], about: Complex<f64>) -> [f64; N] {
        let bulk = self.bulk.bound(about, &all);
        all.map(|y| log_bound(self.arc.iter().chain(self.beyond).chain(self.end), y, Some(&bulk)))
    }

    fn log_bound(&self, y: Complex<f64>) -> f64 {
        let [bound] = self.log_bounds([y], y);
        bound
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
    /// With rays that end where nothing is left, turned by an angle there.
    ///
    /// At the crossing −c `|e^{yY}|` has fallen to `e^{−cY cos η}` at the end of rays that are turned by η. That is to be next to nothing, or the crossing is moved to the left.
    pub(super) fn new(
        law: RiseLaw,
        count: f64,
        (taken, range): (f64, [f64; 2]),
        log_target: f64,
        turn: f64,
    ) -> Result<Self, Unfit> {
        let fall = taken - range[0];
        let digits = ln(taken) - log_target;
        let is_usual = fall > 0.0
            && LEAST_END * fall <= MOST_RISE
            && taken - range[1] > 0.0
            && digits.is_finite()
            && (-MOST_LOG..0.0).contains(&ln(taken))
            && (ln(MOST_RISE) - law.log_rise(Self::first_outcome(count, log_target))) / law.piece(turn)
                < MOST_PIECES
            && HIGH_RAY * turn <= LARGEST_TURN;
        if !is_usual {
            return Err(Unfit::InAnyCase);
        }
        let first = Self::first_outcome(count, log_target);
        let piece = law.piece(turn);
        let log_first = ln(LEAST_PART * taken).max(law.log_rise(first));
        let longest = ln(MOST_RISE);
        let mut paths = Self {
            law,
            count,
            taken,
            range,
            turn,
            crossing: 0.0,
            log_end: longest,
            rays: vec![law.ray(0.0, [log_first, longest], piece)],
            far: law.ray(0.0, [longest - 1.0, longest], piece),
            ends: vec![vec![]],
            turnings: vec![],
        };
        paths.turnings = (0..=paths.rays[0].pieces()).map(|_| OnceLock::new()).collect();
        let crossing = |part: f64| (CROSSING * part * digits.min(MOST_DIGITS)).max(LEAST_CROSSING) / fall;
        let saddle = paths.saddle();
        if saddle * fall > FARTHEST_SADDLE {
            return Err(Unfit::InAnyCase);
        }
        if saddle * fall > MANY && turn > TURN_OF_MANY {
            return Err(Unfit::TurnedTooFar);
        }
        let least = crossing(1.0).max(saddle);
        // Farther left too much is gained before it falls.
        let most = crossing(FARTHEST).max(least);
        let crossings = (0..).map(|i| FARTHER.powi(i) * least).take_while(|crossing| *crossing <= most);
        let log_all = |crossing: f64| {
            paths.log_powers(paths.log_real(-crossing), Complex::new(-crossing, 0.0)) + ln(count / crossing)
        };
        let growth = 0.5 * (turn / law.mu()) * (turn / law.mu());
        let end = |crossing: f64| {
            let log_left = log_all(crossing) + growth + LOG_SPARE - log_target;
            log_left / (crossing * (HIGH_RAY * turn).cos())
        };
        // Roundings of what is gained must not exceed what is wanted.
        let is_exact = |crossing: f64| crossing == least || log_all(crossing) + LOG_ROUNDING < log_target;
        let found = crossings.map(|crossing| (crossing, end(crossing))).find(|(_, end)| *end <= MOST_RISE);
        let (crossing, end) = found.filter(|(crossing, _)| is_exact(*crossing)).ok_or(Unfit::TurnedTooFar)?;
        let end = end.min(exp(law.log_rise(LAST_OUTCOME))).max(LEAST_END * fall).min(MOST_RISE);
        let log_end = ln(end);
        let log_first = log_first.min(log_end - 1.0);
        let ray = |part: &f64| law.ray(part * turn, [log_first, log_end], piece);
        let rays: Vec<Ray> = TURNS.iter().map(ray).collect();
        let far = law.ray(TURNS[FAR_RAY] * turn, [law.log_rise(first).min(log_first), log_end], piece);
        let ends = rays.iter().map(|ray| law.arc(log_end, [ray.angle, turn], piece)).collect();
        let turnings = (0..=rays[0].pieces()).map(|_| OnceLock::new()).collect();
        Ok(Self { crossing, log_end, rays, far, ends, turnings, ..paths })
    }

    /// How long pieces of paths are.
    pub(super) fn piece(&self) -> f64 {
        self.law.piece(self.turn)
    }

    /// Outcomes below this have less than `e^{log_target}` together, and than that in N.
    pub(super) fn first_outcome(count: f64, log_target: f64) -> f64 {
        -(2.0 * (10.0 + ln(count) - log_target)).sqrt()
    }

    /// A path that is turned as one of the rays from about `1/|y|` on.
    fn path(&self, ray: usize, y: Complex<f64>) -> Path<'_> {
        let (number, from, beyond) = self.rays[ray].beyond(ln(TURNING / y.norm()));
        let turning =
            self.turnings[number].get_or_init(|| Turning::new(&self.law, from, &self.rays, self.piece()));
        Path { bulk: turning.bulk, arc: &turning.arc[..turning.ends[ray]], beyond, end: &self.ends[ray] }
    }

    /// The path next to one of the rays on which the bound at y is smallest, and the ray of it.
    fn best(&self, y: Complex<f64>, near: usize) -> (Path<'_>, usize) {
        let bound = |ray: usize| self.path(ray, y).log_bound(y);
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
        (self.path(best.1, y), best.1)
    }

    /// A bound of what N has on the real line up to the end, at a real y, as a logarithm. It grows with y.
    pub(super) fn log_real(&self, y: f64) -> f64 {
        let y = Complex::new(y, 0.0);
        let Path { bulk, arc, beyond, .. } = self.path(0, y);
        Path { bulk, arc, beyond, end: &[] }.log_bound(y)
    }

    /// `log |M e^{εy}|` where N is as large as this, for all ε there are.
    pub(super) fn log_powers(&self, log_moment: f64, y: Complex<f64>) -> f64 {
        let [least, most] = self.range;
        self.count * log_moment - self.taken * y.re + (least * y.re).max(most * y.re)
    }

    /// The most that all losses take away and ε adds.
    pub(super) fn farthest_fall(&self) -> f64 {
        self.taken + self.range[0].abs().max(self.range[1].abs())
    }

    /// How far left of 0 the integrand is smallest on the real line, about.
    fn saddle(&self) -> f64 {
        let log =
            |tilt: f64| self.log_powers(self.log_real(-tilt), Complex::new(-tilt, 0.0)) - 2.0 * ln(tilt);
        let tilt = |i: i32| exp(0.25 * f64::from(i)) / self.taken;
        let number = (0..=16).map(|i| (i, log(tilt(i)))).min_by(|a, b| a.1.total_cmp(&b.1));
        tilt(number.map_or(0, |(i, _)| i))
    }

    /// Bounds along `m(cosh(s + iψ) − 1)`, s ≥ 0, until less than `e^{log_negligible}` is left. `None` if that takes too long.
    ///
    /// # Guarantee
    /// The logarithm of each bound bends upwards as a function of y, so that on a triangle it is largest at a corner; an arc of a
    /// hyperbola is within the triangle of its ends and the point where its tangents meet, which is `z(mid)/cosh(Δ/2)` of `z = m cosh(s + iψ)`. There `|dy/ds| ≤ m cosh s`, and
    /// `|y| = 2m(sinh²(s/2) + sin²(ψ/2))` grows with s. The other pole is at 1, and `|y − 1| ≥ |y| − 1`.
    pub(super) fn along(&self, scale: f64, angle: f64, log_negligible: f64) -> Option<Bounds> {
        let from_center = |s: f64| Complex::new(s, angle).cosh() * scale;
        let mut segments = Vec::new();
        let mut ray = 0;
        for i in 0..MOST_SEGMENTS {
            let from = SEGMENT * i as f64;
            let [first, last, middle] = [0.0, 1.0, 0.5].map(|part| from_center(SEGMENT.mul_add(part, from)));
            let corners = [first, last, middle / (0.5 * SEGMENT).cosh()].map(|corner| corner - scale);
            let middle = middle - scale;
            // The farther right, the farther a path has to be turned.
            let (path, found) = self.best(corners[1], ray);
            ray = found;
            let moments = path.log_bounds(corners, middle);
            let powers: [f64; 3] = std::array::from_fn(|i| self.log_powers(moments[i], corners[i]));
            let norm = corners[0].norm();
            let kernel = ln(scale * (from + SEGMENT).cosh()) - ln(norm) - ln(norm - 1.0);
            let log_most = largest(&powers) + kernel + 1e-6;
            segments.push(Segment { log_most, log_moment: largest(&moments), corners });
            if log_most < log_negligible && from > LEAST_TAIL {
                let log_tail = self.log_tail(corners[1], angle);
                if log_tail < log_negligible {
                    return Some(Bounds { segments, log_tail });
                }
            }
        }
        None
    }

    /// The logarithm of a bound of all of the integrand beyond a point of a hyperbola, and of the sum over points there that are not more than 0.1 apart.
    ///
    /// # Guarantee
    /// For s > 2, `|dy/ds| = |coth((s + iψ)/2)||y| ≤ 1.32|y|` and `d log |y|/ds = sinh s/(cosh s − cos ψ) > 0.96`. Along the hyperbola y moves in directions between `e^{iψ}` and i: where in these
    /// no `|e^{yY}|` grows on a ray, N is bounded by what it is at the point, and all else falls. So there is `1.32/0.96` over `|y| − 1`, and a tenth of 1.32 for sums.
    fn log_tail(&self, y: Complex<f64>, angle: f64) -> f64 {
        let direction = Complex::from_polar(1.0, angle);
        let (before, cells) = self.far.where_it_falls();
        let cells = || cells.iter().chain(&self.ends[FAR_RAY]);
        if angle + self.far.angle < FRAC_PI_2 || !cells().all(|cell| cell.falls_along(direction)) {
            return f64::INFINITY;
        }
        self.log_powers(log_bound(cells(), y, Some(&before)), y) - ln(y.norm() - 1.0) + 0.45
    }
}
