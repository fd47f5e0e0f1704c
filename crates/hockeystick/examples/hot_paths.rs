//! The paths whose instructions `bench/counts` counts: `hot_paths NAME` runs one of them, without a name they are listed.
//!
//! Everything a path needs is made before, and the path is run once before it is counted: plans of transforms, say, are made
//! once per process.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program")]

use hockeystick::{
    Query,
    composition::parts,
    curve::PrivacyProfile,
    engine::{
        Goal,
        contour::{Accuracy, Contour},
        lattice::{Lattice, Options, Stages},
    },
    mechanism::Mechanism,
    pair::{Direction, SharedPair, dominating_pair},
    query::{Accountant, Method},
};
use hockeystick_numerics::fft::RealFft;
use realfft::RealFftPlanner;
use std::{hint::black_box, process::ExitCode};

/// What a path is called, and what makes it ready to run.
type Path = (&'static str, fn() -> Box<dyn FnMut()>);

const PATHS: &[Path] = &[
    ("contour epsilon, 10^3 steps", || epsilon_by_contour(1_000)),
    ("contour epsilon, 10^4 steps", || epsilon_by_contour(10_000)),
    ("contour epsilon, 10^6 steps", || epsilon_by_contour(1_000_000)),
    ("contour K at the nodes, 10^4 steps", || nodes_of_contour(10_000)),
    ("lattice epsilon to 10^-4, 10^4 steps", || epsilon_by_lattice(10_000)),
    ("lattice planning, 10^4 steps", || plan_lattice(10_000)),
    ("lattice building, 10^4 steps", || build_lattice(10_000)),
    ("lattice composing, 10^4 steps", || compose_lattice(10_000)),
    ("lattice composing, 10^2 steps", || compose_lattice(100)),
    ("lattice answering, 10^4 steps", || answer_lattice(10_000)),
    ("a transform of the length for 10^4 steps", || transform(10_000)),
    ("lattice of 12 mechanisms", mechanisms),
    ("epsilon of sampled discrete noise", epsilon_of_discrete_noise),
    ("delta of mixed releases", delta_of_mixed_releases),
    ("parser", parser),
    ("accountant step", accountant_step),
];

/// The one function whose instructions are counted.
#[inline(never)]
fn counted(path: &mut dyn FnMut()) {
    path();
    // So that nothing is left to a jump out of the function.
    black_box(());
}

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        PATHS.iter().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    let Some((_, ready)) = PATHS.iter().find(|(known, _)| *known == name) else {
        eprintln!("there is no path {name:?}; without a name all of them are listed");
        return ExitCode::FAILURE;
    };
    let mut path = ready();
    path();
    counted(&mut *path);
    ExitCode::SUCCESS
}

fn mechanism(text: &str) -> Mechanism {
    text.parse().expect("a valid expression")
}

fn training(steps: u64) -> Mechanism {
    mechanism(&format!("poisson(gaussian(sigma=1), rate=0.01) * {steps}"))
}

fn pairs(mechanism: &Mechanism) -> Vec<(SharedPair, u64)> {
    (parts(mechanism).expect("countable").iter())
        .map(|part| (dominating_pair(part.mechanism, Direction::Remove).expect("a pair"), part.count))
        .collect()
}

const GOAL: Goal = Goal::Epsilon { delta: 1e-5 };

fn epsilon_by_contour(steps: u64) -> Box<dyn FnMut()> {
    let training = training(steps);
    Box::new(move || {
        let query = Query::new(&training).method(Method::Contour);
        black_box(query.epsilon(1e-5).expect("an answer"));
    })
}

fn nodes_of_contour(steps: u64) -> Box<dyn FnMut()> {
    let pairs = pairs(&training(steps));
    Box::new(move || {
        black_box(Contour::compose(&pairs, GOAL, Accuracy::NARROW).expect("a line"));
    })
}

fn epsilon_by_lattice(steps: u64) -> Box<dyn FnMut()> {
    let training = training(steps);
    Box::new(move || {
        let query = Query::new(&training).method(Method::Lattice).tolerance(1e-4);
        black_box(query.epsilon(1e-5).expect("an answer"));
    })
}

