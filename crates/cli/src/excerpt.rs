//! Part of a text that is too long to show.

/// The text, without its middle if it has more than `most` characters.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let half = most / 2;
    let front: String = text.chars().take(half).collect();
    let back: String = text.chars().skip(count - half).collect();
    format!("{front} … {back}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_keeps_both_ends() {
        assert_eq!(clipped("ααααα", 5), "ααααα");
        assert_eq!(clipped("abcdefgh", 4), "ab … gh");
    }
}
