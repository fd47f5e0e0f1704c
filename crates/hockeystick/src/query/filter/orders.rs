//! The orders of a budget's Rényi guards, and how they share what they have of δ.

/// How far each order is from the best one for Gaussian noise, and its part of the share. Samples have their best orders below that.
/// The parts add up to 1, exactly.
const AROUND: [(f64, f64); 5] = [(0.125, 0.125), (0.25, 0.125), (0.5, 0.25), (1.0, 0.25), (2.0, 0.25)];

/// Orders `λ = α − 1` with their parts, from nothing but the budget.
///
/// For Gaussian noise `ε = ρ + ρλ + log(1/δ)/λ` is least at `λ = √(log(1/δ)/ρ)`, and there `√ρ = √(log 1/δ + ε) − √log 1/δ`. Three
/// significant bits are kept: no other machine computes others, and any order is valid.
pub(super) fn orders(epsilon: f64, delta: f64) -> impl Iterator<Item = (f64, f64)> {
    let log = -delta.ln();
    let best = log.sqrt() * ((log + epsilon).sqrt() + log.sqrt()) / epsilon;
    let middle = three_bits(best.clamp(LEAST, MOST));
    AROUND.into_iter().map(move |(factor, part)| (factor * middle, part))
}

/// Orders beyond these are of no use: moments of order 10⁻³ say little, those of order 10⁶ take long.
const LEAST: f64 = 1.0 / 128.0;
const MOST: f64 = 1e6;

fn three_bits(x: f64) -> f64 {
    let unit = 2.0_f64.powi(x.log2().floor() as i32 - 2);
    (x / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_powers_of_two_times_one_number() {
        assert_eq!(
            orders(1.0, 1e-6).map(|(lambda, _)| lambda).collect::<Vec<_>>(),
            [3.5, 7.0, 14.0, 28.0, 56.0]
        );
        for (epsilon, delta) in [(1e-9, 1e-12), (0.1, 1e-300), (700.0, 0.5), (f64::MAX, 1e-6), (5e-324, 0.9)]
        {
            assert!(orders(epsilon, delta).all(|(lambda, _)| lambda > 0.0 && lambda.is_finite()));
        }
    }

    #[test]
    fn parts_are_whole() {
        assert_eq!(AROUND.iter().map(|(_, part)| part).sum::<f64>(), 1.0);
    }
}
