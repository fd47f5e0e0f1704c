//! The largest value of a concave function, enclosed from finitely many of its values.
//!
//! A concave function lies below every one of its chords, extended beyond its ends. Between two neighbouring points the
//! chords to the left and to the right therefore make a roof; the highest roof bounds the maximum from above, the highest
//! value from below. The next point goes under the ridge of the highest roof: a kink is hit in one step, a smooth maximum
//! approached quadratically. Every point makes the bounds better and none can make them wrong.

use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    rounding::{add_up, div_up, mul_up},
};

/// Points inserted at most.
const MOST_POINTS: usize = 120;
/// Rounds without progress before the search ends.
const PATIENCE: usize = 20;
/// Bounds this close, relative to the largest value, are as good as round-off lets them be.
const CLOSE: f64 = 4.0 * f64::EPSILON;
/// So many chords are tried on each side: one between points that are very close is all round-off.
const CHORDS: usize = 4;
/// So many neighbours of the highest value are returned on each side.
const NEAREST: usize = 2;

/// How a position on the axis becomes an argument of the function.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Axis {
    /// The position is the argument.
    Linear,
    /// The position is the logarithm of the argument.
    Logarithmic,
}

/// What is known beyond the last starting point.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Beyond {
    /// The domain ends there.
    Nothing,
    /// The function does not rise.
    Falling,
    /// Only what the chords say.
    Unknown,
}

impl Axis {
    fn gap(self, from: f64, to: f64) -> Enclosure {
        let difference = || (Ball::from(to) - Ball::from(from)).enclosure();
        match self {
            Self::Linear => difference(),
            Self::Logarithmic if from == f64::NEG_INFINITY => Enclosure::point(to).exp(),
            Self::Logarithmic => Enclosure::point(from).exp() * difference().exp_m1(),
        }
    }

    /// About the position `distance` to the right.
    fn advance(self, from: f64, distance: f64) -> f64 {
        match self {
            Self::Linear => from + distance,
            Self::Logarithmic if from == f64::NEG_INFINITY => distance.ln(),
            Self::Logarithmic => from + (distance * (-from).exp()).ln_1p(),
        }
    }
}

struct Point {
    at: f64,
    value: Enclosure,
}

/// A bound on the function between two neighbouring points, and how far from the left one it is reached.
pub(super) struct Roof {
    pub(super) height: f64,
    ridge: f64,
}

/// The supremum of a concave `function` on the domain that begins at the first of the `start` positions (at least two,
/// increasing).
///
/// # Guarantee
/// Encloses the supremum if the function is concave in its argument and its values are enclosed.
pub(super) fn supremum(
    axis: Axis,
    start: &[f64],
    beyond: Beyond,
    function: impl Fn(f64) -> Enclosure,
) -> Enclosure {
    supremum_and_points(axis, start, beyond, function).0
}

