//! Exponential sums by one transform, and turn by turn: `cargo bench -p hockeystick-numerics --bench exponential_sums`.

use divan::{Bencher, black_box};
use hockeystick_numerics::{exponential_sums::ExponentialSums, special::cis};
use num_complex::Complex;

fn main() {
    divan::main();
}

const SIZES: [(usize, usize); 9] = [
    (100, 50),
    (500, 50),
    (1000, 100),
    (5000, 250),
    (13_000, 260),
    (1500, 2300),
    (2000, 8000),
    (100, 2300),
    (30_000, 60),
];

/// Nodes of a law over most of a turn.
fn law(nodes: usize) -> (Vec<f64>, Vec<f64>) {
    let losses: Vec<f64> = (0..nodes).map(|i| (i as f64 + 0.5) / nodes as f64 * 5.0 - 2.0).collect();
    let weights = losses.iter().map(|loss| (-2.0 * loss * loss).exp()).collect();
    (weights, losses)
}

#[divan::bench(args = SIZES)]
fn by_transform(bencher: Bencher<'_, '_>, (nodes, count): (usize, usize)) {
    let (weights, losses) = law(nodes);
    bencher.bench(|| ExponentialSums::new(black_box(&weights), &losses, 1.1, count));
}

#[divan::bench(args = SIZES)]
fn by_turns(bencher: Bencher<'_, '_>, (nodes, count): (usize, usize)) {
    let (weights, losses) = law(nodes);
    bencher.bench(|| turns(black_box(&weights), &losses, 1.1, count));
}

/// A block of turns starts from `e^{itL}`.
const BLOCK: usize = 32;

fn turns(weights: &[f64], losses: &[f64], step: f64, count: usize) -> Vec<Complex<f64>> {
    let (turn_re, turn_im): (Vec<f64>, Vec<f64>) =
        losses.iter().map(|&loss| cis(step * loss)).map(|turn| (turn.re, turn.im)).unzip();
    let nodes = weights.len();
    let (mut re, mut im) = (vec![0.0; nodes], vec![0.0; nodes]);
    let mut values = Vec::with_capacity(count);
    for n in 0..count {
        if n % BLOCK == 0 {
            for (i, (&weight, &loss)) in weights.iter().zip(losses).enumerate() {
                let value = cis(step * n as f64 * loss) * weight;
                (re[i], im[i]) = (value.re, value.im);
            }
        } else {
            for i in 0..nodes {
                (re[i], im[i]) =
                    (re[i] * turn_re[i] - im[i] * turn_im[i], re[i] * turn_im[i] + im[i] * turn_re[i]);
            }
        }
        values.push(sum(&re, &im));
    }
    values
}

fn sum(re: &[f64], im: &[f64]) -> Complex<f64> {
    let (mut real, mut imaginary) = ([0.0; 4], [0.0; 4]);
    for (x, y) in re.chunks_exact(4).zip(im.chunks_exact(4)) {
        for lane in 0..4 {
            real[lane] += x[lane];
            imaginary[lane] += y[lane];
        }
    }
    Complex::new(real.iter().sum(), imaginary.iter().sum())
}
