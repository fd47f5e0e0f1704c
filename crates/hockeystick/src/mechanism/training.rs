//! DP-SGD in the words of those who train.

use super::{Algebra, Gaussian, InvalidParameter, MAX_COUNT, Mechanism, ParseError, Poisson, Template};
use hockeystick_numerics::rounding::{div_up, mul_up};

/// How batches are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Batches {
    /// Every example is in every batch with the same probability, independently.
    #[default]
    Poisson,
    /// Every batch has the same number of examples, drawn uniformly without replacement, anew at every step.
    Fixed,
    /// Once an epoch every example is put into one of the batches, chosen at random, independently of all others.
    Bins,
}

/// How long the training takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Duration {
    /// Passes over the data, on average.
    Epochs(f64),
    /// Updates of the model.
    Steps(u64),
}

/// A training with clipped gradients of single examples and Gaussian noise.
///
/// ```
/// use hockeystick::mechanism::{Batches, Duration, Training};
///
/// let training = Training::new(60_000, 256, Duration::Epochs(3.0), Batches::Poisson)?;
/// assert_eq!(training.steps(), 704);
/// assert_eq!(training.mechanism(1.1)?.to_string(), "poisson(gaussian(sigma=1.1), rate=0.004266666666666667) * 704");
/// # Ok::<(), hockeystick::mechanism::InvalidParameter>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Training {
    examples: u64,
    batch: u64,
    duration: Duration,
    steps: u64,
    batches: Batches,
    records: u64,
}

impl Training {
    /// A training on `examples` examples in batches of `batch` on average.
    pub fn new(
        examples: u64,
        batch: u64,
        duration: Duration,
        batches: Batches,
    ) -> Result<Self, InvalidParameter> {
        whole("examples", examples, 2, MAX_COUNT, "the number of examples in the training data")?;
        whole("batch", batch, 1, examples, "the average number of examples in a batch")?;
        let steps = match duration {
            Duration::Steps(steps) => steps,
            Duration::Epochs(epochs) => {
                let fits = epochs > 0.0 && epochs.is_finite();
                let steps = || match batches {
                    // Every epoch has as many batches, and one that ends early spends no more than a whole one.
                    Batches::Bins => (epochs.ceil() as u64).saturating_mul(examples / batch),
                    Batches::Poisson | Batches::Fixed => steps_of(epochs, examples, batch),
                };
                fits.then(steps).ok_or_else(|| {
                    refused(
                        "epochs",
                        epochs.to_string(),
                        "a finite number above 0",
                        "the passes over the data",
                    )
                })?
            }
        };
        whole("steps", steps, 1, MAX_COUNT, "the number of updates of the model")?;
        Ok(Self { examples, batch, duration, steps, batches, records: 1 })
    }

    /// The same where one person has up to so many examples, and neighbours differ in all of them.
    pub fn with_records(self, records: u64) -> Result<Self, InvalidParameter> {
        if records != 1 && self.batches != Batches::Poisson {
            let allowed = "1, as several examples of a person are covered for Poisson batches only";
            return Err(refused("records", records.to_string(), allowed, "1, or draw Poisson batches"));
        }
        whole("records", records, 1, Poisson::MOST_RECORDS, "the most examples that one person has")?;
        Ok(Self { records, ..self })
    }

    /// How many examples one person has at most.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The number of updates: epochs that end within a step are rounded up.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The share of the examples in a batch, rounded up to a double: a larger share is less private.
    pub fn rate(&self) -> f64 {
        div_up(self.batch as f64, self.examples as f64).min(1.0)
    }

    /// The number of examples.
    pub fn examples(&self) -> u64 {
        self.examples
    }

    /// How batches are drawn.
    pub fn batches(&self) -> Batches {
        self.batches
    }

    /// The training with noise of standard deviation `noise` times the clipping norm.
    pub fn mechanism(&self, noise: f64) -> Result<Mechanism, InvalidParameter> {
        let gaussian = Gaussian::new(noise)?;
        let sampled = match self.batches {
            Batches::Poisson => Poisson::new(gaussian, self.rate())?.with_records(self.records)?.into(),
            Batches::Fixed => gaussian.with_sensitivity(REPLACED)?.subset(self.rate())?,
            Batches::Bins => {
                return Ok(gaussian.allocation(self.steps_of_an_epoch())?.repeat(self.whole_epochs()));
            }
        };
        Ok(sampled.repeat(self.steps))
    }

    /// The training with its noise to be found.
    pub fn template(&self) -> Result<Template, ParseError> {
        let (rate, steps) = (super::Shortest(self.rate()), self.steps);
        Template::parse(&match self.batches {
            Batches::Poisson if self.records > 1 => {
                format!("poisson(gaussian(sigma=?), rate={rate}, records={}) * {steps}", self.records)
            }
            Batches::Poisson => format!("poisson(gaussian(sigma=?), rate={rate}) * {steps}"),
            Batches::Fixed => {
                format!("subset(gaussian(sigma=?, sensitivity={REPLACED}), rate={rate}) * {steps}")
            }
            Batches::Bins => {
                let (steps, epochs) = (self.steps_of_an_epoch(), self.whole_epochs());
                format!("allocation(gaussian(sigma=?), steps={steps}) * {epochs}")
            }
        })
    }

