//! `hockeystick dpsgd`: DP-SGD in the words of those who train.

use super::{
    Outcome,
    calibrate::refused,
    common::{Accounting, Subject, number, whole},
};
use crate::{
    decimal::Notation,
    failure::Failure,
    plot::PlotFile,
    progress::{Progress, watched},
    report::{Fact, Format, Page, csv, expression, milliseconds, shortest, shown},
    statement::{Statement, statement},
    style::Style,
};
use hockeystick::{
    Answer,
    engine::Budget,
    mechanism::{Batches, Duration, Mechanism, Relation, Training},
    pair::Direction,
    query::{Guarantee, Target, calibrate, whole_grid},
};
use hockeystick_plot::{Axis, Chart, Series};
use std::time::Instant;

/// The ε of a training with DP-SGD, or the noise for an ε
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("length").required(true).args(["epochs", "steps"]))]
#[command(group = clap::ArgGroup::new("privacy").required(true).args(["noise", "epsilon"]))]
pub(super) struct Dpsgd {
    /// How many examples the training data has
    #[arg(long, value_name = "N", value_parser = whole)]
    examples: u64,

    /// How many examples a batch has on average
    #[arg(long, value_name = "B", value_parser = whole)]
    batch: u64,

    /// How many passes over the data
    #[arg(long, value_name = "E", value_parser = number)]
    epochs: Option<f64>,

    /// How many updates of the model, in place of epochs
    #[arg(long, value_name = "T", value_parser = whole)]
    steps: Option<u64>,

    /// The noise multiplier: standard deviation of the noise, divided by the clipping norm
    #[arg(long, value_name = "S", value_parser = number)]
    noise: Option<f64>,

    /// The ε that must be met, in place of the noise: then the least noise is found
    #[arg(long, value_name = "X", value_parser = number)]
    epsilon: Option<f64>,

    /// The δ of the guarantee; without it one is suggested from the number of examples
    #[arg(long, value_name = "D", value_parser = number)]
    delta: Option<f64>,

    /// How batches are drawn
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    batches: BatchesFlag,

    /// Write the guarantee in plain language, fit for a model card
    #[arg(long)]
    statement: bool,

    #[command(flatten)]
    plot: PlotFile,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Format,

    #[command(flatten)]
    accounting: Accounting,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum BatchesFlag {
    /// Every example is in every batch with the same probability, independently
    #[default]
    Poisson,
    /// A fixed number of examples, drawn anew without replacement at every step
    Fixed,
}

const EXAMPLES: &str = r#"Examples:

  What a training costs:
  $ hockeystick dpsgd --examples 60000 --batch 256 --epochs 60 --noise 1.1 --delta 1e-5
  ε = 2.38168972614165 ± 1e-12

  How much noise ε = 2 needs; δ is suggested:
  $ hockeystick dpsgd --examples 60000 --batch 256 --epochs 60 --epsilon 2

  The guarantee for a model card:
  $ hockeystick dpsgd --examples 60000 --batch 256 --epochs 60 --noise 1.1 --statement

