//! Whether what is printed is what a document shows.
//!
//! Words must be the same; blanks between them do not count; times may be anything. Numbers must be the same up to the last
//! digits of doubles, which another processor may round otherwise: an interval has as many digits as is shown, and the last of
//! them may differ by two; numbers without an interval agree to twelve digits. A line `…` stands for any lines, and `…` at the
//! end of a line for the rest of it.
//!
//! `UPDATE_DOCUMENTATION=1` writes what is printed now in place of what is shown, see `renewed`.

use serde_json::Value;

const REST: &str = "…";

/// The first line that is not as shown, with what is there instead.
pub(crate) fn difference(shown: &str, printed: &str) -> Option<String> {
    let lines = |text: &str| -> Vec<Vec<String>> {
        text.lines()
            .map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .filter(|words| !words.is_empty())
            .collect()
    };
    let (shown, printed) = (lines(shown), lines(printed));
    let mut rest = printed.as_slice();
    let mut is_anywhere = false;
    for line in &shown {
        if line.as_slice() == [REST] {
            is_anywhere = true;
            continue;
        }
        let limit = if is_anywhere { rest.len() } else { rest.len().min(1) };
        let Some(at) = rest[..limit].iter().position(|other| agree(line, other)) else {
            let instead = rest.first().map_or("nothing".to_owned(), |line| line.join(" "));
            return Some(format!("shown:   {}\nprinted: {instead}", line.join(" ")));
        };
        rest = &rest[at + 1..];
        is_anywhere = false;
    }
    match rest.first() {
        Some(more) if !is_anywhere && !shown.is_empty() => {
            Some(format!("not shown: {}\n(a line … stands for any lines)", more.join(" ")))
        }
        Some(_) | None => None,
    }
}

fn agree(shown: &[String], printed: &[String]) -> bool {
    let object =
        |words: &[String]| serde_json::from_str::<Value>(&words.join(" ")).ok().filter(Value::is_object);
    if let (Some(shown), Some(printed)) = (object(shown), object(printed)) {
        return objects_agree(&shown, &printed);
    }
    let (shown, is_open) = match shown.split_last() {
        Some((last, before)) if last == REST => (before, true),
        Some(_) | None => (shown, false),
    };
    if shown.len() > printed.len() || (!is_open && shown.len() < printed.len()) {
        return false;
    }
    (0..shown.len()).all(|at| agree_at(shown, printed, at))
}

fn agree_at(shown: &[String], printed: &[String], at: usize) -> bool {
    let number = |words: &[String], at: usize| -> Option<f64> {
        words.get(at)?.trim_end_matches([',', ';', '.', ')']).parse().ok()
    };
    let is = |words: &[String], at: Option<usize>, word: &str| {
        at.and_then(|at| words.get(at)).is_some_and(|found| found == word)
    };
    let (Some(a), Some(b)) = (number(shown, at), number(printed, at)) else {
        return shown[at] == printed[at] || calls_agree(&shown[at], &printed[at]);
    };
    let is_time = is(printed, Some(at + 1), "ms");
    if is_time {
        return true;
    }
    // A centre or a radius.
    let is_of_interval = |words: &[String]| {
        is(words, Some(at + 1), "±") || at.checked_sub(1).is_some_and(|before| is(words, Some(before), "±"))
    };
    match (is_of_interval(shown), is_of_interval(printed)) {
        (true, true) => {
            let unit = last_place(&shown[at]);
            unit == last_place(&printed[at]) && (a - b).abs() <= 2.5 * 10f64.powi(unit)
        }
        (false, false) => are_equal(a, b),
        (true, false) | (false, true) => false,
    }
}

/// The power of ten of the last digit of a number.
fn last_place(text: &str) -> i32 {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits: String = mantissa.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let decimals = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    exponent.trim_end_matches([',', ';', '.', ')']).parse::<i32>().unwrap_or(0) - decimals as i32
}

