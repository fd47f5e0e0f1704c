//! Profiles from files: what is read, and what is refused.

use super::*;
use crate::pair::{FileContent, FileError, FileProblem, InvalidBound, two_columns::tests::Temporary};
use hockeystick_numerics::ball::Ball;

fn read(content: &str) -> Result<SharedPair, FileError> {
    let file = Temporary::new(content);
    match pair(&ProfileFile::new(file.name()).unwrap()) {
        Ok(pair) => Ok(pair),
        Err(Error::File(error)) => {
            assert_eq!(error.file, file.name());
            Err(error)
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn rows_may_come_in_any_order_and_twice() {
    let pair = read("epsilon,delta\n1,0.1\n0,0.5\n1,0.2\ninf,0\n").unwrap();
    assert_eq!(pair.delta(Ball::ZERO).value(), 0.5.into());
    assert_eq!(pair.delta(Ball::ONE).value(), 0.1.into());
    // The row at infinity says nothing of finite ε.
    assert_eq!(pair.infinite_mass().value(), 0.1.into());
    assert!(pair.is_self_dual());
}

#[test]
fn a_negative_epsilon_makes_it_one_direction() {
    let pair = read("-1 0.9\n0 0.5\n").unwrap();
    assert!(!pair.is_self_dual());
    assert_eq!(pair.infinite_mass().value(), 0.5.into());
}

#[test]
fn bad_files_are_refused_by_line() {
    let problem = |content: &str| {
        let error = read(content).unwrap_err();
        (error.line, error.problem)
    };
    let bound = |line: u64, problem: InvalidBound| (Some(line), FileProblem::Bound(problem));
    assert_eq!(problem("0 0.5\n1 -0.1\n"), bound(2, InvalidBound::Delta(-0.1)));
    assert_eq!(problem("0 1.5\n"), bound(1, InvalidBound::Delta(1.5)));
    assert_eq!(problem("0 inf\n"), bound(1, InvalidBound::Delta(f64::INFINITY)));
    assert_eq!(problem("-inf 1\n"), bound(1, InvalidBound::Epsilon(f64::NEG_INFINITY)));
    assert_eq!(problem("\n-1 0.6\n"), bound(2, InvalidBound::TooLow { epsilon: -1.0, delta: 0.6 }));
    for empty in ["", "# nothing\n", "epsilon delta\n", "inf 0\n"] {
        assert_eq!(problem(empty), (None, FileProblem::Empty(FileContent::Profile)), "{empty:?}");
    }
}
