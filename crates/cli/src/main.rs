//! The command line: arguments → library → report.
//!
//! Exit codes: 0 answered; 1 answered, but not as asked; 2 bad input.

mod command;
mod excerpt;
mod failure;
mod input;
mod output;
mod plot;
mod progress;
mod release;
mod report;
mod shortest;
mod sides;
mod signature;
mod statement;
mod style;
mod table;
mod visible;
mod whole_file;
mod workload;

use clap::Parser;
use command::CommandLine;
use output::{ANSWERED, BAD_INPUT, NOT_AS_ASKED};
use std::process::ExitCode;

fn main() -> ExitCode {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(usage) => return output::usage(&usage),
    };
    match command_line.run() {
        Ok(outcome) => {
            let code = if outcome.shortfall.is_some() { NOT_AS_ASKED } else { ANSWERED };
            // The answer first: whoever reads both streams wants the reason after it.
            let written = output::answer(&outcome.text);
            if let Some(reason) = outcome.shortfall {
                output::complaint("warning", &reason);
            }
            if written { code.into() } else { BAD_INPUT.into() }
        }
        Err(failure) => {
            output::complaint("error", &failure.to_string());
            BAD_INPUT.into()
        }
    }
}
