//! Questions and their answers: references, plans, bounds by other methods.

mod batch;
mod bounds;
mod calibration_everywhere;
mod calibration_golden;
mod epsilon_golden;
mod limits;
mod loss_shape;
mod losses;
mod many_tests;
mod nothing_spent;
mod plans;
mod prepared;
mod pure;
mod risk_golden;
mod total_variation;
mod widths;
