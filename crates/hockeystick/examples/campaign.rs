//! A soundness campaign: random questions whose answers are held against each other. Only contradictions between *proven* bounds
//! count, so that every violation is a bug.
//!
//! `campaign [--seed S] [--cases N] [--from I] [--lattice EVERY]` prints the seed, how many cases and checks there were, and each
//! violation with the question that shows it. A case is drawn from the seed and its number alone: a campaign is resumed with
//! `--from`, and one case is repeated with `--from I --cases 1`.

use hockeystick::{
    Answer, Query,
    mechanism::{Mechanism, Relation},
    query::Method,
};
use std::{env, error::Error, panic, process::ExitCode};

/// SplitMix64: a sequence that is the same everywhere.
struct Random(u64);

impl Random {
    fn of_case(seed: u64, case: u64) -> Self {
        let mut mixed = Self(seed ^ case.wrapping_mul(0xd134_2543_de82_ef95));
        mixed.bits();
        mixed
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    fn chance(&mut self, p: f64) -> bool {
        self.uniform(0.0, 1.0) < p
    }
}

/// A mechanism by the size of its loss, sampled at a rate, used some number of times.
#[derive(Clone)]
struct Part {
    kind: u64,
    /// About the standard deviation of the loss of one use.
    spread: f64,
    /// Whatever else the mechanism needs, from 0 to 1.
    other: f64,
    rate: f64,
    sampler: &'static str,
    count: u64,
}

/// How many values of `Part::kind` there are; the first `SELF_DUAL` have a pair that is its own dual.
const KINDS: u64 = 12;
const SELF_DUAL: u64 = 10;
/// Below this, a larger spread (everything else the same) is known to make the mechanism less private.
const ORDERED: u64 = 6;

impl Part {
    fn random(random: &mut Random, relation: Relation) -> Self {
        let count =
            if random.chance(0.2) { 1 + random.below(6) } else { random.log_uniform(1.0, 1e9) as u64 };
        let total =
            if random.chance(0.85) { random.log_uniform(0.02, 12.0) } else { random.log_uniform(1e-4, 60.0) };
        let replace = relation == Relation::Replace;
        let kind = random.below(if replace { SELF_DUAL } else { KINDS });
        let rate = if random.chance(0.5) { random.log_uniform(1e-5, 0.9) } else { 1.0 };
        let subset = replace || (kind < SELF_DUAL && random.chance(0.3));
        Self {
            kind,
            spread: (total / (count as f64).sqrt() / rate).min(3.0),
            other: random.uniform(0.0, 1.0),
            rate,
            sampler: if subset { "subset" } else { "poisson" },
            count,
        }
    }

    fn text(&self) -> String {
        let noise = 1.0 / self.spread;
        let small = self.spread.clamp(1e-6, 5.0);
        let one = match self.kind {
            0 | 1 => format!("gaussian(sigma={:?})", noise.max(0.2)),
            2 => format!("laplace(scale={noise:?})"),
            3 => format!("randomized_response(epsilon={small:?})"),
            4 => format!("dp(epsilon={small:?}, delta={:?})", 1e-4 * 10f64.powf(-12.0 * self.other)),
            5 => format!("gdp(mu={small:?})"),
            6 => format!("exponential(epsilon={:?})", 2.0 * small),
            7 => {
                let scale = noise.max(0.3);
                format!("truncated_laplace(scale={scale:?}, bound={:?})", scale * (4.0 + 40.0 * self.other))
            }
            8 => format!("discrete_laplace(scale={:?}, sensitivity=3)", (3.0 * noise).min(1e6)),
            9 => format!("discrete_gaussian(sigma={:?})", noise.clamp(0.4, 15.0)),
            10 => format!(
                "gaussian_mixture(sigma={:?}, shifts=\"0,1,2.5\", weights=\"0.5,0.375,0.125\")",
                (2.0 * noise).max(0.3)
            ),
            _ => format!("gaussian_variance(sigma1=1.0, sigma2={:?})", 1.0 + self.spread.min(2.0)),
        };
        let sampled =
            if self.rate < 1.0 { format!("{}({one}, rate={:?})", self.sampler, self.rate) } else { one };
        format!("{sampled} * {}", self.count)
    }
}

fn sum(parts: &[Part]) -> String {
    parts.iter().map(Part::text).collect::<Vec<_>>().join(" + ")
}

#[derive(Default)]
struct Tally {
    checks: u64,
    refused: u64,
    by_engine: [u64; 3],
    violations: Vec<String>,
}

/// Bounds of one number by one method.
type Bounds = (f64, f64);

fn bounds(answer: &Answer) -> Bounds {
    (answer.lower().unwrap_or(0.0), answer.upper())
}

struct Case {
    parts: Vec<Part>,
    relation: Relation,
    delta: f64,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let relations = [Relation::AddRemove, Relation::Add, Relation::Remove, Relation::Replace];
        let relation = relations[random.below(4) as usize];
        let many = if random.chance(0.65) { 1 } else { 2 + random.below(3) };
        let parts = (0..many).map(|_| Part::random(random, relation)).collect();
        let delta =
            if random.chance(0.4) { random.log_uniform(1e-300, 0.9) } else { random.log_uniform(1e-16, 0.9) };
        Self { parts, relation, delta }
    }

