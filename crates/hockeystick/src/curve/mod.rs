//! What is known of a pair once its mechanism's name is forgotten.

mod budget;
pub mod conversion;
mod finite_losses;
mod profile;
mod representation;

pub use budget::Budget;
pub use finite_losses::FiniteLosses;
pub use profile::{Evaluation, PairProfile, PrivacyProfile};
pub use representation::{
    HockeyStick, LossSupport, LossTails, MomentFunction, ProfileCurve, Support, TradeOff,
};
