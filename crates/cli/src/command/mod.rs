//! The commands, one file each.

mod allowed;
mod calibrate;
mod common;
mod compare;
mod curve;
mod delta;
mod dpsgd;
mod epsilon;
mod explain;
mod losses;
mod mechanisms;
mod named;
mod reproduce;
mod risk;
mod run;
mod shell;
mod sweep;

use crate::failure::Failure;

/// What a command has to say.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// For standard output.
    pub(crate) text: String,
    /// Why this is not what was asked for, if it is not.
    pub(crate) shortfall: Option<String>,
}

/// How much privacy do these mechanisms spend?
///
/// hockeystick answers with an interval that provably contains the truth, floating-point error included.
#[derive(Debug, clap::Parser)]
#[command(name = "hockeystick", version, after_help = EXAMPLES, max_term_width = 100)]
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
    Explain(explain::Explain),
    Run(run::Run),
    Sweep(sweep::Sweep),
    Reproduce(reproduce::Reproduce),
    Mechanisms(mechanisms::Mechanisms),
    Completions(shell::Completions),
    Man(shell::Man),
}

const EXAMPLES: &str = r#"Examples:

  A hundred releases with Gaussian noise:
  $ hockeystick epsilon "gaussian(sigma=10) * 100" --delta 1e-5
  ε = 4.3771780956812 ± 3e-14

  What is left of privacy at ε = 0.5:
  $ hockeystick delta "laplace(scale=1)" --epsilon 0.5
  δ = 2.211992169285951e-1 ± 5e-17

  Releases of different kinds are added up; a count repeats:
  $ hockeystick epsilon "gaussian(sigma=20) * 50 + randomized_response(p=0.75) * 2" --delta 1e-6
  ε = 3.69599812617528 ± 3e-15

  A training with DP-SGD:
  $ hockeystick dpsgd --examples 60000 --batch 256 --epochs 60 --noise 1.1 --delta 1e-5
  ε = 2.38168972614165 ± 1e-12

  The number that just meets a target is written ?:
  $ hockeystick calibrate "gaussian(sigma=?) * 100" --epsilon 1 --delta 1e-6
  sigma = 42.24678889326873

  What an attacker can do:
  $ hockeystick risk "gaussian(sigma=4) * 10"

  Why do accountants disagree? Every method side by side:
  $ hockeystick compare "gaussian(sigma=10) * 100" --delta 1e-5

  What can be written in an expression:
  $ hockeystick mechanisms

Exit codes: 0 answered; 1 answered, but not as asked; 2 bad input."#;

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
            Command::Explain(explain) => explain.run(),
            Command::Run(run) => run.run(),
            Command::Sweep(sweep) => sweep.run(),
            Command::Reproduce(reproduce) => reproduce.run(),
            Command::Mechanisms(mechanisms) => mechanisms.run(),
            Command::Completions(completions) => Ok(completions.run()),
            Command::Man(man) => man.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        CommandLine::command().debug_assert();
    }
}
