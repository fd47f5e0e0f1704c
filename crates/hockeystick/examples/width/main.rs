//! How narrow and how fast answers about compositions of every mechanism and sampler are: `bench/width` runs it, and `bench/README.md` says
//! what it prints.
//!
//! `width [--file ROWS] [--only TEXT] [--page FILE]`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program")]

mod measure;
mod page;
mod question;

use hockeystick_golden::rows_of;
use measure::Measured;
use question::Question;
use std::{env, error::Error, fs, path::PathBuf, process::ExitCode};

const OPTIONS: &str = "--file ROWS, --only TEXT, --page FILE";

struct Options {
    file: PathBuf,
    /// Only rows whose expression contains this.
    only: String,
    page: Option<PathBuf>,
}

fn main() -> ExitCode {
    match options().and_then(|options| measured(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { file: "bench/width.csv".into(), only: String::new(), page: None };
    let mut rest = env::args().skip(1);
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{name} takes a value"))?;
        match name.as_str() {
            "--file" => options.file = value.into(),
            "--only" => options.only = value,
            "--page" => options.page = Some(value.into()),
            _ => return Err(format!("there is no option {name:?}; there are {OPTIONS}").into()),
        }
    }
    Ok(options)
}

/// All rows asked and printed. Is every row that misses a goal listed with its reason?
fn measured(options: &Options) -> Result<bool, Box<dyn Error>> {
    let mut all = Vec::new();
    for row in rows_of(&options.file) {
        let question = Question::read(&row)?;
        if !question.expression.contains(&options.only) {
            continue;
        }
        let measured = Measured::of(question);
        println!("{}", page::line(&measured));
        all.push(measured);
    }
    println!("{}", page::summary(&all));
    if let Some(path) = &options.page {
        fs::write(path, page::markdown(&all))?;
    }
    Ok(all.iter().all(|measured| measured.is_met() || !measured.question.reason.is_empty()))
}
