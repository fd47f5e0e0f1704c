//! Whether what is printed is what a document shows.
//!
//! Words must be the same; blanks between them do not count. Numbers may move within what they promise: `2.5 ± 1e-9` may
//! become any interval that overlaps it, since bounds become sharper with time; times may be anything; all others agree to nine
//! digits. A line `…` stands for any lines, and `…` at the end of a line for the rest of it.

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
    // A radius: what matters is the interval, which is compared at its centre.
    let is_radius = is(shown, at.checked_sub(1), "±") && is(printed, at.checked_sub(1), "±");
    if is_time || is_radius {
        return true;
    }
    let radius = |words: &[String]| if is(words, Some(at + 1), "±") { number(words, at + 2) } else { None };
    let slack = match (radius(shown), radius(printed)) {
        (Some(left), Some(right)) => left + right + 4.0 * f64::EPSILON * a.abs(),
        (None, None) => 1e-9 * a.abs(),
        (Some(_), None) | (None, Some(_)) => return false,
    };
    a == b || (a - b).abs() <= slack
}

/// Objects with the same keys and values: numbers to nine digits, but times and parts of widths may be anything.
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
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs(),
            (Some(_) | None, _) => false,
        },
        (shown, printed) => shown == printed,
    }
}

/// `gaussian(sigma=1.23)` with numbers that agree to nine digits.
fn calls_agree(shown: &str, printed: &str) -> bool {
    let is_between = |c: char| "(),=;\"".contains(c);
    let (left, right): (Vec<&str>, Vec<&str>) =
        (shown.split(is_between).collect(), printed.split(is_between).collect());
    let separators = |text: &str| text.chars().filter(|&c| is_between(c)).collect::<String>();
    let agree = |(a, b): (&&str, &&str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-9 * a.abs(),
        (Ok(_) | Err(_), _) => a == b,
    };
    left.len() > 1
        && left.len() == right.len()
        && separators(shown) == separators(printed)
        && left.iter().zip(&right).all(agree)
}

#[test]
fn numbers_may_move_within_what_they_promise() {
    let is_same = |shown: &str, printed: &str| difference(shown, printed).is_none();
    assert!(is_same("ε = 2.5 ± 1e-9", "ε = 2.5000000001 ± 1e-12"));
    assert!(!is_same("ε = 2.5 ± 1e-9", "ε = 2.50000001 ± 1e-12"));
    assert!(!is_same("ε = 2.5 ± 1e-9", "δ = 2.5 ± 1e-9"));
    assert!(!is_same("ε = 2.5 ± 1e-9", "ε ≤ 2.5"));
    assert!(is_same("sigma = 42.246788893268", "sigma  =  42.246788893267"));
    assert!(!is_same("sigma = 42.2467", "sigma = 42.2468"));
    assert!(is_same("rdp 0.1 ms", "rdp 7 ms") && !is_same("rdp 0.1 s", "rdp 7 s"));
    assert!(is_same("gdp(mu=1.00000000001) * 3", "gdp(mu=1) * 3") && !is_same("gdp(mu=1)", "gdp(mu=1.1)"));
}

#[test]
fn objects_are_compared_by_their_keys() {
    let is_same = |shown: &str, printed: &str| difference(shown, printed).is_none();
    assert!(is_same(r#"{"a":1.0,"elapsed_ms":3}"#, r#"{"elapsed_ms":4,"a":1.00000000001}"#));
    assert!(!is_same(r#"{"a":1.0}"#, r#"{"a":1.1}"#) && !is_same(r#"{"a":1.0}"#, r#"{"b":1.0}"#));
}

#[test]
fn lines_are_compared_one_by_one() {
    let is_same = |shown: &str, printed: &str| difference(shown, printed).is_none();
    assert!(is_same("a\n…\nd", "a\nb\nc\nd") && !is_same("a\n…\nd", "a\nb\nc"));
    assert!(is_same("a …", "a b c") && !is_same("a", "a b c") && !is_same("a\nb", "a"));
    assert!(!is_same("a", "a\nb") && is_same("a\n…", "a\nb") && is_same("", "anything"));
}
