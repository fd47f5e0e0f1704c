//! The proved round-off bound of the real transforms against transforms in twice the precision, and the
//! assumption about twiddle factors that the proof rests on.

#![allow(clippy::print_stdout, missing_docs)]

mod support;

use hockeystick_numerics::fft::round_off::{TWIDDLE_ERROR_UNITS, relative_round_off};
use hockeystick_numerics::fft::{FftError, RealFft, short::ShortFft};
use num_complex::Complex;
use support::extended::{Extended, ExtendedComplex, roots_of_unity, transform};

const U: f64 = f64::EPSILON / 2.0;

/// A reproducible sequence of signs and fractions.
struct Noise(u64);

impl Noise {
    fn fraction(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        if self.fraction() < 0.5 { -1.0 } else { 1.0 }
    }
}

fn signals(n: usize) -> Vec<(&'static str, Vec<f64>)> {
    let mut noise = Noise(n as u64);
    vec![
        ("signs", (0..n).map(|_| noise.sign()).collect()),
        ("uniform", (0..n).map(|_| noise.fraction()).collect()),
        ("decaying", (0..n).map(|j| noise.sign() * 0.9_f64.powi(j as i32)).collect()),
        ("wide range", (0..n).map(|_| 10_f64.powf(-200.0 * noise.fraction())).collect()),
        ("bell", (0..n).map(|j| (-((j as f64 - n as f64 / 2.0) / 20.0).powi(2)).exp()).collect()),
        ("impulse", (0..n).map(|j| if j == n - 1 { 1.0 } else { 0.0 }).collect()),
    ]
}

/// ‖computed − exact‖₂ over all N bins, given bins 0 to N/2 of both.
fn distance(computed: &[Complex<f64>], exact: &[ExtendedComplex]) -> f64 {
    let last = computed.len() - 1;
    let weight = |k: usize| if k == 0 || k == last { 1.0 } else { 2.0 };
    let squares = computed.iter().zip(exact).enumerate();
    squares.map(|(k, (c, e))| weight(k) * e.squared_distance(c.re, c.im)).sum::<f64>().sqrt()
}

#[test]
fn reference_transform_is_the_definition() {
    let n = 64;
    let roots = roots_of_unity(n);
    let signal: Vec<_> = signals(n)[1].1.iter().map(|&x| ExtendedComplex::new(x, 0.0)).collect();
    for (k, fast) in transform(&signal, &roots).into_iter().enumerate() {
        let zero = ExtendedComplex::new(0.0, 0.0);
        let slow = (0..n).fold(zero, |sum, j| sum + signal[j] * roots[j * k % n]);
        assert!((fast - slow).squared_norm().sqrt() < 1e-29, "bin {k}");
    }
    for root in roots_of_unity(1 << 16) {
        assert!((root * root.conjugate() - ExtendedComplex::new(1.0, 0.0)).squared_norm().sqrt() < 1e-29);
    }
}

#[test]
fn forward_and_inverse_stay_within_the_bound() {
    for level in 1..=16 {
        let n = 1_usize << level;
        let plan = RealFft::of_length(n).unwrap();
        let roots = roots_of_unity(n);
        let (mut worst_forward, mut worst_inverse) = (0.0_f64, 0.0_f64);
        for (name, signal) in signals(n) {
            let lifted: Vec<_> = signal.iter().map(|&x| ExtendedComplex::new(x, 0.0)).collect();
            let exact = transform(&lifted, &roots);
            let spectrum = plan.forward(signal.clone()).unwrap();
            let norm = (n as f64).sqrt() * signal.iter().map(|x| x * x).sum::<f64>().sqrt();
            let off = distance(&spectrum.values, &exact);
            assert!(off <= spectrum.error, "{name}, {n}: off by {off}, bound {}", spectrum.error);
            assert!(spectrum.error <= 1.001 * relative_round_off(n) * norm, "{name}, {n}: a loose bound");
            worst_forward = worst_forward.max(off / spectrum.error);

            let (mut bins, mut scratch) = (Vec::new(), Vec::new());
            let by_bin = plan.forward_by_bin(&mut signal.clone(), &mut bins, &mut scratch).unwrap();
            let off = bins.iter().zip(&exact).map(|(c, e)| e.squared_distance(c.re, c.im).sqrt());
            let off = off.fold(0.0, f64::max);
            assert!(
                off <= by_bin && by_bin <= spectrum.error,
                "{name}, {n}: a bin off by {off}, bound {by_bin}"
            );
            let sum: f64 = signal.iter().map(|x| x.abs()).sum();
            assert!(by_bin <= 2.001 * relative_round_off(n) * sum, "{name}, {n}: a loose bound of bins");

            // The exact inverse of the computed spectrum: the conjugate of the transform of its conjugate,
            // over N.
            let full = (0..n).map(|k| {
                let bin = spectrum.values[k.min(n - k)];
                ExtendedComplex::new(bin.re, if k <= n / 2 { -bin.im } else { bin.im })
            });
            let exact = transform(&full.collect::<Vec<_>>(), &roots);
            let back = plan.inverse(spectrum.values).unwrap();
            let scale = Extended::from(n as f64);
            let squares = back.values.iter().zip(&exact).map(|(&b, e)| (e.re / scale - b.into()).0.powi(2));
            let off = squares.sum::<f64>().sqrt();
            assert!(off <= back.error, "{name}, inverse {n}: off by {off}, bound {}", back.error);
            worst_inverse = worst_inverse.max(off / back.error);
        }
        let bound = relative_round_off(n) / U;
        println!(
            "2^{level}: bound {bound:.1} u; worst {worst_forward:.4} of it forward, {worst_inverse:.4} back"
        );
    }
}

