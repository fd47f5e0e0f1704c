//! Numbers that a paper's text claims.

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds as stated, at the digits that are printed.
    Holds,
    /// It does not, and why.
    Differs(&'static str),
}

/// A number that the text of a paper claims, and the one found here.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What is claimed, in a few words.
    pub text: &'static str,
    /// The number as printed.
    pub printed: &'static str,
    /// The number found here.
    pub found: f64,
    /// How it is written on a page.
    pub shown: String,
    /// Whether they agree.
    pub verdict: Verdict,
}

impl Claim {
    /// A claim that `found`, whatever it is, lies in `from..=to`: the numbers that print as the paper does.
    pub(crate) fn within(
        text: &'static str,
        printed: &'static str,
        found: f64,
        (from, to): (f64, f64),
        otherwise: &'static str,
    ) -> Self {
        let verdict = if (from..=to).contains(&found) { Verdict::Holds } else { Verdict::Differs(otherwise) };
        Self { text, printed, found, shown: crate::digits::digits(found, 4), verdict }
    }

    /// Written otherwise on a page.
    pub(crate) fn shown(self, shown: impl Into<String>) -> Self {
        Self { shown: shown.into(), ..self }
    }
}
