//! Moments known at some orders only.

use super::LogMoment;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// Upper bounds of Rényi divergences at some orders, in both directions.
///
/// Between two orders `K(λ) = λ·D_{λ+1}` is below its chord, because it is convex ([Asoodeh21, Sec. IV]); `K(0) = 0` is
/// known as well, which makes the divergence below the smallest order at most the one there. Beyond the largest order
/// nothing is known, unless a bound at `α = ∞` (pure differential privacy) is given: `K′` is the mean of the loss under a tilted law,
/// so `K` rises no steeper than by `D_∞`.
#[derive(Clone, Debug, PartialEq)]
pub struct RenyiTable {
    /// Increasing λ with upper bounds of `K`, the first `(0, 0)`: the vertices of the largest convex function below all
    /// bounds.
    vertices: Vec<(f64, Enclosure)>,
    /// `D_∞`, if it is bounded.
    largest_loss: f64,
}

/// Two numbers that bound no Rényi divergence.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidOrder {
    /// An order at which nothing useful can be bounded.
    #[error("the order {0} is not above 1; write an order above 1, or inf for pure differential privacy")]
    Order(f64),
    /// A divergence that no pair has.
    #[error(
        "the divergence {0} is not 0 or above; write the Rényi divergence in nats, or inf if it is unknown"
    )]
    Divergence(f64),
}

/// `D_α ≤ divergence`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderBound {
    alpha: f64,
    divergence: f64,
}

impl OrderBound {
    /// For `α > 1`, perhaps infinite, and a divergence of 0 or above, perhaps infinite.
    pub fn new(alpha: f64, divergence: f64) -> Result<Self, InvalidOrder> {
        if alpha.is_nan() || alpha <= 1.0 {
            return Err(InvalidOrder::Order(alpha));
        }
        if divergence.is_nan() || divergence < 0.0 {
            return Err(InvalidOrder::Divergence(divergence));
        }
        Ok(Self { alpha, divergence })
    }
}

impl RenyiTable {
    /// From bounds at some orders.
    pub fn new(bounds: impl IntoIterator<Item = OrderBound>) -> Self {
        let mut points = vec![(0.0, Enclosure::ZERO)];
        let mut largest_loss = f64::INFINITY;
        for OrderBound { alpha, divergence } in bounds {
            if divergence == f64::INFINITY {
                continue;
            }
            if alpha == f64::INFINITY {
                largest_loss = largest_loss.min(divergence);
                continue;
            }
            // Where α − 1 is not a double, λ is rounded down: K increases, so its bound holds there too.
            let lambda = (Ball::from(alpha) - Ball::ONE).enclosure();
            points.push((lambda.lower(), lambda * divergence));
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.upper().total_cmp(&b.1.upper())));
        points.dedup_by_key(|point| point.0);
        Self { vertices: hull(&points), largest_loss }
    }
}

