//! Many questions about one composition: in rising order, on several threads if they are very many, until the user has had enough.

use crate::Failure;
use hockeystick::Error;
use pyo3::Python;
use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How often Python may say that the user has had enough.
const PATIENCE: Duration = Duration::from_millis(50);
/// From so many questions on they are divided.
const MANY: usize = 20_000;
/// Into so many parts, each with a composition of its own: on every machine the same, so that the answers are.
const PARTS: usize = 4;

/// Answers each number by what `prepare` makes. In rising order neighbouring questions help each other.
pub(crate) fn sweep<T, A>(
    at: &[f64],
    prepare: impl Fn() -> Result<A, Error> + Sync,
) -> Result<Vec<T>, Failure>
where
    T: Copy + Send,
    A: FnMut(f64) -> Result<T, Error>,
{
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_unstable_by(|&a, &b| at[a].total_cmp(&at[b]));
    let sorted: Vec<f64> = order.iter().map(|&index| at[index]).collect();
    let answers = if sorted.len() < MANY {
        let mut patience = Patience::new();
        in_order(&sorted, &prepare, || patience.check())?
    } else {
        in_parts(&sorted, &prepare)?
    };
    let mut placed: Vec<Option<T>> = vec![None; at.len()];
    for (index, answer) in order.into_iter().zip(answers) {
        placed[index] = Some(answer);
    }
    Ok(placed.into_iter().flatten().collect())
}

/// One after the other; a number that comes again is not asked again.
fn in_order<T: Copy, A: FnMut(f64) -> Result<T, Error>>(
    sorted: &[f64],
    prepare: impl Fn() -> Result<A, Error>,
    mut go_on: impl FnMut() -> Result<(), Failure>,
) -> Result<Vec<T>, Failure> {
    let mut ask = prepare()?;
    let mut answers: Vec<T> = Vec::with_capacity(sorted.len());
    for (index, &x) in sorted.iter().enumerate() {
        let answer = match answers.last() {
            Some(&last) if sorted[index - 1].to_bits() == x.to_bits() => last,
            Some(_) | None => ask(x)?,
        };
        answers.push(answer);
        go_on()?;
    }
    Ok(answers)
}

/// Each part on a thread, while this one listens to Python.
fn in_parts<T: Copy + Send, A: FnMut(f64) -> Result<T, Error>>(
    sorted: &[f64],
    prepare: impl Fn() -> Result<A, Error> + Sync,
) -> Result<Vec<T>, Failure> {
    let is_stopped = AtomicBool::new(false);
    let go_on = || match is_stopped.load(Ordering::Relaxed) {
        // What is said here is not heard: the thread that stops the others has its own reason.
        true => Err(Failure::Engine("stopped".to_owned())),
        false => Ok(()),
    };
    thread::scope(|scope| {
        let parts: Vec<_> = (sorted.chunks(sorted.len().div_ceil(PARTS)))
            .map(|part| scope.spawn(|| in_order(part, &prepare, go_on)))
            .collect();
        let mut patience = Patience::new();
        while parts.iter().any(|part| !part.is_finished()) {
            thread::park_timeout(Duration::from_millis(1));
            if let Err(interrupted) = patience.check() {
                is_stopped.store(true, Ordering::Relaxed);
                return Err(interrupted);
            }
        }
        let mut answers = Vec::with_capacity(sorted.len());
        for part in parts {
            answers.extend(part.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        Ok(answers)
    })
}

/// Lets Python stop a long computation.
struct Patience(Instant);

impl Patience {
    fn new() -> Self {
        Self(Instant::now())
    }

    /// An error if the user has interrupted Python.
    fn check(&mut self) -> Result<(), Failure> {
        if self.0.elapsed() > PATIENCE {
            Python::attach(|py| py.check_signals())?;
            self.0 = Instant::now();
        }
        Ok(())
    }
}
