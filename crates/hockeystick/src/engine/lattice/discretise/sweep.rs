//! Places edges along a density so that each merged loss is a point of the grid.

use super::super::{
    grid::Grid,
    outcomes::{Mass, Stretch},
    tuning::TUNING,
};
use hockeystick_numerics::{limits::check, rounding::UNIT_ROUNDOFF};

/// Edges between two checks of the time limit: some hundredths of a millisecond.
const MANY: usize = 128;

/// The destination of merged outcomes.
pub(crate) enum Place {
    /// A point of the grid.
    Point {
        index: i64,
        /// How far the merged loss may be below that point.
        short: f64,
    },
    /// None: their loss is between points. The first and the last of a pass.
    Between,
}

/// A pass along a stretch towards larger densities. An edge that is not half-way between points makes the next one deviate to the other side;
/// towards larger densities these deviations decrease.
#[derive(Clone, Copy)]
pub(crate) struct Sweep<'a> {
    stretch: &'a Stretch,
    grid: Grid,
    light: f64,
    heavy: f64,
    /// 1 if losses rise on the way, −1 if they fall.
    sign: f64,
}

/// An edge between merged outcomes.
#[derive(Clone, Copy)]
struct Edge {
    at: f64,
    loss: f64,
    slope: f64,
}

impl<'a> Sweep<'a> {
    pub(crate) fn along(stretch: &'a Stretch, grid: Grid) -> Self {
        let rough = 1e-3 * grid.spacing;
        let within = |from: f64, loss: f64| stretch.mass(from, stretch.outcome(loss, from, rough).0).p;
        let cut = |end: f64| {
            let loss = stretch.loss(end).value;
            let inside = loss.clamp(grid.near(grid.first), grid.near(grid.last));
            if inside == loss { (end, loss) } else { (stretch.outcome(inside, end, rough).0, inside) }
        };
        let ((bottom, lowest), (top, highest)) = (cut(stretch.bottom), cut(stretch.top));
        if within(bottom, lowest + grid.spacing) >= within(top, highest - grid.spacing) {
            Self { stretch, grid, light: top, heavy: bottom, sign: -1.0 }
        } else {
            Self { stretch, grid, light: bottom, heavy: top, sign: 1.0 }
        }
    }

    /// Calls `put` with each set of merged outcomes.
    pub(crate) fn run(self, mut put: impl FnMut(Place, Mass)) {
        let Self { stretch, grid, light, heavy, sign } = self;
        let (spacing, last_loss) = (grid.spacing, stretch.loss(heavy).value);
        let is_past_end = |loss: f64| sign * (loss - last_loss) >= 0.0;
        // The first edge is half-way between two points.
        let start = stretch.loss(light).value;
        let first = self.half_way_beyond(start);
        if is_past_end(first) {
            return put(Place::Between, stretch.mass(light, heavy));
        }
        let (at, loss) = stretch.outcome(first, light, 1e-3 * spacing);
        put(Place::Between, stretch.mass(light, at));
        let mut edge = Edge { at, loss: loss.value, slope: loss.slope };
        let (mut bend, mut skew, mut half_width, mut speed) = (0.0, 0.0, 0.5 * spacing, 0.5);
        // A limit, for a spacing below the resolution of the losses.
        for round in 0..=4 * grid.last.saturating_sub(grid.first).max(0) as usize + 16 {
            if round % MANY == 0 {
                check();
            }
            let stride = grid.stride(grid.below(edge.loss), sign);
            if stride == 1 && self.off_half_way(edge.loss) > TUNING.farthest_edge {
                // Back to half-way.
                let half_way = self.half_way_beyond(edge.loss + sign * TUNING.nearest_edge * spacing);
                if is_past_end(half_way) {
                    break;
                }
                let guess = edge.at + (half_way - edge.loss) / edge.slope;
                let (at, loss) = stretch.outcome(half_way, guess, 1e-3 * spacing);
                put(Place::Between, stretch.mass(edge.at, at));
                edge = Edge { at, loss: loss.value, slope: loss.slope };
                (skew, half_width) = (0.0, 0.5 * spacing);
                continue;
            }
            // The next edge is about as far beyond the point as the last edge is before it, corrected for the slope of the density.
            let wide = 0.5 * spacing * (stride - 2).max(0) as f64;
            let index = self.point_beyond(edge.loss + sign * (wide + TUNING.nearest_edge * spacing));
            let point = grid.near(index);
            let reach = point - edge.loss;
            let target = point + reach + skew * (reach / half_width).powi(2);
            if is_past_end(target) {
                break;
            }
            let step = (target - edge.loss) / edge.slope;
            let guess = edge.at + step * (1.0 - 0.5 * bend * step);
            let (near, there) = stretch.outcome(target, guess, 1e-2 * spacing);
            let aim = near + (target - there.value) / there.slope;
            let Some((next, mass)) = self.balanced(point, edge.at, aim, there.slope, &mut speed) else {
                break;
            };
            put(self.place(index, &mass), mass);
            bend = 2.0 * (there.slope - edge.slope) / ((near - edge.at) * (there.slope + edge.slope));
            bend = if bend.is_finite() { bend } else { 0.0 };
            let mut loss = there.value + (next - near) * there.slope;
            let mut slope = there.slope + bend * there.slope * (next - near);
            if (loss - there.value).abs() > 0.1 * spacing {
                // Too far for the linear extrapolation.
                let exact = stretch.loss(next);
                (loss, slope) = (exact.value, exact.slope);
            }
            (skew, half_width) = (loss + edge.loss - 2.0 * point, reach);
            edge = Edge { at: next, loss, slope };
        }
        put(Place::Between, stretch.mass(edge.at, heavy));
    }

