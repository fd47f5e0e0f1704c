//! Wording shared by messages: lists, quotes, and names that were perhaps meant.

/// `a, b and c`.
pub(super) fn listed<'a>(words: impl IntoIterator<Item = &'a str>, joint: &str) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [front @ .., last] => format!("{} {joint} {last}", front.join(", ")),
    }
}

/// The text, cut short if it is long, with control characters escaped.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown = String::new();
    for character in text.chars().take(MOST) {
        if character.is_control() { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

/// The text in backticks, cut short if it is long.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", shortened(text))
}

/// The candidate closest to `word`, if it is close enough to have been meant.
pub(super) fn closest(
    word: &str,
    candidates: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase().replace('-', "_");
    let tolerance = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= tolerance && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance, one row at a time.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, from) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_naturally() {
        assert_eq!(listed(["a"], "and"), "a");
        assert_eq!(listed(["a", "b", "c"], "or"), "a, b or c");
    }

    #[test]
    fn near_misses_are_found_and_far_ones_are_not() {
        let names = ["gaussian", "laplace", "dp"];
        assert_eq!(closest("gausian", names), Some("gaussian"));
        assert_eq!(closest("Gaussian", names), Some("gaussian"));
        assert_eq!(closest("laplce", names), Some("laplace"));
        assert_eq!(closest("exponential", names), None);
        assert_eq!(closest("x", names), None);
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(quoted("a\nb"), r"`a\nb`");
        assert_eq!(quoted(&"x".repeat(41)), format!("`{}…`", "x".repeat(40)));
    }
}
