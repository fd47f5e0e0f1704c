//! How time and memory of answers grow: `bench/scaling` runs it and writes `docs/scaling.md` with its drawings and numbers.
//!
//! `scaling [--out FOLDER] [--png] [CURVE …]` measures all curves, or those that are named (without a page then).

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program")]

mod curves;
mod measure;
mod page;

use curves::{Curve, curves};
use page::Points;
use std::{env, error::Error, fs, path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        // For one question, by this program itself.
        [first, curve, series, value] if first == "--point" => point(curve, series, value),
        _ => all(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn point(curve: &str, series: &str, value: &str) -> Result<(), Box<dyn Error>> {
    let curves = curves();
    let curve = curves.iter().find(|known| known.name == curve).ok_or("no such curve")?;
    let series = curve.series.get(series.parse::<usize>()?).ok_or("no such series")?;
    println!("{}", measure::here(&(series.question)(value.parse()?))?);
    Ok(())
}

fn all(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (mut folder, mut wanted, mut has_png) = (PathBuf::from("docs"), Vec::new(), false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--out" => folder = rest.next().ok_or("--out takes a folder")?.into(),
            "--png" => has_png = true,
            name if curves().iter().any(|curve| curve.name == name) => wanted.push(name),
            name => {
                let names: Vec<&str> = curves().iter().map(|curve| curve.name).collect();
                return Err(format!("there is no curve {name:?}; there are {}", names.join(", ")).into());
            }
        }
    }
    let is_wanted = |curve: &Curve| wanted.is_empty() || wanted.contains(&curve.name);
    let measured: Vec<(Curve, Points)> = curves().into_iter().filter(is_wanted).map(measured).collect();
    if !wanted.is_empty() {
        print!("{}", page::csv(&measured));
        return Ok(());
    }
    let data = folder.join("scaling");
    fs::create_dir_all(&data)?;
    fs::write(data.join("curves.csv"), page::csv(&measured))?;
    let times = page::sheet("Time of an answer", "seconds", &measured, |point| Some(point.seconds));
    let megabytes = |point: &measure::Measured| Some((point.kilobytes? / 1024.0).max(0.01));
    let memory = page::sheet("Memory of an answer", "megabytes", &measured, megabytes);
    for (name, sheet) in [("times", times), ("memory", memory)] {
        fs::write(data.join(format!("{name}.svg")), sheet.svg())?;
        if has_png {
            fs::write(data.join(format!("{name}.png")), sheet.png()?)?;
        }
    }
    fs::write(folder.join("scaling.md"), page::markdown(&measured, &machine()))?;
    Ok(())
}

/// Every point of a curve. A line ends with its first failure: what grows does not become possible again.
fn measured(curve: Curve) -> (Curve, Points) {
    let line = |series: usize| {
        let mut failure: Option<String> = None;
        let point = |value: &f64| {
            if let Some(failure) = &failure {
                return Err(failure.clone());
            }
            let arguments =
                ["--point", curve.name, &series.to_string(), &format!("{value:e}")].map(String::from);
            let point = measure::in_own_process(&arguments);
            eprintln!("{} = {value:e}, {}: {point:?}", curve.axis, curve.series[series].name);
            if let Err(reason) = &point {
                failure = Some(reason.clone());
            }
            point
        };
        curve.values.iter().map(point).collect()
    };
    let points = (0..curve.series.len()).map(line).collect();
    (curve, points)
}

/// The processor and the system, as far as they say.
fn machine() -> String {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split(": ").nth(1)?.to_owned())
    });
    let load =
        fs::read_to_string("/proc/loadavg").ok().and_then(|text| Some(text.split(' ').next()?.to_owned()));
    let model = model.unwrap_or_else(|| String::from("unknown processor"));
    let load = load.map_or(String::new(), |load| format!(", load {load}"));
    format!("{model}, {processors} processors, {}{load}", env::consts::OS)
}
