//! `hockeystick dpsgd`: DP-SGD in the words of those who train.

use super::{
    Outcome,
    calibrate::refused,
    common::{Accounting, Subject, number, whole},
};
use crate::{
    failure::Failure,
    plot::PlotFile,
    progress::{Progress, watched},
    report::{Answered, Asked, Fact, Format, Page, Report, csv, shortest, shown},
    signature::{Question, Signature, StatementFlags},
    statement::{Statement, statement},
};
use hockeystick::{
    Answer,
    mechanism::{Batches, Duration, Mechanism, Relation, Training},
    query::{Target, calibrate, whole_grid},
};
use hockeystick_digits::Notation;
use hockeystick_plot::{Axis, Chart, Series};
use std::time::Instant;

/// The ε of a training with DP-SGD, or the noise for an ε
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
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
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    epochs: Option<f64>,

    /// How many updates of the model, in place of epochs
    #[arg(long, value_name = "T", value_parser = whole)]
    steps: Option<u64>,

    /// The noise multiplier: standard deviation of the noise, divided by the clipping norm
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    noise: Option<f64>,

    /// The ε that must be met, in place of the noise: then the least noise is found
    #[arg(long, short = 'e', value_name = "X", value_parser = number, allow_hyphen_values = true)]
    epsilon: Option<f64>,

    /// The δ of the guarantee; without it one is suggested from the number of examples
    #[arg(long, short = 'd', value_name = "D", value_parser = number, allow_hyphen_values = true)]
    delta: Option<f64>,

    /// How batches are drawn
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    batches: BatchesFlag,

    /// How many examples one person has at most; neighbours differ in all of them
    #[arg(long, value_name = "M", value_parser = whole, default_value_t = 1)]
    records_per_user: u64,

    #[command(flatten)]
    statement: StatementFlags,

    #[command(flatten)]
    plot: PlotFile,

    /// How the answer is written
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
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
    /// Every example is put into one batch of each epoch, chosen at random and independently
    ShuffledBins,
    /// Shuffled data cut into batches: refused, as there is no proof
    Shuffled,
}

const EXAMPLES: &str = include_str!("examples/dpsgd.txt");

const SHUFFLED: &str = "batches that are cut from shuffled data have no proof of this number, and can cost more than Poisson \
     samples of the same size; assign every example to a batch at random and use --batches shuffled-bins, or draw every batch anew and use --batches poisson or \
     --batches fixed";
const REPLACED: &str = "a noise multiplier is for the clipping norm, and one example in place of another moves the sum of gradients twice as far: \
     use --relation add-remove, or --batches fixed";

/// How many points the curve over the steps has.
const POINTS: usize = 32;

