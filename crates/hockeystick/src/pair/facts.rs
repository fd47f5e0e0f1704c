//! What is known of the loss of a pair.

use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// How likely the loss exceeds a threshold, under `P` and under `Q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tails {
    /// `P(L > ε)`, infinite losses included.
    pub p: Probability,
    /// `Q(L > ε)`.
    pub q: Probability,
}

/// Moments of the finite part of the loss under `P`, conditioned on being finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// `E L`.
    pub mean: Enclosure,
    /// `E (L − E L)²`.
    pub variance: Enclosure,
    /// `E |L − E L|³`.
    pub third_absolute: Enclosure,
}
