//! A piecewise linear function below a convex curve that is enclosed at some points.

use crate::pair::shape::profile::Vertex;
use hockeystick_numerics::{
    ball::Ball,
    special::{exp, expm1, ln},
};

/// A point of a curve: `H(e^ε)` is between two heights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) upper: Vertex,
    pub(super) lower: Vertex,
}

impl Known {
    fn loss(&self) -> f64 {
        self.lower.loss
    }

    pub(super) fn mirrored(self) -> Self {
        Self { upper: self.upper.mirrored(), lower: self.lower.mirrored() }
    }
}

/// Of each height this part is given up, so that what round-off adds to a hull is made up for.
const ROOM: f64 = 1.0 - 1e-13;

/// A corner of the function, and its height before `ROOM` is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) loss: f64,
    pub(super) height: f64,
}

impl Corner {
    pub(super) fn vertex(self) -> Vertex {
        Vertex::new(self.loss, self.height * ROOM)
    }
}

/// Corners at losses from 0 on of a function below the curve, over points with ascending losses, 0 among them. `end` is a lower bound of the limit of the curve.
///
/// # Guarantee
/// With the heights of `points`: `H` is convex and falls. Let `a < b` be neighbours. Right of `b` it is at least the line through `(a, upper)` and `(b, lower)`, since a chord of a
/// convex function that is extended is below it, and `H(a)` and `H(b)` are on the sides of the line that make it lower still. Left of `a`, it is at least the line through
/// `(a, lower)` and `(b, upper)`, and the constant `H(a)`. Within a cell both a line from the left and one from the right hold: the corner is anywhere in the cell, no higher than
/// either. From it to the ends of the cell chords run below these lines (`docs/design/curve-pairs.md`, Lemma 2).
pub(super) fn corners(points: &[Known], end: f64) -> Vec<Corner> {
    let first = points.partition_point(|point| point.loss() < 0.0);
    let mut corners = Vec::with_capacity(2 * (points.len() - first) + 1);
    for at in first..points.len() {
        corners.push(Corner { loss: points[at].loss(), height: height(points[at].lower.value) });
        let from_left = Left::new(at.checked_sub(1).map(|before| &points[before]), &points[at]);
        match points.get(at + 1) {
            Some(next) => corners.push(within(&from_left, &Right::new(next, points.get(at + 2)))),
            None => corners.push(from_left.falls_to(end)),
        }
    }
    corners
}

fn height(ball: Ball) -> f64 {
    ball.enclosure().lower().max(0.0)
}

/// The line through `(a, upper)` and `(b, lower)`, right of `b`: `h_b − s·(e^{ε−b} − 1)`.
struct Left {
    from: f64,
    height: Ball,
    slope: Ball,
}

impl Left {
    fn new(a: Option<&Known>, b: &Known) -> Self {
        let height = b.lower.value;
        let slope = match a {
            Some(a) => {
                let share = -(Ball::from(a.loss()) - Ball::from(b.loss())).exp_m1();
                (a.upper.value - height) / share
            }
            // (0, 1) is on every curve.
            None => Ball::ONE - height,
        };
        Self { from: b.loss(), height, slope }
    }

    fn at(&self, loss: f64) -> Ball {
        self.height - self.slope * (Ball::from(loss) - Ball::from(self.from)).exp_m1()
    }

    /// The corner from which on nothing but the limit is known.
    fn falls_to(&self, end: f64) -> Corner {
        let room = (self.height.approximate() - end) / self.slope.approximate();
        let mut step = if room > 0.0 && room.is_finite() { (1.0 - 1e-9) * room.ln_1p() } else { 0.0 };
        while step > 0.0 && self.at(self.from + step).enclosure().lower() < end {
            step = if step > 1e-3 * room.min(1.0) { 0.5 * step } else { 0.0 };
        }
        Corner { loss: self.from + step, height: end }
    }
}

/// The larger of the constant `h_a` and the line through `(a, lower)` and `(b, upper)`, left of `a`: `h_a + s·(1 − e^{ε−a})`.
struct Right {
    to: f64,
    height: Ball,
    slope: Ball,
}

impl Right {
    fn new(a: &Known, b: Option<&Known>) -> Self {
        let height = a.lower.value;
        let slope = b.map_or(Ball::ZERO, |b| {
            let fall = height - b.upper.value;
            if fall.enclosure().lower() <= 0.0 {
                return Ball::ZERO;
            }
            fall / (Ball::from(b.loss()) - Ball::from(a.loss())).exp_m1()
        });
        Self { to: a.loss(), height, slope }
    }

    fn at(&self, loss: f64) -> Ball {
        self.height - self.slope * (Ball::from(loss) - Ball::from(self.to)).exp_m1()
    }
}

/// Shares of a cell to step back by.
const BACK: [f64; 4] = [0.0, 1e-12, 1e-8, 1e-4];

/// A corner about where the lines meet, no higher than either.
fn within(left: &Left, right: &Right) -> Corner {
    let wide = right.to - left.from;
    // With x = e^{ε−from} − 1: h − s·x = h′ + s′·(1 − (1 + x)e^{−wide}).
    let (h, s) = (left.height.approximate(), left.slope.approximate());
    let (above, fall) = (right.height.approximate(), right.slope.approximate());
    let shrink = exp(-wide);
    let x = (h - above + fall * expm1(-wide)) / (s - fall * shrink);
    let step = if x.is_finite() { ln(1.0 + x.clamp(0.0, expm1(wide))) } else { 0.0 };
    let lower = |loss: f64| left.at(loss).enclosure().lower().min(right.at(loss).enclosure().lower());
    // Where the line from the left meets 0, round-off may put it below: a little before, it is not.
    let tries =
        BACK.map(|back| (left.from + step.clamp(0.0, wide) * (1.0 - back)).clamp(left.from, right.to));
    let found = tries.into_iter().map(|loss| Corner { loss, height: lower(loss) });
    let corner = found.into_iter().find(|corner| corner.height >= 0.0);
    // At the left end the line is at its own point, and that from the right is not below 0.
    corner.unwrap_or(Corner { loss: left.from, height: lower(left.from).max(0.0) })
}
