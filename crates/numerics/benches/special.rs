//! Times of the special functions and transforms: `cargo bench -p hockeystick-numerics`.

use divan::{Bencher, black_box};
use hockeystick_numerics::fft::RealFft;
use hockeystick_numerics::quadrature::gauss_legendre::GaussLegendre;
use hockeystick_numerics::special;

fn main() {
    divan::main();
}

/// Arguments spread over an interval, so that no branch is predicted for free.
fn spread(lower: f64, upper: f64) -> Vec<f64> {
    let count = 1000;
    (0..count).map(|i| lower + (upper - lower) * f64::from(i * 617 % count) / f64::from(count)).collect()
}

fn time(bencher: Bencher<'_, '_>, function: fn(f64) -> f64, lower: f64, upper: f64) {
    let arguments = spread(lower, upper);
    bencher
        .counter(divan::counter::ItemsCount::new(arguments.len()))
        .bench(|| arguments.iter().map(|&x| function(black_box(x))).sum::<f64>());
}

#[divan::bench]
fn exp(bencher: Bencher<'_, '_>) {
    time(bencher, special::exp, -50.0, 50.0);
}

#[divan::bench]
fn erfc(bencher: Bencher<'_, '_>) {
    time(bencher, special::erfc, -5.0, 26.0);
}

#[divan::bench]
fn erfcx(bencher: Bencher<'_, '_>) {
    time(bencher, special::erfcx, -5.0, 26.0);
}

#[divan::bench]
fn log_erfc(bencher: Bencher<'_, '_>) {
    time(bencher, special::log_erfc, -5.0, 100.0);
}

#[divan::bench]
fn normal_cdf(bencher: Bencher<'_, '_>) {
    time(bencher, special::normal_cdf, -37.0, 8.0);
}

#[divan::bench]
fn normal_quantile(bencher: Bencher<'_, '_>) {
    time(bencher, special::normal_quantile, 1e-9, 0.5);
}

#[divan::bench(args = [12, 16])]
fn fft(bencher: Bencher<'_, '_>, level: u32) {
    let length = 1_usize << level;
    let plan = RealFft::of_length(length).expect("a power of two");
    let signal = spread(-1.0, 1.0).into_iter().cycle().take(length).collect::<Vec<_>>();
    bencher.with_inputs(|| signal.clone()).bench_values(|signal| plan.forward(signal));
}

#[divan::bench(args = [20, 200])]
fn gauss_legendre(bencher: Bencher<'_, '_>, points: usize) {
    bencher.bench(|| GaussLegendre::new(black_box(points)));
}
