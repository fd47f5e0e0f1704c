//! Mechanisms of which only moments are known.

use crate::bounds::support::{delta, epsilon, mechanism};
use hockeystick::{
    Query,
    query::{Guarantee, Method},
};
use std::{fs, path::PathBuf};

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("hockeystick-{}-{name}.csv", std::process::id()));
    fs::write(&path, text).unwrap();
    path
}

/// A Gaussian with μ² = 2ρ is ρ-zCDP, and no method may say less than its own δ.
#[test]
fn zcdp_is_answered_by_moments() {
    let (zcdp, gaussian) = ("zcdp(rho=0.02) * 10", "gdp(mu=0.2) * 10");
    let answer = epsilon(zcdp, 1e-6, Method::Auto);
    assert_eq!((answer.method(), answer.guarantee()), (Method::RdpOptimal, Guarantee::UpperBound));
    assert!(answer.upper() > epsilon(gaussian, 1e-6, Method::Auto).upper());
    // The same moments give the same bounds.
    for method in [Method::RdpClassic, Method::Rdp, Method::RdpOptimal, Method::Markov] {
        let (one, other) = (epsilon(zcdp, 1e-6, method).upper(), epsilon(gaussian, 1e-6, method).upper());
        assert!((one / other - 1.0).abs() < 1e-9, "{method}: {one} {other}");
    }
    for method in [Method::Basic, Method::Advanced, Method::Kov] {
        assert!(epsilon(zcdp, 1e-6, method).upper().is_finite(), "{method}");
        assert!(delta(zcdp, 8.0, method).upper() < 1.0, "{method}");
    }
}

#[test]
fn moments_compose_with_pairs() {
    let both = epsilon("zcdp(rho=0.02) + laplace(scale=4) * 5", 1e-6, Method::Auto);
    assert!(both.upper() > epsilon("laplace(scale=4) * 5", 1e-6, Method::Auto).lower().unwrap());
    assert!(both.upper() > epsilon("zcdp(rho=0.02)", 1e-6, Method::Auto).upper());
}

/// What needs a pair says what can be used in its place.
#[test]
fn what_needs_a_pair_refuses_moments() {
    for method in [Method::Lattice, Method::Clt, Method::BerryEsseen] {
        let error = Query::new(&mechanism("zcdp(rho=1)")).method(method).delta(1.0).unwrap_err().to_string();
        assert!(
            error.contains("zcdp(rho=1) is known by its Rényi divergences only")
                && error.contains("rdp-optimal"),
            "{error}"
        );
    }
    let error = Query::new(&mechanism("poisson(zcdp(rho=1), rate=0.1)")).delta(1.0).unwrap_err().to_string();
    assert!(error.contains("a sampler needs a worst-case pair"), "{error}");
}

/// A table of the Gaussian's own divergences at many orders is nearly as good as the curve, at few orders worse, never better.
#[test]
fn a_curve_from_a_file() {
    let rows = |orders: &[f64]| -> String {
        let line = |alpha: &f64| format!("{alpha},{}\n", 0.125 * alpha);
        format!("order,divergence\n{}", orders.iter().map(line).collect::<String>())
    };
    let many: Vec<f64> = (5..=400).map(|i| 0.25 * f64::from(i)).collect();
    let [many, few] =
        [("many", &many[..]), ("few", &[2.0, 8.0, 64.0])].map(|(name, orders)| file(name, &rows(orders)));
    let by =
        |path: &PathBuf| epsilon(&format!("renyi(file=\"{}\")", path.display()), 1e-5, Method::Rdp).upper();
    let truth = epsilon("zcdp(rho=0.125)", 1e-5, Method::Rdp).upper();
    assert!(by(&many) >= truth && by(&many) < 1.001 * truth, "{} {truth}", by(&many));
    assert!(by(&few) > by(&many), "{} {truth}", by(&few));
    // Pure differential privacy bounds every order.
    let pure = file("pure", "inf 0.5\n");
    let text = format!("renyi(file=\"{}\") * 3", pure.display());
    assert!(epsilon(&text, 1e-9, Method::Auto).upper() <= 1.5);
    for path in [many, few, pure] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_bad_file_names_its_line() {
    for (name, text, expected) in [
        ("order", "2,0.1\n1,0.05\n", "line 2: the order 1 is not above 1"),
        ("sign", "2,-0.1\n", "line 1: the divergence -0.1 is not 0 or above"),
        ("empty", "order,divergence\n", "holds no numbers"),
        ("text", "2,0.1\n3,much\n", "line 2: what is written here is not a number"),
    ] {
        let path = file(name, text);
        let error =
            Query::new(&mechanism(&format!("renyi(file=\"{}\")", path.display()))).delta(1.0).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        fs::remove_file(path).unwrap();
    }
}
