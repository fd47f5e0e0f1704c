//! `hockeystick completions` and `hockeystick man`: what a package needs.

use super::{CommandLine, Outcome};
use crate::failure::Failure;
use clap::CommandFactory;

/// Completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: clap_complete::Shell,
}

const EXAMPLES: &str = r#"Examples:

  For bash, zsh and fish:
  $ hockeystick completions bash > hockeystick.bash
  $ hockeystick completions zsh > _hockeystick
  $ hockeystick completions fish > hockeystick.fish"#;

/// The manual page
#[derive(Debug, clap::Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(super) struct Man {}

const MAN_EXAMPLES: &str = r#"Examples:

  Where man finds it:
  $ hockeystick man > hockeystick.1"#;

impl Completions {
    pub(super) fn run(&self) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "hockeystick", &mut script);
        Outcome { text: String::from_utf8_lossy(&script).trim_end().to_owned(), shortfall: None }
    }
}

impl Man {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let mut page = Vec::new();
        let write = |page: &mut Vec<u8>| -> std::io::Result<()> {
            let mut command = CommandLine::command();
            command.build();
            clap_mangen::Man::new(command.clone()).render(page)?;
            for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
                let man = clap_mangen::Man::new(sub.clone());
                page.extend_from_slice(format!(".SH \"{}\"\n", sub.get_name().to_uppercase()).as_bytes());
                man.render_synopsis_section(page)?;
                man.render_description_section(page)?;
                man.render_options_section(page)?;
            }
            Ok(())
        };
        write(&mut page).map_err(|error| Failure::Request(format!("the page cannot be made: {error}")))?;
        Ok(Outcome { text: String::from_utf8_lossy(&page).trim_end().to_owned(), shortfall: None })
    }
}