    fn ask(
        &self,
        text: &str,
        method: Method,
        epsilon: Option<f64>,
        delta: f64,
    ) -> Result<Bounds, Box<dyn Error>> {
        let mechanism: Mechanism = text.parse()?;
        let query = Query::new(&mechanism).relation(self.relation).method(method).tolerance(0.05);
        let answer = match epsilon {
            Some(epsilon) => query.delta(epsilon)?,
            None => query.epsilon(delta)?,
        };
        Ok(bounds(&answer))
    }

    fn check(
        &self,
        tally: &mut Tally,
        random: &mut Random,
        with_lattice: bool,
    ) -> Result<(), Box<dyn Error>> {
        let text = sum(&self.parts);
        let (low, high) = self.ask(&text, Method::Auto, None, self.delta)?;
        let mut expect = |holds: bool, what: String| {
            tally.checks += 1;
            if !holds {
                tally.violations.push(format!("{text} | {} | {what}", self.relation));
            }
        };
        expect(low <= high, format!("ε({:e}) in [{low}, {high}]", self.delta));

        // Smaller δ, more uses, less noise, a larger rate: never a smaller ε.
        let stricter = self.delta * random.log_uniform(1e-3, 1.0);
        if let Ok((_, upper)) = self.ask(&text, Method::Auto, None, stricter) {
            expect(low <= upper, format!("ε({:e}) ≥ {low}, ε({stricter:e}) ≤ {upper}", self.delta));
        }
        let which = random.below(self.parts.len() as u64) as usize;
        let mut worse = vec![self.parts.clone()];
        worse[0][which].count += 1 + worse[0][which].count / 4;
        if self.parts[which].kind < ORDERED {
            worse.push(self.parts.clone());
            worse[1][which].spread *= random.uniform(1.0, 1.5);
        }
        if self.parts[which].rate < 0.8 && self.parts[which].sampler == "poisson" {
            worse.push(self.parts.clone());
            let last = worse.len() - 1;
            worse[last][which].rate *= random.uniform(1.0, 1.2);
        }
        for parts in worse {
            let other = sum(&parts);
            if let Ok((_, upper)) = self.ask(&other, Method::Auto, None, self.delta) {
                expect(low <= upper, format!("ε({:e}) ≥ {low}, but of {other} ≤ {upper}", self.delta));
            }
        }

        // Uses that are split and put elsewhere are the same uses.
        let part = &self.parts[which];
        if part.count >= 2 {
            let mut split = self.parts.clone();
            split[which].count -= part.count / 3 + 1;
            split.push(Part { count: part.count / 3 + 1, ..part.clone() });
            split.retain(|part| part.count > 0);
            let other = sum(&split);
            if let Ok((lower, upper)) = self.ask(&other, Method::Auto, None, self.delta) {
                let holds = low <= upper && lower <= high;
                expect(
                    holds,
                    format!("ε({:e}) in [{low}, {high}], of {other} in [{lower}, {upper}]", self.delta),
                );
            }
        }
        if !high.is_finite() {
            return Ok(());
        }

        // δ(ε) inverts ε(δ), and whatever proves anything about δ(ε) agrees.
        let (least, _) = self.ask(&text, Method::Auto, Some(high), 0.0)?;
        expect(least <= self.delta, format!("ε({:e}) ≤ {high}, but δ there ≥ {least:e}", self.delta));
        if low > 0.0 {
            let (_, most) = self.ask(&text, Method::Auto, Some(low), 0.0)?;
            expect(most >= self.delta, format!("ε({:e}) ≥ {low}, but δ there ≤ {most:e}", self.delta));
        }
        let at = low + (high - low) / 2.0;
        let mut proven = vec![(Method::Auto, self.ask(&text, Method::Auto, Some(at), 0.0)?)];
        let mut engines = vec![Method::ClosedForm, Method::Contour];
        if with_lattice {
            engines.push(Method::Lattice);
        }
        for (i, method) in engines.into_iter().enumerate() {
            if let Ok(found) = self.ask(&text, method, Some(at), 0.0) {
                tally.by_engine[i] += 1;
                proven.push((method, found));
            }
        }
        for method in [Method::Rdp, Method::RdpClassic, Method::RdpOptimal, Method::Markov, Method::Basic] {
            if let Ok((_, upper)) = self.ask(&text, method, Some(at), 0.0) {
                proven.push((method, (0.0, upper)));
            }
        }
        for (first, (lower, _)) in &proven {
            for (second, (_, upper)) in &proven {
                tally.checks += 1;
                if lower > upper {
                    let what = format!("δ({at:?}) ≥ {lower:e} by {first}, ≤ {upper:e} by {second}");
                    tally.violations.push(format!("{text} | {} | {what}", self.relation));
                }
            }
        }
        Ok(())
    }
}

