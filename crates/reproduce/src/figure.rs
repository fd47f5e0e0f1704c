//! A figure or table of a paper, drawn again.

use crate::{Claim, Panel};

/// Where a parameter of a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The paper's text or caption.
    Paper,
    /// Chosen here, because the text does not say.
    Chosen,
}

/// A parameter of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// What it is.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// Where that comes from.
    pub source: Source,
}

/// A figure or table of a paper, drawn again.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Figure {
    /// What it was drawn with.
    pub parameters: Vec<Parameter>,
    /// Its charts.
    pub panels: Vec<Panel>,
    /// Charts to a row.
    pub columns: usize,
    /// What comes out here.
    pub findings: Vec<String>,
    /// What the paper says.
    pub said: Vec<&'static str>,
    /// Where the two differ, and why.
    pub differences: Vec<&'static str>,
    /// Numbers that the text claims.
    pub claims: Vec<Claim>,
}

impl Figure {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, ..Self::default() }
    }

    /// A parameter that the text gives.
    pub(crate) fn given(self, name: &'static str, value: impl Into<String>) -> Self {
        self.parameter(name, value.into(), Source::Paper)
    }

    /// A parameter that the text does not give.
    pub(crate) fn chosen(self, name: &'static str, value: impl Into<String>) -> Self {
        self.parameter(name, value.into(), Source::Chosen)
    }

    fn parameter(mut self, name: &'static str, value: String, source: Source) -> Self {
        self.parameters.push(Parameter { name, value, source });
        self
    }

    pub(crate) fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    pub(crate) fn found(mut self, finding: impl Into<String>) -> Self {
        self.findings.push(finding.into());
        self
    }

    pub(crate) fn says(mut self, said: &'static str) -> Self {
        self.said.push(said);
        self
    }

    pub(crate) fn differs(mut self, difference: &'static str) -> Self {
        self.differences.push(difference);
        self
    }

    pub(crate) fn claim(mut self, claim: Claim) -> Self {
        self.claims.push(claim);
        self
    }
}
