//! Random compositions: whatever two engines, or one engine in two ways, prove about the same number must overlap.
//!
//! The test that is run by default is a small part. For more: `cargo test --release -p hockeystick --test engines contour_overlap -- --ignored`,
//! with `HOCKEYSTICK_CASES`, `HOCKEYSTICK_SEED` and `HOCKEYSTICK_LATTICE` (one case in so many is asked of the lattice, too) in the
//! environment.

#![allow(clippy::print_stdout, reason = "what was compared is part of what a sweep shows")]

use hockeystick::{
    Query, composition,
    curve::{PrivacyProfile, smallest_epsilon},
    engine::{
        Goal,
        contour::{Accuracy, Contour},
        lattice::{CONNECT_THE_DOTS, Lattice, Options},
    },
    mechanism::{Mechanism, Relation},
    pair::{Direction, SharedPair, dominating_pair},
    query::Method,
};
use hockeystick_chance::Random;
use hockeystick_numerics::enclosure::Enclosure;

/// The text of a mechanism whose loss deviates by about `spread`, and whether its pair is self-dual.
fn base(random: &mut Random, spread: f64) -> (String, bool) {
    let small = spread.clamp(1e-6, 5.0);
    match random.below(14) {
        0..=3 => (format!("gaussian(sigma={:?})", (1.0 / spread).max(0.2)), true),
        4 => (format!("laplace(scale={:?})", 1.0 / spread), true),
        5 => {
            let sigma = (1.0 / spread).max(0.3);
            let bound = (sigma * random.uniform(3.0, 9.0)).max(0.6);
            (format!("truncated_gaussian(sigma={sigma:?}, bound={bound:?})"), true)
        }
        6 => {
            let scale = (1.0 / spread).max(0.3);
            let bound = (scale * random.uniform(4.0, 45.0)).max(0.6);
            (format!("truncated_laplace(scale={scale:?}, bound={bound:?})"), true)
        }
        7 => {
            let sigma = (2.0 / spread).max(0.3);
            (
                format!("gaussian_mixture(sigma={sigma:?}, shifts=\"0,1,2.5\", weights=\"0.5,0.375,0.125\")"),
                false,
            )
        }
        8 => {
            let ratio = 1.0 + spread.min(2.0);
            let (a, b) = if random.chance(0.5) { (1.0, ratio) } else { (ratio, 1.0) };
            (format!("gaussian_variance(sigma1={a:?}, sigma2={b:?})"), false)
        }
        9 => (format!("exponential(epsilon={:?})", 2.0 * small), true),
        10 => {
            let delta = random.log_uniform(1e-14, 1e-6) * small.min(1.0);
            (format!("stability(epsilon={small:?}, delta={delta:?})"), false)
        }
        11 => (format!("randomized_response(epsilon={small:?})"), true),
        12 => {
            let sigma = (1.0 / spread).clamp(0.4, 15.0);
            (format!("discrete_gaussian(sigma={sigma:?})"), true)
        }
        _ => (format!("discrete_laplace(scale={:?}, sensitivity=3)", (3.0 / spread).min(1e6)), true),
    }
}

fn part(random: &mut Random, relation: Relation) -> String {
    let count = random.log_uniform(1.0, 1e9) as u64;
    let total =
        if random.chance(0.85) { random.log_uniform(0.02, 12.0) } else { random.log_uniform(1e-4, 60.0) };
    let spread = (total / (count as f64).sqrt()).min(3.0);
    loop {
        let rate = if random.chance(0.5) { random.log_uniform(1e-5, 0.9) } else { 1.0 };
        let (text, self_dual) = base(random, (spread / rate).min(3.0));
        if relation == Relation::Replace && !self_dual {
            continue;
        }
        let sampler = if relation == Relation::Replace || (self_dual && random.chance(0.3)) {
            "subset"
        } else {
            "poisson"
        };
        let text = if rate < 1.0 { format!("{sampler}({text}, rate={rate:?})") } else { text };
        return format!("{text} * {count}");
    }
}

struct Composition {
    mechanism: Mechanism,
    relation: Relation,
}

impl Composition {
    fn random(random: &mut Random) -> Self {
        let relations = [Relation::Add, Relation::Remove, Relation::Add, Relation::Remove, Relation::Replace];
        let relation = relations[random.below(5) as usize];
        let parts = if random.chance(0.65) { 1 } else { 2 + random.below(3) };
        let text: Vec<String> = (0..parts).map(|_| part(random, relation)).collect();
        Self { mechanism: text.join(" + ").parse().unwrap(), relation }
    }

    fn pairs(&self) -> Vec<(SharedPair, u64)> {
        let direction = Direction::of(self.relation)[0];
        let parts = composition::parts(&self.mechanism).unwrap();
        let pair = |part: &composition::Part<'_>| dominating_pair(part.mechanism, direction).unwrap();
        parts.iter().map(|part| (pair(part), part.count)).collect()
    }

    fn query(&self, method: Method) -> Query<'_> {
        Query::new(&self.mechanism).relation(self.relation).method(method).tolerance(0.05)
    }
}

/// Longer lines take too long for a sweep: the law hardly decays there.
const MOST_POINTS: usize = 1000;

/// Larger ones take seconds, and only some are narrower.
const SMALL_LATTICE: Options =
    Options { tolerance: 0.05, discretisation: CONNECT_THE_DOTS, spacing: None, most_points: 1 << 14 };

/// What was compared; of the lattices, how many knew δ to 10 %.
#[derive(Debug, Default)]
struct Tally {
    cases: usize,
    lattice: usize,
    narrow: usize,
    closed_form: usize,
    monotone: usize,
    regrouped: usize,
    inverted: usize,
    no_contour: usize,
    too_long: usize,
    failures: Vec<String>,
}

