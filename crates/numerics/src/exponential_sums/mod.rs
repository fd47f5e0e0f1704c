//! `S_n = Σ w_i e^{inhL_i}` for n = 0 … P − 1 at once: a fast Fourier transform of weights at any places.
//!
//! In: weights ≥ 0, losses, a step h, a count P. Out: the sums, with a bound of what each is off. Instead of N·P turns the work is N·16 products
//! and one real transform of M ≥ 5P values, M a power of two.
//!
//! Every node is spread over a periodic grid of M cells by a kernel φ that is 0 beyond 8 cells (`kernel.rs`). With `x_i = MhL_i/2π`, Poisson's
//! summation formula says of the cells `g_j = Σ_i w_i Σ_m φ(j + mM − x_i)` that
//!
//! ```text
//! Σ_j g_j e^{−2πijn/M} = Φ(n/M)·conj S_n + Σ_i w_i Σ_{m≠0} Φ(n/M + m) e^{−2πi(n/M + m)x_i},
//! ```
//!
//! exactly. The left side is a transform of real numbers; divided by `Φ(n/M)` it is the sum that was asked for.
//!
//! # Guarantee
//! `|value − S_n| ≤ error`, with weights, losses and step taken as the exact doubles that they are. With `W = Σw`, u = 2⁻⁵³, the error is the sum of
//!
//! | what | bound | |
//! | --- | --- | --- |
//! | images of the kernel's transform | `W·4.6·10⁻¹⁶/Φ` | `kernel::ALIASES` |
//! | polynomials in place of the kernel | `W·2.9·10⁻¹⁶/Φ` | `kernel::APPROXIMATION` |
//! | their evaluation | `W·4.92u/Φ` | `kernel::EVALUATION_UNITS` |
//! | sums in the cells | `u·Σ_j a_j g_j/Φ`, where `a_j` additions meet in a cell | `spreading.rs` |
//! | the transform | `ρ(M)·min(√M‖g‖₂, 2‖z‖₁)/Φ`, z the cells in pairs | [`crate::fft::round_off`] |
//! | the division by Φ, and its rounding | `W·19u` | `kernel::INVERSE_UNITS + 1` |
//! | positions | `W·n·2.1u·2π/M ≤ W·2.7u` | `positions.rs` |
//! | numbers below 2⁻¹⁰²² | 10⁻³⁰⁵ | |
//!
//! where `1/Φ` rises from 1 at n = 0 to at most 3.5 at `n = M/5`. That the steps act on the cells one after the other makes it no worse: errors
//! of cells, in the sum of their moduli, are errors of each bin. For thousands of nodes and points the whole is 3 to 5·10⁻¹⁴·W at
//! small n and 5 to 9·10⁻¹⁴·W at large n, and up to twice that where all nodes are in one place. Losses may be of any size and sign, up to 2⁴⁰ cells, that is `|hL| < 10⁶` for M up to 2²²; beyond
//! that, and for what is not a number, the error is infinite.

mod kernel;
mod positions;
mod spreading;

use crate::{fft::RealFft, rounding::UNIT_ROUNDOFF};
use kernel::{
    ALIASES, APPROXIMATION, EVALUATION_UNITS, INVERSE_UNITS, OVERSAMPLING, WIDTH, inverse_transform,
};
use num_complex::Complex;
use positions::{POSITION_UNITS, Positions};
use spreading::Grid;
use std::cell::RefCell;
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The shortest grid: kernels do not overlap themselves.
const SHORTEST: usize = 4 * WIDTH;
/// Cells, and nodes, are counted in 31 bits.
const LONGEST: usize = 1 << 31;
/// What numbers below the normal range add up to at most: 20 roundings of 2⁻¹⁰⁷⁴ in 16 cells of at most 2³¹ nodes, and those of the transform.
const UNDERFLOW: f64 = 1e-305;

/// The sums, and how far each may be off.
///
/// ```
/// use hockeystick_numerics::exponential_sums::ExponentialSums;
/// let sums = ExponentialSums::new(&[0.5, 0.25], &[1.0, -2.0], 0.1, 4);
/// // n = 3: angles 0.3 and −0.6.
/// let real = 0.5 * 0.3f64.cos() + 0.25 * 0.6f64.cos();
/// assert!((sums.values[3].re - real).abs() <= sums.errors[3] + 1e-15);
/// assert!(sums.errors[3] < 1e-13);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ExponentialSums {
    /// `S_0, …, S_{P−1}`, as computed.
    pub values: Vec<Complex<f64>>,
    /// Bounds of `|value − S_n|`: infinite where nothing could be computed.
    pub errors: Vec<f64>,
}

