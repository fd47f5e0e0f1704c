//! Answers every question of a file, so that the command line and Python can be held to the same bits.
//!
//! Each line of the file is `expression | relation | unknown | number`; each line of the output adds
//! `| lower | upper | guarantee | method | direction`, numbers as shortest round-trip doubles.

use hockeystick::{Query, mechanism::Mechanism};
use std::{env, error::Error, fs};

#[expect(clippy::print_stdout, reason = "the output is what the example is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args().nth(1).ok_or("give the file with the questions")?;
    for line in fs::read_to_string(file)?.lines().filter(|line| !line.starts_with('#')) {
        println!("{line} | {}", answered(line).map_err(|error| format!("{line}: {error}"))?);
    }
    Ok(())
}

fn answered(line: &str) -> Result<String, Box<dyn Error>> {
    let fields: Vec<&str> = line.split(" | ").collect();
    let [expression, relation, unknown, number] = fields[..] else { return Err("not four fields".into()) };
    let (mechanism, number): (Mechanism, f64) = (expression.parse()?, number.parse()?);
    let query = Query::new(&mechanism).relation(relation.parse()?);
    let answer = match unknown {
        "epsilon" => query.epsilon(number)?,
        "delta" => query.delta(number)?,
        other => return Err(format!("nothing is called {other}").into()),
    };
    let lower = answer.lower().map_or("none".to_owned(), |lower| format!("{lower:?}"));
    let (guarantee, method) = (answer.guarantee().name(), answer.method());
    Ok(format!("{lower} | {:?} | {guarantee} | {method} | {}", answer.upper(), answer.direction()))
}
