//! What a line needs of a law: quadrature rules for `M` along the line, and bounds of `|M|` beyond its end.
//!
//! In: a [`RatioLaw`](crate::pair::RatioLaw), a [`RuleSpec`], and the portion of the law that is meant. Out: a [`LossRule`], [`Plateau`]s and
//! [`MovedPath`]s; `sketch` and `cuttable` list losses for searches.
//!
//! # Guarantee
//! A rule says how far it may be off. Plateaus lie below the density, and moved paths bound `|M|` for all larger t. What searches use
//! is said to be in plain floats.

mod cuttable;
mod equispaced;
mod moved_path;
mod nodes;
mod plateau;
mod rule;
mod sketch;

pub use cuttable::LossAt;
pub use moved_path::MovedPath;
pub use plateau::Plateau;
pub use rule::{LossNode, LossRule, Outside, RuleSpec};
