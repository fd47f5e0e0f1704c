//! Changes of a mechanism that are known to make it no more private.

use hockeystick::mechanism::{Algebra, Compose, Mechanism, Value, build};
use hockeystick_chance::Random;

/// The top-level parts of a composition.
pub fn parts(mechanism: &Mechanism) -> Vec<Mechanism> {
    if let Mechanism::Compose(compose) = mechanism { compose.to_vec() } else { vec![mechanism.clone()] }
}

/// A mechanism and how often it is used.
pub fn uses(part: &Mechanism) -> (Mechanism, u64) {
    if let Mechanism::Repeat(repeat) = part {
        (repeat.mechanism().clone(), repeat.count())
    } else {
        (part.clone(), 1)
    }
}

/// The composition with one of its parts, chosen at random, changed; `None` where `change` knows no change of it.
pub fn with_one_changed(
    mechanism: &Mechanism,
    random: &mut Random,
    change: impl FnOnce(&Mechanism, &mut Random) -> Option<Mechanism>,
) -> Option<Mechanism> {
    let mut parts = parts(mechanism);
    let which = random.below(parts.len() as u64) as usize;
    parts[which] = change(&parts[which], random)?;
    Compose::new(parts)
}

/// The same, used more often. What is used once has a closed form, used twice it rarely has: seldom.
pub fn more_uses(part: &Mechanism, random: &mut Random) -> Option<Mechanism> {
    let (mechanism, count) = uses(part);
    if count == 1 && random.chance(0.98) {
        return None;
    }
    let more = if random.chance(0.5) { 1 } else { 1 + count / 4 };
    Some(mechanism.repeat(count + more))
}

/// How a number of a mechanism acts on its privacy, everything else being the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// More is worse.
    Spends,
    /// More is better.
    Protects,
}

/// What is known of a parameter.
///
/// Less of a normal or Laplace noise is what more of it is made from. Noise with a log-concave law is worse for a larger shift, since
/// the best tests are thresholds. An ε or δ is a bound, and rarer samples are samples of samples \[Zhu22, Thm 11\]. Of other numbers
/// (the width of truncated noise, the coins of a binomial) nothing is known.
fn effect(mechanism: &str, parameter: &str) -> Option<Effect> {
    match (mechanism, parameter) {
        (_, "sensitivity")
        | ("poisson" | "subset", "rate")
        | ("poisson", "records")
        | ("tree", "steps")
        | ("gdp", "mu")
        | ("zcdp", "rho") => Some(Effect::Spends),
        (
            "randomized_response"
            | "k_randomized_response"
            | "dp"
            | "exponential"
            | "report_noisy_max"
            | "permute_and_flip"
            | "sparse_vector"
            | "stability",
            "epsilon",
        )
        | ("dp" | "stability", "delta") => Some(Effect::Spends),
        ("skellam", "variance")
        | ("allocation", "steps")
        | ("shuffle", "users")
        | ("gaussian" | "gaussian_mixture" | "tree", "sigma")
        | ("laplace", "scale")
        | ("uniform", "width") => Some(Effect::Protects),
        _ => None,
    }
}

/// The same with one number changed for the worse: less noise, a larger rate, a larger ε.
pub fn less_noise(part: &Mechanism, random: &mut Random) -> Option<Mechanism> {
    let (mechanism, count) = uses(part);
    let name = mechanism.name();
    let mut values: Vec<(&str, Value<'static>)> =
        mechanism.arguments().into_iter().map(|(name, value)| (name, owned(value))).collect();
    let known: Vec<usize> = (0..values.len())
        .filter(|&i| match &values[i].1 {
            Value::Number(_) | Value::Whole(_) => effect(name, values[i].0).is_some(),
            Value::Mechanism(_) => true,
            Value::Numbers(_) | Value::Text(_) => false,
        })
        .collect();
    let which = *known.get(random.below(known.len().max(1) as u64) as usize)?;
    let factor = random.uniform(1.0, 1.5);
    let changed = match &values[which].1 {
        Value::Mechanism(inner) => {
            Value::Mechanism(std::borrow::Cow::Owned(with_one_changed(inner, random, less_noise)?))
        }
        Value::Number(number) => Value::Number(match effect(name, values[which].0)? {
            Effect::Spends => number * factor,
            Effect::Protects => number / factor,
        }),
        Value::Whole(whole) => Value::Whole(whole + 1),
        Value::Numbers(_) | Value::Text(_) => return None,
    };
    values[which].1 = changed;
    let worse = build(name, values).ok()?;
    Some(if count == 1 { worse } else { worse.repeat(count) })
}

/// A value that borrows nothing.
pub fn owned(value: Value<'_>) -> Value<'static> {
    match value {
        Value::Number(number) => Value::Number(number),
        Value::Whole(whole) => Value::Whole(whole),
        Value::Numbers(numbers) => Value::Numbers(numbers.into_owned().into()),
        Value::Text(text) => Value::Text(text.into_owned().into()),
        Value::Mechanism(inner) => Value::Mechanism(std::borrow::Cow::Owned(inner.into_owned())),
    }
}

#[test]
fn noise_shrinks_and_costs_grow() {
    let worse =
        |text: &str| less_noise(&text.parse().unwrap(), &mut Random::new(5)).map(|worse| worse.to_string());
    let number = |text: &str| text.split(['=', ',', ')']).nth(1).unwrap().parse::<f64>().unwrap();
    assert!(number(&worse("gaussian_mixture(sigma=2, shifts=\"1\", weights=\"1\") * 3").unwrap()) < 2.0);
    assert!(number(&worse("gdp(mu=1)").unwrap()) > 1.0);
    assert!(worse("k_randomized_response(categories=3, epsilon=1) * 7").unwrap().ends_with("* 7"));
    assert_eq!(worse("gaussian_variance(sigma1=1, sigma2=2)"), None);
}