/// The vertices of the lower convex hull, as far as doubles can tell: any chord is a valid bound.
fn hull(points: &[(f64, Enclosure)]) -> Vec<(f64, Enclosure)> {
    let mut kept: Vec<(f64, Enclosure)> = Vec::new();
    for &point in points {
        while let [.., a, b] = kept[..] {
            let rise = |from: (f64, Enclosure), to: (f64, Enclosure)| {
                (to.1.upper() - from.1.upper()) / (to.0 - from.0)
            };
            if rise(a, b) < rise(b, point) {
                break;
            }
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

impl LogMoment for RenyiTable {
    fn log_moment(&self, lambda: f64) -> Enclosure {
        if lambda < 0.0 {
            // Concave in α: (1 − α)D_α ≤ (1 − α)·D_1, and D_1 is at most every divergence known.
            let floor = (self.kullback_leibler() * Enclosure::point(lambda)).lower();
            return Enclosure::new(floor.min(0.0), 0.0);
        }
        let above = self.vertices.partition_point(|vertex| vertex.0 < lambda);
        // No steeper than the largest loss from any vertex to the left.
        let rising = |&(from, bound): &(f64, Enclosure)| {
            (bound + Enclosure::point(self.largest_loss) * (Enclosure::point(lambda) - from)).upper()
        };
        let by_loss = if self.largest_loss.is_finite() {
            self.vertices[..above].iter().map(rising).fold(f64::INFINITY, f64::min)
        } else {
            f64::INFINITY
        };
        let by_chord =
            match (above.checked_sub(1).and_then(|below| self.vertices.get(below)), self.vertices.get(above))
            {
                (_, Some(&(at, bound))) if at == lambda => bound.upper(),
                (Some(&(from, low)), Some(&(to, high))) => {
                    let share = ((Ball::from(lambda) - Ball::from(from))
                        / (Ball::from(to) - Ball::from(from)))
                    .enclosure();
                    (low * share.one_minus() + high * share).upper()
                }
                (_, None) | (None, Some(_)) => f64::INFINITY,
            };
        Enclosure::new(0.0, by_chord.min(by_loss))
    }

    fn kullback_leibler(&self) -> Enclosure {
        let least = self.vertices.get(1).map_or(f64::INFINITY, |&(lambda, bound)| (bound / lambda).upper());
        Enclosure::new(0.0, least.min(self.largest_loss))
    }

    fn log_finite_mass(&self) -> Enclosure {
        Enclosure::ZERO
    }

    fn largest_order(&self) -> f64 {
        let last = self.vertices.last().map_or(0.0, |vertex| vertex.0);
        if self.largest_loss.is_finite() { f64::INFINITY } else { last.next_up() }
    }

    fn largest_loss(&self) -> f64 {
        self.largest_loss
    }

    fn corners(&self) -> Vec<f64> {
        self.vertices.iter().map(|vertex| vertex.0).filter(|&lambda| lambda > 0.0).collect()
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn near(&self, _lambda: f64) -> Box<dyn Fn(f64) -> f64 + '_> {
        Box::new(|lambda| self.log_moment(lambda).upper())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: impl IntoIterator<Item = (f64, f64)>) -> RenyiTable {
        RenyiTable::new(
            rows.into_iter().map(|(alpha, divergence)| OrderBound::new(alpha, divergence).unwrap()),
        )
    }

    /// A Gaussian with μ = 1 has `D_α = α/2`, so `K(λ) = λ(λ + 1)/2`.
    #[test]
    fn chords_stay_above_the_curve_they_were_drawn_from() {
        let table = table((2..40).map(|alpha| (f64::from(alpha), 0.5 * f64::from(alpha))));
        for lambda in [0.01, 0.5, 1.0, 1.5, 7.3, 37.9, 38.0] {
            let truth = 0.5 * lambda * (lambda + 1.0);
            let bound = table.log_moment(lambda).upper();
            assert!(bound >= truth && bound <= truth + 0.13 + 0.51 * lambda.min(1.0), "{lambda}: {bound}");
        }
        assert_eq!(table.log_moment(2.0).upper(), 3.0);
        assert_eq!(table.log_moment(38.1).upper(), f64::INFINITY);
        assert_eq!(table.kullback_leibler().upper(), 1.0);
    }

    #[test]
    fn a_loose_row_does_not_spoil_its_neighbours() {
        let table = table([(2.0, 1.0), (3.0, 100.0), (4.0, 1.5)]);
        // The chord from (1, 1) to (3, 4.5).
        let at = table.log_moment(2.0);
        assert!((at.upper() - 2.75).abs() < 1e-12, "{at:?}");
    }

    #[test]
    fn pure_privacy_bounds_every_order() {
        let table = table([(f64::INFINITY, 0.25), (2.0, 0.05)]);
        // From 0.05 at λ = 1 on no steeper than by 0.25.
        let at = table.log_moment(100.0).upper();
        assert!((24.8..24.8 + 1e-12).contains(&at), "{at}");
        assert!(table.log_moment(0.5).upper() <= 0.0250001);
    }

    #[test]
    fn rows_that_bound_nothing_are_refused() {
        assert_eq!(OrderBound::new(1.0, 0.1), Err(InvalidOrder::Order(1.0)));
        assert_eq!(OrderBound::new(2.0, -0.1), Err(InvalidOrder::Divergence(-0.1)));
    }
}
