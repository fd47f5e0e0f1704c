//! Questions beyond every finite loss.

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    plan::Engine,
    query::Method,
};

fn mechanism(text: &str) -> Mechanism {
    text.parse().unwrap()
}

/// Adding a record to 3000 samples of one in a thousand has losses of at most −3000·log(1 − 0.001) = 3.0015…; a lattice of
/// millions of cells once looked for larger ones.
#[test]
fn nothing_is_left_beyond_bounded_losses() {
    let training = mechanism("poisson(gaussian(sigma=0.45), rate=0.001) * 3000");
    let answer = Query::new(&training).relation(Relation::Add).delta(8.0).unwrap();
    assert_eq!((answer.lower(), answer.upper()), (Some(0.0), 0.0));
    assert!(matches!(answer.plans()[0].engine, Engine::Contour(_)), "{:?}", answer.plans());
    let within = Query::new(&training).relation(Relation::Add).delta(0.05).unwrap();
    assert!(within.lower().unwrap() > 0.0);
    // Both directions: the other one has losses of any size.
    let both = Query::new(&training).delta(8.0).unwrap();
    let remove = Query::new(&training).relation(Relation::Remove).delta(8.0).unwrap();
    assert_eq!((both.lower(), both.upper()), (remove.lower(), remove.upper()));
}

/// With noise of scale 1 cut off at 10 and a shift of 1, an outcome gives the input away with probability
/// `p = ½(e^{−9} − e^{−10})/(1 − e^{−10})`; three of them with `1 − (1 − p)³`.
#[test]
fn the_mass_at_infinity_is_left_beyond_finite_losses() {
    let releases = mechanism("truncated_laplace(scale=1, bound=10) * 3 + laplace(scale=2)");
    let answer = Query::new(&releases).delta(50.0).unwrap();
    let p = 0.5 * ((-9f64).exp() - (-10f64).exp()) / (1.0 - (-10f64).exp());
    let truth = 3.0 * p - 3.0 * p * p + p * p * p;
    let (lower, upper) = (answer.lower().unwrap(), answer.upper());
    assert!(lower <= truth * (1.0 + 1e-14) && truth * (1.0 - 1e-14) <= upper, "{lower} {truth} {upper}");
    assert!(upper - lower <= 1e-12 * truth, "{lower} {upper}");
}

/// Losses of a Gaussian have no end, but at ε = 10³⁰⁰ a moment leaves nothing of them. A lattice of millions of cells was made for what is
/// there, and said that δ is at most 1.
#[test]
fn far_beyond_ordinary_losses_infinite_ones_are_left() {
    let releases = mechanism("poisson(dp(epsilon=1, delta=1e-9), rate=0.1) * 100 + gaussian(sigma=1)");
    // One use has an infinite loss with probability 10⁻¹⁰.
    let truth = -(100.0 * (-1e-10f64).ln_1p()).exp_m1();
    for epsilon in [1e4, 1e19, 1e300] {
        let answer = Query::new(&releases).delta(epsilon).unwrap();
        let (lower, upper) = (answer.lower().unwrap(), answer.upper());
        assert!(lower <= truth * (1.0 + 1e-14) && truth * (1.0 - 1e-14) <= upper, "{lower} {truth} {upper}");
        assert!(upper - lower <= 1e-12 * truth, "{lower} {upper}");
        let is_lattice =
            |engine: &Engine| matches!(engine, Engine::Lattice(_) | Engine::ContourAndLattice(..));
        assert!(!answer.plans().iter().any(|plan| is_lattice(&plan.engine)), "{:?}", answer.plans());
    }
    for text in ["discrete_gaussian(sigma=3) * 1000", "subset(gaussian(sigma=128), rate=0.01) * 1000"] {
        let answer = Query::new(&mechanism(text)).delta(1e300).unwrap();
        assert!(answer.upper() <= f64::MIN_POSITIVE, "{text}: {answer:?}");
    }
    // Where losses are of that size, they are all there: 10⁵ of them have a mean of 5556 and deviate by 105.
    let large = mechanism("discrete_gaussian(sigma=3) * 100000");
    let answer = Query::new(&large).delta(5600.0).unwrap();
    assert!(answer.lower().unwrap() > 0.1 && answer.upper() < 0.9, "{answer:?}");
}

/// Points of one curve, the first of them beyond the losses: the others are as narrow as if it had not been asked.
#[test]
fn a_composition_is_not_spoilt_by_a_question_beyond() {
    let training = mechanism("poisson(gaussian(sigma=1), rate=0.01) * 100");
    let mut prepared = Query::new(&training).relation(Relation::Add).prepare();
    assert_eq!(prepared.delta(40.0).unwrap().upper, 0.0);
    let reading = prepared.delta(0.1).unwrap();
    assert!(reading.upper - reading.lower.unwrap() <= 1e-6 * reading.upper, "{reading:?}");
}

/// Neither the lattice nor the contour proved any ε of removing a record here, where moments do: the answer was "between 0.00136
/// and ∞". Lines for each scale of losses prove ten digits. Adding a record, moments were the best.
#[test]
fn automatic_answers_are_no_worse_than_moments() {
    let steps: Mechanism = "poisson(gaussian(sigma=3.191), rate=1.69e-5) * 323".parse().unwrap();
    let answer = Query::new(&steps).epsilon(4e-64).unwrap();
    let moments = Query::new(&steps).method(Method::RdpOptimal).epsilon(4e-64).unwrap();
    assert!(answer.upper() <= moments.upper() && answer.lower().unwrap() > 0.0, "{answer:?}");
    assert!(answer.upper() - answer.lower().unwrap() <= 1e-9 * answer.upper(), "{answer:?}");
    let few: Mechanism = "poisson(gaussian(sigma=0.689), rate=0.0156) * 3".parse().unwrap();
    let adding =
        |method: Method| Query::new(&few).relation(Relation::Add).method(method).epsilon(1.8e-63).unwrap();
    let (answer, moments) = (adding(Method::Auto), adding(Method::RdpOptimal));
    assert!(answer.upper() <= moments.upper(), "{answer:?}");
    assert!(answer.shortfall().is_none(), "{answer:?}");
    assert!(answer.upper() - answer.lower().unwrap() <= 1e-9 * answer.upper(), "{answer:?}");
    let answer = Query::new(&steps).delta(0.5).unwrap();
    let moments = Query::new(&steps).method(Method::RdpOptimal).delta(0.5).unwrap();
    assert!(answer.upper() <= moments.upper(), "{answer:?}");
}

/// The number of the cell once overflowed where ε is more than 10¹⁸ cells away, and wrapped around.
#[test]
fn nothing_is_claimed_where_cells_have_no_number() {
    let steps = mechanism("poisson(gaussian(sigma=1), rate=0.01) * 100");
    let answer = Query::new(&steps).method(Method::Lattice).delta(1e30).unwrap();
    assert!(answer.lower().unwrap() <= answer.upper() && answer.upper() > 0.0, "{answer:?}");
}
