//! How far apart the nodes of a ray are, and what their sums leave of N on every piece of a hyperbola.

use super::{
    Unfit,
    hyperbola::Hyperbola,
    paths::{HIGH_RAY, MOST_PIECES, Paths, SEGMENT, Segment},
};
use crate::{
    pair::{Cell, Ray, RayPlaces, largest, log_bound},
    two_threads::mapped,
};
use hockeystick_numerics::special::{exp, expm1, ln};
use std::f64::consts::PI;

/// The lower one of the rays on both sides of that of the nodes, as a part of how far rises are turned at the end: a little farther than the hyperbola is beyond the vertical.
const LOW_RAY: f64 = 0.6;
/// No more nodes than these.
const MOST_NODES: f64 = 4000.0;
/// How much more than is wanted the way between the ends may leave, as a logarithm.
const CLOSING: f64 = 3.0;

/// Nodes on a ray, and what their sum is off on every segment.
pub(super) struct RayRule {
    pub(super) places: RayPlaces,
    pub(super) count: usize,
    pub(super) largest_step: f64,
    pub(super) errors: Vec<f64>,
    distances: [f64; 2],
    log_first: f64,
    /// The logarithms of what is on the other rays, on the way between their ends, and before the first node.
    bounds: Vec<[f64; 4]>,
}

impl RayRule {
    /// # Guarantee
    /// With T the sum over the nodes on the ray with the angle η, up to half a step before the end, and ∫ along it, `|T − ∫|` is at most what is on the rays with the angles
    /// `η ± d`, over `e^{2πd/h} − 1` each, and what is on the way between the ends of these, for midway between nodes the kernel of the rule is below 1. The end of N is on that way as well, so that
    /// it is counted twice. What is before the first node grows up to there, so that a sum over it is below the integral.
    pub(super) fn new(paths: &Paths, hyperbola: &Hyperbola, log_target: f64) -> Result<Self, Unfit> {
        let angles = [LOW_RAY, HIGH_RAY].map(|part| part * paths.turn);
        let segments = hyperbola.segments();
        // What an error of N makes in the integral on a segment.
        let log_of_errors = |segment: &Segment| {
            segment.log_most - segment.log_moment + ln(paths.count) + ln(SEGMENT * segments.len() as f64)
        };
        let most_of_errors = segments.iter().map(log_of_errors).fold(f64::NEG_INFINITY, f64::max);
        let log_first =
            paths.law.log_rise(Paths::first_outcome(1.0, (log_target - most_of_errors).min(-20.0)));
        // Before it all grows.
        let farthest = segments.iter().map(|segment| segment.corners[1].norm()).fold(1.0, f64::max);
        let piece = paths.piece();
        let is_usual = (paths.log_end - log_first) / piece < MOST_PIECES;
        if farthest * exp(log_first) > 1.0 || !is_usual {
            return Err(Unfit::InAnyCase);
        }
        let rays: [Ray; 2] = angles.map(|angle| paths.law.ray(angle, [log_first, paths.log_end], piece));
        let way = paths.law.arc(paths.log_end, angles, piece);
        let most = |cells: &[Cell], segment: &Segment| {
            largest(&segment.corners.map(|y| log_bound(cells.iter(), y, None)))
        };
        let bounds: Vec<[f64; 4]> = mapped(segments, 2, |segment| {
            let [low, high] = [0, 1].map(|i| most(rays[i].cells(), segment));
            [low, high, most(&way, segment), most(rays[1].before(), segment)]
        });
        let needed = |number: usize| {
            let logs =
                segments.iter().zip(&bounds).map(|(segment, bounds)| bounds[number] + log_of_errors(segment));
            (logs.fold(f64::NEG_INFINITY, f64::max) - log_target).max(1.0)
        };
        let [low, high, closing] = [0, 1, 2].map(needed);
        if closing > CLOSING {
            return Err(Unfit::TurnedTooFar);
        }
        let between = angles[1] - angles[0];
        let distances = [between * low / (low + high), between * high / (low + high)];
        let largest_step = 2.0 * PI * between / (low + high);
        let places = RayPlaces { from: 0.0, step: 0.0, angle: angles[0] + distances[0] };
        Ok(Self { places, count: 0, largest_step, errors: vec![], distances, log_first, bounds })
    }

    /// With nodes that are so far apart.
    pub(super) fn with_step(self, paths: &Paths, step: f64) -> Option<Self> {
        let count = ((paths.log_end - self.log_first) / step).ceil() + 1.0;
        if !(count.is_finite() && count < MOST_NODES) {
            return None;
        }
        let from = step.mul_add(0.5 - count, paths.log_end);
        let errors = self.bounds.iter().map(|bounds| {
            let of_ray = |i: usize| exp(bounds[i]) / expm1(2.0 * PI * self.distances[i] / step);
            (of_ray(0) + of_ray(1) + 2.0 * exp(bounds[2]) + exp(bounds[3])) * (1.0 + 1e-6)
        });
        let errors = errors.collect();
        Some(Self { places: RayPlaces { from, step, ..self.places }, count: count as usize, errors, ..self })
    }
}
