//! Answers every question of a file, so that the command line and Python can be held to the same bits.
//!
//! Each line of the file is `expression | relation | method | unknown | number`; each line of the output adds
//! `| lower | upper | guarantee | method | direction`, numbers as shortest round-trip doubles.

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation, Template},
    query::{Method, Target, calibrate},
};
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
    let [expression, relation, method, unknown, number] = fields[..] else {
        return Err("not five fields".into());
    };
    let (relation, method) = (relation.parse()?, method.parse()?);
    if unknown == "calibrate" {
        return calibrated(expression, relation, method, number);
    }
    let (mechanism, number): (Mechanism, f64) = (expression.parse()?, number.parse()?);
    let query = Query::new(&mechanism).relation(relation).method(method);
    let answer = match unknown {
        "epsilon" => query.epsilon(number)?,
        "delta" => query.delta(number)?,
        "renyi" => {
            let divergence = query.renyi(number)?;
            return Ok(certified(divergence.lower(), divergence.upper(), "rdp"));
        }
        "fnr" | "tpr" => {
            let curves = query.curves()?;
            let rate = if unknown == "fnr" {
                curves.trade_off(number)?
            } else {
                curves.true_positive_rate(number)?
            };
            return Ok(certified(rate.value().lower(), rate.value().upper(), curves.method().name()));
        }
        other => return Err(format!("nothing is called {other}").into()),
    };
    let lower = answer.lower().map_or("none".to_owned(), |lower| format!("{lower:?}"));
    let (guarantee, method) = (answer.guarantee().name(), answer.method());
    Ok(format!("{lower} | {:?} | {guarantee} | {method} | {}", answer.upper(), answer.direction()))
}

fn certified(lower: f64, upper: f64, method: &str) -> String {
    format!("{lower:?} | {upper:?} | certified | {method} | both")
}

/// The value that misses the target, and the one that meets it.
fn calibrated(
    expression: &str,
    relation: Relation,
    method: Method,
    numbers: &str,
) -> Result<String, Box<dyn Error>> {
    let (epsilon, delta) = numbers.split_once(", ").ok_or("not two numbers")?;
    let target = Target::Guarantee { epsilon: epsilon.parse()?, delta: delta.parse()? };
    let found = calibrate(&Template::parse(expression)?, target, relation, method, None)
        .map_err(|error| format!("{error:?}"))?;
    let shown = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:?}"));
    Ok(format!("{} | {} | found | {method} | both", shown(found.too_little()), shown(found.value())))
}
