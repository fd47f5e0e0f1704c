//! Why a mechanism has no worst-case pair here.

/// A mechanism is sound, but its pair cannot be written down.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPair {
    /// The outcomes would fill the memory.
    #[error(
        "the worst-case pair has about {outcomes:.0e} outcomes, more than {:.0e}; \
         use fewer dimensions, or noise on fewer values",
        *most as f64
    )]
    TooManyOutcomes {
        /// About how many there are.
        outcomes: f64,
        /// How many there may be.
        most: usize,
    },
    /// A loss is larger than any double.
    #[error(
        "an outcome of probability {p:e} under P and {q:e} under Q has a loss out of the range of doubles; \
         give parameters that are less extreme"
    )]
    LossOutOfRange {
        /// Its probability under P.
        p: f64,
        /// Its probability under Q.
        q: f64,
    },
    /// The noise is too small or too large for the sums of this pair.
    #[error(
        "{parameter} is {value:e}, but the worst-case pair is only known from {smallest:e} to {largest:e}; \
         give a value in between"
    )]
    NoiseOutOfRange {
        /// The parameter's name.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// The smallest value that works.
        smallest: f64,
        /// The largest value that works.
        largest: f64,
    },
}