  ε over the steps of the training:
  $ hockeystick dpsgd --examples 60000 --batch 256 --epochs 60 --noise 1.1 --plot training.svg

Batches that are cut from shuffled data are neither of the two kinds: no number is given for them."#;

/// How many points the curve over the steps has.
const POINTS: usize = 24;

#[derive(serde::Serialize)]
struct Report {
    query: &'static str,
    expression: String,
    relation: Relation,
    examples: u64,
    batch: u64,
    rate: f64,
    steps: u64,
    noise: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    too_little: Option<f64>,
    delta: f64,
    delta_suggested: bool,
    lower: Option<f64>,
    upper: f64,
    guarantee: Guarantee,
    method: &'static str,
    direction: Direction,
    budget: Budget,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortfall: Option<String>,
    assumptions: Vec<String>,
    notes: Vec<String>,
}

/// What was found.
struct Trained {
    mechanism: Mechanism,
    noise: f64,
    too_little: Option<f64>,
    answer: Answer,
    shortfall: Option<String>,
}

impl Dpsgd {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let training = self.training()?;
        let delta = self.delta.unwrap_or_else(|| training.suggested_delta());
        let started = Instant::now();
        let found = watched(|| match (self.noise, self.epsilon) {
            (Some(noise), _) => self.account(&training, noise, delta),
            (None, Some(epsilon)) => self.calibrated(&training, epsilon, delta),
            (None, None) => Err(Failure::Request("give --noise or --epsilon".to_owned())),
        })?;
        let elapsed = started.elapsed();
        let drawing = self.plot.draw(|| self.chart(&training, found.noise, delta))?;
        if self.statement {
            return self.statement(&training, &found, delta);
        }
        let mut notes = found.answer.notes().to_vec();
        if self.delta.is_none() {
            notes.push(format!(
                "δ = {} is suggested: at most a tenth of one over the number of examples; choose your own with --delta",
                shortest(delta)
            ));
        }
        let report = Report {
            query: "dpsgd",
            expression: found.mechanism.to_string(),
            relation: self.relation(),
            examples: self.examples,
            batch: self.batch,
            rate: training.rate(),
            steps: training.steps(),
            noise: found.noise,
            too_little: found.too_little,
            delta,
            delta_suggested: self.delta.is_none(),
            lower: found.answer.lower(),
            upper: found.answer.upper(),
            guarantee: found.answer.guarantee(),
            method: found.answer.method().name(),
            direction: found.answer.direction(),
            budget: found.answer.budget(),
            elapsed_ms: milliseconds(elapsed),
            shortfall: found.shortfall.clone(),
            assumptions: training.assumptions(),
            notes,
        };
        let text = match self.format {
            Format::Text => page(&report, drawing, self.epsilon).text(Style::of_output()),
            Format::Markdown => page(&report, None, self.epsilon).markdown(),
            Format::Json => serde_json::to_string(&report).expect("a report has string keys only"),
            Format::Csv => table(&report),
        };
        Ok(Outcome { text, shortfall: found.shortfall })
    }

    fn training(&self) -> Result<Training, Failure> {
        let duration = match (self.epochs, self.steps) {
            (Some(epochs), _) => Duration::Epochs(epochs),
            (None, Some(steps)) => Duration::Steps(steps),
            (None, None) => return Err(Failure::Request("give --epochs or --steps".to_owned())),
        };
        let batches = match self.batches {
            BatchesFlag::Poisson => Batches::Poisson,
            BatchesFlag::Fixed => Batches::Fixed,
        };
        Training::new(self.examples, self.batch, duration, batches).map_err(invalid)
    }

    fn relation(&self) -> Relation {
        self.accounting.relation.unwrap_or_default()
    }

    fn account(&self, training: &Training, noise: f64, delta: f64) -> Result<Trained, Failure> {
        let mechanism = training.mechanism(noise).map_err(invalid)?;
        let subject = Subject { mechanism, relation: self.relation() };
        let answer = self.accounting.query(&subject).epsilon(delta)?;
        let shortfall = answer.shortfall().map(|shortfall| shortfall.to_string());
        Ok(Trained { mechanism: subject.mechanism, noise, too_little: None, answer, shortfall })
    }

    fn calibrated(&self, training: &Training, epsilon: f64, delta: f64) -> Result<Trained, Failure> {
        let template =
            training.template().map_err(|error| Failure::Expression { text: String::new(), error })?;
        let target = Target::Guarantee { epsilon, delta };
        let (method, tolerance) = (self.accounting.method, self.accounting.tolerance);
        let found = calibrate(&template, target, self.relation(), method, tolerance)
            .map_err(|error| refused(&template, error))?;
        let Some(noise) = found.value() else {
            return Err(Failure::Request(format!(
                "no noise was found that meets ε = {} at δ = {}; allow a larger ε or δ, or train for fewer steps",
                shortest(epsilon),
                shortest(delta)
            )));
        };
        Ok(Trained {
            mechanism: found.mechanism().clone(),
            noise,
            too_little: found.too_little(),
            answer: found.answer().clone(),
            shortfall: None,
        })
    }

    /// ε after so many steps.
    fn chart(&self, training: &Training, noise: f64, delta: f64) -> Result<Chart, Failure> {
        let progress = Progress::new(POINTS);
        let mut band = vec![];
        for steps in whole_grid(training.steps(), POINTS) {
            let duration = Duration::Steps(steps);
            let part =
                Training::new(self.examples, self.batch, duration, training.batches()).map_err(invalid)?;
            let answer = self.account(&part, noise, delta)?.answer;
            band.push((steps as f64, answer.lower().unwrap_or_default(), answer.upper()));
            progress.step();
        }
        progress.finish();
        let upper = band.iter().map(|&(steps, _, upper)| (steps, upper)).collect();
        let title = format!("DP-SGD, noise multiplier {}, δ = {}", shortest(noise), shortest(delta));
        Ok(Chart::new(Axis::linear("steps").including(0.0), Axis::linear("ε"))
            .title(title)
            .series(Series::new("", upper).band(band)))
    }

