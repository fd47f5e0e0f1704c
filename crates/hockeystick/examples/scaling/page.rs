//! What was measured, as a table of numbers, as drawings and as a page.

use crate::{curves::Curve, measure::Measured};
use hockeystick_plot::{Axis, Chart, Series, Sheet};
use std::fmt::Write;

/// The measured points of a curve's lines, in the order of its series and values.
pub(crate) type Points = Vec<Vec<Result<Measured, String>>>;

pub(crate) fn csv(all: &[(Curve, Points)]) -> String {
    let mut text = String::from("curve,value,series,seconds,kilobytes,lower,upper,method,failure\n");
    for (curve, points) in all {
        for (series, line) in curve.series.iter().zip(points) {
            for (value, point) in curve.values.iter().zip(line) {
                let start = format!("{},{value:e},\"{}\"", curve.name, series.name);
                // Writing to a string does not fail.
                let _ = match point {
                    Ok(Measured { seconds, kilobytes, lower, upper, method }) => {
                        let kilobytes = kilobytes.map_or(String::new(), |kilobytes| kilobytes.to_string());
                        writeln!(text, "{start},{seconds:.3e},{kilobytes},{lower:?},{upper:?},{method},")
                    }
                    Err(failure) => {
                        writeln!(text, "{start},,,,,,\"{}\"", failure.replace('"', "'").replace('\n', " "))
                    }
                };
            }
        }
    }
    text
}

/// One sheet of the times, or of the memory.
pub(crate) fn sheet(
    title: &str,
    axis: &str,
    all: &[(Curve, Points)],
    of: fn(&Measured) -> Option<f64>,
) -> Sheet {
    let chart = |(curve, points): &(Curve, Points)| {
        // Hundreds of decades are read more easily as their number.
        let is_wide = curve.values.iter().any(|value| *value < 1e-100);
        let x = if is_wide {
            Axis::linear(format!("−log₁₀ {}", curve.axis))
        } else {
            Axis::logarithmic(curve.axis)
        };
        let place = |value: f64| if is_wide { -value.log10() } else { value };
        let empty = Chart::new(x, Axis::logarithmic(axis)).title(format!("against {}", curve.axis));
        curve.series.iter().zip(points).fold(empty, |chart, (series, line)| {
            let answered = curve
                .values
                .iter()
                .zip(line)
                .filter_map(|(value, point)| Some((place(*value), point.as_ref().ok().and_then(of)?)));
            chart.series(Series::new(series.name, answered.collect()))
        })
    };
    all.iter().map(chart).fold(Sheet::new(title, 2), Sheet::chart)
}

pub(crate) fn markdown(all: &[(Curve, Points)], machine: &str) -> String {
    let mut text = format!(
        "# How answers scale\n\n\
         Written by `bench/scaling`, which measures again. The question is always ε at a δ (10⁻⁵ unless it is δ that changes), both\n\
         directions, from an expression that is parsed already. Every answer is given in a process of its own; the time is the shortest\n\
         of several answers there, the memory what its peak adds to that of the process before it was asked. A cell has time, memory\n\
         and relative width of the interval. All numbers are in [curves.csv](scaling/curves.csv).\n\n\
         Measured on: {machine}. A load above the number of processors makes times of long answers longer, by as much as their ratio.\n\n\
         ![Times](scaling/times.svg)\n\n![Memory](scaling/memory.svg)\n"
    );
    for (curve, points) in all {
        let names: Vec<&str> = curve.series.iter().map(|series| series.name).collect();
        let _ = write!(text, "\n## Against {}\n\n| {} | {} |\n|", curve.axis, curve.axis, names.join(" | "));
        text += &" --- |".repeat(names.len() + 1);
        text.push('\n');
        for (i, value) in curve.values.iter().enumerate() {
            let cells: Vec<String> = points.iter().map(|line| cell(&line[i])).collect();
            let _ = writeln!(text, "| {value:e} | {} |", cells.join(" | "));
        }
    }
    text
}

fn cell(point: &Result<Measured, String>) -> String {
    match point {
        Ok(Measured { seconds, kilobytes, lower, upper, .. }) => {
            let width = if *upper > 0.0 { (upper - lower) / upper } else { 0.0 };
            let memory =
                kilobytes.map_or(String::from("?"), |kilobytes| format!("{:.1} MB", kilobytes / 1024.0));
            format!("{}, {memory}, {width:.0e}", time(*seconds))
        }
        Err(failure) => failure.split(['\n', '|']).next().unwrap_or_default().to_owned(),
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{:.0} µs", 1e6 * seconds),
        seconds if seconds < 1.0 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{seconds:.1} s"),
    }
}
