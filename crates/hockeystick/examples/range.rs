//! How narrow and how fast answers about the sampled Gaussian are, all over σ from 0.3 to 100, rates from 10⁻⁶ to 1, one use to 10⁸, and δ
//! from 0.1 to 10⁻¹⁰⁰: `bench/range` runs it, and `bench/README.md` says what it prints.
//!
//! `range [--points N] [--seed S] [--relation R] [--uses MOST] [--corners] [--flat LOW HIGH] [--milliseconds MOST] [--file QUESTIONS]`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program")]

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
};
use hockeystick_chance::Random;
use std::{env, error::Error, fs, process::ExitCode, time::Instant};

/// The width that ε is to have at most: a part of it, or a width whatever ε is.
const NARROW: f64 = 1e-9;
const ABSOLUTE: f64 = 1e-11;
/// A question that took more than this part of what is allowed is asked so many times in all, and the best counts.
const PART_TO_REPEAT: f64 = 0.5;
const REPEATS: usize = 5;
/// A larger part of δ does not show how exactly δ is known where it is asked for.
const FAR_ABOVE_ROUNDINGS: f64 = 1e-9;

const OPTIONS: &str = "--points N, --seed S, --relation R, --uses MOST, --corners, --flat LOW HIGH, --milliseconds MOST, --file QUESTIONS";

/// What is asked: σ, rate, uses, δ.
#[derive(Clone, Copy, Debug)]
struct Question {
    sigma: f64,
    rate: f64,
    uses: u64,
    delta: f64,
}

#[derive(Clone, Copy, Debug)]
struct Measured {
    question: Question,
    epsilon: f64,
    width: f64,
    milliseconds: f64,
}

/// Which questions, and what is too slow.
struct Options {
    points: usize,
    seed: u64,
    relation: Relation,
    most_uses: f64,
    has_corners: bool,
    flat: Option<(f64, f64)>,
    most_milliseconds: f64,
    file: Option<String>,
}

fn main() -> ExitCode {
    match options().and_then(|options| measured(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        points: 10_000,
        seed: 1,
        relation: Relation::AddRemove,
        most_uses: 1e8,
        has_corners: false,
        flat: None,
        most_milliseconds: 10.0,
        file: None,
    };
    let mut rest = env::args().skip(1);
    while let Some(name) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{name} takes a value"));
        match name.as_str() {
            "--points" => options.points = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--relation" => options.relation = value()?.parse()?,
            "--uses" => options.most_uses = value()?.parse()?,
            "--corners" => options.has_corners = true,
            "--flat" => options.flat = Some((value()?.parse()?, value()?.parse()?)),
            "--milliseconds" => options.most_milliseconds = value()?.parse()?,
            "--file" => options.file = Some(value()?),
            _ => return Err(format!("there is no option {name:?}; there are {OPTIONS}").into()),
        }
    }
    Ok(options)
}

/// All questions answered and what there is to say of them printed. Were all of them narrow and fast?
fn measured(options: &Options) -> Result<bool, Box<dyn Error>> {
    let questions = questions(options)?;
    let mut all = Vec::with_capacity(questions.len());
    for question in questions {
        let found = answered(question, options)?;
        if found.width > NARROW || found.milliseconds > options.most_milliseconds {
            println!("{}", line(&found));
        }
        all.push(found);
    }
    let wide = all.iter().filter(|found| found.width > NARROW).count();
    let slow = all.iter().filter(|found| found.milliseconds > options.most_milliseconds).count();
    let widest = all.iter().map(|found| found.width).fold(0.0, f64::max);
    let mut times: Vec<f64> = all.iter().map(|found| found.milliseconds).collect();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!(
        "{} questions: {wide} wider than {NARROW:.0e} (widest {widest:.1e}), {slow} above {} ms; in milliseconds: median {:.2}, 95 % {:.2}, 99 % {:.2}, 99.9 % {:.2}, most {:.2}, in all {:.0}",
        all.len(),
        options.most_milliseconds,
        at(0.5),
        at(0.95),
        at(0.99),
        at(0.999),
        at(1.0),
        times.iter().sum::<f64>()
    );
    Ok(wide == 0 && slow == 0)
}

fn line(found: &Measured) -> String {
    let Measured { question: Question { sigma, rate, uses, delta }, epsilon, width, milliseconds } = found;
    format!(
        "{sigma:?} {rate:?} {uses} {delta:?}  epsilon {epsilon:.6e}  width {width:.1e}  {milliseconds:.2} ms"
    )
}

