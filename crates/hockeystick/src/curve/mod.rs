//! What is known of a pair once its mechanism's name is forgotten.
//!
//! In: a pair, or what an engine composed. Out: its privacy profile `ε ↦ δ(ε)`, the representations that it determines, its certified inverse
//! `ε(δ)`, and where the width of an answer comes from.
//!
//! # Guarantee
//! An enclosure of what is read off a curve holds for every curve within the enclosure of its source. Nothing here knows which
//! mechanism or which engine the curve comes from.

mod budget;
pub mod conversion;
mod finite_losses;
mod profile;
mod representation;
mod smallest_epsilon;

pub use budget::Budget;
pub use finite_losses::FiniteLosses;
pub(crate) use profile::mirrored;
pub use profile::{Evaluation, PairProfile, PrivacyProfile};
pub use representation::{
    HockeyStick, LossSupport, LossTails, MomentFunction, ProfileCurve, Support, TradeOff,
};
pub(crate) use smallest_epsilon::{Neighbours, smallest_epsilon_near};
pub use smallest_epsilon::{NoEpsilon, smallest_epsilon};
