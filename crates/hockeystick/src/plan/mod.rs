//! Which engine answers, with which parameters, and why: data that can be printed and tested, and then run.
//!
//! In: a composition, a question, a method and a tolerance. Out: for each direction that has to be looked at a [`Plan`]
//! together with the profile that it leads to. Closed forms come first, then exact sums if they are no more work than
//! the others, then the contour if its line is expected to be narrow enough, then the lattice; where neither is, both answer and the
//! narrower end of each counts.
//!
//! # Guarantee
//! A plan decides speed and width only: every engine that it can name encloses.

mod method;
mod narrowest;
mod no_worse;
mod pairs;
mod total_variation;
mod within_losses;

pub use method::{Method, UnknownMethod};
pub use no_worse::Reached;

use crate::{
    composition::{self, Part},
    curve::{PairProfile, PrivacyProfile},
    engine::{
        Goal,
        characteristic::{CharacteristicGrid, GridPlan, InversionPlan},
        closed_form::ClosedForm,
        contour::{Chernoff, Contour, LinePlan},
        exact::{Effort, ExactKind, ExactPlan, ExactSums},
        lattice::{Ceiling, Discretisation, Fourier, Lattice, LatticePlan, Options},
    },
    error::Error,
    mechanism::{Mechanism, Relation},
    pair::{self, Direction, SharedPair},
};
use narrowest::Narrowest;
use std::fmt;
use within_losses::WithinLosses;

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
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The moment generating function on a vertical line.
    Contour(LinePlan),
    /// The upper end comes from moments of the loss.
    Moments,
    /// Losses on a lattice, put there as the plan says.
    Lattice(LatticePlan),
    /// The discrete Fourier accountant as published.
    Fourier,
    /// Both, and the narrower end of each.
    ContourAndLattice(LinePlan, LatticePlan),
    /// The analytical Fourier accountant as published: an estimate.
    Afa(InversionPlan),
    /// The discretised characteristic function with bounds.
    AfaGrid(GridPlan),
    /// The same as [`Engine::Afa`] with characteristic functions by quadrature: an estimate.
    DoubleQuadrature(InversionPlan),
}

impl Engine {
    /// The plan of a lattice that answers alone.
    fn lattice(self) -> Option<LatticePlan> {
        if let Self::Lattice(plan) = self { Some(plan) } else { None }
    }

    /// The method that answers are signed with.
    pub fn method(self) -> Method {
        match self {
            Self::ClosedForm | Self::SinglePair | Self::LargestLosses => Method::ClosedForm,
            Self::TotalVariation { method, .. } => method,
            Self::ExactSums(_) => Method::ExactSums,
            Self::Contour(_) | Self::NoWorse(_) | Self::Mirrored { .. } | Self::LargestLoss { .. } => {
                Method::Contour
            }
            Self::Lattice(plan) | Self::ContourAndLattice(_, plan) => match plan.discretisation {
                Discretisation::ConnectTheDots => Method::Lattice,
                Discretisation::Tangents => Method::Tangents,
                Discretisation::Buckets => Method::Buckets,
                Discretisation::Riemann => Method::Riemann,
            },
            Self::Moments => Method::RdpOptimal,
            Self::Fourier => Method::Fourier,
            Self::Afa(_) => Method::Afa,
            Self::AfaGrid(_) => Method::AfaGrid,
            Self::DoubleQuadrature(_) => Method::DoubleQuadrature,
        }
    }

