//! What a lower end rests on.

/// A theorem about attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// `TPR ≤ e^ε·FPR + δ` ([Wasserman, Zhou 2010; Kairouz, Oh, Viswanath 2015]), both rates by [Clopper, Pearson 1934].
    Counts,
    /// The same at thresholds that are ranks fixed beforehand, with an equal part of the error for each.
    Ranks,
    /// `TPR ≤ Φ(Φ⁻¹(FPR) + μ)` of a mechanism that is μ-GDP ([Dong, Roth, Su 2022, Def. 3]).
    GaussianCounts,
    /// Right guesses in one run are at most binomial, but for a part of δ ([Steinke, Nasr, Jagielski 2023]; `docs/design/audit.md`).
    OneRun,
}

impl Theorem {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Ranks => "ranks",
            Self::GaussianCounts => "gaussian-counts",
            Self::OneRun => "one-run",
        }
    }

    /// What it says, with its source.
    pub fn says(self) -> &'static str {
        match self {
            Self::Counts => "TPR ≤ e^ε·FPR + δ, each rate bounded by its Clopper–Pearson end",
            Self::Ranks => {
                "TPR ≤ e^ε·FPR + δ at thresholds of fixed rank, each with its part of the error (Clopper–Pearson, union bound)"
            }
            Self::GaussianCounts => "TPR ≤ Φ(Φ⁻¹(FPR) + μ), each rate bounded by its Clopper–Pearson end",
            Self::OneRun => {
                "right guesses in one run are at most binomial, but for a part of δ [Steinke, Nasr, Jagielski 2023]"
            }
        }
    }

    /// What must be true of the trials, in words.
    pub fn assumes(self) -> &'static str {
        match self {
            Self::Counts => {
                "every trial is a run of its own, and the rule of the attack was fixed before the trials were seen"
            }
            Self::Ranks => "every score is from a run of its own",
            Self::GaussianCounts => {
                "every trial is a run of its own, the rule was fixed before, and the mechanism is μ-GDP for some μ: for others the number is no bound"
            }
            Self::OneRun => {
                "every canary was in the data with probability ½ by itself; the guesses saw nothing but the output, and how many there are was fixed before"
            }
        }
    }
}
