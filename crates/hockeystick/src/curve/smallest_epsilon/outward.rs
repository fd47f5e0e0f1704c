//! Numbers at which something is proven, near one at which it is not.

/// How often an end is moved outward, each time twice as far, before it is given up: downward that ends at half the start,
/// from where only 0 is left.
const MOVES: i32 = 60;
/// How often the last step is halved: to 10⁻⁷ of it.
const HALVINGS: u32 = 24;
/// From one scale to the next that is asked, where nothing is known: 64 of them reach all doubles.
const STRIDE: f64 = 4294967296.0;

/// The first number, from `start` in relative steps that double, at which `holds` is proven.
pub(super) fn stepped(start: f64, first: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    (0..MOVES)
        .map(|i| start + start * first * 2f64.powi(i))
        .take_while(|&epsilon| epsilon > 0.0 && epsilon.is_finite())
        .find(|&epsilon| holds(epsilon))
}

/// A number above `start`, up to `largest`, at which `holds` is proven, where the profile is so wide that it is far: next to the total
/// variation, some (width of δ)/slope.
///
/// The way is made in long strides, so that a start next to 0 gets anywhere, and gone back by scales.
pub(super) fn far_above(start: f64, largest: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let most = largest.min(f64::MAX);
    let mut too_near = start.max(f64::MIN_POSITIVE);
    while too_near < most {
        let far = (too_near * STRIDE).min(most);
        if holds(far) {
            return Some(nearest(too_near, far, holds));
        }
        too_near = far;
    }
    None
}

/// A number below `start` at which `holds` is proven, where the profile is so wide that it is far.
pub(super) fn far_below(start: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let next_to_zero = [f64::MIN_POSITIVE, 0.0].into_iter().find(|&far| far < start && holds(far))?;
    Some(nearest(start, next_to_zero, holds))
}

/// A number between one at which `holds` is not proven and one at which it is: there it is, about as near to the first as can be.
fn nearest(too_near: f64, far: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let halved = |(too_near, far): (f64, f64), middle: f64| {
        if holds(middle) { (too_near, middle) } else { (middle, far) }
    };
    let mut ends = (too_near, far);
    // By scales first: ten steps from all doubles to a factor of four.
    while ends.0.min(ends.1) > 0.0 && ends.0.max(ends.1) > 4.0 * ends.0.min(ends.1) {
        ends = halved(ends, ends.0.sqrt() * ends.1.sqrt());
    }
    for _ in 0..HALVINGS {
        ends = halved(ends, 0.5 * (ends.0 + ends.1));
    }
    ends.1
}

/// A number not far beyond `start` at which `holds` is proven: the first in steps that double, and from there back again by halves.
pub(super) fn outward(start: f64, sign: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(start) {
        return Some(start);
    }
    let step = |i: i32| start + sign * start * f64::EPSILON * 2f64.powi(i);
    let found = (0..MOVES).take_while(|&i| step(i) > 0.0).find(|&i| holds(step(i)))?;
    Some(nearest(if found == 0 { start } else { step(found - 1) }, step(found), holds))
}
