//! Arrays that are reused between parts and between compositions.
//!
//! Page faults on fresh large arrays take as long as their transforms.

use super::super::tuning::TUNING;
use num_complex::Complex;
use std::sync::{Mutex, PoisonError};

/// The arrays of a transform.
#[derive(Default)]
pub(crate) struct Buffers {
    pub(crate) masses: Vec<f64>,
    /// A copy of the masses, without the padding.
    pub(crate) filled: Vec<f64>,
    pub(crate) bins: Vec<Complex<f64>>,
    pub(crate) scratch: Vec<Complex<f64>>,
}

static BUFFERS: Mutex<Vec<Buffers>> = Mutex::new(Vec::new());
static WINDOWS: Mutex<Vec<Vec<f64>>> = Mutex::new(Vec::new());

/// The last array of a pool, or a new one. (After a panic elsewhere the pool is at worst smaller.)
fn taken<T: Default>(pool: &Mutex<Vec<T>>) -> T {
    pool.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
}

/// Returns an array to its pool, unless it is too large.
fn give_back<T>(pool: &Mutex<Vec<T>>, memory: T, numbers: usize) {
    let mut pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
    if numbers <= TUNING.kept_numbers + 2 && pool.len() < TUNING.kept_arrays {
        pool.push(memory);
    }
}

impl Buffers {
    /// For a composition.
    pub(crate) fn taken() -> Self {
        taken(&BUFFERS)
    }

    /// After a composition.
    pub(crate) fn give_back(mut self) {
        self.filled = Vec::new();
        let numbers = self.masses.capacity().max(2 * self.bins.capacity());
        give_back(&BUFFERS, self, numbers);
    }
}

/// The masses of one period, which live as long as an answer.
#[derive(Clone, Debug)]
pub(crate) struct Window(pub(crate) Vec<f64>);

impl Window {
    /// An array with arbitrary contents.
    pub(crate) fn taken() -> Self {
        Self(taken(&WINDOWS))
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let numbers = self.0.capacity();
        give_back(&WINDOWS, std::mem::take(&mut self.0), numbers);
    }
}
