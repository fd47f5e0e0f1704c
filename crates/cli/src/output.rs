//! The one place that writes: answers to standard output, complaints to standard error.

use crate::excerpt::clipped;
use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// The question was answered.
pub(crate) const ANSWERED: u8 = 0;
/// The question was answered, but not as asked.
pub(crate) const NOT_AS_ASKED: u8 = 1;
/// The question could not be read, or has no answer.
pub(crate) const BAD_INPUT: u8 = 2;

/// Longer complaints lose their middle: they repeat what was typed, which can be very long.
const LONGEST_COMPLAINT: usize = 2000;

/// Writes to standard output, and returns whether that worked. A reader that has gone away is no failure.
pub(crate) fn answer(text: &str) -> bool {
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => true,
        Err(error) => {
            complaint("error", &format!("the answer could not be written to standard output: {error}"));
            false
        }
    }
}

/// Writes to standard error. If that is closed there is nobody left to tell.
pub(crate) fn complaint(kind: &str, text: &str) {
    let _ = writeln!(io::stderr().lock(), "{kind}: {}", clipped(text, LONGEST_COMPLAINT));
}

/// Writes what clap has to say: help and version to standard output, the rest to standard error.
pub(crate) fn usage(usage: &clap::Error) -> ExitCode {
    let plain = usage.render().to_string();
    // Help that nobody asked for is long, but does not repeat what was typed.
    let is_help = usage.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if usage.use_stderr() && !is_help && plain.chars().count() > LONGEST_COMPLAINT {
        let _ = writeln!(io::stderr().lock(), "{}", clipped(&plain, LONGEST_COMPLAINT));
    } else {
        let _ = usage.print();
    }
    if usage.use_stderr() { BAD_INPUT.into() } else { ANSWERED.into() }
}