/// A training and what it spends.
#[derive(serde::Serialize)]
struct TrainingReport {
    #[serde(flatten)]
    asked: Asked,
    examples: u64,
    batch: u64,
    rate: f64,
    steps: u64,
    noise: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    too_little: Option<f64>,
    delta: f64,
    delta_suggested: bool,
    assumptions: Vec<String>,
    #[serde(flatten)]
    answered: Answered,
    #[serde(flatten)]
    signature: Option<Signature>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<String>,
    #[serde(skip)]
    paragraphs: Vec<String>,
    /// The ε that was demanded, if the noise was to be found.
    #[serde(skip)]
    target: Option<f64>,
    #[serde(skip)]
    drawing: Option<String>,
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
        self.plot.check(self.format)?;
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
        let signature = self.statement.statement.then(|| {
            let question = Question::Epsilon { delta };
            Signature::new(
                &self.statement,
                if self.records_per_user > 1 {
                    "all training examples of one person"
                } else {
                    "one training example"
                },
                &found.mechanism,
                self.relation(),
                question,
            )
        });
        let statement = match &signature {
            Some(signature) => Some(self.statement(&training, &found, delta, signature)?),
            None => None,
        };
        let mut answered = Answered::new(&found.answer, elapsed);
        answered.shortfall.clone_from(&found.shortfall);
        if self.delta.is_none() {
            answered.notes.push(format!(
                "δ = {} is suggested: at most a tenth of one over the number of examples; choose your own with --delta",
                shortest(delta)
            ));
        }
        if training.lets_an_example_out(delta) {
            answered.notes.push(format!(
                "δ = {} is not below 1/{}, one over the number of examples: publishing an example at random would meet it; choose a smaller one",
                shortest(delta),
                self.examples
            ));
        }
        let report = TrainingReport {
            asked: Asked::new("dpsgd", &found.mechanism, self.relation()),
            examples: self.examples,
            batch: self.batch,
            rate: training.rate(),
            steps: training.steps(),
            noise: found.noise,
            too_little: found.too_little,
            delta,
            delta_suggested: self.delta.is_none(),
            assumptions: training.assumptions(),
            answered,
            signature,
            statement: statement.as_ref().map(|paragraphs| paragraphs.join("\n\n")),
            paragraphs: statement.unwrap_or_default(),
            target: self.epsilon,
            drawing,
        };
        Ok(Outcome { text: report.written(self.format), shortfall: found.shortfall })
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
            BatchesFlag::ShuffledBins => Batches::Bins,
            BatchesFlag::Shuffled => return Err(Failure::Request(SHUFFLED.to_owned())),
        };
        if self.relation() == Relation::Replace && batches != Batches::Fixed {
            return Err(Failure::Request(REPLACED.to_owned()));
        }
        Training::new(self.examples, self.batch, duration, batches)
            .and_then(|training| training.with_records(self.records_per_user))
            .map_err(invalid)
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
        let Accounting { method, tolerance, allowed, .. } = self.accounting;
        let found = allowed.within(|| {
            calibrate(&template, target, self.relation(), method, tolerance)
                .map_err(|error| refused(&template, error))
        })?;
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
            let part = Training::new(self.examples, self.batch, duration, training.batches())
                .and_then(|part| part.with_records(self.records_per_user))
                .map_err(invalid)?;
            let answer = self.account(&part, noise, delta)?.answer;
            // Without a lower end there is no band.
            band.push((steps as f64, answer.lower().unwrap_or(f64::NAN), answer.upper()));
            progress.step();
        }
        drop(progress);
        let upper = band.iter().map(|&(steps, _, upper)| (steps, upper)).collect();
        let title = format!("DP-SGD, noise multiplier {}, δ = {}", shortest(noise), shortest(delta));
        Ok(Chart::new(Axis::linear("steps").including(0.0), Axis::linear("ε").including(0.0))
            .title(title)
            .series(Series::new("", upper).band(band)))
    }

    fn statement(
        &self,
        training: &Training,
        found: &Trained,
        delta: f64,
        signature: &Signature,
    ) -> Result<Vec<String>, Failure> {
        let subject = Subject { mechanism: found.mechanism.clone(), relation: self.relation() };
        let read = || {
            let curves = self.accounting.query(&subject).curves()?;
            Ok((curves.advantage().value().upper(), curves.true_positive_rate(0.01)?.value().upper()))
        };
        let (advantage, detected) = watched(|| self.accounting.allowed.within(read))?;
        let mut paragraphs = statement(&Statement {
            training,
            batch: self.batch,
            noise: found.noise,
            delta,
            epsilon: found.answer.upper(),
            guarantee: found.answer.guarantee(),
            relation: subject.relation,
            advantage,
            detected,
        });
        paragraphs.insert(1, signature.whom(self.statement.unit.is_some()));
        paragraphs.push(signature.origin());
        Ok(paragraphs)
    }
}

fn invalid(error: hockeystick::mechanism::InvalidParameter) -> Failure {
    Failure::Question(error.into())
}

impl Report for TrainingReport {
    fn page(&self) -> Page {
        if self.statement.is_some() {
            return Page { prose: self.paragraphs.clone(), ..Page::default() };
        }
        let answered = &self.answered;
        let shown = shown(answered.guarantee, answered.lower, answered.upper, Notation::Plain);
        let delta = shortest(self.delta);
        let mut facts = vec![];
        let headline =
            if let Some(epsilon) = self.target {
                facts.push(Fact::value("target", format!("ε ≤ {} at δ = {delta}", shortest(epsilon))));
                facts.extend(self.too_little.map(|little| {
                    Fact::value("too little", format!("{} misses the target", shortest(little)))
                }));
                facts.push(Fact::value("spends", format!("ε {} at δ = {delta}", shown.relation)));
                format!("noise = {}", shortest(self.noise))
            } else {
                let quoted = |upper: &String| Fact::value("quote", format!("ε ≤ {upper} at δ = {delta}"));
                facts.extend(shown.at_most.as_ref().map(quoted));
                format!("ε {}", shown.relation)
            };
        facts.push(Fact::value(
            "training",
            format!(
                "{} {}, {} of {} examples in a batch",
                self.steps,
                if self.steps == 1 { "step" } else { "steps" },
                self.batch,
                self.examples
            ),
        ));
        facts.extend(answered.facts());
        facts.extend(self.asked.facts());
        facts.extend(self.assumptions.iter().map(|line| Fact::words("holds if", line)));
        facts.extend(answered.remarks());
        Page { headline, drawing: self.drawing.clone(), facts, ..Page::default() }
    }

    fn csv(&self) -> String {
        let number = |x: f64| csv::number(Some(x));
        let mut fields = self.asked.fields();
        fields.extend([
            ("examples", self.examples.to_string()),
            ("batch", self.batch.to_string()),
            ("rate", number(self.rate)),
            ("steps", self.steps.to_string()),
            ("noise", number(self.noise)),
            ("too_little", csv::number(self.too_little)),
            ("delta", number(self.delta)),
            ("delta_suggested", self.delta_suggested.to_string()),
            ("assumptions", self.assumptions.join("; ")),
        ]);
        fields.extend(self.answered.fields());
        if let Some(signature) = &self.signature {
            fields.push(("unit", signature.unit.clone()));
            fields.push(("digest", signature.digest.clone()));
        }
        fields.extend(self.statement.iter().map(|statement| ("statement", statement.clone())));
        csv::row(fields)
    }
}