    /// The number of batches that an epoch is cut into, rounded down: more of them spend less.
    fn steps_of_an_epoch(&self) -> u64 {
        self.examples / self.batch
    }

    /// Epochs that are begun: one that ends early spends no more than a whole one.
    fn whole_epochs(&self) -> u64 {
        self.steps.div_ceil(self.steps_of_an_epoch())
    }

    /// The largest power of ten that is at most a tenth of `1/examples`: that no single person is likely to be given away.
    pub fn suggested_delta(&self) -> f64 {
        let digits = (self.examples - 1).checked_ilog10().map_or(1, |log| log + 1);
        format!("1e-{}", digits + 1).parse().unwrap_or(f64::MIN_POSITIVE)
    }

    /// Is δ so large that publishing one example, chosen at random, would meet it? That is (0, 1/n)-DP.
    pub fn lets_an_example_out(&self, delta: f64) -> bool {
        mul_up(delta, self.examples as f64) >= 1.0
    }

    /// What must be true of the training for the answer to hold, and what is commonly overlooked.
    pub fn assumptions(&self) -> Vec<String> {
        let mut list = vec![match self.batches {
            Batches::Poisson => format!(
                "batches are Poisson samples: every example is in every batch with probability {}/{}, independently. \
                 Shuffling the data and cutting it into batches is something else, which this number does not cover",
                self.batch, self.examples
            ),
            Batches::Fixed => format!(
                "batches are drawn anew at every step, {} of {} examples without replacement. Shuffling the data once and \
                 cutting it into batches is something else, which this number does not cover",
                self.batch, self.examples
            ),
            Batches::Bins => format!(
                "your loader puts every example into one of {} batches at the start of each epoch, each chosen at random and \
                 independently, so that batches have different sizes. Cutting a shuffled list into batches of {} is close to it, \
                 but not the same, and this number does not cover it; {} epochs are accounted for",
                self.steps_of_an_epoch(),
                self.batch,
                self.whole_epochs()
            ),
        }];
        if let Some(steps) = self.unfinished_epochs() {
            list.push(steps);
        }
        list.push(
            "the gradient of each single example is clipped, and the noise multiplier is the standard deviation of the noise \
             divided by the clipping norm. Clipping the mean of a micro-batch instead does not bound an example's share"
                .to_owned(),
        );
        list.push(match self.batches {
            Batches::Poisson if self.records > 1 => format!(
                "neighbours differ by all examples of one person, who has at most {}, each of them in a batch independently of the others",
                self.records
            ),
            Batches::Poisson | Batches::Bins => {
                "neighbours differ by one example added or removed. One example replaced by another moves the sum of \
                 gradients twice as far"
                    .to_owned()
            }
            Batches::Fixed => {
                "in a batch of fixed size an example that goes is replaced by another, which moves the sum of gradients by \
                 twice the clipping norm: hence the sensitivity of 2"
                    .to_owned()
            }
        });
        list
    }

    /// Says how epochs that end within a step are counted.
    fn unfinished_epochs(&self) -> Option<String> {
        let Duration::Epochs(epochs) = self.duration else { return None };
        if self.batches == Batches::Bins {
            return None;
        }
        let exact = epochs * self.examples as f64 / self.batch as f64;
        (exact.fract() != 0.0).then(|| {
            format!(
                "{epochs} epochs are {exact:.2} steps, which do not come out even: {} are accounted for",
                self.steps
            )
        })
    }
}

/// What one example in place of another changes of a sum of clipped gradients, in clipping norms.
const REPLACED: f64 = 2.0;

/// `⌈epochs·examples/batch⌉`, never less.
fn steps_of(epochs: f64, examples: u64, batch: u64) -> u64 {
    if epochs.fract() == 0.0 && epochs <= MAX_COUNT as f64 {
        let all = u128::from(epochs as u64) * u128::from(examples);
        return u64::try_from(all.div_ceil(u128::from(batch))).unwrap_or(u64::MAX);
    }
    // Saturating: more than can be counted is refused by the caller.
    div_up(mul_up(epochs, examples as f64), batch as f64).ceil() as u64
}

fn whole(
    parameter: &'static str,
    value: u64,
    least: u64,
    most: u64,
    meaning: &str,
) -> Result<(), InvalidParameter> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(refused(parameter, value.to_string(), &format!("a whole number from {least} to {most}"), meaning))
}

