//! Readers that go away and disks that are full.

use crate::run::binary;
use std::process::Stdio;

#[test]
fn a_reader_that_has_gone_away_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = binary().arg("mechanisms").stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn complaints_nobody_reads_keep_their_exit_code() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = binary().args(["delta", "gdp(mu=-1)", "--epsilon", "1"]).stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_not_answered() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output =
        binary().args(["delta", "gdp(mu=1)", "--epsilon", "1"]).stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not be written"));
}