    /// The theorems behind it.
    pub fn theorems(self) -> &'static [&'static str] {
        const COMPOSITION: &str = "dominating pairs compose, each direction by itself [Zhu22, Thm 10]";
        const CONTOUR: &str = "δ is an integral of the characteristic function [Zhu22, Thm 19], taken on Re z = c; its sum is one-signed";
        const LATTICE: &str = "connect-the-dots dominates [Doroshenko22, Lemma 4.1], merging outcomes is dominated [Doroshenko22, Thm 5.4]";
        const LEVY: &str = "Lévy's inversion of both characteristic functions [Zhu22, Alg. 1, Lemma 18], whose error nobody bounds";
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
            Self::Lattice(plan) => match plan.discretisation {
                Discretisation::ConnectTheDots => &[COMPOSITION, LATTICE],
                Discretisation::Tangents => &[
                    COMPOSITION,
                    "connect-the-dots dominates [Doroshenko22, Lemma 4.1], the hull of tangents is dominated [Doroshenko22, Thm 5.4]",
                ],
                Discretisation::Buckets => &[COMPOSITION, "rounding losses up or down [Sommer19, Sec. 4.5]"],
                Discretisation::Riemann => {
                    &[COMPOSITION, "Riemann sums of the density of the loss [Koskela21, Lemma 12]"]
                }
            },
            Self::Fourier => {
                &[COMPOSITION, "the discrete Fourier accountant and its error bound [Koskela21, Thm 10]"]
            }
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
            Self::Lattice(lattice) => write!(f, "lattice: {lattice}"),
            Self::Fourier => write!(f, "discrete Fourier accountant"),
            Self::Afa(plan) => write!(f, "analytical Fourier accountant: {plan}"),
            Self::AfaGrid(plan) => write!(f, "discretised characteristic function: {plan}"),
            Self::DoubleQuadrature(plan) => write!(f, "double quadrature: {plan}"),
            Self::ContourAndLattice(line, lattice) => write!(f, "contour: {line}; and lattice: {lattice}"),
        }
    }
}

/// A plan that was carried out: the profile answers questions.
pub struct Composed {
    /// What was planned.
    pub plan: Plan,
    /// `δ(ε)`, enclosed.
    pub profile: Box<dyn PrivacyProfile>,
    /// What the reader of an answer should know about the pairs.
    pub notes: Vec<String>,
}

/// What is asked, and how it is to be answered.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The composition.
    pub mechanism: &'a Mechanism,
    /// Which datasets are neighbours.
    pub relation: Relation,
    /// The method, possibly automatic.
    pub method: Method,
    /// The relative width wanted.
    pub tolerance: f64,
    /// The question.
    pub goal: Goal,
}

