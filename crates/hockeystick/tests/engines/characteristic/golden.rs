//! Against references of 30 digits and more, of every kind of composition.

use hockeystick::{
    Answer, Error, Query,
    mechanism::Mechanism,
    query::{Guarantee, Method},
};
use hockeystick_golden::{Row, rows};

/// Files, and how many rows are skipped: tapered integrals and grids take tenths of a second.
const FILES: [(&str, usize); 6] = [
    ("composition/sampled_gaussian", 17),
    ("composition/heterogeneous", 7),
    ("composition/laplace", 7),
    ("composition/others", 7),
    ("composition/discrete", 9),
    ("composition/contour", 17),
];

/// Rows with a δ that could be seen: the published methods have an absolute error.
fn cases(one_in: usize) -> Vec<Row> {
    let is_seen = |row: &Row| {
        let delta: f64 = row.number("delta");
        row.number::<f64>("epsilon") >= 0.0 && delta > 1e-9 && delta < 1.0
    };
    FILES
        .iter()
        .flat_map(|(file, stride)| rows(file).into_iter().filter(is_seen).step_by(one_in * stride))
        .collect()
}

fn ask(row: &Row, method: Method) -> Result<Answer, Error> {
    let mechanism: Mechanism = row.text("expression").parse().unwrap();
    let query = Query::new(&mechanism).relation(row.text("direction").parse().unwrap()).method(method);
    query.delta(row.number("epsilon"))
}

fn described(row: &Row) -> String {
    format!("{} {} at ε = {}", row.text("expression"), row.text("direction"), row.text("epsilon"))
}

/// Estimates are within twice of what they reckon themselves, wherever they are given at all.
fn is_off_by_no_more_than_it_says(method: Method, one_in: usize) {
    let (mut worst, mut given, mut exact, cases): (f64, usize, usize, _) = (0.0, 0, 0, cases(one_in));
    for row in &cases {
        match ask(row, method) {
            Ok(answer) => {
                assert_eq!((answer.guarantee(), answer.lower()), (Guarantee::Estimate, None));
                let (off, error) =
                    ((answer.upper() - row.number::<f64>("delta")).abs(), answer.budget().total());
                assert!(off <= 2.0 * error, "{method} {}: off by {off:e}, not {error:e}", described(row));
                worst = worst.max(off / error);
                given += 1;
                exact += usize::from(off < 1e-10);
            }
            Err(Error::NotApplicable { method: refused, .. }) => assert_eq!(refused, method),
            Err(error) => panic!("{method} {}: {error}", described(row)),
        }
    }
    println!(
        "{method}: {given} of {} δ estimated, {exact} of them to ten decimals; at most {worst:.2} of what was reckoned",
        cases.len()
    );
    assert!(3 * given > 2 * cases.len() && 3 * exact > given);
}

#[test]
fn afa_is_off_by_no_more_than_it_says() {
    is_off_by_no_more_than_it_says(Method::Afa, 1);
}

#[test]
fn double_quadrature_is_off_by_no_more_than_it_says() {
    is_off_by_no_more_than_it_says(Method::DoubleQuadrature, 2);
}

/// What is proven is certain.
#[test]
fn the_discretised_characteristic_function_encloses() {
    let (mut narrow, cases) = (0, cases(2));
    for row in &cases {
        let answer = ask(row, Method::AfaGrid).unwrap_or_else(|error| panic!("{}: {error}", described(row)));
        let (lower, upper) = (answer.lower().unwrap(), answer.upper());
        let truth = row.reference("delta");
        assert!(
            truth.is_at_least(lower) && truth.is_at_most(upper),
            "{}: [{lower:e}, {upper:e}] misses {}",
            described(row),
            row.text("delta")
        );
        assert_eq!(answer.guarantee(), Guarantee::Certified);
        narrow += usize::from(upper - lower < 0.1 * upper);
    }
    println!("{} δ enclosed, {narrow} to 10 %", cases.len());
    assert!(4 * narrow > cases.len());
}

/// ε is the inverse of δ, by the reckoning of each.
#[test]
fn epsilon_inverts_delta() {
    let cases = [
        "gaussian(sigma=1) * 3",
        "poisson(gaussian(sigma=1), rate=0.02) * 400",
        "gaussian(sigma=3) * 5 + laplace(scale=2) * 3",
        "dp(epsilon=0.3, delta=0.0001) * 12 + gaussian(sigma=2)",
    ];
    for text in cases {
        let mechanism: Mechanism = text.parse().unwrap();
        for delta in [0.1, 1e-2] {
            let exact = hockeystick::epsilon(&mechanism, delta).unwrap();
            for method in [Method::Afa, Method::DoubleQuadrature] {
                let answer = Query::new(&mechanism).method(method).epsilon(delta).unwrap();
                let error = 2.0 * answer.budget().total();
                let (low, high) = (exact.lower().unwrap() - error, exact.upper() + error);
                assert!(low <= answer.upper() && answer.upper() <= high, "{text} at {delta}: {answer:?}");
            }
            let grid = Query::new(&mechanism).method(Method::AfaGrid).epsilon(delta).unwrap();
            assert!(grid.lower().unwrap() <= exact.upper() && exact.lower().unwrap() <= grid.upper());
            assert!(grid.upper() < 2.0 * exact.upper(), "{text} at {delta}: {grid:?}");
        }
    }
}
