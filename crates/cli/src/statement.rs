//! A guarantee in plain language, fit for a model card.

use crate::{report::shortest, sides::Sides};
use hockeystick::{
    mechanism::{Batches, Relation, Training},
    query::{Guarantee, odds_factor},
};
use hockeystick_digits::{Notation, quote};

/// What a statement is about. All numbers are upper ends.
pub(crate) struct Statement<'a> {
    pub(crate) training: &'a Training,
    pub(crate) batch: u64,
    pub(crate) noise: f64,
    pub(crate) delta: f64,
    pub(crate) epsilon: f64,
    pub(crate) guarantee: Guarantee,
    pub(crate) relation: Relation,
    pub(crate) advantage: f64,
    pub(crate) detected: f64,
}

/// The paragraphs of the statement.
pub(crate) fn statement(given: &Statement<'_>) -> Vec<String> {
    let training = given.training;
    let (epsilon, delta) = (up(given.epsilon), shortest(given.delta));
    let sides = Sides::of(given.relation);
    let factor = odds_factor(given.epsilon);
    let caution = caution(factor, true);
    let proof = match given.guarantee {
        Guarantee::Certified | Guarantee::UpperBound => "It is a proven upper bound, rounding included",
        Guarantee::Estimate => "It is an estimate without proof and must not be quoted as a guarantee",
    };
    let batches = match training.batches() {
        Batches::Poisson => {
            "in every step each example was included in the batch independently and with the same probability"
        }
        Batches::Bins => {
            "in every epoch each example was put into one of the batches, chosen at random and independently of all others"
        }
        Batches::Fixed => "in every step the batch was drawn anew, uniformly and without replacement",
    };
    let on_average = match training.batches() {
        Batches::Poisson | Batches::Bins => " on average",
        Batches::Fixed => "",
    };
    vec![
        format!(
            "This model was trained with differential privacy: the training is (ε = {epsilon}, δ = {delta})-differentially \
             private when {}. {proof}.",
            sides.neighbours
        ),
        format!(
            "What this means: one example changes by a bounded amount only what the model can give away. Whatever may happen \
             because of the model, its probability {} is at most {} times its probability {}, plus {delta}{}.{caution}",
            sides.bounded,
            up(factor),
            sides.bounding,
            if sides.is_mutual {
                ", and the other way round"
            } else {
                "; nothing is said the other way round"
            }
        ),
        format!(
            "What it means for an attacker: somebody who knows everything but {} gains an \
             advantage (true positive rate minus false positive rate) of at most {}. An attack that takes one {} example in \
             a hundred to be {} recognises at most a share of {} of the {} ones.",
            sides.secret,
            up(given.advantage),
            sides.mistaken,
            sides.sought,
            up(given.detected),
            sides.sought
        ),
        format!(
            "How it was trained: DP-SGD on {} examples in {} {} with batches of {} examples{on_average} and a noise multiplier \
             of {}.",
            training.examples(),
            training.steps(),
            if training.steps() == 1 { "step" } else { "steps" },
            given.batch,
            shortest(given.noise)
        ),
        format!(
            "The guarantee holds if {batches}, if the gradient of every single example was clipped before noise was added to \
             their sum, and if nothing else was released that depends on the training data, such as the results of other \
             trainings among which this one was chosen. It says nothing about what the examples have in common."
        ),
    ]
}

/// What has to be said of a large factor; perhaps the next paragraph says what an attack can do.
pub(crate) fn caution(factor: f64, has_attack: bool) -> &'static str {
    match has_attack {
        _ if factor < LARGE_FACTOR => "",
        true => {
            " A factor that large promises little by itself; the next paragraph says what is left of the protection."
        }
        false => " A factor that large promises little by itself.",
    }
}

/// From here on a factor between probabilities is no protection anybody would rely on.
const LARGE_FACTOR: f64 = 1000.0;

/// Rounded up like every number that is quoted: none in a promise is smaller than what is proven.
pub(crate) fn up(value: f64) -> String {
    quote(None, value, Notation::Plain)
}
