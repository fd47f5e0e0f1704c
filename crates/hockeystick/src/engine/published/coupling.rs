//! The error of a lattice law that keeps the mean of the loss.

use hockeystick_numerics::enclosure::Enclosure;

/// The error in ε of `count` uses of a law that was rounded to a lattice without moving its mean, by Hoeffding's inequality:
/// `Δ√(k/2·log(12/η))` (Gopi, Lee and Wutschitz 2021, Thm 5.5, solved for the error).
///
/// # Guarantee
/// At least the theorem's error for `0 < failure < 1`: with ε̃ the answer on the lattice,
/// `ε̃(δ + η) − error ≤ ε(δ) ≤ ε̃(δ − η) + error`, without truncation and round-off.
pub fn coupling_error(spacing: f64, count: u64, failure: f64) -> f64 {
    let log = (Enclosure::point(12.0) / failure).ln();
    ((log * (count as f64) / 2.0).sqrt() * spacing).upper()
}

#[cfg(test)]
mod tests {
    use super::coupling_error;

    /// By hand: log(12/η) = 2 for η = 12e⁻², so the error of k uses is Δ√k.
    #[test]
    fn grows_with_the_root_of_the_uses() {
        let failure = 12.0 * (-2f64).exp();
        assert!((coupling_error(0.5, 100, failure) - 5.0).abs() < 1e-12);
    }
}