    fn statement(&self, training: &Training, found: &Trained, delta: f64) -> Result<Outcome, Failure> {
        let subject = Subject { mechanism: found.mechanism.clone(), relation: self.relation() };
        let curves = self.accounting.query(&subject).curves()?;
        let text = statement(&Statement {
            training,
            batch: self.batch,
            noise: found.noise,
            delta,
            epsilon: found.answer.upper(),
            guarantee: found.answer.guarantee(),
            relation: subject.relation,
            advantage: curves.advantage().value().upper(),
            detected: curves.true_positive_rate(0.01)?.value().upper(),
        });
        let page = Page { prose: text, ..Page::default() };
        let text = match self.format {
            Format::Text => page.text(Style::of_output()),
            Format::Markdown => page.markdown(),
            Format::Json => {
                let object = serde_json::json!({"query": "dpsgd", "statement": page.prose.join("\n\n")});
                object.to_string()
            }
            Format::Csv => csv::lines(&["statement"], &[vec![page.prose.join("\n\n")]]),
        };
        Ok(Outcome { text, shortfall: found.shortfall.clone() })
    }
}

fn invalid(error: hockeystick::mechanism::InvalidParameter) -> Failure {
    Failure::Question(error.into())
}

fn page(report: &Report, drawing: Option<String>, target: Option<f64>) -> Page {
    let shown = shown(report.guarantee, report.lower, report.upper, Notation::Plain);
    let delta = shortest(report.delta);
    let mut facts = vec![];
    let headline = if let Some(epsilon) = target {
        facts.push(Fact::value("target", format!("ε ≤ {} at δ = {delta}", shortest(epsilon))));
        facts.extend(
            report
                .too_little
                .map(|little| Fact::value("too little", format!("{} misses the target", shortest(little)))),
        );
        facts.push(Fact::value("spends", format!("ε {} at δ = {delta}", shown.relation)));
        format!("noise = {}", shortest(report.noise))
    } else {
        facts.extend(
            shown.at_most.as_ref().map(|upper| Fact::value("quote", format!("ε ≤ {upper} at δ = {delta}"))),
        );
        format!("ε {}", shown.relation)
    };
    facts.push(Fact::value(
        "training",
        format!("{} steps, {} of {} examples in a batch", report.steps, report.batch, report.examples),
    ));
    facts.push(Fact::value("guarantee", report.guarantee.name()));
    facts.push(Fact::value("method", report.method));
    facts.push(Fact::value("direction", report.direction.to_string()));
    facts.push(Fact::value("relation", report.relation.to_string()));
    facts.push(expression(&report.expression));
    facts.extend(report.assumptions.iter().map(|line| Fact::words("holds if", line)));
    facts.extend(report.notes.iter().map(|note| Fact::words("note", note)));
    facts.extend(report.shortfall.iter().map(|reason| Fact::warning("not as asked", reason)));
    Page { headline, drawing, facts, ..Page::default() }
}

fn table(report: &Report) -> String {
    let number = |x: f64| csv::number(Some(x));
    let fields = [
        ("query", report.query.to_owned()),
        ("expression", report.expression.clone()),
        ("relation", report.relation.to_string()),
        ("examples", report.examples.to_string()),
        ("batch", report.batch.to_string()),
        ("rate", number(report.rate)),
        ("steps", report.steps.to_string()),
        ("noise", number(report.noise)),
        ("too_little", csv::number(report.too_little)),
        ("delta", number(report.delta)),
        ("lower", csv::number(report.lower)),
        ("upper", number(report.upper)),
        ("guarantee", report.guarantee.name().to_owned()),
        ("method", report.method.to_owned()),
        ("direction", report.direction.to_string()),
        ("elapsed_ms", number(report.elapsed_ms)),
        ("shortfall", report.shortfall.clone().unwrap_or_default()),
        ("assumptions", report.assumptions.join("; ")),
        ("notes", report.notes.join("; ")),
    ];
    let (header, row): (Vec<&str>, Vec<String>) = fields.into_iter().unzip();
    csv::lines(&header, &[row])
}