fn answered(question: Question, options: &Options) -> Result<Measured, Box<dyn Error>> {
    let mechanism = mechanism(question)?;
    let mut milliseconds = f64::INFINITY;
    for asked in 1..=REPEATS {
        let start = Instant::now();
        let answer = Query::new(&mechanism).relation(options.relation).epsilon(question.delta)?;
        milliseconds = milliseconds.min(1e3 * start.elapsed().as_secs_f64());
        if asked == REPEATS || milliseconds <= PART_TO_REPEAT * options.most_milliseconds {
            let (lower, epsilon) = (answer.lower().unwrap_or(0.0), answer.upper());
            // The part of ε that would be as good as what is left.
            let width = epsilon - lower;
            let width = if width <= ABSOLUTE { 0.0 } else { width / epsilon };
            return Ok(Measured { question, epsilon, width, milliseconds });
        }
    }
    Err("no question was asked".into())
}

fn mechanism(Question { sigma, rate, uses, .. }: Question) -> Result<Mechanism, Box<dyn Error>> {
    Ok(format!("poisson(gaussian(sigma={sigma}), rate={rate}) * {uses}").parse()?)
}

fn questions(options: &Options) -> Result<Vec<Question>, Box<dyn Error>> {
    if let Some(file) = &options.file {
        return fs::read_to_string(file)?.lines().map(read).collect();
    }
    if options.has_corners {
        return Ok(corners());
    }
    let mut random = Random::new(options.seed);
    (0..options.points).map(|_| drawn(&mut random, options)).collect()
}

/// A line that was printed before.
fn read(line: &str) -> Result<Question, Box<dyn Error>> {
    let mut fields = line.split_whitespace();
    let mut next = || fields.next().ok_or_else(|| format!("{line:?} has no σ, rate, uses and δ"));
    let (sigma, rate) = (next()?.parse()?, next()?.parse()?);
    Ok(Question { sigma, rate, uses: next()?.parse()?, delta: next()?.parse()? })
}

/// At random, equally on every scale, small δ less often.
fn drawn(random: &mut Random, options: &Options) -> Result<Question, Box<dyn Error>> {
    let (sigma, rate) = (random.log_uniform(0.3, 100.0), random.log_uniform(1e-6, 1.0));
    let uses = random.log_uniform(1.0, options.most_uses).floor() as u64;
    let delta = 10f64.powf(-1.0 - 99.0 * random.log_uniform(1e-2, 1.0));
    let question = Question { sigma, rate, uses, delta };
    let Some((low, high)) = options.flat else {
        return Ok(question);
    };
    // Next to the total variation, which bounds all δ that are not reached at ε = 0.
    let below = random.log_uniform(low, high);
    let delta = total_variation(question, options, below)? * (1.0 - below);
    if (1e-100..=0.1).contains(&delta) { Ok(Question { delta, ..question }) } else { drawn(random, options) }
}

/// δ at ε = 0, as exactly as a part of it is asked for: if need be to the last digit that a double has, the largest one at which ε is above 0.
fn total_variation(question: Question, options: &Options, part: f64) -> Result<f64, Box<dyn Error>> {
    let mechanism = mechanism(question)?;
    let query = || Query::new(&mechanism).relation(options.relation);
    let bounds = query().delta(0.0)?;
    let (mut below, mut above) = (bounds.lower().unwrap_or(0.0), bounds.upper());
    if part > FAR_ABOVE_ROUNDINGS || !(1e-100..=0.11).contains(&above) {
        return Ok(above);
    }
    loop {
        let middle = 0.5 * (below + above);
        if middle <= below || middle >= above {
            return Ok(below);
        }
        if query().epsilon(middle)?.upper() > 0.0 { below = middle } else { above = middle }
    }
}

fn corners() -> Vec<Question> {
    let mut all = Vec::new();
    for sigma in [0.3, 0.4, 0.5, 0.7, 1.0, 2.0, 5.0, 10.0, 30.0, 100.0] {
        for rate in [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1.0] {
            for uses in [1, 2, 3, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] {
                for delta in [0.1, 1e-2, 1e-3, 1e-5, 1e-8, 1e-12, 1e-20, 1e-50, 1e-100] {
                    all.push(Question { sigma, rate, uses, delta });
                }
            }
        }
    }
    all
}
