//! The contour engine: δ as an integral of the moment generating function over vertical lines in the complex plane.
//!
//! In: pairs with their counts. Out: a privacy profile for any δ and any count, aiming at a relative width of 10⁻⁹ (see [`Accuracy`]).
//!
//! ```text
//! δ(ε) = P(L = ∞) + (1/2πi) ∫ M(z) e^{−εz} dz/(z(z + 1)),   Re z = c > 0,   M = Π Mᵢ^{kᵢ}
//! ```
//!
//! This inverts the characteristic function of [Zhu22, Thm 19] on a line near the saddle point. There the integrand is of the size of δ
//! itself, so δ = 10⁻³⁰⁰ costs the same as 10⁻⁵. The trapezoidal rule on the line converges geometrically, and its aliasing error has one
//! sign. Where δ is above a half, `1 − δ` is integrated on a line between the poles.
//!
//! `facts` estimates the saddle point and the line there in plain floats. `choose` picks a [`Recipe`]. `assembly` builds its pieces.
//! `refine` measures the width and chooses again if it is too large. The thresholds of this loop are in `tuning`.
//! `docs/design/contour.md` has the mathematics.
//!
//! # Guarantee
//! The interval contains δ(ε). Aliasing raises the sum by a bounded amount. Truncation has a tail bound that holds for all larger t.
//! Round-off is carried along. If `|M|` does not decay along the line, the interval is wide.

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
