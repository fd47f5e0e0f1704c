//! The algebra in Rust: `A + B`, `A * k`, samplers.

use hockeystick::mechanism::{Algebra, Compose, Gaussian, InvalidParameter, Laplace, Mechanism, Repeat};

#[test]
fn rust_reads_like_the_text() -> Result<(), InvalidParameter> {
    let mechanism = Gaussian::new(1.0)?.poisson(0.01)?.repeat(1000) + Laplace::new(5.0)?.repeat(12);
    let text = "poisson(gaussian(sigma=1), rate=0.01) * 1000 + laplace(scale=5) * 12";
    assert_eq!(text.parse(), Ok(mechanism));
    Ok(())
}

#[test]
fn operators_take_leaves_and_mechanisms() -> Result<(), InvalidParameter> {
    let (gaussian, laplace) = (Gaussian::new(1.0)?, Laplace::new(2.0)?);
    let sampled = laplace.subset(0.5)?;
    assert_eq!(gaussian * 3, Mechanism::from(Repeat::new(gaussian, 3)));
    assert_eq!(3 * gaussian, gaussian * 3);
    assert_eq!(3 * sampled.clone(), sampled.clone().repeat(3));
    assert_eq!((gaussian + laplace).to_string(), "gaussian(sigma=1) + laplace(scale=2)");
    assert_eq!(gaussian + sampled.clone(), Mechanism::from(gaussian) + sampled);
    let mut total = Mechanism::from(gaussian);
    total += laplace;
    total += gaussian * 2;
    assert_eq!(total.to_string(), "gaussian(sigma=1) + laplace(scale=2) + gaussian(sigma=1) * 2");
    Ok(())
}

#[test]
fn sums_are_flat_however_they_are_grouped() -> Result<(), InvalidParameter> {
    let [a, b, c] = [Gaussian::new(1.0)?, Gaussian::new(2.0)?, Gaussian::new(3.0)?];
    let flat = a + b + c;
    assert_eq!(flat.parts().len(), 3);
    assert_eq!(a + (b + c), flat);
    assert_eq!((a + b) + (c + a), flat.clone() + a);
    assert_eq!(Compose::new([a, b, c].map(Mechanism::from)), Some(flat));
    assert_eq!(Compose::new([a.into()]), Some(a.into()));
    assert_eq!(Compose::new([]), None);
    Ok(())
}

#[test]
fn a_million_additions_are_linear() -> Result<(), InvalidParameter> {
    let leaf = Gaussian::new(1.0)?;
    let total = (1..1_000_000).fold(Mechanism::from(leaf), |total, _| total + leaf);
    assert_eq!(total.parts().len(), 1_000_000);
    assert_eq!(total.validate(), Ok(()));
    Ok(())
}

#[test]
fn counts_that_operators_cannot_refuse_are_refused_like_in_text() -> Result<(), InvalidParameter> {
    let invalid = (Gaussian::new(1.0)? * 0).validate().unwrap_err();
    let error = "gaussian(sigma=1) * 0".parse::<Mechanism>().unwrap_err();
    assert_eq!(error.to_string(), format!("column 21: {invalid}"));
    Ok(())
}

#[test]
fn sampling_rates_are_checked() -> Result<(), InvalidParameter> {
    let leaf = Gaussian::new(1.0)?;
    for rate in [0.0, -0.5, 1.5, f64::NAN] {
        assert_eq!(leaf.poisson(rate).unwrap_err().parameter, "rate");
        assert_eq!(leaf.subset(rate).unwrap_err().parameter, "rate");
    }
    assert!(leaf.poisson(1.0).is_ok());
    Ok(())
}
