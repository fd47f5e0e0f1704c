//! Questions end: by themselves whatever their parameters are, and within the limits that somebody sets; and however early one is
//! stopped, what is answered is true.

use hockeystick::{
    Error, Query,
    limits::{Cancel, Limits, Stopped, cancellable, within},
    mechanism::Mechanism,
    query::{Guarantee, Method, Shortfall},
};
use std::{thread, time::Duration};

/// Far more than any of these takes, in any build.
const PATIENCE: Limits = Limits { time: Some(Duration::from_secs(100)), memory: Some(1 << 30) };

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap()
}

fn time(time: Duration) -> Limits {
    Limits { time: Some(time), memory: None }
}

/// Regression: the end of a tail was sought in steps that never came farther than a double can hold; and beside another loss, a variance
/// that no double can hold was taken for 0. The loss has the mean 1/2σ², beyond the largest double for all of these.
#[test]
fn noise_that_is_next_to_nothing_is_answered() {
    for sigma in ["1e-160", "1e-300", "1e-307", "1e-308", "5e-324"] {
        for text in [
            format!("gaussian(sigma={sigma})"),
            format!("gaussian(sigma={sigma}) * 1000"),
            format!("poisson(gaussian(sigma={sigma}), rate=0.01) * 100"),
            format!("gaussian(sigma={sigma}) + laplace(scale=1)"),
            format!("gaussian_variance(sigma1=1, sigma2={sigma})"),
        ] {
            let mechanism = parsed(&text);
            let query = Query::new(&mechanism);
            let asked = within(PATIENCE, || (query.epsilon(1e-5), query.delta(1.0)));
            let (epsilon, delta) = asked.unwrap_or_else(|why| panic!("{text} takes {why}"));
            if let Ok(answer) = epsilon {
                assert!(answer.upper() >= 1e300, "{text}: {answer:?}");
            }
            if let Ok(answer) = delta {
                assert!(answer.upper() >= 0.01, "{text}: {answer:?}");
            }
        }
    }
}

/// Regression: a walk towards less noise came to where questions had no end.
#[test]
fn noise_for_any_target_is_found_or_refused() {
    use hockeystick::{
        mechanism::{Relation, Template},
        query::{Target, calibrate},
    };
    for (text, epsilon) in [
        ("poisson(gaussian(sigma=?), rate=0.01) * 100", 9.3e18),
        ("gaussian(sigma=?) * 100", 1e19),
        ("gaussian(sigma=?) * 100", 1e300),
    ] {
        let template = Template::parse(text).unwrap();
        let target = Target::Guarantee { epsilon, delta: 1e-5 };
        let search = || calibrate(&template, target, Relation::default(), Method::Auto, None);
        let found = within(PATIENCE, search).unwrap_or_else(|why| panic!("{text} at {epsilon} takes {why}"));
        if let Ok(found) = found
            && let Some(sigma) = found.value()
        {
            // Losses have the mean 1/2σ², and ten of them or more are sampled with a probability above δ.
            assert!(sigma > (0.5 / epsilon).sqrt(), "{text} at {epsilon}: {sigma}");
        }
    }
}

/// Regression: ten million outcomes were listed for every moment, and summed for every point of a contour. Large integer noise is that of
/// the normal law up to a part of about 1/σ².
#[test]
fn curves_of_large_integer_noise_take_little() {
    let mechanism = parsed("discrete_gaussian(sigma=1.3e5) * 9");
    let normal = parsed("gaussian(sigma=1.3e5) * 9");
    let read = || {
        let curves = Query::new(&mechanism).curves().unwrap();
        let epsilons = [0.0, 1e-5, 5e-5];
        (epsilons.map(|epsilon| curves.delta(epsilon).value()), curves.trade_off(0.01).unwrap().value())
    };
    let limits = Limits { memory: Some(500 << 20), ..PATIENCE };
    let (deltas, missed) = within(limits, read).unwrap_or_else(|why| panic!("it takes {why}"));
    let reference = Query::new(&normal).curves().unwrap();
    for (epsilon, delta) in [0.0, 1e-5, 5e-5].into_iter().zip(deltas) {
        let expected = reference.delta(epsilon).value().midpoint();
        assert!(
            delta.lower() <= expected * 1.0001 && delta.upper() >= expected * 0.9999,
            "{epsilon}: {delta:?}"
        );
        assert!(delta.width() < 0.01 * expected, "{epsilon}: {delta:?}");
    }
    let expected = reference.trade_off(0.01).unwrap().value().midpoint();
    assert!((missed.midpoint() - expected).abs() < 1e-6, "{missed:?}");
}

/// `D_α = kα s²/2σ²`: that of normal noise, less `5e^{−2π²σ²}` at most.
#[test]
fn moments_of_large_integer_noise_have_a_closed_form() {
    let mechanism = parsed("discrete_gaussian(sigma=1e5, sensitivity=3) * 7");
    let query = Query::new(&mechanism);
    for alpha in [1.0, 1.5, 2.0, 64.0, 1e9] {
        let expected = 7.0 * alpha * 9.0 / 2e10;
        let found = within(PATIENCE, || query.renyi(alpha)).unwrap().unwrap();
        let near = |end: f64| (end / expected - 1.0).abs() < 1e-9;
        assert!(near(found.lower()) && near(found.upper()), "{alpha}: {found:?}");
    }
}

/// Regression: a mechanism with one loss has one sum of losses, but every use was listed.
#[test]
fn a_loss_that_is_always_the_same_takes_nothing() {
    let mechanism = parsed("pair(p=\"0.5,0.5\", q=\"0.5,0.5\") * 1000000000");
    let answer = within(PATIENCE, || Query::new(&mechanism).method(Method::Lattice).delta(0.1));
    assert!(answer.is_ok(), "it takes {answer:?}");
}