/// Forward, and back from the spectrum's square, which is no longer that of a short signal; for 8, 16 and 32 phases.
#[test]
fn short_signals_stay_within_the_bound() {
    for (n, filled) in
        [(512, 64), (1 << 10, 3), (1 << 11, 64), (1 << 12, 405), (1 << 13, 405), (1 << 14, 405)]
    {
        let plan = ShortFft::of_length(n, filled).unwrap().expect("a small part");
        let roots = roots_of_unity(n);
        let (mut worst_forward, mut worst_inverse) = (0.0_f64, 0.0_f64);
        for (name, signal) in signals(filled) {
            let lifted = |j: usize| ExtendedComplex::new(signal.get(j).copied().unwrap_or(0.0), 0.0);
            let exact = transform(&(0..n).map(lifted).collect::<Vec<_>>(), &roots);
            let norm = signal.iter().map(|x| x * x).sum::<f64>().sqrt() * (1.0 + 1e-12);
            let (mut bins, mut scratch) = (Vec::new(), Vec::new());
            let (sample, stride) = plan.sampled(&signal);
            let limit = relative_round_off(n) * (n as f64).sqrt() * norm;
            for (i, bin) in sample.iter().enumerate() {
                assert!(
                    exact[i * stride].squared_distance(bin.re, bin.im).sqrt() <= limit,
                    "{name}, {n}: {i}"
                );
            }
            let error = plan.forward_of_norm(&signal, norm, &mut bins, &mut scratch).unwrap();
            assert!(error <= limit, "{name}, {n}: a loose bound");
            let off = distance(&plan.in_order(&bins), &exact);
            assert!(off <= error, "{name}, {n}: off by {off}, bound {error}");
            worst_forward = worst_forward.max(off / error);

            bins.iter_mut().for_each(|bin| *bin = *bin * *bin);
            let in_order = plan.in_order(&bins);
            let full = (0..n).map(|k| {
                let bin = in_order[k.min(n - k)];
                ExtendedComplex::new(bin.re, if k <= n / 2 { -bin.im } else { bin.im })
            });
            let full: Vec<_> = full.collect();
            let norm = full.iter().map(|bin| bin.squared_norm()).sum::<f64>().sqrt() * (1.0 + 1e-12);
            let exact = transform(&full, &roots);
            let mut values = vec![f64::NAN; 5];
            let error = plan.inverse_of_norm(&mut bins, norm, &mut values, &mut scratch).unwrap();
            let scale = Extended::from(n as f64);
            let squares = values.iter().zip(&exact).map(|(&v, e)| (e.re / scale - v.into()).0.powi(2));
            let off = squares.sum::<f64>().sqrt();
            assert_eq!(values.len(), n);
            assert!(off <= error, "{name}, inverse {n}: off by {off}, bound {error}");
            assert!(
                error <= 1.001 * relative_round_off(n) * norm / (n as f64).sqrt() + 1e-300,
                "{name}, {n}"
            );
            worst_inverse = worst_inverse.max(off / error);
        }
        println!("{filled} of {n}: worst {worst_forward:.4} of the bound forward, {worst_inverse:.4} back");
    }
}

#[test]
fn closed_forms_at_large_length() {
    let n = 1 << 18;
    let plan = RealFft::of_length(n).unwrap();
    let roots = roots_of_unity(n);

    let constant = plan.forward(vec![0.1; n]).unwrap();
    let mut exact = vec![ExtendedComplex::new(0.0, 0.0); plan.bins()];
    exact[0] = ExtendedComplex::new(Extended::from(0.1) * Extended::from(n as f64), 0.0);
    assert!(distance(&constant.values, &exact) <= constant.error);

    let place = 12_345;
    let mut impulse = vec![0.0; n];
    impulse[place] = 1.0;
    let spectrum = plan.forward(impulse).unwrap();
    let exact: Vec<_> = (0..plan.bins()).map(|k| roots[place * k % n]).collect();
    let off = distance(&spectrum.values, &exact);
    assert!(off <= spectrum.error);
    println!("impulse at 2^18: {:.4} of the bound", off / spectrum.error);

    // Σ rʲ wᵏʲ = (1 − rᴺ)/(1 − r wᵏ) with r = ½: the powers are exact, and r^N vanishes.
    let geometric = (0..n).map(|j| 0.5_f64.powi(j as i32)).collect();
    let spectrum = plan.forward(geometric).unwrap();
    let (one, half) = (ExtendedComplex::new(1.0, 0.0), ExtendedComplex::new(0.5, 0.0));
    let exact: Vec<_> = (0..plan.bins()).map(|k| one / (one - half * roots[k])).collect();
    let off = distance(&spectrum.values, &exact);
    assert!(off <= spectrum.error);
    println!("geometric at 2^18: {:.4} of the bound", off / spectrum.error);
}

