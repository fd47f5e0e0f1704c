//! Bounds on tails, made monotone on the safe side.

/// Raises each tail to at least the next: more mass above, never less.
pub(crate) fn falling_from_the_right(tails: &mut [f64]) {
    let mut least: f64 = 0.0;
    for tail in tails.iter_mut().rev() {
        least = least.max(*tail).min(1.0);
        *tail = least;
    }
}

/// Lowers each tail to at most the one before: less mass above, never more.
pub(crate) fn falling_from_the_left(whole: f64, tails: &mut [f64]) {
    let mut most = whole;
    for tail in tails {
        most = most.min(*tail).max(0.0);
        *tail = most;
    }
}
