//! The commands, one file each.

mod allowed;
mod audit;
mod calibrate;
mod common;
mod compare;
mod curve;
mod delta;
mod dpsgd;
mod epsilon;
mod explain;
mod ledger;
mod losses;
mod mechanisms;
mod named;
mod outcome;
mod reproduce;
mod risk;
mod run;
mod shell;
mod sweep;

pub(crate) use outcome::Outcome;

use crate::failure::Failure;
use clap::CommandFactory;

/// How much privacy do these mechanisms spend?
///
/// hockeystick answers with an interval that provably contains the truth, floating-point error included.
#[derive(Debug, clap::Parser)]
#[command(name = "hockeystick", version, after_long_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Epsilon(epsilon::Epsilon),
    Delta(delta::Delta),
    Compare(compare::Compare),
    Dpsgd(Box<dpsgd::Dpsgd>),
    Calibrate(calibrate::Calibrate),
    Profile(curve::Profile),
    Tradeoff(curve::Tradeoff),
    Losses(losses::Losses),
    Risk(risk::Risk),
    Audit(audit::Audit),
    Explain(explain::Explain),
    Run(run::Run),
    Sweep(sweep::Sweep),
    Ledger(Box<ledger::Ledger>),
    Reproduce(reproduce::Reproduce),
    Mechanisms(mechanisms::Mechanisms),
    Completions(shell::Completions),
    Man(shell::Man),
}

const EXAMPLES: &str = include_str!("examples/hockeystick.txt");

impl CommandLine {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.command {
            Command::Epsilon(epsilon) => epsilon.run(),
            Command::Delta(delta) => delta.run(),
            Command::Compare(compare) => compare.run(),
            Command::Dpsgd(dpsgd) => dpsgd.run(),
            Command::Calibrate(calibrate) => calibrate.run(),
            Command::Profile(profile) => profile.run(),
            Command::Tradeoff(tradeoff) => tradeoff.run(),
            Command::Losses(losses) => losses.run(),
            Command::Risk(risk) => risk.run(),
            Command::Audit(audit) => audit.run(),
            Command::Explain(explain) => explain.run(),
            Command::Run(run) => run.run(),
            Command::Sweep(sweep) => sweep.run(),
            Command::Ledger(ledger) => ledger.run(),
            Command::Reproduce(reproduce) => reproduce.run(),
            Command::Mechanisms(mechanisms) => mechanisms.run(),
            Command::Completions(completions) => Ok(completions.run(CommandLine::command())),
            Command::Man(man) => man.run(CommandLine::command()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        CommandLine::command().debug_assert();
    }
}
