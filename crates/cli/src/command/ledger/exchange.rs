//! `hockeystick ledger export`, `import` and `backup`.

use super::{super::Outcome, outcome::plain, spends};
use crate::{failure::Failure, output, report::Format};
use hockeystick_ledger::Ledger;
use std::path::PathBuf;

/// Writes the whole history, a JSON object a line, each with its hash
#[derive(Debug, clap::Args)]
pub(super) struct Export {}

/// Reads what export has written into a new ledger, or spends that were written down elsewhere; - reads standard input
#[derive(Debug, clap::Args)]
pub(super) struct Import {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The file is a table, CSV or lines of JSON, with the columns budget, expression, reference and perhaps note: each row that fits is charged,
    /// once however often the file is read. Exit code 1 if one does not fit
    #[arg(long)]
    spends: bool,
}

/// Copies the ledger to a new file while others go on using it
#[derive(Debug, clap::Args)]
pub(super) struct Backup {
    /// The new file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Export {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        if !matches!(format, Format::Text | Format::Json) {
            return Err(Failure::Request(
                "an export is made of JSON lines; for a table write ledger history --format csv".to_owned(),
            ));
        }
        let (mut failure, mut is_read) = (None, true);
        ledger.export(|line| {
            if is_read && failure.is_none() {
                match output::line(line) {
                    Ok(reads) => is_read = reads,
                    Err(error) => failure = Some(error),
                }
            }
            Ok(())
        })?;
        match failure {
            Some(failure) => Err(failure),
            None => Ok(Outcome { text: String::new(), shortfall: None }),
        }
    }
}

impl Import {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        if self.spends {
            return spends::charge(ledger, &self.file, format);
        }
        let read = if self.file.as_os_str() == "-" {
            std::io::read_to_string(std::io::stdin())
        } else {
            std::fs::read_to_string(&self.file)
        };
        let text = read.map_err(|error| Failure::File {
            name: self.file.display().to_string(),
            message: format!("it cannot be read: {error}; name a file that ledger export has written"),
        })?;
        let entries = ledger.import(text.lines())?;
        Ok(plain(format, "ledger-import", format!("{entries} entries were imported")))
    }
}

impl Backup {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let to = self.file.to_string_lossy();
        ledger.back_up(&to)?;
        Ok(plain(format, "ledger-backup", format!("a copy of the ledger is in {to}")))
    }
}
