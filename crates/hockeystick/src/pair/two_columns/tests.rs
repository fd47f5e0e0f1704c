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

fn read(content: impl AsRef<[u8]>) -> Result<Vec<(u64, f64, f64)>, FileError> {
    let file = Temporary::new(content);
    rows(file.name())?.map(|row| row.map(|row| (row.line, row.first, row.second))).collect()
}

fn problem(content: impl AsRef<[u8]>) -> (Option<u64>, FileProblem) {
    let error = read(content).unwrap_err();
    (error.line, error.problem)
}

#[test]
fn separators_remarks_and_headers() {
    let expected = vec![(1, 0.5, 1e-3), (2, -1.0, 0.25)];
    for content in
        ["0.5,1e-3\n-1,.25", "0.5;1e-3\r\n-1;0.25\r\n", "0.5\t1e-3\n-1\t\t0.25\n", "  0.5   1e-3\n-1 0.25\n"]
    {
        assert_eq!(read(content).unwrap(), expected, "{content:?}");
    }
    assert_eq!(read("\u{feff}epsilon,delta\n\n# a remark\n1 , 2 # another\n").unwrap(), [(4, 1.0, 2.0)]);
    assert_eq!(read("\"1\",\"2\"\n").unwrap(), [(1, 1.0, 2.0)]);
    assert_eq!(read("inf 0\n-Infinity,1").unwrap(), [(1, f64::INFINITY, 0.0), (2, f64::NEG_INFINITY, 1.0)]);
    assert_eq!(read("# nothing\n").unwrap(), []);
}

#[test]
fn what_is_wrong_and_where() {
    let not_a_number = |text: &str| FileProblem::NotANumber { text: text.into() };
    assert_eq!(problem("a b\nc d\n"), (Some(2), not_a_number("c")));
    assert_eq!(problem("1 2\n3 x\n"), (Some(2), not_a_number("x")));
    assert_eq!(problem("1 nan\n"), (Some(1), not_a_number("nan")));
    assert_eq!(problem("epsilon 0.5\n"), (Some(1), not_a_number("epsilon")));
    // With semicolons a comma is a decimal comma, which is not read; as the first line it passes for a header.
    assert_eq!(problem("1;2\n0,5;0,1\n"), (Some(2), not_a_number("0,5")));
    assert_eq!(problem("1\n"), (Some(1), FileProblem::Columns { found: 1 }));
    assert_eq!(problem("1,2\n1,,2\n"), (Some(2), FileProblem::Columns { found: 3 }));
    assert_eq!(problem("1,2,\n"), (Some(1), FileProblem::Columns { found: 3 }));
    assert_eq!(problem("0".repeat(5000)), (Some(1), FileProblem::LongLine));
    assert_eq!(problem([b'1', b' ', 0xff]), (Some(1), not_a_number("\u{fffd}")));
}

#[test]
fn a_missing_file_and_a_folder() {
    let error = rows("no-such-file.csv").err().unwrap();
    assert!(error.to_string().starts_with("no-such-file.csv: cannot be read: "), "{error}");
    let folder = env::temp_dir();
    let error = rows(folder.to_str().unwrap()).and_then(|mut rows| rows.next().unwrap()).unwrap_err();
    assert!(matches!(error.problem, FileProblem::Unreadable(_)) && error.line.is_none(), "{error}");
}

#[test]
fn the_number_of_rows_is_limited() {
    let file = Temporary::new("1 2\n3 4\n5 6\n");
    let mut limited = rows(file.name()).unwrap();
    limited.rows_left = 2;
    assert_eq!(limited.by_ref().take(2).filter(Result::is_ok).count(), 2);
    let error = limited.next().unwrap().unwrap_err();
    assert_eq!((error.line, error.problem), (None, FileProblem::TooManyRows));
}

#[test]
fn messages_name_file_and_line() {
    let error = FileError { file: "f.csv".into(), line: Some(3), problem: FileProblem::Columns { found: 1 } };
    assert_eq!(error.to_string(), "f.csv, line 3: 1 column instead of 2; write two numbers in each line");
}
