//! `hockeystick audit`: what an attack proves, and what that says of a claim.

mod evidence;
mod planned;
mod report;

use super::{Outcome, allowed::Allowed, common::number, named};
use crate::{
    failure::Failure,
    input,
    progress::watched,
    report::{Format, Report},
};
use evidence::EvidenceFlags;
use hockeystick::{
    Query,
    mechanism::{Files, Mechanism, Relation},
};
use planned::PlanReport;
use report::AuditReport;
use std::time::Instant;

/// What an attack proves about ε, and whether a claim stands beside it
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Audit {
    #[command(flatten)]
    evidence: EvidenceFlags,

    /// The δ of the guarantee that is audited
    #[arg(help_heading = "Question", long, short = 'd', value_name = "D", value_parser = number, allow_hyphen_values = true, default_value_t = 0.0)]
    delta: f64,

    /// How sure to be: the chance that a true guarantee is called broken is at most 1 minus this
    #[arg(help_heading = "Question", long, value_name = "C", value_parser = number, allow_hyphen_values = true, default_value_t = 0.95)]
    confidence: f64,

    /// The mechanisms that are claimed to have run: is the attack within what they spend? The exit code is 1 if it is not
    #[arg(help_heading = "Question", long, value_name = "EXPR")]
    claim: Option<String>,

    /// In place of evidence: how many trials would the best attack on the claim need to show this ε?
    #[arg(help_heading = "Question", long, value_name = "E", value_parser = number, allow_hyphen_values = true, requires = "claim", conflicts_with = "evidence")]
    plan: Option<f64>,

    /// Which datasets the trials were about: add-remove (default), add, remove or replace (one record)
    #[arg(help_heading = "Question", long, short = 'r', value_name = "R", value_parser = named::relation(), hide_possible_values = true, default_value_t)]
    relation: Relation,

    /// How the answer is written
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    format: Format,

    #[command(flatten, next_help_heading = "Limits")]
    allowed: Allowed,
}

const EXAMPLES: &str = include_str!("../examples/audit.txt");

impl Audit {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let claim = self.claim.as_ref().map(|text| input::mechanism(text, &Files::default())).transpose()?;
        let started = Instant::now();
        match (self.plan, &claim) {
            (Some(epsilon), Some(claim)) => {
                let planned = watched(|| {
                    let (delta, confidence) = (self.delta, self.confidence);
                    let query = self.query(claim);
                    self.allowed.within(|| {
                        Ok(hockeystick_audit::power::trials_for(&query, epsilon, delta, confidence)?)
                    })
                })?;
                let report =
                    PlanReport::new(claim, self.relation, epsilon, self.delta, self.confidence, planned);
                let shortfall = report.shortfall();
                Ok(Outcome { text: report.written(self.format), shortfall })
            }
            (_, claim) => {
                let audit = hockeystick_audit::Audit::of(self.evidence.read()?)
                    .delta(self.delta)
                    .confidence(self.confidence)
                    .relation(self.relation);
                let report = watched(|| match claim {
                    Some(claim) => {
                        let comparison = audit.against(&self.query(claim))?;
                        Ok::<_, Failure>(AuditReport::of_claim(
                            claim,
                            self.relation,
                            &comparison,
                            started.elapsed(),
                        ))
                    }
                    None => Ok(AuditReport::new(self.relation, &audit.finding()?, started.elapsed())),
                })?;
                let shortfall = report.refutation();
                Ok(Outcome { text: report.written(self.format), shortfall })
            }
        }
    }

    fn query<'a>(&self, claim: &'a Mechanism) -> Query<'a> {
        Query::new(claim).relation(self.relation).limits(self.allowed.limits())
    }
}