fn option(name: &str, otherwise: u64) -> Result<u64, Box<dyn Error>> {
    let words: Vec<String> = env::args().collect();
    let Some(at) = words.iter().position(|word| word == name) else { return Ok(otherwise) };
    let value = words.get(at + 1).ok_or_else(|| format!("{name} needs a number"))?;
    value.parse().map_err(|_| format!("{name} {value}: not a whole number").into())
}

#[expect(clippy::print_stdout, reason = "the report is what the campaign is for")]
fn main() -> Result<ExitCode, Box<dyn Error>> {
    let (seed, from) = (option("--seed", 1)?, option("--from", 0)?);
    let (cases, every) = (option("--cases", 1000)?, option("--lattice", 20)?.max(1));
    println!("seed {seed}, cases {from} to {}", from + cases);
    let mut tally = Tally::default();
    for number in from..from + cases {
        let mut random = Random::of_case(seed, number);
        let case = Case::random(&mut random);
        let known = tally.violations.len();
        let outcome = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            case.check(&mut tally, &mut random, number % every == 0).is_ok()
        }));
        match outcome {
            Ok(answered) => tally.refused += u64::from(!answered),
            Err(_) => tally.violations.push(format!("{} | {} | panicked", sum(&case.parts), case.relation)),
        }
        for violation in &tally.violations[known..] {
            println!("violation in case {number}, δ = {:e}: {violation}", case.delta);
        }
        if (number + 1 - from) % 1000 == 0 {
            println!(
                "{} cases, {} checks, {} violations",
                number + 1 - from,
                tally.checks,
                tally.violations.len()
            );
        }
    }
    let [closed_form, contour, lattice] = tally.by_engine;
    println!(
        "{cases} cases ({} without an answer), {} checks (closed form {closed_form}, contour {contour}, lattice {lattice}), \
         {} violations",
        tally.refused,
        tally.checks,
        tally.violations.len()
    );
    Ok(if tally.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
