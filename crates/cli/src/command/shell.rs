//! `hockeystick completions` and `hockeystick man`: what a package needs.

use super::Outcome;
use crate::failure::Failure;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;

/// Completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: clap_complete::Shell,
}

const EXAMPLES: &str = include_str!("examples/completions.txt");

/// The manual page
#[derive(Debug, clap::Args)]
#[command(after_long_help = MAN_EXAMPLES)]
pub(super) struct Man {}

const MAN_EXAMPLES: &str = include_str!("examples/man.txt");

impl Completions {
    pub(super) fn run(&self, mut command: clap::Command) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "hockeystick", &mut script);
        Outcome { text: String::from_utf8_lossy(&script).trim_end().to_owned(), shortfall: None }
    }
}

impl Man {
    pub(super) fn run(&self, command: clap::Command) -> Result<Outcome, Failure> {
        let mut page = Vec::new();
        write(&mut page, command)
            .map_err(|error| Failure::Request(format!("the page cannot be made: {error}")))?;
        Ok(Outcome { text: String::from_utf8_lossy(&page).trim_end().to_owned(), shortfall: None })
    }
}

/// One page for all commands: each has a section, whose parts are subsections.
fn write(page: &mut Vec<u8>, mut command: clap::Command) -> io::Result<()> {
    command.build();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    let commands = || command.get_subcommands().filter(|command| command.get_name() != "help");
    list(commands()).to_writer(page)?;
    examples(&command).to_writer(page)?;
    for command in commands() {
        let man = clap_mangen::Man::new(command.clone());
        let mut section = Vec::new();
        man.render_synopsis_section(&mut section)?;
        man.render_description_section(&mut section)?;
        man.render_options_section(&mut section)?;
        examples(command).to_writer(&mut section)?;
        let title = format!("hockeystick {}", command.get_name()).to_uppercase();
        Roff::new().control("SH", [title.as_str()]).to_writer(page)?;
        page.extend_from_slice(String::from_utf8_lossy(&section).replace("\n.SH ", "\n.SS ").as_bytes());
    }
    man.render_version_section(page)
}

/// The names of the commands, and what they do. There are no pages of their own that could be referred to.
fn list<'a>(commands: impl Iterator<Item = &'a clap::Command>) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["COMMANDS"]);
    for command in commands {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        roff.control("TP", []).text([bold(command.get_name())]).text([roman(about)]);
    }
    roff
}

/// What stands below the options of the help, line by line.
fn examples(command: &clap::Command) -> Roff {
    let mut roff = Roff::new();
    let Some(text) = command.get_after_long_help().map(ToString::to_string) else { return roff };
    roff.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in text.trim_start_matches("Examples:").trim_start_matches('\n').lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff
}
