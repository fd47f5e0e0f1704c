//! `hockeystick ledger`: budgets, and what is spent of them.

mod budget;
mod exchange;
mod explain;
mod outcome;
mod seen;
mod spend;
mod spending;
mod spends;
mod statement;
mod status;
mod store;

use super::Outcome;
use crate::{failure::Failure, report::Format};
use std::path::PathBuf;

/// Budgets that cannot be overspent: spend, reserve, look back, verify
///
/// A ledger keeps budgets in a file, or in a PostgreSQL that many machines share. Whoever runs a mechanism on personal data spends first: all budgets concerned are charged in one
/// step, or none is. What was charged stands in a history that is only ever added to.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Ledger {
    #[command(subcommand)]
    verb: Verb,

    /// The file that keeps the ledger, or the URL of a PostgreSQL; without it the variable HOCKEYSTICK_STORE says
    #[arg(long, short = 's', value_name = "STORE", global = true)]
    store: Option<PathBuf>,

    /// How the answer is written
    #[arg(
        long,
        short = 'F',
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        global = true,
        help_heading = "Output"
    )]
    format: Format,
}

const EXAMPLES: &str = include_str!("../examples/ledger.txt");

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Makes the ledger, unless it is there
    Init,
    Budget(budget::Make),
    Spend(spend::Spend),
    Reserve(spend::Reserve),
    Commit(spend::Commit),
    Release(spend::Release),
    Status(status::Status),
    Explain(explain::Explain),
    Statement(statement::Statement),
    History(seen::History),
    Export(exchange::Export),
    Import(exchange::Import),
    Verify(seen::Verify),
    Backup(exchange::Backup),
}

impl Ledger {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let store = store::name(self.store.as_deref())?;
        if matches!(self.verb, Verb::Init) {
            hockeystick_ledger::Ledger::create(&store)?;
            return Ok(outcome::plain(
                self.format,
                "ledger-init",
                format!("the ledger is in {}", store::shown(&store)),
            ));
        }
        let ledger = &mut hockeystick_ledger::Ledger::open(&store)?;
        match &self.verb {
            Verb::Init => unreachable!("answered above"),
            Verb::Budget(make) => make.run(ledger, self.format),
            Verb::Spend(spend) => spend.run(ledger, self.format),
            Verb::Reserve(reserve) => reserve.run(ledger, self.format),
            Verb::Commit(commit) => commit.run(ledger, self.format),
            Verb::Release(release) => release.run(ledger, self.format),
            Verb::Status(status) => status.run(ledger, self.format),
            Verb::Explain(explain) => explain.run(ledger, self.format),
            Verb::Statement(statement) => statement.run(ledger, self.format),
            Verb::History(history) => history.run(ledger, self.format),
            Verb::Export(export) => export.run(ledger, self.format),
            Verb::Import(import) => import.run(ledger, self.format),
            Verb::Verify(verify) => verify.run(ledger, self.format),
            Verb::Backup(backup) => backup.run(ledger, self.format),
        }
    }
}
