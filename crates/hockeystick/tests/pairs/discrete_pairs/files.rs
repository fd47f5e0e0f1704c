//! Pairs read from files: what is read, and what is refused.

use crate::discrete_pairs::{at, definition};
use hockeystick::{
    Error, Query,
    mechanism::{Mechanism, PairFile, Relation},
    pair::{Direction, DominatingPair, FileContent, FileProblem, dominating_pair, read_pair},
};
use hockeystick_numerics::ball::Ball;

/// A file in the temporary directory that goes away with the value.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str, content: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hockeystick-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        Self(path)
    }

    fn mechanism(&self) -> PairFile {
        PairFile::new(self.0.to_str().unwrap()).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn files_hold_pairs() {
    let file = Scratch::new("good.csv", "p;q\n# a comment\n0.1;0.5\n0.3;0.3 # even\n\n0.6;0\n0;0.2\n");
    let read = read_pair(&file.mechanism()).unwrap();
    assert_eq!(read.note, None);
    assert_eq!(read.pair.atoms().len(), 2);
    assert_eq!(read.pair.atoms()[1].loss, Ball::ZERO);
    assert!(read.pair.infinite_mass().value().contains(0.6));
    let shared = dominating_pair(&file.mechanism().into(), Direction::Remove).unwrap();
    for (epsilon, truth) in
        [(0.0, 0.6), (0.7, 0.6), (-1.0, 0.9 - 0.3 * (-1f64).exp()), (-3.0, 1.0 - 0.8 * (-3f64).exp())]
    {
        let found = shared.delta(at(epsilon)).value();
        assert!((found.midpoint() - truth).abs() < 1e-15 && found.width() < 1e-14, "at {epsilon}: {found:?}");
    }
}

/// Whatever a column lacks or has too much of, bounds hold for it normalised; as written they do if P is no more than 1.
#[test]
fn files_that_do_not_quite_add_up() {
    let base = [(0.2, 0.5), (0.3, 0.3), (0.5, 0.2)];
    for off in [3e-10f64, -3e-10, 3e-16, 0.0] {
        for (in_p, in_q) in [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)] {
            let mut masses = base;
            masses[0].0 += off * in_p;
            masses[2].1 += off * in_q;
            let text: String = masses.iter().map(|(p, q)| format!("{p:e}\t{q:e}\n")).collect();
            let file = Scratch::new(&format!("off-{off}-{in_p}-{in_q}.tsv"), &text);
            let read = read_pair(&file.mechanism()).unwrap();
            assert_eq!(read.note.is_some(), off.abs() > 1e-12, "{off}: {:?}", read.note);
            let (p, q): (f64, f64) = (masses.iter().map(|m| m.0).sum(), masses.iter().map(|m| m.1).sum());
            let normalised = masses.map(|m| (m.0 / p, m.1 / q));
            for epsilon in [-2.0, -0.5, -0.1, 0.0, 0.1, 0.5, 0.9, 2.0] {
                let upper = read.pair.delta(at(epsilon)).value().upper();
                let as_written = if p <= 1.0 { masses } else { normalised };
                for reading in [as_written, normalised] {
                    let written = definition(&reading, epsilon).min(1.0);
                    assert!(
                        upper >= written - 1e-16,
                        "{off} {in_p} {in_q} at {epsilon}: {upper} < {written}"
                    );
                    assert!(upper <= written + 2e-9, "{off} {in_p} {in_q} at {epsilon}: {upper} ≫ {written}");
                }
            }
        }
    }
}

/// A million uses of a pair in which almost all outcomes are written alike: the columns have different sums, so the loss of these is
/// not 0 but `ln(S_Q/S_P)`. It was taken for 0, and a certified interval missed the truth by 9·10⁻⁸.
#[test]
fn what_is_written_alike_has_the_loss_of_the_sums() {
    let text = "pair(p=\"1,0\", q=\"1,9e-14\") * 1000000 + poisson(randomized_response(p=0.9), rate=0.1)";
    let mechanism: Mechanism = text.parse().unwrap();
    let answer = Query::new(&mechanism).relation(Relation::Remove).epsilon(0.01).unwrap();
    // The losses of the pair are all ln(1 + 9·10⁻¹⁴); of the response, W(A) − e^ε Q(A) = 0.18 − 0.1 e^ε.
    let truth = 1.7f64.ln() + 1e6 * 9e-14f64.ln_1p();
    assert!(
        answer.lower().unwrap() <= truth + 1e-15 && answer.upper() >= truth - 1e-15,
        "{answer:?} {truth}"
    );
    assert!(answer.upper() - answer.lower().unwrap() < 1e-8, "{answer:?}");
}

