//! The guarantee of any release in plain language.

use crate::{
    report::shortest,
    signature::Signature,
    statement::{caution, up},
};
use hockeystick::{
    Query,
    mechanism::Relation,
    query::{Guarantee, odds_factor},
};
use hockeystick_digits::{Notation, quote};

/// What a statement is about. All numbers are upper ends.
pub(crate) struct Release<'a> {
    pub(crate) expression: String,
    pub(crate) epsilon: f64,
    pub(crate) delta: f64,
    /// Was δ given, or computed for an ε?
    pub(crate) is_delta_given: bool,
    pub(crate) guarantee: Guarantee,
    pub(crate) relation: Relation,
    pub(crate) attack: Option<Attack>,
    pub(crate) signature: &'a Signature,
    /// Did somebody say what the unit is?
    pub(crate) is_unit_stated: bool,
}

/// What an attack can do at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attack {
    pub(crate) advantage: f64,
    /// The true positive rate with one false alarm in a hundred.
    pub(crate) detected: f64,
}

impl Attack {
    /// Nothing where the mechanism has no curve.
    pub(crate) fn on(query: &Query<'_>) -> Option<Self> {
        let curves = query.curves().ok()?;
        let detected = curves.true_positive_rate(0.01).ok()?.value().upper();
        Some(Self { advantage: curves.advantage().value().upper(), detected })
    }
}

const BOTH_WAYS: &str = ", and the other way round";
const ONE_WAY: &str = "; nothing is said the other way round";

/// The paragraphs of the statement.
pub(crate) fn statement(given: &Release<'_>) -> Vec<String> {
    let (epsilon, delta) = (up(given.epsilon), stated_delta(given));
    let unit = &given.signature.unit;
    let neighbours = match given.relation {
        Relation::AddRemove => format!("the data of {unit} are added or removed"),
        Relation::Add => format!("the data of {unit} are added"),
        Relation::Remove => format!("the data of {unit} are removed"),
        Relation::Replace => format!("the data of {unit} are replaced by others"),
    };
    let proof = match given.guarantee {
        Guarantee::Certified | Guarantee::UpperBound => "It is a proven upper bound, rounding included",
        Guarantee::Estimate => "It is an estimate without proof and must not be quoted as a guarantee",
    };
    // Which of two probabilities is bounded by the other: that of the data before the change.
    let (before, after, order) = match given.relation {
        Relation::AddRemove => ("with these data", "without them", BOTH_WAYS),
        Relation::Remove => ("with these data", "without them", ONE_WAY),
        Relation::Add => ("without these data", "with them", ONE_WAY),
        Relation::Replace => ("with these data", "with others in their place", BOTH_WAYS),
    };
    let plus = if given.delta > 0.0 { format!(", plus {delta}") } else { String::new() };
    let factor = odds_factor(given.epsilon);
    let caution = caution(factor, given.attack.is_some());
    let mut paragraphs = vec![
        format!(
            "This release is (ε = {epsilon}, δ = {delta})-differentially private when {neighbours}. {proof}."
        ),
        given.signature.whom(given.is_unit_stated),
        format!(
            "What this means: whatever may happen because of the release, its probability {before} is at most {} times its \
             probability {after}{plus}{order}.{caution}",
            up(factor)
        ),
    ];
    if let Some(Attack { advantage, detected }) = given.attack {
        paragraphs.push(format!(
            "What it means for an attacker: somebody who knows everything but which of the two data sets was used gains an advantage \
             (true positive rate minus false positive rate) of at most {}. Whoever takes the data set {after} for the one {before} in one \
             case of a hundred recognises the one {before} in a share of at most {}.",
            up(advantage),
            up(detected)
        ));
    }
    paragraphs.extend([
        format!("What was released: {}.", given.expression),
        "The guarantee holds if exactly this was released, if every mechanism draws its noise and its samples as its name says, if no \
         answer changes by more than its sensitivity when the data change so, and if nothing else was released that depends on the same \
         data. It says nothing about what people have in common."
            .to_owned(),
        given.signature.origin(),
    ]);
    paragraphs
}

/// A δ that was given is written as it was, and one that was computed rounded up.
fn stated_delta(given: &Release<'_>) -> String {
    if given.is_delta_given { shortest(given.delta) } else { quote(None, given.delta, Notation::Scientific) }
}