fn refused(parameter: &'static str, value: String, allowed: &str, meaning: &str) -> InvalidParameter {
    InvalidParameter {
        mechanism: "training",
        parameter,
        value,
        allowed: allowed.to_owned(),
        cure: format!("give {meaning}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn training(examples: u64, batch: u64, duration: Duration) -> Training {
        Training::new(examples, batch, duration, Batches::Poisson).unwrap()
    }

    #[test]
    fn epochs_are_rounded_up_to_steps() {
        assert_eq!(training(60_000, 256, Duration::Epochs(3.0)).steps(), 704);
        assert_eq!(training(60_000, 600, Duration::Epochs(3.0)).steps(), 300);
        assert_eq!(training(60_000, 600, Duration::Epochs(0.5)).steps(), 50);
        assert_eq!(training(60_001, 600, Duration::Epochs(0.5)).steps(), 51);
        assert_eq!(training(10, 10, Duration::Epochs(1e15)).steps(), 1_000_000_000_000_000);
    }

    #[test]
    fn only_epochs_that_do_not_come_out_even_are_mentioned() {
        let mentions = |t: Training| t.assumptions().iter().any(|line| line.contains("epochs"));
        assert!(mentions(training(60_000, 256, Duration::Epochs(3.0))));
        assert!(!mentions(training(60_000, 600, Duration::Epochs(3.0))));
        assert!(!mentions(training(60_000, 256, Duration::Steps(704))));
    }

    #[test]
    fn the_rate_is_never_rounded_down() {
        let third = training(3, 1, Duration::Steps(1)).rate();
        assert!(third > 1.0 / 3.0 && third < 0.333_333_333_333_333_5);
        assert_eq!(training(4, 1, Duration::Steps(1)).rate(), 0.25);
    }

    #[test]
    fn the_suggested_delta_is_at_most_a_tenth_of_a_share() {
        for (examples, delta) in
            [(2, 1e-2), (9, 1e-2), (10, 1e-2), (11, 1e-3), (60_000, 1e-6), (1_000_000, 1e-7)]
        {
            let suggested = training(examples, 1, Duration::Steps(1)).suggested_delta();
            assert_eq!(suggested, delta, "{examples}");
            assert!(suggested * examples as f64 <= 0.1 + 1e-12);
        }
    }

    #[test]
    fn a_delta_of_one_over_the_examples_lets_one_out() {
        let of_thousand = training(1000, 10, Duration::Steps(1));
        assert!(of_thousand.lets_an_example_out(1e-3) && of_thousand.lets_an_example_out(0.5));
        assert!(!of_thousand.lets_an_example_out(0.999e-3));
        assert!(!of_thousand.lets_an_example_out(of_thousand.suggested_delta()));
    }

    #[test]
    fn a_replaced_example_counts_twice() {
        let fixed = Training::new(100, 10, Duration::Steps(5), Batches::Fixed).unwrap();
        let text = fixed.mechanism(1.0).unwrap().to_string();
        assert_eq!(text, "subset(gaussian(sigma=1, sensitivity=2), rate=0.1) * 5");
        assert_eq!(fixed.template().unwrap().fill(1.0).unwrap().to_string(), text);
    }

    #[test]
    fn examples_of_one_person_are_counted() {
        let several = training(1000, 10, Duration::Steps(7)).with_records(3).unwrap();
        let text = several.mechanism(1.0).unwrap().to_string();
        assert_eq!(text, "poisson(gaussian(sigma=1), rate=0.01, records=3) * 7");
        assert_eq!(several.template().unwrap().fill(1.0).unwrap().to_string(), text);
        assert!(several.assumptions().iter().any(|line| line.contains("one person")));
        let fixed = Training::new(1000, 10, Duration::Steps(7), Batches::Fixed).unwrap();
        assert!(fixed.with_records(3).unwrap_err().to_string().contains("Poisson"));
    }

    #[test]
    fn bins_are_counted_by_epochs() {
        let bins = Training::new(1000, 300, Duration::Epochs(2.5), Batches::Bins).unwrap();
        let text = bins.mechanism(1.0).unwrap().to_string();
        // Three steps in an epoch, three epochs begun.
        assert_eq!(bins.steps(), 9);
        assert_eq!(text, "allocation(gaussian(sigma=1), steps=3) * 3");
        assert_eq!(bins.template().unwrap().fill(1.0).unwrap().to_string(), text);
        assert!(bins.assumptions()[0].contains("3 batches"));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |examples, batch, duration| {
            Training::new(examples, batch, duration, Batches::Poisson).unwrap_err().to_string()
        };
        assert!(
            refused(10, 11, Duration::Steps(1))
                .contains("batch is 11, but must be a whole number from 1 to 10")
        );
        assert!(refused(10, 1, Duration::Steps(0)).contains("steps is 0"));
        assert!(refused(10, 1, Duration::Epochs(f64::NAN)).contains("epochs is NaN"));
        assert!(refused(10, 1, Duration::Epochs(1e300)).contains("steps"));
    }
}
