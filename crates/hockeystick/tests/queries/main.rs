//! Questions and their answers: references, plans, bounds by other methods.

mod bounds;
mod calibration_everywhere;
mod calibration_golden;
mod epsilon_golden;
mod loss_shape;
mod losses;
mod nothing_spent;
mod plans;
mod prepared;
mod pure;
mod risk_golden;
mod total_variation;
mod widths;
