//! The whole output of every command in every format.
//!
//! Numbers are exact or proven elsewhere; what differs from run to run, or with the width of a bound, is left out: times, and
//! the parts of widths.

use crate::{run::run, workloads::WORKLOAD};
use insta::assert_snapshot;

const FORMATS: [&str; 4] = ["text", "json", "csv", "markdown"];

/// What every command writes in each format.
fn all_formats(arguments: &[&str]) -> String {
    let page = |format: &&str| {
        let run = run(&[arguments, &["--format", *format]].concat());
        let output = if *format == "csv" { without_times(&run.stdout) } else { run.stdout };
        let (output, complaint) = (rounded(&output), rounded(run.stderr.trim_end()));
        let complaint = if complaint.is_empty() { String::new() } else { format!("\n[{complaint}]") };
        format!("--- {format}\n{}{complaint}", output.trim_end())
    };
    FORMATS.iter().map(page).collect::<Vec<_>>().join("\n")
}

/// CSV with nothing in the columns of times and of round-off.
fn without_times(csv: &str) -> String {
    let mut free: Vec<usize> = vec![];
    let line = |line: &str| {
        let cells = cells(line);
        let is_free = |cell: &str| ["elapsed_ms", "roundoff"].contains(&cell);
        free.extend((0..cells.len()).filter(|&at| is_free(cells[at])));
        let kept = |(at, cell): (usize, &&str)| {
            if free.contains(&at) && is_number(cell) { "[…]".to_owned() } else { (*cell).to_owned() }
        };
        cells.iter().enumerate().map(kept).collect::<Vec<_>>().join(",")
    };
    csv.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The cells of a line of CSV.
fn cells(line: &str) -> Vec<&str> {
    let mut is_quoted = false;
    line.split(|c| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    })
    .collect()
}

fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok()
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

/// Noise to be found for a demanded ε: no sampling and one step, so that it is that of the Gaussian mechanism.
#[test]
fn dpsgd_noise() {
    assert_snapshot!(all_formats(&[
        "dpsgd",
        "--examples",
        "500",
        "--batch",
        "500",
        "--epochs",
        "1",
        "--epsilon",
        "1",
        "--delta",
        "0.01"
    ]));
}

/// What is said of batches of a fixed size and replaced examples, and of a useless ε.
#[test]
fn statement_of_replacement() {
    let asked =
        ["dpsgd", "--examples", "9", "--batch", "9", "--epochs", "1", "--noise", "0.25", "--statement"];
    let other = ["--batches", "fixed", "--relation", "replace"];
    assert_snapshot!(rounded(&run(&[&asked[..], &other].concat()).answered()));
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
fn calibrate_an_attack() {
    // Nothing is gained over guessing, but by what a coin with odds of 3 to 2 tells: p = 0.6.
    assert_snapshot!(all_formats(&["calibrate", "randomized_response(p=?)", "--advantage", "0.2"]));
    assert_snapshot!(
        "calibrate_impossible",
        all_formats(&["calibrate", "dp(epsilon=2) + gaussian(sigma=?)", "--epsilon", "1", "--delta", "1e-9"])
    );
}

#[test]
fn risk_of_several_attacks() {
    let asked = ["risk", "dp(epsilon=1, delta=0.01)", "--fpr", "0.001", "--fpr", "0.1", "--prior", "0.01"];
    assert_snapshot!(all_formats(&asked));
}

#[test]
fn tradeoff_at_few_false_alarms() {
    let asked = ["tradeoff", "dp(epsilon=1, delta=0.1)", "--from", "0.001", "--points", "2"];
    assert_snapshot!(all_formats(&asked));
}

#[test]
fn sweep_of_methods() {
    let asked = ["sweep", "dp(epsilon=0.25) * {k}", "--grid", "epsilon=0,0.5", "--grid", "k=1,2"];
    assert_snapshot!(all_formats(&[&asked[..], &["--methods", "auto,basic"]].concat()));
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
    let workload = WORKLOAD.replace("epsilon = 2\n", "fpr = 0.1\ngroups = [\"vendor\"]\n");
    std::fs::write(&file, workload).unwrap();
    let output = all_formats(&["run", file.to_str().unwrap()]);
    std::fs::remove_file(file).unwrap();
    assert_snapshot!(output);
}

#[test]
fn mechanisms() {
    assert_snapshot!(all_formats(&["mechanisms", "poisson"]));
    assert_snapshot!("list_of_mechanisms", all_formats(&["mechanisms"]));
}

/// Methods whose digits change with their parameters; the others solve this problem in closed form.
const UNSTABLE: [&str; 10] = [
    "exact-sums",
    "contour",
    "lattice",
    "tangents",
    "buckets",
    "riemann",
    "fourier",
    "afa",
    "afa-grid",
    "double-quadrature",
];
const COMPARED: [&str; 4] = ["compare", "randomized_response(epsilon=1)", "--epsilon", "0"];

/// Every object of the comparison, without the numbers of unstable methods.
#[test]
fn compare_json() {
    let output = run(&[&COMPARED[..], &["--format", "json"]].concat()).answered();
    let row = |row: &str| {
        let is_unstable = UNSTABLE.iter().any(|name| row.starts_with(&format!("\"{name}\"")));
        if is_unstable { without_numbers(row) } else { rounded(row) }
    };
    let rows: Vec<String> = output.trim_end().split("{\"method\":").map(row).collect();
    assert_snapshot!(rows.join("\n{\"method\":"));
}

/// JSON without its numbers.
fn without_numbers(json: &str) -> String {
    let mut kept = String::new();
    let mut is_text = false;
    for c in json.chars() {
        is_text ^= c == '"';
        let is_part = !is_text && (c.is_ascii_digit() || ".-+eE".contains(c));
        match (is_part, kept.ends_with('…')) {
            (true, true) => {}
            (true, false) => kept.push('…'),
            (false, _) => kept.push(c),
        }
    }
    kept
}

/// Every row of the comparison, without the numbers of unstable methods.
#[test]
fn compare_csv() {
    let output = run(&[&COMPARED[..], &["--format", "csv"]].concat()).answered();
    let line = |line: &str| {
        let cells = cells(line);
        let is_unstable = UNSTABLE.contains(&cells[3]);
        let kept = |cell: &&str| {
            if is_unstable && is_number(cell) { "…".to_owned() } else { (*cell).to_owned() }
        };
        cells.iter().map(kept).collect::<Vec<_>>().join(",")
    };
    let lines: Vec<String> = without_times(&output).lines().map(line).collect();
    assert_snapshot!(rounded(&lines.join("\n")));
}

/// For people: the methods that are stable, a line each.
#[test]
fn compare() {
    let all = all_formats(&COMPARED);
    let is_stable = |line: &&str| !UNSTABLE.iter().any(|name| line.contains(name));
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
