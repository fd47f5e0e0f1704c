//! The one place that writes: answers to standard output, complaints to standard error.

use crate::{
    excerpt::clipped,
    failure::Failure,
    visible::{is_hidden, visible_lines},
};
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

/// Writes a line of an answer that is not finished, and returns whether anybody reads it.
pub(crate) fn line(text: &str) -> Result<bool, Failure> {
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => {
            Err(Failure::Request(format!("the answer could not be written to standard output: {error}")))
        }
    }
}

/// Writes to standard output, and returns whether that worked. A reader that has gone away is no failure. Nothing is written of an
/// empty text: its lines have been.
pub(crate) fn answer(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
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
    let shown = clipped(&visible_lines(text), LONGEST_COMPLAINT);
    let _ = writeln!(io::stderr().lock(), "{kind}: {shown}");
}

/// Writes what clap has to say: help and version to standard output, the rest to standard error.
pub(crate) fn usage(usage: &clap::Error) -> ExitCode {
    let plain = usage.render().to_string();
    // Help that nobody asked for is long, but does not repeat what was typed.
    let is_help = usage.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    // What was typed is repeated, whatever it does to a terminal.
    let is_unfit = plain.chars().count() > LONGEST_COMPLAINT || plain.contains(|c| c != '\n' && is_hidden(c));
    if usage.use_stderr() && !is_help && is_unfit {
        let _ = writeln!(io::stderr().lock(), "{}", clipped(&visible_lines(&plain), LONGEST_COMPLAINT));
        return BAD_INPUT.into();
    }
    let printed = usage.print().and_then(|()| io::stdout().flush());
    match printed {
        Ok(()) if !usage.use_stderr() => ANSWERED.into(),
        Err(error) if !usage.use_stderr() && error.kind() == ErrorKind::BrokenPipe => ANSWERED.into(),
        Err(error) if !usage.use_stderr() => {
            complaint("error", &format!("the help could not be written to standard output: {error}"));
            BAD_INPUT.into()
        }
        Ok(()) | Err(_) => BAD_INPUT.into(),
    }
}
