//! The campaign finds what it is there to find: an oracle that lies is caught, and the lie is shrunk to one line.

use hockeystick::{
    mechanism::{Mechanism, Relation},
    query::Method,
};
use hockeystick_campaign::{
    Case, law, ledger,
    oracle::{Asked, Bounds, Library, Oracle, Refusal},
    regression, run,
};
use std::time::{Duration, Instant};

/// Says half of ε wherever there is a Gaussian with σ < 1.
struct Liar;

fn is_lied_about(mechanism: &Mechanism) -> bool {
    let small = if let Mechanism::Gaussian(gaussian) = mechanism { gaussian.sigma() < 1.0 } else { false };
    small || mechanism.parts().iter().any(is_lied_about)
}

impl Oracle for Liar {
    fn ask(
        &self,
        mechanism: &Mechanism,
        relation: Relation,
        method: Method,
        asked: Asked,
    ) -> Result<Bounds, Refusal> {
        let honest = Library.ask(mechanism, relation, method, asked)?;
        let is_lie = matches!(asked, Asked::Epsilon(_)) && is_lied_about(mechanism);
        let factor = if is_lie { 0.5 } else { 1.0 };
        Ok(Bounds { lower: honest.lower * factor, upper: honest.upper * factor })
    }
}

/// Panics if a Laplace mechanism is used more than 1000 times.
struct Fragile;

fn is_too_much(mechanism: &Mechanism, count: u64) -> bool {
    match mechanism {
        Mechanism::Repeat(repeat) => is_too_much(repeat.mechanism(), count.saturating_mul(repeat.count())),
        Mechanism::Laplace(_) => count > 1000,
        other => other.parts().iter().any(|part| is_too_much(part, count)),
    }
}

impl Oracle for Fragile {
    fn ask(&self, mechanism: &Mechanism, _: Relation, _: Method, _: Asked) -> Result<Bounds, Refusal> {
        if is_too_much(mechanism, 1) {
            return Err(Refusal::Panicked("too many uses".into()));
        }
        Ok(Bounds { lower: 0.0, upper: f64::INFINITY })
    }
}

fn first_violation(oracle: &dyn Oracle, cases: u64) -> Option<ledger::Violation> {
    let deadline = Instant::now() + Duration::from_secs(3600);
    (0..cases)
        .find_map(|number| run::batch(oracle, (1, 3), number, 1, deadline).violations.into_iter().next())
}

#[test]
fn a_lie_about_small_noise_is_found_and_shrunk() {
    let violation = first_violation(&Liar, 400).expect("there are many small σ");
    let Case { mechanism, relation, .. } = Case::parse(&violation.smallest).unwrap();
    // One Gaussian with a round σ below 1, and nothing else; the relation is the simplest.
    let Mechanism::Gaussian(gaussian) = &mechanism else { panic!("{}", violation.smallest) };
    assert!(gaussian.sigma() < 1.0 && violation.smallest.len() < 40, "{}", violation.smallest);
    assert_eq!(relation, Relation::Remove);
    // What is pasted names the law, the case and the choices, and holds of the honest library.
    let test = regression::test_of(
        &violation.law,
        &Case::parse(&violation.smallest).unwrap(),
        violation.choices,
        "lie",
    );
    assert!(
        test.contains(&violation.smallest) && test.contains(&format!("{:#x}", violation.choices)),
        "{test}"
    );
    regression::assert_law(&violation.law, &violation.smallest, violation.choices);
    let law = law::named(&violation.law).unwrap();
    let case = Case::parse(&violation.smallest).unwrap();
    assert!(!law::check(law, &Liar, &case, violation.choices).broken.is_empty());
}

#[test]
fn a_panic_is_found_and_shrunk() {
    let violation = first_violation(&Fragile, 2000).expect("there are many uses of Laplace");
    let case = Case::parse(&violation.smallest).unwrap();
    let Mechanism::Repeat(repeat) = &case.mechanism else { panic!("{case}") };
    assert!(matches!(repeat.mechanism(), Mechanism::Laplace(_)), "{case}");
    assert!(repeat.count() > 1000 && repeat.count() < 2100, "{case}");
}
