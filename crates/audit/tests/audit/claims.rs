//! Findings against closed forms and claims.

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
};
use hockeystick_audit::{Audit, Counts, Evidence, Guesses, Scores, Theorem, Verdict, power};

fn counts(hits: u64, positives: u64, alarms: u64, negatives: u64) -> Audit {
    Audit::of(Evidence::Counts(Counts::new(hits, positives, alarms, negatives).unwrap()))
}

/// No alarm in 1,000 and every hit: both ends are powers, 0.025^(1/1000) and one minus that.
#[test]
fn a_perfect_attack_has_a_closed_form() {
    let end = 0.025f64.powf(1e-3);
    let finding = counts(1000, 1000, 0, 1000).finding().unwrap();
    let expected = (end / (1.0 - end)).ln();
    assert!((finding.epsilon - expected).abs() < 1e-9 && finding.theorem == Theorem::Counts, "{finding:?}");
    let at_delta = counts(1000, 1000, 0, 1000).delta(0.1).finding().unwrap();
    assert!((at_delta.epsilon - ((end - 0.1) / (1.0 - end)).ln()).abs() < 1e-9, "{at_delta:?}");
}

/// The best way to call a member is not the best way to call an outsider: each direction has its own.
#[test]
fn each_direction_is_bounded_by_its_own_inequality() {
    let audit = counts(300, 1000, 1, 1000);
    let of = |relation| audit.clone().relation(relation).finding().unwrap().epsilon;
    let (both, remove, add) = (of(Relation::AddRemove), of(Relation::Remove), of(Relation::Add));
    assert!(remove > 3.0 && add < 0.5 && both == remove, "{both} {remove} {add}");
    let mirrored = counts(999, 1000, 700, 1000);
    assert_eq!(mirrored.relation(Relation::Add).finding().unwrap().epsilon, remove);
}

#[test]
fn a_true_claim_stands_and_a_false_one_falls() {
    let [weak, strong]: [Mechanism; 2] =
        ["gaussian(sigma=4)", "gaussian(sigma=0.5)"].map(|text| text.parse().unwrap());
    let audit = counts(230, 1000, 4, 1000).delta(1e-5);
    let refuted = audit.against(&Query::new(&weak)).unwrap();
    assert_eq!(refuted.verdict, Verdict::Refuted);
    assert!(refuted.gap > 0.0 && refuted.gap <= refuted.finding.epsilon);
    let stands = audit.against(&Query::new(&strong)).unwrap();
    assert_eq!(stands.verdict, Verdict::Consistent);
    assert!(stands.gap >= stands.claimed.upper() - stands.finding.epsilon);
}

/// Scores need no threshold, and cost a little for it: ties, infinities and any order are fine.
#[test]
fn scores_find_the_threshold() {
    let members: Vec<f64> = (0..1000).map(|i| if i % 4 == 0 { 9.0 } else { f64::from(i % 7) }).collect();
    let others: Vec<f64> = (0..1000).map(|i| f64::from(i % 7)).collect();
    let scores = |members: &[f64], others: &[f64]| {
        let scores = Scores::new(members.to_vec(), others.to_vec()).unwrap();
        Audit::of(Evidence::Scores(scores)).finding().unwrap()
    };
    let found = scores(&members, &others);
    let told = counts(250, 1000, 0, 1000).finding().unwrap().epsilon;
    assert!(0.6 * told < found.epsilon && found.epsilon < told, "{found:?} {told}");
    // Above 6 and from 9 on are the same scores.
    assert!(matches!(found.rates.unwrap().threshold, Some(6.0 | 9.0)), "{found:?}");
    // Order does not matter, nor does a monotone scale.
    let (backward, stretched): (Vec<f64>, Vec<f64>) =
        (members.iter().rev().copied().collect(), members.iter().map(|x| x.exp()).collect());
    assert_eq!(scores(&backward, &others).epsilon, found.epsilon);
    let stretched_others: Vec<f64> = others.iter().map(|x| x.exp()).collect();
    assert_eq!(scores(&stretched, &stretched_others).epsilon, found.epsilon);
    // From below: who has the smallest scores is no member.
    let negated = |scores: &[f64]| scores.iter().map(|x| -x).collect::<Vec<_>>();
    assert_eq!(scores(&negated(&others), &negated(&members)).epsilon, found.epsilon);
    let nothing = scores(&others, &others);
    assert_eq!(nothing.epsilon, 0.0);
}

/// All of 100 guesses right: `q^100 = 0.05`, so `e^ε = q/(1 − q)`.
#[test]
fn guesses_have_a_closed_form_without_delta() {
    let of = |delta: f64| {
        let guesses = Guesses::new(100, 100, 100).unwrap();
        Audit::of(Evidence::Guesses(guesses)).delta(delta).finding().unwrap().epsilon
    };
    let q = 0.05f64.powf(0.01);
    assert!((of(0.0) - (q / (1.0 - q)).ln()).abs() < 1e-9, "{}", of(0.0));
    assert!(of(1e-5) < of(0.0) && of(1e-5) > 0.99 * of(0.0) && of(1e-3) < of(1e-5));
}

#[test]
fn more_trials_show_more_and_the_number_needed_is_enough() {
    let mechanism: Mechanism = "gaussian(sigma=1)".parse().unwrap();
    let query = Query::new(&mechanism);
    let few = power::expected(&query, 100, 1e-5, 0.95).unwrap();
    let many = power::expected(&query, 10_000, 1e-5, 0.95).unwrap();
    let truth = query.epsilon(1e-5).unwrap().upper();
    assert!(0.0 < few.epsilon && few.epsilon < many.epsilon && many.epsilon < truth, "{few:?} {many:?}");
    let needed = power::trials_for(&query, 1.5, 1e-5, 0.95).unwrap().unwrap();
    assert!(needed.epsilon >= 1.5 && needed.trials < 10_000, "{needed:?}");
    assert!(power::expected(&query, needed.trials / 2, 1e-5, 0.95).unwrap().epsilon < 1.5);
    assert_eq!(power::trials_for(&query, truth + 1.0, 1e-5, 0.95).unwrap(), None);
}
