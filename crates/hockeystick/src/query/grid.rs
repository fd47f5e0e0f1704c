//! The points at which a curve is drawn.

use super::Curves;

/// `count` numbers from `from` to `to`, both included, evenly spaced.
pub fn even_grid(from: f64, to: f64, count: usize) -> Vec<f64> {
    let last = count.saturating_sub(1).max(1) as f64;
    let between = (0..count).map(|i| from + (to - from) * (i as f64 / last));
    exact_ends(between.collect(), from, to)
}

/// `count` numbers from `from` to `to`, both positive and included, with equal ratios.
pub fn geometric_grid(from: f64, to: f64, count: usize) -> Vec<f64> {
    let (start, end) = (from.ln(), to.ln());
    let between = even_grid(start, end, count).into_iter().map(f64::exp);
    exact_ends(between.collect(), from, to)
}

/// At most `count` whole numbers from 1 to `to`, both included, with evenly spaced square roots: curves over a count bend
/// near its beginning.
pub fn whole_grid(to: u64, count: usize) -> Vec<u64> {
    let roots = even_grid(1.0, (to as f64).sqrt(), count);
    let mut points: Vec<u64> = roots.into_iter().map(|root| (root * root).round() as u64).collect();
    if let Some(last) = points.last_mut() {
        *last = to;
    }
    points.dedup();
    points
}

fn exact_ends(mut points: Vec<f64>, from: f64, to: f64) -> Vec<f64> {
    if let Some(last) = points.last_mut() {
        *last = to;
    }
    if let Some(first) = points.first_mut() {
        *first = from;
    }
    points
}

/// δ below this is of no interest to a drawing.
const FAINT: f64 = 1e-10;

impl Curves<'_> {
    /// `count` values of ε from 0 to where δ is about 10⁻¹⁰, or stays above that.
    pub fn interesting_epsilons(&self, count: usize) -> Vec<f64> {
        let is_faint = |epsilon: f64| self.delta(epsilon).value().upper() <= FAINT;
        let mut high = 1e-3;
        while !is_faint(high) && high < 1e4 {
            high *= 2.0;
        }
        if !is_faint(high) {
            // Some mass stays: draw the part in which the curve still falls.
            let rest = self.delta(high).value().upper();
            while high > 1e-3 && self.delta(high / 2.0).value().upper() <= rest * 1.01 {
                high /= 2.0;
            }
        }
        let mut low = high / 2.0;
        for _ in 0..8 {
            let middle = 0.5 * (low + high);
            if is_faint(middle) { high = middle } else { low = middle }
        }
        even_grid(0.0, two_digits(high), count)
    }
}

/// Rounded up to two significant digits, so that axes end at numbers people read.
pub(super) fn two_digits(x: f64) -> f64 {
    let scale = 10f64.powf(x.log10().floor() - 1.0);
    let rounded = (x / scale).ceil() * scale;
    // Through decimal text: 1.4 and not 1.4000000000000001.
    format!("{rounded:.1e}").parse().unwrap_or(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_include_their_ends() {
        assert_eq!(even_grid(0.0, 1.0, 5), [0.0, 0.25, 0.5, 0.75, 1.0]);
        let grid = geometric_grid(1e-4, 1.0, 5);
        assert_eq!((grid[0], grid[4], grid.len()), (1e-4, 1.0, 5));
        assert!((grid[1] / 1e-3 - 1.0).abs() < 1e-12);
        assert_eq!(even_grid(2.0, 3.0, 1), [2.0]);
        assert!(even_grid(0.0, 1.0, 0).is_empty());
        assert_eq!(whole_grid(100, 4), [1, 16, 49, 100]);
        assert_eq!(whole_grid(1, 4), [1]);
        assert_eq!(whole_grid(3, 10), [1, 2, 3]);
    }

    #[test]
    fn two_digits_are_rounded_up() {
        for (x, rounded) in [(1.31, 1.4), (0.0123, 0.013), (9.95, 10.0), (123.0, 130.0)] {
            assert_eq!(two_digits(x), rounded);
        }
    }
}
