//! The engine as Python sees it: expressions, questions, sweeps. `python/hockeystick` makes an interface of it.
//!
//! Thin and total: every function goes through [`guarded`], which releases the interpreter's lock, and every error through
//! [`Failure`], the one place that turns it into an exception.

mod answer;
mod audit;
mod calibration;
mod chart;
mod curve;
mod digits;
mod expression;
mod failure;
mod guarded;
mod ledger;
mod loss_shape;
mod many;
mod numbers;
mod question;
mod risk;
mod settings;
mod sweep;
mod values;

use expression::Expression;
use failure::Failure;
use guarded::guarded;

#[pyo3::pymodule]
mod _engine {
    #[pymodule_export]
    use crate::audit::audit;
    #[pymodule_export]
    use crate::calibration::{calibrate, calibrate_function};
    #[pymodule_export]
    use crate::chart::chart;
    #[pymodule_export]
    use crate::curve::{deltas, epsilons, interesting, losses, renyi, tradeoff, true_positive_rates};
    #[pymodule_export]
    use crate::digits::shown;
    #[pymodule_export]
    use crate::expression::Expression;
    #[pymodule_export]
    use crate::guarded::provoke_panic;
    #[pymodule_export]
    use crate::ledger::Ledger;
    #[pymodule_export]
    use crate::loss_shape::loss_shape;
    #[pymodule_export]
    use crate::many::{answers, calibrations, filled, names};
    #[pymodule_export]
    use crate::question::{compare, delta, epsilon, explain};
    #[pymodule_export]
    use crate::risk::risk;
    #[pymodule_export]
    use crate::settings::check_settings;
    #[pymodule_export]
    use crate::values::catalogue;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