/// Compositions that take some while, by each of the engines.
const SLOW: [&str; 5] = [
    "poisson(gaussian(sigma=0.6), rate=0.001) * 3000",
    "poisson(gaussian(sigma=0.8), rate=0.01) * 500 + poisson(laplace(scale=1), rate=0.02) * 500",
    "laplace(scale=10) * 30",
    "discrete_gaussian(sigma=900) * 1000 + randomized_response(p=0.6) * 3",
    "poisson(randomized_response(p=0.7), rate=0.3) * 900 + poisson(discrete_laplace(scale=3), rate=0.1) * 100",
];

#[test]
fn however_early_a_question_is_stopped_its_answer_is_true() {
    let mut stopped = 0;
    for text in SLOW {
        let mechanism = parsed(text);
        let whole = Query::new(&mechanism).epsilon(1e-6).unwrap();
        let spent = Query::new(&mechanism).delta(1.0).unwrap();
        for micros in [1, 20, 100, 500, 1500, 5000, 15_000, 50_000] {
            let query = Query::new(&mechanism).limits(time(Duration::from_micros(micros)));
            for (answer, truth) in [(query.epsilon(1e-6), &whole), (query.delta(1.0), &spent)] {
                match answer {
                    Ok(answer) => {
                        assert!(
                            answer.upper() >= truth.lower().unwrap(),
                            "{text} in {micros} µs: {answer:?}"
                        );
                        let lower = answer.lower().unwrap_or(0.0);
                        assert!(lower <= truth.upper(), "{text} in {micros} µs: {answer:?}");
                        match answer.shortfall() {
                            Some(Shortfall::Stopped { .. }) => stopped += 1,
                            shortfall => {
                                assert_eq!((answer.upper(), shortfall), (truth.upper(), truth.shortfall()));
                                assert_eq!(answer.lower(), truth.lower());
                            }
                        }
                    }
                    Err(error) => assert!(matches!(error, Error::Stopped { .. }), "{text}: {error}"),
                }
            }
        }
    }
    assert!(stopped > 10, "{stopped}");
}

/// What one direction spends is no upper bound of what both do.
#[test]
fn a_bound_covers_every_direction() {
    let mechanism = parsed(SLOW[0]);
    let query = Query::new(&mechanism).limits(time(Duration::from_micros(10)));
    let answer = query.epsilon(1e-6).unwrap();
    assert_eq!((answer.guarantee(), answer.lower()), (Guarantee::UpperBound, None));
    let moments = Query::new(&mechanism).method(Method::RdpOptimal).epsilon(1e-6).unwrap();
    assert_eq!(answer.upper(), moments.upper());
    let words = answer.shortfall().unwrap().to_string();
    assert!(words.contains("longer than 10µs") && words.contains("raise that limit"), "{words}");
}

#[test]
fn a_method_that_is_asked_for_by_name_is_refused() {
    let mechanism = parsed(SLOW[0]);
    let query = Query::new(&mechanism).method(Method::Lattice).limits(time(Duration::from_micros(10)));
    let stopped = Stopped::Time { allowed: Duration::from_micros(10) };
    assert_eq!(query.epsilon(1e-6).unwrap_err(), Error::Stopped { why: stopped });
}

#[test]
fn memory_is_refused_before_it_is_used() {
    let mechanism = parsed(SLOW[1]);
    let limits = Limits { time: None, memory: Some(10_000) };
    let refused = Query::new(&mechanism).method(Method::Lattice).limits(limits).epsilon(1e-6).unwrap_err();
    let Error::Stopped { why: Stopped::Memory { allowed, wanted } } = refused else { panic!("{refused:?}") };
    assert!(allowed == 10_000 && wanted > allowed);
}

/// Nothing that is left half done is seen by the next question.
#[test]
fn what_was_stopped_can_be_asked_again() {
    for text in SLOW {
        let mechanism = parsed(text);
        let (deltas, query) = ([1e-6, 2e-6, 1e-5, 1e-4], Query::new(&mechanism));
        let mut prepared = query.prepare();
        let curves = query.curves().unwrap();
        for (i, micros) in [50u64, 200, 1000, 3000, 10_000, 20_000].into_iter().enumerate() {
            let limits = time(Duration::from_micros(micros));
            let _ = within(limits, || prepared.epsilon(deltas[i % 4]).map(|reading| reading.upper));
            let _ = within(limits, || curves.delta(0.1 * (i + 1) as f64));
        }
        for delta in deltas {
            let (reading, answer) = (prepared.epsilon(delta).unwrap(), query.epsilon(delta).unwrap());
            assert!(reading.lower.unwrap() <= answer.upper(), "{text} at {delta}");
            assert!(answer.lower().unwrap() <= reading.upper, "{text} at {delta}");
        }
        for epsilon in [0.1, 0.3, 1.0] {
            let (known, answer) = (curves.delta(epsilon).value(), query.delta(epsilon).unwrap());
            assert!(known.lower() <= answer.upper() && answer.lower().unwrap() <= known.upper(), "{text}");
        }
    }
}

#[test]
fn another_thread_may_stop_a_question() {
    let mechanism = parsed(
        "poisson(laplace(scale=1), rate=0.01) * 1000 + poisson(gaussian(sigma=0.5), rate=0.001) * 1000",
    );
    let cancel = Cancel::default();
    let stopper = cancel.clone();
    let stopped = thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(5));
            stopper.stop();
        });
        cancellable(&cancel, || {
            loop {
                let _ = Query::new(&mechanism).limits(PATIENCE).epsilon(1e-6);
            }
        })
    });
    assert_eq!(stopped, Err::<(), _>(Stopped::Cancelled));
}