impl ExponentialSums {
    /// `Σ w_i e^{inhL_i}` for n = 0 … `count` − 1, with as many weights as losses. See the [module](self) for the guarantee.
    #[must_use]
    pub fn new(weights: &[f64], losses: &[f64], step: f64, count: usize) -> Self {
        Self::computed(weights, losses, step, count).unwrap_or_else(|| Self {
            values: vec![Complex::ZERO; count],
            errors: vec![f64::INFINITY; count],
        })
    }

    fn computed(weights: &[f64], losses: &[f64], step: f64, count: usize) -> Option<Self> {
        // A sum of positive numbers, not below the exact one.
        let mass = weights.iter().sum::<f64>() * (1.0 + weights.len() as f64 * f64::EPSILON);
        let all_positive = weights.iter().all(|&weight| weight >= 0.0);
        if weights.len() != losses.len() || weights.len() > LONGEST || !all_positive || !mass.is_finite() {
            return None;
        }
        let length = grid_length(count)?;
        let positions = Positions::new(losses, step, length)?;
        let mut memory = MEMORY.take();
        let Memory { grid, bins, scratch } = &mut memory;
        let additions = grid.spread(weights, &positions, length);
        let plan = RealFft::of_length(length).ok()?;
        let transform = plan.forward_by_bin(&mut grid.cells, bins, scratch).ok()?;
        // Ten times what may be negative in the cells, in every sum a node takes part in.
        let crossed = weights.len() as f64 * UNIT_ROUNDOFF * 1e-13;
        let of_mass = ALIASES + APPROXIMATION + EVALUATION_UNITS * UNIT_ROUNDOFF + crossed;
        let in_cells = mass * of_mass + additions + transform;
        let constant = mass * UNIT_ROUNDOFF * (INVERSE_UNITS + 1.0);
        let slope = mass * UNIT_ROUNDOFF * POSITION_UNITS * TAU / length as f64;
        let inverses = inverses(length);
        let (values, errors) = (inverses.iter().zip(bins).take(count).enumerate())
            .map(|(n, (&inverse, bin))| {
                // A thousandth more for products of errors, and the roundings of this bound.
                let error = (in_cells * inverse + constant + n as f64 * slope) * (1.0 + 1e-3) + UNDERFLOW;
                (bin.conj() * inverse, error)
            })
            .unzip();
        if length <= LONGEST_KEPT {
            MEMORY.set(memory);
        }
        Some(Self { values, errors })
    }
}

/// Is one transform less work than turning each of so many nodes so many times? From about 20 points and 20 nodes on, as measured: a node costs
/// as much as 15 turns, a point as much as 16.
#[must_use]
pub fn is_worth_it(nodes: usize, count: usize) -> bool {
    let (nodes, count) = (nodes as f64, count as f64);
    nodes * count > 15.0 * nodes + 16.0 * count + 400.0
}

/// M.
fn grid_length(count: usize) -> Option<usize> {
    let length = count.checked_mul(OVERSAMPLING)?.checked_next_power_of_two()?.max(SHORTEST);
    (length <= LONGEST).then_some(length)
}

/// What one sum leaves to the next in the same thread: pages that need not be asked for again, which takes longer than the transform.
#[derive(Default)]
struct Memory {
    grid: Grid,
    bins: Vec<Complex<f64>>,
    scratch: Vec<Complex<f64>>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Memory for longer grids is given back.
const LONGEST_KEPT: usize = 1 << 20;

type Inverses = HashMap<usize, Arc<[f64]>>;

static INVERSES: LazyLock<Mutex<Inverses>> = LazyLock::new(|| Mutex::new(HashMap::new()));

/// `1/Φ(n/M)` for all n up to M/5, made once per process.
fn inverses(length: usize) -> Arc<[f64]> {
    // A panic elsewhere leaves at worst a missing table.
    let mut known = INVERSES.lock().unwrap_or_else(PoisonError::into_inner);
    let table = known
        .entry(length)
        .or_insert_with(|| (0..=length / OVERSAMPLING).map(|n| inverse_transform(n, length)).collect());
    Arc::clone(table)
}
