//! A question, and the profiles that answer it: one direction after the other, by the engine that suits it.

use super::{
    Method,
    between::Between,
    engine::{Engine, Plan},
    narrowest::Narrowest,
    no_worse::{self, Reached},
    points,
    within_losses::{WithinLosses, end_of_losses, within_losses},
};
use crate::{
    curve::{PairProfile, PrivacyProfile},
    engine::{
        Goal,
        closed_form::ClosedForm,
        contour::{Accuracy, Contour},
        exact::{Effort, ExactSums},
        lattice::{CONNECT_THE_DOTS, Ceiling, Discretisation, Lattice, LatticePlan, Options},
        published::{self, Fourier, Staged, characteristic::CharacteristicGrid},
    },
    error::Error,
    mechanism::Relation,
    pair::{Bounding, Direction, LossLaw, Releases, SharedPair, Slack},
};

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
    pub releases: &'a Releases<'a>,
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
        let is_forced = !matches!(self.method, Method::Auto | Method::ClosedForm);
        let directions = Direction::of(self.relation);
        let pairs = self.releases.pairs(directions[0]).unwrap_or_default();
        let is_self_dual = pairs.iter().all(|(pair, _)| pair.is_self_dual());
        let by_curve = pairs.iter().any(|(pair, _)| pair.is_known_by_curve());
        let tolerance = if by_curve { self.tolerance.max(points::WIDTH_OF_ENGINES) } else { self.tolerance };
        let (mut reached, mut no_worse) = (None, Vec::new());
        for &direction in if is_self_dual { &directions[..1] } else { directions } {
            let bounding = |most| {
                let enclosed = |pairs| points::enclosed(pairs, self.goal, most);
                self.releases.bounding(direction, is_forced, enclosed)
            };
            // A direction that spends less shows it already between few points.
            if let Some(reached) = reached.filter(|_| !is_forced)
                && let Some(Bounding { above, slack: Slack::NONE, .. }) = bounding(points::FEW)?
                && let Some(plan) = no_worse::plan(&above.pairs(direction)?, direction, reached)
            {
                no_worse.push(plan);
                continue;
            }
            let Some(Bounding { above, below, slack }) = bounding(points::MANY)? else {
                return self.compose_each(&mut read);
            };
            let relation = direction.alone();
            let pairs = self.releases.pairs(direction)?;
            let notes: Vec<String> = pairs.iter().flat_map(|(pair, _)| pair.notes()).collect();
            let side = |releases| Request { releases, relation, tolerance, ..*self };
            let mut below = side(&below).compose()?.pop().map(|composed| composed.profile);
            side(&above).compose_each(&mut |composed| {
                let profile = Box::new(Between { above: composed.profile, below: below.take(), slack });
                reached = read(Composed { profile, notes: notes.clone(), ..composed });
                reached
            })?;
        }
        Ok(no_worse)
    }

    /// The same for a composition of which all pairs are known by themselves.
    fn compose_each(&self, read: &mut dyn FnMut(Composed) -> Option<Reached>) -> Result<Vec<Plan>, Error> {
        let directions = Direction::of(self.relation);
        let forced = match self.method {
            Method::Auto | Method::ClosedForm => None,
            Method::ExactSums => Some(Forced::ExactSums),
            Method::Contour => Some(Forced::Contour),
            Method::Lattice => Some(Forced::Lattice(CONNECT_THE_DOTS, Engine::Lattice)),
            Method::Tangents => Some(Forced::Lattice(published::TANGENTS, Engine::Tangents)),
            Method::Buckets => Some(Forced::Lattice(published::BUCKETS, Engine::Buckets)),
            Method::Riemann => Some(Forced::Lattice(published::RIEMANN, Engine::Riemann)),
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
            && let Some(laws) = loss_laws(&self.releases.pairs(directions[0])?)
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
            match self.compose_direction(direction, forced, reached)? {
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
        direction: Direction,
        forced: Option<Forced>,
        reached: Option<(Reached, Option<LatticePlan>)>,
    ) -> Result<Side, Error> {
        let pairs = self.releases.pairs(direction)?;
        if forced.is_none()
            && let Some(pair) = self.releases.whole(direction)?
        {
            let (is_self_dual, notes) = (pair.is_self_dual(), pair.notes());
            let reason = "the composition has a worst-case pair of its own";
            let plan = Plan { direction, engine: Engine::SinglePair, reason };
            let composed = Composed { plan, profile: Box::new(PairProfile::new(pair)), notes };
            return Ok(Side::Composed { composed, is_self_dual });
        }
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
        let end = if forced.is_some() { None } else { end_of_losses(self.goal, &pairs) };
        let goal = if forced.is_some() { self.goal } else { within_losses(self.goal, &pairs, end) };
        let request = Self { goal, ..*self };
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
        if let Some(Forced::Lattice(discretisation, engine)) = forced {
            let options = Options { tolerance: self.tolerance, discretisation, ..Options::default() };
            let first_order = self.first_order(discretisation);
            if discretisation.is_first_order()
                && let [(pair, count)] = pairs
                && let Some(staged) = Staged::compose(pair, *count, self.goal, in_stages(first_order))
            {
                return Ok((Engine::Staged(staged.plan().clone()), "asked for", Box::new(staged)));
            }
            let lattice = if discretisation.is_first_order() {
                Lattice::compose_with(pairs, self.goal, first_order)?
            } else if let Some((Reached { epsilon, delta, .. }, plan)) =
                reached.filter(|(reached, _)| reached.epsilon > 0.0)
            {
                Lattice::compose_below(pairs, self.goal, options, Ceiling { epsilon, delta, plan })?
            } else {
                Lattice::compose_with(pairs, self.goal, options)?
            };
            return Ok((engine(lattice.plan()), "asked for", Box::new(lattice)));
        }
        if let Some(Forced::Fourier) = forced {
            let fourier = self.fourier(pairs)?;
            return Ok((Engine::Fourier(fourier.plan().clone()), "asked for", Box::new(fourier)));
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
        let narrow = Accuracy::within(self.tolerance);
        if forced.is_none()
            && let Some(lattice) = Lattice::of_few_outcomes(pairs, self.goal, narrow.relative)
        {
            let reason = "the composition has few outcomes";
            return Ok((Engine::Lattice(lattice.plan()), reason, Box::new(lattice)));
        }
        let Some(contour) = Contour::compose(pairs, self.goal, narrow) else {
            if forced.is_some() {
                let reason = "the moment generating function does not exist right of 0, or no rule is known that integrates it";
                return Err(Error::not_applicable(self.method, reason));
            }
            let lattice = Lattice::compose(pairs, self.goal, self.tolerance)?;
            let reason = "the moment generating function does not exist right of 0, or has no rule";
            return Ok((Engine::Lattice(lattice.plan()), reason, Box::new(lattice)));
        };
        let line = contour.plan().clone();
        if forced.is_some() || contour.width() <= self.tolerance {
            let reason = if forced.is_some() { "asked for" } else { "its answer is narrow enough" };
            return Ok((Engine::Contour(line), reason, Box::new(contour)));
        }
        if let Some((engine, profile)) = exact(Effort::Any) {
            return Ok((engine, "|M| does not decay on the line, and the losses can be summed", profile));
        }
        if contour.width() <= NARROWEST_LATTICE {
            let reason = "no lattice is as narrow as the line";
            return Ok((Engine::Contour(line), reason, Box::new(contour)));
        }
        match Lattice::compose(pairs, self.goal, self.tolerance) {
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
        let options = in_stages(self.first_order(published::BUCKETS));
        Fourier::compose(pair, *count, self.goal, options)
            .ok_or(refused("the losses do not fit into a window of as many points as it may take"))
    }

    /// Where the error falls with the spacing itself, narrow answers take minutes: these methods are for comparison, and wide.
    fn first_order(&self, discretisation: Discretisation) -> Options {
        let most_points = MOST_POINTS_OF_FIRST_ORDER;
        Options { tolerance: self.tolerance, discretisation, most_points, ..Options::default() }
    }
}

/// The laws of the losses with their counts, if all of them may compose in closed form.
fn loss_laws(pairs: &[(SharedPair, u64)]) -> Option<Vec<(LossLaw, u64)>> {
    pairs.iter().map(|(pair, count)| Some((pair.loss_law()?, *count))).collect()
}

/// The most points of lattices whose error is of first order, and of all stages of one together: some tenths of a second.
const MOST_POINTS_OF_FIRST_ORDER: usize = 1 << 20;
const MOST_POINTS_OF_STAGES: usize = 1 << 22;

fn in_stages(options: Options) -> Options {
    Options { most_points: MOST_POINTS_OF_STAGES, ..options }
}

/// The relative width of ε below which lattices of as many points as fit hardly ever are.
const NARROWEST_LATTICE: f64 = 1e-8;

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
    Lattice(Discretisation, fn(LatticePlan) -> Engine),
    Fourier,
    CharacteristicGrid,
}