fn are_equal(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-12 * a.abs()
}

/// Are they the same text but for times, and for blanks that times bring along?
fn same_but_times(shown: &str, printed: &str) -> bool {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (mut shown, mut printed) = (words(shown), words(printed));
    if shown.last().is_some_and(|last| last == REST) {
        shown.pop();
        printed.truncate(shown.len());
    }
    for words in [&mut shown, &mut printed] {
        for at in 1..words.len() {
            if words[at] == "ms" {
                words[at - 1] = "0".to_owned();
            }
        }
    }
    let elapsed = |line: String| -> String {
        let mut parts = line.split("\"elapsed_ms\":");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| {
            text + part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
        })
    };
    elapsed(shown.join(" ")) == elapsed(printed.join(" "))
}

/// What a document should show, made of what it shows: the same places, with what is printed there now. Lines that differ in
/// their times alone stay.
pub(crate) fn renewed(shown: &str, printed: &str) -> String {
    let (shown, printed): (Vec<&str>, Vec<&str>) =
        (shown.lines().collect(), printed.trim_end().lines().collect());
    let is_rest = |line: &&str| line.trim() == REST;
    if !shown.iter().any(is_rest) {
        let kept = |(at, line): (usize, &&str)| -> String {
            let old = shown.get(at).filter(|old| same_but_times(old, line));
            renewed_line(old.copied().unwrap_or(line), line)
        };
        return printed.iter().enumerate().map(kept).collect::<Vec<_>>().join("\n");
    }
    let mut next = 0;
    let mut lines: Vec<String> = vec![];
    for line in &shown {
        if is_rest(line) || line.trim().is_empty() {
            lines.push((*line).to_owned());
            continue;
        }
        // The same line, or else the next one that begins alike.
        let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
        let rest = &printed[next..];
        let found = rest.iter().position(|other| difference(line, other).is_none());
        let found = found.or_else(|| rest.iter().position(|other| first(other) == first(line)));
        let at =
            next + found.unwrap_or_else(|| panic!("nothing printed is like the line that is shown: {line}"));
        lines.push(renewed_line(line, printed[at]));
        next = at + 1;
    }
    lines.join("\n")
}

/// The printed line, cut where the shown one is; the shown one if only times differ.
fn renewed_line(shown: &str, printed: &str) -> String {
    if same_but_times(shown, printed) {
        return shown.to_owned();
    }
    let Some(kept) = shown.trim_end().strip_suffix(REST) else { return printed.to_owned() };
    let count = kept.split_whitespace().count();
    let mut end = 0;
    for word in printed.split_whitespace().take(count) {
        end += printed[end..].find(word).expect("its own word") + word.len();
    }
    // Columns stay columns.
    let blanks = kept.len() - kept.trim_end().len();
    format!("{}{}{REST}", &printed[..end], " ".repeat(blanks.max(1)))
}

/// Objects with the same keys and values: numbers to twelve digits, but times and parts of widths may be anything.
fn objects_agree(shown: &Value, printed: &Value) -> bool {
    match (shown, printed) {
        (Value::Object(shown), Value::Object(printed)) => {
            shown.len() == printed.len()
                && shown.iter().all(|(key, value)| {
                    let is_free = key == "elapsed_ms" || key == "budget";
                    printed.get(key).is_some_and(|other| is_free || objects_agree(value, other))
                })
        }
        (Value::Array(shown), Value::Array(printed)) => {
            shown.len() == printed.len() && shown.iter().zip(printed).all(|(a, b)| objects_agree(a, b))
        }
        (Value::Number(shown), Value::Number(printed)) => match (shown.as_f64(), printed.as_f64()) {
            (Some(a), Some(b)) => are_equal(a, b),
            (Some(_) | None, _) => false,
        },
        (shown, printed) => shown == printed,
    }
}

