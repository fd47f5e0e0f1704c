//! The contour engine: δ as an integral of the moment generating function over vertical lines in the complex plane.
//!
//! In: pairs with their counts. Out: a privacy profile of ten digits and more, at any δ and any count.
//!
//! ```text
//! δ(ε) = P(L = ∞) + (1/2πi) ∫ M(z) e^{−εz} dz/(z(z + 1)),   Re z = c > 0,   M = Π Mᵢ^{kᵢ}
//! ```
//!
//! This is the characteristic function of [Zhu22, Thm 19] moved to where it is best behaved: near the saddle point the integrand is of
//! the size of δ itself, so that δ = 10⁻³⁰⁰ costs the same as 10⁻⁵. The trapezoidal rule on the line converges
//! geometrically, and its error has one sign. Where δ is above a half, `1 − δ` is integrated on a line between the poles.
//!
//! [`facts`] are found in plain floats, [`choose`] makes a [`Recipe`] of them, its pieces are built into an [`assembly`], and [`refine`] measures
//! what came of it and chooses again. All thresholds are in [`tuning`]. `docs/design/contour.md` has the mathematics.
//!
//! # Guarantee
//! The truth is enclosed: aliasing raises the sum by a bounded amount, what lies beyond the last point is bounded for all larger t, and
//! round-off is carried along. A line that does not decay gives a wide interval.

mod accuracy;
mod line_plan;
mod target;
mod tuning;

mod factors;
#[doc(hidden)]
pub mod law;
mod search;

mod bound;
mod chernoff;
mod line;
mod sum;

mod assembly;
mod choose;
mod complement;
mod facts;
mod piece;
mod recipe;
mod refine;

mod composed;
mod fixed_lines;

pub use accuracy::Accuracy;
pub use chernoff::{Chernoff, chernoff};
pub use composed::Contour;
pub use fixed_lines::{FixedLines, FixedProfile};
pub use line_plan::LinePlan;
pub use piece::Outline;
pub use recipe::{ContourPlan, Recipe};
