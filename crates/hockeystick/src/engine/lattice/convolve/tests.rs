//! Composed spectra against closed forms, and transforms against each other.

use super::{leading_bins::leading_bins, *};
use crate::engine::lattice::law::{LatticeLaw, Pessimistic};
use hockeystick_numerics::fft::RealFft;
use std::marker::PhantomData;

/// Fair coins, whose sums are binomial: `C(20, m)/2²⁰` in closed form. All of them at once, and in two parts.
#[test]
fn bins_in_phases_are_as_good_as_bins_in_order() {
    let law: LatticeLaw<Pessimistic> = LatticeLaw {
        spacing: 1.0,
        first: 0,
        masses: vec![0.5, 0.5],
        infinite: 0.0,
        offset: 0.0,
        error: 0.0,
        side: PhantomData,
    };
    for length in [512, 1024, 4096] {
        for counts in [&[20][..], &[7, 13], &[1, 1, 18]] {
            let mut buffers = Buffers::default();
            let mut sum = Spectrum::new(length, 1.0, 0.0, [0.0; 2], f64::INFINITY).unwrap();
            for (i, count) in counts.iter().enumerate() {
                // What is left in a window from before must not matter.
                buffers.masses = vec![0.25; length];
                sum.add(&law, *count, &mut buffers).unwrap();
                assert_eq!(sum.sources().short, 1, "{length}: {counts:?}, law {i}");
            }
            let mut both = Spectrum::new(length, 1.0, 0.0, [0.0; 2], f64::INFINITY).unwrap();
            both.add(&law, 7, &mut buffers).unwrap();
            let mut other = both.beside().unwrap();
            other.add(&law, 13, &mut buffers).unwrap();
            for sum in [sum, both.and(other)] {
                let Inverted { masses, scales } = sum.invert(&mut buffers).unwrap();
                let scale = scales.log_scale.midpoint().exp();
                let mut binomial = 1.0 / f64::from(1 << 20);
                let mut square = 0.0;
                for (m, mass) in masses.0.iter().enumerate() {
                    square += (mass * scale - binomial).powi(2);
                    binomial *= (20.0 - m as f64).max(0.0) / (m as f64 + 1.0);
                }
                let off = square.sqrt();
                assert!(scales.distance < 1e-12 && (scale - 1.0).abs() < 1e-12);
                // What the masses are multiples of is off by a few units itself.
                assert!(off > 0.0 && off <= scales.distance + 20.0 * f64::EPSILON, "{length}: {off:e}");
            }
        }
    }
}

/// A thousand fair coins leave few bins; the next laws are summed at those only. Against the transform of all bins, and as a binomial law.
#[test]
fn leading_bins_are_those_of_the_transform() {
    let length = 4096;
    let law = |masses: Vec<f64>| LatticeLaw::<Pessimistic> {
        spacing: 1.0,
        first: 0,
        masses,
        infinite: 0.0,
        offset: 0.0,
        error: 0.0,
        side: PhantomData,
    };
    let coin = law(vec![0.5, 0.5]);
    let mut buffers = Buffers::default();
    let mut sum = Spectrum::new(length, 1.0, 0.0, [0.0; 2], 1.0).unwrap();
    assert_eq!(sum.width(), length / 2 + 1, "all bins matter at first");
    // Bins in phases are put in order, and faint ones left out, when the next law comes.
    sum.add(&coin, 989, &mut buffers).unwrap();
    sum.add(&coin, 1, &mut buffers).unwrap();
    let masses: Vec<f64> = (0..60).map(|i| if i % 7 == 3 { 0.0 } else { 1.0 / 60.0 }).collect();
    let (bins, error) = leading_bins(&masses, length, sum.width(), 1.0, 1.0).expect("they are accurate");
    assert!(bins.len() < 600 && error < 1e-11, "{} {error:e}", bins.len());
    let mut window = masses.clone();
    window.resize(length, 0.0);
    let all = RealFft::of_length(length).unwrap().forward(window).unwrap();
    let distance = bins.iter().zip(&all.values).map(|(a, b)| (a - b).norm_sqr()).sum::<f64>().sqrt();
    assert!(distance <= error + all.error, "{distance:e}");
    // Ten coins more, one by one.
    (0..10).for_each(|_| sum.add(&coin, 1, &mut buffers).unwrap());
    assert!(sum.sources().sums >= 10, "{}", sum.sources());
    let Inverted { masses, scales } = sum.invert(&mut buffers).unwrap();
    let exact = |m: u64| (hockeystick_numerics::special::log_binomial(1000, m) - 1000.0 * 2f64.ln()).exp();
    let scale = scales.log_scale.midpoint().exp();
    let square: f64 = (0..=1000u64).map(|m| (masses.0[m as usize] * scale - exact(m)).powi(2)).sum();
    assert!(scales.distance < 1e-10 && square.sqrt() <= scales.distance + 1e-12, "{:e}", square.sqrt());
}
