//! What is known of a pair once its mechanism's name is forgotten.

pub mod conversion;
mod finite_losses;
mod loss_law;
mod profile;
mod representation;

pub use finite_losses::FiniteLosses;
pub use loss_law::LossLaw;
pub use profile::{Evaluation, PrivacyProfile};
pub use representation::{
    HockeyStick, LossSupport, LossTails, MomentFunction, ProfileCurve, Support, TradeOff,
};
