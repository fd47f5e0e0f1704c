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
    rows(&file.name().into(), CONTENT)?.read(numbers)
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
    assert_eq!(problem("a b\nc d\n"), (Some(2), not_a_number("")));
    assert_eq!(problem("1 2\n3 x\n"), (Some(2), not_a_number("")));
    assert_eq!(problem("1 nan\n"), (Some(1), not_a_number("nan")));
    assert_eq!(problem("epsilon 0.5\n"), (Some(1), not_a_number("")));
    // With semicolons a comma is a decimal comma, which is not read; as the first line it passes for a header.
    assert_eq!(problem("1;2\n0,5;0,1\n"), (Some(2), not_a_number("0,5")));
    assert_eq!(problem("1\n"), (Some(1), FileProblem::Columns { found: 1, content: CONTENT }));
    assert_eq!(problem("1,2\n1,,2\n"), (Some(2), FileProblem::Columns { found: 3, content: CONTENT }));
    assert_eq!(problem("1,2,\n"), (Some(1), FileProblem::Columns { found: 3, content: CONTENT }));
    assert_eq!(
        problem("0".repeat(5000)),
        (Some(1), FileProblem::LongLine { most: LONGEST_LINE, content: CONTENT })
    );
    assert_eq!(problem([b'1', b' ', 0xff]), (Some(1), not_a_number("")));
}

#[test]
fn a_missing_file_and_a_folder() {
    let error = rows(&"no-such-file.csv".into(), CONTENT).err().unwrap();
    assert!(error.to_string().starts_with("no-such-file.csv: cannot be read ("), "{error}");
    assert!(
        error.to_string().ends_with("give the name of a text file with two columns of numbers"),
        "{error}"
    );
    let folder = env::temp_dir();
    let error =
        rows(&folder.to_str().unwrap().into(), CONTENT).and_then(|mut rows| rows.read(numbers)).unwrap_err();
    assert!(matches!(error.problem, FileProblem::Unreadable(_)) && error.line.is_none(), "{error}");
}

#[test]
fn the_number_of_lines_is_limited() {
    let file = Temporary::new("1 2\n# remarks count\n3 4\n5 6\n");
    let read = |most_lines| Rows { most_lines, ..rows(&file.name().into(), CONTENT).unwrap() }.read(numbers);
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

#[test]
fn what_is_no_number_is_not_quoted() {
    for secret in ["root:x:0:0:root", "hunter2", "-----BEGIN", "AKIA0123456789", "pass word,1"] {
        for content in [
            format!("1 2\n{secret} 1\n"),
            format!("1,2\n1,{secret}\n"),
            format!("1;2\n{secret};\u{1b}[31m\n"),
        ] {
            let message = read(&content).unwrap_err().to_string();
            assert!(!message.contains(secret) && !message.contains('\u{1b}'), "{message}");
        }
    }
    let message = read("1 2\n1.2.3 1\n").unwrap_err().to_string();
    assert!(
        message.ends_with(", line 2: \"1.2.3\" is not a number; write it as 0.25 or 2.5e-1"),
        "{message}"
    );
    let message = read("1 2\nhunter2 1\n").unwrap_err().to_string();
    assert!(
        message.ends_with(", line 2: what is written here is not a number; write it as 0.25 or 2.5e-1"),
        "{message}"
    );
}

#[test]
fn names_do_not_act_on_a_terminal() {
    let error = rows(&"no\u{1b}[31m\nfile".into(), CONTENT).err().unwrap().to_string();
    assert!(error.starts_with("no\\u{1b}[31m\\nfile: cannot be read"), "{error}");
}

#[cfg(unix)]
#[test]
fn files_outside_of_their_folder_are_not_read() {
    use crate::mechanism::Files;
    use std::os::unix::fs::symlink;
    let top = env::temp_dir().join(format!("hockeystick-{}-confined", process::id()));
    let inside = top.join("inside");
    fs::create_dir_all(inside.join("deeper")).unwrap();
    for path in ["inside/good.csv", "inside/deeper/good.csv", "secret.csv", "inside-not/x.csv"] {
        fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
        fs::write(top.join(path), "0 0.5\n1 0.1\n").unwrap();
    }
    symlink(top.join("secret.csv"), inside.join("link.csv")).unwrap();
    symlink(&top, inside.join("up")).unwrap();
    symlink(inside.join("good.csv"), top.join("into.csv")).unwrap();
    let files = Files::default().relative_to(&inside).within(&inside);
    let refusal = |name: &str| {
        let mechanism = files.mechanism(&format!("profile(file={name:?})")).unwrap();
        crate::delta(&mechanism, 0.5).err().map(|error| error.to_string())
    };
    let absolute = |path: &str| top.join(path).to_str().unwrap().to_owned();
    for name in [
        "good.csv",
        "deeper/good.csv",
        "deeper/../good.csv",
        "up/inside/good.csv",
        &absolute("inside/good.csv"),
        &absolute("into.csv"),
    ] {
        assert_eq!(refusal(name), None, "{name}");
    }
    let outside = "is not inside of the folder";
    for name in [
        "../secret.csv",
        "link.csv",
        "up/secret.csv",
        "up/no.csv",
        "../no.csv",
        "/etc/passwd",
        "/no/such/file",
        "../inside-not/x.csv",
        &absolute("secret.csv"),
        "deeper/../../secret.csv",
        "no/../../no.csv",
    ] {
        let message = refusal(name).unwrap_or_else(|| panic!("{name} was read"));
        assert!(message.contains(outside) && message.contains("put a copy there"), "{name}: {message}");
    }
    for name in ["no.csv", "no/such.csv"] {
        assert!(refusal(name).unwrap().contains("cannot be read"), "{name}");
    }
    assert!(refusal("deeper").unwrap().contains("it is no ordinary file"));
    fs::remove_dir_all(&top).unwrap();
}