/// `gaussian(sigma=1.23)` with numbers that agree to twelve digits.
fn calls_agree(shown: &str, printed: &str) -> bool {
    let is_between = |c: char| "(),=;\"".contains(c);
    let (left, right): (Vec<&str>, Vec<&str>) =
        (shown.split(is_between).collect(), printed.split(is_between).collect());
    let separators = |text: &str| text.chars().filter(|&c| is_between(c)).collect::<String>();
    let agree = |(a, b): (&&str, &&str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => are_equal(a, b),
        (Ok(_) | Err(_), _) => a == b,
    };
    left.len() > 1
        && left.len() == right.len()
        && separators(shown) == separators(printed)
        && left.iter().zip(&right).all(agree)
}

#[test]
fn only_last_digits_may_differ() {
    let is_same = |shown: &str, printed: &str| difference(shown, printed).is_none();
    assert!(is_same("ε = 2.500000001 ± 1e-9", "ε = 2.500000002 ± 2e-9"));
    assert!(
        !is_same("ε = 2.5 ± 1e-9", "ε = 2.5000000001 ± 1e-12"),
        "an interval that has become narrower is stale"
    );
    assert!(!is_same("ε = 2.500000001 ± 1e-9", "ε = 2.500000009 ± 1e-9"));
    assert!(!is_same("ε = 2.5 ± 1e-9", "δ = 2.5 ± 1e-9"));
    assert!(!is_same("ε = 2.5 ± 1e-9", "ε ≤ 2.5"));
    assert!(is_same("sigma = 42.24678889326873", "sigma  =  42.24678889326833"));
    assert!(!is_same("sigma = 42.2467", "sigma = 42.2468"));
    assert!(is_same("rdp 0.1 ms", "rdp 7 ms") && !is_same("rdp 0.1 s", "rdp 7 s"));
    assert!(is_same("gdp(mu=1.0000000000001) * 3", "gdp(mu=1) * 3") && !is_same("gdp(mu=1)", "gdp(mu=1.1)"));
}

#[test]
fn objects_are_compared_by_their_keys() {
    let is_same = |shown: &str, printed: &str| difference(shown, printed).is_none();
    assert!(is_same(r#"{"a":1.0,"elapsed_ms":3}"#, r#"{"elapsed_ms":4,"a":1.0000000000001}"#));
    assert!(!is_same(r#"{"a":1.0}"#, r#"{"a":1.1}"#) && !is_same(r#"{"a":1.0}"#, r#"{"b":1.0}"#));
}

#[test]
fn lines_are_compared_one_by_one() {
    let is_same = |shown: &str, printed: &str| difference(shown, printed).is_none();
    assert!(is_same("a\n…\nd", "a\nb\nc\nd") && !is_same("a\n…\nd", "a\nb\nc"));
    assert!(is_same("a …", "a b c") && !is_same("a", "a b c") && !is_same("a\nb", "a"));
    assert!(!is_same("a", "a\nb") && is_same("a\n…", "a\nb") && is_same("", "anything"));
}

#[test]
fn what_is_shown_is_renewed_in_its_place() {
    assert_eq!(renewed("ε = 1\n", "ε = 2\n\n  quote 3\n"), "ε = 2\n\n  quote 3");
    assert_eq!(
        renewed("ε = 1\n…\n  rdp  2  …\n…", "ε = 3\n  a  b\n  rdp  4  why\n  c"),
        "ε = 3\n…\n  rdp  4  …\n…"
    );
    // Times alone are no reason to change a document.
    assert_eq!(renewed("rdp 2  0.1 ms  x", "rdp 2  17.25 ms  x"), "rdp 2  0.1 ms  x");
    assert_eq!(renewed("rdp 2  0.1 ms  x", "rdp 3  17.25 ms  x"), "rdp 3  17.25 ms  x");
    assert_eq!(
        renewed(r#"{"elapsed_ms":1.5,"a":2}"#, r#"{"elapsed_ms":20,"a":2}"#),
        r#"{"elapsed_ms":1.5,"a":2}"#
    );
}