/// The same at ε = 0: the total variation of the normalised columns is 9·10⁻¹⁴/(1 + 9·10⁻¹⁴), where [0, 0] was certified.
#[test]
fn columns_of_different_sums_differ() {
    let mechanism: Mechanism = "pair(p=\"1,1e-200\", q=\"1,9e-14\")".parse().unwrap();
    for relation in [Relation::Remove, Relation::Add, Relation::AddRemove] {
        let answer = Query::new(&mechanism).relation(relation).delta(0.0).unwrap();
        let truth = 9e-14 / (1.0 + 9e-14);
        assert!(answer.lower().unwrap() <= truth && truth <= answer.upper(), "{relation:?}: {answer:?}");
        assert!(answer.upper() - answer.lower().unwrap() <= 1e-9 * truth, "{relation:?}: {answer:?}");
    }
}

/// What is wrong with a file of this content, and in which line; the message names the file.
fn problem(name: &str, content: &str) -> (Option<u64>, FileProblem) {
    let file = Scratch::new(name, content);
    match read_pair(&file.mechanism()) {
        Err(Error::File(error)) => {
            assert!(error.to_string().contains(name), "{error}");
            (error.line, error.problem)
        }
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn bad_files_are_refused_by_name_and_line() {
    let content = FileContent::Probabilities;
    let columns = |found| FileProblem::Columns { found, content };
    let not_a_number = |text: &str| FileProblem::NotANumber(text.into());
    let not_a_probability = |text: &str| FileProblem::NotAProbability(text.into());
    let sum = |column, sum| FileProblem::Sum { column, sum };
    for (name, text, line, expected) in [
        ("empty", "", None, FileProblem::Empty(content)),
        ("only-names", "p,q\n# nothing\n", None, FileProblem::Empty(content)),
        ("text", "p,q\nhello,world\n", Some(2), not_a_number("")),
        ("word", "0.5,0.5\n0.5,x\n", Some(2), not_a_number("")),
        ("names-and-number", "0.1,Q\n", Some(1), not_a_number("")),
        ("no-first-number", "0.5,0.5\n,0.5\n", Some(2), not_a_number("")),
        ("minus", "0.5,0.5\n\n-0.5,0.5\n", Some(3), not_a_probability("-0.5")),
        ("too-much", "0.5,0.5\n0.5,1.5\n", Some(2), not_a_probability("1.5")),
        ("infinite", "inf,0.5\n", Some(1), not_a_probability("inf")),
        ("nan", "nan,0.5\n", Some(1), not_a_number("nan")),
        ("only-nan", "nan,nan\n0.5,0.5\n0.5,0.5\n", Some(1), not_a_number("nan")),
        ("tiny", "0.5,0.5\n0.5,0.5\n1e-301,0\n", Some(3), FileProblem::TooSmall("1e-301".into())),
        ("one", "0.5\n0.5\n", Some(1), columns(1)),
        ("three", "p q\n0.5 0.5\n0.1 0.2 0.3\n", Some(3), columns(3)),
        ("sum", "0.5,0.5\n0.4,0.5\n", None, sum("P", 0.9)),
        ("half", "0.5,0.5\n", None, sum("P", 0.5)),
        ("just-too-little", "0.5,0.5\n0.5,0.499999998\n", None, sum("Q", 0.999_999_998)),
        ("just-too-much", "0.500000002,0.5\n0.5,0.5\n", None, sum("P", 1.000_000_002)),
        ("long", &"7".repeat(20_000), Some(1), FileProblem::LongLine { most: 4096, content }),
    ] {
        assert_eq!(problem(name, text), (line, expected), "{name}");
    }
    let missing = read_pair(&PairFile::new("/no/such/file.csv").unwrap()).unwrap_err().to_string();
    assert!(missing.starts_with("/no/such/file.csv: cannot be read ("), "{missing}");
    assert!(missing.ends_with("give the name of a text file with two columns of numbers"), "{missing}");
}

/// Ten million outcomes or remarks are refused at the line that is one too many, and not read to their end; so is a bad line
/// before it.
#[test]
fn endless_files_are_refused() {
    let too_long = FileProblem::TooLong { most: 1_000_000, content: FileContent::Probabilities };
    assert_eq!(problem("outcomes", &"1e-7,1e-7\n".repeat(10_000_000)), (Some(1_000_001), too_long.clone()));
    assert_eq!(problem("remarks", &"#\n".repeat(10_000_000)), (Some(1_000_001), too_long));
    let mut outcomes = "1e-6 1e-6\n".repeat(900_000);
    outcomes.push_str("1e-6 one\n");
    assert_eq!(problem("bad-end", &outcomes), (Some(900_001), FileProblem::NotANumber(String::new())));
}
