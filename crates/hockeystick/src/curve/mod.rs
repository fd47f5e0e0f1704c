//! What is known of a pair once its mechanism's name is forgotten.

mod loss_law;
mod profile;

pub use loss_law::LossLaw;
pub use profile::{Evaluation, PrivacyProfile};
