//! ε where δ is the total variation δ(0), to the last bits: 0, or next to nothing. What is not known of δ is divided by the slope of the
//! curve; answers were [0, the largest loss].

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
};

const MECHANISMS: [&str; 26] = [
    "gdp(mu=3.1923984070276954)",
    "gdp(mu=1e-6)",
    "gaussian(sigma=1) * 10",
    "binomial(n=5, sensitivity=2)",
    "binomial(n=1000) * 30",
    "laplace(scale=0.7)",
    "laplace(scale=3) * 4",
    "laplace(scale=3) + laplace(scale=5)",
    "discrete_laplace(scale=2, sensitivity=3)",
    "discrete_gaussian(sigma=1.5)",
    "discrete_gaussian(sigma=20) * 3",
    "randomized_response(p=0.9) * 3",
    "k_randomized_response(categories=7, epsilon=1.5)",
    "exponential(epsilon=0.4) * 5",
    "skellam(variance=4)",
    "staircase(epsilon=0.8, gamma=0.3)",
    "truncated_laplace(scale=2, bound=9)",
    "truncated_gaussian(sigma=2, bound=7)",
    "uniform(width=3) + gaussian(sigma=2)",
    "gaussian_mixture(sigma=2, shifts=\"0,1,2\", weights=\"0.5,0.25,0.25\")",
    "gaussian_variance(sigma1=1, sigma2=1.5)",
    "poisson(gaussian(sigma=0.7), rate=0.3)",
    "poisson(gaussian(sigma=1), rate=0.01) * 1000",
    "poisson(laplace(scale=1), rate=0.2)",
    "poisson(randomized_response(p=0.9), rate=0.1) * 12",
    "pair(p=\"0.5,0.25,0.25\", q=\"0.25,0.25,0.5\") + gaussian(sigma=3)",
];

/// By convexity in `e^ε` the curve falls from 0 on by at least its chord: where `w` is all that is not known of δ, an ε of
/// `w/slope` is enough.
#[test]
fn epsilon_at_the_total_variation_is_next_to_nothing() {
    let mut wide = vec![];
    for text in MECHANISMS {
        let mechanism: Mechanism = text.parse().unwrap();
        for relation in [Relation::Remove, Relation::Add, Relation::AddRemove] {
            let query = Query::new(&mechanism).relation(relation);
            let at_zero = query.delta(0.0).unwrap();
            let (low, high) = (at_zero.lower().unwrap(), at_zero.upper());
            // A tenth of δ(0) on the way down: δ(step) is at most 0.9 of it.
            let step = query.epsilon(0.9 * low).unwrap().upper();
            let slope = 0.1 * low / step.exp_m1();
            for target in
                [low, 0.5 * (low + high), high, high.next_up(), low.next_down(), low * (1.0 - 1e-14)]
            {
                let answer = query.epsilon(target).unwrap();
                let unknown = (high - low) + (high - target).max(0.0) + 1e-15 * high;
                if answer.upper() > 20.0 * unknown / slope {
                    wide.push(format!(
                        "{text}, {relation}, δ = {target}: ε ≤ {:e} at a slope of {slope}",
                        answer.upper()
                    ));
                }
                assert!(answer.shortfall().is_none() || answer.upper() > 1e-11, "{text}: {answer:?}");
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}
