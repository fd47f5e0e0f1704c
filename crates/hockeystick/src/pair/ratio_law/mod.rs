//! The law of the likelihood ratio `dP/dQ`: atoms and smooth panels, closed under sampling and swapping.
//!
//! In: what a pair lists of its outcomes. Out: moments, characteristic functions, quadrature rules, masses of ranges of losses, all under
//! `P` and `Q`.
//!
//! Poisson sampling replaces `P` by `(1−γ)Q + γP`, that is the ratio `r` by `1 − γ + γr`, and leaves `Q` alone. So a law
//! that lists `Q`'s mass with the ratio stays of the same kind however often it is sampled, and the moments
//! `M(z) = E_Q[r^{1+z}]` of all pairs come from one routine.
//!
//! # Guarantee
//! All of them are enclosed, or say how far they may be off, except what is named a sketch or rough, which searches use.

mod bounds;
mod center;
mod central;
pub(crate) mod cone;
pub(crate) mod cover;
pub(crate) mod dominated;
pub(crate) mod excess;
mod half;
pub(crate) mod integrand;
pub(crate) mod level;
mod likely;
mod log_moment;
pub(crate) mod log_ratio;
mod loss_excess;
pub(crate) mod mgf;
mod moments;
mod outcome;
pub(crate) mod partition;
pub(crate) mod peak;
pub(crate) mod portion;
pub(crate) mod powers;
pub(crate) mod quadratic;
pub(crate) mod rectangle;
mod rough;
mod sampled;
mod sampled_atoms;
pub(crate) mod side;
pub(crate) mod strip;
pub(crate) mod tail;
pub(crate) mod term;

pub use likely::{LikelyOutcomes, Merging, Widths, ZONES};
pub(crate) use moments::{Unlisted, moments};
pub use outcome::{Outcome, Preimage};
pub use portion::{Cut, Portion};
pub use rough::RoughLaw;

use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// An outcome, or a set of outcomes with the same loss, that both `P` and `Q` can produce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atom {
    /// `log(p/q)`.
    pub loss: Ball,
    /// Its probability under `P`.
    pub p: Enclosure,
    /// Its probability under `Q`.
    pub q: Enclosure,
}

/// `constant + linear·x + square·x²`. The coefficients are rounded: each is within 4 units of roundoff of the truth, the
/// constant of a `log_q` within 8 units of roundoff times the larger of its size and 1.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Quadratic {
    /// The coefficient of 1.
    pub constant: f64,
    /// The coefficient of x.
    pub linear: f64,
    /// The coefficient of x².
    pub square: f64,
}

/// An interval of outcomes on which `Q` has the density `e^{log_q(x)}` and the ratio is `Σ wⱼ e^{lⱼ(x)}`.
///
/// The interval may be infinite where the density falls fast enough; a finite end is within 4 units of roundoff of the
/// truth. The weights are positive; the ratio is monotone on the interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The lower end, within 4 units of roundoff, or −∞.
    pub from: f64,
    /// The upper end, within 4 units of roundoff, or ∞.
    pub to: f64,
    /// The logarithm of the density of `Q`.
    pub log_q: Quadratic,
    /// The terms `(wⱼ, lⱼ)` of the ratio. Each weight is within 4 units of roundoff of the truth. Weights that add up to 1
    /// within that do so exactly in truth; a factor common to all terms belongs into the exponents.
    pub ratio: Vec<(f64, Quadratic)>,
}

/// How much of a pair its law lists.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Listing {
    /// Everything that both `P` and `Q` can produce.
    #[default]
    Everything,
    /// All but outcomes that have less than 10⁻³¹⁵ of either law, and add less than 10⁻¹⁸ to `E_Q[r^w]` as long as neither
    /// `|Re w|` nor `|1 − Re w|` exceeds this. Beyond, nothing is claimed.
    UpToPower(f64),
    /// Nothing: the ratio is not a sum of exponentials of quadratics. There are no moments then, and all that is known of
    /// `M` is `|M(z)| ≤ 1` for `−1 ≤ Re z ≤ 0`.
    Nothing,
}

/// The law of `dP/dQ` where both have mass. What only `P` or only `Q` can produce is not part of it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RatioLaw {
    /// Outcomes with positive probability.
    pub atoms: Vec<Atom>,
    /// Intervals with a density.
    pub panels: Vec<Panel>,
    /// Is this the law of the swapped pair, `dQ/dP` under `P`'s and `Q`'s swapped roles?
    pub swapped: bool,
    /// How much of the pair is listed.
    pub listing: Listing,
}

impl RatioLaw {
    /// The law of a pair of which only the curve and the tails are known.
    pub fn unknown() -> Self {
        Self { listing: Listing::Nothing, ..Self::default() }
    }

    /// The law of the pair with `P` and `Q` swapped.
    pub fn swapped(self) -> Self {
        Self { swapped: !self.swapped, ..self }
    }

    /// θ, such that `E_Q[r^θ ·]` is the law of P in this law's order, and the sign of the loss relative to `log r`.
    fn weights(&self) -> (f64, f64) {
        if self.swapped { (0.0, -1.0) } else { (1.0, 1.0) }
    }

    /// The panels that have a length and a ratio.
    pub(crate) fn wide_panels(&self) -> impl Iterator<Item = &Panel> {
        self.panels.iter().filter(|panel| panel.from < panel.to && !panel.ratio.is_empty())
    }
}
