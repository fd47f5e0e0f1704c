//! The lower convex hull of points in the plane of `(α, H)`.

use super::{
    segment::{Segment, is_positive},
    vertex::Vertex,
};
use hockeystick_numerics::ball::Ball;

/// The mass that the corner `at` between two neighbours stands for, under `P` if its loss is positive, else under `Q`.
///
/// It is the change of the line's intercept or slope: of the same sign, each without overflow on its side.
pub(super) fn mass(before: Option<&Vertex>, at: &Vertex, after: Option<&Vertex>) -> Ball {
    let (left, right) = (Segment { from: before, to: Some(at) }, Segment { from: Some(at), to: after });
    if at.loss > 0.0 { left.p_tail().minus(right.p_tail()) } else { left.q_tail().minus(right.q_tail()) }
}

/// The corners of the hull of `(0, 1)`, the points, and a horizontal line to the right of the lowest: losses ascend, and every
/// [`mass`] is proven to be positive.
///
/// Andrew's monotone chain, in which a point stays only if it is *certainly* below the line past it. One that cannot be told
/// from the line is dropped, which moves the hull up by less than the round-off of balls.
pub(super) fn lower_hull(mut points: Vec<Vertex>) -> Vec<Vertex> {
    // Among points of the same loss the lowest comes first; the others are then not below it.
    points.sort_by(|a, b| {
        a.loss.total_cmp(&b.loss).then_with(|| a.value.approximate().total_cmp(&b.value.approximate()))
    });
    points.dedup_by(|later, kept| later.loss == kept.loss);
    let mut hull: Vec<Vertex> = Vec::new();
    for point in points {
        if !(Segment { from: hull.last(), to: Some(&point) }).falls() {
            continue;
        }
        while let Some((last, before)) = hull.split_last() {
            if is_positive(mass(before.last(), last, Some(&point))) {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

/// The corners of a hull of points and their images, without those whose image was dropped: the rest is its own image.
///
/// Dropping a corner adds to the masses of its neighbours, so they stay positive.
pub(super) fn symmetric(hull: Vec<Vertex>) -> Vec<Vertex> {
    let losses: Vec<f64> = hull.iter().map(|corner| corner.loss).collect();
    let has_image = |loss: f64| losses.binary_search_by(|other| other.total_cmp(&(-loss + 0.0))).is_ok();
    hull.into_iter().filter(|corner| has_image(corner.loss)).collect()
}