/// The same, and the positions of the highest value and of its nearest neighbours on either side.
pub(super) fn supremum_and_points(
    axis: Axis,
    start: &[f64],
    beyond: Beyond,
    function: impl Fn(f64) -> Enclosure,
) -> (Enclosure, Vec<f64>) {
    let point = |at: f64| Point { at, value: function(at) };
    let mut points: Vec<Point> = start.iter().map(|&at| point(at)).collect();
    let mut roofs: Vec<Roof> = (1..points.len()).map(|right| roof(axis, &points, right)).collect();
    let mut lower = points.iter().map(|p| p.value.lower()).fold(f64::NEG_INFINITY, f64::max);
    let (mut upper, mut patience) = (f64::INFINITY, PATIENCE);
    for _ in 0..MOST_POINTS {
        let Some((highest, top)) = roofs.iter().enumerate().max_by(|a, b| a.1.height.total_cmp(&b.1.height))
        else {
            break;
        };
        let bound = top.height.max(bound_beyond(axis, &points, beyond));
        // Where round-off rules, more points do not help.
        let gains = bound - lower < 0.9 * (upper - lower) || bound == f64::INFINITY;
        patience = if gains { PATIENCE } else { patience - 1 };
        upper = upper.min(bound);
        let (left, right) = (points[highest].at, points[highest + 1].at);
        // A lopsided roof has its ridge near one end, round after round: halving in turns gets past it.
        let halves = patience % 2 == 1 && left.is_finite();
        let at = if halves { 0.5 * (left + right) } else { axis.advance(left, top.ridge) };
        let is_inside = left < at && at < right;
        if upper - lower <= CLOSE * lower.abs() || patience == 0 || !is_inside {
            break;
        }
        points.insert(highest + 1, point(at));
        lower = lower.max(points[highest + 1].value.lower());
        // The new point ends chords of the roofs around it only.
        roofs.insert(highest, Roof { height: f64::INFINITY, ridge: 0.0 });
        for i in highest.saturating_sub(CHORDS)..(highest + CHORDS + 2).min(roofs.len()) {
            roofs[i] = roof(axis, &points, i + 1);
        }
    }
    let top =
        (0..points.len()).max_by(|a, b| points[*a].value.midpoint().total_cmp(&points[*b].value.midpoint()));
    let top = top.unwrap_or_default();
    let near = &points[top.saturating_sub(NEAREST)..(top + NEAREST + 1).min(points.len())];
    (Enclosure::new(lower, upper.max(lower)), near.iter().map(|point| point.at).collect())
}

/// The smallest upper bound on the slopes of some chords that end at point `at` and begin at points on its side.
fn slope(axis: Axis, points: &[Point], at: usize, to_the_left: bool) -> f64 {
    let chord = |other: usize| {
        let gap = axis.gap(points[at.min(other)].at, points[at.max(other)].at);
        ((points[at].value - points[other].value) / gap).upper()
    };
    let slopes = (1..=CHORDS).filter_map(|i| {
        let other =
            if to_the_left { at.checked_sub(i)? } else { Some(at + i).filter(|&j| j < points.len())? };
        Some(chord(other))
    });
    slopes.fold(f64::INFINITY, f64::min)
}

/// The roof between point `right` and the one to its left.
fn roof(axis: Axis, points: &[Point], right: usize) -> Roof {
    let left = right - 1;
    let gap = axis.gap(points[left].at, points[right].at).upper();
    let rise = slope(axis, points, left, true);
    let fall = slope(axis, points, right, false);
    Roof::over((points[left].value.upper(), rise), (points[right].value.upper(), fall), gap)
}

impl Roof {
    /// Over a gap with a height at either end, and upper bounds of the slopes with which the sides climb from there; ∞ where there is none.
    pub(super) fn over((low, rise): (f64, f64), (high, fall): (f64, f64), gap: f64) -> Self {
        // A falling side is bounded by a level one.
        let (rise, fall) = (rise.max(0.0), fall.max(0.0));
        let left_at_right = add_up(low, mul_up(rise, gap));
        let right_at_left = add_up(high, mul_up(fall, gap));
        if left_at_right <= high || !fall.is_finite() {
            return Self { height: left_at_right, ridge: if fall.is_finite() { gap } else { 0.5 * gap } };
        }
        if right_at_left <= low || !rise.is_finite() {
            return Self { height: right_at_left, ridge: if rise.is_finite() { 0.0 } else { 0.5 * gap } };
        }
        // low + rise·s = high + fall·(gap − s), and the height there as the lower end plus what is climbed from it.
        let climb = div_up(add_up(add_up(high, -low), mul_up(fall, gap)), (rise + fall).next_down());
        let height = add_up(low, mul_up(rise, climb)).min(left_at_right).min(right_at_left);
        Self { height, ridge: climb }
    }
}

/// A bound on the function to the right of all points.
fn bound_beyond(axis: Axis, points: &[Point], beyond: Beyond) -> f64 {
    let last = points.len() - 1;
    match beyond {
        Beyond::Nothing => f64::NEG_INFINITY,
        Beyond::Unknown if slope(axis, points, last, true) > 0.0 => f64::INFINITY,
        Beyond::Falling | Beyond::Unknown => points[last].value.upper(),
    }
}
