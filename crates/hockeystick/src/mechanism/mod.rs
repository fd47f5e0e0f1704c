//! Mechanisms as plain data: what is released, with which noise, how often.
//!
//! In: text, JSON, named values, Rust expressions. Out: a [`Mechanism`], or an error that names the parameter, its value, the range
//! and the cure.
//!
//! A [`Mechanism`] is a tree. Its leaves are mechanisms such as [`Gaussian`]; samplers ([`Poisson`],
//! [`Subset`]) wrap a mechanism, [`Repeat`] composes one with itself, [`Compose`] composes several. Values
//! are frozen and their parameters are checked when they are made. Nothing here computes a privacy loss.
//!
//! The same tree has three written forms, all derived from one description per mechanism ([`Described`]):
//!
//! ```
//! use hockeystick::mechanism::{Algebra, Gaussian, Laplace, Mechanism};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let built = Gaussian::new(1.0)?.poisson(0.01)?.repeat(1000) + Laplace::new(5.0)?.repeat(12);
//! let text = "poisson(gaussian(sigma=1), rate=0.01) * 1000 + laplace(scale=5) * 12";
//! assert_eq!(text.parse::<Mechanism>()?, built);
//! assert_eq!(built.to_string(), text);
//!
//! let json = r#"{"poisson":{"mechanism":{"gaussian":{"sigma":1.0}},"rate":0.01}}"#;
//! assert_eq!(serde_json::from_str::<Mechanism>(json)?, Gaussian::new(1.0)?.poisson(0.01)?);
//! # Ok(())
//! # }
//! ```
//!
//! # Conventions
//!
//! Logarithms are natural, so every ε is in nats. A sensitivity is the largest change of the answer under one
//! change of the data that the [`Relation`] allows; it defaults to 1.
//!
//! # Guarantee
//! Every value that exists is in its range, so that what takes a mechanism need not check it. Printing and parsing are inverse.

mod algebra;
mod allowed;
mod arguments;
mod catalogue;
mod check;
mod compose;
mod decimal;
mod described;
mod invalid_parameter;
mod json;
mod nested;
mod parameter;
mod relation;
mod repeat;
mod text;
mod training;
mod two_columns;
mod validate;
mod words;

mod allocation;
mod approximate_dp;
mod binomial;
mod discrete_gaussian;
mod discrete_laplace;
mod exponential;
mod files;
mod gaussian;
mod gaussian_mixture;
mod gaussian_variance;
mod gdp;
mod k_randomized_response;
mod laplace;
mod pair_file;
mod permute_and_flip;
mod poisson;
mod profile_file;
mod randomized_response;
mod renyi_file;
mod report_noisy_max;
mod shuffle;
mod skellam;
mod sparse_vector;
mod stability;
mod staircase;
mod subset;
mod tree;
mod truncated_gaussian;
mod truncated_laplace;
mod uniform;
mod zcdp;

pub use algebra::Algebra;
pub use allocation::Allocation;
pub use approximate_dp::ApproximateDp;
pub use arguments::{ArgumentError, Arguments, Entry};
pub use binomial::Binomial;
pub use catalogue::{BuildError, Mechanism, UnknownMechanism, build, catalogue, entry_of};
pub use compose::Compose;
pub use decimal::MAX_COUNT;
pub(crate) use decimal::Shortest;
pub use described::Described;
pub use discrete_gaussian::DiscreteGaussian;
pub use discrete_laplace::DiscreteLaplace;
pub use exponential::{Exponential, ExponentialForm};
pub use files::{FileName, Files};
pub use gaussian::Gaussian;
pub use gaussian_mixture::GaussianMixture;
pub use gaussian_variance::GaussianVariance;
pub use gdp::Gdp;
pub use invalid_parameter::InvalidParameter;
pub use k_randomized_response::KRandomizedResponse;
pub use laplace::Laplace;
pub use pair_file::PairFile;
pub use parameter::{Kind, Parameter, Presence, Value};
pub use permute_and_flip::PermuteAndFlip;
pub use poisson::Poisson;
pub use profile_file::ProfileFile;
pub use randomized_response::{RandomizedResponse, ResponseParameter};
pub use relation::{Relation, UnknownRelation};
pub use renyi_file::RenyiFile;
pub use repeat::Repeat;
pub use report_noisy_max::ReportNoisyMax;
pub use shuffle::Shuffle;
pub use skellam::Skellam;
pub use sparse_vector::SparseVector;
pub use stability::Stability;
pub use staircase::Staircase;
pub use subset::Subset;
pub use text::{
    Hole, MAX_CALCULATION_BYTES, MAX_NESTING, MAX_TEXT_BYTES, NoValue, ParseError, Pattern, Problem,
    Template, excerpt, number,
};
pub use training::{Batches, Duration, Training};
pub use tree::Tree;
pub use truncated_gaussian::TruncatedGaussian;
pub use truncated_laplace::TruncatedLaplace;
pub use two_columns::TwoColumns;
pub use uniform::Uniform;
pub use validate::MAX_DEPTH;
pub use zcdp::Zcdp;
