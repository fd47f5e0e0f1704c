//! What is read from two columns, and what is refused.

use super::*;
use std::{
    env, fs,
    path::PathBuf,
    process,
    sync::atomic::{AtomicU32, Ordering},
};

/// A file that is gone when the test is over.
pub(in super::super) struct Temporary(PathBuf);

impl Temporary {
    pub(in super::super) fn new(content: impl AsRef<[u8]>) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("hockeystick-{}-{}.csv", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(name);
        fs::write(&path, content).unwrap();
        Self(path)
    }

    pub(in super::super) fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A file that is left behind is no reason to fail.
        let _ = fs::remove_file(&self.0);
    }
}

const CONTENT: FileContent = FileContent::Profile;

fn numbers(row: Row<'_>) -> Result<(f64, f64), FileProblem> {
    Ok((row.first.value, row.second.value))
}

fn read(content: impl AsRef<[u8]>) -> Result<Vec<(f64, f64)>, FileError> {
    let file = Temporary::new(content);
    rows(file.name(), CONTENT)?.read(numbers)
}

fn problem(content: impl AsRef<[u8]>) -> (Option<u64>, FileProblem) {
    let error = read(content).unwrap_err();
    (error.line, error.problem)
}

#[test]
fn separators_remarks_and_headers() {
    let expected = vec![(0.5, 1e-3), (-1.0, 0.25)];
    for content in
        ["0.5,1e-3\n-1,.25", "0.5;1e-3\r\n-1;0.25\r\n", "0.5\t1e-3\n-1\t\t0.25\n", "  0.5   1e-3\n-1 0.25\n"]
    {
        assert_eq!(read(content).unwrap(), expected, "{content:?}");
    }
    assert_eq!(read("\u{feff}epsilon,delta\n\n# a remark\n1 , 2 # another\n").unwrap(), [(1.0, 2.0)]);
    assert_eq!(read("\"1\",\"2\"\n").unwrap(), [(1.0, 2.0)]);
    assert_eq!(read("inf 0\n-Infinity,1").unwrap(), [(f64::INFINITY, 0.0), (f64::NEG_INFINITY, 1.0)]);
    assert_eq!(read("# nothing\n").unwrap(), []);
}

#[test]
fn what_is_wrong_and_where() {
    let not_a_number = |text: &str| FileProblem::NotANumber(text.into());
    assert_eq!(problem("a b\nc d\n"), (Some(2), not_a_number("c")));
    assert_eq!(problem("1 2\n3 x\n"), (Some(2), not_a_number("x")));
    assert_eq!(problem("1 nan\n"), (Some(1), not_a_number("nan")));
    assert_eq!(problem("epsilon 0.5\n"), (Some(1), not_a_number("epsilon")));
    // With semicolons a comma is a decimal comma, which is not read; as the first line it passes for a header.
    assert_eq!(problem("1;2\n0,5;0,1\n"), (Some(2), not_a_number("0,5")));
    assert_eq!(problem("1\n"), (Some(1), FileProblem::Columns { found: 1, content: CONTENT }));
    assert_eq!(problem("1,2\n1,,2\n"), (Some(2), FileProblem::Columns { found: 3, content: CONTENT }));
    assert_eq!(problem("1,2,\n"), (Some(1), FileProblem::Columns { found: 3, content: CONTENT }));
    assert_eq!(
        problem("0".repeat(5000)),
        (Some(1), FileProblem::LongLine { most: LONGEST_LINE, content: CONTENT })
    );
    assert_eq!(problem([b'1', b' ', 0xff]), (Some(1), not_a_number("\u{fffd}")));
}

#[test]
fn a_missing_file_and_a_folder() {
    let error = rows("no-such-file.csv", CONTENT).err().unwrap();
    assert!(error.to_string().starts_with("no-such-file.csv: cannot be read ("), "{error}");
    assert!(
        error.to_string().ends_with("give the name of a text file with two columns of numbers"),
        "{error}"
    );
    let folder = env::temp_dir();
    let error = rows(folder.to_str().unwrap(), CONTENT).and_then(|mut rows| rows.read(numbers)).unwrap_err();
    assert!(matches!(error.problem, FileProblem::Unreadable(_)) && error.line.is_none(), "{error}");
}

#[test]
fn the_number_of_lines_is_limited() {
    let file = Temporary::new("1 2\n# remarks count\n3 4\n5 6\n");
    let read = |most_lines| Rows { most_lines, ..rows(file.name(), CONTENT).unwrap() }.read(numbers);
    let error = read(3).unwrap_err();
    assert_eq!((error.line, error.problem), (Some(4), FileProblem::TooLong { most: 3, content: CONTENT }));
    assert_eq!(read(4).unwrap().len(), 3);
}

#[test]
fn messages_name_file_line_and_cure() {
    let message = |line, problem| FileError { file: "f.csv".into(), line, problem }.to_string();
    for (content, line, fewer) in [
        (
            FileContent::Probabilities,
            "the probability of an outcome under P and under Q",
            "merge outcomes with the same ratio of probabilities",
        ),
        (FileContent::Profile, "an ε and the δ there", "thin them out"),
    ] {
        assert_eq!(
            message(Some(3), FileProblem::Columns { found: 1, content }),
            format!("f.csv, line 3: 1 column instead of 2; write in each line {line}")
        );
        assert_eq!(
            message(None, FileProblem::Empty(content)),
            format!("f.csv: holds no numbers; write in each line {line}")
        );
        assert_eq!(
            message(Some(8), FileProblem::TooLong { most: 7, content }),
            format!("f.csv, line 8: has more than 7 lines; {fewer}")
        );
    }
}