impl Request<'_> {
    /// The composed profile of each direction that has to be looked at. Self-dual compositions need one only.
    pub fn compose(&self) -> Result<Vec<Composed>, Error> {
        let mut all = Vec::new();
        self.for_each_direction(|composed| {
            all.push(composed);
            None
        })?;
        Ok(all)
    }

    /// Hands the composed profile of each direction that has to be looked at to `read`, which may say what was reached: directions
    /// that stay below that are left out. Returns the plans of those.
    pub fn for_each_direction(
        &self,
        mut read: impl FnMut(Composed) -> Option<Reached>,
    ) -> Result<Vec<Plan>, Error> {
        let parts = composition::parts(self.mechanism)?;
        let directions = Direction::of(self.relation);
        let forced = match self.method {
            Method::Auto | Method::ClosedForm => None,
            Method::ExactSums => Some(Forced::ExactSums),
            Method::Contour => Some(Forced::Contour),
            Method::Lattice => Some(Forced::Lattice(Discretisation::ConnectTheDots)),
            Method::Tangents => Some(Forced::Lattice(Discretisation::Tangents)),
            Method::Buckets => Some(Forced::Lattice(Discretisation::Buckets)),
            Method::Riemann => Some(Forced::Lattice(Discretisation::Riemann)),
            Method::Fourier => Some(Forced::Fourier),
            Method::AfaGrid => Some(Forced::CharacteristicGrid),
            method if method.only_estimates() => {
                let reason = "it estimates single values of δ and ε, and proves nothing";
                return Err(Error::not_applicable(method, reason));
            }
            method => {
                let reason = "it bounds single values of δ and ε from above, and encloses no curve";
                return Err(Error::not_applicable(method, reason));
            }
        };
        if forced.is_none()
            && let Some(laws) = pair::loss_laws(&parts)
        {
            match ClosedForm::compose(laws) {
                // Every law is self-dual, so all directions of a relation share the profile of the first.
                Ok(profile) => {
                    let reason = "every loss is normal, two-point or a single Laplace";
                    let plan = Plan { direction: directions[0], engine: Engine::ClosedForm, reason };
                    read(Composed { plan, profile: Box::new(profile), notes: Vec::new() });
                    return Ok(vec![]);
                }
                Err(error) if self.method == Method::ClosedForm => return Err(error.into()),
                Err(_) => {}
            }
        }
        let (mut reached, mut no_worse) = (None, Vec::new());
        for &direction in directions {
            match self.compose_direction(&parts, direction, forced, reached)? {
                Side::NoWorse(plan) => no_worse.push(plan),
                Side::Composed { composed, is_self_dual } => {
                    let lattice = composed.plan.engine.lattice();
                    reached = read(composed).map(|reached| (reached, lattice));
                    if is_self_dual {
                        break;
                    }
                }
            }
        }
        Ok(no_worse)
    }

    fn compose_direction(
        &self,
        parts: &[Part<'_>],
        direction: Direction,
        forced: Option<Forced>,
        reached: Option<(Reached, Option<LatticePlan>)>,
    ) -> Result<Side, Error> {
        let single =
            if forced.is_some() { None } else { pair::composed_pair(self.mechanism, direction).ok() };
        if let Some(pair) = single {
            let (is_self_dual, notes) = (pair.is_self_dual(), pair.notes());
            let reason = "the composition has a worst-case pair of its own";
            let plan = Plan { direction, engine: Engine::SinglePair, reason };
            let composed = Composed { plan, profile: Box::new(PairProfile::new(pair)), notes };
            return Ok(Side::Composed { composed, is_self_dual });
        }
        let pairs = pairs::pairs(parts, direction)?;
        if self.method == Method::ClosedForm {
            let reason = "the losses of this composition have no sum in closed form";
            return Err(Error::not_applicable(self.method, reason));
        }
        // A method that is asked for by name answers for every direction.
        if let Some(plan) = reached
            .filter(|_| forced.is_none())
            .and_then(|(reached, _)| no_worse::plan(&pairs, direction, reached))
        {
            return Ok(Side::NoWorse(plan));
        }
        let notes = pairs.iter().flat_map(|(pair, _)| pair.notes()).collect();
        let is_self_dual = pairs.iter().all(|(pair, _)| pair.is_self_dual());
        // Methods that are asked for by name answer as they would.
        let end = if forced.is_some() { None } else { self.end_of_losses(&pairs) };
        let request = if forced.is_some() { *self } else { self.within_losses(&pairs, end) };
        let (engine, reason, profile) = request.run(&pairs, forced, reached)?;
        let profile =
            if forced.is_some() { profile } else { Box::new(WithinLosses { profile, end }) as Box<_> };
        let composed = Composed { plan: Plan { direction, engine, reason }, profile, notes };
        Ok(Side::Composed { composed, is_self_dual })
    }

    /// The engine for a composition that has no closed form. A lattice that is asked for by name is no finer than it takes to see that its
    /// direction stays below what another reached.
    fn run(
        &self,
        pairs: &[(SharedPair, u64)],
        forced: Option<Forced>,
        reached: Option<(Reached, Option<LatticePlan>)>,
    ) -> Result<Chosen, Error> {
        let lattice = |discretisation| Lattice::compose(pairs, self.goal, self.tolerance, discretisation);
        if let Some(Forced::Lattice(discretisation)) = forced {
            let lattice = if discretisation.is_first_order() {
                Lattice::compose_with(
                    pairs,
                    self.goal,
                    self.first_order(discretisation, MOST_POINTS_OF_BUCKETS),
                )?
            } else if let Some((Reached { epsilon, delta, .. }, plan)) =
                reached.filter(|(reached, _)| reached.epsilon > 0.0)
            {
                let options = Options { tolerance: self.tolerance, discretisation, ..Options::default() };
                Lattice::compose_below(pairs, self.goal, options, Ceiling { epsilon, delta, plan })?
            } else {
                lattice(discretisation)?
            };
            let engine = Engine::Lattice(lattice.plan());
            return Ok((engine, "asked for", Box::new(lattice)));
        }
        if let Some(Forced::Fourier) = forced {
            return Ok((Engine::Fourier, "asked for", Box::new(self.fourier(pairs)?)));
        }
        if let Some(Forced::CharacteristicGrid) = forced {
            let reason = "a loss has no finite value, or the range of losses is too large for a grid";
            let grid =
                CharacteristicGrid::compose(pairs).ok_or(Error::not_applicable(self.method, reason))?;
            return Ok((Engine::AfaGrid(grid.plan()), "asked for", Box::new(grid)));
        }
        let exact = |effort| {
            let sums = ExactSums::compose(pairs, self.goal, effort)?;
            Some((Engine::ExactSums(sums.plan()), Box::new(sums) as Box<dyn PrivacyProfile>))
        };
        if let Some(Forced::ExactSums) = forced {
            let reason =
                "the losses are not equally spaced or equal Laplace losses, or there are too many of them";
            let (engine, profile) = exact(Effort::Any).ok_or(Error::not_applicable(self.method, reason))?;
            return Ok((engine, "asked for", profile));
        }
        if forced.is_none()
            && let Some((engine, profile)) = exact(Effort::Planned)
        {
            return Ok((
                engine,
                "the losses add up to equally spaced sums, or are equal Laplace losses",
                profile,
            ));
        }
        let Some(contour) = Contour::compose(pairs, self.goal) else {
            if forced.is_some() {
                let reason = "the moment generating function does not exist right of 0, or no rule is known that integrates it";
                return Err(Error::not_applicable(self.method, reason));
            }
            let lattice = lattice(Discretisation::ConnectTheDots)?;
            let reason = "the moment generating function does not exist right of 0, or has no rule";
            return Ok((Engine::Lattice(lattice.plan()), reason, Box::new(lattice)));
        };
        let line = contour.plan();
        if forced.is_some() || contour.width(self.goal) <= self.tolerance {
            let reason = if forced.is_some() { "asked for" } else { "the line is narrow enough" };
            return Ok((Engine::Contour(line), reason, Box::new(contour)));
        }
        if let Some((engine, profile)) = exact(Effort::Any) {
            return Ok((engine, "|M| does not decay on the line, and the losses can be summed", profile));
        }
        match lattice(Discretisation::ConnectTheDots) {
            Ok(lattice) => {
                let engine = Engine::ContourAndLattice(line, lattice.plan());
                let reason = "|M| does not decay on the line (atoms, or few rare losses)";
                Ok((engine, reason, Box::new(Narrowest::new(contour, lattice))))
            }
            Err(_) => Ok((Engine::Contour(line), "too large for a lattice", Box::new(contour))),
        }
    }
}

