//! The outcomes of a pair that are likely enough to matter, and how likely the others are together.

use super::{Listing, RatioLaw};

/// What [`Listing::UpToPower`] leaves out at most.
const NEGLIGIBLE: f64 = 1e-315;

/// Laws of the ratio that may leave out rare outcomes.
///
/// # Guarantee
/// What both `P` and `Q` can produce is listed in one of the laws, or has at most these probabilities together.
#[derive(Clone, Debug, PartialEq)]
pub struct LikelyOutcomes {
    /// What is listed. These are no laws to take moments of.
    pub laws: Vec<RatioLaw>,
    /// At least the probability under `P` of what is not.
    pub missing_p: f64,
    /// The same under `Q`.
    pub missing_q: f64,
}

impl LikelyOutcomes {
    /// Everything that laws list.
    pub fn all(laws: Vec<RatioLaw>) -> Self {
        let missing: f64 = laws
            .iter()
            .map(|law| match law.listing {
                Listing::Everything => 0.0,
                Listing::UpToPower(_) => NEGLIGIBLE,
                Listing::Nothing => 1.0,
            })
            .sum();
        Self { laws, missing_p: missing, missing_q: missing }
    }

    /// Those of the pair with `P` and `Q` swapped.
    pub fn swapped(self) -> Self {
        let laws = self.laws.into_iter().map(RatioLaw::swapped).collect();
        Self { laws, missing_p: self.missing_q, missing_q: self.missing_p }
    }
}
