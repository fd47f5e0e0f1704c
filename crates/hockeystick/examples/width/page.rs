//! What was measured, as lines and as a page.

use crate::measure::{ABSOLUTE, Asked, DEFAULT, FINE, Measured};
use std::fmt::Write;

pub(crate) fn line(measured: &Measured) -> String {
    let Measured { question, default, fine } = measured;
    let mark = match (measured.is_met(), question.reason.is_empty()) {
        (true, _) => "     ",
        (false, true) => "SHORT",
        (false, false) => "known",
    };
    format!(
        "{mark} {:>9} {:>9}  {:>9} {:>9}  {}, δ = {:e}",
        width(default),
        time(default),
        width(fine),
        time(fine),
        name(measured),
        question.delta
    )
}

pub(crate) fn summary(all: &[Measured]) -> String {
    let short = |of: fn(&Measured) -> bool| all.iter().filter(|measured| of(measured)).count();
    let unexplained = short(|measured| !measured.is_met() && measured.question.reason.is_empty());
    format!(
        "{} rows. At the default accuracy {} are wider than {:e} and {} take longer than {:.0} ms. With a tolerance of 1e-9 {} are wider than {:e} and {} take longer than {:.0} s. {unexplained} are short without a reason.",
        all.len(),
        short(|measured| !measured.default.is_narrow()),
        DEFAULT.width,
        short(|measured| !measured.default.is_fast()),
        1e3 * DEFAULT.seconds,
        short(|measured| !measured.fine.is_narrow()),
        FINE.width,
        short(|measured| !measured.fine.is_fast()),
        FINE.seconds,
    )
}

pub(crate) fn markdown(all: &[Measured]) -> String {
    let mut text = format!(
        "# How narrow answers are\n\n\
         Written by `bench/width`, which measures again. The question is ε at a δ, in both directions unless the relation is named, from an\n\
         expression that is parsed already. A width is relative to ε; one of {ABSOLUTE:e} is narrow, whatever ε is. A time is the best of several\n\
         answers on two cores. **Bold** is short of a goal: {:e} within {:.0} ms at the default accuracy, {:e} within {:.0} s with\n\
         `--tolerance 1e-9`. Questions are stopped as on the command line, after 8 s or at 1 GB.\n\n{}\n\n\
         | composition | δ | ε at most | method | width | time | width, 1e-9 | time, 1e-9 | why it is short |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        DEFAULT.width,
        1e3 * DEFAULT.seconds,
        FINE.width,
        FINE.seconds,
        summary(all),
    );
    for measured in all {
        let Measured { question, default, fine } = measured;
        let epsilon =
            fine.epsilon.or(default.epsilon).map_or("—".to_owned(), |value| format!("{value:.6}"));
        let reason = if measured.is_met() { "" } else { question.reason.as_str() };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| `{}` | {:e} | {epsilon} | {} | {} | {} | {} | {} | {reason} |",
            name(measured),
            question.delta,
            fine.method.replace('|', "/"),
            bold(width(default), default.is_narrow()),
            bold(time(default), default.is_fast()),
            bold(width(fine), fine.is_narrow()),
            bold(time(fine), fine.is_fast()),
        );
    }
    text
}

/// The composition, its copies and its relation.
fn name(measured: &Measured) -> String {
    let question = &measured.question;
    let copies = if question.copies > 1 { format!(", {} of them", question.copies) } else { String::new() };
    let relation = question.relation.to_string();
    let relation = if relation == "add-remove" { String::new() } else { format!(", {relation}") };
    format!("{}{copies}{relation}", question.expression)
}

fn bold(text: String, is_met: bool) -> String {
    if is_met { text } else { format!("**{text}**") }
}

fn width(asked: &Asked) -> String {
    match (asked.epsilon, asked.width) {
        (None, _) => "refused".to_owned(),
        (Some(_), width) if width.is_infinite() => "one end".to_owned(),
        (Some(_), width) => format!("{width:.0e}"),
    }
}

fn time(asked: &Asked) -> String {
    match asked.seconds {
        seconds if seconds < 1e-3 => format!("{:.0} µs", 1e6 * seconds),
        seconds if seconds < 1.0 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{seconds:.1} s"),
    }
}
