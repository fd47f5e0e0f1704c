//! Why an interval is no narrower, in words with figures.

use super::{Answer, Guarantee, Shortfall, arguments::DEFAULT_TOLERANCE};
use crate::{
    curve::Budget,
    engine::{contour::LinePlan, lattice::LatticePlan},
    plan::{Engine, Plan},
};

/// An interval that is no wider than this part of its upper end needs no reason.
const NARROW: f64 = 1e-6;

impl Answer {
    /// Why the interval is wider than 10⁻⁶ of its upper end; `None` if it is not, or if there is no interval.
    ///
    /// What the largest part of its budget comes from, and whether a narrower one was asked for.
    pub fn why_wide(&self) -> Option<String> {
        match self.guarantee {
            Guarantee::Estimate => return None,
            Guarantee::UpperBound => {
                return Some("only the upper end is proven: the method has no lower one".to_owned());
            }
            Guarantee::Certified => {}
        }
        let Some(width) = self.relative_width() else { return self.shortfall.map(|why| why.to_string()) };
        if width <= NARROW || self.is_narrow_for_an_epsilon() {
            return None;
        }
        let asked = match self.shortfall {
            Some(Shortfall::Tolerance { wanted, .. }) => {
                format!("{wanted:e} was asked for and is out of reach")
            }
            Some(
                other @ (Shortfall::Unreachable { .. }
                | Shortfall::Unbounded
                | Shortfall::NoBound { .. }
                | Shortfall::Undecided { .. }
                | Shortfall::Stopped { .. }),
            ) => other.to_string(),
            None => format!("nothing narrower than {:e} was asked for", DEFAULT_TOLERANCE.max(width)),
        };
        Some(format!("{width:.0e} of the upper end, {}; {asked}", self.cause()))
    }

    /// The largest part of the budget, as far as its engine explains it.
    fn cause(&self) -> String {
        let Budget { discretisation, aliasing, truncation, quadrature, roundoff } = self.budget;
        let largest =
            [discretisation, aliasing, truncation, quadrature, roundoff].into_iter().fold(0.0, f64::max);
        // The plan of the direction that is answered for.
        let of_direction = |plan: &&Plan| plan.direction == self.direction;
        let (line, lattice) =
            self.plans.iter().find(of_direction).map_or((None, None), |plan| parts(&plan.engine));
        match (line, lattice) {
            _ if largest == 0.0 => "for its ends could not be proven nearer to each other".to_owned(),
            (_, Some(LatticePlan { spacing, length, cells, .. })) if discretisation == largest => format!(
                "mostly because losses are rounded to a lattice of spacing {spacing:.1e}, {cells} cells in a window of {length} points"
            ),
            (Some(LinePlan { tilt, points, .. }), _) if truncation == largest => format!(
                "mostly because |M| falls slowly along Re z = {tilt:.4}, and {points} points leave too much beyond the last"
            ),
            (_, Some(LatticePlan { spacing, length, epsilon, .. })) if aliasing == largest => format!(
                "mostly because the window of {length} points, {spacing:.1e} apart, wraps around: it was planned for ε ≈ {epsilon:.4}"
            ),
            (Some(LinePlan { step, .. }), _) if aliasing == largest => {
                format!("mostly because the law wraps around after {:.4}", std::f64::consts::TAU / step)
            }
            _ if roundoff == largest => "mostly because of round-off in double precision".to_owned(),
            _ if quadrature == largest => "mostly because integrals are replaced by sums".to_owned(),
            _ if discretisation == largest => "mostly because losses are rounded to a lattice".to_owned(),
            _ if aliasing == largest => "mostly because a sum wraps around".to_owned(),
            _ => "mostly because of tails that are left out".to_owned(),
        }
    }
}

/// The line and the lattice of an engine.
fn parts(engine: &Engine) -> (Option<LinePlan>, Option<LatticePlan>) {
    match engine {
        Engine::Contour(plan) => (plan.first_line(), None),
        Engine::Lattice(lattice)
        | Engine::Tangents(lattice)
        | Engine::Buckets(lattice)
        | Engine::Riemann(lattice) => (None, Some(*lattice)),
        Engine::ContourAndLattice(plan, lattice) => (plan.first_line(), Some(*lattice)),
        Engine::ClosedForm
        | Engine::SinglePair
        | Engine::TotalVariation { .. }
        | Engine::ExactSums(_)
        | Engine::NoWorse(_)
        | Engine::Mirrored { .. }
        | Engine::LargestLoss { .. }
        | Engine::LargestLosses
        | Engine::Moments
        | Engine::Staged(_)
        | Engine::Fourier(_)
        | Engine::Afa(_)
        | Engine::AfaGrid(_)
        | Engine::DoubleQuadrature(_) => (None, None),
    }
}