/// A fixed spacing, so that the work is that of a lattice whatever its plan would be.
fn options() -> Options {
    Options { spacing: Some(1e-3), ..Options::default() }
}

fn plan_lattice(steps: u64) -> Box<dyn FnMut()> {
    let pairs = pairs(&training(steps));
    Box::new(move || {
        black_box(Stages::planned(&pairs, GOAL, options()).expect("it fits").plan());
    })
}

fn build_lattice(steps: u64) -> Box<dyn FnMut()> {
    let pairs: &'static [(SharedPair, u64)] = pairs(&training(steps)).leak();
    let planned = Stages::planned(pairs, GOAL, options()).expect("it fits");
    Box::new(move || {
        black_box(planned.discretised().expect("it fits"));
    })
}

fn compose_lattice(steps: u64) -> Box<dyn FnMut()> {
    let pairs: &'static [(SharedPair, u64)] = pairs(&training(steps)).leak();
    let planned = Stages::planned(pairs, GOAL, options()).expect("it fits");
    let laws = planned.discretised().expect("it fits");
    Box::new(move || {
        black_box(planned.composed(&laws).expect("it fits"));
    })
}

fn answer_lattice(steps: u64) -> Box<dyn FnMut()> {
    let lattice = Lattice::compose_with(&pairs(&training(steps)), GOAL, options()).expect("it fits");
    Box::new(move || {
        black_box(lattice.delta(black_box(5.0)));
    })
}

fn transform(steps: u64) -> Box<dyn FnMut()> {
    let pairs = pairs(&training(steps));
    let length = Stages::planned(&pairs, GOAL, options()).expect("it fits").plan().length;
    // The library's plan is made, so that lengths it refuses are refused here, too.
    RealFft::of_length(length).expect("a power of two");
    let plan = RealFftPlanner::<f64>::new().plan_fft_forward(length);
    let (mut signal, mut spectrum, mut scratch) =
        (plan.make_input_vec(), plan.make_output_vec(), plan.make_scratch_vec());
    Box::new(move || {
        plan.process_with_scratch(&mut signal, &mut spectrum, &mut scratch).expect("lengths that fit");
    })
}

/// So few that all is done by one thread: others are not counted.
fn mechanisms() -> Box<dyn FnMut()> {
    let term = |i: u32| format!("poisson(gaussian(sigma={}), rate=0.01)", 1.0 + f64::from(i) / 12.0);
    let terms: Vec<String> = (0..12).map(term).collect();
    let pairs = pairs(&mechanism(&terms.join(" + ")));
    Box::new(move || {
        black_box(Lattice::compose(&pairs, GOAL, 1e-4).expect("it fits"));
    })
}

/// A plain question, with all that stands before and behind the engine.
fn epsilon_of_discrete_noise() -> Box<dyn FnMut()> {
    let releases = mechanism("poisson(discrete_gaussian(sigma=20), rate=0.01) * 1000");
    Box::new(move || {
        black_box(hockeystick::epsilon(&releases, 1e-5).expect("an answer"));
    })
}

fn delta_of_mixed_releases() -> Box<dyn FnMut()> {
    let releases = mechanism("gaussian(sigma=5) * 8 + laplace(scale=20) * 3 + binomial(n=1000) * 2");
    Box::new(move || {
        black_box(hockeystick::delta(&releases, 1.0).expect("an answer"));
    })
}

fn parser() -> Box<dyn FnMut()> {
    let text = "poisson(gaussian(sigma=1.1), rate=0.004) * 14063 + laplace(scale=20) * 3 + randomized_response(p=0.6)";
    Box::new(move || {
        black_box(black_box(text).parse::<Mechanism>().expect("a valid expression"));
    })
}

fn accountant_step() -> Box<dyn FnMut()> {
    let step = mechanism("poisson(gaussian(sigma=1), rate=0.01)");
    let mut accountant = Accountant::default();
    Box::new(move || accountant.add(black_box(&step)).expect("a step"))
}
