//! The methods that can be asked for by name.

use std::{fmt, str::FromStr};

/// How an answer is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Method {
    /// The best that is available.
    #[default]
    Auto,
    /// Closed forms.
    ClosedForm,
    /// Exact sums over equally spaced losses, and over equal Laplace losses.
    ExactSums,
    /// The characteristic function on a contour.
    Contour,
    /// Connect-the-dots on a lattice.
    Lattice,
    /// Connect-the-dots on a lattice, with the optimistic law as published.
    Tangents,
    /// Privacy buckets on a lattice.
    Buckets,
    /// Riemann sums of the density on a lattice.
    Riemann,
    /// The discrete Fourier accountant.
    Fourier,
    /// The analytical Fourier accountant.
    Afa,
    /// The analytical Fourier accountant with a discretised characteristic function.
    AfaGrid,
    /// Double quadrature.
    DoubleQuadrature,
    /// Rényi moments, standard conversion.
    Rdp,
    /// Rényi moments, first conversion.
    RdpClassic,
    /// Rényi moments, optimal conversion.
    RdpOptimal,
    /// Markov's inequality on the loss.
    Markov,
    /// The central limit theorem.
    Clt,
    /// The Berry–Esseen bound.
    BerryEsseen,
    /// Nagaev's bound.
    Nagaev,
    /// The optimal composition theorem.
    Kov,
    /// Basic composition.
    Basic,
    /// Advanced composition.
    Advanced,
}

impl Method {
    /// Every method with its names, the first being the one that is printed.
    const NAMES: [(Self, &'static [&'static str]); 22] = [
        (Self::Auto, &["auto"]),
        (Self::ClosedForm, &["closed-form"]),
        (Self::ExactSums, &["exact-sums", "exact"]),
        (Self::Contour, &["contour"]),
        (Self::Lattice, &["lattice", "connect-the-dots"]),
        (Self::Tangents, &["tangents"]),
        (Self::Buckets, &["buckets"]),
        (Self::Riemann, &["riemann"]),
        (Self::Fourier, &["fourier"]),
        (Self::Afa, &["afa"]),
        (Self::AfaGrid, &["afa-grid"]),
        (Self::DoubleQuadrature, &["double-quadrature"]),
        (Self::Rdp, &["rdp"]),
        (Self::RdpClassic, &["rdp-classic"]),
        (Self::RdpOptimal, &["rdp-optimal"]),
        (Self::Markov, &["markov"]),
        (Self::Clt, &["clt"]),
        (Self::BerryEsseen, &["berry-esseen"]),
        (Self::Nagaev, &["nagaev"]),
        (Self::Kov, &["kov"]),
        (Self::Basic, &["basic"]),
        (Self::Advanced, &["advanced"]),
    ];

    /// Every method, in the order of documentation.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::NAMES.iter().map(|(method, _)| *method)
    }

    /// One line on what separates its answers from the truth.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Auto => "the best that is available",
            Self::ClosedForm => "the law of the loss in closed form: only round-off",
            Self::ExactSums => "the law of the sum of losses, term by term: only round-off",
            Self::Contour => "an integral over moments of complex order: only round-off and what is left out",
            Self::Lattice => "losses moved to a lattice, upwards for one end and downwards for the other",
            Self::Tangents => "a lattice whose lower end comes from tangents at its points and their hull",
            Self::Buckets => "losses rounded up and down by up to a bucket each, which adds up over the uses",
            Self::Riemann => {
                "the largest and smallest density of each cell of a lattice, in place of its mass"
            }
            Self::Fourier => "losses rounded to a grid, and a period of the transform that is too short",
            Self::Afa => "an estimate: an integral over frequencies, by rules whose error nobody bounds",
            Self::AfaGrid => {
                "outcomes cut into cells, with the largest and the smallest loss of each for the two ends"
            }
            Self::DoubleQuadrature => {
                "an estimate: an integral within an integral, by rules whose error nobody bounds"
            }
            Self::RdpClassic => "of all moments of the loss only one is used, by Markov's inequality",
            Self::Rdp => "one moment of the loss, and not every consequence of it",
            Self::RdpOptimal => "one moment of the loss; another loss with that moment spends this much",
            Self::Markov => "each tail probability by the moment that bounds it best, but none exactly",
            Self::Clt => "an estimate: the sum of the losses taken to be normal; may be too low",
            Self::BerryEsseen => "a normal loss plus its largest possible distance, the same at every ε",
            Self::Nagaev => "a normal loss plus a distance that falls with ε, but has a large constant",
            Self::Kov => "each use replaced by the worst mechanism with the same ε and δ",
            Self::Basic => "every use taken to spend its whole ε in the same direction",
            Self::Advanced => "each use replaced by its ε and δ, and their sum bounded by Azuma's inequality",
        }
    }

    /// Are its answers estimates, which prove nothing?
    pub fn only_estimates(self) -> bool {
        match self {
            Self::Afa | Self::DoubleQuadrature | Self::Clt => true,
            Self::Auto
            | Self::ClosedForm
            | Self::ExactSums
            | Self::Contour
            | Self::Lattice
            | Self::Tangents
            | Self::Buckets
            | Self::Riemann
            | Self::Fourier
            | Self::AfaGrid
            | Self::Rdp
            | Self::RdpClassic
            | Self::RdpOptimal
            | Self::Markov
            | Self::BerryEsseen
            | Self::Nagaev
            | Self::Kov
            | Self::Basic
            | Self::Advanced => false,
        }
    }

    /// The name used on the command line and in JSON.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(method, _)| *method == self).map_or("auto", |(_, names)| names[0])
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no [`Method`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no method {found:?}; the methods are {}", Method::NAMES.map(|(_, names)| names[0]).join(", "))]
pub struct UnknownMethod {
    /// The text that was given.
    pub found: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::NAMES
            .iter()
            .find(|(_, names)| names.contains(&text))
            .map(|&(method, _)| method)
            .ok_or_else(|| UnknownMethod { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (method, names) in Method::NAMES {
            assert_eq!(method.name(), names[0]);
            assert!(names.iter().all(|name| name.parse() == Ok(method)));
        }
        assert!("magic".parse::<Method>().unwrap_err().to_string().contains("closed-form"));
    }
}
