//! The published methods with parameters of their own choice: they enclose what is certified elsewhere, and are as narrow as their pages say.

use hockeystick::{
    mechanism::{Mechanism, Relation},
    query::{Method, Query},
};

fn ends(mechanism: &Mechanism, method: Method, delta: f64, relation: Relation, tolerance: f64) -> [f64; 2] {
    let query = Query::new(mechanism).method(method).relation(relation).tolerance(tolerance);
    let answer = query.epsilon(delta).unwrap_or_else(|error| panic!("{mechanism} {method}: {error}"));
    [answer.lower().unwrap(), answer.upper()]
}

/// DP-SGD with 65,536 steps: single transforms of these methods answer [0, ∞], or are wider than a tenth.
#[test]
fn a_long_training_is_accounted_for_to_a_percent() {
    let mechanism: Mechanism = "poisson(gaussian(sigma=4), rate=0.01) * 65536".parse().unwrap();
    let truth = ends(&mechanism, Method::Contour, 1e-4, Relation::AddRemove, 1e-4);
    assert!((truth[0] - 2.300_765_115).abs() < 1e-8, "{truth:?}");
    for (method, part) in
        [(Method::Fourier, 0.01), (Method::Buckets, 0.01), (Method::Riemann, 0.1), (Method::AfaGrid, 0.1)]
    {
        let [lower, upper] = ends(&mechanism, method, 1e-4, Relation::AddRemove, 1e-4);
        assert!(lower <= truth[1] && truth[0] <= upper, "{method}: [{lower}, {upper}]");
        let off = (upper - truth[0]).max(truth[1] - lower);
        assert!(off < part * truth[0], "{method}: [{lower}, {upper}]");
    }
}

/// Numbers of uses that groups do not divide, atoms, infinite losses and tiny δ: what stages answer overlaps what is certified.
#[test]
fn stages_overlap_what_is_certified() {
    for (text, delta, relation) in [
        ("poisson(gaussian(sigma=1), rate=0.01) * 1003", 1e-6, Relation::Add),
        ("poisson(gaussian(sigma=1), rate=0.01) * 1003", 1e-6, Relation::Remove),
        ("poisson(laplace(scale=3), rate=0.1) * 777", 1e-5, Relation::AddRemove),
        ("gaussian(sigma=30) * 5000", 1e-12, Relation::AddRemove),
        ("poisson(discrete_gaussian(sigma=3), rate=0.05) * 500", 1e-5, Relation::AddRemove),
        ("stability(epsilon=0.1, delta=1e-7) * 300", 1e-3, Relation::AddRemove),
        ("subset(gaussian(sigma=3), rate=0.01) * 1500", 1e-5, Relation::Replace),
    ] {
        let mechanism: Mechanism = text.parse().unwrap();
        let truth = ends(&mechanism, Method::Auto, delta, relation, 1e-4);
        for method in [Method::Buckets, Method::Riemann, Method::Fourier] {
            // The Fourier accountant has an absolute error.
            if method == Method::Fourier && delta < 1e-10 {
                continue;
            }
            let query = Query::new(&mechanism).method(method).relation(relation).tolerance(0.02);
            let answer = query.epsilon(delta).unwrap();
            let (lower, upper) = (answer.lower().unwrap(), answer.upper());
            assert!(lower <= truth[1] && truth[0] <= upper, "{text} {method}: [{lower}, {upper}] {truth:?}");
            let is_narrow = upper - lower < 0.04 * upper;
            assert!(is_narrow || method == Method::Riemann, "{text} {method}: [{lower}, {upper}] {truth:?}");
        }
    }
}