fn overlap(a: Enclosure, b: Enclosure) -> bool {
    a.lower() <= b.upper() && b.lower() <= a.upper()
}

fn enclosure(answer: &hockeystick::Answer) -> Enclosure {
    Enclosure::new(answer.lower().unwrap_or(0.0), answer.upper())
}

impl Tally {
    fn expect(&mut self, holds: bool, case: &Composition, what: impl FnOnce() -> String) {
        if !holds {
            self.failures.push(format!("{} {}: {}", case.mechanism, case.relation, what()));
        }
    }

    fn add(&mut self, random: &mut Random, with_lattice: bool) {
        let case = Composition::random(random);
        let target =
            if random.chance(0.5) { random.log_uniform(1e-300, 0.9) } else { random.log_uniform(1e-16, 0.9) };
        let pairs = case.pairs();
        self.cases += 1;
        let Some(contour) = Contour::compose(&pairs, Goal::Epsilon { delta: target }, Accuracy::NARROW)
        else {
            self.no_contour += 1;
            return;
        };
        if contour.plan().first_line().is_none_or(|line| line.points > MOST_POINTS) {
            self.too_long += 1;
            return;
        }
        let (inverse, _) = smallest_epsilon(&contour, target);
        if !inverse.upper().is_finite() {
            return;
        }
        // ε(δ) and δ(ε) agree, also for lines made anew.
        let epsilon = inverse.midpoint();
        let Some(fresh) = Contour::compose(&pairs, Goal::Delta { epsilon }, Accuracy::NARROW) else { return };
        self.inverted += 1;
        for (at, is_above) in [(inverse.upper(), false), (inverse.lower(), true)] {
            let delta = fresh.delta(at).delta.value();
            let holds = if is_above { delta.upper() >= target || at == 0.0 } else { delta.lower() <= target };
            self.expect(holds, &case, || format!("ε({target:e}) = {inverse:?}, but δ({at}) = {delta:?}"));
        }
        // δ falls with ε: new lines, and the first one used far from home.
        self.monotone += 1;
        let grid = [0.5, 1.0, 1.6].map(|f| f * epsilon);
        let own = grid.map(|at| fresh.delta(at).delta.value());
        let other = grid.map(|at| contour.delta(at).delta.value());
        for (i, (a, b)) in own.iter().zip(&other).enumerate() {
            self.expect(overlap(*a, *b), &case, || format!("δ({}) = {a:?} and {b:?}", grid[i]));
            if let Some(after) = own.get(i + 1) {
                self.expect(after.lower() <= a.upper(), &case, || {
                    format!("δ rises after {}: {a:?}, {after:?}", grid[i])
                });
            }
        }
        self.regroup(&case, &pairs, epsilon, own[1]);
        if let Ok(exact) = case.query(Method::ClosedForm).delta(epsilon) {
            self.closed_form += 1;
            let exact = enclosure(&exact);
            self.expect(overlap(exact, own[1]), &case, || {
                format!("δ({epsilon}) = {:?}, but {exact:?}", own[1])
            });
        }
        let goal = Goal::Delta { epsilon };
        if with_lattice && let Ok(lattice) = Lattice::compose_with(&pairs, goal, SMALL_LATTICE) {
            self.lattice += 1;
            let lattice = lattice.delta(epsilon).delta.value();
            self.narrow += usize::from(lattice.width() < 0.1 * lattice.upper());
            self.expect(overlap(lattice, own[1]), &case, || {
                format!("δ({epsilon}) = {:?}, but {lattice:?}", own[1])
            });
        }
    }

    /// Uses of the first pair are split in two, which changes nothing; and one is added, which does not make δ smaller.
    fn regroup(&mut self, case: &Composition, pairs: &[(SharedPair, u64)], epsilon: f64, delta: Enclosure) {
        let (pair, count) = pairs[0].clone();
        if count >= 2 {
            let mut split = pairs.to_vec();
            split[0].1 = count - count / 3;
            split.push((pair.clone(), count / 3));
            split.retain(|(_, count)| *count > 0);
            if let Some(again) = Contour::compose(&split, Goal::Delta { epsilon }, Accuracy::NARROW) {
                self.regrouped += 1;
                let again = again.delta(epsilon).delta.value();
                self.expect(overlap(delta, again), case, || {
                    format!("δ({epsilon}) = {delta:?}, split {again:?}")
                });
            }
        }
        let mut more = pairs.to_vec();
        more[0].1 = count + 1 + count / 4;
        if let Some(more) = Contour::compose(&more, Goal::Delta { epsilon }, Accuracy::NARROW) {
            let more = more.delta(epsilon).delta.value();
            self.expect(delta.lower() <= more.upper(), case, || {
                format!("more uses: {more:?} after {delta:?}")
            });
        }
    }

    fn finish(self) {
        println!("{self:#?}");
        assert!(self.failures.is_empty(), "{} failures", self.failures.len());
    }
}

#[test]
fn engines_agree_on_some_compositions() {
    let mut random = Random::new(1);
    let mut tally = Tally::default();
    for _ in 0..40 {
        tally.add(&mut random, false);
    }
    assert!(tally.inverted > 15);
    tally.finish();
}

#[test]
#[ignore = "takes minutes"]
fn engines_agree_on_many_compositions() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let mut random = Random::new(number("HOCKEYSTICK_SEED", 2));
    let mut tally = Tally::default();
    let one_in = number("HOCKEYSTICK_LATTICE", 5).max(1);
    for case in 0..number("HOCKEYSTICK_CASES", 10_000) {
        tally.add(&mut random, case % one_in == 0);
    }
    tally.finish();
}