    /// The next loss beyond one that is half-way between two points.
    fn half_way_beyond(&self, loss: f64) -> f64 {
        let half = 0.5 * self.sign * self.grid.spacing;
        self.grid.near(self.point_beyond(loss - half)) + half
    }

    /// The distance of a loss from the nearest midpoint, in spacings.
    fn off_half_way(&self, loss: f64) -> f64 {
        ((loss - self.grid.near(self.grid.below(loss))) / self.grid.spacing - 0.5).abs()
    }

    /// The next point at or beyond a loss.
    fn point_beyond(&self, loss: f64) -> i64 {
        if self.sign > 0.0 { self.grid.above(loss) } else { self.grid.below(loss) }
    }

    /// The edge for which the outcomes from `edge` to it have the merged loss `point`: by secant steps from a guess, and by bisection if those fail.
    /// `None` if even all remaining outcomes do not reach that loss. `part` is the derivative of the merged loss by that of the edge: ½ for a uniform
    /// density, updated from one edge to the next.
    fn balanced(self, point: f64, edge: f64, guess: f64, slope: f64, part: &mut f64) -> Option<(f64, Mass)> {
        let (low, high) = (edge.min(self.heavy), edge.max(self.heavy));
        let close = self.grid.spacing * TUNING.edge_of(self.grid.spacing);
        let is_close = |mass: &Mass| (mass.loss - point).abs() <= close + mass.loss_error;
        let (mut now, mut speed) = (guess, *part * slope);
        if now > low && now < high {
            let mut mass = self.stretch.mass(edge, now);
            for _ in 0..6 {
                if is_close(&mass) && mass.p > 0.0 {
                    *part = (speed / slope).clamp(0.3, 0.7);
                    return Some((now, mass));
                }
                let next = now - (mass.loss - point) / speed;
                if !(next > low && next < high) {
                    break;
                }
                let next_mass = self.stretch.mass(edge, next);
                let secant = (next_mass.loss - mass.loss) / (next - now);
                if secant * speed > 0.0 {
                    speed = secant;
                }
                (now, mass) = (next, next_mass);
            }
        }
        let (mut near, mut far) = (edge, self.heavy);
        if self.sign * (self.stretch.mass(edge, far).loss - point) < 0.0 {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            let mass = self.stretch.mass(edge, middle);
            if is_close(&mass) {
                far = middle;
                break;
            }
            if self.sign * (mass.loss - point) < 0.0 { near = middle } else { far = middle }
        }
        (far != edge).then(|| (far, self.stretch.mass(edge, far)))
    }

    /// The intended point, if the merged loss is proven to be at least that, up to a recorded shortfall.
    fn place(&self, index: i64, mass: &Mass) -> Place {
        let point = self.grid.near(index);
        let rounding = 8.0 * UNIT_ROUNDOFF * (self.grid.spacing + mass.loss.abs());
        let short = point - mass.loss + mass.loss_error + rounding;
        if short <= TUNING.on_point * self.grid.spacing && mass.loss < point + self.grid.spacing {
            Place::Point { index, short: short.max(0.0) }
        } else {
            Place::Between
        }
    }
}
