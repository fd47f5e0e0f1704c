//! Conversions between the representations of a pair: against definitions and closed forms, there and back, and against
//! the misprints of the papers.

mod adp_graph;
mod characteristic;
mod curves;
mod divergences;
mod errata;
mod pairs;

use hockeystick_numerics::enclosure::Enclosure;

/// Does the enclosure hold a number computed in doubles that is off by at most `slack`, and is it no wider than that?
#[track_caller]
fn holds_within(slack: f64, found: Enclosure, exact: f64, width: f64) {
    let shown = format!("[{:e}, {:e}]", found.lower(), found.upper());
    assert!(found.lower() - slack <= exact && exact <= found.upper() + slack, "{exact:e} is not in {shown}");
    assert!(found.width() <= width, "{shown} is {:e} wide", found.width());
}
