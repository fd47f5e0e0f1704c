//! The bound for binomial noise that came before tight accounting.

use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// Binomial noise `(Z − np)s` with `Z ~ Binomial(n, p)` in each of `dimension` coordinates, and how far a record moves the
/// answer in three norms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinomialNoise {
    /// The number of coins.
    pub n: u64,
    /// The chance of each.
    pub p: f64,
    /// `s`.
    pub scale: f64,
    /// The number of coordinates.
    pub dimension: u64,
    /// The sensitivities in ℓ₁, ℓ₂ and ℓ∞.
    pub sensitivities: [f64; 3],
}

impl BinomialNoise {
    /// ε at δ by Agarwal, Suresh, Yu, Kumar and McMahan (2018, Thm 1, "cpSGD"):
    ///
    /// ```text
    /// ε = Δ₂√(2 log 1.25/δ)/(s√v) + (Δ₂c√(log 10/δ) + Δ₁b)/(sv(1 − δ/10))
    ///     + (⅔Δ∞ log 1.25/δ + Δ∞d log(20D/δ) log(10/δ))/(sv),   v = np(1 − p)
    /// ```
    ///
    /// with `b = ⅔(p² + (1−p)²) + 1 − 2p`, `c = √2(3p³ + 3(1−p)³ + 2p² + 2(1−p)²)` and `d = 4/3·(p² + (1−p)²)`. Tight
    /// accounting composes `binomial` instead.
    ///
    /// # Guarantee
    /// At least the theorem's ε, for `0 < δ < 1`. `None` where the theorem says nothing: unless
    /// `v ≥ max(23 log(10D/δ), 2Δ∞/s)`.
    pub fn epsilon(&self, delta: f64) -> Option<f64> {
        let Self { n, p, scale, dimension, sensitivities: [one, two, most] } = *self;
        let number = Enclosure::point;
        let (yes, no) = (number(p), number(p).one_minus());
        let variance = number(n as f64) * yes * no;
        let log = |factor: f64| (Ball::from(factor).ln() - Ball::from(delta).ln()).enclosure();
        let coordinates = dimension as f64;
        let least = (log(10.0 * coordinates) * 23.0).max(number(2.0) * most / scale);
        if variance.lower() < least.upper() {
            return None;
        }
        let (squares, cubes) = (yes * yes + no * no, yes * yes * yes + no * no * no);
        let b = squares * (number(2.0) / 3.0) + 1.0 - yes * 2.0;
        let c = (cubes * 3.0 + squares * 2.0) * number(2.0).sqrt();
        let d = squares * (number(4.0) / 3.0);
        let gaussian = (log(1.25) * 2.0).sqrt() * two / (variance.sqrt() * scale);
        let whole = variance * scale;
        let shifted = (c * two * log(10.0).sqrt() + b * one) / (whole * (number(delta) / 10.0).one_minus());
        let rare =
            (log(1.25) * most * (number(2.0) / 3.0) + d * most * log(20.0 * coordinates) * log(10.0)) / whole;
        Some((gaussian + shifted + rare).upper())
    }
}
