//! A chart of what was spent as time went on.

use crate::failure::Failure;
use hockeystick_ledger::{Ledger, Limit, Time};
use hockeystick_plot::{Axis, Chart, Look, Series};

/// A chart has no room for more steps: of those that are nearer in time, the last is drawn.
const MOST_STEPS: i64 = 1000;
const DAY: f64 = 86_400_000.0;

/// The chart of a budget.
pub(super) fn chart(ledger: &mut Ledger, name: &str, limit: Limit) -> Result<Chart, Failure> {
    let spending = ledger.spending(name)?;
    let (first, last) = match (spending.first(), spending.last()) {
        (Some((first, _)), Some((last, _))) => (*first, *last),
        _ => {
            return Err(Failure::Request(format!(
                "nothing was charged to {name} yet, so there is nothing to draw; leave out --plot"
            )));
        }
    };
    let step = (last.0 - first.0) / MOST_STEPS + 1;
    let mut points: Vec<(Time, f64)> = Vec::new();
    for (time, spent) in spending {
        match points.last_mut() {
            Some(before) if before.0.0 / step == time.0 / step => *before = (time, spent),
            _ => points.push((time, spent)),
        }
    }
    let days = |time: Time| (time.0 - first.0) as f64 / DAY;
    let steps: Vec<(f64, f64)> = points.into_iter().map(|(time, spent)| (days(time), spent)).collect();
    // One charge is a step, too.
    let end = days(last).max(1.0 / 24.0);
    let closed: Vec<(f64, f64)> =
        steps.iter().copied().chain(steps.last().map(|&(_, spent)| (end, spent))).collect();
    let symbol = limit.symbol();
    Ok(Chart::new(
        Axis::linear(format!("days since {first}")),
        Axis::linear(format!("{symbol} spent and set aside")).including(0.0),
    )
    .title(name)
    .series(Series::new("spent", closed).look(Look::Steps))
    .series(Series::new("budget", vec![(0.0, limit.value()), (end, limit.value())])))
}
