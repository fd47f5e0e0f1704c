//! A plan as data: an engine with its parameters, and why it answers.

use super::Method;
use crate::{
    engine::{
        contour::{Chernoff, ContourPlan},
        exact::{ExactKind, ExactPlan},
        lattice::LatticePlan,
        published::{
            BUCKETS, FourierPlan, StagedPlan,
            characteristic::{GridPlan, InversionPlan},
        },
    },
    pair::Direction,
};
use std::fmt;

/// What is planned for one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The direction.
    pub direction: Direction,
    /// Which engine, and how.
    pub engine: Engine,
    /// Why this one.
    pub reason: &'static str,
}

/// An engine with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Engine {
    /// All losses compose in closed form.
    ClosedForm,
    /// The composition has a worst-case pair with a closed form of its own.
    SinglePair,
    /// Nothing is composed: δ is granted at ε = 0.
    TotalVariation {
        /// The method that was asked for.
        method: Method,
        /// An upper bound of `δ(0)`.
        bound: f64,
    },
    /// The law of the sum of losses, term by term.
    ExactSums(ExactPlan),
    /// None: the direction spends less than another, as one moment shows.
    NoWorse(Chernoff),
    /// None: the direction spends no more than its dual, as the curve of that shows.
    Mirrored {
        /// The ε.
        epsilon: f64,
        /// `δ(ε)` is at most this.
        bound: f64,
    },
    /// None: no loss of the direction is large enough for it to spend more than another.
    LargestLoss {
        /// The ε.
        epsilon: f64,
        /// `δ(ε)` is at most this.
        bound: f64,
    },
    /// None: the largest losses of the parts add up.
    LargestLosses,
    /// The moment generating function on vertical lines.
    Contour(ContourPlan),
    /// The upper end comes from moments of the loss.
    Moments,
    /// Losses on a lattice.
    Lattice(LatticePlan),
    /// The same with the optimistic law of tangents, as published.
    Tangents(LatticePlan),
    /// The same with losses rounded up and down.
    Buckets(LatticePlan),
    /// The same with Riemann sums of the density.
    Riemann(LatticePlan),
    /// Losses rounded up and down, or Riemann sums, in stages of ever more uses.
    Staged(StagedPlan),
    /// The discrete Fourier accountant as published.
    Fourier(FourierPlan),
    /// Both, and the narrower end of each.
    ContourAndLattice(ContourPlan, LatticePlan),
    /// The analytical Fourier accountant as published: an estimate.
    Afa(InversionPlan),
    /// The discretised characteristic function with bounds.
    AfaGrid(GridPlan),
    /// The same as [`Engine::Afa`] with characteristic functions by quadrature: an estimate.
    DoubleQuadrature(InversionPlan),
}

impl Engine {
    /// The plan of a lattice that answers alone.
    pub(super) fn lattice(&self) -> Option<LatticePlan> {
        if let Self::Lattice(plan) = self { Some(*plan) } else { None }
    }

    /// The method that answers are signed with.
    pub fn method(&self) -> Method {
        match self {
            Self::ClosedForm | Self::SinglePair | Self::LargestLosses => Method::ClosedForm,
            Self::TotalVariation { method, .. } => *method,
            Self::ExactSums(_) => Method::ExactSums,
            Self::Contour(_) | Self::NoWorse(_) | Self::Mirrored { .. } | Self::LargestLoss { .. } => {
                Method::Contour
            }
            Self::Lattice(_) | Self::ContourAndLattice(..) => Method::Lattice,
            Self::Tangents(_) => Method::Tangents,
            Self::Buckets(_) => Method::Buckets,
            Self::Riemann(_) => Method::Riemann,
            Self::Moments => Method::RdpOptimal,
            Self::Staged(plan) if plan.discretisation == BUCKETS => Method::Buckets,
            Self::Staged(_) => Method::Riemann,
            Self::Fourier(_) => Method::Fourier,
            Self::Afa(_) => Method::Afa,
            Self::AfaGrid(_) => Method::AfaGrid,
            Self::DoubleQuadrature(_) => Method::DoubleQuadrature,
        }
    }