#[test]
fn twiddle_factors_are_as_good_as_assumed() {
    let mut worst = 0.0_f64;
    for level in 1..=16 {
        let n = 1_usize << level;
        for (index, exact) in roots_of_unity(n).into_iter().enumerate() {
            // As rustfft and realfft compute them, with the platform's cosine and sine.
            let angle = -2.0 * std::f64::consts::PI / n as f64 * index as f64;
            let off = exact.squared_distance(angle.cos(), angle.sin()).sqrt() / U;
            assert!(off <= TWIDDLE_ERROR_UNITS, "{index} of {n}: off by {off} u");
            worst = worst.max(off);
        }
    }
    println!("twiddle factors: worst {worst:.3} u of {TWIDDLE_ERROR_UNITS} u");
}

#[test]
fn tiny_signals_do_not_lose_their_bound() {
    let n = 64;
    let plan = RealFft::of_length(n).unwrap();
    let roots = roots_of_unity(n);
    let mut noise = Noise(5);
    let signal: Vec<f64> = (0..n).map(|_| 1e-312 * noise.fraction()).collect();
    // Squared distances would underflow, too: scale both sides by a power of two, exactly.
    let scale = 2f64.powi(1000);
    let lifted: Vec<_> = signal.iter().map(|&x| ExtendedComplex::new(x * scale, 0.0)).collect();
    let exact = transform(&lifted, &roots);
    let spectrum = plan.forward(signal).unwrap();
    let scaled: Vec<_> = spectrum.values.iter().map(|bin| bin * scale).collect();
    let off = distance(&scaled, &exact);
    assert!(off > 0.0 && off <= spectrum.error * scale, "off by {off}, bound {}", spectrum.error * scale);
}

#[test]
fn refusals() {
    assert_eq!(RealFft::of_length(12).err(), Some(FftError::Length(12)));
    assert_eq!(RealFft::of_length(1).err(), Some(FftError::Length(1)));
    assert_eq!(RealFft::of_length(0).err(), Some(FftError::Length(0)));
    assert_eq!(ShortFft::of_length(12, 1).err(), Some(FftError::Length(12)));
    assert!(ShortFft::of_length(1 << 10, 129).unwrap().is_none());
    assert!(ShortFft::of_length(256, 1).unwrap().is_none());
    let plan = ShortFft::of_length(1 << 10, 100).unwrap().unwrap();
    let (mut bins, mut memory) = (Vec::new(), Vec::new());
    let long = plan.forward_of_norm(&[0.0; 129], 0.0, &mut bins, &mut memory).err();
    assert_eq!(long, Some(FftError::InputLength { expected: 128, got: 129 }));
    assert_eq!(
        plan.forward_of_norm(&[1e308], 1e308, &mut bins, &mut memory).err(),
        Some(FftError::NotFinite)
    );
    assert_eq!(
        plan.forward_of_norm(&[1.0], f64::NAN, &mut bins, &mut memory).err(),
        Some(FftError::NotFinite)
    );
    let few = plan.inverse_of_norm(&mut [Complex::ONE], 1.0, &mut Vec::new(), &mut memory).err();
    assert_eq!(few, Some(FftError::InputLength { expected: plan.bins(), got: 1 }));
    let plan = RealFft::of_length(4).unwrap();
    let short = plan.forward(vec![1.0; 3]).err();
    assert_eq!(short, Some(FftError::InputLength { expected: 4, got: 3 }));
    assert_eq!(plan.forward(vec![1.0, f64::NAN, 0.0, 0.0]).err(), Some(FftError::NotFinite));
    assert_eq!(plan.forward(vec![1e308; 4]).err(), Some(FftError::NotFinite));
    let (real, complex) = (Complex::new(1.0, 0.0), Complex::new(1.0, 1.0));
    assert_eq!(plan.inverse(vec![complex, real, real]).err(), Some(FftError::NotReal));
    assert_eq!(plan.inverse(vec![real, complex, complex]).err(), Some(FftError::NotReal));
    assert!(plan.inverse(vec![real, complex, real]).is_ok());
}