impl Request<'_> {
    /// The published accountant, whose theorem is about one mechanism and its repetitions.
    fn fourier(&self, pairs: &[(SharedPair, u64)]) -> Result<Fourier, Error> {
        let refused = |reason| Error::not_applicable(Method::Fourier, reason);
        let [(pair, count)] = pairs else {
            return Err(refused("its theorem is about one mechanism and its repetitions"));
        };
        let options = self.first_order(Discretisation::Buckets, MOST_POINTS_OF_FOURIER);
        Fourier::compose(pair, *count, self.goal, options)
            .ok_or(refused("the losses do not fit into a window of as many points as it may take"))
    }

    /// Where the error falls with the spacing itself, narrow answers take minutes: these methods are for comparison, and wide.
    fn first_order(&self, discretisation: Discretisation, most_points: usize) -> Options {
        Options { tolerance: self.tolerance, discretisation, most_points, ..Options::default() }
    }
}

/// The most points of lattices whose error is of first order: some tenths of a second each.
const MOST_POINTS_OF_BUCKETS: usize = 1 << 20;
const MOST_POINTS_OF_FOURIER: usize = 1 << 16;

/// What becomes of a direction.
enum Side {
    NoWorse(Plan),
    Composed { composed: Composed, is_self_dual: bool },
}

/// An engine, why, and what came of it.
type Chosen = (Engine, &'static str, Box<dyn PrivacyProfile>);

/// What a method leaves no choice about.
#[derive(Clone, Copy, Debug)]
enum Forced {
    ExactSums,
    Contour,
    Lattice(Discretisation),
    Fourier,
    CharacteristicGrid,
}
