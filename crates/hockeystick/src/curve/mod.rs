//! What is known of a pair once its mechanism's name is forgotten.

mod profile;

pub use profile::{Evaluation, PairProfile, PrivacyProfile};
