//! The whole output of every command in every format.
//!
//! Numbers are exact or proven elsewhere; what differs from run to run, or with the width of a bound, is left out: times, and
//! the parts of widths.

use crate::run::run;
use insta::assert_snapshot;

const FORMATS: [&str; 4] = ["text", "json", "csv", "markdown"];

/// What every command writes in each format.
fn all_formats(arguments: &[&str]) -> String {
    let page = |format: &&str| {
        let run = run(&[arguments, &["--format", *format]].concat());
        let output = if *format == "csv" { without_times(&run.stdout) } else { run.stdout };
        let (output, complaint) = (rounded(&output), run.stderr.trim_end());
        let complaint = if complaint.is_empty() { String::new() } else { format!("\n[{complaint}]") };
        format!("--- {format}\n{}{complaint}", output.trim_end())
    };
    FORMATS.iter().map(page).collect::<Vec<_>>().join("\n")
}

/// CSV with nothing in the column of times.
fn without_times(csv: &str) -> String {
    let mut time = None;
    let line = |line: &str| {
        let mut is_quoted = false;
        let cells: Vec<&str> = line
            .split(|c| {
                is_quoted ^= c == '"';
                c == ',' && !is_quoted
            })
            .collect();
        time = time.or_else(|| cells.iter().position(|cell| *cell == "elapsed_ms"));
        let is_number = |cell: &str| cell.parse::<f64>().is_ok();
        let kept = |(at, cell): (usize, &&str)| {
            if Some(at) == time && is_number(cell) { "[…]".to_owned() } else { (*cell).to_owned() }
        };
        cells.iter().enumerate().map(kept).collect::<Vec<_>>().join(",")
    };
    csv.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The text with every number of more than ten digits cut to nine, and with radii, times and parts of widths left out.
fn rounded(text: &str) -> String {
    let is_number = |c: char| c.is_ascii_digit() || "+-.e".contains(c);
    let mut words: Vec<String> = vec![];
    let mut word = String::new();
    for c in text.chars() {
        let was_number = word.chars().last().is_some_and(is_number);
        if !word.is_empty() && was_number != is_number(c) {
            words.push(std::mem::take(&mut word));
        }
        word.push(c);
    }
    words.push(word);
    let mut is_free = false;
    for word in &mut words {
        if let Ok(number) = word.trim_end_matches('.').parse::<f64>() {
            let digits = word.chars().filter(char::is_ascii_digit).count();
            if is_free {
                *word = "[…]".to_owned();
            } else if digits > 10 {
                *word = format!("{number:.8e}");
            }
        }
        // An e parts words, as it may be that of a number.
        is_free = ["± ", "d_ms\":", "roundoff\":"].iter().any(|before| word.ends_with(before));
    }
    words.concat()
}

#[test]
fn calibrate() {
    // Three uses of ε = 0.3 stay below 1, four do not.
    assert_snapshot!(all_formats(&[
        "calibrate",
        "randomized_response(epsilon=0.3) * ?",
        "--epsilon",
        "1",
        "--delta",
        "1e-9"
    ]));
}

#[test]
fn dpsgd() {
    assert_snapshot!(all_formats(&[
        "dpsgd",
        "--examples",
        "1000",
        "--batch",
        "1000",
        "--steps",
        "4",
        "--noise",
        "2"
    ]));
}

#[test]
fn statement() {
    assert_snapshot!(all_formats(&[
        "dpsgd",
        "--examples",
        "1000",
        "--batch",
        "1000",
        "--steps",
        "4",
        "--noise",
        "2",
        "--statement"
    ]));
}

#[test]
fn risk() {
    assert_snapshot!(all_formats(&["risk", "randomized_response(p=0.75)", "--fpr", "0.1"]));
}

#[test]
fn profile() {
    assert_snapshot!(all_formats(&["profile", "laplace(scale=1)", "--to", "1", "--points", "3"]));
}

#[test]
fn tradeoff() {
    assert_snapshot!(all_formats(&["tradeoff", "randomized_response(epsilon=1)", "--points", "3"]));
}

#[test]
fn losses() {
    assert_snapshot!(all_formats(&["losses", "gaussian(sigma=1)", "--points", "3"]));
}

#[test]
fn explain() {
    assert_snapshot!(all_formats(&["explain", "laplace(scale=1)", "--epsilon", "1"]));
}

#[test]
fn epsilon() {
    assert_snapshot!(all_formats(&["epsilon", "dp(epsilon=1, delta=1e-6)", "--delta", "1e-6"]));
}

#[test]
fn delta() {
    assert_snapshot!(all_formats(&["delta", "dp(epsilon=3, delta=0.5)", "--epsilon", "3"]));
}

#[test]
fn sweep() {
    assert_snapshot!(all_formats(&[
        "sweep",
        "dp(epsilon={e}) * {k}",
        "--grid",
        "e=-1,0.5",
        "--grid",
        "k=1,2",
        "--delta",
        "1e-6"
    ]));
}

#[test]
fn run_workload() {
    let file = std::env::temp_dir().join(format!("hockeystick-formats-{}.toml", std::process::id()));
    std::fs::write(&file, WORKLOAD).unwrap();
    let output = all_formats(&["run", file.to_str().unwrap()]);
    std::fs::remove_file(file).unwrap();
    assert_snapshot!(output);
}

const WORKLOAD: &str = r#"title = "Two groups"

[[groups]]
name = "answers"
mechanism = "randomized_response(epsilon=0.25)"
count = 4

[[groups]]
name = "vendor"
mechanism = "dp(epsilon=1, delta=1e-6)"

[[targets]]
name = "met"
epsilon = 1
delta = 1e-9
groups = ["answers"]

[[targets]]
name = "missed"
epsilon = 1.5
delta = 1e-5

[[targets]]
fpr = 0.1
groups = ["vendor"]
"#;

#[test]
fn mechanisms() {
    assert_snapshot!(all_formats(&["mechanisms", "poisson"]));
    assert_snapshot!("list_of_mechanisms", all_formats(&["mechanisms"]));
}

/// The methods that solve a problem in closed form; the others have digits that change with their parameters.
#[test]
fn compare() {
    let all = all_formats(&["compare", "randomized_response(epsilon=1)", "--epsilon", "0"]);
    let is_stable = |line: &&str| {
        !["exact", "contour", "lattice", "buckets", "fourier", "afa", "double"]
            .iter()
            .any(|name| line.contains(name))
    };
    let lines = all.lines().filter(is_stable).map(|line| {
        // Times differ, and with them the width of their column.
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let cells = cells.into_iter().filter(|cell| !cell.ends_with(" ms"));
        cells.collect::<Vec<_>>().join("  ")
    });
    let without_times = |line: String| {
        let cells: Vec<&str> = line.split(" | ").filter(|cell| !cell.ends_with(" ms")).collect();
        cells.join(" | ")
    };
    let text: Vec<String> = lines.map(without_times).filter(|line| !line.starts_with("randomized")).collect();
    assert_snapshot!(text.join("\n"));
}
