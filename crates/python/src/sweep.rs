//! Many questions about one composition: in rising order, on several threads if they are very many.

use crate::Failure;
use hockeystick::{
    Error,
    limits::{Limits, check, helped, within},
};
use std::thread;

/// From so many questions on they are divided.
const MANY: usize = 20_000;
/// Into so many parts, each with a composition of its own: on every machine the same, so that the answers are.
const PARTS: usize = 4;

/// Answers each number by what `prepare` makes, each within the limits. In rising order neighbouring questions help each other.
pub(crate) fn sweep<T, A>(
    at: &[f64],
    limits: Limits,
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
        in_order(&sorted, limits, &prepare)?
    } else {
        in_parts(&sorted, limits, &prepare)?
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
    limits: Limits,
    prepare: impl Fn() -> Result<A, Error>,
) -> Result<Vec<T>, Failure> {
    let mut ask = within(limits, prepare).map_err(|why| Error::Stopped { why })??;
    let mut answers: Vec<T> = Vec::with_capacity(sorted.len());
    for (index, &x) in sorted.iter().enumerate() {
        let answer = match answers.last() {
            Some(&last) if sorted[index - 1].to_bits() == x.to_bits() => last,
            Some(_) | None => within(limits, || ask(x)).map_err(|why| Error::Stopped { why })??,
        };
        answers.push(answer);
        check();
    }
    Ok(answers)
}

/// Each part on a thread, while this one listens to Python.
fn in_parts<T: Copy + Send, A: FnMut(f64) -> Result<T, Error>>(
    sorted: &[f64],
    limits: Limits,
    prepare: impl Fn() -> Result<A, Error> + Sync,
) -> Result<Vec<T>, Failure> {
    thread::scope(|scope| {
        let parts: Vec<_> = (sorted.chunks(sorted.len().div_ceil(PARTS)))
            .map(|part| helped(scope, || in_order(part, limits, &prepare)))
            .collect();
        let mut answers = Vec::with_capacity(sorted.len());
        for part in parts {
            answers.extend(part.join()?);
        }
        Ok(answers)
    })
}
