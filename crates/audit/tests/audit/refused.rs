//! What is no evidence is refused, with the argument, the value and the cure.

use hockeystick::mechanism::Relation;
use hockeystick_audit::{Audit, Counts, Evidence, Guesses, Scores};

#[test]
fn improper_numbers_are_refused() {
    for (text, error) in [
        ("true positives is 11, but must be at most the positives", Counts::new(11, 10, 0, 10).unwrap_err()),
        ("false positives is 11, but", Counts::new(1, 10, 11, 10).unwrap_err()),
        ("positives is 0, but must be from 1 to 10⁹", Counts::new(0, 0, 0, 10).unwrap_err()),
        ("negatives is 2000000000", Counts::new(0, 1, 0, 2_000_000_000).unwrap_err()),
        ("scores of others is NaN", Scores::new(vec![1.0], vec![f64::NAN]).unwrap_err()),
        ("scores of members is 0", Scores::new(vec![], vec![1.0]).unwrap_err()),
        ("guesses is 11, but must be at most the canaries", Guesses::new(10, 11, 1).unwrap_err()),
        ("correct guesses is 6", Guesses::new(10, 5, 6).unwrap_err()),
    ] {
        assert!(error.to_string().starts_with(text), "{error}");
    }
    let audit = |evidence: Evidence| Audit::of(evidence);
    let counts = Evidence::Counts(Counts::new(1, 2, 1, 2).unwrap());
    for delta in [-0.1, 1.0, f64::NAN] {
        assert!(
            audit(counts.clone()).delta(delta).finding().unwrap_err().to_string().starts_with("delta is")
        );
    }
    for confidence in [0.0, 1.0, f64::NAN, -1.0] {
        let error = audit(counts.clone()).confidence(confidence).finding().unwrap_err().to_string();
        assert!(error.starts_with("confidence is"), "{error}");
    }
    let guesses = Evidence::Guesses(Guesses::new(10, 10, 9).unwrap());
    let error = audit(guesses).relation(Relation::Add).finding().unwrap_err().to_string();
    assert!(error.contains("needs both directions"), "{error}");
}

/// What shows nothing is an answer, too: ε is at least 0.
#[test]
fn an_attack_that_shows_nothing() {
    for evidence in [
        Evidence::Counts(Counts::new(5, 10, 5, 10).unwrap()),
        Evidence::Counts(Counts::new(0, 10, 10, 10).unwrap()),
        Evidence::GaussianCounts(Counts::new(0, 10, 10, 10).unwrap()),
        Evidence::GaussianCounts(Counts::new(10, 10, 10, 10).unwrap()),
        Evidence::Scores(Scores::new(vec![0.0], vec![0.0]).unwrap()),
        Evidence::Guesses(Guesses::new(10, 10, 0).unwrap()),
    ] {
        assert_eq!(Audit::of(evidence.clone()).delta(0.1).finding().unwrap().epsilon, 0.0, "{evidence:?}");
    }
}