    /// The theorems behind it.
    pub fn theorems(&self) -> &'static [&'static str] {
        const COMPOSITION: &str = "dominating pairs compose, each direction by itself [Zhu22, Thm 10]";
        const CONTOUR: &str = "δ is an integral of the characteristic function [Zhu22, Thm 19], taken on Re z = c; its sum is one-signed";
        const LATTICE: &str = "connect-the-dots dominates [Doroshenko22, Lemma 4.1], merging outcomes is dominated [Doroshenko22, Thm 5.4]";
        const LEVY: &str = "Lévy's inversion of both characteristic functions [Zhu22, Alg. 1, Lemma 18], whose error nobody bounds";
        const ROUNDING: &str = "rounding losses up or down [Sommer19, Sec. 4.5]";
        const RIEMANN: &str = "Riemann sums of the density of the loss [Koskela21, Lemma 12]";
        const FOURIER: &str = "the discrete Fourier accountant and its error bound [Koskela21, Thm 10]";
        const STAGES: &str = "groups of uses are rounded once more to the side of their law [Koskela21, Lemma 6]; tails by [Koskela21, (5.3)]";
        match self {
            Self::ClosedForm => &[COMPOSITION, "the laws of the losses convolve [Sommer19, Lemma 1]"],
            Self::SinglePair => {
                &["the hockey-stick curve of the pair is the privacy profile [Zhu22, Def. 7]"]
            }
            Self::TotalVariation { .. } => &[
                COMPOSITION,
                "δ(0) is the total variation, of products at most the sum, and √(1 − affinity²)",
            ],
            Self::ExactSums(plan) => match plan.kind {
                ExactKind::Progression => &[
                    COMPOSITION,
                    "the laws of the losses convolve [Sommer19, Lemma 1]; equally spaced losses stay equally spaced",
                ],
                ExactKind::Splines { .. } => &[
                    COMPOSITION,
                    "the laws of the losses convolve [Sommer19, Lemma 1]; sums of Laplace losses are B-splines times e^{s/2}",
                ],
            },
            Self::NoWorse(_) => &[
                COMPOSITION,
                "(1 − e^{ε−L})₊ ≤ κ(c) e^{c(L−ε)}, c > 0 (Canonne, Kamath & Steinke 2020, Prop. 12)",
            ],
            Self::Mirrored { .. } => &[
                COMPOSITION,
                "adding is the dual of removing: H_α(Q‖P) = 1 − α + α H_{1/α}(P‖Q), convex in α",
            ],
            Self::LargestLoss { .. } => {
                &[COMPOSITION, "δ(ε) ≤ P(L = ∞) + 1 − e^{ε−m} if no finite loss exceeds m"]
            }
            Self::LargestLosses => &[COMPOSITION, "δ(ε) = 0 exactly if no loss exceeds ε"],
            Self::Contour(_) => &[COMPOSITION, CONTOUR],
            Self::Moments => &["the smallest δ that the Rényi divergences allow for [Asoodeh21, Thm 3]"],
            Self::Lattice(_) => &[COMPOSITION, LATTICE],
            Self::Tangents(_) => &[
                COMPOSITION,
                "connect-the-dots dominates [Doroshenko22, Lemma 4.1], the hull of tangents is dominated [Doroshenko22, Thm 5.4]",
            ],
            Self::Buckets(_) => &[COMPOSITION, ROUNDING],
            Self::Staged(plan) if plan.discretisation == BUCKETS => &[COMPOSITION, ROUNDING, STAGES],
            Self::Staged(_) => &[COMPOSITION, RIEMANN, STAGES],
            Self::Riemann(_) => &[COMPOSITION, RIEMANN],
            Self::Fourier(plan) if plan.ladder.stages.len() > 1 => &[COMPOSITION, FOURIER, STAGES],
            Self::Fourier(_) => &[COMPOSITION, FOURIER],
            Self::ContourAndLattice(..) => &[COMPOSITION, CONTOUR, LATTICE],
            Self::Afa(_) => &[COMPOSITION, LEVY],
            Self::AfaGrid(_) => &[
                COMPOSITION,
                "the smallest and the largest loss of each cell [Zhu22, Alg. 2, Thm 44], with the masses of the cells",
                "a finite sum of both characteristic functions bounds a tail (Vaaler 1985, Thm 18)",
            ],
            Self::DoubleQuadrature(_) => &[COMPOSITION, LEVY],
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClosedForm => write!(f, "closed form"),
            Self::SinglePair => write!(f, "closed form of the worst-case pair"),
            Self::TotalVariation { bound, .. } => write!(f, "total variation: δ(0) is at most {bound:.3e}"),
            Self::ExactSums(plan) => write!(f, "exact sums: {plan}"),
            Self::NoWorse(bound) => write!(f, "no worse: {bound}"),
            Self::Mirrored { epsilon, bound } => {
                write!(f, "no worse: δ ≤ {bound:.1e} at ε = {epsilon:.4}, by the curve of the dual")
            }
            Self::LargestLoss { epsilon, bound } => {
                write!(f, "no worse: δ ≤ {bound:.1e} at ε = {epsilon:.4}, by the largest loss")
            }
            Self::LargestLosses => write!(f, "sum of the largest losses"),
            Self::Contour(line) => write!(f, "contour: {line}"),
            Self::Moments => write!(f, "moments: upper end only"),
            Self::Lattice(lattice)
            | Self::Tangents(lattice)
            | Self::Buckets(lattice)
            | Self::Riemann(lattice) => write!(f, "lattice: {lattice}"),
            Self::Staged(plan) => write!(f, "lattice: {plan}"),
            Self::Fourier(plan) => write!(f, "discrete Fourier accountant: {plan}"),
            Self::Afa(plan) => write!(f, "analytical Fourier accountant: {plan}"),
            Self::AfaGrid(plan) => write!(f, "discretised characteristic function: {plan}"),
            Self::DoubleQuadrature(plan) => write!(f, "double quadrature: {plan}"),
            Self::ContourAndLattice(line, lattice) => write!(f, "contour: {line}; and lattice: {lattice}"),
        }
    }
}
