//! Lossless conversions between the representations of a pair ([Zhu22, Fig. 2 and App. B], [Sommer19, Sec. 4]).
//!
//! In: one representation of a pair. Out: another one, or a number that it determines.
//!
//! Each file is one arrow of the figure. An arrow whose target is a representation is a type that borrows its source and
//! implements the target's trait, so arrows compose; one whose target is a number is a function.
//!
//! | from | to | how | what it returns |
//! | --- | --- | --- | --- |
//! | tails | hockey-stick | [`TailsToHockeyStick`] | enclosure |
//! | hockey-stick | tails | [`HockeyStickToTails`] | enclosure, from secants |
//! | hockey-stick | hockey-stick of `(Q, P)` | [`SwappedHockeyStick`] | enclosure |
//! | hockey-stick | trade-off | [`HockeyStickToTradeOff`] | enclosure |
//! | hockey-stick | power of a test | [`hockey_stick_to_power`] | enclosure |
//! | hockey-stick | powers of many tests in order | [`NearbyTests`] | enclosure |
//! | trade-off | hockey-stick | [`TradeOffToHockeyStick`] | enclosure |
//! | trade-off of `(Q, P)` | hockey-stick | [`SwappedTradeOffToHockeyStick`], in log scale | enclosure |
//! | tails | trade-off | [`TailsToTradeOff`] | enclosure |
//! | trade-off | tails | [`TradeOffToTails`] | enclosure, from secants |
//! | tails | moments, characteristic function | [`TailsToMoments`] | enclosure |
//! | trade-off | moments, characteristic function | [`TradeOffToMoments`] | enclosure |
//! | characteristic function | tails | [`LevyInversion`] | **estimate** |
//! | moments | Rényi divergence | [`moments_to_renyi`] | enclosure |
//! | hockey-stick | Rényi divergence | [`hockey_stick_to_renyi`] | enclosure |
//! | trade-off | Rényi divergence | [`trade_off_to_renyi`] | enclosure |
//! | trade-off | area below it | [`trade_off_to_area`] | enclosure |
//! | tails | Kullback–Leibler divergence | [`tails_to_kullback_leibler`] | enclosure |
//! | hockey-stick | Kullback–Leibler divergence | [`hockey_stick_to_kullback_leibler`] | enclosure |
//! | hockey-stick | total variation | [`hockey_stick_to_total_variation`] | enclosure |
//! | tails | probabilistic DP | [`tails_to_probabilistic_dp`] | enclosure |
//! | finite losses | ADP graph | [`FiniteLosses`](super::FiniteLosses) as a hockey-stick | enclosure |
//! | ADP graph | finite losses | [`adp_graph_to_finite_losses`] | enclosure |
//!
//! From finitely many values of a curve nothing follows about what lies beyond them. Where a divergence hangs on that, as
//! the Rényi divergence does on the largest loss, the [`Support`](super::Support) must tell, or the upper end is infinite.
//!
//! # Guarantee
//! Every arrow encloses, for every source that encloses, but the one that is marked an estimate.

mod cells;
mod concave;
mod convex_integral;

mod hockey_stick_to_swapped;
mod hockey_stick_to_tails;
mod tails_to_hockey_stick;

mod hockey_stick_to_power;
mod hockey_stick_to_tests;
mod hockey_stick_to_trade_off;
mod swapped_trade_off_to_hockey_stick;
mod tails_to_trade_off;
mod trade_off_to_hockey_stick;
mod trade_off_to_tails;

mod characteristic_to_tails;
mod tails_to_moments;
mod trade_off_to_moments;

mod hockey_stick_to_renyi;
mod moments_to_renyi;
mod trade_off_to_renyi;

mod trade_off_to_area;

mod hockey_stick_to_kullback_leibler;
mod hockey_stick_to_total_variation;
mod tails_to_kullback_leibler;
mod tails_to_probabilistic_dp;

mod adp_graph_to_finite_losses;
mod finite_losses_to_adp_graph;

pub use adp_graph_to_finite_losses::adp_graph_to_finite_losses;
pub use characteristic_to_tails::{LevyInversion, TailEstimates};
pub use hockey_stick_to_kullback_leibler::hockey_stick_to_kullback_leibler;
pub use hockey_stick_to_power::hockey_stick_to_power;
pub use hockey_stick_to_renyi::hockey_stick_to_renyi;
pub use hockey_stick_to_swapped::SwappedHockeyStick;
pub use hockey_stick_to_tails::HockeyStickToTails;
pub use hockey_stick_to_tests::{BothWays, NearbyTests};
pub use hockey_stick_to_total_variation::hockey_stick_to_total_variation;
pub use hockey_stick_to_trade_off::HockeyStickToTradeOff;
pub use moments_to_renyi::moments_to_renyi;
pub use swapped_trade_off_to_hockey_stick::SwappedTradeOffToHockeyStick;
pub use tails_to_hockey_stick::TailsToHockeyStick;
pub use tails_to_kullback_leibler::tails_to_kullback_leibler;
pub use tails_to_moments::TailsToMoments;
pub use tails_to_probabilistic_dp::tails_to_probabilistic_dp;
pub use tails_to_trade_off::TailsToTradeOff;
pub use trade_off_to_area::trade_off_to_area;
pub use trade_off_to_hockey_stick::TradeOffToHockeyStick;
pub use trade_off_to_moments::TradeOffToMoments;
pub use trade_off_to_renyi::trade_off_to_renyi;
pub use trade_off_to_tails::TradeOffToTails;
